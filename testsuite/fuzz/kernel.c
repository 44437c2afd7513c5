/* kernel.c: one kernel with its mesh: sets, maps and data of its own, helpers, parameters, body,
 * and the function run_K that declares all, runs the loop and shows what it changed. See fuzz.h. */
#include "testsuite/fuzz/fuzz.h"

#include <stddef.h>
#include <string.h>

enum { MAX_MAPS = 3, MAX_DATA = 64 };

struct map {
    int set; /* that it points to */
    int columns;
};

struct data {
    int set;
    struct argument like;
};

/* The mesh and the data that a kernel works on. */
struct mesh {
    bool is_empty;
    struct map map[MAX_MAPS];
    int maps;
    struct data data[MAX_DATA]; /* dats and globals */
    int data_count;
    bool in_place;
    struct piece *declare; /* statements of run_K before and after the loop */
    struct piece *show;
};

static const char *const access_name[] = {"OP_READ", "OP_WRITE", "OP_RW",
                                          "OP_INC",  "OP_MIN",   "OP_MAX"};

/* ---- mesh ------------------------------------------------------------------------------------ */

static void add_set(struct generator *g, struct mesh *mesh, int number, int size)
{
    piece_add(g->arena, mesh->declare,
              optional(g, "",
                       piece(g,
                             arena_format(g->arena, "op_set s%d = op_decl_set(@, \"s%d\");\n",
                                          number, number),
                             optional(g, size > 4 ? "4" : "1", word(g, "%d", size)))));
}

static void make_mesh(struct generator *g, struct mesh *mesh)
{
    static const int sizes[] = {1, 2, 7, 20, 33, 64, 120, 150, 300, 300};
    int sets = 1 + pick(g, 3);
    int elements = chance(g, 4) ? 0 : sizes[pick(g, 10)];

    mesh->is_empty = elements == 0;
    for (int s = 0; s < sets; s++) {
        bool empty = mesh->is_empty && chance(g, 50);
        add_set(g, mesh, s, s == 0 ? elements : empty ? 0 : sizes[pick(g, 10)]);
    }
    mesh->maps = 1 + pick(g, MAX_MAPS);
    for (int m = 0; m < mesh->maps; m++) {
        struct map *map = &mesh->map[m];
        map->set = sets > 1 && chance(g, 80) ? 1 + pick(g, sets - 1) : 0;
        map->columns = chance(g, 40) ? 2 : 1 + pick(g, 8);
        piece_add(g->arena, mesh->declare,
                  optional(g, "",
                           word(g, "op_map m%d = fuzz_map(s0, s%d, %d, %d, \"m%d\");\n", m,
                                map->set, map->columns, pick(g, 1000), m)));
    }
}

/* A dat that the loop reads or increments already in a way that goes with `like`; -1: none. */
static int known_data(struct generator *g, const struct mesh *mesh, int set,
                      const struct argument *like)
{
    int n = mesh->data_count > 0 ? pick(g, mesh->data_count) : 0;
    const struct data *data = &mesh->data[n];
    bool fits = mesh->data_count > 0 && data->set == set && data->like.kind != GLOBAL &&
                data->like.dim == like->dim && data->like.type == like->type &&
                data->like.access == like->access;

    return fits && (like->access == READ || like->access == INC) ? n : -1;
}

