/* plan_metis.c: METIS as a library that is looked for at run time.
 *
 * In: the element graph and the number of parts. Out: the part of each element. METIS exists with
 * 32-bit and with 64-bit indices under one name; both work here. It is called with its defaults
 * only, because the numbers of its options differ between its versions; they allow parts 3 % above
 * average, for which plan_partition.c leaves room. Called by plan_partition.c.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "plan_metis.h"

#define METIS_OPTIONS 40
#define METIS_DONE 1
#define METIS_NO_MEMORY (-3)
#define IN_RUNS "loops are cut into runs of consecutive elements"

/* METIS_PartGraphKway(nvtxs, ncon, xadj, adjncy, vwgt, vsize, adjwgt, nparts, tpwgts, ubvec,
 * options, edgecut, part): all are pointers, to integers of either width or to reals. */
typedef int metis_kway(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                       void *, void *, void *, void *);
typedef int metis_defaults(void *options);

static struct {
    int tried;
    int wide; /* indices have 64 bits */
    metis_kway *kway;
} metis;

/* METIS fills its whole array of options, so the extent that it writes tells its index width. */
static int indices_are_wide(metis_defaults *defaults)
{
    int32_t options[2 * METIS_OPTIONS];
    memset(options, 0x5a, sizeof options);
    defaults(options);
    return options[METIS_OPTIONS] != 0x5a5a5a5a;
}

static void use_library(void *library, const char *name)
{
    metis_defaults *defaults;
    metis_kway *kway;
    *(void **)&defaults = dlsym(library, "METIS_SetDefaultOptions");
    *(void **)&kway = dlsym(library, "METIS_PartGraphKway");
    if (defaults == NULL || kway == NULL) {
        fprintf(stderr, "cleave: note: '%s' is not METIS (no %s in it); " IN_RUNS "\n", name,
                kway == NULL ? "METIS_PartGraphKway" : "METIS_SetDefaultOptions");
        return;
    }
    metis.wide = indices_are_wide(defaults);
    metis.kway = kway;
}

/* A program linked with -static has no dynamic loader; a library that it loads all the same brings
 * a second C library and crashes. */
static int is_static_program(void)
{
    return getauxval(AT_BASE) == 0;
}

static void load(void)
{
    const char *name = getenv("CLEAVE_METIS");
    void *library;
    metis.tried = 1;
    if (name != NULL && strcmp(name, "none") == 0) {
        return;
    }
    if (is_static_program()) {
        fprintf(stderr,
                "cleave: note: this program is linked statically and cannot load METIS; " IN_RUNS
                "\n");
        return;
    }
    if (name != NULL && name[0] != '\0') {
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    } else {
        name = "libmetis.so.5";
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        library = library != NULL ? library : dlopen("libmetis.so", RTLD_NOW | RTLD_LOCAL);
    }
    if (library != NULL) {
        use_library(library, name);
    } else if (access(name, F_OK) == 0) {
        fprintf(stderr, "cleave: note: METIS (%s) cannot be loaded: %s; " IN_RUNS "\n", name,
                dlerror());
    } else {
        fprintf(stderr, "cleave: note: METIS (%s) not found; " IN_RUNS "\n", name);
    }
}

int plan_metis_available(void)
{
    if (!metis.tried) {
        load();
    }
    return metis.kway != NULL;
}

int plan_metis_absent(void)
{
    return metis.tried && metis.kway == NULL;
}

/* METIS prints remarks of its own to stdout, which belongs to the user's program.
 * Returns a descriptor for show_stdout(), or -1. */
static int hide_stdout(void)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (saved >= 0 && nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return saved;
}

static void show_stdout(int saved)
{
    fflush(stdout);
    if (saved >= 0) {
        dup2(saved, STDOUT_FILENO);
        close(saved);
    }
}

/* METIS calls srand() and rand(), on a state of its own here: the program's sequence goes on as if
 * there had been no plan. */
