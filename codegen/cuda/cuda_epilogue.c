/* cuda_epilogue.c: what a point does once its sums are complete: the epilogues of a joined loop.
 *
 * In: a loop with epilogues, and the sums in registers (cuda_owner_sums.c). Out: the hole
 * `epilogue` of cuda_points_epilogue.tpl and cuda_owners_epilogue.tpl. The point's records are
 * loaded, get the sums, pass through phases (cuda_phases.c) and epilogues in registers, and are
 * stored whole, so that components which no epilogue writes stay as they were. Records that other
 * points read while the kernel runs are stored in a second buffer (shape_dat.doubled), which the
 * runtime exchanges with the dat's afterwards.
 */
#include <string.h>

#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"

static const char *record(struct emit *emit, const struct shape_dat *dat)
{
    return emit_format(emit, "cleave_self_%s", dat->label);
}

const char *cuda_own_record(struct emit *emit, const struct shape_dat *dat)
{
    return record(emit, dat);
}

static bool names_dat(const struct emit *emit, const struct epilogue *epilogue, int d, bool *writes)
{
    bool names = false;
    for (int p = 0; p < epilogue->kernel->params; p++) {
        int a = epilogue->arg[p];
        if (emit->shape->dat_of[a] == d && !emit->loop->arg[a].is_indirect) {
            names = true;
            *writes = *writes || emit->loop->arg[a].access != ACCESS_READ;
        }
    }
    return names;
}

/* Whether a phase, or an epilogue, uses the point's own record of dat d; *writes: whether one
 * modifies it. */
static bool is_used(const struct emit *emit, int d, bool *writes)
{
    bool used = cuda_phase_adds(emit, d);
    *writes = used;
    for (int n = 0; n < emit->loop->epilogues; n++) {
        used = names_dat(emit, &emit->loop->epilogue[n], d, writes) || used;
    }
    return used;
}

static const char *at_point(struct emit *emit, const char *name, const struct shape_dat *dat)
{
    return emit_format(emit, "%s + %s", name, place_offset(emit, dat->dim, "cleave_p"));
}

/* ---- sums -------------------------------------------------------------------------------------
 */

static void print_stored(struct emit *emit, const struct shape_dat *dat)
{
    if (type_is_floating(dat->type)) {
        for (int c = 0; c < dat->dim; c++) {
            const char *value = emit_format(emit, "%s.v[%d]", record(emit, dat), c);
            out_assign(emit->out, value, "=",
                       emit_format(emit, "cleave_stored%s(%s)",
                                   dat->type->kind == TYPE_FLOAT ? "f" : "", value));
        }
    }
}

/* The point's record gets the sum of one component; memory, if no epilogue uses the dat. */
static void print_sum(struct emit *emit, const struct owner_sum *sum, int c, const char *to)
{
    const char *value = owner_sum_name(emit, sum, c);
    if (sum->access == ACCESS_INC) {
        out_assign(emit->out, to, "+=", value);
    } else {
        out_line(emit->out, "cleave_%s(%s, %s);", sum->access == ACCESS_MIN ? "lower" : "raise", to,
                 value);
    }
}

static void print_sums(struct emit *emit)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, emit->stage, false, &sum);
    bool writes;
    for (int n = 0; n < sums; n++) {
        bool used = is_used(emit, (int)(sum[n].dat - emit->shape->dat), &writes);
        for (int c = 0; c < sum[n].update.components; c++) {
            int component = sum[n].update.component[c];
            const char *to =
                used ? emit_format(emit, "%s.v[%d]", record(emit, sum[n].dat), component)
                     : emit_format(emit, "%s[%s + %d]", sum[n].dat->name,
                                   place_offset(emit, sum[n].dat->dim, "cleave_p"), component);
            print_sum(emit, &sum[n], c, to);
        }
        if (used) {
            print_stored(emit, sum[n].dat);
        }
    }
}

static void print_phases(struct emit *emit)
{
    cuda_phases(emit);
    for (int d = 0; d < emit->shape->dats; d++) {
        if (cuda_phase_adds(emit, d)) {
            print_stored(emit, &emit->shape->dat[d]);
        }
    }
}

static bool has_sums(struct emit *emit, int d)
{
    struct owner_sum *sum;
    int sums = owner_find_sums(emit, emit->stage, false, &sum);
    bool has = false;
    for (int n = 0; n < sums; n++) {
        has = has || sum[n].dat == &emit->shape->dat[d];
    }
    return has;
}

/* ---- records through maps ---------------------------------------------------------------------
 */

/* A longer record stays in memory: a kernel may use few components of it, or find them by
 * subscripts that only memory allows. Bytes. */
enum { MOST_LOADED = 64 };

