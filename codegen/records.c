/* records.c: records that a kernel which is called whole gets as copies of its own.
 *
 * In: a loop whose body splitter/ took apart, which tells what every element touches, and
 * emit->binding. Out: locals that are loaded before the call and, where they are modified, stored
 * after it. In memory a kernel works component by component: the hardware moves a record in parts
 * of 8 bytes or fewer, and a load must wait for every store before it that is not known to go
 * elsewhere. As a copy a record moves in its largest parts, and all loads are on their way before
 * the first value is used.
 *
 * Loading what is only written costs nothing: compilers drop loads whose values nobody uses. It
 * keeps components that the kernel leaves alone on some path, so that it is right whatever the
 * kernel does; which records are worth it is all that is decided here.
 */
#include "codegen/emit.h"

#include <string.h>

#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

/* ---- what a body does on every path ------------------------------------------------------------
 */

struct touch {
    struct place place; /* component -1: any */
    bool stored;        /* counts only where it is set */
};

static bool is_place(const struct expr *expr, const struct place *place)
{
    return expr->kind == EXPR_PLACE && expr->place.arg == place->arg &&
           expr->place.column == place->column &&
           (place->component < 0 || expr->place.component == place->component);
}

static bool sets_operand(const struct expr *expr)
{
    return expr->kind == EXPR_ASSIGN ||
           (expr->kind == EXPR_UNARY &&
            (expr->unary == UNARY_PRE_INC || expr->unary == UNARY_PRE_DEC ||
             expr->unary == UNARY_POST_INC || expr->unary == UNARY_POST_DEC));
}

/* Operands that are evaluated whenever the expression is. */
static int certain_kids(const struct expr *expr)
{
    bool first_decides =
        expr->kind == EXPR_COND ||
        (expr->kind == EXPR_BINARY && (expr->binary == BINARY_LAND || expr->binary == BINARY_LOR));
    return first_decides ? 1 : expr->kids;
}

static bool always_in_expr(const struct expr *expr, const struct touch *touch)
{
    bool touches = touch->stored ? sets_operand(expr) && is_place(expr->kid[0], &touch->place)
                                 : is_place(expr, &touch->place);
    for (int k = 0; k < certain_kids(expr) && !touches; k++) {
        touches = always_in_expr(expr->kid[k], touch);
    }
    return touches || (expr->kind == EXPR_COND && always_in_expr(expr->kid[1], touch) &&
                       always_in_expr(expr->kid[2], touch));
}

/* The statement touches the place on every path. Loops and switches count as not touching it; a
 * stage's body has no return. */
