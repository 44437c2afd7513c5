/* query.c: --cleave-help, --cleave-version and --showme. See query.h. */
#include "pass/driver/query.h"

static void version(const struct driver *driver)
{
    const struct config *config = &driver->config;

    printf("cleave %s\nhost compiler:", config_version());
    words_print(stdout, &config->host);
    printf("CUDA compiler: %s\nheaders: %s\nlibraries: %s\n",
           config->nvcc == NULL    ? "none"
           : !config->cuda_library ? "none (cleave was built without CUDA)"
                                   : config->nvcc,
           config->include, config->library);
}

static void show(const struct driver *driver)
{
    bool compiles = driver->settings.query != QUERY_SHOW_LINK;
    bool links = driver->settings.query != QUERY_SHOW_COMPILE;
    struct words out = words_new(driver->arena);

    if (driver->settings.query == QUERY_SHOW) {
        out = host_command(driver);
        words_add_all(&out, &driver->words);
        links = !driver->command.compile_only && !driver->command.host_only;
    } else if (compiles) {
        words_add_format(&out, "-I%s", driver->config.include);
    }
    if (links) {
        link_add_libraries(driver, &out);
    }
    words_print(stdout, &out);
}

int query_answer(const struct driver *driver)
{
    switch (driver->settings.query) {
    case QUERY_HELP:
        settings_help(stdout);
        break;
    case QUERY_VERSION:
        version(driver);
        break;
    default:
        show(driver);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
