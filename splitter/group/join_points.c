/* join_points.c: the members of a GROUP_GATHER that points run behind their sums of the first one:
 * phases and epilogues of the joined loop. Generated text calls their kernels, and marks values
 * that pass from one to the next as stored (codegen/cuda/).
 */
#include "pass/ir/arena.h"
#include "splitter/group/join.h"

static void add_phase(struct arena *arena, const struct group *group, const struct loop *member,
                      const int *arg, struct loop *joined)
{
    if (joined->phases == 0) {
        joined->phase = arena_alloc(arena, (size_t)group->members * sizeof(*joined->phase));
    }
    joined->phase[joined->phases++] = (struct phase){
        .kernel = member->kernel, .arg = arg, .set_text = member->set_text, .loc = member->loc};
}

static void add_epilogue(struct arena *arena, const struct group *group, const struct loop *member,
                         const int *arg, struct loop *joined)
{
    if (joined->epilogues == 0) {
        joined->epilogue = arena_alloc(arena, (size_t)group->members * sizeof(*joined->epilogue));
    }
    joined->epilogue[joined->epilogues++] = (struct epilogue){.kernel = member->kernel, .arg = arg};
}

void join_behind_sums(const struct program *program, const struct group *group, int member,
                      struct loop *joined)
{
    const struct loop *loop = &program->loop[group->member[member].loop];
    const int *arg = group->member[member].arg;
    if (group_is_phase(program, group, member)) {
        add_phase(program->arena, group, loop, arg, joined);
    } else {
        add_epilogue(program->arena, group, loop, arg, joined);
    }
}
