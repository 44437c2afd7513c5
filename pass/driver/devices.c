/* devices.c: the devices that text can be generated for besides OpenMP, and what compiles it. A new
 * device is a row; link.c adds its libraries.
 */
#include <stddef.h>

#include "pass/driver/driver.h"

static const struct device_row rows[] = {
    [DEVICE_EMULATOR] = {.compiler = "CUDA compiler",
                         .stage = "CUDA compile",
                         .target = CODEGEN_CUDA,
                         .command = emulator_command},
    [DEVICE_CUDA] = {.compiler = "CUDA compiler",
                     .stage = "CUDA compile",
                     .target = CODEGEN_CUDA,
                     .runs_in_folder = true,
                     .prepare = nvcc_prepare,
                     .command = nvcc_command},
};

const struct device_row *device_row(enum device device)
{
    return rows[device].compiler != NULL ? &rows[device] : NULL;
}
