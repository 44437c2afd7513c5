/* openmp_stages.c: stages, one loop each.
 *
 * In: emit->schedule. Out: the text of its stages:
 *
 *   split   inside a block, piece by piece: each stage is a loop over the piece's elements, and
 *           arrays cleave_tmp_NAME[piece] hold what crosses from one to the next
 *   loops   the contribution over all elements, tmp(e) in memory, then the updates by block colours
 *   points  the contribution (or the effects), then one loop over the points of each map
 */
#include "codegen/openmp/openmp.h"
#include "pass/ir/arena.h"

enum { PIECE_BYTES = 32768, MAX_PIECE = 1024 };

static void enter_stage(struct emit *emit, int s)
{
    emit->stage = &emit->schedule->stage[s];
    emit->number = s + 1;
}

/* Updates by constants need no contribution. */
static bool is_idle(const struct stage *stage)
{
    return stage->kind == STAGE_CONTRIBUTION && stage->body != NULL && stage->body->kids == 0;
}

void openmp_what(struct emit *emit)
{
    out_format(emit->out, "stage %d: %s", emit->number, emit->stage->name);
}

/* ---- updates -----------------------------------------------------------------------------------
 */

static const struct shape_dat *dat_of(const struct emit *emit, const struct update *update)
{
    return &emit->shape->dat[emit->shape->dat_of[update->place.arg]];
}

/* "double *const cleave_to_res = cleave_dat_res + 4 * (size_t)cleave_p;" for each dat. */
static void print_targets(struct emit *emit, const char *record)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *dat = &emit->shape->dat[d];
        bool updated = false;
        for (int u = 0; u < emit->stage->updates; u++) {
            updated = updated || dat_of(emit, &emit->stage->update[u]) == dat;
        }
        if (!updated) {
            continue;
        }
        const char *at =
            emit_format(emit, "%s + %s", dat->name, place_offset(emit, dat->dim, record));
        out_assign(emit->out,
                   emit_format(emit, "%s *const cleave_to_%s", emit_type_name(emit, dat->type),
                               dat->label),
                   "=",
                   dat->optional ? emit_format(emit, "%s != NULL ? %s : NULL", dat->name, at) : at);
    }
}

static void print_update(struct emit *emit, const struct update *update)
{
    const struct shape_dat *dat = dat_of(emit, update);
    const char *value = emit_update_value(emit, update);
    const char *to = emit_format(emit, "cleave_to_%s[%d]", dat->label, update->place.component);
    enum access access = emit->loop->arg[update->place.arg].access;
    if (dat->optional) {
        out_line(emit->out, "if (cleave_to_%s != NULL) {", dat->label);
        emit->out->indent += 4;
    }
    if (access == ACCESS_INC) {
        out_assign(emit->out, to, update->negative ? "-=" : "+=", value);
    } else {
        out_line(emit->out, "if (%s %s %s) {", value, access == ACCESS_MIN ? "<" : ">", to);
        out_line(emit->out, "    %s = %s;", to, value);
        out_line(emit->out, "}");
    }
    if (dat->optional) {
        emit->out->indent -= 4;
        out_line(emit->out, "}");
    }
}

/* How many updates from u on add consecutive components of the private increments of a kernel that
 * is called whole; 1 for all others. */
static int run_length(const struct stage *stage, int u)
{
    const struct update *first = &stage->update[u];
    int run = 1;
    bool whole = first->value == NULL && first->place.component == 0;
    while (whole && u + run < stage->updates) {
        const struct update *next = &stage->update[u + run];
        if (next->value != NULL || next->place.arg != first->place.arg ||
            next->place.column != first->place.column ||
            next->place.component != first->place.component + run) {
            break;
        }
        run++;
    }
    return run;
}

