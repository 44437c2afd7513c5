/* grouped.c: fields of the nodes with three components in a dat, and the loops that use them. */
#include "lulesh.h"

#include "grouped_forces.h"
#include "grouped_motion.h"

static op_dat p_x, p_xd, p_xdd, p_f, p_nodal_mass; /* nodes */
static op_dat p_sig, p_x8, p_dvd;                  /* elements */

#define CORNERS(dat, access) op_arg_dat(dat, -8, nodelist, 3, "double", access)
#define READ3(dat) op_arg_dat(dat, -1, OP_ID, 3, "double", OP_READ)

static void declare(const double *x)
{
    p_x = op_decl_dat(nodes, 3, "double", x, "x");
    p_xd = op_decl_dat(nodes, 3, "double", (double *)NULL, "xd");
    p_xdd = op_decl_dat(nodes, 3, "double", (double *)NULL, "xdd");
    p_f = op_decl_dat(nodes, 3, "double", (double *)NULL, "f");
    p_nodal_mass = op_decl_dat(nodes, 1, "double", (double *)NULL, "nodalMass");
    p_sig = op_decl_dat(elems, 3, "double", (double *)NULL, "sig");
    p_x8 = op_decl_dat(elems, 24, "double", (double *)NULL, "x8");
    p_dvd = op_decl_dat(elems, 24, "double", (double *)NULL, "dvd");
    op_partition("METIS", "KWAY", elems, nodelist, p_x);
    op_par_loop(initial_masses, "initial_masses", elems, CORNERS(p_x, OP_READ), WRITE(p_volo),
                WRITE(p_elem_mass), op_arg_dat(p_nodal_mass, -8, nodelist, 1, "double", OP_INC));
}

static void add_forces(void)
{
    op_par_loop(init_stress, "init_stress", elems, READ(p_p), READ(p_q),
                op_arg_dat(p_sig, -1, OP_ID, 3, "double", OP_WRITE));
    op_par_loop(clear_force, "clear_force", nodes,
                op_arg_dat(p_f, -1, OP_ID, 3, "double", OP_WRITE));
    op_par_loop(integrate_stress, "integrate_stress", elems, CORNERS(p_x, OP_READ),
                CORNERS(p_f, FORCES), READ3(p_sig), WRITE(p_determ));
    op_par_loop(volume_derivatives, "volume_derivatives", elems, CORNERS(p_x, OP_READ),
                READ(p_volo), READ(p_v), op_arg_dat(p_x8, -1, OP_ID, 24, "double", OP_WRITE),
                op_arg_dat(p_dvd, -1, OP_ID, 24, "double", OP_WRITE), WRITE(p_determ));
    op_par_loop(hourglass, "hourglass", elems, CORNERS(p_xd, OP_READ), CORNERS(p_f, FORCES),
                op_arg_dat(p_x8, -1, OP_ID, 24, "double", OP_READ),
                op_arg_dat(p_dvd, -1, OP_ID, 24, "double", OP_READ), READ(p_determ), READ(p_ss),
                READ(p_elem_mass));
}

static void move_nodes(double dt)
{
    add_forces();
    op_par_loop(acceleration, "acceleration", nodes, READ3(p_f), READ(p_nodal_mass),
                op_arg_dat(p_xdd, -1, OP_ID, 3, "double", OP_WRITE));
    op_par_loop(hold_x, "hold_x", planes[0], op_arg_dat(p_xdd, 0, on_plane[0], 3, "double", OP_RW));
    op_par_loop(hold_y, "hold_y", planes[1], op_arg_dat(p_xdd, 0, on_plane[1], 3, "double", OP_RW));
    op_par_loop(hold_z, "hold_z", planes[2], op_arg_dat(p_xdd, 0, on_plane[2], 3, "double", OP_RW));
    op_par_loop(velocity, "velocity", nodes, op_arg_dat(p_xd, -1, OP_ID, 3, "double", OP_RW),
                READ3(p_xdd), op_arg_gbl(&dt, 1, "double", OP_READ));
    op_par_loop(position, "position", nodes, op_arg_dat(p_x, -1, OP_ID, 3, "double", OP_RW),
                READ3(p_xd), op_arg_gbl(&dt, 1, "double", OP_READ));
}

static void deform_elements(double dt)
{
    op_par_loop(kinematics, "kinematics", elems, CORNERS(p_x, OP_READ), CORNERS(p_xd, OP_READ),
                READ(p_volo), READ(p_v), WRITE(p_vnew), WRITE(p_delv), WRITE(p_arealg),
                WRITE(p_vdov), op_arg_gbl(&dt, 1, "double", OP_READ));
    op_par_loop(velocity_gradients, "velocity_gradients", elems, CORNERS(p_x, OP_READ),
                CORNERS(p_xd, OP_READ), READ(p_volo), READ(p_vnew), WRITE(p_delx[0]),
                WRITE(p_delx[1]), WRITE(p_delx[2]), WRITE(p_delv_along[0]), WRITE(p_delv_along[1]),
                WRITE(p_delv_along[2]));
}

static void fetch(double *x, double *xd, double *mass)
{
    op_fetch_data(p_x, x);
    op_fetch_data(p_xd, xd);
    op_fetch_data(p_nodal_mass, mass);
}

const struct form grouped_form = {"grouped", declare, move_nodes, deform_elements, fetch};
