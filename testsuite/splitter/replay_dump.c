/* replay_dump.c: replay_dump [--raw|--graph|--schedule=N] SOURCE: C text that runs each loop's
 * kernel beside its graph.
 *
 * For each loop: a function that executes the graph's nodes in their order and then its updates,
 * and a driver that calls it and the kernel on the same random data and compares all arguments: bit
 * for bit, but for places that are incremented, whose sums may be taken in another order. --raw:
 * the graph as lowered; else after merging. --schedule=N: not the graph but the stages of the
 * loop's N-th schedule (of fused, where that is not possible). Exit 1 when a loop has no graph.
 *
 * Groups of loops stand in the source, in the form of --cleave-dump=groups between lines that are
 * "/" "* GROUPS" and "*" "/". Their joined loops run beside the members' kernels, one after the
 * other.
 */
#include <stdlib.h>
#include <string.h>

#include "pass/frontend/pass.h"
#include "pass/ir/group.h"
#include "splitter/graph/graph.h"
#include "splitter/lower/lower.h"
#include "splitter/splitter.h"

/* The kernel of a joined loop, whose name for users is no identifier, goes by its own. */
static const char *user_function(const struct function *function, void *user)
{
    (void)user;
    bool is_joined = strchr(function->user_name, '+') != NULL;
    return function->kind == FUNCTION_USER && !is_joined ? function->user_name : function->name;
}

/* Tables may be known inside a function only: they are printed again. */
static const char *variable(const struct var *var, void *user)
{
    static char text[4][128];
    static int last;

    (void)user;
    if (var->storage != STORAGE_TABLE) {
        return NULL;
    }
    last = (last + 1) % 4;
    snprintf(text[last], sizeof text[last], "table_%s", var->name);
    return text[last];
}

static const struct c_names names = {.function = user_function, .var = variable};

static void print_tables(const struct program *program)
{
    for (int g = 0; g < program->globals; g++) {
        const struct var *var = program->global[g];

        if (var->storage == STORAGE_TABLE) {
            printf("static ");
            print_c_type(stdout, var->type, variable(var, NULL));
            printf(" = ");
            print_c_expr(stdout, var->init, &names);
            printf(";\n");
        }
    }
}

/* ---- the graph as a function --------------------------------------------------------------- */

static bool is_first(const struct graph *graph, int n, int d)
{
    const struct var *var = graph->node[n].define[d];

    for (int m = 0; m < n; m++) {
        for (int k = 0; k < graph->node[m].defines; k++) {
            if (graph->node[m].define[k] == var) {
                return false;
            }
        }
    }
    return true;
}

/* Variables start with garbage: nodes must set them before others read them. */
static void print_variables(const struct graph *graph)
{
    for (int n = 0; n < graph->nodes; n++) {
        for (int d = 0; d < graph->node[n].defines; d++) {
            if (is_first(graph, n, d)) {
                const char *name = graph->node[n].define[d]->name;

                printf("    ");
                print_c_type(stdout, graph->node[n].define[d]->type, name);
                printf(";\n    memset(&%s, 0x7b, sizeof %s);\n", name, name);
            }
        }
    }
}

static void print_guard(const struct graph *graph, const struct guard *guard)
{
    if (guard != NULL) {
        print_guard(graph, guard->outer);
        printf("if (%s%s) ", guard->when ? "" : "!", graph->node[guard->condition].var->name);
    }
}

static void print_node(const struct graph *graph, const struct node *node)
{
    printf("    ");
    print_guard(graph, node->guard);
    printf("{\n");
    if (node->kind == NODE_VALUE) {
        printf("        %s = ", node->var->name);
        print_c_expr(stdout, node->expr, &names);
        printf(";\n");
    } else {
        print_c_stmt(stdout, node->stmt, 2, &names);
    }
    printf("    }\n");
}

static void print_value(const struct update *update)
{
    printf("(");
    if (update->scale != NULL) {
        print_c_expr(stdout, update->scale, &names);
        printf(" * ");
    }
    print_c_expr(stdout, update->value, &names);
    printf(")");
}

