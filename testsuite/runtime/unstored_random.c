/* unstored_random.c: programs of loops and groups at random, some of whose values are not stored:
 * what the program looks at, whenever and however, is what the loops give one by one. */
#include "record_loops.h"

static unsigned chance = 1;

static int pick(int below)
{
    chance = chance * 1664525 + 1013904223;
    return (int)((chance >> 16) % (unsigned)below);
}

static op_dat any(void)
{
    return *dats[pick(4)];
}

static void interrupt(void)
{
    op_dat dat = any();
    const int c = pick(CELLS);
    switch (pick(10)) {
    case 0:
        CHECK(is_right(dat));
        break;
    case 1:
        CHECK(is_right(w));
        break;
    case 2:
        ((double *)dat->data)[c] = right(dat)[c] = pick(5);
        break;
    case 3:
        CHECK(((double *)dat->data)[c] == right(dat)[c]);
        break;
    case 4:
        cleave_generation++;
        break;
    case 5:
        cleave_spares_make_room(); /* as when memory is short */
        break;
    default:
        cleave_flush();
        break;
    }
}

static void call_any(int kind, op_dat from, op_dat to, op_dat other)
{
    switch (kind) {
    case 0:
        call_make(from, to);
        break;
    case 1:
        call_use(from, to);
        break;
    case 2:
        call_copy(from, to);
        break;
    case 3:
        call_step(to);
        break;
    case 4:
        call_both(from, to, other);
        break;
    case 5:
        call_widen(from, w);
        break;
    default:
        call_reduce(w, to);
        break;
    }
}

struct step {
    int kind;
    int dat[3]; /* three of a, b, p, q */
};

static struct step pick_step(void)
{
    struct step picked = {pick(7), {pick(4), 0, 0}};
    picked.dat[1] = (picked.dat[0] + 1 + pick(3)) % 4;
    do {
        picked.dat[2] = pick(4);
    } while (picked.dat[2] == picked.dat[0] || picked.dat[2] == picked.dat[1]);
    return picked;
}

/* Keeps values so small that sums are not rounded. */
static void limit(void)
{
    for (int d = 0; d < 4; d++) {
        if (right(*dats[d])[0] > 1e12) {
            memset(right(*dats[d]), 0, CELLS * sizeof(double));
            memset((*dats[d])->data, 0, CELLS * sizeof(double));
        }
    }
}

/* A sequence that comes again and again, with a change now and then. */
static void run_random(int rounds)
{
    struct step sequence[12];
    const int length = 2 + pick(11);
    for (int s = 0; s < length; s++) {
        sequence[s] = pick_step();
        if (s > 0 &&
            pick(3) > 0) { /* a group, of which the second loop adds what the first makes */
            const int first = pick(3);
            sequence[s - 1].kind = first == 0 ? 0 : first + 3;
            sequence[s] = sequence[s - 1];
            sequence[s].kind = first == 2 ? 6 : 1;
            sequence[s].dat[0] = sequence[s - 1].dat[1];
            sequence[s].dat[1] = 6 - sequence[s - 1].dat[0] - sequence[s - 1].dat[1] -
                                 sequence[s - 1].dat[2]; /* the fourth one */
        }
    }
    for (int i = 0; i < rounds; i++) {
        for (int s = 0; s < length; s++) {
            const struct step *now_ = &sequence[s];
            call_any(now_->kind, *dats[now_->dat[0]], *dats[now_->dat[1]], *dats[now_->dat[2]]);
            if (pick(25) == 0) {
                interrupt();
            }
            if (pick(400) == 0) {
                sequence[s] = pick_step();
            }
            limit();
        }
        log_of[0] = '\0';
    }
}

/* Whoever looks when, values are right. */
static void test_random(void)
{
    long unstored = 0;
    long recomputed = 0;
    for (int program = 0; program < 400; program++) {
        start();
        run_random(30);
        unstored += cleave_buffer_use.unstored;
        recomputed += cleave_buffer_use.recomputed;
        finish();
    }
    printf("%ld not stored, %ld computed later\n", unstored, recomputed);
    CHECK(unstored > 500 && recomputed > 100);
}

int main(void)
{
    target_provide(&ops);
    cleave_register(&unit);
    setenv("CLEAVE_TUNE", "off", 1);
    test_random();
    return CHECK_RESULT();
}