/* Returns the dat's number. */
static int add_data(struct generator *g, struct mesh *mesh, int set, const struct argument *like)
{
    int number = mesh->data_count++;
    bool whole_numbers = like->access != READ;

    mesh->data[number] = (struct data){.set = set, .like = *like};

    piece_add(g->arena, mesh->declare,
              optional(g, "",
                       word(g, "op_dat d%d = fuzz_dat_%s(s%d, %d, %d, %s, \"d%d\");\n", number,
                            scalar_name[like->type], set, like->dim, pick(g, 1000),
                            whole_numbers ? "1.0" : "0.125", number)));
    if (like->access != READ) {
        piece_add(g->arena, mesh->show,
                  optional(g, "", word(g, "fuzz_show(%d, d%d);\n", g->kernel, number)));
    }
    return number;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void add_argument(struct generator *g, struct argument argument, const char *loop)
{
    if (g->arguments == MAX_ARGUMENTS) {
        return;
    }
    argument.loop = loop;
    argument.is_reference =
        g->is_cxx && argument.dim == 1 && argument.kind != VECTOR && chance(g, 12);
    g->argument[g->arguments++] = argument;
}

/* The type string of an argument: whatever the layout, results are the same. */
static const char *type_string(struct generator *g, enum scalar type)
{
    return chance(g, 30) ? arena_format(g->arena, "%s:soa", scalar_name[type]) : scalar_name[type];
}

/* One dat through one map: one or several columns, or a vector argument. */
static void add_indirect(struct generator *g, struct mesh *mesh, enum access access)
{
    struct argument like = {.access = access,
                            .type = pick(g, 5) < 3 ? SCALAR_DOUBLE : pick(g, 3),
                            .dim = 1 + pick(g, 4),
                            .in_place = PUT_CONSTANT};
    int m = pick(g, mesh->maps);
    const struct map *map = &mesh->map[m];
    int known = known_data(g, mesh, map->set, &like);
    int dat = known >= 0 ? known : add_data(g, mesh, map->set, &like);
    const char *text = "op_arg_dat(d%d, %d, m%d, %d, \"%s\", %s)";
    const char *type = type_string(g, like.type);
    int first = pick(g, map->columns);
    int count = 1 + pick(g, map->columns < 3 ? map->columns : 3);

    if (access == RW) {
        like.in_place = pick(g, IN_PLACES);
    }
    if (chance(g, 25)) {
        like.kind = VECTOR;
        like.columns = 1 + pick(g, map->columns);
        add_argument(g, like,
                     arena_format(g->arena, text, dat, -like.columns, m, like.dim, type,
                                  access_name[access]));
        return;
    }
    like.kind = INDIRECT;
    like.rows = like.dim == 4 && chance(g, 6) ? 2 : 0;
    for (int c = 0; c < count; c++) {
        add_argument(g, like,
                     arena_format(g->arena, text, dat, (first + c) % map->columns, m, like.dim,
                                  type, access_name[access]));
    }
}

static void add_direct(struct generator *g, struct mesh *mesh)
{
    static const enum access accesses[] = {READ, READ, READ, WRITE, RW, INC};
    struct argument like = {.kind = DIRECT,
                            .access = accesses[pick(g, 6)],
                            .type = pick(g, SCALARS),
                            .dim = 1 + pick(g, 3)};
    int dat = add_data(g, mesh, 0, &like);

    add_argument(g, like,
                 arena_format(g->arena, "op_arg_dat(d%d, -1, OP_ID, %d, \"%s\", %s)", dat, like.dim,
                              type_string(g, like.type), access_name[like.access]));
}

static void add_global(struct generator *g, struct mesh *mesh)
{
    static const enum access accesses[] = {READ, READ, INC, MINIMUM, MAXIMUM};
    struct argument like = {.kind = GLOBAL,
                            .access = accesses[pick(g, 5)],
                            .type = pick(g, SCALARS),
                            .dim = 1 + pick(g, 2)};
    int number = mesh->data_count++;

    mesh->data[number].like = like;
    const char *type = scalar_name[like.type];

    piece_add(g->arena, mesh->declare,
              optional(g, "",
                       word(g, "%s g%d[2] = {%d, %d};\n", type, number, pick(g, 40) - 20,
                            pick(g, 40) - 20)));
    if (like.access != READ) {
        piece_add(g->arena, mesh->show,
                  optional(g, "",
                           word(g, "fuzz_show_%s(%d, \"g%d\", g%d, %d);\n", type, g->kernel, number,
                                number, like.dim)));
    }
    add_argument(g, like,
                 arena_format(g->arena, "op_arg_gbl(g%d, %d, \"%s\", %s)", number, like.dim, type,
                              access_name[like.access]));
}

/* An increment that is on or off for the whole loop, and a global that tells the kernel. */
static void add_maybe(struct generator *g, struct mesh *mesh)
{
    struct argument flag = {.kind = GLOBAL, .access = READ, .type = SCALAR_INT, .dim = 1};
    struct argument like = {
        .kind = INDIRECT, .access = MAYBE, .type = SCALAR_DOUBLE, .dim = 1 + pick(g, 3)};
    int m = pick(g, mesh->maps);
    int dat = add_data(g, mesh, mesh->map[m].set, &like);
    int number = mesh->data_count++;
    const char *type = type_string(g, like.type);
    bool is_cxx = g->is_cxx;

    mesh->data[number].like = flag;
    piece_add(g->arena, mesh->declare,
              optional(g, "", word(g, "int g%d[1] = {%d};\n", number, pick(g, 2))));
    g->is_cxx = false; /* no references: the kernel tests what they point to */
    add_argument(g, flag, arena_format(g->arena, "op_arg_gbl(g%d, 1, \"int\", OP_READ)", number));
    g->flag_name = arena_format(g->arena, "a%d", g->arguments - 1);
    add_argument(g, like,
                 arena_format(g->arena, "op_opt_arg_dat(g%d[0], d%d, %d, m%d, %d, \"%s\", OP_INC)",
                              number, dat, pick(g, mesh->map[m].columns), m, like.dim, type));
    g->is_cxx = is_cxx;
}

static void add_number(struct generator *g, struct mesh *mesh)
{
    struct argument like = {.kind = NUMBER, .access = READ, .type = SCALAR_INT, .dim = 1};
    int m = pick(g, mesh->maps);

    add_argument(g, like,
                 chance(g, 50) ? "op_arg_idx(-1, OP_ID)"
                               : arena_format(g->arena, "op_arg_idx(%d, m%d)",
                                              pick(g, mesh->map[m].columns), m));
}

/* An extremum and, behind it, its payload. No random number is drawn for kernels without. */
static void add_carried(struct generator *g, struct mesh *mesh)
{
    static const char *const better[] = {">", "<", ">=", "<="};
    int which = (int)(g->random >> 30 & 7);
    struct argument like = {.kind = GLOBAL, .access = CARRIED};
    int number = mesh->data_count;
    int ref = g->arguments;
    bool is_cxx = g->is_cxx;

    if (which > 3 || g->arguments + 2 > MAX_ARGUMENTS) {
        return;
    }
    mesh->data_count += 2;
    like.type = pick(g, SCALARS);
    like.dim = 1 + pick(g, 2);
    like.better = better[which];
    mesh->data[number].like = like;
    mesh->data[number + 1].like = like;
    const char *type = scalar_name[like.type];
    piece_add(g->arena, mesh->declare,
              optional(g, "",
                       word(g, "%s g%d[2] = {%d, %d};\nint g%d[4] = {-1, -2, -3, -4};\n", type,
                            number, pick(g, 9) - 4, pick(g, 9) - 4, number + 1)));
    piece_add(g->arena, mesh->show,
              optional(g, "",
                       word(g,
                            "fuzz_show_%s(%d, \"g%d\", g%d, 2);\n"
                            "fuzz_show_int(%d, \"g%d\", g%d, 4);\n",
                            type, g->kernel, number, number, g->kernel, number + 1, number + 1)));
    g->is_cxx = false; /* no references: the kernel subscripts them */
    add_argument(g, like,
                 arena_format(g->arena, "op_arg_gbl(g%d, %d, \"%s\", %s)", number, like.dim, type,
                              which % 2 == 0 ? "OP_MAX" : "OP_MIN"));
    like.better = NULL;
    like.type = SCALAR_INT;
    like.dim *= 1 + pick(g, 2);
    add_argument(
        g, like,
        arena_format(g->arena, "op_arg_info(g%d, %d, \"int\", %d)", number + 1, like.dim, ref));
    g->is_cxx = is_cxx;
}

static void shuffle(struct generator *g)
{
    for (int a = g->arguments - 1; a > 0; a--) {
        int other = pick(g, a + 1);
        struct argument keep = g->argument[a];
        g->argument[a] = g->argument[other];
        g->argument[other] = keep;
    }
}

static void make_arguments(struct generator *g, struct mesh *mesh)
{
    mesh->in_place = chance(g, 12);
    if (chance(g, 88)) {
        add_indirect(g, mesh, INC);
    }
    add_indirect(g, mesh, READ);
    for (int n = pick(g, 5); n > 0; n--) {
        int roll = pick(g, 100);
        if (roll < 28) {
            add_indirect(g, mesh, READ);
        } else if (roll < 50) {
            add_indirect(g, mesh, INC);
        } else if (roll < 58) {
            add_indirect(g, mesh, chance(g, 50) ? MINIMUM : MAXIMUM);
        } else if (roll < 78) {
            add_direct(g, mesh);
        } else if (roll < 94) {
            add_global(g, mesh);
        } else {
            add_number(g, mesh);
        }
    }
    if (mesh->in_place) {
        add_indirect(g, mesh, chance(g, 50) ? RW : WRITE);
    }
    if (chance(g, 70)) {
        shuffle(g);
    }
    if (chance(g, 5) && !g->for_lanes) {
        add_maybe(g, mesh);
    }
    if (!g->for_lanes) {
        add_carried(g, mesh);
    }
    for (int a = 0; a < g->arguments; a++) {
        g->argument[a].name = arena_format(g->arena, "a%d", a);
        g->argument[a].unit = g->units++;
    }
}

/* ---- helpers --------------------------------------------------------------------------------- */

static void add_parameter(struct generator *g, const char *name, enum scalar type, bool is_whole)
{
    g->variable[g->variables++] = (struct variable){
        .name = name, .type = type, .is_constant = is_whole, .is_whole = is_whole, .magnitude = 50};
}

static struct piece *scalar_helper(struct generator *g)
{
    struct helper helper = {.name = new_name(g, "of")};
    struct piece *inside;
    struct piece *result;

    add_parameter(g, "x", SCALAR_DOUBLE, false);
    add_parameter(g, "y", SCALAR_DOUBLE, false);
    add_parameter(g, "n", SCALAR_INT, false);
    g->returns_value = true;
    inside = statements(g, 1 + pick(g, 4));
    result = expression(g, SCALAR_DOUBLE, 2);
    g->returns_value = false;
    g->variables = 0;
    g->helper[g->helpers++] = helper;
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena,
                                       "static inline double %s(double x, double y, int n)\n"
                                       "{\n@return @;\n}\n",
                                       helper.name),
                          inside, result));
}

