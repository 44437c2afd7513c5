/* query.c: --cleave-help, --cleave-version and --showme. See query.h. */
#include "pass/driver/query.h"
#include "pass/driver/generated.h"
#include "pass/driver/link.h"

#include <string.h>

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

/* The rest of each word that starts so, "-L", in one line, as MPI's compilers print it. */
static void show_rests(const struct words *words, const char *start)
{
    int shown = 0;

    for (int i = 0; i < words->count; i++) {
        if (text_starts(words->word[i], start)) {
            printf("%s%s", shown++ > 0 ? " " : "", words->word[i] + strlen(start));
        }
    }
    putchar('\n');
}

static void show_command(const struct driver *driver)
{
    bool links =
        !driver->command.compile_only && !driver->command.host_only && !driver->command.check_only;
    struct words out = host_command(driver);

    words_add_all(&out, &driver->words);
    if (links) {
        link_add_libraries(driver, &out);
    }
    words_print(stdout, &out);
}

static void show(const struct driver *driver)
{
    struct words compile = words_new(driver->arena);
    struct words link = words_new(driver->arena);

    words_add_format(&compile, "-I%s", driver->config.include);
    link_add_libraries(driver, &link);
    switch (driver->settings.query) {
    case QUERY_SHOW_COMPILE:
        words_print(stdout, &compile);
        break;
    case QUERY_SHOW_LINK:
        words_print(stdout, &link);
        break;
    case QUERY_SHOW_COMMAND:
        words_print(stdout, &driver->config.host);
        break;
    case QUERY_SHOW_INCDIRS:
        show_rests(&compile, "-I");
        break;
    case QUERY_SHOW_LIBDIRS:
        show_rests(&link, "-L");
        break;
    case QUERY_SHOW_LIBS:
        show_rests(&link, "-l");
        break;
    case QUERY_SHOW_VERSION:
        printf("cleavecc: cleave %s (Language: %s)\n", config_version(),
               driver->command.is_cxx ? "C++" : "C");
        break;
    default:
        show_command(driver);
    }
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
