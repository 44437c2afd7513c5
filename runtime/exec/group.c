/* group.c: the groups of all units, as a tree: from a loop that is called, branches lead to those
 * that continue a group when they are called next. The tree of a unit is made when one of its loops
 * is called for the first time, and lives as long as the unit. */
#include "runtime/exec/group.h"
#include "runtime/exec/speculate.h"
#include "runtime/exec/tiled.h"
#include "runtime/exec/verify.h"

/* A group that could not run so often in a row is left alone; it is tried again after so many
 * completions, and when a plan has come or the runtime chooses anew. */
enum { MOST_REFUSED = 3, TRY_AGAIN = 32 };

struct tree {
    const struct cleave_unit *unit;
    struct cleave_group_node root; /* depth 0 */
    struct cleave_ahead *ahead;
    struct tree *next;
};

static struct tree *trees;

/* ---- making ------------------------------------------------------------------------------ */

static struct cleave_group_node *child(const struct cleave_group_node *node,
                                       const struct cleave_loop *loop)
{
    struct cleave_group_node *after = node->after;
    while (after != NULL && after->loop != loop) {
        after = after->next;
    }
    return after;
}

/* FNV-1a of the texts of the loops' calls. */
static unsigned long long key_behind(const struct cleave_group_node *node,
                                     const struct cleave_loop *loop)
{
    unsigned long long key = node->key ^ 14695981039346656037ull;
    for (const char *c = loop->call; *c != '\0'; c++) {
        key = (key ^ (unsigned char)*c) * 1099511628211ull;
    }
    return key;
}

static struct cleave_group_node *require_child(struct cleave_group_node *node,
                                               const struct cleave_loop *loop)
{
    struct cleave_group_node *after = child(node, loop);
    if (after == NULL) {
        after = cleave_alloc_zero(sizeof *after, "a group of loops");
        after->loop = loop;
        after->depth = node->depth + 1;
        after->key = key_behind(node, loop);
        after->before = node->depth > 0 ? node : NULL;
        after->next = node->after;
        node->after = after;
    }
    return after;
}

/* Reads the accesses of the joined loop's arguments from its signature, "d0.-1.0:1:double:B ...":
 * whether members that write and then read an argument make it a write or a read-write depends on
 * their kernels. */
static void read_accesses(struct cleave_group_node *node)
{
    const char *word = node->joined->signature;
    while (*word != '\0' && node->args < CLEAVE_MAX_ARGS) {
        const size_t length = strcspn(word, " ");
        size_t at = length;
        while (at > 0 && word[at - 1] != ':') {
            at--;
        }
        node->gathers |= word[0] == 'p';
        node->access[node->args++] = word[at];
        word += length + (word[length] == ' ');
    }
}

/* The call site of a joined loop is where its first member is called: "app.c:12". */
static struct cleave_site *new_site(const struct cleave_unit *unit, const struct cleave_loop *loop)
{
    struct cleave_site *site = cleave_alloc_zero(sizeof *site, "a group of loops");
    const char *colon = strrchr(loop->location, ':');
    char *file = cleave_text_copy(loop->location);
    if (colon != NULL) {
        file[colon - loop->location] = '\0';
        site->line = atoi(colon + 1);
    }
    site->file = file;
    site->text = loop->call;
    site->unit = unit->key;
    cleave_site_is_joined(site);
    return site;
}

static void set_group(struct cleave_group_node *node, struct cleave_unit_entry *entry,
                      const struct cleave_group *group)
{
    node->group = group;
    node->joined = &entry->unit->loop[group->loop];
    node->unit = entry;
    node->site = new_site(entry->unit, node->joined);
    read_accesses(node);
}

/* The same calls lead to the group with a loop ahead of its call and to the one without it. */
static void add_ahead(struct tree *tree, struct cleave_unit_entry *entry,
                      const struct cleave_group *group, struct cleave_group_node *node)
{
    if (node->ahead != NULL) {
        return;
    }
    struct cleave_ahead *ahead = cleave_ahead_new(entry->unit, group);
    set_group(&ahead->node, entry, group);
    ahead->node.loop = node->loop;
    ahead->node.depth = node->depth;
    ahead->node.before = node->before;
    ahead->next = tree->ahead;
    tree->ahead = ahead;
    node->ahead = ahead;
}

