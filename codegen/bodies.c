/* bodies.c: stage bodies that splitter/ took apart.
 *
 * In: a stage of emit->schedule, with emit->binding for each argument. Out: the stage's statements,
 * under the user's names, and in front of them a pointer for each argument that they use (uses.c),
 * so that nothing is declared in vain.
 */
#include <string.h>

#include "codegen/uses.h"
#include "pass/ir/arena.h"

/* ---- names -------------------------------------------------------------------------------------
 */

struct search {
    const char *prefix;
    bool found;
};

static void note_taken(struct stmt *stmt, void *user)
{
    struct search *search = user;
    search->found =
        search->found || (stmt->kind == STMT_DECL &&
                          strncmp(stmt->var->name, search->prefix, strlen(search->prefix)) == 0);
}

/* True when some variable in sight has a name that begins so. */
static bool is_taken(const struct emit *emit, const struct stage *stage, const char *prefix)
{
    struct search search = {prefix, false};
    size_t length = strlen(prefix);
    stmt_visit(stage->body, note_taken, NULL, &search);
    for (int v = 0; v < emit->schedule->crossings; v++) {
        const char *name = emit->schedule->crossing[v]->name;
        search.found = search.found || strncmp(name, prefix, length) == 0;
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const char *name = emit->loop->kernel->param[a]->name;
        search.found = search.found || (name != NULL && strncmp(name, prefix, length) == 0);
    }
    return search.found;
}

static const char *free_prefix(struct emit *emit, const struct stage *stage, int a)
{
    const char *prefix = emit_format(emit, "%s_", names_var(emit->loop->kernel->param[a], emit));
    while (is_taken(emit, stage, prefix)) {
        prefix = emit_format(emit, "%s_", prefix);
    }
    return prefix;
}

static bool has_own_columns(const struct emit *emit, int a)
{
    return emit->loop->arg[a].is_vector && !emit->use[a].itself;
}

static const char *column_name(struct emit *emit, int a, int c)
{
    const char *param = names_var(emit->loop->kernel->param[a], emit);
    return has_own_columns(emit, a) ? emit_format(emit, "%s%d", emit->use[a].prefix, c) : param;
}

/* Returns the type of a component, through the arrays that a parameter such as "double (*x)[3]"
 * points to. */
static const struct type *pointee(const struct emit *emit, int a)
{
    const struct type *type = place_param_type(emit->loop, a);
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type;
}

/* Returns what the stage's pointer points to: components, unless the body subscripts the parameter
 * itself. */
static const struct type *pointer_elem(const struct emit *emit, int a)
{
    return emit->use[a].itself ? place_param_type(emit->loop, a) : pointee(emit, a);
}

const char *names_place(const struct expr *expr, void *user)
{
    struct emit *emit = user;
    int a = expr->place.arg;
    int slot = expr->place.component;
    bool row = emit->loop->arg[a].is_vector && emit->use[a].itself;
    if (emit->binding[a] == BIND_SLOT) {
        return emit_format(emit, "cleave_gbl_%s[%d][cleave_slot]", emit->shape->label[a], slot);
    }
    if (emit->binding[a] == BIND_STAGED) {
        slot = transfer_slot(stage_transfer(emit->loop, emit->stage, TRANSFER_IN, a), slot);
    }
    const char *base = column_name(emit, a, expr->place.column);
    if (emit->use[a].itself && place_param_type(emit->loop, a)->kind == TYPE_ARRAY) {
        const struct type scalar = {.kind = TYPE_POINTER, .elem = pointee(emit, a)};
        base = emit_format(emit, "((%s)%s)", emit_declaration(emit, &scalar, ""), base);
    }
    return emit_format(emit, "%s%s[%d]", base,
                       row ? emit_format(emit, "[%d]", expr->place.column) : "", slot);
}

/* ---- pointers ----------------------------------------------------------------------------------
 */

/* Its record was copied before the body. */
static bool is_ahead(const struct emit *emit, int a)
{
    return emit->held != NULL && emit->held[a];
}