static const char *near_name(struct emit *emit, int a)
{
    return emit_format(emit, "cleave_near_%s", emit->shape->label[a]);
}

/* Columns of the map's row that the epilogues use, from the first one on. */
static int row_of(const struct emit *emit, int m)
{
    int columns = 0;
    for (int a = 0; a < emit->loop->args; a++) {
        const struct arg *arg = &emit->loop->arg[a];
        const bool reads = arg->is_point && arg->is_indirect && emit->shape->map_of[a] == m;
        for (int c = 0; reads && c < place_columns(arg); c++) {
            columns = place_column(arg, c) >= columns ? place_column(arg, c) + 1 : columns;
        }
    }
    return columns;
}

/* "const auto cleave_row_pcell = cleave_row_of<4>(cleave_map_pcell, cleave_width_pcell,
 * cleave_p);": all rows, before something waits for a record. */
static void print_rows(struct emit *emit)
{
    for (int m = 0; m < emit->shape->maps; m++) {
        const char *map = emit->shape->map[m].label;
        const int columns = row_of(emit, m);
        if (columns > 0) {
            out_assign(emit->out, emit_format(emit, "const auto cleave_row_%s", map), "=",
                       emit_format(emit,
                                   "cleave_row_of<%d>(cleave_map_%s, cleave_width_%s, cleave_p)",
                                   columns, map, map));
        }
    }
}

/* "2 * (size_t)cleave_row_pcell[1]" behind the dat's name: where the record that column c of the
 * argument leads to begins. */
static const char *through_map(struct emit *emit, int a, int c)
{
    const struct arg *arg = &emit->loop->arg[a];
    const struct shape_dat *dat = &emit->shape->dat[emit->shape->dat_of[a]];
    const char *map = emit->shape->map[emit->shape->map_of[a]].label;
    const char *point = emit_format(emit, "cleave_row_%s[%d]", map, place_column(arg, c));
    return emit_format(emit, "%s + %s", dat->name, place_offset(emit, dat->dim, point));
}

/* "cleave_near_x_0": a copy of the record, or a pointer to it. */
static void print_near(struct emit *emit, int a, int c)
{
    const struct arg *arg = &emit->loop->arg[a];
    const char *name = emit_format(emit, "%s_%d", near_name(emit, a), c);
    const char *place = through_map(emit, a, c);
    if ((size_t)arg->dim * arg->type->size <= MOST_LOADED) {
        out_assign(emit->out, emit_format(emit, "auto %s", name), "=",
                   emit_format(emit, "cleave_load<%d>(%s)", arg->dim, place));
    } else {
        const char *type = emit_type_name(emit, arg->type);
        out_assign(emit->out, emit_format(emit, "%s *%s", type, name), "=",
                   emit_format(emit, "(%s *)(%s)", type, place));
    }
}

static const char *near_pointer(struct emit *emit, int a, int c)
{
    const struct arg *arg = &emit->loop->arg[a];
    const bool loaded = (size_t)arg->dim * arg->type->size <= MOST_LOADED;
    return emit_format(emit, "%s_%d%s", near_name(emit, a), c, loaded ? ".v" : "");
}

/* "const double *cleave_near_x[4] = {cleave_near_x_0.v, ...};" */
static void print_vector(struct emit *emit, int a, const struct type *to)
{
    const struct type pointer = {.kind = TYPE_POINTER, .elem = to};
    int items = 0;
    out_format(emit->out, "%s = {",
               emit_declaration(emit, &pointer,
                                emit_format(emit, "%s[%d]", near_name(emit, a),
                                            place_columns(&emit->loop->arg[a]))));
    for (int c = 0; c < place_columns(&emit->loop->arg[a]); c++) {
        out_item(emit->out, &items, "(%s)%s", emit_declaration(emit, &pointer, ""),
                 near_pointer(emit, a, c));
    }
    out_text(emit->out, "};\n");
}

static bool has_near(const struct emit *emit, const struct epilogue *epilogue)
{
    bool has = false;
    for (int p = 0; p < epilogue->kernel->params; p++) {
        has = has || emit->loop->arg[epilogue->arg[p]].is_indirect;
    }
    return has;
}

