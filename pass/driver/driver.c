/* driver.c: cleavecc, and cleavec++ by its other name.
 *
 * In: a host compiler's command line. Out: what the host compiler would make of it, with the
 * compiled variants of each op_par_loop in the objects. Commands without loops become the host
 * compiler's.
 */
#include "pass/driver/driver.h"

#include "pass/driver/process.h"
#include "pass/driver/query.h"
#include "pass/driver/run.h"

int main(int argc, char **argv)
{
    struct driver driver = {.arena = arena_new()};
    struct words words = words_new(driver.arena);
    bool is_cxx = text_ends(path_base(argv[0]), "++");
    int code = 1;

    driver.words = words_new(driver.arena);
    words_add_expanded(&words, argc - 1, argv + 1);
    if (settings_read(&driver.settings, driver.arena, &words, &driver.words) != 0) {
        code = 2;
    } else if (config_find(&driver.config, &driver.settings, is_cxx) == 0) {
        driver.command = command_read(driver.arena, &driver.words, is_cxx);
        code = driver.settings.query != QUERY_NONE ? query_answer(&driver) : driver_run(&driver);
    }
    arena_free(driver.arena);
    if (process_interrupted()) {
        process_die(process_interrupted());
    }
    return code;
}
