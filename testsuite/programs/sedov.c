/* sedov.c: the Sedov blast wave of LULESH 2.0 on s*s*s hexahedra in the OP2 API: 44 loops in a time step, most of
 * them short, with a dat per component and an argument per corner, and the forces declared OP_RW.
 *
 *   sedov [S [CYCLES [TIMED]]]   (default: 5, all, 0)
 *
 * Prints the number of cycles and the energy of the element at the origin; with TIMED above 0 also the mean
 * wall time of a cycle, of those after the first TIMED.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

static double hgcoef = 3.0, u_cut = 1e-7, e_cut = 1e-7, p_cut = 1e-7, q_cut = 1e-7, v_cut = 1e-10;
static double eosvmin = 1e-9, eosvmax = 1e9, pmin = 0.0, emin = -1e15;

#include "sedov_elements.h"
#include "sedov_nodes.h"

/* LULESH's OP2 port says that the two force loops read and write what they only add to. */
#ifndef FORCES
#define FORCES OP_RW
#endif

static op_set nodes, elems, planes[3];
static op_map nodelist, plane[3], xi_m, xi_p, eta_m, eta_p, zeta_m, zeta_p;

/* Dats by their names in LULESH. */
#define ON_NODES(F) F(x) F(y) F(z) F(xd) F(yd) F(zd) F(xdd) F(ydd) F(zdd) F(fx) F(fy) F(fz) F(nodal_mass)
#define ON_ELEMS(F)                                                                                \
    F(e) F(p) F(q) F(ql) F(qq) F(v) F(volo) F(vnew) F(delv) F(vdov) F(arealg) F(ss) F(elem_mass)   \
    F(sigxx) F(sigyy) F(sigzz) F(determ) F(dxx) F(dyy) F(dzz)                                      \
    F(delx_xi) F(delx_eta) F(delx_zeta) F(delv_xi) F(delv_eta) F(delv_zeta)                        \
    F(vnewc) F(e_old) F(delvc) F(p_old) F(q_old) F(comp) F(comp_half) F(qq_old) F(ql_old)          \
    F(p_new) F(e_new) F(q_new) F(bvc) F(pbvc) F(p_half)
#define WITH_EIGHT(F) F(x8n) F(y8n) F(z8n) F(dvdx) F(dvdy) F(dvdz)
#define DECLARE(name) static op_dat p_##name;
ON_NODES(DECLARE)
ON_ELEMS(DECLARE)
WITH_EIGHT(DECLARE)
static op_dat p_bc;

static int side; /* elements along an edge of the cube */

static void *array(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        fprintf(stderr, "sedov: not enough memory for %zu values\n", count);
        exit(1);
    }
    return memory;
}

/* ---- mesh -------------------------------------------------------------------------------- */

static int node_at(int i, int j, int k)
{
    return i + (side + 1) * (j + (side + 1) * k);
}

static op_map corners(void)
{
    static const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    int *row = array(8 * (size_t)op_get_size(elems), sizeof *row);
    for (int e = 0; e < op_get_size(elems); e++) {
        const int i = e % side, j = e / side % side, k = e / side / side;
        for (int n = 0; n < 8; n++) {
            row[8 * e + n] = node_at(i + at[n][0], j + at[n][1], k + at[n][2]);
        }
    }
    op_map map = op_decl_map(elems, nodes, 8, row, "nodelist");
    free(row);
    return map;
}

/* The element `step` further on in one direction; itself where there is none. */
static op_map neighbour(int step, const char *name)
{
    const int size = op_get_size(elems);
    int *row = array((size_t)size, sizeof *row);
    for (int e = 0; e < size; e++) {
        row[e] = e + step >= 0 && e + step < size ? e + step : e;
    }
    op_map map = op_decl_map(elems, elems, 1, row, name);
    free(row);
    return map;
}

static void declare_planes(void)
{
    static const char *const names[3] = {"symmX", "symmY", "symmZ"};
    const int count = (side + 1) * (side + 1);
    int *row = array((size_t)count, sizeof *row);
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < count; i++) {
            const int a = i % (side + 1), b = i / (side + 1);
            row[i] = d == 0 ? node_at(0, a, b) : d == 1 ? node_at(a, 0, b) : node_at(a, b, 0);
        }
        planes[d] = op_decl_set(count, names[d]);
        plane[d] = op_decl_map(planes[d], nodes, 1, row, names[d]);
    }
    free(row);
}