static struct piece *push_helper(struct generator *g)
{
    struct helper helper = {.name = new_name(g, "push"), .is_push = true, .dim = 1 + pick(g, 2)};
    struct piece *inside;

    if (g->is_cxx && chance(g, 50)) {
        helper.dim = 0;
    }
    add_parameter(g, "w", SCALAR_DOUBLE, true);
    add_parameter(g, "n", SCALAR_INT, false);
    g->argument[0] = (struct argument){.kind = POINTER,
                                       .access = INC,
                                       .type = SCALAR_DOUBLE,
                                       .dim = helper.dim == 0 ? 1 : helper.dim,
                                       .name = "to",
                                       .is_reference = helper.dim == 0};
    g->arguments = 1;
    inside = statements(g, 1 + pick(g, 3));
    struct piece *last = increment_of(g, &g->argument[0]);
    g->arguments = 0;
    g->variables = 0;
    g->helper[g->helpers++] = helper;
    return optional(g, "",
                    piece(g,
                          arena_format(g->arena,
                                       "static inline void %s(double %cto, double w, int n)\n"
                                       "{\n@@}\n",
                                       helper.name, helper.dim == 0 ? '&' : '*'),
                          inside, last));
}

static struct piece *make_helpers(struct generator *g)
{
    struct piece *all = piece_list(g->arena, NULL);

