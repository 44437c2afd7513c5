/* lower_switch.c: a switch as a chain of branches. What follows a label runs when the value matches
 * it, or when control fell through from above: entry_i = matches_i || (entry_before && not left).
 */
#include "splitter/lower/lower_impl.h"

struct part {
    struct expr *match; /* bool; NULL: only reached by falling through */
    bool is_default;
    int first; /* statements of the block */
    int end;
};

struct chain {
    struct expr *value;
    int parts;
    struct part *part;
};

static struct expr *either(struct lower *lower, struct expr *a, struct expr *b)
{
    bool truth;

    if (a == NULL || (expr_truth(a, &truth) && !truth)) {
        return b;
    }
    if (expr_truth(b, &truth)) {
        return truth ? b : a;
    }
    return make_binary(lower, BINARY_LOR, &lower_bool, a, b);
}

static struct expr *compare(struct lower *lower, enum binary_op op, struct expr *value,
                            struct expr *label)
{
    label = make_cast(lower, lower_bare_type(lower, value->type), lower_value(lower, label), true);
    return make_cast(lower, &lower_bool, make_binary(lower, op, &lower_int, value, label), true);
}

static struct expr *matches(struct lower *lower, struct expr *value, const struct stmt *label)
{
    if (label->step == NULL) {
        return compare(lower, BINARY_EQ, value, label->expr);
    }
    return make_binary(lower, BINARY_LAND, &lower_bool,
                       compare(lower, BINARY_GE, value, label->expr),
                       compare(lower, BINARY_LE, value, label->step));
}

/* Parts between labels; statements before the first label are never reached. */
static void find_parts(struct lower *lower, const struct stmt *block, struct chain *chain)
{
    int room = 0;

    for (int k = 0; k < block->kids; k++) {
        const struct stmt *stmt = block->kid[k];
        struct part *part;

        if (stmt->kind != STMT_CASE) {
            continue;
        }
        if (k == 0 || block->kid[k - 1]->kind != STMT_CASE) {
            chain->part =
                arena_grow(lower->arena, chain->part, chain->parts, &room, sizeof(*chain->part));
            chain->parts++;
        }
        part = &chain->part[chain->parts - 1];
        part->first = k + 1;
        if (stmt->expr == NULL) {
            part->is_default = true;
        } else {
            part->match = either(lower, part->match, matches(lower, chain->value, stmt));
        }
    }
    for (int p = 0; p < chain->parts; p++) {
        int end = p + 1 < chain->parts ? chain->part[p + 1].first - 1 : block->kids;

        while (end > chain->part[p].first && block->kid[end - 1]->kind == STMT_CASE) {
            end--;
        }
        chain->part[p].end = end;
    }
}

/* The default label matches when no other label does. */
static void match_default(struct lower *lower, struct chain *chain)
{
    struct expr *any = make_bool(lower, false);

    for (int p = 0; p < chain->parts; p++) {
        if (chain->part[p].match != NULL) {
            chain->part[p].match = branch_condition(lower, chain->part[p].match, "is_case");
            any = either(lower, any, chain->part[p].match);
        }
    }
    for (int p = 0; p < chain->parts; p++) {
        struct part *part = &chain->part[p];

        if (part->is_default) {
            struct expr *other = make_unary(lower, UNARY_NOT, &lower_bool, any);

            part->match = part->match == NULL ? other : either(lower, part->match, other);
        }
    }
}

static bool is_certain(struct lower *lower, int flag)
{
    bool truth;

    return expr_truth(leaf_expr(lower, flag), &truth) && truth;
}

/* Returns the condition under which control falls through to the next part; NULL: never. A part
 * that always ends in break leaves no trace in the flag: if it runs, no later part matches. */
static struct expr *run_part(struct lower *lower, const struct stmt *block, const struct part *part,
                             struct expr *entry)
{
    struct stmt **first = &block->kid[part->first];
    int count = part->end - part->first;
    int flag = lower->frame->stopped;
    struct value before = lower->leaf[flag].value;
    struct branch branch;
    struct join join;
    bool left;
    bool truth;

    if (expr_truth(entry, &truth)) {
        if (truth) {
            lower_list(lower, first, count);
        }
        return truth ? entry : NULL;
    }
    branch = branch_begin(lower, entry, true);
    lower_list(lower, first, count);
    left = is_certain(lower, flag);
    if (left) {
        leaf_set(lower, flag, before);
    }
    join = branch_end(lower, &branch);
    branch_join(lower, entry, &join, NULL);
    return left ? NULL : entry;
}

struct work {
    const struct stmt *block;
    const struct chain *chain;
    int part;
    struct expr *entry;
};

static void run_parts(struct lower *lower, void *user)
{
    struct work work = *(struct work *)user;
    bool always;

    while (work.part < work.chain->parts) {
        const struct part *part = &work.chain->part[work.part++];
        struct expr *entry = part->match;

        if (work.entry != NULL) {
            entry = entry == NULL ? work.entry : either(lower, entry, work.entry);
        }
        entry = branch_condition(lower, entry, "enters");
        work.entry = run_part(lower, work.block, part, entry);
        if (lower_stop_flag(lower, &always) >= 0 || always) {
            lower_run_rest(lower, run_parts, &work);
            return;
        }
    }
}

void lower_switch(struct lower *lower, struct stmt *stmt)
{
    struct frame frame = {.outer = lower->frame, .skipped = -1};
    struct chain chain = {0};
    struct work work = {.block = stmt->kid[0], .chain = &chain};

    chain.value = lower_value(lower, stmt->expr);
    if (!expr_is_atom(chain.value)) {
        chain.value = node_version(lower, "choice", chain.value);
    }
    find_parts(lower, stmt->kid[0], &chain);
    match_default(lower, &chain);
    frame.stopped = leaf_new(lower, "left", &lower_bool, ROLE_LOCAL);
    leaf_set(lower, frame.stopped, (struct value){.atom = make_bool(lower, false)});
    lower->frame = &frame;
    run_parts(lower, &work);
    lower->frame = frame.outer;
}
