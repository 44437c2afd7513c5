/* cuda_batch.c: points that load the records of several items before they compute with the first.
 *
 * In: a GATHER stage of an owner gather whose points read memory directly. Out: the holes of
 * cuda_points_batch.tpl. An item is a chain of loads: the element's number, its maps, the records.
 * A point that visits its items one by one waits for each of these; in a batch the chains of all
 * items are in flight together. A batch is as large as registers hold its records, and a stage that
 * reads something that cannot be loaded ahead has none.
 */
#include "codegen/cuda/cuda_owner.h"
#include "codegen/uses.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

enum { MOST_ITEMS = 4 };

/* ---- which stages -----------------------------------------------------------------------------
 */

const struct body_use *cuda_uses_in(struct emit *emit, const struct stage *stage)
{
    struct body_use *before = emit->use;
    emit->use = uses_of(emit, stage->body);
    uses_add_updates(emit, stage);
    struct body_use *use = emit->use;
    emit->use = before;
    return use;
}

bool cuda_may_load(const struct emit *emit, const struct body_use *use, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const struct type *type = place_param_type(emit->loop, a);
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return arg->kind == ARG_DAT && !use[a].itself && !arg->is_optional &&
           !emit->shape->dat[emit->shape->dat_of[a]].modified &&
           !emit->shape->dat[emit->shape->dat_of[a]].soa && type_same(type, arg->type);
}

static bool is_uniform(const struct arg *arg)
{
    return arg->kind == ARG_GLOBAL && !arg_is_reduction(arg);
}

/* Returns the bytes of the records that an item reads; 0: none, or some cannot be loaded ahead. */
static size_t bytes_of(struct emit *emit, const struct stage *stage)
{
    const struct body_use *use = cuda_uses_in(emit, stage);
    size_t bytes = 0;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (use[a].columns == 0 || is_uniform(arg)) {
            continue;
        }
        if (!cuda_may_load(emit, use, a)) {
            return 0;
        }
        bytes += (size_t)__builtin_popcount(use[a].columns) * (size_t)arg->dim * arg->type->size;
    }
    return bytes;
}

bool cuda_may_load_item(struct emit *emit, const struct stage *stage)
{
    const size_t bytes = bytes_of(emit, stage);
    return bytes > 0 && bytes <= machines[MACHINE_GPU].batch_bytes;
}

int cuda_batch_items(struct emit *emit, const struct stage *stage)
{
    const size_t bytes = bytes_of(emit, stage);
    int items = bytes > 0 ? MOST_ITEMS : 1;
    while (items > 1 && (size_t)items * bytes > machines[MACHINE_GPU].batch_bytes) {
        items /= 2;
    }
    return items;
}

bool cuda_batches_fit(struct emit *emit, const struct schedule *schedule)
{
    bool fit = false;
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];
        fit = fit || (stage->kind == STAGE_GATHER && cuda_batch_items(emit, stage) > 1);
    }
    return fit;
}

/* ---- holes of cuda_points_batch.tpl -----------------------------------------------------------
 */

static const char *batch_name(struct emit *emit, int a, int c)
{
    const char *label = emit->shape->label[a];
    return emit->loop->arg[a].is_vector ? emit_format(emit, "cleave_batch_%s_%d", label, c)
                                        : emit_format(emit, "cleave_batch_%s", label);
}

void cuda_each_record(struct emit *emit, const struct stage *stage,
                      void (*print)(struct emit *emit, int a, int c, void *user), void *user)
{
    const struct body_use *use = cuda_uses_in(emit, stage);
    for (int a = 0; a < emit->loop->args; a++) {
        for (int c = 0; c < CLEAVE_MAX_COLUMNS && !is_uniform(&emit->loop->arg[a]); c++) {
            if ((use[a].columns >> c & 1) != 0) {
                print(emit, a, c, user);
            }
        }
    }
}

static void print_array(struct emit *emit, int a, int c, void *user)
{
    (void)user;
    out_line(emit->out, "cleave_record<%s, %d> %s[%d];", cuda_type(emit, a), emit->loop->arg[a].dim,
             batch_name(emit, a, c), cuda_batch_items(emit, emit->stage));
}

void cuda_batch_records(struct emit *emit)
{
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "int cleave_columns[%d];", cuda_batch_items(emit, emit->stage));
    }
    cuda_each_record(emit, emit->stage, print_array, NULL);
}

/* The points that the item's records belong to, each once. */
static void print_points(struct emit *emit)
{
    const struct body_use *use = cuda_uses_in(emit, emit->stage);
    for (int m = 0; m < emit->shape->maps; m++) {
        unsigned columns = 0;
        for (int a = 0; a < emit->loop->args; a++) {
            for (int c = 0; emit->shape->map_of[a] == m && c < CLEAVE_MAX_COLUMNS; c++) {
                columns |= (use[a].columns >> c & 1) << place_column(&emit->loop->arg[a], c);
            }
        }
        for (int column = 0; columns >> column != 0; column++) {
            if ((columns >> column & 1) != 0) {
                emit_point(emit, m, column);
            }
        }
    }
}

/* Compilers move a plain load to the branch that uses it, behind the computations of the item
 * before. */
static void print_load(struct emit *emit, int a, int c, void *user)
{
    (void)user;
    out_assign(emit->out, emit_format(emit, "%s[cleave_k]", batch_name(emit, a, c)), "=",
               emit_format(emit, "cleave_load_ahead<%d>(%s)", emit->loop->arg[a].dim,
                           place_pointer(emit, a, c, NULL)));
}

void cuda_batch_load(struct emit *emit)
{
    out_line(emit->out, "const int cleave_e = cleave_list.item_element[cleave_i];");
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "cleave_columns[cleave_k] = cleave_list.item_column[cleave_i];");
    }
    print_points(emit);
    cuda_each_record(emit, emit->stage, print_load, NULL);
}

static void print_record(struct emit *emit, int a, int c, void *user)
{
    (void)user;
    out_line(emit->out, "const auto &%s = %s[cleave_k];", record_name(emit, a, c),
             batch_name(emit, a, c));
}

void cuda_batch_item(struct emit *emit)
{
    const struct body_use *use = cuda_uses_in(emit, emit->stage);
    bool *held = arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*held));
    for (int a = 0; a < emit->loop->args; a++) {
        held[a] = use[a].columns != 0 && !is_uniform(&emit->loop->arg[a]);
    }
    emit->held = held;
    if (emit_mentions(emit, "cleave_column")) {
        out_line(emit->out, "const int cleave_column = cleave_columns[cleave_k];");
    }
    cuda_each_record(emit, emit->stage, print_record, NULL);
}