static int call_quietly(void *elements, void *start, void *link, void *parts, void *cut, void *part,
                        void *constraints)
{
    char state[128];
    char *of_program = initstate(4321, state, sizeof state);
    int saved = hide_stdout();
    int code = metis.kway(elements, constraints, start, link, NULL, NULL, NULL, parts, NULL, NULL,
                          NULL, cut, part);
    show_stdout(saved);
    setstate(of_program);
    return code;
}

static int call_narrow(const struct plan_graph *graph, int parts, int *part, int *code, char *error)
{
    int32_t elements = graph->elements;
    int32_t constraints = 1;
    int32_t narrow_parts = parts;
    int32_t cut = 0;
    int32_t *start =
        plan_allocate((size_t)elements + 1, sizeof *start, "the offsets of METIS's graph", error);
    if (start == NULL) {
        return -1;
    }
    for (int e = 0; e <= elements; e++) {
        start[e] = (int32_t)graph->start[e];
    }
    *code = call_quietly(&elements, start, graph->link, &narrow_parts, &cut, part, &constraints);
    free(start);
    return 0;
}

static int call_wide(const struct plan_graph *graph, int parts, int *part, int *code, char *error)
{
    int64_t elements = graph->elements;
    int64_t constraints = 1;
    int64_t wide_parts = parts;
    int64_t cut = 0;
    int64_t links = graph->start[elements];
    int64_t *link = plan_allocate((size_t)links, sizeof *link, "METIS's 64-bit graph", error);
    int64_t *wide_part =
        plan_allocate((size_t)elements, sizeof *wide_part, "METIS's 64-bit partition", error);
    int status = link != NULL && wide_part != NULL ? 0 : -1;
    if (status == 0) {
        for (int64_t i = 0; i < links; i++) {
            link[i] = graph->link[i];
        }
        *code =
            call_quietly(&elements, graph->start, link, &wide_parts, &cut, wide_part, &constraints);
        for (int64_t e = 0; e < elements; e++) {
            part[e] = wide_part[e] >= 0 && wide_part[e] < parts ? (int)wide_part[e] : -1;
        }
    }
    free(link);
    free(wide_part);
    return status;
}

static int parts_in_range(const int *part, int elements, int parts)
{
    for (int e = 0; e < elements; e++) {
        if (part[e] < 0 || part[e] >= parts) {
            return 0;
        }
    }
    return 1;
}

static int say_failure(int code)
{
    static int said_memory;
    static int said_other;
    int *said = code == METIS_NO_MEMORY ? &said_memory : &said_other;
    if (*said) {
        return 1;
    }
    *said = 1;
    if (code == METIS_NO_MEMORY) {
        fprintf(stderr, "cleave: note: METIS ran out of memory; such " IN_RUNS "\n");
    } else if (code == METIS_DONE) {
        fprintf(stderr, "cleave: note: METIS returned parts that do not exist; such " IN_RUNS "\n");
    } else {
        fprintf(stderr, "cleave: note: METIS failed with code %d; such " IN_RUNS "\n", code);
    }
    return 1;
}

static int say_too_large(int64_t links)
{
    static int said;
    if (!said) {
        said = 1;
        fprintf(
            stderr,
            "cleave: note: an element graph has %lld links, more than METIS with 32-bit indices "
            "takes; such " IN_RUNS "\n",
            (long long)links);
    }
    return 1;
}

int plan_metis_partition(const struct plan_graph *graph, int parts, int *part, char *error)
{
    int code = METIS_DONE;
    int64_t links = graph->start[graph->elements];
    if (!metis.wide && links > INT_MAX) {
        return say_too_large(links);
    }
    int status = metis.wide ? call_wide(graph, parts, part, &code, error)
                            : call_narrow(graph, parts, part, &code, error);
    if (status != 0) {
        return -1;
    }
    if (code != METIS_DONE || !parts_in_range(part, graph->elements, parts)) {
        return say_failure(code);
    }
    return 0;
}
