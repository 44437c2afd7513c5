/* check.c: splitter_check() finds what is wrong in a schedule: each test breaks one thing in
 * schedules that pass, and names the message.
 */
#include "splitter/schedule/schedules.h"
#include "splitter/splitter.h"

#include "check.h"
#include "hand.h"

enum { X1, X2, Q1, Q2, S, R1, R2 };

/* c = q1[0] > 0; d = x1[0] - x2[0]; [c] f = q1[1]*d; v = c ? f : 0; g = q2[3]*d; s[0] = g; s[1] =
 * v; r1[0] += v; r1[2] += g; r2[0] -= v. Nodes in this order. */
static struct hand *flux(void)
{
    struct hand *h = hand_new();
    hand_arg(h, "x1", 0, 0, 0, 2, ACCESS_READ);
    hand_arg(h, "x2", 0, 0, 1, 2, ACCESS_READ);
    hand_arg(h, "q1", 1, 1, 0, 4, ACCESS_READ);
    hand_arg(h, "q2", 1, 1, 1, 4, ACCESS_READ);
    hand_arg(h, "s", 2, -1, 0, 2, ACCESS_WRITE);
    hand_arg(h, "r1", 3, 1, 0, 4, ACCESS_INC);
    hand_arg(h, "r2", 3, 1, 1, 4, ACCESS_INC);
    int c = hand_value(h, "c", hand_op(h, BINARY_GT, hand_place(h, Q1, 0), hand_number(h, 0)));
    int d = hand_value(h, "d", hand_op(h, BINARY_SUB, hand_place(h, X1, 0), hand_place(h, X2, 0)));
    struct guard *guard = arena_alloc(h->arena, sizeof(*guard));
    *guard = (struct guard){c, true, NULL};
    h->guard = guard;
    int f = hand_value(h, "f", hand_op(h, BINARY_MUL, hand_place(h, Q1, 1), hand_read(h, d)));
    h->guard = NULL;
    struct expr *either = hand_cond(h, hand_read(h, c), hand_read(h, f), hand_number(h, 0));
    int v = hand_value(h, "v", either);
    int g = hand_value(h, "g", hand_op(h, BINARY_MUL, hand_place(h, Q2, 3), hand_read(h, d)));
    int store = hand_store(h, S, 0, hand_read(h, g), -1);
    hand_store(h, S, 1, hand_read(h, v), store);
    hand_add(h, R1, 0, v);
    hand_add(h, R1, 2, g);
    hand_add(h, R2, 0, v);
    h->graph->contribution[2].update.negative = true;
    return h;
}

static struct hand *good;
static struct schedule *schedule; /* of `good` */

static const char *check_now(void)
{
    struct program program = {.arena = good->arena, .loops = 1, .loop = good->loop};
    return splitter_check(&program);
}

/* Fresh schedules; returns one of them. */
static struct schedule *fresh(enum schedule_index at)
{
    if (good != NULL) {
        hand_free(good);
    }
    good = flux();
    schedules_build(good->arena, good->loop);
    schedule = good->loop->schedule;
    const char *error = check_now();
    CHECK_TEXT(error == NULL ? "" : error, "");
    return &schedule[at];
}

#define CAUGHT(message) CHECK_TEXT(check_now(), "loop by_hand" message)

static void swap(struct stmt *block, int a, int b)
{
    struct stmt *kept = block->kid[a];
    block->kid[a] = block->kid[b];
    block->kid[b] = kept;
}

static void drop(struct stmt *block, int k)
{
    for (block->kids--; k < block->kids; k++) {
        block->kid[k] = block->kid[k + 1];
    }
}

/* ---- which schedules and stages ----------------------------------------------------------------
 */