/* True when some argument in use needs the map's column to find its record. */
static bool needs_point(const struct emit *emit, int m, int column)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        bool reads =
            (emit->binding[a] == BIND_MAP && !is_ahead(emit, a)) || emit->binding[a] == BIND_INDEX;
        for (int c = 0; reads && emit->shape->map_of[a] == m && c < place_columns(arg); c++) {
            if ((emit->use[a].columns >> c & 1) != 0 && place_column(arg, c) == column) {
                return true;
            }
        }
    }
    return false;
}

/* The body does no more than subscript the pointer to components. */
static bool only_subscripts(const struct emit *emit, int a)
{
    const struct body_use *use = &emit->use[a];
    return use->names == use->subscripts && !emit->loop->arg[a].is_optional &&
           type_same(pointer_elem(emit, a), emit->loop->arg[a].type);
}

/* Fast memory is more than a plain pointer to the emulator, which checks its use; a record of a
 * structure of arrays is none at all. */
static bool is_view(const struct emit *emit, int a)
{
    return (emit->binding[a] == BIND_STAGED || (place_is_soa(emit, a) && !is_ahead(emit, a))) &&
           only_subscripts(emit, a);
}

/* The body gets a copy of the record if the dat is a structure of arrays and the body does more
 * than subscript it by constants. place_pointer() then names the copy. layout.c has made sure that
 * the body only reads it. */
static bool is_copied(const struct emit *emit, int a)
{
    bool rows = emit->loop->arg[a].is_vector && emit->use[a].itself;
    return place_is_soa(emit, a) && !is_ahead(emit, a) && (rows || !only_subscripts(emit, a));
}

static void print_copy(struct emit *emit, int a, int c)
{
    out_assign(emit->out, emit_format(emit, "auto %s", record_name(emit, a, c)), "=",
               emit_format(emit, "cleave_load<%d>(%s)", emit->loop->arg[a].dim,
                           place_pointer(emit, a, c, NULL)));
}

/* Only read, of whole 16-byte parts, by constant subscripts: see record.cuh. */
static bool is_staged_record(const struct emit *emit, int a)
{
    const struct transfer *group = stage_transfer(emit->loop, emit->stage, TRANSFER_IN, a);
    return is_view(emit, a) && !emit->use[a].itself && place_stride_is_wide(emit, group);
}

static bool is_record(const struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    bool in_memory =
        (emit->binding[a] == BIND_MAP || emit->binding[a] == BIND_DIRECT) && !place_is_soa(emit, a);
    if (emit->binding[a] == BIND_STAGED) {
        return is_staged_record(emit, a);
    }
    if (is_ahead(emit, a)) {
        return false;
    }
    return emit->file->target->loads_records && in_memory && !arg->is_optional &&
           !emit->use[a].itself && !emit->shape->dat[emit->shape->dat_of[a]].modified &&
           (size_t)arg->dim * arg->type->size % 16 == 0 &&
           type_same(pointer_elem(emit, a), arg->type);
}

/* A record that the body modifies in memory: told of its alignment, a compiler joins stores of
 * neighbouring components. */
static bool is_aligned(const struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    bool in_memory = emit->binding[a] == BIND_MAP || emit->binding[a] == BIND_DIRECT;
    return emit->file->target->loads_records && in_memory && !place_is_soa(emit, a) &&
           !is_ahead(emit, a) && !arg->is_optional && !emit->use[a].itself &&
           arg->access != ACCESS_READ && (size_t)arg->dim * arg->type->size % 16 == 0 &&
           type_same(pointer_elem(emit, a), arg->type);
}

static int record_components(const struct emit *emit, int a)
{
    return emit->binding[a] == BIND_STAGED
               ? stage_transfer(emit->loop, emit->stage, TRANSFER_IN, a)->components
               : emit->loop->arg[a].dim;
}

static void print_pointer(struct emit *emit, int a, int c)
{
    struct type to = {.kind = TYPE_POINTER, .elem = pointer_elem(emit, a)};
    const char *name = column_name(emit, a, c);
    if (is_record(emit, a)) {
        const char *record = place_pointer(emit, a, c, NULL);
        const char *read = shape_reads_little(emit->loop)
                               ? emit_format(emit, "cleave_load<%d>", record_components(emit, a))
                               : "cleave_aligned";
        out_assign(emit->out, emit_format(emit, "const auto %s", name), "=",
                   emit_format(emit, "%s(%s)", read, record));
    } else if (is_view(emit, a)) {
        out_assign(emit->out, emit_format(emit, "const auto %s", name), "=",
                   place_pointer(emit, a, c, NULL));
    } else {
        const char *record = place_pointer(emit, a, c, to.elem);
        name = emit_declaration(emit, &to, emit_format(emit, "const %s", name));
        out_assign(emit->out, name, "=",
                   is_aligned(emit, a) ? emit_format(emit, "cleave_aligned(%s)", record) : record);
    }
}

