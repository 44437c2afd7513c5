/* openmp_rest.c: the functions that compute a run of elements for a loop that has lanes.
 *
 * In: a variant whose elements are computed as lanes compute them. Out: the heads of a lane
 * function, which is compiled once for each width, and of the function that computes one element
 * after the other, which is compiled once; and their calls. The function of one thread, which both
 * variants share, chooses among them by launch->lane_bytes. Lane functions call the other one for
 * the elements behind the last vector:
 *
 *     static void res_calc_fused_range_rest(const struct cleave_launch *cleave_launch,
 *                                           int cleave_begin, int cleave_e, int cleave_end)
 */
#include <string.h>

#include "codegen/openmp/openmp.h"
#include "codegen/openmp/recipes.h"
#include "pass/ir/arena.h"

struct parameter {
    const char *declaration; /* "int cleave_e" */
    const char *name;        /* of what calls pass for it, too */
};

struct parameters {
    struct parameter *parameter;
    int count;
};

static void add_parameter(struct emit *emit, struct parameters *all, const char *type,
                          const char *name, const char *behind)
{
    const char *declaration = emit_format(emit, "%s%s%s", type, name, behind);
    all->parameter[all->count++] = (struct parameter){declaration, name};
}

static struct parameters parameters_of(struct emit *emit)
{
    enum { ALWAYS = 4 };
    size_t most = ALWAYS + (size_t)emit->loop->args;
    struct parameters all = {arena_alloc(emit->file->program->arena, most * sizeof(*all.parameter)),
                             0};
    add_parameter(emit, &all, "const struct cleave_launch *", "cleave_launch", "");
    add_parameter(emit, &all, "int ", "cleave_begin", "");
    add_parameter(emit, &all, "int ", "cleave_e", "");
    add_parameter(emit, &all, "int ", "cleave_end", "");
    for (int a = 0; a < emit->loop->args; a++) {
        if (place_has_slots(emit, a)) {
            add_parameter(
                emit, &all, emit_format(emit, "%s ", emit_type_name(emit, emit->loop->arg[a].type)),
                emit_format(emit, "cleave_gbl_%s", emit->shape->label[a]), "[][CLEAVE_SLOTS]");
        }
    }
    return all;
}

const char *openmp_name_without_lanes(struct emit *emit, const char *suffix)
{
    static const char lanes[] = "_lanes";
    const char *name = emit->variant->name;
    size_t length = strlen(name);
    size_t behind = sizeof(lanes) - 1;
    bool has_lanes = length > behind && strcmp(name + length - behind, lanes) == 0;
    return emit_format(emit, "%.*s%s", (int)(has_lanes ? length - behind : length), name, suffix);
}

static void print_head(struct emit *emit, const char *start)
{
    struct parameters all = parameters_of(emit);
    int items = 0;
    out_format(emit->out, "%s(", start);
    for (int p = 0; p < all.count; p++) {
        out_item(emit->out, &items, "%s", all.parameter[p].declaration);
    }
    out_text(emit->out, ")");
}

void openmp_lanes_head(struct emit *emit)
{
    print_head(emit, emit_format(emit, "static void CLEAVE_LANE_NAME(%s)", emit->variant->name));
}

/* The draft of the function leaves the parameters out, so that openmp_rest_unused() learns from it
 * which of them the text needs. */
static void find_loop(struct stmt *stmt, void *user)
{
    bool *found = user;
    *found = *found || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
}

void openmp_rest_head(struct emit *emit)
{
    bool has_loops = false;
    stmt_visit(emit->loop->whole->stage[0].body, find_loop, NULL, &has_loops);
    if (emit->text[0] != '\0') {
        print_head(emit,
                   emit_format(emit, "CLEAVE_LANE_REST%s void %s", has_loops ? "_OF_LOOPS" : "",
                               openmp_name_without_lanes(emit, "_rest")));
    }
}

static bool uses_data(const struct emit *emit)
{
    bool uses = false;
    for (int d = 0; d < emit->shape->dats; d++) {
        uses = uses || place_uses_dat(emit, d);
    }
    for (int m = 0; m < emit->shape->maps; m++) {
        uses = uses || place_uses_map(emit, m);
    }
    return uses;
}

void openmp_rest_unused(struct emit *emit)
{
    struct parameters all = parameters_of(emit);
    if (!uses_data(emit)) {
        out_line(emit->out, "(void)cleave_launch;");
    }
    for (int p = 1; p < all.count && emit->text[0] != '\0'; p++) {
        if (!emit_mentions(emit, all.parameter[p].name)) {
            out_line(emit->out, "(void)%s;", all.parameter[p].name);
        }
    }
}

/* Prints a call of the function for the elements from cleave_e to `end`. */
static void print_call(struct emit *emit, const char *function, const char *end)
{
    struct parameters all = parameters_of(emit);
    int items = 0;
    out_format(emit->out, "%s(", function);
    for (int p = 0; p < all.count; p++) {
        bool is_end = strcmp(all.parameter[p].name, "cleave_end") == 0;
        out_item(emit->out, &items, "%s", is_end ? end : all.parameter[p].name);
    }
    out_text(emit->out, ");\n");
}

static void print_call_if_any(struct emit *emit, const char *end)
{
    out_line(emit->out, "if (cleave_e < %s) {", end);
    emit->out->indent += 4;
    print_call(emit, openmp_name_without_lanes(emit, "_rest"), end);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}

void openmp_rest_call(struct emit *emit)
{
    print_call_if_any(emit, "cleave_end");
}

void openmp_singles_call(struct emit *emit)
{
    print_call_if_any(emit, "cleave_next");
}

static bool calls_lanes(struct emit *emit)
{
    return emit->variant->as_lanes && openmp_has_lanes(emit);
}

void openmp_choose_lanes(struct emit *emit)
{
    if (calls_lanes(emit)) {
        const char *rest = openmp_name_without_lanes(emit, "_rest");
        out_code(emit->out, emit_format(emit,
                                        "__typeof__(%s) *const cleave_compute = "
                                        "CLEAVE_LANE_AT(cleave_launch->lane_bytes, %s_lanes, %s);",
                                        rest, emit->variant->name, rest));
    }
}

void openmp_run_elements(struct emit *emit)
{
    if (calls_lanes(emit)) {
        out_line(emit->out, "const int cleave_e = cleave_begin;");
        print_call(emit, "cleave_compute", "cleave_end");
        return;
    }
    out_line(emit->out, "for (int cleave_e = cleave_begin; cleave_e < cleave_end; cleave_e++) {");
    emit->out->indent += 4;
    openmp_element_work(emit);
    emit->out->indent -= 4;
    out_line(emit->out, "}");
}
