/* cuda_ordered.c: sums that blocks make for their points, in memory, and points that add them up.
 *
 * In: a split variant whose points gather (cuda_gather.c) and leave their sums. Out: the places of
 * these sums in scratch memory, and for each updated dat and map a second kernel, which adds the
 * sums to the dat in the order of the blocks (runtime/device/ordered.cuh). Atomic additions have no
 * fixed order.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* "sums_p_res_pecell" */
static const char *field_name(struct emit *emit, int arg)
{
    return emit_format(emit, "sums_%s", cuda_group(emit, arg));
}

/* Calls visit for the first argument of each dat that is updated, map after map. */
static void each_update(struct emit *emit, void (*visit)(struct emit *emit, int arg, void *user),
                        void *user)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        int arg;
        for (int n = 0; (arg = cuda_update_arg(emit, m, n)) >= 0; n++) {
            visit(emit, arg, user);
        }
    }
}

/* ---- scratch memory ---------------------------------------------------------------------------
 */

static void print_field(struct emit *emit, int arg, void *user)
{
    (void)user;
    out_line(emit->out, "size_t %s;", field_name(emit, arg));
}

void cuda_ordered_fields(struct emit *emit)
{
    each_update(emit, print_field, NULL);
    out_line(emit->out, "size_t cleave_sums_bytes;");
}

static void print_count(struct emit *emit, int arg, void *user)
{
    (void)user;
    out_line(emit->out, "cleave_space.%s = cleave_space.cleave_sums_bytes;", field_name(emit, arg));
    out_line(emit->out, "cleave_space.cleave_sums_bytes +=");
    out_line(emit->out,
             "    cleave_round_up((size_t)cleave_plan->list[%d].places * %d * sizeof(%s));",
             cuda_map(emit, arg)->list, cuda_find_components(emit, arg).components,
             cuda_type(emit, arg));
}

void cuda_ordered_counts(struct emit *emit)
{
    out_comment(emit->out, "sums of blocks, in memory");
    out_line(emit->out, "cleave_space.cleave_sums_bytes = 0;");
    each_update(emit, print_count, NULL);
}

static void print_space(struct emit *emit)
{
    out_text(emit->out, cuda_space_name(emit));
}

void cuda_ordered_print_bytes(struct cuda_variant *variant)
{
    static const struct hole holes[] = {{"space", print_space}, {NULL, NULL}};
    struct emit *emit = variant->emit;
    variant->row->sums = emit_format(emit, "%s_sums", cuda_space_name(emit));
    template_print(emit, template_cuda_sums_bytes, holes);
}

const char *cuda_ordered_place(struct emit *emit, int arg)
{
    return emit_format(emit, "(%s%s *)(cleave_sums + cleave_space.%s)",
                       cuda_kernel(emit)->form == FORM_SUMS ? "const " : "", cuda_type(emit, arg),
                       field_name(emit, arg));
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* "double, 4, 0, 2": template arguments: the dat's type and dim, and the updated components. */
static const char *record(struct emit *emit, int arg)
{
    struct cuda_update update = cuda_find_components(emit, arg);
    return emit_format(emit, "%s, %d%s", cuda_type(emit, arg), cuda_dat(emit, arg)->dim,
                       cuda_components_text(emit, &update));
}

static void add_kernel(struct emit *emit, int arg, void *user)
{
    struct cuda_kernel *kernel = cuda_add_sums(user, arg);
    kernel->what = emit_format(emit, "sums of blocks of %s through %s",
                               emit->loop->arg[arg].dat_text, cuda_map(emit, arg)->label);
    kernel->blocks = emit_format(
        emit, "(cleave_ordered_blocks<%s>(cleave_plan->list[%d], cleave_block_threads))",
        record(emit, arg), cuda_map(emit, arg)->list);
}

void cuda_ordered_add_sums(struct cuda_variant *variant)
{
    each_update(variant->emit, add_kernel, variant);
}

void cuda_ordered_sums(struct emit *emit)
{
    int arg = cuda_kernel(emit)->sums;
    cuda_open_guard(emit, arg);
    out_line(emit->out, "cleave_ordered_%s<%s>(", cuda_operation(emit->loop->arg[arg].access),
             record(emit, arg));
    out_line(emit->out, "    %s, %s, cleave_list);", place_dat(emit, cuda_dat(emit, arg)),
             cuda_ordered_place(emit, arg));
    cuda_close_guard(emit, arg);
}

const struct cuda_updating cuda_by_ordered = {
    .print = cuda_print_gathers, .gathers = true, .sums = true};
