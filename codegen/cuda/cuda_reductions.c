/* cuda_reductions.c: reductions of a kernel: private copies, results of a block, results of all
 * blocks.
 *
 * In: the loop's reductions, and extrema with payloads. Out: the text of a kernel's holes "copies"
 * and "partials", and the shared memory that it takes. For an extremum with payloads, the threads
 * compare values and element numbers; the thread whose element counts writes the payload.
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

void cuda_reduction_copies(struct emit *emit)
{
    if (cuda_kernel(emit)->reduces) {
        emit_reduction_copies(emit);
    }
}

/* ---- shared memory ----------------------------------------------------------------------------
 *
 * Reductions follow one another in rounds. All components of a round share a barrier: each warp
 * leaves its value of each in memory of its own, and then the first warp collects them. A round
 * takes as many reductions as have MOST_TOGETHER components. One that goes alone, since it has
 * more, or only one, or finds elements, uses two arrays of one value per warp by turns. The flag
 * that says whether a block ends last lies behind what the largest round needs.
 */
enum { MOST_TOGETHER = 8 };

struct round {
    int first; /* the reductions among arguments first..last-1 */
    int last;
    int components; /* 0: there is none */
};

static bool goes_alone(const struct arg *arg)
{
    return arg->ties != TIES_NONE || arg->dim > MOST_TOGETHER;
}

/* The round that begins with the next reduction from argument a on. */
static struct round round_from(const struct loop *loop, int a)
{
    while (a < loop->args && !arg_is_reduction(&loop->arg[a])) {
        a++;
    }
    struct round round = {.first = a, .last = a};
    for (; round.last < loop->args; round.last++) {
        const struct arg *arg = &loop->arg[round.last];
        if (!arg_is_reduction(arg)) {
            continue;
        }
        if (round.components > 0 && (goes_alone(arg) || goes_alone(&loop->arg[round.first]) ||
                                     round.components + arg->dim > MOST_TOGETHER)) {
            break;
        }
        round.components += arg->dim;
    }
    return round;
}

static bool is_shared(const struct loop *loop, const struct round *round)
{
    return round->components > 1 && !goes_alone(&loop->arg[round->first]);
}

/* A value of each component from each warp. A block has at most as many warps as a warp has lanes.
 */
static size_t values_bytes(const struct emit *emit, const struct arg *arg, int components)
{
    return (size_t)emit->file->target->lanes * (size_t)components * arg->type->size;
}

size_t cuda_numbers_offset(const struct emit *emit, const struct arg *arg)
{
    return values_bytes(emit, arg, 2);
}

/* Where the values of the round's reductions before argument a end. */
static size_t scratch_offset(const struct emit *emit, const struct round *round, int a)
{
    size_t bytes = 0;
    for (int b = round->first; b < a; b++) {
        const struct arg *arg = &emit->loop->arg[b];
        bytes += arg_is_reduction(arg) ? values_bytes(emit, arg, arg->dim) : 0;
    }
    return bytes;
}

static size_t round_bytes(const struct emit *emit, const struct round *round)
{
    const struct arg *arg = &emit->loop->arg[round->first];
    const size_t numbers =
        arg->ties != TIES_NONE ? 2 * (size_t)emit->file->target->lanes * sizeof(int) : 0;
    return is_shared(emit->loop, round) ? scratch_offset(emit, round, round->last)
                                        : cuda_numbers_offset(emit, arg) + numbers;
}

size_t cuda_flag_offset(const struct emit *emit)
{
    size_t bytes = 0;
    for (struct round round = round_from(emit->loop, 0); round.components > 0;
         round = round_from(emit->loop, round.last)) {
        const size_t needed = round_bytes(emit, &round);
        bytes = needed > bytes ? needed : bytes;
    }
    return bytes;
}

size_t cuda_scratch_bytes(const struct emit *emit)
{
    size_t flag = cuda_flag_offset(emit);
    return flag > 0 ? flag + sizeof(int) : 0;
}

/* ---- one reduction ----------------------------------------------------------------------------
 */

/* "first_max": of cleave_first_max in runtime/device/locate.cuh. */
static const char *rule_of(struct emit *emit, const struct arg *arg)
{
    return emit_format(emit, "cleave_%s_%s", arg->ties == TIES_LAST ? "last" : "first",
                       cuda_operation(arg->access));
}

