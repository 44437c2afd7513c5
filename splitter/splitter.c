/* splitter.c: the station's entry: increments are marked first, then each loop gets its schedules.
 *
 * In: a Program from pass/. Out: the same Program with stmt->increments_* and loop->schedule
 * filled. What cuts are made is decided in schedules.c; splitter_check.c states the rules that hold
 * after.
 */
#include "splitter/splitter_impl.h"

void splitter_run(struct program *program)
{
    for (int l = 0; l < program->loops; l++) {
        struct loop *loop = &program->loop[l];
        if (loop->sequential_reason != NULL || loop->kernel == NULL) {
            continue;
        }
        increments_mark(loop);
        schedules_build(program->arena, loop);
    }
}