/* Such a run from component 0 on: a kernel that is called whole may add to all. */
static void print_run(struct emit *emit, const struct update *first, int run)
{
    const struct shape_dat *dat = dat_of(emit, first);
    const struct arg *arg = &emit->loop->arg[first->place.arg];
    const char *row = arg->is_vector ? emit_format(emit, "[%d]", first->place.column) : "";
    const char *on = dat->optional ? emit_format(emit, "cleave_to_%s != NULL && ", dat->label) : "";
    out_line(emit->out, "for (int cleave_d = 0; %scleave_d < %d; cleave_d++) {", on, run);
    emit->out->indent += 4;
    out_assign(emit->out, emit_format(emit, "cleave_to_%s[cleave_d]", dat->label), "+=",
               emit_format(emit, "cleave_tmp_%s[cleave_i]%s[cleave_d]",
                           emit->shape->label[first->place.arg], row));
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void openmp_adds(struct emit *emit)
{
    int map = emit->shape->map_of[emit->stage->map];
    emit_update_points(emit, emit->stage);
    emit_update_pointers(emit, emit->stage);
    print_targets(emit, place_point(emit, map, emit->stage->column));
    for (int u = 0; u < emit->stage->updates;) {
        int run = run_length(emit->stage, u);
        if (run > 1) {
            print_run(emit, &emit->stage->update[u], run);
        } else {
            print_update(emit, &emit->stage->update[u]);
        }
        u += run;
    }
}

/* ---- contributions -----------------------------------------------------------------------------
 */

static void print_whole(struct emit *emit)
{
    for (int a = 0; a < emit->loop->args; a++) {
        const char *label = emit->shape->label[a];
        if (emit->binding[a] == BIND_TMP) {
            out_line(emit->out,
                     "memset(cleave_tmp_%s[cleave_i], 0, sizeof cleave_tmp_%s[cleave_i]);", label,
                     label);
        }
    }
    emit_locals(emit);
    emit_call(emit);
}

static bool makes(const struct stage *stage, const struct var *var)
{
    for (int v = 0; v < stage->makes; v++) {
        if (stage->make[v] == var) {
            return true;
        }
    }
    return false;
}

/* A variable of an earlier stage, from the piece's array; this stage may go on setting it. */
static void print_load(struct emit *emit, const struct var *var)
{
    const char *name = names_var(var, emit);
    const struct type *type = emit_writable(emit, var->type);
    const char *from = emit_format(emit, "cleave_tmp_%s[cleave_i]", name);
    const char *declaration = emit_declaration(emit, type, name);
    if (type->kind == TYPE_ARRAY) {
        out_line(emit->out, "%s;", declaration);
        out_line(emit->out, "memcpy(%s, %s, sizeof %s);", name, from, name);
    } else {
        const char *qualifier = makes(emit->stage, var) ? "" : "const ";
        out_assign(emit->out, emit_format(emit, "%s%s", qualifier, declaration), "=", from);
    }
}

static void print_store(struct emit *emit, const struct var *var)
{
    const char *name = names_var(var, emit);
    if (var->type->kind == TYPE_ARRAY) {
        out_line(emit->out, "memcpy(cleave_tmp_%s[cleave_i], %s, sizeof %s);", name, name, name);
    } else {
        out_line(emit->out, "cleave_tmp_%s[cleave_i] = %s;", name, name);
    }
}

static void print_piece_body(struct emit *emit)
{
    const struct stage *stage = emit->stage;
    for (int v = 0; v < stage->uses; v++) {
        print_load(emit, stage->use[v]);
    }
    emit_stage_inline(emit, stage);
    for (int v = 0; v < stage->makes; v++) {
        print_store(emit, stage->make[v]);
    }
}

void openmp_body(struct emit *emit)
{
    if (emit->stage->body == NULL) {
        print_whole(emit);
    } else if (emit->schedule->kind == SCHEDULE_SPLIT) {
        print_piece_body(emit);
    } else {
        emit_stage_inline(emit, emit->stage);
    }
    if (emit->stage->kind == STAGE_CONTRIBUTION && emit->schedule->kind != SCHEDULE_SPLIT) {
        emit_tmp_stores(emit);
    }
}

/* ---- split -------------------------------------------------------------------------------------
 */

void openmp_piece(struct emit *emit)
{
    size_t bytes = emit->schedule->crossing_bytes;
    size_t piece = PIECE_BYTES / (bytes > 0 ? bytes : 1);
    piece = piece < 1 ? 1 : piece > MAX_PIECE ? MAX_PIECE : piece;
    out_format(emit->out, "%zu", piece);
}

static void print_array(struct emit *emit, const struct type *type, const char *name)
{
    out_format(emit->out, "%s cleave_tmp_%s[", emit_type_name(emit, type), name);
    openmp_piece(emit);
    out_text(emit->out, "]");
}

void openmp_piece_arrays(struct emit *emit)
{
    for (int v = 0; v < emit->schedule->crossings; v++) {
        const struct var *var = emit->schedule->crossing[v];
        const struct type *leaf = emit_writable(emit, var->type);
        while (leaf->kind == TYPE_ARRAY) {
            leaf = leaf->elem;
        }
        print_array(emit, leaf, names_var(var, emit));
        for (const struct type *type = var->type; type->kind == TYPE_ARRAY; type = type->elem) {
            out_format(emit->out, "[%ld]", type->count);
        }
        out_text(emit->out, ";\n");
    }
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        if (emit->binding[a] == BIND_TMP) {
            print_array(emit, arg->type, emit->shape->label[a]);
            out_text(emit->out, arg->is_vector ? emit_format(emit, "[%d]", arg->columns) : "");
            out_line(emit->out, "[%d];", arg->dim);
        }
    }
}

