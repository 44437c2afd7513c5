/* orders.c: the runtime's own order of many random meshes: any number of sets, empty ones
 * among them, maps in cycles and to themselves, more maps and columns than a loop may have, dats of
 * any type, odd coordinates. Orders must be permutations, maps and data in them must say what the
 * program's do, and nothing may get lost when an order is made, dropped and made again.
 * A failure names the case; test_runtime_orders NUMBER runs it alone. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "child.h"
#include "runtime/exec/exec.h"
#include "runtime/mesh/order.h"
#include "op_lib.h"

#define CASES 80
#define MOST 12

static uint64_t state;

static int below(int bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)bound);
}

/* ---- a mesh and what the program knows of it ------------------------------------------------ */

struct known_dat {
    op_dat dat;
    unsigned char *bytes; /* as the program would find them */
};

static op_set set[MOST];
static int sets;
static op_map map[MOST * 3];
static int maps;
static struct known_dat known[MOST];
static int dats;

static void declare_sets(void)
{
    static const int sizes[] = {0, 1, 2, 7, 300, 300, 1000, 1500};
    sets = 1 + below(MOST);
    for (int s = 0; s < sets; s++) {
        set[s] = op_decl_set(sizes[below(8)], "set");
    }
}

static void declare_map(void)
{
    static const int dims[] = {1, 1, 2, 2, 3, 4, 8, 17, 40};
    op_set from = set[below(sets)];
    op_set to = set[below(sets)];
    int dim = dims[below(9)];
    if (to->size == 0 && from->size > 0) {
        return;
    }
    int *entry = malloc(((size_t)from->size * (size_t)dim + 1) * sizeof *entry);
    int near = below(2);
    for (int i = 0; i < from->size * dim; i++) {
        entry[i] = near ? (i / dim + below(3)) % to->size : below(to->size);
    }
    map[maps++] = op_decl_map(from, to, dim, entry, "map");
    free(entry);
}

static void declare_dat(void)
{
    static const char *const types[] = {"double", "float", "int", "bool"};
    static const int sizes[] = {8, 4, 4, 1};
    int type = below(4);
    int dim = 1 + below(below(2) ? 3 : 40);
    op_set on = set[below(sets)];
    size_t bytes = (size_t)on->size * (size_t)(sizes[type] * dim);
    struct known_dat *own = &known[dats++];
    own->bytes = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++) {
        own->bytes[i] = (unsigned char)below(256);
    }
    own->dat = op_decl_dat_char(on, dim, types[type], sizes[type], own->bytes, "dat");
}

/* ---- checks --------------------------------------------------------------------------------- */

static void check_set(const struct cleave_set *own)
{
    int wrong = 0;
    if (own->to_user == NULL) {
        CHECK(own->to_own == NULL);
        return;
    }
    for (int i = 0; i < own->core.size; i++) {
        int user = own->to_user[i];
        wrong += user < 0 || user >= own->core.size || own->to_own[user] != i;
    }
    CHECK(wrong == 0);
}

/* Arrays of a page or more begin at a cache line. */
static void check_place(const void *data, size_t bytes)
{
    CHECK(bytes < 4096 || (uintptr_t)data % 64 == 0);
}

static void check_map(op_map which)
{
    const int *row = cleave_map_current(which, COPY_HOST);
    check_place(row, (size_t)which->from->size * (size_t)which->dim * sizeof *row);
    check_place(which->map, (size_t)which->from->size * (size_t)which->dim * sizeof *row);
    const int *from = cleave_set_of(which->from)->to_user;
    const int *to = cleave_set_of(which->to)->to_user;
    int wrong = 0;
    for (int i = 0; i < which->from->size; i++) {
        const int *user = which->map + (size_t)(from != NULL ? from[i] : i) * (size_t)which->dim;
        for (int c = 0; c < which->dim; c++) {
            int point = row[i * which->dim + c];
            wrong += (to != NULL ? to[point] : point) != user[c];
        }
    }
    CHECK(wrong == 0);
}

/* Compares the copy in the runtime's order with what is known; then changes some of it, as a loop
 * would. */
static void check_dat(struct known_dat *own)
{
    unsigned char *copy = cleave_dat_current(own->dat, COPY_HOST);
    const int *to_user = cleave_set_of(own->dat->set)->to_user;
    size_t bytes = (size_t)own->dat->size;
    check_place(copy, (size_t)own->dat->set->size * bytes);
    int changes = below(2);
    int wrong = 0;
    for (int i = 0; i < own->dat->set->size; i++) {
        unsigned char *at = own->bytes + (size_t)(to_user != NULL ? to_user[i] : i) * bytes;
        wrong += memcmp(copy + (size_t)i * bytes, at, bytes) != 0;
        if (changes && i % 3 == 0) {
            at[bytes - 1] ^= 0x55;
            copy[(size_t)(i + 1) * bytes - 1] ^= 0x55;
        }
    }
    if (changes) {
        cleave_dat_written(own->dat, COPY_HOST);
    }
    CHECK(wrong == 0);
}