static void print_all_near(struct emit *emit, const struct epilogue *epilogue)
{
    for (int p = 0; p < epilogue->kernel->params; p++) {
        const struct arg *arg = &emit->loop->arg[epilogue->arg[p]];
        for (int c = 0; arg->kind == ARG_DAT && arg->is_indirect && c < place_columns(arg); c++) {
            print_near(emit, epilogue->arg[p], c);
        }
        if (arg->kind == ARG_DAT && arg->is_vector) {
            print_vector(emit, epilogue->arg[p], epilogue->kernel->param[p]->type->elem->elem);
        }
    }
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* "(const double *)" where a parameter is no plain pointer to components of the argument's type. */
static const char *cast_of(struct emit *emit, const struct function *kernel, int p, int a)
{
    const struct type *to = kernel->param[p]->type->elem;
    int f = program_function_index(emit->file->program, kernel);
    bool is_templated = emit->file->templated != NULL && f >= 0 && emit->file->templated[f][p];
    if (is_templated || type_same(to, emit->loop->arg[a].type)) {
        return "";
    }
    const struct type pointer = {.kind = TYPE_POINTER, .elem = to};
    return emit_format(emit, "(%s)", emit_declaration(emit, &pointer, ""));
}

static const char *pointer_of(struct emit *emit, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    int d = emit->shape->dat_of[a];
    if (d < 0) {
        return place_pointer(emit, a, 0, NULL);
    }
    return arg->is_vector     ? near_name(emit, a)
           : arg->is_indirect ? near_pointer(emit, a, 0)
                              : emit_format(emit, "%s.v", record(emit, &emit->shape->dat[d]));
}

static void print_call(struct emit *emit, const struct epilogue *epilogue)
{
    const bool is_block = has_near(emit, epilogue);
    int items = 0;
    if (is_block) {
        out_text(emit->out, "{\n");
        print_all_near(emit, epilogue);
    }
    functions_mark(emit, epilogue->kernel);
    out_format(emit->out, "%s(", names_function(epilogue->kernel, emit));
    for (int p = 0; p < epilogue->kernel->params; p++) {
        int a = epilogue->arg[p];
        const char *cast =
            emit->loop->arg[a].is_vector ? "" : cast_of(emit, epilogue->kernel, p, a);
        out_item(emit->out, &items, "%s%s", cast, pointer_of(emit, a));
    }
    out_text(emit->out, is_block ? ");\n}\n" : ");\n");
}

/* Marks as stored what earlier epilogues wrote and this one uses. */
static void print_passing(struct emit *emit, int n)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        bool written = false;
        bool ignored = false;
        for (int before = 0; before < n; before++) {
            names_dat(emit, &emit->loop->epilogue[before], d, &written);
        }
        if (written && names_dat(emit, &emit->loop->epilogue[n], d, &ignored)) {
            print_stored(emit, &emit->shape->dat[d]);
        }
    }
}

/* ---- the hole ---------------------------------------------------------------------------------
 */

static void print_loads(struct emit *emit)
{
    bool writes;
    out_comment(emit->out, "The point's own records, with their sums.");
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *dat = &emit->shape->dat[d];
        if (is_used(emit, d, &writes) && cuda_named_holds(emit, d)) {
            out_assign(emit->out, emit_format(emit, "auto %s", record(emit, dat)), "=",
                       emit_format(emit, "cleave_mine_%s", dat->label));
        } else if (is_used(emit, d, &writes)) {
            const char *zeros = dat->starts
                                    ? emit_format(emit, "_unless<CLEAVE_ZEROS_KNOWN, %d>(%s, ",
                                                  dat->dim, dat->zeros)
                                    : emit_format(emit, "<%d>(", dat->dim);
            out_assign(
                emit->out, emit_format(emit, "auto %s", record(emit, dat)), "=",
                emit_format(emit, "cleave_load%s%s)", zeros, at_point(emit, dat->name, dat)));
        }
    }
    print_rows(emit);
    print_sums(emit);
    print_phases(emit);
}

/* Whether the epilogues leave zeros in dat d. */
static bool sets_zeros(const struct emit *emit, int d)
{
    bool zeros = false;
    for (int a = 0; a < emit->loop->args; a++) {
        zeros = zeros || (emit->shape->dat_of[a] == d && emit->loop->arg[a].sets_zeros);
    }
    return zeros;
}

static void print_stores(struct emit *emit)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *dat = &emit->shape->dat[d];
        bool writes;
        if (is_used(emit, d, &writes) && (writes || has_sums(emit, d))) {
            if (dat->zeros != NULL && sets_zeros(emit, d)) {
                out_line(emit->out, "if ((%s & CLEAVE_ZEROS_LEAVE) == 0)", dat->zeros);
                out_text(emit->out, "    ");
            }
            out_line(emit->out, "cleave_store(%s, %s);",
                     at_point(emit, dat->doubled ? dat->next : dat->name, dat), record(emit, dat));
        }
    }
}

void cuda_epilogue(struct emit *emit)
{
    print_loads(emit);
    for (int n = 0; n < emit->loop->epilogues; n++) {
        print_passing(emit, n);
        print_call(emit, &emit->loop->epilogue[n]);
    }
    print_stores(emit);
}