static void print_update(const struct loop *loop, const struct update *update)
{
    const struct arg *arg = &loop->arg[update->place.arg];
    char place[256];
    char column[32] = "";

    if (arg->is_vector) {
        snprintf(column, sizeof column, "[%d]", update->place.column);
    }
    snprintf(place, sizeof place, "%s%s[%d]", loop->kernel->param[update->place.arg]->name, column,
             update->place.component);
    printf("    ");
    if (arg->access == ACCESS_INC) {
        printf("%s %s= ", place, update->negative ? "-" : "+");
        print_value(update);
    } else {
        printf("if (");
        print_value(update);
        printf(" %s %s) %s = ", arg->access == ACCESS_MIN ? "<" : ">", place, place);
        print_value(update);
    }
    printf(";\n");
}

static void print_graph(const struct loop *loop)
{
    const struct graph *graph = loop->graph;

    print_variables(graph);
    for (int n = 0; n < graph->nodes; n++) {
        print_node(graph, &graph->node[n]);
    }
    for (int c = 0; c < graph->contributions; c++) {
        print_update(loop, &graph->contribution[c].update);
    }
}

/* Runs a schedule: the values passed between stages, each stage's body and its updates. */
static void print_stages(const struct loop *loop, const struct schedule *schedule)
{
    for (int v = 0; v < schedule->crossings; v++) {
        const char *name = schedule->crossing[v]->name;

        printf("    ");
        print_c_type(stdout, schedule->crossing[v]->type, name);
        printf(";\n    memset(&%s, 0x7b, sizeof %s);\n", name, name);
    }
    for (int s = 0; s < schedule->stages; s++) {
        const struct stage *stage = &schedule->stage[s];

        if (stage->body != NULL) {
            print_c_stmt(stdout, stage->body, 1, &names);
        }
        for (int u = 0; u < stage->updates; u++) {
            print_update(loop, &stage->update[u]);
        }
    }
}

static void print_replay(const struct loop *loop, int schedule)
{
    struct function function = *loop->kernel;
    char name[256];

    snprintf(name, sizeof name, "replay_%s", loop->id);
    function.user_name = name;
    function.kind = FUNCTION_USER;
    printf("\nstatic ");
    print_c_prototype(stdout, &function, &names);
    printf("\n{\n");
    if (schedule < 0) {
        print_graph(loop);
    } else {
        print_stages(loop, &loop->schedule[loop->schedule[schedule].legal ? schedule : AT_FUSED]);
    }
    printf("}\n");
}

/* ---- the driver
 * ----------------------------------------------------------------------------------- */

/* Arguments that may name the same data share it: direct ones of one dat always, others that are
 * modified in place every other time. */
static int shares_with(const struct loop *loop, int a, bool sometimes)
{
    const struct arg *arg = &loop->arg[a];

    for (int b = 0; b < a && arg->kind == ARG_DAT; b++) {
        const struct arg *other = &loop->arg[b];

        if (other->kind == ARG_DAT && other->dat == arg->dat && arg->dat >= 0 &&
            arg->is_indirect == other->is_indirect &&
            (!arg->is_indirect || (sometimes && arg->access != ACCESS_READ &&
                                   arg->access != ACCESS_INC && arg->access == other->access))) {
            return b;
        }
    }
    return a;
}

static int dimension(const struct arg *arg)
{
    return arg->kind == ARG_INDEX ? 1 : arg->dim;
}

static void print_data(const struct loop *loop, int a)
{
    const struct arg *arg = &loop->arg[a];
    int count = arg->columns * dimension(arg);

    printf("    static ");
    print_c_type(stdout, arg->type, "");
    printf(" a%d[%d], b%d[%d];\n", a, count, a, count);
    printf("    try_fill_%s(a%d, %d);\n    memcpy(b%d, a%d, sizeof a%d);\n",
           type_is_floating(arg->type) ? arg->type->kind == TYPE_FLOAT ? "float" : "double" : "int",
           a, count * (type_is_floating(arg->type) ? 1 : (int)arg->type->size / 4), a, a, a);
}

/* The rows of a vector argument. */
static void print_rows(const struct loop *loop, int a, char copy, bool shared)
{
    const struct arg *arg = &loop->arg[a];
    int from = shares_with(loop, a, shared);

    printf("        ");
    print_c_type(stdout, arg->type, "");
    printf(" *rows_%c%d[] = {", copy, a);
    for (int c = 0; c < arg->columns; c++) {
        printf("%s%c%d + %d", c > 0 ? ", " : "", copy, from, c * dimension(arg));
    }
    printf("};\n");
}