static void print_piece_element(struct emit *emit)
{
    if (emit->stage->kind == STAGE_UPDATE || place_uses_element(emit)) {
        out_line(emit->out, "const int cleave_e = cleave_plan->order[cleave_at + cleave_i];");
    }
}

static void print_piece_work(struct emit *emit)
{
    if (emit->stage->kind == STAGE_UPDATE) {
        openmp_adds(emit);
    } else {
        openmp_body(emit);
    }
}

void openmp_piece_stages(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", openmp_what},
        {"element", print_piece_element},
        {"work", print_piece_work},
        {NULL, NULL},
    };
    emit->tmp_format = emit->schedule->crossings > 0 ? "cleave_tmp_%s[cleave_i]" : NULL;
    for (int s = 0; s < emit->schedule->stages; s++) {
        enter_stage(emit, s);
        if (!is_idle(emit->stage)) {
            out_text(emit->out, "\n");
            template_print(emit, template_openmp_piece, holes);
        }
    }
}

/* ---- loops -------------------------------------------------------------------------------------
 */

void openmp_update_loops(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", openmp_what},
        {"adds", openmp_adds},
        {NULL, NULL},
    };
    emit->tmp_format = "cleave_tmp_%s[cleave_e]";
    for (int s = 1; s < emit->schedule->stages; s++) {
        enter_stage(emit, s);
        out_text(emit->out, "\n");
        template_print(emit, template_openmp_update, holes);
    }
}

/* ---- points ------------------------------------------------------------------------------------
 */

static void print_element_work(struct emit *emit)
{
    if (emit->stage != NULL) {
        openmp_body(emit);
    }
}

static void print_element_what(struct emit *emit)
{
    if (emit->stage != NULL) {
        openmp_what(emit);
    } else {
        out_text(emit->out, "no element adds to what is reduced");
    }
}

void openmp_element_loop(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", print_element_what},
        {"copies", openmp_copies},
        {"work", print_element_work},
        {"partials", openmp_partials},
        {NULL, NULL},
    };
    const struct stage *first = &emit->schedule->stage[0];
    bool has_stage = first->kind != STAGE_GATHER && !is_idle(first);
    if (!has_stage && !emit->shape->reduces) {
        return;
    }
    emit->stage = NULL;
    if (has_stage) {
        enter_stage(emit, 0);
    }
    out_text(emit->out, "\n");
    template_print(emit, has_stage ? template_openmp_elements : template_openmp_nothing, holes);
}

