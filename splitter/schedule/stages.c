/* stages.c: update stages, and the transfers of a stage between memory and shared memory.
 *
 * In: a loop, and which nodes or updates a stage has. Out: the stage's updates and its groups. A
 * group is a dat through a map; of its components a stage moves those that it reads or updates, no
 * others.
 */
#include <string.h>

#include "pass/ir/arena.h"
#include "splitter/schedule/stages.h"

/* ---- updates --------------------------------------------------------------------------------- */

static void build_whole_updates(struct build *build)
{
    const struct loop *loop = build->loop;
    int capacity = 0;
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        int values = arg_is_updated(loop, a) ? arg->dim * arg->columns : 0;
        for (int v = 0; v < values; v++) {
            build->update = arena_grow(build->arena, build->update, build->updates, &capacity,
                                       sizeof(*build->update));
            build->update[build->updates++].place =
                (struct place){.arg = a, .column = v / arg->dim, .component = v % arg->dim};
        }
    }
}

void build_updates(struct build *build)
{
    const struct graph *graph = build->graph;
    build->updates = 0;
    build->update = NULL;
    if (graph == NULL) {
        build_whole_updates(build);
        return;
    }
    build->updates = graph->contributions;
    build->update =
        arena_alloc(build->arena, (size_t)graph->contributions * sizeof(*build->update));
    for (int c = 0; c < graph->contributions; c++) {
        build->update[c] = graph->contribution[c].update;
    }
}

int update_column(const struct loop *loop, const struct update *update)
{
    const struct arg *arg = &loop->arg[update->place.arg];
    return arg->is_vector ? update->place.column : arg->map_index;
}

/* Both go to points of one map, and neither can be switched off without the other. */
static bool updates_share_map(const struct loop *loop, const struct update *a,
                              const struct update *b)
{
    const struct arg *x = &loop->arg[a->place.arg];
    const struct arg *y = &loop->arg[b->place.arg];
    return a->place.arg == b->place.arg || (x->map == y->map && !x->is_optional && !y->is_optional);
}

/* ---- stages ---------------------------------------------------------------------------------- */

struct stage *stage_add(struct schedule *schedule, enum stage_kind kind, const char *name)
{
    struct stage *stage = &schedule->stage[schedule->stages++];
    memset(stage, 0, sizeof(*stage));
    stage->kind = kind;
    stage->name = name;
    stage->map = -1;
    stage->column = -1;
    return stage;
}

size_t stages_reserve(const struct build *build, struct schedule *schedule)
{
    size_t room = MAX_CUTS + (size_t)build->updates;
    schedule->stage = arena_alloc(build->arena, room * sizeof(*schedule->stage));
    return room;
}

/* "update through pecell[0]"; an optional argument is named, since its stage is its own. */
static const char *name_updates(const struct build *build, const struct stage *stage,
                                const char *what)
{
    const struct arg *arg = &build->loop->arg[stage->map];
    const char *of = arg->is_optional ? arena_format(build->arena, " of %s", arg->dat_text) : "";
    const char *column = stage->column < 0 ? "" : arena_format(build->arena, "[%d]", stage->column);
    return arena_format(build->arena, "%s%s through %s%s", what, of, arg->map_text, column);
}

/* The updates from `first` on that belong with it: of its map, and of its column unless `gather`.
 */
static void add_updates_like(const struct build *build, struct schedule *schedule, int first,
                             bool gather)
{
    const struct update *like = &build->update[first];
    struct stage *stage = stage_add(schedule, gather ? STAGE_GATHER : STAGE_UPDATE, NULL);
    stage->map = like->place.arg;
    stage->column = gather ? -1 : update_column(build->loop, like);
    stage->name = name_updates(build, stage, gather ? "gather" : "update");
    stage->update = arena_alloc(build->arena, (size_t)build->updates * sizeof(*stage->update));
    for (int u = first; u < build->updates; u++) {
        const struct update *update = &build->update[u];
        bool column = gather || update_column(build->loop, update) == stage->column;
        if (column && updates_share_map(build->loop, like, update)) {
            stage->update[stage->updates++] = *update;
        }
    }
    if (!gather) {
        stage_add_outputs(build, stage);
    }
}

