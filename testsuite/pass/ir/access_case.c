/* access_case.c: see access_case.h. */
#include "access_case.h"

#include <stdlib.h>
#include <string.h>

#include "pass/access/access.h"
#include "pass/ir/diag.h"

struct program *program;
struct function *kernel;
struct loop *loop;
enum access accessed[PARAMS];
bool is_sequential;

static char *said;

struct expr *at(int param, int subscript)
{
    return b_at_index(kernel->param[param], subscript);
}

struct expr *row(int param, int column, int subscript)
{
    return b_index(b_at_index(kernel->param[param], column), b_int(subscript));
}

void begin(void)
{
    const struct type *pointer;
    const char *name[] = {"r", "w", "rw", "inc", "vec", "dinc", "gbl"};
    const struct type *type[PARAMS];

    program = b_program();
    pointer = b_pointer(B_DOUBLE);
    for (int n = 0; n < PARAMS; n++) {
        type[n] = n == VEC ? b_pointer(pointer) : pointer;
    }
    kernel = b_function("k", b_type(TYPE_VOID), PARAMS, name, type);
    b_at(50, 1);
    loop = b_loop(program, kernel);
    b_arg(loop, ACCESS_READ, 4);
    b_arg(loop, ACCESS_WRITE, 4);
    b_arg(loop, ACCESS_RW, 4);
    b_indirect(b_arg(loop, ACCESS_INC, 4), 0, 1);
    b_indirect(b_arg(loop, ACCESS_INC, 4), 0, -3);
    loop->arg[VEC].is_vector = true;
    loop->arg[VEC].columns = 3;
    b_arg(loop, ACCESS_INC, 4);
    b_arg(loop, ACCESS_INC, 1);
    loop->arg[GBL].kind = ARG_GLOBAL;
    loop->arg[GBL].dat = -1;
    for (int n = 0; n < PARAMS; n++) {
        loop->arg[n].loc.line = 60 + n;
    }
    b_at(10, 5);
}

/* The names of messages, which diag.c tests, are left out here. */
static void cut_names(char *text)
{
    char *name;

    while ((name = strstr(text, " [-Wcleave-")) != NULL) {
        const char *rest = strchr(name, ']') + 1;

        memmove(name, rest, strlen(rest) + 1);
    }
}

const char *finish(bool as_warnings, bool accept_alias)
{
    size_t size = 0;
    FILE *out;
    struct diag *diag;

    free(said);
    said = NULL;
    out = open_memstream(&said, &size);
    diag = diag_new(out);
    if (as_warnings) {
        diag_access_as_warnings(diag);
    }
    access_check(program, diag, accept_alias);
    diag_free(diag);
    fclose(out);
    cut_names(said);
    for (int n = 0; n < loop->args && n < PARAMS; n++) {
        accessed[n] = loop->arg[n].access;
    }
    is_sequential = loop->sequential_reason != NULL;
    b_program_free(program);
    return said;
}

const char *with_body(struct stmt *body)
{
    b_body(program, kernel, body);
    return finish(false, false);
}

bool says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fprintf(stderr, "said \"%s\", not \"%s\"\n", text, part);
        return false;
    }
    return true;
}

void case_end(void)
{
    free(said);
    said = NULL;
}