static bool always_in(const struct stmt *stmt, const struct touch *touch)
{
    switch (stmt->kind) {
    case STMT_EXPR:
        return always_in_expr(stmt->expr, touch);
    case STMT_DECL:
        return stmt->var->init != NULL && always_in_expr(stmt->var->init, touch);
    case STMT_IF:
        return always_in_expr(stmt->expr, touch) ||
               (stmt->kids == 2 && always_in(stmt->kid[0], touch) &&
                always_in(stmt->kid[1], touch));
    case STMT_BLOCK:
        for (int k = 0; k < stmt->kids; k++) {
            if (always_in(stmt->kid[k], touch)) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

/* ---- which records -----------------------------------------------------------------------------
 */

/* The body, taken apart; NULL: it is not known. */
static struct stmt *known_body(const struct loop *loop)
{
    bool known = loop->graph != NULL && loop->schedules > 0 && loop->schedule[AT_FUSED].legal;
    return known ? loop->schedule[AT_FUSED].stage[0].body : NULL;
}

/* No other argument names the dat, so none can see a modified record before it is stored. */
static bool is_sole(const struct loop *loop, int a)
{
    for (int other = 0; other < loop->args; other++) {
        if (other != a && loop->arg[other].kind == ARG_DAT &&
            loop->arg[other].dat == loop->arg[a].dat) {
            return false;
        }
    }
    return true;
}

/* The body touches the record on every path. Otherwise copying it could move more data than the
 * kernel does. */
static bool is_always_touched(const struct loop *loop, struct stmt *body, int a)
{
    const struct arg *arg = &loop->arg[a];
    struct touch touch = {{a, 0, -1}, arg->access != ACCESS_READ};
    for (int c = 0; c < place_columns(arg); c++) {
        touch.place.column = c;
        for (int d = 0; d < (touch.stored ? arg->dim : 1); d++) {
            touch.place.component = touch.stored ? d : -1;
            if (!always_in(body, &touch)) {
                return false;
            }
        }
    }
    return true;
}

/* The kernel may work on a copy of the record, and the copy moves no more data. */
static bool may_be_copied(struct emit *emit, struct stmt *body, int a)
{
    const struct loop *loop = emit->loop;
    const struct arg *arg = &loop->arg[a];
    const struct type *type = place_param_type(loop, a);
    if (arg->is_optional || body_subscripts(emit, body, a)) {
        return false;
    }
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    bool is_separate = arg->access == ACCESS_READ
                           ? !emit->shape->dat[emit->shape->dat_of[a]].modified
                           : is_sole(loop, a);
    return is_separate && type_same(type, arg->type) && is_always_touched(loop, body, a);
}

static bool is_worth_holding(struct emit *emit, struct stmt *body, int a)
{
    bool in_memory = emit->binding[a] == BIND_DIRECT ||
                     (emit->binding[a] == BIND_MAP && emit->loop->arg[a].access == ACCESS_READ);
    return in_memory && may_be_copied(emit, body, a);
}

/* The kernel wants a pointer, and a record of a structure of arrays has none. */
static bool must_hold(const struct emit *emit, int a)
{
    return emit->loop->arg[a].kind == ARG_DAT && place_is_soa(emit, a) &&
           !place_is_templated(emit, a);
}

/* ---- rows --------------------------------------------------------------------------------------
 *
 * Long records of the element itself may be moved by warps (runtime/device/rows.cuh).
 */

enum { WIDEST_PART = 16 }; /* bytes that one instruction of a thread moves, at most */

static size_t record_bytes(const struct arg *arg)
{
    return (size_t)place_columns(arg) * (size_t)arg->dim * arg->type->size;
}

/* Bytes of shared memory in which a warp exchanges records of the argument: cleave_rows_bytes of
 * the header. */
static size_t exchange_bytes(const struct emit *emit, const struct arg *arg)
{
    return (size_t)emit->file->target->lanes * (size_t)(arg->dim | 1) * arg->type->size;
}

/* A thread would move the record by more instructions than lanes share sectors well: each writes a
 * part of every sector that the warp's records cover, and the second cache counts each part. */
static bool is_scattered(const struct arg *arg)
{
    const size_t bytes = record_bytes(arg);
    size_t part = WIDEST_PART;
    while (bytes % part != 0) {
        part /= 2;
    }
    return bytes / part > (size_t)machines[MACHINE_GPU].record_parts;
}

static bool may_be_row(struct emit *emit, struct stmt *body, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    const struct machine *gpu = &machines[MACHINE_GPU];
    const size_t warps = (size_t)(gpu->block_threads / emit->file->target->lanes);
    return arg->kind == ARG_DAT && !arg->is_indirect && !arg->is_vector && arg->type->size >= 4 &&
           !emit->shape->dat[emit->shape->dat_of[a]].soa &&
           (record_bytes(arg) > gpu->coalesced_record_bytes ||
            (arg->access != ACCESS_READ && is_scattered(arg))) &&
           warps * exchange_bytes(emit, arg) <= gpu->block_shared_bytes &&
           may_be_copied(emit, body, a);
}

/* Adds the records that the loop only reads, or those that it modifies; returns the bytes of all.
 */
static size_t add_rows(struct emit *emit, bool *row, bool reads, size_t bytes)
{
    struct stmt *body = emit->file->target->loads_records ? known_body(emit->loop) : NULL;
    for (int a = 0; body != NULL && a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if ((arg->access == ACCESS_READ) == reads && may_be_row(emit, body, a) &&
            bytes + record_bytes(arg) <= machines[MACHINE_GPU].row_bytes) {
            row[a] = true;
            bytes += record_bytes(arg);
        }
    }
    return bytes;
}

/* On an H200, loops that write records of 6 to 25 doubles took 0.15 to 0.8 of the time with rows;
 * one that reads 56 doubles and reduces took 1.1 times as long, because rows take registers. So
 * there are none unless the loop modifies one, and a loop that reduces reads by itself.
 * testsuite/bench/results/2026-11-23-rows-h200.txt. Returns the bytes of all rows. */
static size_t find_rows(struct emit *emit, bool *row)
{
    memset(row, 0, (size_t)emit->loop->args * sizeof *row);
    const size_t modified = add_rows(emit, row, false, 0);
    return modified == 0 || emit->shape->reduces ? modified : add_rows(emit, row, true, modified);
}

static bool *new_flags(const struct emit *emit)
{
    return arena_alloc(emit->file->program->arena, (size_t)emit->loop->args * sizeof(bool));
}

size_t emit_rows_bytes(struct emit *emit)
{
    bool *row = new_flags(emit);
    size_t most = 0;
    find_rows(emit, row);
    for (int a = 0; a < emit->loop->args; a++) {
        const size_t bytes = row[a] ? exchange_bytes(emit, &emit->loop->arg[a]) : 0;
        most = bytes > most ? bytes : most;
    }
    return (most + 15) / 16 * 16;
}

static const char *first_record(struct emit *emit, int a)
{
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[a]];
    return emit_format(emit, "%s + %s", dat->name, place_offset(emit, dat->dim, "cleave_first"));
}

void emit_row_loads(struct emit *emit)
{
    bool *row = new_flags(emit);
    find_rows(emit, row);
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const char *name = record_name(emit, a, 0);
        if (row[a] && arg->access == ACCESS_WRITE) {
            out_line(emit->out, "cleave_record<%s, %d> %s = {};", emit_type_name(emit, arg->type),
                     arg->dim, name);
        } else if (row[a]) {
            out_assign(emit->out, emit_format(emit, "auto %s", name), "=",
                       emit_format(emit, "cleave_rows_load<%d>(cleave_area, %s, cleave_rows)",
                                   arg->dim, first_record(emit, a)));
        }
    }
}

/* Begins a store that zeros may do without. */
static void print_whether(struct emit *emit, int a)
{
    const int dat = emit->shape->dat_of[a];
    const char *zeros = emit->shape->dat[dat].zeros;
    if (zeros != NULL && emit_is_of_one_stage(emit, dat)) {
        out_line(emit->out, "if ((%s & CLEAVE_ZEROS_LEAVE) == 0)", zeros);
        out_text(emit->out, "    ");
    }
}

void emit_row_stores(struct emit *emit)
{
    bool *row = new_flags(emit);
    find_rows(emit, row);
    for (int a = 0; a < emit->loop->args; a++) {
        if (row[a] && emit->loop->arg[a].access != ACCESS_READ) {
            print_whether(emit, a);
            out_line(emit->out, "cleave_rows_store(cleave_area, %s, cleave_rows, %s);",
                     first_record(emit, a), record_name(emit, a, 0));
        }
    }
}

/* ---- text --------------------------------------------------------------------------------------
 */

const char *record_name(struct emit *emit, int a, int c)
{
    const char *label = emit->shape->label[a];
    return emit->loop->arg[a].is_vector ? emit_format(emit, "cleave_rec_%s_%d", label, c)
                                        : emit_format(emit, "cleave_rec_%s", label);
}

/* Whether the kernel holds the record beyond machine.held_bytes, too. A joined loop has the records
 * of all its members; those that it only stores, and stores wholly, are not loaded, so that they
 * take registers no longer than until their values are complete. In memory each of their components
 * would be a store of its own, which writes a part of every sector. */
static bool is_always_held(const struct emit *emit, int a)
{
    return emit->loop - emit->file->program->loop >= emit->file->program->user_loops &&
           emit->loop->arg[a].access == ACCESS_WRITE && emit->loop->arg[a].sets_whole;
}

void emit_record_loads(struct emit *emit)
{
    struct stmt *body = emit->file->target->loads_records ? known_body(emit->loop) : NULL;
    bool *held = new_flags(emit);
    bool *row = new_flags(emit);
    size_t bytes = emit->variant->rows ? find_rows(emit, row) : 0;
    emit->held = NULL;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const size_t size = record_bytes(arg);
        bool fits = bytes + size <= machines[MACHINE_GPU].held_bytes;
        bool worth = body != NULL && arg->kind == ARG_DAT && !row[a] &&
                     (fits || is_always_held(emit, a)) && is_worth_holding(emit, body, a);
        held[a] = row[a] || worth || must_hold(emit, a);
        if (!held[a] || row[a]) {
            continue;
        }
        bytes += fits || !is_always_held(emit, a) ? size : 0;
        for (int c = 0; c < place_columns(arg); c++) {
            out_assign(emit->out, emit_format(emit, "auto %s", record_name(emit, a, c)), "=",
                       emit_format(emit, "cleave_load<%d>(%s)", arg->dim,
                                   place_pointer(emit, a, c, NULL)));
        }
    }
    emit->held = held;
}

