/* chain.c: the chains of a translation unit (pass/ir/chain.h).
 *
 * In: the functions that scan.c found, which of them calls loops, and which names which. Out:
 * program->chain and program->host_var. A function is walked when it leads to loops, and a function
 * that it calls before it, whose code then has a summary. Recursion, and calls nested too deep, are
 * unknown code to the caller.
 */
#include "pass/frontend/chain.h"

#include <string.h>

enum { DEEPEST_CALL = 100 }; /* depth of nested calls whose bodies are walked */

/* ---- drafts by their functions
 * -------------------------------------------------------------------- */

static unsigned first_slot(const struct chain_front *all, CXCursor cursor)
{
    return clang_hashCursor(cursor) & (all->slots - 1);
}

static void enter(struct chain_front *all, int index)
{
    unsigned slot = first_slot(all, all->draft[index].function);

    while (all->slot[slot] != 0) {
        slot = (slot + 1) & (all->slots - 1);
    }
    all->slot[slot] = index + 1;
}

static struct draft *find(const struct chain_front *all, CXCursor function)
{
    unsigned slot = first_slot(all, function);

    for (; all->slot[slot] != 0; slot = (slot + 1) & (all->slots - 1)) {
        struct draft *draft = &all->draft[all->slot[slot] - 1];

        if (front_same(draft->function, function)) {
            return draft;
        }
    }
    return NULL;
}

static void list_drafts(struct chain_front *all)
{
    struct front *front = all->front;

    all->draft = arena_alloc(front->arena, (size_t)front->visits * sizeof(*all->draft));
    all->slots = 16;
    while (all->slots < 2 * (unsigned)front->visits) {
        all->slots *= 2;
    }
    all->slot = arena_alloc(front->arena, all->slots * sizeof(*all->slot));
    for (int v = 0; v < front->visits; v++) {
        all->draft[v].function = front->visited[v];
        enter(all, v);
    }
}

/* Follows the edges backwards, from the functions that call loops. */
static void mark_leading(struct chain_front *all)
{
    struct front *front = all->front;
    bool changed = true;

    for (int c = 0; c < front->calls; c++) {
        if (front->call[c].function >= 0) {
            all->draft[front->call[c].function].leads_to_loops = true;
        }
    }
    while (changed) {
        changed = false;
        for (int e = front->edges - 1; e >= 0; e--) {
            struct draft *from = &all->draft[front->edge[e].from];

            if (!from->leads_to_loops && all->draft[front->edge[e].to].leads_to_loops) {
                from->leads_to_loops = true;
                changed = true;
            }
        }
    }
}

/* ---- walking
 * -------------------------------------------------------------------------------------- */

static void read_parts(struct front *front, struct draft *draft)
{
    struct children children = front_children(front, draft->function);

    draft->body = clang_getNullCursor();
    draft->param = arena_alloc(front->arena, (size_t)children.count * sizeof(*draft->param));
    for (int c = 0; c < children.count; c++) {
        enum CXCursorKind kind = clang_getCursorKind(children.child[c]);

        if (kind == CXCursor_ParmDecl) {
            draft->param[draft->params++] = clang_getCanonicalCursor(children.child[c]);
        } else if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt) {
            draft->body = children.child[c];
        }
    }
}

static void note_loops(struct draft *draft)
{
    for (int s = 0; s < draft->steps; s++) {
        enum step_kind kind = draft->step[s].step.kind;

        draft->has_loops = draft->has_loops || kind == STEP_LOOP || kind == STEP_CALL;
    }
}

/* Drops a return at the end of the function: the function ends there anyway. */
static void drop_last_return(struct draft *draft)
{
    const struct step *last = draft->steps > 0 ? &draft->step[draft->steps - 1].step : NULL;

    if (last != NULL && last->kind == STEP_LEAVE && last->parent < 0 &&
        strcmp(last->word, "return") == 0) {
        draft->steps--;
    }
}