/* Prints an array of pointers to all columns, for a vector argument with a subscript that is not
 * constant. */
static void print_rows(struct emit *emit, int a)
{
    struct type to = {.kind = TYPE_POINTER, .elem = place_param_type(emit->loop, a)};
    const char *name = names_var(emit->loop->kernel->param[a], emit);
    int items = 0;
    name = emit_format(emit, "const %s[%d]", name, emit->loop->arg[a].columns);
    out_format(emit->out, "%s = {", emit_declaration(emit, &to, name));
    for (int c = 0; c < emit->loop->arg[a].columns; c++) {
        out_item(emit->out, &items, "%s", place_pointer(emit, a, c, to.elem));
    }
    out_text(emit->out, "};\n");
}

/* Prints copies of records, and marks their arguments in `held`, so that place_pointer() names the
 * copies. */
static void print_copies(struct emit *emit, bool *held)
{
    for (int a = 0; a < emit->loop->args; a++) {
        bool copied = emit->use[a].columns != 0 && is_copied(emit, a);
        for (int c = 0; copied && c < place_columns(&emit->loop->arg[a]); c++) {
            if ((emit->use[a].columns >> c & 1) != 0) {
                print_copy(emit, a, c);
            }
        }
        held[a] = copied || is_ahead(emit, a);
    }
    emit->held = held;
}

static void print_pointers(struct emit *emit)
{
    bool *held = arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(*held));
    const bool *ahead = emit->held;
    for (int m = 0; m < emit->shape->maps; m++) {
        for (int column = 0; column <= place_largest_column(emit); column++) {
            if (needs_point(emit, m, column)) {
                emit_point(emit, m, column);
            }
        }
    }
    print_copies(emit, held);
    for (int a = 0; a < emit->loop->args; a++) {
        const struct body_use *use = &emit->use[a];
        if (use->columns != 0 && emit->binding[a] == BIND_INDEX) {
            emit_index(emit, a);
        }
        if (emit->loop->arg[a].is_vector && use->itself) {
            print_rows(emit, a);
            continue;
        }
        for (int c = 0; c < CLEAVE_MAX_COLUMNS && emit->binding[a] != BIND_SLOT; c++) {
            if ((use->columns >> c & 1) != 0) {
                print_pointer(emit, a, c);
            }
        }
    }
    emit->held = ahead;
}

static void choose_prefixes(struct emit *emit, const struct stage *stage)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (has_own_columns(emit, a) && emit->use[a].columns != 0) {
            emit->use[a].prefix = free_prefix(emit, stage, a);
        }
    }
}

/* ---- stages ------------------------------------------------------------------------------------
 */

static void print_crossing(struct emit *emit, const struct var *var)
{
    const struct type *type = emit_writable(emit, var->type);
    bool scalar = type->kind != TYPE_ARRAY && type->kind != TYPE_RECORD;
    const char *zero = scalar ? "0" : emit_is_cxx(emit) ? "{}" : "{0}";
    out_line(emit->out, "%s = %s;", emit_declaration(emit, type, names_var(var, emit)), zero);
}

void emit_crossings(struct emit *emit)
{
    for (int v = 0; v < emit->schedule->crossings; v++) {
        print_crossing(emit, emit->schedule->crossing[v]);
    }
}

void emit_stage_crossings(struct emit *emit, const struct stage *stage)
{
    for (int v = 0; v < stage->makes; v++) {
        print_crossing(emit, stage->make[v]);
    }
}