static void declare_mesh(void)
{
    nodes = op_decl_set((side + 1) * (side + 1) * (side + 1), "nodes");
    elems = op_decl_set(side * side * side, "elems");
    nodelist = corners();
    declare_planes();
    xi_m = neighbour(-1, "lxim");
    xi_p = neighbour(1, "lxip");
    eta_m = neighbour(-side, "letam");
    eta_p = neighbour(side, "letap");
    zeta_m = neighbour(-side * side, "lzetam");
    zeta_p = neighbour(side * side, "lzetap");
}

/* ---- data -------------------------------------------------------------------------------- */

static op_dat coordinates(int direction, const char *name)
{
    double *value = array((size_t)op_get_size(nodes), sizeof *value);
    for (int n = 0; n < op_get_size(nodes); n++) {
        const int at[3] = {n % (side + 1), n / (side + 1) % (side + 1),
                           n / (side + 1) / (side + 1)};
        value[n] = 1.125 * at[direction] / side;
    }
    op_dat dat = op_decl_dat(nodes, 1, "double", value, name);
    free(value);
    return dat;
}

static op_dat constant(op_set set, double value, const char *name)
{
    double *values = array((size_t)op_get_size(set), sizeof *values);
    for (int i = 0; i < op_get_size(set); i++) {
        values[i] = value;
    }
    op_dat dat = op_decl_dat(set, 1, "double", values, name);
    free(values);
    return dat;
}

/* An eighth of the mass of every element around a node. */
static op_dat nodal_mass(double volume)
{
    double *mass = array((size_t)op_get_size(nodes), sizeof *mass);
    for (int n = 0; n < op_get_size(nodes); n++) {
        const int at[3] = {n % (side + 1), n / (side + 1) % (side + 1),
                           n / (side + 1) / (side + 1)};
        mass[n] = volume / 8.0;
        for (int d = 0; d < 3; d++) {
            mass[n] *= at[d] > 0 && at[d] < side ? 2.0 : 1.0;
        }
    }
    op_dat dat = op_decl_dat(nodes, 1, "double", mass, "nodalMass");
    free(mass);
    return dat;
}

/* Planes of symmetry at the origin, free surfaces opposite. */
static op_dat boundary_kinds(void)
{
    int *kind = array(6 * (size_t)op_get_size(elems), sizeof *kind);
    for (int e = 0; e < op_get_size(elems); e++) {
        const int at[3] = {e % side, e / side % side, e / side / side};
        for (int d = 0; d < 3; d++) {
            kind[6 * e + 2 * d] = at[d] == 0 ? SYMMETRY : INSIDE;
            kind[6 * e + 2 * d + 1] = at[d] == side - 1 ? FREE : INSIDE;
        }
    }
    op_dat dat = op_decl_dat(elems, 6, "int", kind, "elemBC");
    free(kind);
    return dat;
}

static void declare_constants(void)
{
    op_decl_const(1, "double", &hgcoef);
    op_decl_const(1, "double", &u_cut);
    op_decl_const(1, "double", &e_cut);
    op_decl_const(1, "double", &p_cut);
    op_decl_const(1, "double", &q_cut);
    op_decl_const(1, "double", &v_cut);
    op_decl_const(1, "double", &eosvmin);
    op_decl_const(1, "double", &eosvmax);
    op_decl_const(1, "double", &pmin);
    op_decl_const(1, "double", &emin);
}

/* Declares all dats; returns the first time step. */
static double declare_data(void)
{
    const double edge = 1.125 / side;
    const double volume = edge * edge * edge;
    const double energy = 3.948746e7 * pow(side / 45.0, 3.0);
    double *e = array((size_t)op_get_size(elems), sizeof *e);
#define ZERO_NODES(name) p_##name = op_decl_dat(nodes, 1, "double", (double *)NULL, #name);
#define ZERO_ELEMS(name) p_##name = op_decl_dat(elems, 1, "double", (double *)NULL, #name);
#define ZERO_EIGHT(name) p_##name = op_decl_dat(elems, 8, "double", (double *)NULL, #name);
    ON_NODES(ZERO_NODES)
    ON_ELEMS(ZERO_ELEMS)
    WITH_EIGHT(ZERO_EIGHT)
    p_x = coordinates(0, "x");
    p_y = coordinates(1, "y");
    p_z = coordinates(2, "z");
    p_v = constant(elems, 1.0, "v");
    p_volo = constant(elems, volume, "volo");
    p_elem_mass = constant(elems, volume, "elemMass");
    p_nodal_mass = nodal_mass(volume);
    p_bc = boundary_kinds();
    e[0] = energy;
    p_e = op_decl_dat(elems, 1, "double", e, "e");
    free(e);
    return 0.5 * edge / sqrt(2.0 * energy);
}

