/* link.c: libraries that cleavecc adds to a link.
 *
 * They are archives, whose members are linked only when something refers to them, so every program
 * gets the same list. They come after the user's words; shared libraries behind them that nothing
 * refers to are left out of the program. */
#include "pass/driver/link.h"

#include <string.h>

#include "pass/driver/devices.h"
#include "pass/driver/elf.h"

/* Default folders in which programs find shared libraries. */
static bool is_searched(const char *folder)
{
    return text_starts(folder, "/usr/lib") || text_starts(folder, "/lib") ||
           strcmp(folder, "/usr/local/lib") == 0;
}

/* Names the object that cannot be linked, and why, before the linker reports undefined symbols. For
 * an archive this is only a note: the link may need other members of it. */
static void say_no_hdf5(const struct driver *driver, const struct words *command, const char *why)
{
    for (int i = 0; i < command->count; i++) {
        const char *word = command->word[i];
        bool is_archive = text_ends(word, ".a");
        const char *call = is_archive || text_ends(word, ".o")
                               ? elf_needed(driver->arena, word, "op_*_hdf5*")
                               : NULL;

        if (call != NULL) {
            fprintf(stderr, "cleavecc: %s: '%s' calls %s, but %s\n", is_archive ? "note" : "error",
                    path_base(word), call, why);
        }
        if (call != NULL && !is_archive) {
            return;
        }
    }
}

/* libcleave_hdf5.a is in the group of our archives; these are the libraries that it needs. */
static void add_hdf5(const struct driver *driver, struct words *out)
{
    const struct words *hdf5 = &driver->config.hdf5;

    for (int i = 0; i < hdf5->count; i++) {
        const char *folder = path_folder(driver->arena, hdf5->word[i]);

        words_add(out, hdf5->word[i]);
        if (text_ends(hdf5->word[i], ".so") && !is_searched(folder)) {
            words_add_format(out, "-Wl,-rpath,%s", folder);
        }
    }
}

/* Why this link has no HDF5; NULL: it has. */
static const char *lacks_hdf5(const struct driver *driver)
{
    const struct words *hdf5 = &driver->config.hdf5;

    if (hdf5->count == 0) {
        return driver->config.no_hdf5;
    }
    return command_has(&driver->command, "-static") && text_ends(hdf5->word[0], ".so")
               ? "HDF5 is a shared library, which a program that is linked with -static cannot have"
               : NULL;
}

void link_add_libraries(const struct driver *driver, struct words *out)
{
    /* Exports the program's copy of the runtime: libraries that it opens then use that copy instead
     * of their own. */
    static const char *const shown[] = {"op_*", "cleave_*", "target_provide"};
    const struct config *config = &driver->config;
    const struct device_row *device = device_linked(driver);
    const char *no_hdf5 = lacks_hdf5(driver);

    if (no_hdf5 != NULL) {
        say_no_hdf5(driver, out, no_hdf5);
    }
    words_add(out, "-Wl,--as-needed");
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        words_add_format(out, "-Wl,--export-dynamic-symbol=%s", shown[i]);
    }
    words_add_format(out, "-L%s", config->library);
    words_add(out, "-Wl,--start-group");
    words_add(out, "-lcleave");
    if (no_hdf5 == NULL) {
        words_add(out, "-lcleave_hdf5");
    }
    if (device != NULL) {
        words_add(out, device->archive);
    }
    words_add(out, "-Wl,--end-group");
    if (device != NULL && device->add_libraries != NULL) {
        device->add_libraries(driver, out);
    }
    if (device != NULL) {
        words_add(out, "-lstdc++");
    }
    if (no_hdf5 == NULL) {
        add_hdf5(driver, out);
    }
    words_add(out, "-fopenmp");
    words_add(out, "-lm");
    words_add(out, "-ldl");
    if (config_link_flag()[0] != '\0') {
        words_add(out, config_link_flag());
    }
}
