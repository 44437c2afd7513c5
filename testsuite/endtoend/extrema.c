/* extrema.c: runs the loops of extrema.h. Prints lines "= name value..." that must not depend on
 * the schedule: a minimum is exact. */
#include "mesh.h"

#include <math.h>

#include "extrema.h"

#define LOOP(kernel)                                                                               \
    op_par_loop(kernel, #kernel, links, op_arg_dat(w, -1, OP_ID, 2, "double", OP_READ),            \
                op_arg_dat(x, 0, ends, 2, "double", OP_READ),                                      \
                op_arg_dat(hi, 1, ends, 4, "double", OP_MAX),                                      \
                op_arg_dat(lo, 0, others, 4, "double", OP_MIN),                                    \
                op_arg_gbl(top, 2, "double", OP_MAX));                                             \
    mesh_show_double(#kernel, hi);                                                                 \
    mesh_show_double(#kernel, lo);                                                                 \
    printf("= %s %g %g\n", #kernel, top[0], top[1])

int main(int argc, char **argv)
{
    double top[2] = {-4, -4};
    op_init(argc, argv, 0);
    mesh_make();
    op_dat w = mesh_dat_double(links, 2, "w"), x = mesh_dat_double(points, 2, "x");
    op_dat hi = mesh_dat_double(points, 4, "hi"), lo = mesh_dat_double(points, 4, "lo");
    LOOP(compared);
    LOOP(guarded);
    LOOP(elsewhere);
    op_exit();
    return 0;
}