/* ---- time step --------------------------------------------------------------------------- */

#define READ(dat) op_arg_dat(p_##dat, -1, OP_ID, 1, "double", OP_READ)
#define READ8(dat) op_arg_dat(p_##dat, -1, OP_ID, 8, "double", OP_READ)
#define WRITE(dat) op_arg_dat(p_##dat, -1, OP_ID, 1, "double", OP_WRITE)
#define WRITE8(dat) op_arg_dat(p_##dat, -1, OP_ID, 8, "double", OP_WRITE)
#define RW(dat) op_arg_dat(p_##dat, -1, OP_ID, 1, "double", OP_RW)
#define CORNER(dat, n, access) op_arg_dat(p_##dat, n, nodelist, 1, "double", access)
#define AT_CORNERS(dat, access)                                                                    \
    CORNER(dat, 0, access), CORNER(dat, 1, access), CORNER(dat, 2, access), CORNER(dat, 3, access), \
        CORNER(dat, 4, access), CORNER(dat, 5, access), CORNER(dat, 6, access),                    \
        CORNER(dat, 7, access)

static void move_nodes(double *dt)
{
    op_par_loop(init_stress, "init_stress", elems, READ(p), READ(q), WRITE(sigxx), WRITE(sigyy),
                WRITE(sigzz));
    op_par_loop(zero_forces, "zero_forces", nodes, WRITE(fx), WRITE(fy), WRITE(fz));
    op_par_loop(integrate_stress, "integrate_stress", elems, AT_CORNERS(x, OP_READ),
                AT_CORNERS(y, OP_READ), AT_CORNERS(z, OP_READ), AT_CORNERS(fx, FORCES),
                AT_CORNERS(fy, FORCES), AT_CORNERS(fz, FORCES), READ(sigxx), READ(sigyy), READ(sigzz),
                WRITE(determ));
    op_par_loop(volume_derivatives, "volume_derivatives", elems, AT_CORNERS(x, OP_READ),
                AT_CORNERS(y, OP_READ), AT_CORNERS(z, OP_READ), WRITE8(x8n), WRITE8(y8n), WRITE8(z8n),
                WRITE8(dvdx), WRITE8(dvdy), WRITE8(dvdz), READ(volo), READ(v), WRITE(determ));
    op_par_loop(fb_hourglass, "fb_hourglass", elems, AT_CORNERS(xd, OP_READ), AT_CORNERS(yd, OP_READ),
                AT_CORNERS(zd, OP_READ), AT_CORNERS(fx, FORCES), AT_CORNERS(fy, FORCES),
                AT_CORNERS(fz, FORCES), READ8(x8n), READ8(y8n), READ8(z8n), READ8(dvdx), READ8(dvdy),
                READ8(dvdz), READ(determ), READ(ss), READ(elem_mass));
    op_par_loop(acceleration, "acceleration", nodes, READ(fx), READ(fy), READ(fz), READ(nodal_mass),
                WRITE(xdd), WRITE(ydd), WRITE(zdd));
    op_par_loop(hold_plane, "hold_x", planes[0], op_arg_dat(p_xdd, 0, plane[0], 1, "double", OP_WRITE));
    op_par_loop(hold_plane, "hold_y", planes[1], op_arg_dat(p_ydd, 0, plane[1], 1, "double", OP_WRITE));
    op_par_loop(hold_plane, "hold_z", planes[2], op_arg_dat(p_zdd, 0, plane[2], 1, "double", OP_WRITE));
    op_par_loop(velocity, "velocity", nodes, RW(xd), RW(yd), RW(zd), READ(xdd), READ(ydd), READ(zdd),
                op_arg_gbl(dt, 1, "double", OP_READ));
    op_par_loop(position, "position", nodes, RW(x), RW(y), RW(z), READ(xd), READ(yd), READ(zd),
                op_arg_gbl(dt, 1, "double", OP_READ));
}