struct constant_store {
    int arg;
    bool found;
};

static bool is_constant(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST || expr->kind == EXPR_UNARY) {
        expr = expr->kid[0];
    }
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
}

static void find_constant_store(struct expr *expr, void *user)
{
    struct constant_store *store = user;
    store->found =
        store->found ||
        (expr->kind == EXPR_ASSIGN && !expr->compound && expr->kid[0]->kind == EXPR_PLACE &&
         expr->kid[0]->place.arg == store->arg && is_constant(expr->kid[1]));
}

static bool stores_constant(struct emit *emit, int a)
{
    struct constant_store store = {.arg = a};
    stmt_visit(known_body(emit->loop), NULL, find_constant_store, &store);
    return store.found;
}

static void print_stores(struct emit *emit, const bool *held, bool constants)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (held[a] && emit->loop->arg[a].access != ACCESS_READ &&
            stores_constant(emit, a) == constants) {
            print_whether(emit, a);
            out_line(emit->out, "cleave_store(%s, %s);", place_pointer(emit, a, 0, NULL),
                     record_name(emit, a, 0));
        }
    }
}

/* A store of a constant waits for no load, so the hardware would execute it while the same record
 * is still being loaded, and hold up the loads of other warps. Behind a store of what was computed
 * from the records it comes after the loads. */
void emit_record_stores(struct emit *emit)
{
    const bool *held = emit->held;
    bool *row = new_flags(emit);
    bool *stored = new_flags(emit);
    emit->held = NULL;
    if (held == NULL) {
        return;
    }
    if (emit->variant->rows) {
        find_rows(emit, row);
    }
    for (int a = 0; a < emit->loop->args; a++) {
        stored[a] = held[a] && !row[a];
    }
    print_stores(emit, stored, false);
    print_stores(emit, stored, true);
}