static void lists(void)
{
    fresh(AT_SPLIT);
    good->loop->schedules = 2;
    CAUGHT(": schedules are missing");
    fresh(AT_SPLIT)->cuts = 2;
    CAUGHT(": schedule 1 is of another kind");
    fresh(AT_FUSED)->legal = false;
    schedule[AT_FUSED].stages = 0;
    CAUGHT(": the fused schedule must be legal");
    fresh(AT_SPLIT)->reason = NULL;
    CAUGHT(", split schedule: no reason is given");
    fresh(AT_SPLIT)->legal = false;
    CAUGHT(", split schedule: it is not possible, yet has stages");
    fresh(AT_LOOPS)->stages = 1;
    CAUGHT(", loops schedule: stages are missing");
    fresh(AT_LOOPS);
    good->loop->predicted = SCHEDULES;
    CAUGHT(": the preferred schedule is not legal");
}

static void stages(void)
{
    fresh(AT_SPLIT)->stage[1].kind = STAGE_GATHER;
    CAUGHT(", split schedule, stage 2 (update through map1[0]): its kind does not belong here");
    fresh(AT_SPLIT)->stage[0].body = NULL;
    CAUGHT(", split schedule, stage 1 (contribution): its body is missing");
    struct stage *split = fresh(AT_SPLIT)->stage;
    split[1].body = split[0].body;
    CAUGHT(", split schedule, stage 2 (update through map1[0]): it has a body of its own");
    struct stage *gather = fresh(AT_TWO_PASS)->stage;
    gather->transfer = schedule[AT_FUSED].stage[0].transfer;
    gather->transfers = 1;
    CAUGHT(", twopass schedule, stage 1 (contribution): it stages data");
    fresh(AT_OWNER_GATHER)->stage++;
    schedule[AT_OWNER_GATHER].stages--;
    CAUGHT(", owner schedule, stage 1 (gather through map1): its kind does not belong here");
}

/* ---- what moves ------------------------------------------------------------------------------ */

static void groups(void)
{
    fresh(AT_SPLIT)->stage[0].transfer[0].arg = R1;
    CAUGHT(", split schedule, stage 1 (contribution): the group of p_r1 does not fit the "
           "argument's access");
    fresh(AT_SPLIT)->stage[0].transfer[0].arg = 9;
    CAUGHT(", split schedule, stage 1 (contribution): a group names argument 9, which does not "
           "exist");
    fresh(AT_SPLIT)->stage[0].transfer[1].component[0] = 3;
    CAUGHT(", split schedule, stage 1 (contribution): components of p_q1 do not ascend within it");
    struct transfer *in = fresh(AT_SPLIT)->stage[0].transfer;
    in[1] = in[0];
    CAUGHT(", split schedule, stage 1 (contribution): p_x1 has two groups");
    fresh(AT_SPLIT)->stage[0].staged_bytes = 8;
    CAUGHT(", split schedule, stage 1 (contribution): it stages 32 bytes and counts 8");
    struct stage *whole = fresh(AT_FUSED)->stage;
    whole->transfers--; /* what is updated does not leave */
    whole->staged_bytes -= 16;
    CAUGHT(", fused schedule, stage 1 (whole body): component 0 of p_r1 is updated and does not "
           "leave");
    struct stage *update = fresh(AT_SPLIT)->stage;
    update[1].transfer[0].component[update[1].transfer[0].components++] = 3;
    update[1].staged_bytes += 8;
    CAUGHT(", split schedule, stage 2 (update through map1[0]): component 3 of p_r1 leaves and is "
           "not updated");
    update = fresh(AT_SPLIT)->stage;
    update[1].transfer[0] = update[0].transfer[0];
    CAUGHT(
        ", split schedule, stage 2 (update through map1[0]): p_x1 is staged in a stage that does "
        "not use it");
    whole = fresh(AT_FUSED)->stage;
    whole->transfer[2].component[1] = 3;
    CAUGHT(", fused schedule, stage 1 (whole body): component 2 of p_r1 is updated and does not "
           "leave");
}

static void inputs(void)
{
    struct transfer *x = &fresh(AT_SPLIT)->stage[0].transfer[0];
    x->component[0] = 1;
    CAUGHT(", split schedule, stage 1 (contribution): component 0 of p_x2 is read and not staged");
    x = &fresh(AT_SPLIT)->stage[0].transfer[0];
    x->component[x->components++] = 1;
    schedule[AT_SPLIT].stage[0].staged_bytes += 8;
    CAUGHT(", split schedule, stage 1 (contribution): component 1 of p_x1 is staged and not read");
}