static void print_call(const struct loop *loop, const char *prefix, char copy, bool shared)
{
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].is_vector) {
            print_rows(loop, a, copy, shared);
        }
    }
    printf("        %s%s(", prefix,
           prefix[0] != '\0' ? loop->id : user_function(loop->kernel, NULL));
    for (int a = 0; a < loop->args; a++) {
        bool is_vector = loop->arg[a].is_vector;

        printf(a > 0 ? ", (" : "(");
        print_c_type(stdout, loop->kernel->param[a]->type, "");
        printf(")%s%c%d", is_vector ? "rows_" : "", copy,
               is_vector ? a : shares_with(loop, a, shared));
    }
    printf(");\n");
}

static void print_driver(const struct loop *loop)
{
    printf("\nstatic int trial_of_%s(int trial)\n{\n    int bad = 0;\n", loop->id);
    for (int a = 0; a < loop->args; a++) {
        print_data(loop, a);
    }
    for (int shared = 0; shared < 2; shared++) {
        printf("    if (trial %% 2 == %d) {\n", shared);
        print_call(loop, "", 'a', shared);
        print_call(loop, "replay_", 'b', shared);
        printf("    }\n");
    }
    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];
        bool sums = arg->access == ACCESS_INC && type_is_floating(arg->type);

        printf("    bad |= try_%s(a%d, b%d, %s a%d);\n",
               !sums                           ? "differ"
               : arg->type->kind == TYPE_FLOAT ? "differ_float"
                                               : "differ_double",
               a, a, sums ? "sizeof a0 * 0 + (int)sizeof" : "(int)sizeof", a);
    }
    printf("    return bad;\n}\n");
}

static const char head[] =
    "#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include \"cleave_math.h\"\n#define main case_main\n#include "
    "\"%s\"\n#undef main\n"
    "static unsigned try_state = 1;\n"
    "static unsigned try_draw(void) { return (try_state = try_state * 1664525u + 1013904223u) >> "
    "8; }\n"
    "static double try_number(void)\n{\n"
    "    return try_draw() %% 4 == 0 ? (double)(try_draw() %% 5) - 2 : (try_draw() / 8388608.0 - "
    "1) * 3;\n}\n"
    "static void try_fill_double(void *at, int n) { for (int i = 0; i < n; i++) ((double *)at)[i] "
    "= "
    "try_number(); }\n"
    "static void try_fill_float(void *at, int n) { for (int i = 0; i < n; i++) ((float *)at)[i] = "
    "(float)try_number(); }\n"
    "static void try_fill_int(void *at, int n) { for (int i = 0; i < n; i++) ((int *)at)[i] = "
    "(int)(try_draw() %% 4); }\n"
    "static int try_differ(const void *a, const void *b, int n) { return memcmp(a, b, n) != 0; }\n"
    "#define CLOSE(type, limit) \\\n"
    "    static int try_differ_##type(const void *a, const void *b, int n) { \\\n"
    "        for (int i = 0; i < n / (int)sizeof(type); i++) { \\\n"
    "            double x = ((const type *)a)[i], y = ((const type *)b)[i]; \\\n"
    "            if (x == y || (isnan(x) && isnan(y))) continue; \\\n"
    "            if (!(fabs(x - y) <= limit * (fabs(x) + fabs(y) + 1))) return 1; } \\\n"
    "        return 0; }\n"
    "CLOSE(double, 1e-12)\nCLOSE(float, 1e-5)\n"
    "int try_unused(void) { return try_differ(0, 0, 0) + try_differ_double(0, 0, 0) + "
    "try_differ_float(0, 0, 0); "
    "}\n";

static void print_kernel(const struct function *kernel)
{
    printf("\nstatic ");
    print_c_prototype(stdout, kernel, &names);
    printf("\n");
    print_c_stmt(stdout, kernel->body, 0, &names);
}

static int print_program(const struct program *program, int schedule)
{
    int failed = 0;

    printf(head, program->source);
    print_tables(program);
    for (int l = 0; l < program->loops; l++) {
        const struct loop *loop = &program->loop[l];

        if (loop->graph == NULL) {
            fprintf(stderr, "%s: %d: %s\n", loop->name, loop->whole_loc.line, loop->whole_reason);
            failed = 1;
            continue;
        }
        if (l >= program->user_loops) {
            print_kernel(loop->kernel);
        }
        print_replay(loop, loop->in_place ? -1 : schedule);
        print_driver(loop);
    }
    printf("\nint main(void)\n{\n    int bad = 0;\n");
    for (int l = 0; l < program->loops; l++) {
        if (program->loop[l].graph == NULL) {
            continue;
        }
        printf(
            "    for (int t = 0; t < 400; t++) if (trial_of_%s(t)) { printf(\"%s differs in trial "
            "%%d\\n\", t); bad = 1; break; }\n",
            program->loop[l].id, program->loop[l].id);
    }
    printf("    return bad;\n}\n");
    return failed;
}