/* A call of `function`<operation, dim>(`arguments`, scratch memory from that byte on). */
static void print_call(struct emit *emit, int a, const char *function, const char *arguments,
                       size_t scratch)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *label = emit->shape->label[a];
    bool locates = arg->ties != TIES_NONE;
    const char *on = arg->is_optional ? emit_format(emit, "if (cleave_on_%s) ", label) : "";
    const char *operation = locates
                                ? rule_of(emit, arg)
                                : emit_format(emit, "cleave_op_%s", cuda_operation(arg->access));
    const char *call = emit_format(emit, "%s%s<%s, %d>(", on, function, operation, arg->dim);
    out_line(emit->out, "%s%s,", call, arguments);
    out_format(emit->out, "%*scleave_shared<%s>(%zu)", (int)strlen(call), "",
               emit_type_name(emit, arg->type), scratch);
    if (locates) {
        out_format(emit->out, ", cleave_shared<int>(%zu)", cuda_numbers_offset(emit, arg));
    }
    out_text(emit->out, ");\n");
}

/* Prints how the winning thread of each component d, where `winner`_LABEL[d] >= 0, writes the
 * payloads of extremum a. */
static void print_payloads(struct emit *emit, int a, const char *winner,
                           const char *(*move)(struct emit *emit, int a, int payload, int i, int d))
{
    const struct loop *loop = emit->loop;
    for (int d = 0; d < loop->arg[a].dim; d++) {
        out_line(emit->out, "if (%s_%s[%d] >= 0) {", winner, emit->shape->label[a], d);
        emit->out->indent += 4;
        for (int p = 0; p < loop->args; p++) {
            const struct arg *payload = &loop->arg[p];
            bool goes_along = payload->kind == ARG_INFO && payload->info_of == a;
            for (int i = 0; goes_along && i < arg_payload(payload); i++) {
                if (payload->goes_with[i] == d) {
                    out_line(emit->out, "%s", move(emit, a, p, i, d));
                }
            }
        }
        emit->out->indent -= 4;
        out_line(emit->out, "}");
    }
}

static const char *record_of(struct emit *emit, int payload, const char *block, int i)
{
    int dim = arg_payload(&emit->loop->arg[payload]);
    return emit_format(emit, "cleave_partial_%s.partial[%d * (size_t)%s + %d]",
                       emit->shape->label[payload], dim, block, i);
}

static const char *to_partial(struct emit *emit, int a, int payload, int i, int d)
{
    (void)a;
    (void)d;
    return emit_format(emit, "%s = cleave_gbl_%s[%d];", record_of(emit, payload, "cleave_b", i),
                       emit->shape->label[payload], i);
}

static const char *to_result(struct emit *emit, int a, int payload, int i, int d)
{
    const char *block = emit_format(emit, "cleave_from_%s[%d]", emit->shape->label[a], d);
    return emit_format(emit, "cleave_partial_%s.result[%d] = %s;", emit->shape->label[payload], i,
                       record_of(emit, payload, block, i));
}

static void print_block(struct emit *emit, int a)
{
    const char *label = emit->shape->label[a];
    if (emit->loop->arg[a].ties == TIES_NONE) {
        print_call(emit, a, "cleave_reduce_block",
                   emit_format(emit, "cleave_gbl_%s, cleave_partial_%s, cleave_b", label, label),
                   0);
        return;
    }
    print_call(
        emit, a, "cleave_locate_block",
        emit_format(
            emit,
            "cleave_gbl_%s, cleave_best_element_%s, cleave_partial_%s, cleave_best_elements_%s, "
            "cleave_b",
            label, label, label, label),
        0);
    print_payloads(emit, a, "cleave_best_element", to_partial);
}

