/* metis.c: how METIS is found, called and done without. Each case runs in a process of its own,
 * since the library is loaded once; what it writes is compared word by word.
 * FAKE_NARROW, FAKE_WIDE, NOT_METIS: paths of the libraries built beside this program. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "meshes.h"

#define IN_RUNS "loops are cut into runs of consecutive elements\n"

static struct cleave_plan *build(const struct mesh *mesh, int block_size)
{
    char error[256] = "";
    struct plan_options options = {block_size, PLAN_METIS, 0};
    struct cleave_plan *plan = NULL;
    CHECK(plan_build(&plan, NULL, mesh->elements, mesh->maps, mesh->map, &options, error) == 0);
    CHECK(plan != NULL && plan_check(plan, mesh->elements, mesh->maps, mesh->map, error) == 0);
    CHECK_TEXT(error, "");
    return plan;
}

/* ---- cases, in a child --------------------------------------------------------------------------
 */

/* Two plans, both of runs. */
static void falls_back(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 1000);
    CHECK_TEXT(plan_method_name(PLAN_METIS), "METIS k-way");
    for (int i = 0; i < 2; i++) {
        struct cleave_plan *plan = build(&mesh, 100);
        CHECK(plan->blocks == 10 && plan->order[100] == 100);
        plan_free(plan);
    }
    mesh_free(&mesh);
}

static void is_absent(void)
{
    falls_back();
    CHECK_TEXT(plan_method_name(PLAN_METIS), "chunks");
}

/* ceil(1000 / 97) parts, element e in part e % 11. */
static void strides(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 1000);
    for (int i = 0; i < 2; i++) {
        struct cleave_plan *plan = build(&mesh, 100);
        CHECK(plan->blocks == 11);
        CHECK(plan->start[1] == 91 && plan->order[1] == 11 && plan->order[91] == 1);
        plan_free(plan);
    }
    CHECK_TEXT(plan_method_name(PLAN_METIS), "METIS k-way");
    mesh_free(&mesh);
}

/* One part of 1000, the other ten empty: cut into ten of 100. With blocks of 300: four of 250. */
static void splits_and_drops(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 1000);
    struct cleave_plan *plan = build(&mesh, 100);
    CHECK(plan->blocks == 10 && plan->start[1] == 100);
    plan_free(plan);
    plan = build(&mesh, 300);
    CHECK(plan->blocks == 4 && plan->start[1] == 250);
    plan_free(plan);
    mesh_free(&mesh);
}

/* The fake refuses graphs that are not sound: sharing through two maps of one set, points named
 * twice, and a hub that 5,000 elements name. */
static void graphs_are_sound(void)
{
    struct mesh mesh;
    mesh_quads(&mesh, 20, 20);
    mesh.map[1].conflicts = 3;
    struct cleave_plan *plan = build(&mesh, 100);
    CHECK(plan->order[1] == plan->blocks);
    plan_free(plan);
    mesh_free(&mesh);
    mesh_hexes(&mesh, 8);
    plan = build(&mesh, 100);
    CHECK(plan->order[1] == plan->blocks);
    plan_free(plan);
    mesh_free(&mesh);
    mesh_star(&mesh, 5000);
    for (int e = 0; e < mesh.elements; e++) {
        mesh.row[0][2 * e + 1] = e % 3 ? e / 5 : 0;
    }
    plan = build(&mesh, 100);
    CHECK(plan->order[1] == plan->blocks);
    plan_free(plan);
    mesh_free(&mesh);
}

/* The program's own rand() goes on as if nothing had happened. */
static void leaves_rand(void)
{
    struct mesh mesh;
    srand(7);
    int first = rand();
    int second = rand();
    srand(7);
    CHECK(rand() == first);
    mesh_chain(&mesh, 1000);
    plan_free(build(&mesh, 100));
    CHECK(rand() == second);
    mesh_free(&mesh);
}

/* No shared point: any partition is as good as runs, and METIS is not called. */
static void without_links(void)
{
    struct mesh mesh;
    mesh_chain(&mesh, 1000);
    mesh.map[0].columns = 1;
    mesh.map[0].conflicts = 1;
    struct cleave_plan *plan = build(&mesh, 100);
    CHECK(plan->blocks == 10 && plan->order[1] == 1);
    plan_free(plan);
    mesh_free(&mesh);
}

/* Fewer elements than a block, blocks of one, runs asked for: METIS is not even looked for. */
static void is_not_needed(void)
{
    struct mesh mesh;
    struct plan_options options = {10, PLAN_CHUNKS, 0};
    struct cleave_plan *plan = NULL;
    char error[256];
    mesh_chain(&mesh, 100);
    plan_free(build(&mesh, 100));
    plan_free(build(&mesh, 1));
    CHECK(plan_build(&plan, NULL, 100, 1, mesh.map, &options, error) == 0);
    plan_free(plan);
    mesh_free(&mesh);
}

/* ---- running them -------------------------------------------------------------------------------
 */

static void read_back(FILE *file, char *text, size_t capacity)
{
    rewind(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
}

/* Runs the case and compares what it wrote to stderr; stdout must hold "before" only. */
static void in_child(void (*run)(void), const char *library, const char *mode, const char *expected)
{
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    char text[4096];
    int status = -1;
    CHECK(out != NULL && err != NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("CLEAVE_METIS", library, 1);
        setenv("FAKE_METIS", mode, 1);
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        check_failures = 0;
        printf("before");
        run();
        fflush(NULL);
        _exit(check_failures != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    read_back(err, text, sizeof text);
    CHECK_TEXT(text, expected);
    read_back(out, text, sizeof text);
    CHECK_TEXT(text, "before");
}

int main(void)
{
    in_child(is_absent, "/nonexistent", "stride",
             "cleave: note: METIS (/nonexistent) not found; " IN_RUNS);
    in_child(is_absent, "none", "stride", "");
    in_child(is_absent, NOT_METIS, "stride",
             "cleave: note: '" NOT_METIS "' is not METIS (no METIS_PartGraphKway in it); " IN_RUNS);
    in_child(
        is_absent, "/dev/null", "stride",
        "cleave: note: METIS (/dev/null) cannot be loaded: /dev/null: file too short; " IN_RUNS);
    in_child(strides, FAKE_NARROW, "stride", "");
    in_child(strides, FAKE_WIDE, "stride", "");
    in_child(splits_and_drops, FAKE_NARROW, "one", "");
    in_child(splits_and_drops, FAKE_WIDE, "one", "");
    in_child(graphs_are_sound, FAKE_NARROW, "stride", "");
    in_child(graphs_are_sound, FAKE_WIDE, "stride", "");
    in_child(without_links, FAKE_NARROW, "stride", "");
    in_child(leaves_rand, FAKE_NARROW, "stride", "");
    in_child(falls_back, FAKE_NARROW, "fail",
             "cleave: note: METIS failed with code -4; such " IN_RUNS);
    in_child(falls_back, FAKE_NARROW, "memory",
             "cleave: note: METIS ran out of memory; such " IN_RUNS);
    in_child(falls_back, FAKE_NARROW, "outside",
             "cleave: note: METIS returned parts that do not exist; such " IN_RUNS);
    in_child(falls_back, FAKE_WIDE, "outside",
             "cleave: note: METIS returned parts that do not exist; such " IN_RUNS);
    in_child(is_not_needed, "/nonexistent", "stride", "");
    return CHECK_RESULT();
}