/* Values in the program's order. */
static void check_fetched(const struct known_dat *own)
{
    size_t bytes = (size_t)own->dat->set->size * (size_t)own->dat->size;
    char *fetched = malloc(bytes + 1);
    op_fetch_data_char(own->dat, fetched);
    CHECK(memcmp(fetched, own->bytes, bytes) == 0);
    free(fetched);
}

static void check_all(void)
{
    for (int s = 0; s < sets; s++) {
        check_set(cleave_set_of(set[s]));
    }
    for (int m = 0; m < maps; m++) {
        check_map(map[m]);
    }
    for (int d = 0; d < dats; d++) {
        check_dat(&known[d]);
        if (below(3) == 0) {
            check_fetched(&known[d]);
        }
    }
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* Whatever the program names: often what does not belong together. */
static void partition(void)
{
    op_dat coordinates = dats > 0 && below(2) ? known[below(dats)].dat : NULL;
    op_map which = maps > 0 && below(2) ? map[below(maps)] : NULL;
    op_partition("", "", below(2) ? set[below(sets)] : NULL, which, coordinates);
}

static void run_case(int number)
{
    static const char *const methods[] = {"default", "hard",      "none",          "none+refine",
                                          "rcb",     "hilbert",   "chunks+refine", "grow",
                                          "rcm",     "rcm+anneal"};
    static const char *const sizes[] = {"1", "7", "64", "256", "1024"};
    state = (uint64_t)number * 7919 + 1;
    setenv("CLEAVE_PARTITION", methods[below(10)], 1);
    setenv("CLEAVE_BLOCK_SIZE", sizes[below(5)], 1);
    sets = maps = dats = 0;
    op_init(0, NULL, 0);
    cleave_targets.count = 1; /* as if something had been compiled */
    cleave_targets.target[0] = CLEAVE_TARGET_OPENMP;
    declare_sets();
    for (int wanted = below(below(4) ? 6 : 3 * MOST); wanted > 0; wanted--) {
        declare_map();
    }
    for (int wanted = below(MOST); wanted > 0; wanted--) {
        declare_dat();
    }
    for (int turn = 0; turn < 3; turn++) {
        cleave_order_require();
        CHECK(cleave_order.primary == NULL || cleave_order.sets <= sets);
        check_all();
        if (below(2)) {
            partition();
        }
        if (below(3) == 0) {
            cleave_order_drop();
        }
        check_all();
    }
    op_exit();
    for (int d = 0; d < dats; d++) {
        free(known[d].bytes);
    }
}

/* An order there is, wherever one can be: else all of the above would be about nothing. */
static void test_there_is_one(void)
{
    enum { EDGES = 500 };
    int ends[2 * EDGES];
    for (int e = 0; e < EDGES; e++) {
        ends[2 * e] = e * 37 % EDGES;
        ends[2 * e + 1] = (e * 37 + 1) % EDGES;
    }
    setenv("CLEAVE_PARTITION", "default", 1);
    setenv("CLEAVE_BLOCK_SIZE", "64", 1);
    op_init(0, NULL, 0);
    cleave_targets.count = 1;
    cleave_targets.target[0] = CLEAVE_TARGET_OPENMP;
    op_set edges = op_decl_set(EDGES, "edges");
    op_set nodes = op_decl_set(EDGES, "nodes");
    op_set others = op_decl_set(EDGES, "others");
    op_decl_map(edges, nodes, 2, ends, "ends");
    op_decl_map(nodes, others, 1, ends, "other");
    op_decl_map(others, edges, 2, ends, "back"); /* a cycle */
    cleave_order_require();
    CHECK(cleave_order.primary == edges && cleave_order.sets == 3);
    CHECK(cleave_set_of(others)->to_user != NULL);
    cleave_order_drop();
    CHECK(cleave_order.primary == NULL && cleave_set_of(nodes)->to_user == NULL);
    op_exit();
}

/* ---- orders that are none ------------------------------------------------------------------- */

static int bad_order[4];

static void give_bad_order(void)
{
    setenv("CLEAVE_CHECK_PLAN", "1", 1);
    op_init(0, NULL, 0);
    cleave_order_check(op_decl_set(4, "nodes"), bad_order);
}

static void test_bad_orders(void)
{
    static const struct {
        int order[4];
        const char *message; /* NULL: it is an order */
    } bad[] = {
        {{3, 1, 0, 2}, NULL},
        {{3, 1, 3, 2}, "set 'nodes': the order is wrong: element 3, at place 2, comes twice"},
        {{3, 1, 0, 4}, "set 'nodes': the order is wrong: element 4, at place 3, does not exist"},
        {{-1, 1, 0, 2}, "set 'nodes': the order is wrong: element -1, at place 0, does not exist"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char said[512];
        memcpy(bad_order, bad[i].order, sizeof bad_order);
        int code = child_run(give_bad_order, said, sizeof said);
        CHECK(code == (bad[i].message != NULL));
        CHECK(bad[i].message == NULL ? said[0] == '\0' : strstr(said, bad[i].message) != NULL);
    }
}

/* ---- coordinates that are none -------------------------------------------------------------- */

struct coordinates_case {
    int dim;
    double value; /* of the last component of element 3 */
    const char *type;
    int on_edges;
    const char *variable; /* CLEAVE_COORDINATES, or NULL */
    const char *message;  /* "": they are used */
};

static struct coordinates_case given;

static void give_coordinates(void)
{
    enum { EDGES = 100 };
    static int ends[2 * EDGES];
    static double at[4 * EDGES];
    for (int e = 0; e < EDGES; e++) {
        ends[2 * e] = e;
        ends[2 * e + 1] = (e * 37 + 1) % EDGES;
    }
    at[3 * given.dim + given.dim - 1] = given.value;
    setenv("CLEAVE_PARTITION", "rcb+refine", 1); /* on the CPU the default does without coordinates */
    if (given.variable != NULL) {
        setenv("CLEAVE_COORDINATES", given.variable, 1);
    }
    op_init(0, NULL, 0);
    cleave_targets.count = 1;
    cleave_targets.target[0] = CLEAVE_TARGET_OPENMP;
    op_set edges = op_decl_set(EDGES, "edges");
    op_set nodes = op_decl_set(EDGES, "nodes");
    op_map map = op_decl_map(edges, nodes, 2, ends, "ends");
    int bytes = strcmp(given.type, "double") == 0 ? 8 : 4;
    op_dat dat = op_decl_dat_char(given.on_edges ? edges : nodes, given.dim, given.type, bytes,
                                  (char *)at, "where");
    op_partition("", "", NULL, map, dat);
    op_partition("", "", NULL, map, dat); /* as a program does that moves its mesh */
    CHECK(cleave_order.primary == edges);
    CHECK((cleave_order.coordinates == dat) == (given.message[0] == '\0'));
    op_exit();
    exit(check_failures != 0);
}

static void test_bad_coordinates(void)
{
    static const char none[] = "; the mesh is numbered without coordinates\n";
    static const struct coordinates_case bad[] = {
        {2, 1.0, "double", 0, NULL, ""},
        {2, 0.0, "double", 0, NULL, "op_partition: coordinates 'where': all 100 elements are at the same place"},
        {1, 0.0, "double", 0, NULL, "op_partition: coordinates 'where': it has 1 component, "},
        {4, 0.0, "double", 0, NULL, "op_partition: coordinates 'where': it has 4 components, "},
        {2, NAN, "double", 0, NULL,
         "op_partition: coordinates 'where': component 1 of element 3 is nan"},
        {3, INFINITY, "double", 0, "where",
         "CLEAVE_COORDINATES 'where': component 2 of element 3 is inf"},
        {2, 0.0, "int", 0, NULL, "op_partition: coordinates 'where': it is of type \"int\", "},
        {2, 1.0, "double", 1, NULL, "no map leads from set 'edges' to its set 'edges'"},
        {2, 0.0, "double", 0, "elsewhere",
         "CLEAVE_COORDINATES 'elsewhere': no dat of this name has been declared"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char said[1024];
        given = bad[i];
        CHECK(child_run(give_coordinates, said, sizeof said) == 0);
        const char *end = strstr(said, none);
        CHECK(bad[i].message[0] == '\0' ? said[0] == '\0'
                                        : strstr(said, bad[i].message) != NULL && end != NULL);
        CHECK(end == NULL || strstr(end + 1, none) == NULL); /* said once */
    }
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0;
    int last = argc > 1 ? first + 1 : CASES;
    setenv("CLEAVE_RENUMBER", "on", 1);
    test_bad_orders();
    test_bad_coordinates();
    test_there_is_one();
    for (int number = first; number < last; number++) {
        int failures = check_failures;
        setenv("CLEAVE_BANK_ORDER", number % 2 == 0 ? "off" : "on", 1);
        run_case(number);
        if (check_failures > failures) {
            fprintf(stderr, "these are of case %d\n", number);
        }
    }
    return CHECK_RESULT();
}