    for (int n = chance(g, 35) ? 1 + pick(g, MAX_HELPERS) : 0; n > 0; n--) {
        piece_add(g->arena, all, chance(g, 50) ? scalar_helper(g) : push_helper(g));
    }
    return all;
}

/* ---- kernel and call ------------------------------------------------------------------------- */

static struct piece *with_unit(struct piece *piece, int unit)
{
    piece->unit = unit;
    piece->simple = "";
    return piece;
}

static struct piece *parameter(struct generator *g, const struct argument *argument)
{
    const char *type = arena_format(g->arena, "%s%s", argument->access == READ ? "const " : "",
                                    scalar_name[argument->type]);
    const char *name = argument->name;

    if (argument->is_reference) {
        return word(g, "%s &%s", type, name);
    }
    if (argument->kind == VECTOR) {
        return chance(g, 50) ? word(g, "%s **%s", type, name)
                             : word(g, "%s *%s[%d]", type, name, argument->columns);
    }
    if (argument->rows > 0) {
        return word(g, "%s (*%s)[%d]", type, name, argument->dim / argument->rows);
    }
    return chance(g, 15)   ? word(g, "%s %s[%d]", type, name, argument->dim)
           : chance(g, 10) ? word(g, "%s *const %s", type, name)
                           : word(g, "%s *%s", type, name);
}

