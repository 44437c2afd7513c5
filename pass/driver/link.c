/* link.c: what cleavecc adds to a link.
 *
 * The libraries are archives, whose members are taken only when something refers to them, so every
 * program gets the same ones. Ours come after the user's words; from there on shared libraries that
 * nothing refers to are left out of the program.
 */
#include "pass/driver/driver.h"

void link_add_libraries(const struct driver *driver, struct words *out)
{
    const struct config *config = &driver->config;
    const char *cuda = config_cuda_library(driver->arena, config);
    bool emulator = driver->settings.device == DEVICE_EMULATOR;

    words_add(out, "-Wl,--as-needed");
    words_add_format(out, "-L%s", config->library);
    words_add(out, "-Wl,--start-group");
    words_add(out, "-lcleave");
    if (emulator) {
        words_add(out, "-lcleave_emulator");
    } else if (config->cuda_library) {
        words_add(out, "-lcleave_cuda");
    }
    words_add(out, "-Wl,--end-group");
    if (!emulator && config->cuda_library && cuda != NULL) {
        words_add_format(out, "-L%s", cuda);
        words_add(out, "-lcudart_static");
        words_add(out, "-lrt");
        words_add(out, "-lpthread");
    }
    if (emulator || config->cuda_library) {
        words_add(out, "-lstdc++");
    }
    words_add(out, "-fopenmp");
    words_add(out, "-lm");
    words_add(out, "-ldl");
    if (config_link_flag()[0] != '\0') {
        words_add(out, config_link_flag());
    }
}
