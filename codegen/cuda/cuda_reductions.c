/* cuda_reductions.c: reductions of a kernel: private copies, results of a block, results of all
 * blocks.
 *
 * In: the loop's reductions, and extrema with payloads. Out: the text of a kernel's holes "copies"
 * and "partials". For an extremum with payloads, the threads compare values and element numbers;
 * the thread whose element counts writes the payload.
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

/* "first_max": of cleave_first_max in runtime/device/locate.cuh. */
static const char *rule_of(struct emit *emit, const struct arg *arg)
{
    return emit_format(emit, "cleave_%s_%s", arg->ties == TIES_LAST ? "last" : "first",
                       cuda_operation(arg->access));
}

/* A call of `function`<operation, dim>(`arguments`, scratch memory). */
static void print_call(struct emit *emit, int a, const char *function, const char *arguments)
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
    out_format(emit->out, "%*scleave_shared<%s>(0)", (int)strlen(call), "",
               emit_type_name(emit, arg->type));
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
                   emit_format(emit, "cleave_gbl_%s, cleave_partial_%s, cleave_b", label, label));
        return;
    }
    print_call(
        emit, a, "cleave_locate_block",
        emit_format(
            emit,
            "cleave_gbl_%s, cleave_best_element_%s, cleave_partial_%s, cleave_best_elements_%s, "
            "cleave_b",
            label, label, label, label));
    print_payloads(emit, a, "cleave_best_element", to_partial);
}

static void print_all(struct emit *emit, int a)
{
    const char *label = emit->shape->label[a];
    const struct arg *arg = &emit->loop->arg[a];
    if (arg->ties == TIES_NONE) {
        print_call(emit, a, "cleave_reduce_all",
                   emit_format(emit, "cleave_partial_%s, cleave_arrived.blocks", label));
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
                           label, label, label, label));
    print_payloads(emit, a, "cleave_from", to_result);
}

void cuda_block_partials(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (arg_is_reduction(&emit->loop->arg[a])) {
            print_block(emit, a);
        }
    }
}

void cuda_joins(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (arg_is_reduction(&emit->loop->arg[a])) {
            print_all(emit, a);
        }
    }
    out_line(emit->out, "cleave_tell_results(cleave_arrived);");
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
    for (int a = 0; a < loop->args; a++) {
        if (arg_is_reduction(&loop->arg[a])) {
            print_all(emit, a);
        }
    }
    if (loop_carries(loop)) {
        out_line(emit->out, "cleave_barrier();");
    }
    out_line(emit->out, "cleave_tell_results(cleave_arrived);");
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}