static void walk_draft(struct chain_front *all, struct draft *draft)
{
    struct chain_walk walk = {
        .front = all->front, .all = all, .draft = draft, .around = -1, .code = -1};

    draft->state = DRAFT_WALKING;
    all->depth++;
    read_parts(all->front, draft);
    if (!clang_Cursor_isNull(draft->body)) {
        chain_stmt(&walk, draft->body);
    }
    all->depth--;
    drop_last_return(draft);
    note_loops(draft);
    draft->state = DRAFT_DONE;
    if (all->last != NULL) {
        all->last->next = draft;
    } else {
        all->first = draft;
    }
    all->last = draft;
}

/* Whether the function belongs to a lambda, which chain_lambda() walks where the captures are
 * known. */
static bool is_of_lambda(CXCursor function)
{
    CXCursor parent = clang_getCursorSemanticParent(function);

    return clang_getCursorKind(parent) == CXCursor_ClassDecl &&
           clang_Cursor_isAnonymous(parent) != 0;
}

struct draft *chain_callee(struct chain_walk *walk, CXCursor referenced)
{
    CXCursor definition = clang_getCursorDefinition(referenced);
    struct draft *draft = clang_Cursor_isNull(definition) || is_of_lambda(definition)
                              ? NULL
                              : find(walk->all, definition);

    if (draft != NULL && draft->state == DRAFT_NEW && walk->all->depth < DEEPEST_CALL) {
        walk_draft(walk->all, draft);
    }
    return draft != NULL && draft->state == DRAFT_DONE && !clang_Cursor_isNull(draft->body) ? draft
                                                                                            : NULL;
}

struct draft *chain_lambda(struct chain_walk *walk, CXCursor lambda)
{
    struct draft *draft = arena_alloc(walk->front->arena, sizeof(*draft));

    if (walk->all->depth >= DEEPEST_CALL) {
        return NULL;
    }
    draft->function = lambda;
    draft->leads_to_loops = walk->draft->leads_to_loops && chain_leads(walk, lambda);
    walk_draft(walk->all, draft);
    return clang_Cursor_isNull(draft->body) ? NULL : draft;
}

struct leads {
    struct chain_walk *walk;
    bool found;
};

static enum CXChildVisitResult visit_leads(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct leads *leads = data;
    CXCursor referenced;
    CXCursor definition;
    const struct draft *draft;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr) {
        return CXChildVisit_Recurse;
    }
    referenced = clang_getCursorReferenced(cursor);
    definition = clang_getCursorDefinition(referenced);
    draft = clang_Cursor_isNull(definition) ? NULL : find(leads->walk->all, definition);
    leads->found = (draft != NULL && draft->leads_to_loops) ||
                   strcmp(front_spelling(leads->walk->front, referenced), "cleave_parse_loop") == 0;
    return leads->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool chain_leads(struct chain_walk *walk, CXCursor code)
{
    struct leads leads = {walk, false};

    if (walk->draft->leads_to_loops) {
        clang_visitChildren(code, visit_leads, &leads);
    }
    return leads.found;
}

/* Compares expressions by their second datum. clang_equalCursors() also compares the declarations
 * around them, which libclang records only for cursors that it reached from there. */
static bool same_expression(CXCursor a, CXCursor b)
{
    return a.kind == b.kind && a.data[1] == b.data[1];
}

/* scan.c may record the calls in a lambda's body twice, so all records are searched. */
int chain_loop_of(struct chain_walk *walk, CXCursor call)
{
    struct front *front = walk->front;
    int loop = -1;

    for (int c = 0; c < front->calls; c++) {
        if (same_expression(front->call[c].cursor, call)) {
            walk->all->placed[c] = walk->all->placed[c] || walk->draft->leads_to_loops;
            loop = front->call[c].loop;
        }
    }
    return loop;
}

void front_chains(struct front *front)
{
    struct chain_front all = {.front = front};

    all.placed = arena_alloc(front->arena, (size_t)front->calls * sizeof(*all.placed));
    list_drafts(&all);
    mark_leading(&all);
    for (int v = 0; v < front->visits; v++) {
        if (all.draft[v].leads_to_loops && all.draft[v].state == DRAFT_NEW &&
            !is_of_lambda(all.draft[v].function)) {
            walk_draft(&all, &all.draft[v]);
        }
    }
    chain_resolve(&all);
}