static struct piece *make_body(struct generator *g)
{
    struct piece *all = piece_list(g->arena, NULL);
    int size = pick(g, 100);

    g->depth = 0;
    g->loops = 0;
    g->times = 1;
    piece_add(g->arena, all, statements(g, 2 + pick(g, size < 60 ? 5 : size < 92 ? 10 : 30)));
    for (int a = 0; a < g->arguments; a++) {
        const struct argument *argument = &g->argument[a];
        struct piece *(*const make[])(struct generator *g) = {
            [WRITE] = store, [RW] = store, [MINIMUM] = extremum, [MAXIMUM] = extremum};
        struct piece *last = NULL;
        if (argument->access == CARRIED) {
            last = argument->better != NULL ? carry(g) : NULL;
        } else if (argument->access == INC && chance(g, 60)) {
            last = increment_of(g, argument);
        } else if (argument->access == MAYBE) {
            last = optional_update(g);
        } else if (argument->access != READ && argument->access != INC) {
            last =
                argument->kind == DIRECT || argument->kind == GLOBAL || argument->access >= MINIMUM
                    ? make[argument->access](g)
                    : in_place_update(g);
        }
        if (last != NULL) {
            piece_add(g->arena, all, last);
        }
    }
    return all;
}

static struct piece *make_kernel(struct generator *g)
{
    struct piece *parameters = piece_list(g->arena, ", ");

    for (int a = 0; a < g->arguments; a++) {
        const struct argument *argument = &g->argument[a];
        piece_add(g->arena, parameters, with_unit(parameter(g, argument), argument->unit));
    }
    return piece(g, arena_format(g->arena, "static inline void kernel_%d(@)\n{\n@}\n", g->kernel),
                 parameters, make_body(g));
}

static struct piece *make_call(struct generator *g, const struct mesh *mesh)
{
    struct piece *arguments = piece_list(g->arena, NULL);
    const char *text = arena_format(g->arena, "op_par_loop(kernel_%d, \"kernel_%d\", s0@);\n",
                                    g->kernel, g->kernel);

    for (int a = 0; a < g->arguments; a++) {
        const struct argument *argument = &g->argument[a];
        piece_add(g->arena, arguments,
                  with_unit(word(g, ",\n    %s", argument->loop), argument->unit));
    }
    struct piece *call = piece(g, text, arguments);
    if (chance(g, 20)) {
        call = optional_kid(g, 0, piece(g, "for (int turn = 0; turn < 2; turn++) {\n@}\n", call));
    }
    return piece(g, arena_format(g->arena, "static void run_%d(void)\n{\n@@@}\n", g->kernel),
                 mesh->declare, call, mesh->show);
}

struct piece *kernel_generate(struct generator *g, uint64_t seed, int kernel)
{
    struct mesh mesh = {.declare = piece_list(g->arena, NULL), .show = piece_list(g->arena, NULL)};
    struct piece *helpers;

    generator_begin(g, seed, kernel);
    helpers = make_helpers(g);
    make_mesh(g, &mesh);
    make_arguments(g, &mesh);
    return piece(g, "@@@\n", helpers, make_kernel(g), make_call(g, &mesh));
}
