/* chain_resolve.c: drafts to chains: the variables that loops name, and effects on them.
 *
 * In: drafts with touches on places. Out: program->host_var and program->chain. First every chain
 * lists what its loops name, callees before callers, so that a caller lists what it passes to them;
 * then touches on these places become effects (chain_effects.c).
 */
#include "pass/frontend/chain.h"

#include <string.h>

/* ---- variables
 * ------------------------------------------------------------------------------------ */

/* An array is one variable with its elements. */
static struct host_place whole_array(struct front *front, struct host_place place)
{
    size_t length = strlen(place.path);

    while (length > 0 && place.path[length - 1] == ']') {
        while (place.path[length - 1] != '[') {
            length--;
        }
        length--;
    }
    place.path = arena_text_part(front->arena, place.path, length);
    place.varies = place.kind == PLACE_OTHER || strstr(place.path, "[]") != NULL;
    return place;
}

static bool is_same(struct front *front, const struct named *named, enum host_kind kind,
                    const struct host_place *place)
{
    if (named->var.kind != kind || named->place.kind != place->kind) {
        return false;
    }
    if (place->kind == PLACE_OTHER) {
        return strcmp(named->var.text, host_place_text(front, place)) == 0;
    }
    return strcmp(named->place.path, place->path) == 0 &&
           (place->kind != PLACE_VARIABLE || front_same(named->place.base, place->base));
}

static int param_of(const struct draft *draft, const struct host_place *place)
{
    if (place->kind == PLACE_THIS) {
        return PARAM_THIS;
    }
    for (int p = 0; p < draft->params; p++) {
        if (place->kind == PLACE_VARIABLE && front_same(draft->param[p], place->base)) {
            return p;
        }
    }
    return PARAM_NONE;
}

/* The variable at this place, of this chain or static; adds it to the list if it is new. */
static int variable(struct resolve *resolve, const struct draft *draft, enum host_kind kind,
                    struct host_place place)
{
    struct front *front = resolve->front;
    bool is_shared =
        chain_is_static(&place) || place.kind == PLACE_OTHER ||
        (place.kind == PLACE_VARIABLE && draft != NULL && chain_is_captured(draft, place.base));
    struct named named = {.place = place};

    for (int v = 0; v < resolve->count; v++) {
        struct host_var *var = &resolve->named[v].var;

        if ((var->chain >= 0 && var->chain != resolve->chain && place.kind == PLACE_THIS) ||
            !is_same(front, &resolve->named[v], kind, &place)) {
            continue;
        }
        if (var->chain >= 0 && var->chain != resolve->chain) { /* captured by a lambda */
            var->chain = -1;
            var->param = PARAM_NONE;
            var->is_private = false;
        }
        return v;
    }
    named.var =
        (struct host_var){.kind = kind,
                          .text = host_place_text(front, &place),
                          .chain = is_shared ? -1 : resolve->chain,
                          .param = is_shared ? PARAM_NONE : param_of(draft, &place),
                          .is_private = !is_shared && place.kind == PLACE_VARIABLE && !place.derefs,
                          .varies = place.varies};
    if (place.kind == PLACE_VARIABLE) {
        named.var.loc = front_loc(front, place.base);
    }
    resolve->named = arena_grow(front->arena, resolve->named, resolve->count, &resolve->room,
                                sizeof(*resolve->named));
    resolve->named[resolve->count] = named;
    return resolve->count++;
}

/* If two loops use different types for one variable, its type is not known. */
static void note_type(struct named *named, enum type_kind type)
{
    named->type = !named->is_typed || named->type == type ? type : TYPE_VOID;
    named->is_typed = true;
}

