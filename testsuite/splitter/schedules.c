/* schedules.c: the stages of every schedule, what they stage and apply; what is not possible and
 * why; kernels that are called whole; which schedule is preferred; and the dump.
 */
#include "splitter/schedule/schedules.h"
#include "splitter/splitter.h"

#include <stdlib.h>

#include "check.h"
#include "fixture.h"
#include "hand.h"

/* ---- kernels called whole -----------------------------------------------------------------------
 */

/* The fixture's loops, with no body taken apart. */
static struct program *whole_program(void)
{
    struct program *program = fixture_program(LANGUAGE_C);
    for (int l = 0; l < program->loops; l++) {
        struct loop *loop = &program->loop[l];
        loop->in_place = l == LOOP_TOUCH;
        loop->whole_reason = "a test says so";
        if (loop->sequential_reason == NULL && loop->kernel != NULL) {
            schedules_build(program->arena, loop);
        }
    }
    const char *error = splitter_check(program);
    CHECK_TEXT(error == NULL ? "" : error, "");
    return program;
}

static void whole_res(void)
{
    struct program *program = whole_program();
    const struct schedule *schedule = program->loop[LOOP_RES].schedule;
    const struct schedule *fused = &schedule[AT_FUSED];
    const struct schedule *split = &schedule[AT_SPLIT];
    CHECK(fused->legal && fused->stages == 1 && fused->stage[0].transfers == 4);
    CHECK(fused->stage[0].staged_bytes == 88 && fused->stage[0].updates == 8);
    CHECK(split->legal && split->stages == 3 && split->cuts == 1);
    CHECK(split->tmp_values == 8 && split->tmp_bytes == 64 && split->crossings == 0);
    CHECK(split->stage[0].kind == STAGE_CONTRIBUTION && split->stage[0].staged_bytes == 56);
    CHECK(split->stage[0].body == NULL && split->stage[0].transfers == 3);
    CHECK(split->stage[2].kind == STAGE_UPDATE && split->stage[2].staged_bytes == 32);
    CHECK(split->stage[2].column == 1 && split->stage[2].map == 7);
    CHECK(split->stage[2].updates == 4 && split->stage[2].update[3].value == NULL);
    CHECK_TEXT(split->stage[1].name, "update through pecell[0]");
    CHECK_TEXT(split->reason, "at most 56 bytes per point are staged at a time, not 88");
    CHECK_TEXT(schedule[AT_SPLIT + 1].reason, "the body could not be taken apart: a test says so");
    CHECK(!schedule[AT_LOOPS].legal && !schedule[AT_TWO_PASS].legal);
    CHECK(!schedule[AT_OWNER_GATHER].legal && schedule[AT_OWNER_GATHER].stages == 0);
    arena_free(program->arena);
}

/* One update stage per column of a vector argument; an optional argument has its own. */
static void whole_columns(void)
{
    struct program *program = whole_program();
    const struct schedule *corners = &program->loop[LOOP_CORNERS].schedule[AT_SPLIT];
    CHECK(corners->legal && corners->stages == 5 && corners->tmp_values == 8);
    CHECK(corners->stage[0].transfers == 1 && corners->stage[0].transfer[0].components == 2);
    CHECK(corners->stage[4].column == 3 && corners->stage[4].updates == 2);
    CHECK(corners->stage[4].update[0].place.column == 3 && corners->stage[4].staged_bytes == 16);
    const struct schedule *maybe = &program->loop[LOOP_MAYBE].schedule[AT_SPLIT];
    CHECK(maybe->legal && maybe->stages == 3);
    CHECK_TEXT(maybe->stage[1].name, "update through pecell[0]");
    CHECK_TEXT(maybe->stage[2].name, "update of adt through pecell[1]");
    arena_free(program->arena);
}

static void refusals(void)
{
    struct program *program = whole_program();
    const struct schedule *direct = program->loop[LOOP_SAVE].schedule;
    const struct schedule *touch = program->loop[LOOP_TOUCH].schedule;
    CHECK(!direct[AT_SPLIT].legal && direct[AT_SPLIT].stages == 0 && direct[AT_FUSED].legal);
    CHECK_TEXT(direct[AT_SPLIT].reason, "nothing is incremented through a map");
    CHECK_TEXT(direct[AT_OWNER_GATHER].reason, "nothing is incremented through a map");
    CHECK(!touch[AT_SPLIT].legal && touch[AT_FUSED].stage[0].transfers == 0);
    CHECK_TEXT(touch[AT_SPLIT + 3].reason,
               "node is OP_RW through pedge, and only increments can be moved to a later stage");
    CHECK(program->loop[LOOP_REFERENCE].schedules == 0);
    arena_free(program->arena);
}

