/* group_expect.c: whether it is worth it that launches wait for the rest of a group.
 *
 * Loops often begin a group that does not become complete: of three stages of a time step only the
 * last one may go on with the loop that ends the group. What was called before tells these apart.
 * So what is remembered belongs to a place: to the latest calls before the first loop of the group.
 * Waiting ends where it was in vain three times in a row, and begins again when the rest of the
 * group has come all the same. At a place that is not known, and wherever the table has no room,
 * all places where the loops were called decide together. */
#include "runtime/exec/group.h"

/* Calls that make up a place; entries of the table; times in a row that end waiting. */
enum { CALLS = 8, ENTRIES = 1024, MOST_MISSED = 3 };

/* What has become of launches at one node that came there from one place on. */
struct expectation {
    unsigned long long key; /* 0: none */
    int missed;             /* in vain, in a row */
    int came;               /* 1: the last time was not in vain */
};

static struct {
    unsigned long long called[CALLS];                 /* keys of the latest calls, in a ring */
    unsigned long long place[2 * CLEAVE_MAX_MEMBERS]; /* where they were called, in a ring */
    unsigned long long latest;                        /* the place behind the latest call */
    unsigned calls;                                   /* so far */
    struct expectation entry[ENTRIES];
} known;

/* ---- places ------------------------------------------------------------------------------ */

/* An odd multiplier that spreads all bits: 2^64 divided by the golden ratio. */
#define SPREAD 0x9e3779b97f4a7c15ull
/* Its power CALLS: the weight with which a call leaves the latest ones. */
#define SPREAD_2 (SPREAD * SPREAD)
#define SPREAD_8 (SPREAD_2 * SPREAD_2 * SPREAD_2 * SPREAD_2)

/* The call's loop and set, by numbers that are equal in all runs: those of dats that come and go
 * would make every place a new one. */
static unsigned long long key_of(const struct cleave_call *call)
{
    unsigned long long key = (unsigned long long)call->set->index + 1;
    key = key * SPREAD + (unsigned long long)call->set->size;
    key = key * SPREAD + (unsigned long long)call->site->line;
    for (const char *c = call->name; *c != '\0'; c++) {
        key = (key ^ (unsigned char)*c) * 1099511628211ull;
    }
    return key;
}

void cleave_expect_called(struct cleave_call *call)
{
    unsigned long long *oldest = &known.called[known.calls % CALLS];
    call->place_key = call->place_key != 0 ? call->place_key : key_of(call);
    known.place[known.calls % (2 * CLEAVE_MAX_MEMBERS)] = known.latest;
    known.latest = known.latest * SPREAD + call->place_key - *oldest * SPREAD_8;
    *oldest = call->place_key;
    known.calls++;
}

unsigned long long cleave_expect_place(int ago)
{
    return known.place[(known.calls - 1 - (unsigned)ago) % (2 * CLEAVE_MAX_MEMBERS)];
}

/* ---- expectations ------------------------------------------------------------------------ */

static unsigned long long key_at(const struct cleave_group_node *node, unsigned long long place)
{
    const unsigned long long key = (place ^ node->key) * SPREAD;
    return key != 0 ? key : 1;
}

static struct expectation *entry_of(unsigned long long key)
{
    return &known.entry[(key >> 32) % ENTRIES];
}

int cleave_expect_waits(const struct cleave_group_node *node, unsigned long long place)
{
    const unsigned long long key = key_at(node, place);
    const struct expectation *entry = entry_of(key);
    const int is_known = entry->key == key;
    return (is_known && entry->came) ||
           (node->missed < MOST_MISSED && (!is_known || entry->missed < MOST_MISSED));
}

/* Makes an entry if there is none; one of another key goes. */
static struct expectation *require(const struct cleave_group_node *node, unsigned long long place)
{
    const unsigned long long key = key_at(node, place);
    struct expectation *entry = entry_of(key);
    if (entry->key != key) {
        *entry = (struct expectation){.key = key};
    }
    return entry;
}

void cleave_expect_missed(struct cleave_group_node *node, unsigned long long place)
{
    struct expectation *entry = require(node, place);
    entry->missed = MIN(entry->missed + 1, MOST_MISSED);
    entry->came = 0;
    node->missed = MIN(node->missed + 1, MOST_MISSED);
}

void cleave_expect_came(struct cleave_group_node *node, unsigned long long place, int late)
{
    if (late) {
        cleave_expect_missed(node, place);
        return;
    }
    struct expectation *entry = require(node, place);
    entry->missed = 0;
    entry->came = 1;
    node->missed = 0;
}

void cleave_expect_forget(void)
{
    memset(&known, 0, sizeof known);
}
