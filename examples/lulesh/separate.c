/* separate.c: fields of the nodes with a dat for each direction, and the loops that use them, with
 * an argument for each corner of an element.
 */
#include "lulesh.h"

#include "separate_forces.h"
#include "separate_motion.h"

/* Nodes have positions, velocities, accelerations, forces and masses. */
static op_dat p_x[3], p_xd[3], p_xdd[3], p_f[3], p_nodal_mass;
/* Elements have stresses, positions of the corners, and derivatives of the volume by them. */
static op_dat p_sig[3], p_x8[3], p_dvd[3];

#define CORNER(dat, n, access) op_arg_dat(dat, n, nodelist, 1, "double", access)
#define CORNERS(dat, access)                                                                       \
    CORNER(dat, 0, access), CORNER(dat, 1, access), CORNER(dat, 2, access),                        \
        CORNER(dat, 3, access), CORNER(dat, 4, access), CORNER(dat, 5, access),                    \
        CORNER(dat, 6, access), CORNER(dat, 7, access)
#define CORNERS3(dat, access)                                                                      \
    CORNERS(dat[0], access), CORNERS(dat[1], access), CORNERS(dat[2], access)
#define READ8(dat) op_arg_dat(dat, -1, OP_ID, 8, "double", OP_READ)
#define WRITE8(dat) op_arg_dat(dat, -1, OP_ID, 8, "double", OP_WRITE)

/* Declares three fields of `components` values, with names that end in x, y and z. */
static void declare3(op_dat *dat, op_set set, int components, const char *name)
{
    for (int d = 0; d < 3; d++) {
        char text[8];
        snprintf(text, sizeof text, "%s%c", name, "xyz"[d]);
        dat[d] = op_decl_dat(set, components, "double", (double *)NULL, text);
    }
}

static void declare_positions(const double *x)
{
    static const char *const name[3] = {"x", "y", "z"};
    const size_t size = (size_t)op_get_size(nodes);
    double *value = (double *)lulesh_array(size, sizeof *value);
    for (int d = 0; d < 3; d++) {
        for (size_t n = 0; n < size; n++) {
            value[n] = x[3 * n + (size_t)d];
        }
        p_x[d] = op_decl_dat(nodes, 1, "double", value, name[d]);
    }
    free(value);
}

static void declare(const double *x)
{
    declare_positions(x);
    declare3(p_xd, nodes, 1, "xd_");
    declare3(p_xdd, nodes, 1, "xdd_");
    declare3(p_f, nodes, 1, "f");
    p_nodal_mass = op_decl_dat(nodes, 1, "double", (double *)NULL, "nodalMass");
    declare3(p_sig, elems, 1, "sig");
    declare3(p_x8, elems, 8, "x8_");
    declare3(p_dvd, elems, 8, "dvd");
    op_partition("METIS", "KWAY", elems, nodelist, NULL);
    op_par_loop(initial_masses, "initial_masses", elems, CORNERS3(p_x, OP_READ), WRITE(p_volo),
                WRITE(p_elem_mass), CORNERS(p_nodal_mass, OP_INC));
}

static void add_forces(void)
{
    op_par_loop(init_stress, "init_stress", elems, READ(p_p), READ(p_q), WRITE(p_sig[0]),
                WRITE(p_sig[1]), WRITE(p_sig[2]));
    op_par_loop(clear_forces, "clear_forces", nodes, WRITE(p_f[0]), WRITE(p_f[1]), WRITE(p_f[2]));
    op_par_loop(integrate_stress, "integrate_stress", elems, CORNERS3(p_x, OP_READ),
                CORNERS3(p_f, FORCES), READ(p_sig[0]), READ(p_sig[1]), READ(p_sig[2]),
                WRITE(p_determ));
    op_par_loop(volume_derivatives, "volume_derivatives", elems, CORNERS3(p_x, OP_READ),
                READ(p_volo), READ(p_v), WRITE8(p_x8[0]), WRITE8(p_x8[1]), WRITE8(p_x8[2]),
                WRITE8(p_dvd[0]), WRITE8(p_dvd[1]), WRITE8(p_dvd[2]), WRITE(p_determ));
    op_par_loop(hourglass, "hourglass", elems, CORNERS3(p_xd, OP_READ), CORNERS3(p_f, FORCES),
                READ8(p_x8[0]), READ8(p_x8[1]), READ8(p_x8[2]), READ8(p_dvd[0]), READ8(p_dvd[1]),
                READ8(p_dvd[2]), READ(p_determ), READ(p_ss), READ(p_elem_mass));
}

static void move_nodes(double dt)
{
    add_forces();
    op_par_loop(acceleration, "acceleration", nodes, READ(p_f[0]), READ(p_f[1]), READ(p_f[2]),
                READ(p_nodal_mass), WRITE(p_xdd[0]), WRITE(p_xdd[1]), WRITE(p_xdd[2]));
    op_par_loop(hold, "hold_x", planes[0],
                op_arg_dat(p_xdd[0], 0, on_plane[0], 1, "double", OP_WRITE));
    op_par_loop(hold, "hold_y", planes[1],
                op_arg_dat(p_xdd[1], 0, on_plane[1], 1, "double", OP_WRITE));
    op_par_loop(hold, "hold_z", planes[2],
                op_arg_dat(p_xdd[2], 0, on_plane[2], 1, "double", OP_WRITE));
    op_par_loop(velocity, "velocity", nodes, RW(p_xd[0]), RW(p_xd[1]), RW(p_xd[2]), READ(p_xdd[0]),
                READ(p_xdd[1]), READ(p_xdd[2]), op_arg_gbl(&dt, 1, "double", OP_READ));
    op_par_loop(position, "position", nodes, RW(p_x[0]), RW(p_x[1]), RW(p_x[2]), READ(p_xd[0]),
                READ(p_xd[1]), READ(p_xd[2]), op_arg_gbl(&dt, 1, "double", OP_READ));
}

static void deform_elements(double dt)
{
    op_par_loop(kinematics, "kinematics", elems, CORNERS3(p_x, OP_READ), CORNERS3(p_xd, OP_READ),
                READ(p_volo), READ(p_v), WRITE(p_vnew), WRITE(p_delv), WRITE(p_arealg),
                WRITE(p_vdov), op_arg_gbl(&dt, 1, "double", OP_READ));
    op_par_loop(velocity_gradients, "velocity_gradients", elems, CORNERS3(p_x, OP_READ),
                CORNERS3(p_xd, OP_READ), READ(p_volo), READ(p_vnew), WRITE(p_delx[0]),
                WRITE(p_delx[1]), WRITE(p_delx[2]), WRITE(p_delv_along[0]), WRITE(p_delv_along[1]),
                WRITE(p_delv_along[2]));
}

/* Puts three fields together: [nodes][3]. */
static void fetch3(const op_dat *dat, double *to)
{
    const size_t size = (size_t)op_get_size(nodes);
    double *value = (double *)lulesh_array(size, sizeof *value);
    for (int d = 0; d < 3; d++) {
        op_fetch_data(dat[d], value);
        for (size_t n = 0; n < size; n++) {
            to[3 * n + (size_t)d] = value[n];
        }
    }
    free(value);
}

static void fetch(double *x, double *xd, double *mass)
{
    fetch3(p_x, x);
    fetch3(p_xd, xd);
    op_fetch_data(p_nodal_mass, mass);
}

const struct form separate_form = {"separate", declare, move_nodes, deform_elements, fetch};