/* A maximum is an update too, unless the kernel does more with it. */
static void extrema(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "q", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "top", 1, 0, 0, 1, ACCESS_MAX);
    h->loop->graph = NULL;
    schedules_build(h->arena, h->loop);
    const struct stage *update = &h->loop->schedule[AT_SPLIT].stage[1];
    CHECK(h->loop->schedule[AT_SPLIT].legal && update->updates == 1);
    CHECK(update->transfers == 1 && update->transfer[0].arg == 1);
    h->loop->in_place = true;
    schedules_build(h->arena, h->loop);
    CHECK_TEXT(h->loop->schedule[AT_SPLIT].reason,
               "p_top is OP_MAX through map0, but the kernel uses it for more than its "
               "maximum");
    CHECK(h->loop->schedule[AT_FUSED].stage[0].updates == 0);
    h->loop->whole_reason = "'q' is OP_MIN, and it is to blame";
    schedules_build(h->arena, h->loop);
    CHECK_TEXT(h->loop->schedule[AT_SPLIT].reason, h->loop->whole_reason);
    hand_free(h);
}

/* ---- bodies that are taken apart
 * -----------------------------------------------------------------
 */

enum { X1, X2, Q1, Q2, S, R1, R2 };

/* d = x1[0] - x2[0]; f = q1[1]*d; g = q2[3]*q2[3]; r1[0] += f; r1[2] += g; r2[0] -= f; s[0] = g; */
static struct hand *flux(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "x", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "x", 0, 0, 1, 2, ACCESS_READ);
    hand_arg(h, "q", 1, 1, 0, 4, ACCESS_READ);
    hand_arg(h, "q", 1, 1, 1, 4, ACCESS_READ);
    hand_arg(h, "s", 2, -1, 0, 1, ACCESS_WRITE);
    hand_arg(h, "r", 3, 1, 0, 4, ACCESS_INC);
    hand_arg(h, "r", 3, 1, 1, 4, ACCESS_INC);
    h->loop->kernel->param[X2]->name = "x2"; /* for reading the dump */
    int d = hand_value(h, "d", hand_op(h, BINARY_SUB, hand_place(h, X1, 0), hand_place(h, X2, 0)));
    int f = hand_value(h, "f", hand_op(h, BINARY_MUL, hand_place(h, Q1, 1), hand_read(h, d)));
    int g = hand_value(h, "g", hand_op(h, BINARY_MUL, hand_place(h, Q2, 3), hand_place(h, Q2, 3)));
    hand_store(h, S, 0, hand_read(h, g), -1);
    hand_add(h, R1, 0, f);
    hand_add(h, R1, 2, g);
    hand_add(h, R2, 0, f);
    h->graph->contribution[2].update.negative = true;
    return h;
}

static void build_and_check(struct hand *h)
{
    struct program program = {.arena = h->arena, .loops = 1, .loop = h->loop};
    schedules_build(h->arena, h->loop);
    const char *error = splitter_check(&program);
    CHECK_TEXT(error == NULL ? "" : error, "");
}

static bool has_components(const struct transfer *transfer, int arg, int components, int first,
                           int last)
{
    return transfer->arg == arg && transfer->components == components &&
           transfer->component[0] == first && transfer->component[components - 1] == last;
}

static void apart_fused_and_split(void)
{
    struct hand *h = flux();
    build_and_check(h);
    const struct schedule *fused = &h->loop->schedule[AT_FUSED];
    const struct schedule *split = &h->loop->schedule[AT_SPLIT];
    const struct stage *whole = &fused->stage[0];
    CHECK(whole->transfers == 3 && whole->staged_bytes == 40); /* x[0], q[1,3], r[0,2] */
    CHECK(has_components(&whole->transfer[0], X1, 1, 0, 0));
    CHECK(has_components(&whole->transfer[1], Q1, 2, 1, 3));
    CHECK(has_components(&whole->transfer[2], R1, 2, 0, 2));
    CHECK(whole->updates == 3 && whole->makes == 2 && whole->uses == 0 && whole->body != NULL);
    CHECK(fused->tmp_values == 2 && fused->tmp_bytes == 16);
    CHECK(split->stages == 3 && split->crossings == 2 && split->crossing_bytes == 16);
    CHECK(split->stage[0].staged_bytes == 24 && split->stage[0].makes == 2);
    CHECK(split->stage[1].staged_bytes == 16 && split->stage[1].uses == 2);
    CHECK(split->stage[2].staged_bytes == 8 && split->stage[2].uses == 1);
    CHECK(split->stage[2].update[0].negative);
    CHECK_TEXT(split->reason, "at most 24 bytes per point are staged at a time, not 40");
    hand_free(h);
}