static void deform_elements(double *dt)
{
    op_par_loop(kinematics, "kinematics", elems, AT_CORNERS(x, OP_READ), AT_CORNERS(y, OP_READ),
                AT_CORNERS(z, OP_READ), AT_CORNERS(xd, OP_READ), AT_CORNERS(yd, OP_READ),
                AT_CORNERS(zd, OP_READ), READ(volo), READ(v), WRITE(vnew), WRITE(delv), WRITE(arealg),
                WRITE(dxx), WRITE(dyy), WRITE(dzz), op_arg_gbl(dt, 1, "double", OP_READ));
    op_par_loop(strain_rate, "strain_rate", elems, READ(dxx), READ(dyy), READ(dzz), WRITE(vdov));
    op_par_loop(q_gradients, "q_gradients", elems, AT_CORNERS(x, OP_READ), AT_CORNERS(y, OP_READ),
                AT_CORNERS(z, OP_READ), AT_CORNERS(xd, OP_READ), AT_CORNERS(yd, OP_READ),
                AT_CORNERS(zd, OP_READ), READ(volo), READ(vnew), WRITE(delx_xi), WRITE(delx_eta),
                WRITE(delx_zeta), WRITE(delv_xi), WRITE(delv_eta), WRITE(delv_zeta));
#define NEXT(dat, map) op_arg_dat(p_##dat, 0, map, 1, "double", OP_READ)
    op_par_loop(q_region, "q_region", elems, op_arg_dat(p_bc, -1, OP_ID, 6, "int", OP_READ),
                READ(delv_xi), NEXT(delv_xi, xi_m), NEXT(delv_xi, xi_p), READ(delv_eta),
                NEXT(delv_eta, eta_m), NEXT(delv_eta, eta_p), READ(delv_zeta),
                NEXT(delv_zeta, zeta_m), NEXT(delv_zeta, zeta_p), READ(delx_xi), READ(delx_eta),
                READ(delx_zeta), READ(vdov), READ(elem_mass), READ(volo), READ(vnew), WRITE(qq),
                WRITE(ql));
}

static void start_state(void)
{
    op_par_loop(copy_volume, "copy_volume", elems, READ(vnew), WRITE(vnewc));
    op_par_loop(limit_below, "limit_below", elems, RW(vnewc));
    op_par_loop(limit_above, "limit_above", elems, RW(vnewc));
    op_par_loop(copy_one, "copy_e", elems, READ(e), WRITE(e_old));
    op_par_loop(copy_one, "copy_delv", elems, READ(delv), WRITE(delvc));
    op_par_loop(copy_one, "copy_p", elems, READ(p), WRITE(p_old));
    op_par_loop(copy_one, "copy_q", elems, READ(q), WRITE(q_old));
    op_par_loop(copy_one, "copy_qq", elems, READ(qq), WRITE(qq_old));
    op_par_loop(copy_one, "copy_ql", elems, READ(ql), WRITE(ql_old));
    op_par_loop(compression, "compression", elems, READ(vnewc), READ(delvc), WRITE(comp),
                WRITE(comp_half));
    op_par_loop(compression_below, "compression_below", elems, READ(vnewc), READ(comp),
                RW(comp_half));
    op_par_loop(compression_above, "compression_above", elems, READ(vnewc), RW(p_old), RW(comp),
                RW(comp_half));
}

