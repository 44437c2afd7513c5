/* cuda_ahead.c: double buffering: while a stage computes, the data of the next one is staged.
 *
 * In: contribution stages of emit->schedule, emit->stage among them. Out: the copies, in two
 * buffers of shared memory that stages take in turns (cuda_space.c), and the waits for them. In
 * figure 6 of Tohid et al., each part of the body stages its data when its turn has come, so that a
 * block waits for memory once for each part; here it waits only for the first.
 *
 *   copy 1 | copy 2 | wait for 1, barrier | compute 1
 *                   | wait for 2, barrier | copy 3, over 1 | compute 2
 *                   | wait for 3, barrier | copy 4, over 2 | compute 3
 *
 * The barrier that makes copied data visible to all threads also ensures that all have finished the
 * stage before, whose buffer is written next.
 */
#include "codegen/cuda/cuda.h"
#include "pass/ir/arena.h"

/* The contribution stage with this index in the kernel; NULL: there is none. */
static const struct stage *stage_at(const struct emit *emit, int s)
{
    const struct cuda_kernel *kernel = cuda_kernel(emit);
    if (s < kernel->stage || s >= kernel->stage + kernel->stages ||
        emit->schedule->stage[s].kind != STAGE_CONTRIBUTION) {
        return NULL;
    }
    return &emit->schedule->stage[s];
}

static bool reads_points(const struct stage *stage)
{
    for (int t = 0; stage != NULL && t < stage->transfers; t++) {
        if (stage->transfer[t].kind == TRANSFER_IN) {
            return true;
        }
    }
    return false;
}

static void print_copies(struct emit *emit, int s)
{
    const struct stage *stage = stage_at(emit, s);
    for (int t = 0; stage != NULL && t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        if (transfer->kind == TRANSFER_IN) {
            cuda_open_guard(emit, transfer->arg);
            cuda_print_staging(
                emit, NULL,
                emit_format(emit, "cleave_stage_in_async<%s>", cuda_record(emit, transfer)),
                emit_format(emit, "%s, %s, cleave_points_%s", cuda_space_offset(emit, s, t),
                            place_dat(emit, cuda_dat(emit, transfer->arg)),
                            cuda_map(emit, transfer->arg)->label));
            cuda_close_guard(emit, transfer->arg);
        }
    }
}

static void print_views(struct emit *emit)
{
    for (int t = 0; t < emit->stage->transfers; t++) {
        const struct transfer *transfer = &emit->stage->transfer[t];
        if (transfer->kind == TRANSFER_IN) {
            out_assign(
                emit->out,
                emit_format(emit, "const auto cleave_in_%s", cuda_group(emit, transfer->arg)), "=",
                emit_format(emit, "cleave_shared<const %s>(%s)", cuda_type(emit, transfer->arg),
                            cuda_space_offset(emit, emit->number - 1, t)));
        }
    }
}

void cuda_stage_ahead(struct emit *emit)
{
    const int s = emit->number - 1;
    if (s == cuda_kernel(emit)->stage) {
        print_copies(emit, s);
        out_line(emit->out, "cleave_copy_commit();");
        if (reads_points(stage_at(emit, s + 1))) {
            out_comment(emit->out, "What stage %d reads.", s + 2);
            print_copies(emit, s + 1);
            out_line(emit->out, "cleave_copy_commit();");
        }
    }
    print_views(emit);
}

void cuda_wait_ahead(struct emit *emit)
{
    const int s = emit->number - 1;
    const bool first = s == cuda_kernel(emit)->stage;
    const bool next = reads_points(stage_at(emit, s + 1));
    if (!first && !next && !reads_points(emit->stage)) {
        return;
    }
    out_line(emit->out, first && next ? "cleave_copy_wait_group<1>();" : "cleave_copy_wait();");
    out_line(emit->out, "cleave_barrier();");
    if (!first && next) {
        out_comment(emit->out, "What stage %d reads, where what stage %d read was.", s + 2, s);
        print_copies(emit, s + 1);
    }
}