static void apart_by_point(void)
{
    struct hand *h = flux();
    build_and_check(h);
    const struct schedule *loops = &h->loop->schedule[AT_LOOPS];
    const struct schedule *two_pass = &h->loop->schedule[AT_TWO_PASS];
    const struct schedule *owner = &h->loop->schedule[AT_OWNER_GATHER];
    CHECK(loops->legal && loops->stages == 3 && loops->stage[0].staged_bytes == 24);
    CHECK(two_pass->legal && two_pass->stages == 2 && two_pass->stage[0].transfers == 0);
    CHECK(two_pass->stage[0].makes == 2 && two_pass->stage[1].uses == 2);
    CHECK(two_pass->stage[1].kind == STAGE_GATHER && two_pass->stage[1].updates == 3);
    CHECK(two_pass->stage[1].body == NULL && two_pass->stage[1].column == -1);
    CHECK(owner->legal && owner->stages == 2 && owner->stage[0].kind == STAGE_EFFECTS);
    CHECK(owner->stage[0].body->kids == 2); /* g, and the store of it */
    CHECK(owner->stage[1].body->kids == 3 && owner->stage[1].makes == 2);
    CHECK_TEXT(owner->stage[1].name, "gather through map1");
    hand_free(h);
}

/* Points would read s after the loop has changed it. */
static void owner_refused(void)
{
    struct hand *h = flux();
    h->loop->arg[S].access = ACCESS_RW;
    int t = hand_value(h, "t", hand_place(h, S, 0));
    h->graph->contribution[2].update.value = hand_read(h, t);
    h->graph->contribution[2].node = t;
    build_and_check(h);
    CHECK_TEXT(h->loop->schedule[AT_OWNER_GATHER].reason,
               "points would read 'p_s' after the loop has changed it");
    CHECK(h->loop->schedule[AT_TWO_PASS].legal);
    hand_free(h);
    h = flux();
    h->graph->node[1].once = true; /* as if it did something besides */
    build_and_check(h);
    CHECK_TEXT(h->loop->schedule[AT_OWNER_GATHER].reason,
               "each point would repeat a statement with side effects");
    hand_free(h);
}

/* A scatter of what is at hand gains nothing, and says so. */
static void nothing_to_outline(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "f", 0, -1, 0, 2, ACCESS_READ);
    hand_arg(h, "r", 1, 0, 0, 2, ACCESS_INC);
    int v = hand_value(h, "v", hand_op(h, BINARY_MUL, hand_place(h, 0, 0), hand_place(h, 0, 1)));
    hand_add(h, 1, 0, v);
    hand_add_leaf(h, 1, 1, hand_place(h, 0, 1), false);
    build_and_check(h);
    const struct schedule *split = &h->loop->schedule[AT_SPLIT];
    CHECK(split->legal && split->tmp_values == 1 && split->stage[1].uses == 1);
    CHECK_TEXT(split->reason,
               "splitting saves no shared memory: the contributions read nothing through a map; "
               "fused and split both stage 16 bytes per point, and the contributions would take 8 "
               "bytes per element");
    hand_free(h);
}

/* Two halves that share only what is cheap: two contribution stages. */
static struct hand *halves(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "x", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "q", 1, 0, 0, 24, ACCESS_READ);
    hand_arg(h, "w", 2, 0, 0, 24, ACCESS_READ);
    hand_arg(h, "r", 3, 0, 0, 2, ACCESS_INC);
    int shared = hand_value(h, "shared", hand_place(h, 0, 0));
    int part[2];
    for (int p = 0; p < 2; p++) {
        part[p] = hand_value(h, "part", hand_read(h, shared));
        for (int c = 0; c < 24; c++) {
            struct expr *place = hand_call(h, "sqrt", hand_place(h, 1 + p, c));
            part[p] = hand_value(h, arena_format(h->arena, "part%d_%d", p, c),
                                 hand_op(h, BINARY_MUL, hand_read(h, part[p]), place));
        }
    }
    hand_add(h, 3, 0, part[0]);
    hand_add(h, 3, 1, part[1]);
    return h;
}

