/* lower.c: what the lowering tells its callers besides the graph itself (replay.sh checks that):
 * why a body is not taken apart and where, which extrema are known, what runs once, what costs how
 * much, and that the user's trees stay as they were.
 */
#include <stdlib.h>

#include "check.h"
#include "pass/frontend/pass.h"
#include "splitter/graph/graph.h"
#include "splitter/lower/lower.h"

static struct program *parse(const char *source, struct diag *diag)
{
    static const char *const flag[] = {"-I" RUNTIME_DIR};
    struct pass_options options = {.resource_dir = getenv("CLEAVE_CLANG_RESOURCE_DIR"),
                                   .source = source,
                                   .flag = flag,
                                   .flags = 1,
                                   .unit = "0123456789abcdef",
                                   .include_dir = RUNTIME_DIR,
                                   .parse_dir = PARSE_DIR};
    bool has_loops;

    return pass_run(&options, diag, &has_loops);
}

static struct loop *find(struct program *program, const char *name)
{
    for (int l = 0; l < program->loops; l++) {
        if (strcmp(program->loop[l].name, name) == 0) {
            return &program->loop[l];
        }
    }
    fprintf(stderr, "no loop %s\n", name);
    exit(1);
}

static struct graph *lower(struct program *program, const char *name)
{
    const struct loop *loop = find(program, name);
    const char *reason;
    struct loc where;
    struct graph *graph = graph_lower(program->arena, loop, &reason, &where);

    CHECK(graph != NULL);
    CHECK(reason == NULL && where.line == 0);
    return graph;
}

static bool refuses(struct program *program, const char *name)
{
    const char *reason;
    struct loc where;
    return graph_lower(program->arena, find(program, name), &reason, &where) == NULL;
}

static void test_refused(struct program *program)
{
    const char *reason;
    struct loc where;

    CHECK(graph_lower(program->arena, find(program, "compares"), &reason, &where) == NULL);
    CHECK_TEXT(reason, "a comparison of pointers");
    CHECK(where.file != NULL && strstr(where.file, "refused.c") != NULL);
    CHECK(where.line > find(program, "compares")->kernel->loc.line);
    CHECK(refuses(program, "behind"));
    CHECK(refuses(program, "stale"));
}

static char *text_of(const struct program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    loop_ir_print(out, program);
    fclose(out);
    return text;
}

/* Lowering twice gives the same, and leaves the trees alone. */
static void test_pure(struct program *program)
{
    char *before = text_of(program);
    struct graph *first = lower(program, "helpers");
    struct graph *second = lower(program, "helpers");
    char *after = text_of(program);

    CHECK_TEXT(after, before);
    CHECK(first->nodes == second->nodes && first->nodes > 0);
    for (int n = 0; n < first->nodes && n < second->nodes; n++) {
        CHECK(first->node[n].kind == second->node[n].kind);
        if (first->node[n].kind == NODE_VALUE) {
            CHECK_TEXT(first->node[n].var->name, second->node[n].var->name);
        }
    }
    free(before);
    free(after);
}

static double flops_of(const struct graph *graph)
{
    double flops = 0.0;

    for (int n = 0; n < graph->nodes; n++) {
        flops += graph->node[n].flops;
    }
    return flops;
}

static void test_nodes(struct program *program)
{
    const struct graph *graph = lower(program, "versions");
    int stores = 0;

    CHECK(!graph->effects);
    CHECK(graph->contributions == 8);
    CHECK(flops_of(graph) == 8.0); /* 1 + 3 of f, 2.0 * f, - a[2], f * f, + a[3] */
    CHECK(graph->contribution[4].update.negative);
    CHECK(graph->contribution[4].node == graph->contribution[0].node);
    for (int c = 0; c < graph->contributions; c++) {
        CHECK(graph->contribution[c].merged == c);
        CHECK(graph->contribution[c].loc.line > 0);
    }
    graph = lower(program, "reduces");
    CHECK(graph->effects && graph->contributions == 0);
    for (int n = 0; n < graph->nodes; n++) {
        stores += graph->node[n].kind == NODE_STORE;
        CHECK(graph->node[n].once == (graph->node[n].kind == NODE_STORE));
    }
    CHECK(stores == 3);
    CHECK(!refuses(program, "extrema"));
}

static struct program *parsed(const char *name, struct diag *diag)
{
    char path[1024];
    struct program *program;

    snprintf(path, sizeof path, CASES "/%s", name);
    program = parse(path, diag);
    if (program == NULL || diag_errors(diag) > 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    return program;
}

int main(void)
{
    struct diag *diag = diag_new(stderr);
    struct program *lines = parsed("lines.c", diag);
    struct program *refused = parsed("refused.c", diag);

    test_refused(refused);
    test_pure(lines);
    test_nodes(lines);
    program_free(lines);
    program_free(refused);
    diag_free(diag);
    return CHECK_RESULT();
}