static void advance_state(void)
{
    op_par_loop(energy_first, "energy_first", elems, READ(e_old), READ(delvc), READ(p_old), READ(q_old),
                WRITE(e_new));
    op_par_loop(bulk, "bulk_half", elems, READ(comp_half), WRITE(bvc), WRITE(pbvc));
    op_par_loop(pressure, "pressure_half", elems, READ(bvc), READ(e_new), READ(vnewc), WRITE(p_half));
    op_par_loop(q_half, "q_half", elems, READ(comp_half), READ(delvc), READ(bvc), READ(pbvc),
                READ(e_new), READ(p_half), READ(ql_old), READ(qq_old), WRITE(q_new));
    op_par_loop(energy_second, "energy_second", elems, READ(delvc), READ(p_old), READ(q_old),
                READ(p_half), READ(q_new), RW(e_new));
    op_par_loop(energy_cut, "energy_cut", elems, RW(e_new));
    op_par_loop(bulk, "bulk", elems, READ(comp), WRITE(bvc), WRITE(pbvc));
    op_par_loop(pressure, "pressure", elems, READ(bvc), READ(e_new), READ(vnewc), WRITE(p_new));
    op_par_loop(energy_third, "energy_third", elems, READ(delvc), READ(vnewc), READ(bvc), READ(pbvc),
                READ(p_old), READ(q_old), READ(p_half), READ(q_new), READ(p_new), READ(ql_old),
                READ(qq_old), RW(e_new));
    op_par_loop(energy_cut, "energy_cut_third", elems, RW(e_new));
    op_par_loop(pressure, "pressure_final", elems, READ(bvc), READ(e_new), READ(vnewc), WRITE(p_new));
    op_par_loop(q_final, "q_final", elems, READ(delvc), READ(vnewc), READ(bvc), READ(pbvc), READ(e_new),
                READ(p_new), READ(ql_old), READ(qq_old), RW(q_new));
    op_par_loop(copy_state, "copy_state", elems, READ(p_new), READ(e_new), READ(q_new), WRITE(p),
                WRITE(e), WRITE(q));
    op_par_loop(sound_speed, "sound_speed", elems, READ(pbvc), READ(e_new), READ(vnewc), READ(bvc),
                READ(p_new), WRITE(ss));
    op_par_loop(update_volume, "update_volume", elems, READ(vnew), WRITE(v));
}

/* The next time step, from the last and what the elements allow. */
static double next_step(double dt, double allowed_courant, double allowed_hydro, double remaining)
{
    double wish = allowed_courant / 2.0;
    if (allowed_hydro < wish) {
        wish = allowed_hydro * 2.0 / 3.0;
    }
    const double ratio = wish / dt;
    if (ratio >= 1.0) {
        wish = ratio < 1.1 ? dt : ratio > 1.2 ? 1.2 * dt : wish;
    }
    dt = fmin(wish, 1e-2);
    if (dt < remaining && remaining < 4.0 * dt / 3.0) {
        remaining = 2.0 * dt / 3.0;
    }
    return fmin(dt, remaining);
}

int main(int argc, char **argv)
{
    const double stop = 1e-2;
    double time = 0.0, allowed_courant = 1e20, allowed_hydro = 1e20;
    double cpu, begin = 0.0, end, *e;
    int cycle = 0;
    side = argc > 1 ? atoi(argv[1]) : 5;
    const int most = argc > 2 ? atoi(argv[2]) : 1 << 30;
    const int untimed = argc > 3 ? atoi(argv[3]) : 0;
    if (side < 2 || side > 500 || most < 1) {
        fprintf(stderr, "usage: sedov [S [CYCLES [TIMED]]]; S from 2 to 500\n");
        return 2;
    }
    op_init(argc, argv, 1);
    declare_mesh();
    declare_constants();
    double dt = declare_data();
    while (time < stop && cycle < most) {
        if (cycle > 0) {
            dt = next_step(dt, allowed_courant, allowed_hydro, stop - time);
        } else if (stop - time < dt) {
            dt = stop - time;
        }
        time += dt;
        cycle++;
        move_nodes(&dt);
        deform_elements(&dt);
        start_state();
        advance_state();
        allowed_courant = allowed_hydro = 1e20;
        op_par_loop(courant, "courant", elems, READ(ss), READ(vdov), READ(arealg),
                    op_arg_gbl(&allowed_courant, 1, "double", OP_MIN));
        op_par_loop(hydro, "hydro", elems, READ(vdov), op_arg_gbl(&allowed_hydro, 1, "double", OP_MIN));
        if (cycle == untimed) {
            op_timers(&cpu, &begin);
        }
    }
    op_timers(&cpu, &end);
    e = array((size_t)op_get_size(elems), sizeof *e);
    op_fetch_data(p_e, e);
    op_printf("cycles %d energy %.16e\n", cycle, e[0]);
    if (untimed > 0 && cycle > untimed) {
        op_printf("%d elements: %.4f ms per cycle\n", (int)op_get_size(elems),
                  1e3 * (end - begin) / (cycle - untimed));
        op_timing_output();
    }
    free(e);
    op_exit();
    return 0;
}
