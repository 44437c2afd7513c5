/* plan_bench.c: how good the planner's methods are on generated meshes, and what they cost. */
#include <stdlib.h>

#include "plan_bench.h"

/* 0, or 1 when a method failed or its plan depends on the number of threads. */
static int run_method(struct bench_result *result, const struct bench_options *options,
                      const struct test_mesh *mesh, const struct bench_method *method)
{
    int failed = 0;
    for (int t = 0; t < options->thread_counts; t++) {
        bench_measure(&result[t], options, mesh, method, options->threads[t]);
        int differ = result[t].plan_hash != result[0].plan_hash ||
                     result[t].numbering_hash != result[0].numbering_hash ||
                     result[t].ranges_hash != result[0].ranges_hash;
        if (!result[t].failed && !result[0].failed && differ) {
            result[t].failed = 1;
            snprintf(result[t].error, sizeof result[t].error,
                     "the plan differs from that made with %d threads", options->threads[0]);
        }
        failed |= result[t].failed;
    }
    return failed;
}

static int run_mesh(struct bench_verdict *verdict, const struct bench_options *options,
                    enum test_mesh_kind kind, FILE *json, int first)
{
    struct test_mesh mesh;
    struct bench_result *result =
        calloc((size_t)options->methods * (size_t)options->thread_counts, sizeof *result);
    if (result == NULL) {
        fputs("plan_bench: out of memory\n", stderr);
        exit(1);
    }
    int elements = options->elements > 0 ? options->elements : bench_default_elements(kind);
    test_mesh_make(&mesh, kind, elements, options->arity, options->seed);
    if (options->shuffled) {
        test_mesh_shuffle(&mesh, options->seed);
    }
    struct bench_table table = {options, &mesh, result};
    int failed = 0;
    for (int m = 0; m < options->methods; m++) {
        failed |=
            run_method(&result[m * options->thread_counts], options, &mesh, &options->method[m]);
    }
    bench_print(&table);
    if (options->accept) {
        bench_accept(verdict, &table);
    }
    if (json != NULL) {
        bench_json(json, &table, first);
    }
    test_mesh_free(&mesh);
    free(result);
    return failed;
}

static FILE *open_json(const char *name)
{
    if (name == NULL) {
        return NULL;
    }
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        fprintf(stderr, "plan_bench: --json: ");
        perror(name);
        exit(2);
    }
    bench_json_begin(file);
    return file;
}

static int close_json(FILE *file, const char *name)
{
    bench_json_end(file);
    int failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    if (failed) {
        fprintf(stderr, "plan_bench: --json: %s could not be written in full\n", name);
    }
    return failed;
}

int main(int argc, char **argv)
{
    struct bench_options options;
    struct bench_verdict verdict = {0, 0};
    int failed = 0;
    bench_parse(&options, argc, argv);
    test_planner.metis = getenv("CLEAVE_METIS");
    test_planner.scotch = getenv("CLEAVE_SCOTCH");
    FILE *json = open_json(options.json);
    for (int k = 0; k < options.meshes; k++) {
        failed |= run_mesh(&verdict, &options, options.mesh[k], json, k == 0);
    }
    if (json != NULL) {
        failed |= close_json(json, options.json);
    }
    if (options.accept) {
        printf("goals: %d met, %d not met%s\n", verdict.met, verdict.not_met,
               verdict.met + verdict.not_met == 0 ? ": nothing could be judged" : "");
        failed |= verdict.not_met > 0 || verdict.met == 0;
    }
    return failed;
}
