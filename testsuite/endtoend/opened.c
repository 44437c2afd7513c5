/* opened.c: opens libraries with loops after op_init, runs their loops, closes them, and asks for
 * times when the libraries are gone; see opened.sh. It has no loop of its own. STAYS: a closed
 * library may stay in memory. */
#include "op_seq.h"

#include <dlfcn.h>

typedef void run_function(op_set cells, op_dat out, double scale);

static op_set cells;
static op_dat out;

static void run(const char *library, const char *function, double scale, int flags)
{
    double value[100];
    void *handle = dlopen(library, RTLD_NOW | flags);
    run_function *call;
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&call = dlsym(handle, function);
    call(cells, out, scale);
    op_fetch_data(out, value);
    printf("= %s %g\n", function, value[0] + value[99]);
    op_timing_output();
    dlclose(handle);
    if (getenv("STAYS") == NULL && dlopen(library, RTLD_NOW | RTLD_NOLOAD) != NULL) {
        fprintf(stderr, "%s is not closed\n", library);
        exit(2);
    }
    op_timing_output();
}

int main(int argc, char **argv)
{
    int flags = argc > 1 && argv[1][0] == 'g' ? RTLD_GLOBAL : RTLD_LOCAL;
    op_init(argc, argv, 0);
    cells = op_decl_set(100, "cells");
    out = op_decl_dat(cells, 1, "double", (double *)NULL, "out");
    for (int scale = 1; scale <= 2; scale++) {
        run("./liba.so", "run_one", scale, flags);
        run("./libb.so", "run_two", scale + 10, flags);
    }
    op_timings_to_csv("times.csv");
    op_exit();
    return 0;
}