static void print_all(struct emit *emit, int a)
{
    const char *label = emit->shape->label[a];
    const struct arg *arg = &emit->loop->arg[a];
    if (arg->ties == TIES_NONE) {
        print_call(emit, a, "cleave_reduce_all",
                   emit_format(emit, "cleave_partial_%s, cleave_arrived.blocks", label), 0);
        return;
    }
    int items = 0;
    out_format(emit->out, "int cleave_from_%s[%d] = {", label, arg->dim);
    for (int d = 0; d < arg->dim; d++) {
        out_item(emit->out, &items, "-1");
    }
    out_text(emit->out, "};\n");
    print_call(emit, a, "cleave_locate_all",
               emit_format(emit,
                           "cleave_start_%s.v, cleave_from_%s, cleave_partial_%s, "
                           "cleave_best_elements_%s, cleave_arrived.blocks",
                           label, label, label, label),
               0);
    print_payloads(emit, a, "cleave_from", to_result);
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

/* The two halves of a reduction: the warps leave values, and the first warp collects them. `what`:
 * the arguments of both, "%s" for the label, without one where print_leave prints one call for all
 * reductions of a round. */
struct halves {
    void (*print_leave)(struct emit *emit, const struct round *round, const struct halves *halves);
    const char *leave;
    const char *leave_what;
    const char *collect;
    const char *collect_what;
    void (*alone)(struct emit *emit, int a);
};

static void print_half(struct emit *emit, const struct round *round, const char *function,
                       const char *what)
{
    for (int a = round->first; a < round->last; a++) {
        if (arg_is_reduction(&emit->loop->arg[a])) {
            print_call(emit, a, function, emit_format(emit, what, emit->shape->label[a]),
                       scratch_offset(emit, round, a));
        }
    }
}

static void print_each(struct emit *emit, const struct round *round, const struct halves *halves)
{
    print_half(emit, round, halves->leave, halves->leave_what);
}

/* All reductions of the round in one call. Groups have no optional arguments. */
static void print_together(struct emit *emit, const struct round *round,
                           const struct halves *halves)
{
    int items = 0;
    out_format(emit->out, "%s(", halves->leave);
    out_item(emit->out, &items, "%s", halves->leave_what);
    for (int a = round->first; a < round->last; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (arg_is_reduction(arg)) {
            out_item(emit->out, &items,
                     "cleave_joint_of<cleave_op_%s, %d>(cleave_partial_%s, cleave_shared<%s>(%zu))",
                     cuda_operation(arg->access), arg->dim, emit->shape->label[a],
                     emit_type_name(emit, arg->type), scratch_offset(emit, round, a));
        }
    }
    out_text(emit->out, ");\n");
}

/* No extremum of a group has payloads. */
static void print_portion(struct emit *emit, int a)
{
    print_call(emit, a, "cleave_reduce_portion",
               emit_format(emit, "cleave_partial_%s, cleave_part", emit->shape->label[a]), 0);
}

static const struct halves halves_of_block = {.print_leave = print_each,
                                              .leave = "cleave_leave_values",
                                              .leave_what = "cleave_gbl_%s",
                                              .collect = "cleave_collect_block",
                                              .collect_what = "cleave_partial_%s, cleave_b",
                                              .alone = print_block};
static const struct halves halves_of_all = {.print_leave = print_each,
                                            .leave = "cleave_leave_all",
                                            .leave_what =
                                                "cleave_partial_%s, cleave_arrived.blocks",
                                            .collect = "cleave_collect_all",
                                            .collect_what = "cleave_partial_%s",
                                            .alone = print_all};
static const struct halves halves_of_portion = {.print_leave = print_together,
                                                .leave = "cleave_leave_portion",
                                                .leave_what = "cleave_part",
                                                .collect = "cleave_collect_portion",
                                                .collect_what = "cleave_partial_%s, cleave_part",
                                                .alone = print_portion};

/* unused: nothing has used the shared memory since a barrier. */
static void print_rounds(struct emit *emit, const struct halves *halves, bool unused)
{
    for (struct round round = round_from(emit->loop, 0); round.components > 0;
         round = round_from(emit->loop, round.last)) {
        if (is_shared(emit->loop, &round)) {
            if (!unused) {
                out_line(emit->out, "cleave_barrier();");
            }
            halves->print_leave(emit, &round, halves);
            out_line(emit->out, "cleave_barrier();");
            print_half(emit, &round, halves->collect, halves->collect_what);
        } else {
            halves->alone(emit, round.first);
        }
        unused = false;
    }
}

void cuda_block_partials(struct emit *emit)
{
    const enum cuda_form form = cuda_kernel(emit)->form;
    print_rounds(emit, &halves_of_block, form == FORM_ELEMENTS || form == FORM_POINTS);
}

void cuda_joins(struct emit *emit)
{
    print_rounds(emit, &halves_of_portion, true);
}

void cuda_flag(struct emit *emit)
{
    out_format(emit->out, "%zu", cuda_flag_offset(emit));
}

/* Prints the reductions of a block, after which the block that ends last joins the results of all.
 * Any thread may write a payload; the last block sees it once the first thread of this one has
 * counted the block. */
void cuda_reductions(struct emit *emit)
{
    const struct loop *loop = emit->loop;
    if (!cuda_kernel(emit)->reduces) {
        return;
    }
    cuda_block_partials(emit);
    if (loop_carries(loop)) {
        out_line(emit->out, "cleave_barrier();");
    }
    out_line(emit->out, "if (cleave_is_last(cleave_arrived, cleave_shared<int>(%zu))) {",
             cuda_flag_offset(emit));
    emit->out->indent += 4;
    print_rounds(emit, &halves_of_all, true);
    if (loop_carries(loop)) {
        out_line(emit->out, "cleave_barrier();");
    }
    out_line(emit->out, "cleave_tell_results(cleave_arrived);");
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}