static void list_loop(struct resolve *resolve, const struct draft *draft, struct draft_step *step)
{
    struct front *front = resolve->front;
    const struct loop *loop = &front->program->loop[step->step.loop];

    step->step.set = variable(resolve, draft, HOST_SET, step->set);
    step->step.arg = arena_alloc(front->arena, (size_t)step->step.args * sizeof(*step->step.arg));
    for (int a = 0; a < step->step.args; a++) {
        struct draft_arg *from = &step->arg[a];
        struct step_arg *to = &step->step.arg[a];
        bool is_dat = loop->arg[a].kind == ARG_DAT;

        to->data = !from->has_data ? HOST_NONE
                   : is_dat        ? variable(resolve, draft, HOST_DAT, from->data)
                            : variable(resolve, draft, HOST_VALUE, whole_array(front, from->data));
        if (from->has_data && !is_dat && loop->arg[a].type != NULL) {
            note_type(&resolve->named[to->data], loop->arg[a].type->kind);
        }
        to->map = from->has_map ? variable(resolve, draft, HOST_MAP, from->map) : HOST_NONE;
    }
}

/* Lists the variables that the caller gives the callee in this call. */
static void list_call(struct resolve *resolve, const struct draft *draft, struct draft_step *step)
{
    struct front *front = resolve->front;
    const struct draft *callee = step->callee;
    int known = resolve->count;
    int room = 0;

    step->step.callee = callee->chain;
    for (int v = 0; v < known; v++) {
        const struct named named = resolve->named[v];
        struct step_bind bind = {.inner = v};
        struct host_place outer;

        if (named.var.chain != callee->chain || named.var.param == PARAM_NONE) {
            continue;
        }
        chain_translate(front, callee, &step->passed, &named.place, &outer);
        if (named.var.kind == HOST_VALUE) {
            outer = whole_array(front, outer);
        }
        bind.outer = variable(resolve, draft, named.var.kind, outer);
        note_type(&resolve->named[bind.outer], named.type);
        step->step.bind = arena_grow(front->arena, step->step.bind, step->step.binds, &room,
                                     sizeof(*step->step.bind));
        step->step.bind[step->step.binds++] = bind;
    }
}

static void list_variables(struct resolve *resolve, struct draft *draft)
{
    resolve->chain = draft->chain;
    for (int s = 0; s < draft->steps; s++) {
        if (draft->step[s].step.kind == STEP_LOOP) {
            list_loop(resolve, draft, &draft->step[s]);
        } else if (draft->step[s].step.kind == STEP_CALL) {
            list_call(resolve, draft, &draft->step[s]);
        }
    }
}

static void list_constants(struct resolve *resolve)
{
    struct front *front = resolve->front;

    for (int g = 0; g < front->globals; g++) {
        const struct global_entry *entry = front->global[g];
        struct host_place place = {.kind = PLACE_VARIABLE, .base = entry->cursor, .path = ""};

        for (int l = 0; l < front->program->globals; l++) {
            if (front->program->global[l] == entry->var && entry->var->storage == STORAGE_GLOBAL) {
                int v = variable(resolve, NULL, HOST_VALUE, place);
                resolve->named[v].var.constant = entry->var;
                break;
            }
        }
    }
}

/* ---- chains
 * --------------------------------------------------------------------------------------- */

/* "<double,3>"; "": it is no instance of a template. */
static const char *template_text(struct front *front, CXCursor function)
{
    int count = clang_Cursor_getNumTemplateArguments(function);
    const char *text = "";

    for (int a = 0; a < count; a++) {
        unsigned at = (unsigned)a;
        const char *part = "...";

        if (clang_Cursor_getTemplateArgumentKind(function, at) == CXTemplateArgumentKind_Type) {
            part = front_type_text(front, clang_Cursor_getTemplateArgumentType(function, at));
        } else if (clang_Cursor_getTemplateArgumentKind(function, at) ==
                   CXTemplateArgumentKind_Integral) {
            part = arena_format(front->arena, "%lld",
                                clang_Cursor_getTemplateArgumentValue(function, at));
        }
        text = arena_format(front->arena, "%s%s%s", text, a == 0 ? "<" : ",", part);
    }
    return count > 0 ? arena_format(front->arena, "%s>", text) : "";
}

