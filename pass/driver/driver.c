/* driver.c: cleavecc, and cleavec++ by its other name.
 *
 * In: a host compiler's command line. Out: what the host compiler would make of it, with the
 * compiled variants of each op_par_loop in the objects. Commands without loops become the host
 * compiler's.
 */
#include "pass/driver/driver.h"

#include <string.h>

#include "pass/driver/jobserver.h"
#include "pass/driver/messages.h"
#include "pass/driver/process.h"
#include "pass/driver/query.h"
#include "pass/driver/run.h"

/* Whether the command is for C++: by this program's name, or by that of the compiler which it
 * launches
 * ("g++-12"). */
static bool stands_for_cxx(const struct settings *settings, const char *name)
{
    const struct words *launched = &settings->launched;

    if (launched->count > 0) {
        return strstr(path_base(launched->word[launched->count - 1]), "++") != NULL;
    }
    return text_ends(path_base(name), "++");
}

static int run(struct driver *driver, const char *name)
{
    bool is_cxx = stands_for_cxx(&driver->settings, name);

    if (config_find(&driver->config, &driver->settings, is_cxx) != 0) {
        return 1;
    }
    jobserver_open(driver->settings.jobs);
    driver->command = command_read(driver->arena, &driver->words, is_cxx);
    messages_read(driver);
    return driver->settings.query != QUERY_NONE ? query_answer(driver) : driver_run(driver);
}

int main(int argc, char **argv)
{
    struct driver driver = {.arena = arena_new()};
    struct words words = words_new(driver.arena);
    int code;

    driver.words = words_new(driver.arena);
    words_add_expanded(&words, argc - 1, argv + 1);
    code = settings_read(&driver.settings, driver.arena, &words, &driver.words) == 0
               ? run(&driver, argv[0])
               : 2;
    arena_free(driver.arena);
    if (process_interrupted()) {
        process_die(process_interrupted());
    }
    return code;
}