static void add_group(struct tree *tree, struct cleave_unit_entry *entry,
                      const struct cleave_group *group)
{
    struct cleave_group_node *node = &tree->root;
    for (int m = 0; m < group->members; m++) {
        node = require_child(node, &tree->unit->loop[group->member[m].loop]);
    }
    if (group->ahead) {
        add_ahead(tree, entry, group, node);
    } else if (node->group == NULL) {
        set_group(node, entry, group);
    }
}

static struct tree *tree_of(struct cleave_unit_entry *entry)
{
    struct tree *tree = trees;
    while (tree != NULL && tree->unit != entry->unit) {
        tree = tree->next;
    }
    if (tree != NULL) {
        return tree;
    }
    tree = cleave_alloc_zero(sizeof *tree, "groups of loops");
    tree->unit = entry->unit;
    for (int g = 0; g < entry->unit->groups; g++) {
        add_group(tree, entry, &entry->unit->group[g]);
    }
    tree->next = trees;
    trees = tree;
    return tree;
}

static void free_site(struct cleave_group_node *node)
{
    if (node->site != NULL) {
        free((char *)node->site->file);
        free(node->site);
    }
}

static void free_nodes(struct cleave_group_node *node)
{
    while (node != NULL) {
        struct cleave_group_node *next = node->next;
        free_nodes(node->after);
        cleave_group_trials_free(node);
        free_site(node);
        if (node->ahead != NULL) {
            free_site(&node->ahead->node);
            cleave_ahead_free(node->ahead);
        }
        free(node);
        node = next;
    }
}

static void reset(struct cleave_group_node *node)
{
    for (; node != NULL; node = node->next) {
        node->missed = node->refused = node->passed = 0;
        node->said = NULL;
        cleave_group_trials_free(node);
        if (node->ahead != NULL) {
            node->ahead->node.refused = node->ahead->node.passed = 0;
            node->ahead->node.said = NULL;
            cleave_ahead_reset(node->ahead);
        }
        reset(node->after);
    }
}

void cleave_groups_start(void)
{
    cleave_group_forget();
    cleave_expect_forget();
    for (struct tree *tree = trees; tree != NULL; tree = tree->next) {
        reset(tree->root.after);
    }
}

void cleave_groups_end(void)
{
    cleave_groups_start();
}

void cleave_groups_unload(struct cleave_unit_entry *entry)
{
    struct tree **link = &trees;
    cleave_tiled_unload(entry->unit);
    cleave_group_forget();
    cleave_verify_group_forget();
    while (*link != NULL && (*link)->unit != entry->unit) {
        link = &(*link)->next;
    }
    struct tree *tree = *link;
    if (tree != NULL) {
        *link = tree->next;
        free_nodes(tree->root.after);
        free(tree);
    }
}

/* ---- finding ----------------------------------------------------------------------------- */

/* The call's place among the loops that were compiled for the device with it, not those of further
 * variants, which know no groups; -1: it has none, or its unit has no groups. */
static int place_of(const struct cleave_call *call)
{
    for (int l = 0; l < call->match->loops; l++) {
        const struct cleave_unit *unit = call->match->unit[l]->unit;
        if (unit->target == cleave_device->target && unit->groups > 0) {
            return l;
        }
    }
    return -1;
}

struct cleave_group_node *cleave_group_first(const struct cleave_call *call)
{
    const int place = place_of(call);
    return place >= 0 ? child(&tree_of(call->match->unit[place])->root, call->match->loop[place])
                      : NULL;
}

struct cleave_group_node *cleave_group_after(const struct cleave_group_node *node,
                                             const struct cleave_call *call)
{
    const int place = place_of(call);
    return place >= 0 ? child(node, call->match->loop[place]) : NULL;
}

