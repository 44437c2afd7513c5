/* devices.c: the devices that text can be generated for besides OpenMP, what compiles it, and what
 * programs that run it are linked with. A new device is a row.
 */
#include "pass/driver/devices.h"
#include "pass/driver/generated.h"
#include "pass/driver/nvcc.h"

static const char *emulator_missing(const struct config *config)
{
    return config->emulator != NULL ? NULL
                                    : "--cleave-arch=emu works only from cleave's build tree, with "
                                      "its tests built";
}

static bool emulator_has_archive(const struct config *config)
{
    (void)config;
    return true;
}

/* Code that a program compiles while it runs uses the program's own emulator. */
static void emulator_add_libraries(const struct driver *driver, struct words *out)
{
    (void)driver;
    words_add(out, "-Wl,--export-dynamic-symbol=_ZN15cleave_emulator*");
}

static const char *cuda_missing(const struct config *config)
{
    return config->nvcc == NULL    ? "nvcc is not found"
           : !config->cuda_library ? "cleave was built without CUDA"
                                   : NULL;
}

static bool cuda_has_archive(const struct config *config)
{
    return config->cuda_library;
}

static void cuda_add_libraries(const struct driver *driver, struct words *out)
{
    const char *cuda = config_cuda_library(driver->arena, &driver->config);

    if (cuda != NULL) {
        words_add_format(out, "-L%s", cuda);
        words_add(out, "-lcudart_static");
        words_add(out, "-lrt");
        words_add(out, "-lpthread");
    }
}

static const struct device_row rows[] = {
    [DEVICE_EMULATOR] = {.compiler = "CUDA compiler",
                         .stage = "CUDA compile",
                         .target = CODEGEN_CUDA,
                         .missing = emulator_missing,
                         .must = true,
                         .command = emulator_command,
                         .further_command = emulator_further_command,
                         .add_libraries = emulator_add_libraries,
                         .archive = "-lcleave_emulator",
                         .has_archive = emulator_has_archive},
    [DEVICE_CUDA] = {.compiler = "CUDA compiler",
                     .stage = "CUDA compile",
                     .target = CODEGEN_CUDA,
                     .is_default = true,
                     .missing = cuda_missing,
                     .choose = arch_choose,
                     .runs_in_folder = true,
                     .prepare = nvcc_prepare,
                     .command = nvcc_command,
                     .further_command = nvcc_further_command,
                     .archive = "-lcleave_cuda",
                     .has_archive = cuda_has_archive,
                     .add_libraries = cuda_add_libraries},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const struct device_row *device_row(enum device device)
{
    return rows[device].compiler != NULL ? &rows[device] : NULL;
}

static enum device default_device(void)
{
    int device = 0;

    while (device < ROWS && !rows[device].is_default) {
        device++;
    }
    return device < ROWS ? (enum device)device : DEVICE_NONE;
}

/* The device that the settings ask for, whether or not it is there. */
static enum device asked(const struct driver *driver)
{
    enum device device = driver->settings.device;

    return device == DEVICE_DEFAULT ? default_device() : device;
}

/* Programs that are compiled for the CPU only may open libraries that are not. */
const struct device_row *device_linked(const struct driver *driver)
{
    enum device device = asked(driver);
    const struct device_row *row = device_row(device != DEVICE_NONE ? device : default_device());

    return row != NULL && row->has_archive(&driver->config) ? row : NULL;
}

bool device_is_none(const struct driver *driver)
{
    const struct device_row *row = device_row(asked(driver));

    return row == NULL || (!row->must && row->missing(&driver->config) != NULL);
}

int device_choose(struct driver *driver)
{
    enum device device = asked(driver);
    const struct device_row *row = device_row(device);
    const char *missing = row != NULL ? row->missing(&driver->config) : NULL;

    driver->device = missing == NULL ? device : DEVICE_NONE;
    if (missing != NULL && row->must) {
        fprintf(stderr, "cleavecc: error: %s\n", missing);
        return -1;
    }
    if (missing != NULL) {
        fprintf(stderr,
                "cleavecc: note: %s, so loops are compiled for the CPU only; --cleave-arch=none "
                "hides this note\n",
                missing);
    }
    return missing == NULL && row != NULL && row->choose != NULL ? row->choose(driver) : 0;
}