static void updates(void)
{
    fresh(AT_SPLIT)->stage[1].update[0].negative = true;
    CAUGHT(", split schedule: the contribution to component 0 of p_r1 is not applied exactly once");
    fresh(AT_SPLIT)->stages--;
    CAUGHT(", split schedule: the contribution to component 0 of p_r2 is not applied exactly once");
    struct stage *update = fresh(AT_LOOPS)->stage;
    update[1].update[update[1].updates++] = update[2].update[0];
    CAUGHT(", loops schedule: the contribution to component 0 of p_r2 is not applied exactly once");
    fresh(AT_SPLIT)->stage[1].column = 1;
    CAUGHT(", split schedule, stage 2 (update through map1[0]): p_r1 is updated through another "
           "column");
    fresh(AT_TWO_PASS)->stage[1].map = X1;
    CAUGHT(", twopass schedule, stage 2 (gather through map1): p_r1 is updated through another "
           "map");
    struct expr changed = {.kind = EXPR_PLACE, .place = {S, 0, 0}};
    fresh(AT_FUSED)->stage[0].update[0].value = &changed;
    good->graph->contribution[0].update.value = &changed;
    CAUGHT(", fused schedule, stage 1 (whole body): p_r1 is updated with data that the loop "
           "changes");
    struct stage *early = fresh(AT_SPLIT)->stage;
    early[0].update = early[2].update;
    early[0].updates = 1;
    early[2].updates = 0;
    CAUGHT(", split schedule, stage 1 (contribution): p_r2 is updated before its stage");
}

/* ---- what is computed ------------------------------------------------------------------------ */

/* The body in split: c, d, if (c) v = .. else v = 0, g, s[0], s[1]. */
static void order(void)
{
    struct stmt *body = fresh(AT_SPLIT)->stage[0].body;
    CHECK(body->kids == 6);
    swap(body, 1, 2); /* the if before d */
    CAUGHT(", split schedule, stage 1 (contribution): 'd' is read and not declared");
    body = fresh(AT_SPLIT)->stage[0].body;
    swap(body, 3, 4); /* s[0] = g before g */
    CAUGHT(", split schedule, stage 1 (contribution): 'g' is read before it is set");
    body = fresh(AT_SPLIT)->stage[0].body;
    swap(body, 4, 5);
    CAUGHT(", split schedule: node 6 must run after node 5, and does not");
}

static void conditions(void)
{
    struct stmt *body = fresh(AT_SPLIT)->stage[0].body;
    body->kid[2]->expr->var = body->kid[1]->var; /* if (d) */
    CAUGHT(", split schedule, stage 1 (contribution): node 2 (line 3) runs under other conditions");
    body = fresh(AT_SPLIT)->stage[0].body;
    body->kid[2] = body->kid[2]->kid[0]->kid[0]; /* without its if */
    CAUGHT(", split schedule, stage 1 (contribution): node 2 (line 3) runs under other conditions");
    body = fresh(AT_SPLIT)->stage[0].body;
    struct stmt *branches = body->kid[2];
    struct stmt *kept = branches->kid[0];
    branches->kid[0] = branches->kid[1];
    branches->kid[1] = kept;
    CAUGHT(", split schedule, stage 1 (contribution): node 3 (line 4) runs under other conditions");
    body = fresh(AT_SPLIT)->stage[0].body;
    body->kid[2]->kids = 1; /* without its else */
    CAUGHT(", split schedule, stage 1 (contribution): only one branch sets 'v'");
    body = fresh(AT_SPLIT)->stage[0].body;
    struct stmt *other = body->kid[2]->kid[1];
    struct stmt *twice[] = {other->kid[0], other->kid[0]};
    other->kid = twice;
    other->kids = 2;
    CAUGHT(", split schedule, stage 1 (contribution): a branch sets 'v' twice");
    body = fresh(AT_SPLIT)->stage[0].body;
    body->kid[2]->expr = body->kid[3]->expr;
    CAUGHT(", split schedule, stage 1 (contribution): an if has no condition of the graph");
}