struct cleave_ahead *cleave_ahead_first(const struct cleave_call *call,
                                        const struct cleave_loop **loop)
{
    const int place = place_of(call);
    *loop = place >= 0 ? call->match->loop[place] : NULL;
    return place >= 0 ? tree_of(call->match->unit[place])->ahead : NULL;
}

int cleave_groups_go_ahead(void)
{
    int found = 0;
    for (const struct tree *tree = trees; tree != NULL; tree = tree->next) {
        found |= tree->ahead != NULL;
    }
    return found;
}

void cleave_ahead_forget(op_dat dat)
{
    cleave_speculate_forget_dat(dat);
    for (struct tree *tree = trees; tree != NULL; tree = tree->next) {
        for (struct cleave_ahead *ahead = tree->ahead; ahead != NULL; ahead = ahead->next) {
            for (int a = 0; a < ahead->args && ahead->arg != NULL; a++) {
                if (ahead->arg[a].dat == dat) {
                    cleave_ahead_reset(ahead);
                }
            }
        }
    }
}

const char *cleave_group_name(const struct cleave_group_node *node)
{
    return node->joined->kernel;
}

const char *cleave_group_text(const struct cleave_site *const *site, int members, char *text,
                              size_t capacity)
{
    size_t length = 0;
    text[0] = '\0';
    for (int m = 0; m < members && length < capacity; m++) {
        char *kernel = cleave_site_kernel(site[m]);
        const char *before = m == 0 ? ", which runs " : m == members - 1 ? " and " : ", ";
        length += (size_t)snprintf(text + length, capacity - length, "%s'%s' (%s:%d)%s", before,
                                   kernel, site[m]->file, site[m]->line,
                                   m == members - 1 ? " as one kernel" : "");
        free(kernel);
    }
    return text;
}

/* ---- expectations ------------------------------------------------------------------------ */

/* Changes when a group that could not run may be able to. */
static unsigned long state_of_runtime(void)
{
    return cleave_generation + cleave_plans_arrived;
}

static int is_refused(const struct cleave_group_node *node)
{
    return node->refused >= MOST_REFUSED && node->refused_at == state_of_runtime();
}

int cleave_group_is_off(const struct cleave_group_node *node, op_set set)
{
    return is_refused(node) || cleave_group_is_apart(node, set);
}

/* 1: a group behind the node can be expected. */
static int is_promising(const struct cleave_group_node *node, op_set set)
{
    for (const struct cleave_group_node *after = node->after; after != NULL; after = after->next) {
        if ((after->group != NULL && !cleave_group_is_off(after, set)) ||
            is_promising(after, set)) {
            return 1;
        }
    }
    return 0;
}

int cleave_group_waits(const struct cleave_group_node *node, op_set set, unsigned long long place)
{
    return cleave_expect_waits(node, place) && is_promising(node, set);
}

/* The calls that the nodes before expected have come. A group that was left alone is tried again
 * now and then. */
void cleave_group_completed(struct cleave_group_node *node, int late, unsigned long long place)
{
    if (is_refused(node) && ++node->passed % TRY_AGAIN == 0) {
        node->refused = MOST_REFUSED - 1;
    }
    for (struct cleave_group_node *n = node->before; n != NULL; n = n->before) {
        cleave_expect_came(n, place, late);
    }
    cleave_group_use.missed += late;
}

void cleave_group_refused(struct cleave_group_node *node, const char *reason)
{
    if (node->refused_at != state_of_runtime()) {
        node->refused = 0;
    }
    node->refused = MIN(node->refused + 1, MOST_REFUSED);
    node->refused_at = state_of_runtime();
    cleave_group_use.refused++;
    if (cleave_settings.diags >= 2 && node->said != reason) {
        node->said = reason;
        cleave_note("loops '%s' (%s:%d) do not run as one kernel: %s", cleave_group_name(node),
                    node->site->file, node->site->line, reason);
    }
}