static void print_list(struct emit *emit)
{
    const struct shape_map *map = &emit->shape->map[emit->shape->map_of[emit->stage->map]];
    out_format(emit->out, "%d", map->list);
}

/* Before a loop over points that follows another loop: what that one wrote may be read or added to.
 */
static void print_wait(struct emit *emit)
{
    bool follows = false;
    for (const struct stage *stage = emit->schedule->stage; stage != emit->stage; stage++) {
        follows = follows || !is_idle(stage);
    }
    if (follows) {
        out_line(emit->out, "cleave_wait_for_all(cleave_thread);");
    }
}

static void print_gather_targets(struct emit *emit)
{
    print_targets(emit, "cleave_p");
}

static bool updates_from_tmp(const struct emit *emit)
{
    for (int u = 0; u < emit->stage->updates; u++) {
        const struct expr *value = emit->stage->update[u].value;
        if (update_is_crossing(emit->schedule, value)) {
            return true;
        }
    }
    return false;
}

static void print_gather_element(struct emit *emit)
{
    bool computes = emit->stage->body != NULL;
    if ((computes ? place_uses_element(emit) : updates_from_tmp(emit)) ||
        update_uses_element(emit, emit->stage)) {
        out_line(emit->out, "const int cleave_e = cleave_list->item_element[cleave_k];");
    }
}

static void print_gather_body(struct emit *emit)
{
    if (emit->stage->body != NULL) {
        emit_stage_inline(emit, emit->stage);
    } else {
        emit_update_pointers(emit, emit->stage);
    }
}

static void print_column(struct emit *emit, int column)
{
    for (int u = 0; u < emit->stage->updates; u++) {
        const struct update *update = &emit->stage->update[u];
        if (emit_update_column(emit->loop, update) == column) {
            print_update(emit, update);
        }
    }
}

static bool updates_column(const struct emit *emit, int column)
{
    for (int u = 0; u < emit->stage->updates; u++) {
        if (emit_update_column(emit->loop, &emit->stage->update[u]) == column) {
            return true;
        }
    }
    return false;
}

static void print_cases(struct emit *emit)
{
    const struct shape_map *map = &emit->shape->map[emit->shape->map_of[emit->stage->map]];
    if ((map->conflicts & (map->conflicts - 1)) == 0) {
        print_column(emit, emit_update_column(emit->loop, &emit->stage->update[0]));
        return;
    }
    out_line(emit->out, "switch (cleave_list->item_column[cleave_k]) {");
    for (int k = 0; k < map->columns; k++) {
        if (updates_column(emit, map->column[k])) {
            out_line(emit->out, "case %d:", k);
            emit->out->indent += 4;
            print_column(emit, map->column[k]);
            out_line(emit->out, "break;");
            emit->out->indent -= 4;
        }
    }
    out_line(emit->out, "}");
}

void openmp_gathers(struct emit *emit)
{
    static const struct hole holes[] = {
        {"what", openmp_what},
        {"list", print_list},
        {"wait", print_wait},
        {"targets", print_gather_targets},
        {"element", print_gather_element},
        {"body", print_gather_body},
        {"cases", print_cases},
        {NULL, NULL},
    };
    bool stored = emit->schedule->kind == SCHEDULE_TWO_PASS;
    emit->tmp_format = stored ? "cleave_tmp_%s[cleave_e]" : NULL;
    for (int s = 0; s < emit->schedule->stages; s++) {
        enter_stage(emit, s);
        if (emit->stage->kind == STAGE_GATHER) {
            out_text(emit->out, "\n");
            template_print(emit, template_openmp_gather, holes);
        }
    }
}
