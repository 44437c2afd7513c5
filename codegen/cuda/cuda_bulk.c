/* cuda_bulk.c: packed records that a block stages by bulk copies.
 *
 * In: cuda_is_bulk(emit), the packs of emit->schedule, whose kernel stages in its first stage only,
 * and a plan with runs of consecutive points. Out: the arrival object, which counts the bytes that
 * have arrived, behind everything else in the block's shared memory; the copies, one for each run;
 * and the wait for them. A thread that starts a copy spends neither addresses nor instructions on
 * its points. The copy keeps the layout of memory, so records have an odd number of 16-byte units
 * there already (struct pack), to avoid bank conflicts. The copies never overwrite live data: this
 * shared memory is unused before.
 *
 *   arrival | lists and runs | barrier | a copy for each run | other copies | wait | compute
 */
#include <string.h>

#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* Local of the kernel: byte offset, in shared memory, of the object on which bulk copies arrive. */
static const char arrival[] = "cleave_landing";

static const struct shape_map *map_of(const struct emit *emit, const struct pack *pack)
{
    return cuda_map(emit, pack->leader->arg);
}

static const char *runs_name(struct emit *emit, const struct pack *pack)
{
    return emit_format(emit, "cleave_runs_%s", map_of(emit, pack)->label);
}

void cuda_bulk_arrival(struct emit *emit)
{
    out_assign(emit->out, emit_format(emit, "const size_t %s", arrival), "=",
               "cleave_space.landing");
    out_line(emit->out, "if (cleave_thread() == 0) {");
    out_line(emit->out, "    cleave_arrival_init(%s);", arrival);
    out_line(emit->out, "}");
}

/* All that lands is one phase. */
static void print_expect(struct emit *emit)
{
    const char *call = "    cleave_arrival_expect(";
    out_line(emit->out, "if (cleave_thread() == 0) {");
    out_format(emit->out, "%s%s", call, arrival);
    for (int p = 0; p < emit->variant->packs; p++) {
        const struct pack *pack = &emit->variant->pack[p];
        out_format(emit->out, "%s\n%*scleave_stage_bulk_bytes<%s, %d>(%s)", p > 0 ? " +" : ",",
                   (int)strlen(call), "", emit_type_name(emit, pack->type), pack->dim,
                   runs_name(emit, pack));
    }
    out_text(emit->out, ");\n");
    out_line(emit->out, "}");
}

void cuda_stage_bulk(struct emit *emit)
{
    const int s = cuda_kernel(emit)->stage;
    out_line(emit->out, "cleave_barrier();");
    for (int p = 0; p < emit->variant->packs; p++) {
        const struct pack *pack = &emit->variant->pack[p];
        int t = (int)(pack->leader - emit->schedule->stage[s].transfer);
        cuda_stage_pack(emit, pack->leader, "cleave_stage_in_bulk", cuda_space_group(emit, s, t),
                        emit_format(emit, "%s, %s", runs_name(emit, pack), arrival));
    }
    print_expect(emit);
}

void cuda_wait_bulk(struct emit *emit)
{
    out_line(emit->out, "cleave_arrival_wait(%s, 0);", arrival);
}

void cuda_bulk_fields(struct emit *emit)
{
    out_line(emit->out, "unsigned landing;");
}

void cuda_bulk_counts(struct emit *emit)
{
    out_line(emit->out, "cleave_space.landing = (unsigned)cleave_round_up(cleave_bytes);");
    out_line(emit->out, "cleave_bytes = cleave_space.landing + 8;");
}