void emit_stage_body(struct emit *emit, const struct stage *stage)
{
    emit->use = uses_of(emit, stage->body);
    const bool *carried = emit_carried_touched(emit);
    choose_prefixes(emit, stage);
    functions_mark_tree(emit, stage->body);
    emit_carried_begin(emit, carried);
    print_pointers(emit);
    struct stmt **statement =
        emit->variant->gathers ? order_statements(emit, stage) : stage->body->kid;
    for (int k = 0; k < stage->body->kids; k++) {
        emit_body_statement(emit, statement[k]);
    }
    emit_carried_end(emit, carried);
}

struct mention {
    const struct var *var;
    bool found;
};

static void note_mention(struct expr *expr, void *user)
{
    struct mention *mention = user;
    mention->found = mention->found || (expr->kind == EXPR_VAR && expr->var == mention->var);
}

static bool mentions(struct stmt *stmt, const struct var *var)
{
    struct mention mention = {var, false};
    stmt_visit(stmt, NULL, note_mention, &mention);
    return mention.found;
}

/* "v = x;", x without v. */
static bool sets(const struct stmt *stmt, const struct var *var)
{
    const struct expr *expr = stmt->kind == STMT_EXPR ? stmt->expr : NULL;
    if (expr == NULL || expr->kind != EXPR_ASSIGN || expr->compound ||
        expr->kid[0]->kind != EXPR_VAR || expr->kid[0]->var != var) {
        return false;
    }
    struct mention mention = {var, false};
    expr_visit(expr->kid[1], note_mention, &mention);
    return !mention.found;
}

/* An earlier stage set it, in part. */
static bool goes_on(const struct stage *stage, const struct var *var)
{
    for (int v = 0; v < stage->uses; v++) {
        if (stage->use[v] == var) {
            return true;
        }
    }
    return false;
}

/* The statement of the body that may declare a variable that the stage makes, because it sets it
 * always and before all others; -1: there is none. */
static int declares(const struct stage *stage, const struct var *var)
{
    for (int k = 0; k < stage->body->kids; k++) {
        if (mentions(stage->body->kid[k], var)) {
            return sets(stage->body->kid[k], var) ? k : -1;
        }
    }
    return -1;
}

static void print_declaration(struct emit *emit, const struct stmt *stmt)
{
    struct var var = *stmt->expr->kid[0]->var;
    struct stmt declaration = {.kind = STMT_DECL, .var = &var};
    var.type = emit_writable(emit, var.type);
    var.init = stmt->expr->kid[1];
    out_stmt(emit->out, &declaration, &emit->names);
}

void emit_stage_inline(struct emit *emit, const struct stage *stage)
{
    emit_stage_inline_each(emit, stage, NULL, NULL, NULL);
}

void emit_stage_inline_each(struct emit *emit, const struct stage *stage,
                            bool (*leaves_out)(struct emit *emit, int statement, void *user),
                            void (*after)(struct emit *emit, int statement, void *user), void *user)
{
    struct arena *arena = emit->file->program->arena;
    bool *declared = arena_alloc(arena, (size_t)stage->body->kids * sizeof(*declared));
    for (int v = 0; v < stage->makes; v++) {
        int k = goes_on(stage, stage->make[v]) ? -1 : declares(stage, stage->make[v]);
        if (k >= 0) {
            declared[k] = true;
        } else if (!goes_on(stage, stage->make[v])) {
            print_crossing(emit, stage->make[v]);
        }
    }
    emit->use = uses_of(emit, stage->body);
    if (stage->kind == STAGE_GATHER) {
        uses_add_updates(emit, stage);
    }
    const bool *carried = emit_carried_touched(emit);
    choose_prefixes(emit, stage);
    functions_mark_tree(emit, stage->body);
    emit_carried_begin(emit, carried);
    print_pointers(emit);
    for (int k = 0; k < stage->body->kids; k++) {
        if (leaves_out != NULL && declared[k] && leaves_out(emit, k, user)) {
            /* its value stands where it is used */
        } else if (declared[k]) {
            print_declaration(emit, stage->body->kid[k]);
        } else {
            emit_body_statement(emit, stage->body->kid[k]);
        }
        if (after != NULL) {
            after(emit, k, user);
        }
    }
    emit_carried_end(emit, carried);
}

void emit_update_pointers(struct emit *emit, const struct stage *stage)
{
    emit->use = uses_none(emit);
    uses_add_updates(emit, stage);
    print_pointers(emit);
}
