/* onera.c: two procedures of a cell-centred solver that race at volumes: the summation of fluxes
 * through faces, and the highest pressure among the neighbours of each volume.
 *
 * Zhang et al. compare ways to colour these on a GPU on a mesh of the ONERA M6 wing; here the mesh
 * is a cube of tetrahedra. The program can renumber volumes and faces (--renumber) and order the
 * faces, with their fluxes, by colour (--reorder), as the authors do.
 */
#include <stdio.h>
#include <string.h>

#include "op_seq.h"

#include "../common/run.h"
#include "onera.h"

/* Known for meshes in their own numbering, from another program. Fluxes are integers: their sums
 * are exact for each order and precision. */
static const struct known {
    int n;
    double squares[VARIABLES];
    double pmax;
    double raised;
    double coloured[5];
} known[] = {
    {8,
     {1023150236, 1054547862, 1021003592, 1053790344, 1057367926},
     3.433076719817e3,
     2942,
     {1494, 1487, 1410, 1348, 21}},
    {16,
     {7104236748, 7169904738, 7129902688, 7142809074, 7175121060},
     2.681778154679e4,
     24075,
     {12092, 12077, 11750, 11620, 77}},
};
enum { KNOWN = sizeof known / sizeof known[0], QUANTITIES = 2 * VARIABLES + 8, NAME = 32 };

struct settings {
    int n;
    int variables;
    int iterations;
    int renumber;
    int reorder;
    const char *type;
    const char *count; /* variables, as a word */
};

/* Known values as run.h wants them. */
struct references {
    int count;
    struct reference reference[QUANTITIES];
    char name[QUANTITIES][NAME];
};

static void add(struct references *list, const char *test, const char *name, double value,
                double relative)
{
    const int i = list->count++;
    const struct reference reference = {test, list->name[i], value, relative, 0.0};
    snprintf(list->name[i], NAME, "%s", name);
    list->reference[i] = reference;
}

static const char *variable_name(char *name, const char *what, int number)
{
    snprintf(name, NAME, "%s %d", what, number);
    return name;
}

/* The colours depend on the order of the faces, other results do not. */
static int has_own_numbering(const struct settings *settings, const struct run *run)
{
    return !settings->renumber && !run->shuffle;
}

static void find_references(struct references *list, const struct settings *settings,
                            const struct run *run)
{
    char name[NAME];
    const double rounding = strcmp(settings->type, "float") == 0 ? 1e-6 : 1e-12;
    list->count = 0;
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].n != settings->n) {
            continue;
        }
        for (int k = 0; k < settings->variables; k++) {
            add(list, run->test, variable_name(name, "sum of res", k + 1), 0.0, 0.0);
            add(list, run->test, variable_name(name, "squares of res", k + 1), known[i].squares[k],
                0.0);
        }
        add(list, run->test, "sum of pmax", known[i].pmax, rounding);
        add(list, run->test, "volumes raised", known[i].raised, 0.0);
        for (int c = 0; c < 5 && settings->reorder && has_own_numbering(settings, run); c++) {
            add(list, run->test, variable_name(name, "faces of colour", c + 1),
                known[i].coloured[c], 0.0);
        }
    }
}

static void print(struct run *run, const struct settings *settings, const struct volumes *mesh,
                  const struct result *result)
{
    char name[NAME];
    for (int k = 0; k < settings->variables; k++) {
        run_result(run, variable_name(name, "sum of res", k + 1), result->sum[k]);
        run_result(run, variable_name(name, "squares of res", k + 1), result->squares[k]);
    }
    run_result(run, "sum of pmax", result->pmax);
    run_result(run, "volumes raised", result->raised);
    for (int c = 0; c < mesh->colours && has_own_numbering(settings, run); c++) {
        run_result(run, variable_name(name, "faces of colour", c + 1), mesh->coloured[c]);
    }
}

static void read_options(struct settings *settings, struct run *run, int argc, char **argv)
{
    const struct option options[] = {
        {"n", OPTION_COUNT, &settings->n, 0, NULL, "cubes along each side; 6 n^3 volumes"},
        {"type", OPTION_WORD, &settings->type, 0, "double float", "precision"},
        {"variables", OPTION_WORD, &settings->count, 0, "5 1", "fluxes through each face"},
        {"iterations", OPTION_COUNT, &settings->iterations, 0, NULL, "how often both are done"},
        {"renumber", OPTION_FLAG, &settings->renumber, 0, NULL,
         "number neighbouring volumes near each other, and faces by their volumes"},
        {"reorder", OPTION_FLAG, &settings->reorder, 0, NULL,
         "order the faces and their fluxes by colour"},
    };
    run_begin(run, "onera", "Flux summation and local maximum pressure on a cube of tetrahedra.",
              options, 6, 0, argc, argv);
    settings->variables = strcmp(settings->count, "1") == 0 ? 1 : VARIABLES;
    snprintf(run->test, sizeof run->test, "n=%d type=%s variables=%d", settings->n, settings->type,
             settings->variables);
}

int main(int argc, char **argv)
{
    struct settings settings = {16, 0, 100, 0, 0, "double", "5"};
    struct run run;
    struct volumes mesh;
    struct references list;
    struct result result = {{0.0}, {0.0}, 0.0, 0};
    read_options(&settings, &run, argc, argv);
    op_init(argc, argv, 1);
    find_references(&list, &settings, &run);
    run_references(&run, list.reference, list.count);
    const int failed = volumes_make(&mesh, settings.n);
    if (failed) {
        return failed;
    }
    if (run.shuffle) {
        volumes_shuffle(&mesh, run.shuffle);
    }
    if (settings.renumber) {
        volumes_renumber(&mesh);
    }
    if (settings.reorder) {
        volumes_colour(&mesh);
    }
    printf("%d volumes, %d faces", mesh.volumes, mesh.faces);
    for (int c = 0; c < mesh.colours; c++) {
        printf(c == 0 ? " (by colour: %d" : ", %d", mesh.coloured[c]);
    }
    printf(mesh.colours > 0 ? ")\n" : "\n");
    if (strcmp(settings.type, "double") == 0) {
        run_double(&mesh, settings.variables, settings.iterations, &run, &result);
    } else {
        run_float(&mesh, settings.variables, settings.iterations, &run, &result);
    }
    op_timing_output();
    print(&run, &settings, &mesh, &result);
    volumes_free(&mesh);
    const int status = run_finish(&run);
    op_exit();
    return status;
}