/* Whether a stage from `first` on applies the update already. */
static bool is_applied(const struct schedule *schedule, const struct update *update)
{
    for (int s = 0; s < schedule->stages; s++) {
        for (int u = 0; u < schedule->stage[s].updates; u++) {
            if (memcmp(&schedule->stage[s].update[u].place, &update->place,
                       sizeof(update->place)) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void add_all_updates(const struct build *build, struct schedule *schedule, bool gather)
{
    for (int u = 0; u < build->updates; u++) {
        if (!is_applied(schedule, &build->update[u])) {
            add_updates_like(build, schedule, u, gather);
        }
    }
}

void stages_add_updates(const struct build *build, struct schedule *schedule)
{
    add_all_updates(build, schedule, false);
}

void stages_add_gathers(const struct build *build, struct schedule *schedule)
{
    add_all_updates(build, schedule, true);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The group's first argument that may move in this direction. */
static int group_of(const struct loop *loop, enum transfer_kind kind, int arg)
{
    int first = 0;
    while (!args_share_group(loop, first, arg) ||
           !(kind == TRANSFER_IN ? arg_is_staged(loop, first) : arg_is_updated(loop, first))) {
        first++;
    }
    return first;
}

/* wanted[c]: component c of the group's dat moves. */
static void add_group(const struct build *build, struct stage *stage, enum transfer_kind kind,
                      int group, const bool *wanted)
{
    const struct arg *arg = &build->loop->arg[group];
    int capacity = stage->transfers;
    stage->transfer = arena_grow(build->arena, stage->transfer, stage->transfers, &capacity,
                                 sizeof(*stage->transfer));
    struct transfer *transfer = &stage->transfer[stage->transfers++];
    transfer->kind = kind;
    transfer->arg = group;
    transfer->components = 0;
    transfer->component =
        arena_alloc(build->arena, (size_t)arg->dim * sizeof(*transfer->component));
    for (int c = 0; c < arg->dim; c++) {
        if (wanted[c]) {
            transfer->component[transfer->components++] = c;
        }
    }
    stage->staged_bytes += (size_t)transfer->components * arg->type->size;
}

/* Components of each group's dat that move, by the group's first argument; NULL: none. */
struct wanted {
    bool **component; /* [args] */
};

static struct wanted wanted_none(const struct build *build)
{
    size_t bytes = (size_t)build->loop->args * sizeof(bool *);
    return (struct wanted){arena_alloc(build->arena, bytes)};
}

static void want(const struct build *build, struct wanted *wanted, enum transfer_kind kind,
                 const struct place *place)
{
    int group = group_of(build->loop, kind, place->arg);
    int dim = build->loop->arg[group].dim;
    if (wanted->component[group] == NULL) {
        wanted->component[group] = arena_alloc(build->arena, (size_t)dim * sizeof(bool));
    }
    for (int c = 0; c < dim; c++) {
        if (place->component < 0 || place->component == c) {
            wanted->component[group][c] = true;
        }
    }
}

static void add_wanted(const struct build *build, struct stage *stage, enum transfer_kind kind,
                       const struct wanted *wanted)
{
    for (int a = 0; a < build->loop->args; a++) {
        if (wanted->component[a] != NULL) {
            add_group(build, stage, kind, a, wanted->component[a]);
        }
    }
}

static void want_reads(const struct build *build, struct wanted *wanted, const struct node *node)
{
    for (int p = 0; p < node->places; p++) {
        if (arg_is_staged(build->loop, node->place[p].arg)) {
            want(build, wanted, TRANSFER_IN, &node->place[p]);
        }
    }
}

void stage_add_inputs(const struct build *build, struct stage *stage, const bool *in)
{
    struct wanted wanted = wanted_none(build);
    for (int n = 0; in != NULL && n < build->graph->nodes; n++) {
        if (in[n]) {
            want_reads(build, &wanted, &build->graph->node[n]);
        }
    }
    for (int a = 0; in == NULL && a < build->loop->args; a++) {
        if (arg_is_staged(build->loop, a)) {
            want(build, &wanted, TRANSFER_IN, &(struct place){a, -1, -1});
        }
    }
    add_wanted(build, stage, TRANSFER_IN, &wanted);
}

void stage_add_outputs(const struct build *build, struct stage *stage)
{
    struct wanted wanted = wanted_none(build);
    for (int u = 0; u < stage->updates; u++) {
        want(build, &wanted, TRANSFER_OUT, &stage->update[u].place);
    }
    add_wanted(build, stage, TRANSFER_OUT, &wanted);
}

size_t schedule_largest_bytes(const struct schedule *schedule)
{
    size_t largest = 0;
    for (int s = 0; s < schedule->stages; s++) {
        size_t bytes = schedule->stage[s].staged_bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}
