/* chain_dump.c: chain_dump SOURCE [flags...]: the chains of a source in short, without places and
 * with the names of variables in place of their numbers.
 *
 * Fails where loop_ir_check() does, or where the text of --cleave-dump=chains, read and printed
 * again, is another one. A source that ends in .cpp is read as C++. With --explain as first flag it
 * prints what
 * --cleave-explain says of chains instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/frontend/pass.h"
#include "pass/ir/chain.h"

static const char *var_text(const struct program *program, int var)
{
    switch (var) {
    case HOST_NONE:
        return "-";
    case HOST_POINTED:
        return "pointed";
    case HOST_ALL:
        return "all";
    default:
        return program->host_var[var].text;
    }
}

static void print_effects(const struct program *program, const struct step *step)
{
    static const char *const kind[] = {"look",  "change", "rebind", "declare",
                                       "order", "clock",  "unknown"};

    for (int e = 0; e < step->effects; e++) {
        const struct effect *effect = &step->effect[e];

        printf("%s%s %s", e == 0 ? ": " : "; ", kind[effect->kind], var_text(program, effect->var));
        if (effect->by != NULL) {
            printf(" by %s", effect->by);
        }
    }
}

static void print_loop(const struct program *program, const struct step *step)
{
    printf(" %s over %s:", program->loop[step->loop].id, var_text(program, step->set));
    for (int a = 0; a < step->args; a++) {
        printf(" %s", var_text(program, step->arg[a].data));
        if (step->arg[a].map != HOST_NONE) {
            printf("/%s", var_text(program, step->arg[a].map));
        }
    }
}

static void print_step(const struct program *program, const struct chain *chain, int number,
                       int indent)
{
    static const char *const kind[] = {"loop",   "code",   "call",  "repeat",   "choice",
                                       "switch", "branch", "break", "continue", "next",
                                       "goto",   "label",  "leave"};
    const struct step *step = &chain->step[number];

    printf("%*s%s", indent, "", kind[step->kind]);
    if (step->word != NULL) {
        printf(" %s", step->word);
    }
    if (step->kind == STEP_LOOP) {
        print_loop(program, step);
    }
    for (int b = 0; b < step->binds; b++) {
        printf(" %s=%s", var_text(program, step->bind[b].inner),
               var_text(program, step->bind[b].outer));
    }
    if (step->trips >= 0) {
        printf(" trips %ld", step->trips);
    }
    printf("%s", step->always ? " always" : "");
    print_effects(program, step);
    printf("\n");
    for (int s = number + 1; s < step->end; s = chain->step[s].end) {
        print_step(program, chain, s, indent + 2);
    }
}

static void print_chains(const struct program *program)
{
    for (int c = 0; c < program->chains; c++) {
        const struct chain *chain = &program->chain[c];

        printf("chain %s%s%s\n", chain->name, chain->is_internal ? " internal" : "",
               chain->is_loose ? " loose" : "");
        for (int v = 0; v < program->host_vars; v++) {
            const struct host_var *var = &program->host_var[v];

            if (var->chain == c && var->is_private) {
                printf("  private %s\n", var->text);
            }
        }
        for (int s = 0; s < chain->steps; s = chain->step[s].end) {
            print_step(program, chain, s, 2);
        }
    }
}

static char *full_text(const struct program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    chain_print(out, program);
    fclose(out);
    return text;
}

/* Returns whether the chains survive their own text. */
static int reads_back(struct program *program)
{
    char *once = full_text(program);
    const char *message = chain_read(program, once);
    char *twice;
    int same;

    if (message == NULL) {
        message = loop_ir_check(program);
    }
    if (message != NULL) {
        fprintf(stderr, "read back: %s\n", message);
        free(once);
        return 0;
    }
    twice = full_text(program);
    same = strcmp(once, twice) == 0;
    if (!same) {
        fprintf(stderr, "the text that is read back differs:\n%s", twice);
    }
    free(once);
    free(twice);
    return same;
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_new(stderr);
    struct pass_options options = {.unit = "0123456789abcdef", .parse_dir = PARSE_DIR};
    struct program *program;
    const char *message;
    int first = argc > 2 && strcmp(argv[2], "--explain") == 0 ? 3 : 2;
    bool has_loops;
    int good;

    if (argc < 2 || diag == NULL) {
        return 2;
    }
    options.source = argv[1];
    options.language = strstr(argv[1], ".cpp") != NULL ? LANGUAGE_CXX : LANGUAGE_C;
    options.flags = argc - first;
    options.flag = (const char *const *)argv + first;
    program = pass_run(&options, diag, &has_loops);
    if (program == NULL || diag_errors(diag) > 0) {
        return 1;
    }
    message = loop_ir_check(program);
    if (message != NULL) {
        fprintf(stderr, "%s\n", message);
    }
    good = message == NULL && reads_back(program);
    if (first == 3) {
        chain_explain(stdout, program);
    } else {
        print_chains(program);
    }
    program_free(program);
    diag_free(diag);
    return !good;
}