static int check(const struct program *program)
{
    int failed = 0;

    for (int l = 0; l < program->loops; l++) {
        const struct graph *graph = program->loop[l].graph;
        const char *rule = graph != NULL ? graph_check(graph) : NULL;

        if (rule != NULL) {
            fprintf(stderr, "%s: %s\n", program->loop[l].name, rule);
            failed = 1;
        }
    }
    return failed;
}

static void lower(struct program *program, bool merge)
{
    for (int l = 0; l < program->loops; l++) {
        struct loop *loop = &program->loop[l];

        loop->whole_reason = loop->sequential_reason;
        if (loop->sequential_reason != NULL) {
            continue;
        }
        loop->graph = graph_lower(program->arena, loop, &loop->whole_reason, &loop->whole_loc);
        if (loop->graph != NULL && merge) {
            graph_merge(loop->graph);
        }
    }
}

/* N of --schedule=N; -1: the graph itself. */
static int schedule_wanted(int argc, char **argv)
{
    static const char flag[] = "--schedule=";
    bool given = argc > 1 && strncmp(argv[1], flag, sizeof flag - 1) == 0;

    return given ? atoi(argv[1] + sizeof flag - 1) : -1;
}

/* Gives the program the groups that its source has; 1: they have faults. */
static int read_groups(struct program *program)
{
    static char text[65536];
    FILE *file = fopen(program->source, "r");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    char *begin = strstr(text, "/* GROUPS\n");
    char *end = begin != NULL ? strstr(begin, "\n*/") : NULL;

    if (file == NULL || size == sizeof text - 1 || fclose(file) != 0) {
        fprintf(stderr, "%s: cannot be read whole\n", program->source);
        return 1;
    }
    if (end == NULL) {
        return 0;
    }
    end[1] = '\0';
    const char *message = group_read(program, begin + strlen("/* GROUPS\n"));
    message = message != NULL ? message : group_check(program);
    if (message == NULL) {
        splitter_run(program, &(struct splitter_options){.fuse = true});
        message = loop_ir_check(program);
    }
    for (int g = 0; g < program->groups && message == NULL; g++) {
        printf("/"
               "* %s: %s *"
               "/\n",
               program->group[g].name, program->group[g].exact ? "exact" : "not exact");
    }
    for (int r = 0; r < program->refusals; r++) {
        fprintf(stderr, "not joined: %s\n", program->refusal[r].reason);
    }
    if (message != NULL) {
        fprintf(stderr, "groups of %s: %s\n", program->source, message);
    }
    return message != NULL || program->refusals > 0;
}

static bool is_cxx(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && strcmp(dot, ".c") != 0;
}

int main(int argc, char **argv)
{
    const char *flag[] = {"-I" RUNTIME_DIR};
    bool is_raw = argc > 1 && strcmp(argv[1], "--raw") == 0;
    struct pass_options options = {.resource_dir = getenv("CLEAVE_CLANG_RESOURCE_DIR"),
                                   .source = argv[argc - 1],
                                   .flag = flag,
                                   .flags = 1,
                                   .unit = "0123456789abcdef",
                                   .include_dir = RUNTIME_DIR,
                                   .parse_dir = PARSE_DIR,
                                   .language = is_cxx(argv[argc - 1]) ? LANGUAGE_CXX : LANGUAGE_C};
    struct diag *diag = diag_new(stderr);
    bool has_loops;
    struct program *program = pass_run(&options, diag, &has_loops);
    int failed;

    if (program == NULL || diag_errors(diag) > 0) {
        return 1;
    }
    failed = read_groups(program);
    if (schedule_wanted(argc, argv) < 0) {
        lower(program, !is_raw);
    } else if (program->groups == 0) {
        splitter_run(program, NULL);
    }
    failed |= check(program);
    if (argc > 1 && strcmp(argv[1], "--graph") == 0) {
        splitter_print_graph(stdout, program);
    } else {
        failed |= print_program(program, schedule_wanted(argc, argv));
    }
    program_free(program);
    diag_free(diag);
    return failed;
}