static void times(void)
{
    struct stmt *body = fresh(AT_SPLIT)->stage[0].body;
    drop(body, 4);
    CAUGHT(", split schedule: node 5 (line 6) is not computed");
    body = fresh(AT_SPLIT)->stage[0].body;
    body->kid[5] = body->kid[4];
    CAUGHT(", split schedule, stage 1 (contribution): node 5 is computed twice");
    struct stage *owner = fresh(AT_OWNER_GATHER)->stage;
    struct stmt *effects = owner[0].body;
    struct stmt *gather = owner[1].body;
    struct stmt *all[16];
    memcpy(all, gather->kid, (size_t)gather->kids * sizeof(*all));
    all[gather->kids++] = effects->kid[effects->kids - 1];
    gather->kid = all;
    CAUGHT(", owner schedule: node 6 (line 7) is computed in two stages");
    owner = fresh(AT_OWNER_GATHER)->stage;
    struct stmt *foreign = good->graph->node[5].stmt;
    struct expr other = *foreign->expr;
    struct stmt strange = {.kind = STMT_EXPR, .expr = &other};
    owner[0].body->kid[owner[0].body->kids - 1] = &strange;
    CAUGHT(", owner schedule, stage 1 (effects): a statement (line 0) belongs to no node");
    fresh(AT_FUSED);
    good->graph->node[2].uses = 0; /* f and g, which d is for */
    good->graph->node[4].uses = 0;
    CAUGHT(", fused schedule, stage 1 (whole body): node 1 (line 2) is computed, and nothing needs "
           "it there");
}

static void variables(void)
{
    fresh(AT_SPLIT)->stage[0].makes--;
    CAUGHT(", split schedule, stage 1 (contribution): it makes 'g' and does not say so");
    fresh(AT_SPLIT)->stage[1].uses--;
    CAUGHT(", split schedule, stage 2 (update through map1[0]): it uses 'g' and does not say so");
    struct stage *update = fresh(AT_SPLIT)->stage;
    update[2].use = update[1].use;
    update[2].uses = 2;
    CAUGHT(", split schedule, stage 3 (update through map1[1]): it says that it uses 'g', and does "
           "not");
    struct stage *gather = fresh(AT_OWNER_GATHER)->stage;
    struct stmt *body = gather[1].body;
    drop(body, body->kids - 1);
    CAUGHT(", owner schedule, stage 2 (gather through map1): an update takes 'g', which is not "
           "made");
    fresh(AT_SPLIT)->tmp_values++;
    CAUGHT(", split schedule: tmp(e) or what crosses is not counted right");
    fresh(AT_SPLIT)->crossing_bytes = 8;
    CAUGHT(", split schedule: tmp(e) or what crosses is not counted right");
    fresh(AT_SPLIT)->crossings--; /* g */
    CAUGHT(", split schedule, stage 1 (contribution): 'g' is set and not declared");
}

/* loop->whole: one stage that stages nothing, right in itself whatever the schedules are. */
static void whole_body(void)
{
    fresh(AT_FUSED);
    good->loop->whole = NULL;
    CAUGHT(": its whole body is missing");
    fresh(AT_FUSED);
    struct stage *whole = good->loop->whole->stage;
    drop(whole->body, whole->body->kids - 1);
    CAUGHT(", whole schedule: node 6 (line 7) is not computed");
    fresh(AT_FUSED);
    good->loop->whole->stage[0].updates--;
    CAUGHT(", whole schedule: the contribution to component 0 of p_r2 is not applied exactly once");
    fresh(AT_FUSED);
    whole = good->loop->whole->stage;
    whole->transfer = schedule[AT_FUSED].stage[0].transfer;
    whole->transfers = 1;
    CAUGHT(", whole schedule: it is not one stage that stages nothing");
}

int main(void)
{
    whole_body();
    lists();
    stages();
    groups();
    inputs();
    updates();
    order();
    conditions();
    times();
    variables();
    hand_free(good);
    return CHECK_RESULT();
}