static void two_cuts(void)
{
    struct hand *h = halves();
    build_and_check(h);
    const struct schedule *cut = &h->loop->schedule[AT_SPLIT + 1];
    CHECK(cut->legal && cut->stages == 3);
    CHECK_TEXT(cut->legal ? cut->stage[1].name : cut->reason, "contribution 2");
    if (cut->legal) {
        CHECK(cut->stage[0].staged_bytes <= 200 && cut->stage[1].staged_bytes <= 200);
    }
    hand_free(h);
}

static void preferred(void)
{
    struct hand *h = flux();
    build_and_check(h);
    struct schedule *schedule = h->loop->schedule;
    int best = h->loop->predicted;
    for (int s = 0; s < SCHEDULES; s++) {
        CHECK(!schedule[s].legal || schedule[s].estimate.time == 0 ||
              schedule[best].estimate.time <= schedule[s].estimate.time);
    }
    hand_free(h);
}

/* Increments through one column of a map, as a loop over a boundary has them. */
static struct hand *boundary(int columns)
{
    struct hand *h = hand_new();
    hand_arg(h, "q", 0, 0, 0, 4, ACCESS_READ);
    hand_arg(h, "r", 1, 0, columns - 1, 4, ACCESS_INC);
    for (int c = 0; c < 4; c++) {
        struct expr *square = hand_op(h, BINARY_MUL, hand_place(h, 0, c), hand_place(h, 0, c));
        hand_add(h, 1, c, hand_value(h, "f", square));
    }
    return h;
}

/* Visiting all points is fast only if the loop reaches all of them. */
static void preferred_on_boundary(void)
{
    struct hand *h = boundary(1);
    build_and_check(h);
    const struct schedule *schedule = h->loop->schedule;
    const struct schedule *owner = &schedule[AT_OWNER_GATHER];
    int best = h->loop->predicted;
    CHECK(owner->legal && owner->estimate.time < schedule[best].estimate.time);
    CHECK(best != AT_OWNER_GATHER && best != AT_TWO_PASS);
    CHECK(cost_sparse_map(h->loop, owner) == 1);
    CHECK(cost_sparse_map(h->loop, &schedule[AT_TWO_PASS]) == 1);
    CHECK(cost_sparse_map(h->loop, &schedule[AT_LOOPS]) == -1);
    hand_free(h);
    h = boundary(2);
    build_and_check(h);
    CHECK(cost_sparse_map(h->loop, &h->loop->schedule[AT_OWNER_GATHER]) == -1);
    hand_free(h);
}

/* ---- the dump ---------------------------------------------------------------------------------
 */

static void check_dump(struct loop *loop, const char *part)
{
    struct program program = {.loops = 1, .loop = loop};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    splitter_print(file, &program);
    fclose(file);
    if (strstr(text, part) == NULL) {
        CHECK_TEXT(text, part);
    } else {
        CHECK(true);
    }
    free(text);
}

static void dump(void)
{
    struct hand *h = flux();
    build_and_check(h);
    check_dump(h->loop,
               "  split: at most 24 bytes per point are staged at a time, not 40; tmp(e) 2 values, "
               "16 bytes\n"
               "    stage 1: contribution; 24 bytes per point\n"
               "      in      p_x through map0, component 0: 8 bytes\n"
               "      in      p_q through map1, components 1, 3: 16 bytes\n"
               "      makes   f, g\n"
               "    {\n"
               "        double d = x[0] - x2[0];\n"
               "        f = q[1] * d;\n"
               "        g = q[3] * q[3];\n"
               "        s[0] = g;\n"
               "    }\n"
               "    stage 2: update through map1[0]; 16 bytes per point\n"
               "      out     p_r through map1, components 0, 2: 16 bytes\n"
               "      uses    f, g\n"
               "      update  r[0] += f\n"
               "      update  r[2] += g\n"
               "    stage 3: update through map1[1]; 8 bytes per point\n"
               "      out     p_r through map1, component 0: 8 bytes\n"
               "      uses    f\n"
               "      update  r[0] -= f\n");
    hand_free(h);
    struct program *program = whole_program();
    check_dump(&program->loop[LOOP_RES], "      update  res2[0..3] += what the kernel adds\n");
    check_dump(
        &program->loop[LOOP_TOUCH],
        "  split: not possible: node is OP_RW through pedge, and only increments can be moved "
        "to a later stage\n");
    check_dump(&program->loop[LOOP_REFERENCE], "  sequential: a test says \"no\"\n");
    arena_free(program->arena);
}

int main(void)
{
    whole_res();
    whole_columns();
    refusals();
    extrema();
    apart_fused_and_split();
    apart_by_point();
    owner_refused();
    nothing_to_outline();
    two_cuts();
    preferred();
    preferred_on_boundary();
    dump();
    return CHECK_RESULT();
}