/* "space::type<double>::function<3>" */
static const char *full_name(struct front *front, CXCursor function)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    const char *name;

    if (clang_getCursorKind(function) == CXCursor_LambdaExpr) {
        return "a lambda";
    }
    name = arena_format(front->arena, "%s%s", front_spelling(front, function),
                        template_text(front, function));
    switch (clang_getCursorKind(parent)) {
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
        return arena_format(front->arena, "%s::%s",
                            front_type_text(front, clang_getCursorType(parent)), name);
    case CXCursor_Namespace:
        return arena_format(front->arena, "%s::%s", full_name(front, parent), name);
    default:
        return name;
    }
}

/* New indices of the steps when each STEP_CODE without effects is dropped. */
static int *new_indices(struct front *front, const struct draft *draft)
{
    int *index = arena_alloc(front->arena, ((size_t)draft->steps + 1) * sizeof(*index));

    for (int s = 0; s < draft->steps; s++) {
        const struct step *step = &draft->step[s].step;

        index[s + 1] = index[s] + (step->kind != STEP_CODE || step->effects > 0);
    }
    return index;
}

static void fill_chain(struct resolve *resolve, struct draft *draft, struct chain *chain)
{
    struct front *front = resolve->front;
    int *index;

    resolve->chain = draft->chain;
    for (int s = 0; s < draft->steps; s++) {
        chain_effects(resolve, &draft->step[s]);
    }
    index = new_indices(front, draft);
    chain->name = full_name(front, draft->function);
    chain->loc = front_loc(front, draft->function);
    chain->is_internal = clang_getCursorKind(draft->function) == CXCursor_LambdaExpr ||
                         clang_getCursorLinkage(draft->function) != CXLinkage_External;
    chain->steps = index[draft->steps];
    chain->step = arena_alloc(front->arena, (size_t)chain->steps * sizeof(*chain->step));
    for (int s = 0; s < draft->steps; s++) {
        struct step step = draft->step[s].step;

        if (index[s] < index[s + 1]) {
            step.parent = step.parent >= 0 ? index[step.parent] : -1;
            step.end = index[step.end];
            chain->step[index[s]] = step;
        }
    }
}

/* Makes a chain for each loop in code that was not walked. */
static void add_unplaced(const struct chain_front *all)
{
    struct program *program = all->front->program;

    for (int c = 0; c < all->front->calls; c++) {
        if (!all->placed[c] && all->front->call[c].loop >= 0) {
            chain_make_loose(program, all->front->call[c].loop, &program->chain[program->chains++]);
        }
    }
}

void chain_resolve(struct chain_front *all)
{
    struct front *front = all->front;
    struct program *program = front->program;
    struct resolve resolve = {.front = front};
    int chains = 0;

    for (struct draft *draft = all->first; draft != NULL; draft = draft->next) {
        draft->chain = draft->has_loops ? chains++ : -1;
        if (draft->has_loops) {
            list_variables(&resolve, draft);
        }
    }
    resolve.chain = -1;
    list_constants(&resolve);
    program->chain =
        arena_alloc(front->arena, (size_t)(chains + front->calls) * sizeof(*program->chain));
    for (struct draft *draft = all->first; draft != NULL; draft = draft->next) {
        if (draft->has_loops) {
            chain_note_addresses(&resolve, draft);
            fill_chain(&resolve, draft, &program->chain[draft->chain]);
        }
    }
    program->chains = chains;
    add_unplaced(all);
    program->host_vars = resolve.count;
    program->host_var =
        arena_alloc(front->arena, (size_t)resolve.count * sizeof(*program->host_var));
    for (int v = 0; v < resolve.count; v++) {
        program->host_var[v] = resolve.named[v].var;
    }
}
