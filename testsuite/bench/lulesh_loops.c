/* lulesh_loops.c: takes the place of examples/lulesh/elements.c: the equation of state as
 * LULESH 2.0 has it, one small loop after the other, with arrays between them. A time step has 42
 * loops then, most of which take a GPU less time than their launch: what graphs are for.
 *
 *   cd examples/lulesh
 *   cleavecc -O3 ../../testsuite/bench/lulesh_loops.c lulesh.c grouped.c separate.c mesh.c report.c
 *            ../common/[a-z]*.c -lm -o lulesh_loops
 *   CLEAVE_GRAPH=off ./lulesh_loops --size=30 --check
 *
 * Results are those of the example, to the bit where no operations are contracted. */
#include "../../examples/lulesh/lulesh.h"

#include "lulesh_loops.h"

op_dat p_e, p_p, p_q, p_ql, p_qq, p_v, p_vnew, p_delv, p_volo, p_vdov, p_arealg, p_ss, p_elem_mass,
    p_determ;
op_dat p_delx[3], p_delv_along[3];
static op_dat p_side;
/* The equation of state keeps some of the state before, and has values of its own steps. */
static op_dat p_volume, p_e_old, p_delv_old, p_p_old, p_q_old, p_qq_old, p_ql_old;
static op_dat p_end, p_half, p_work, p_e_new, p_p_new, p_p_half, p_q_new, p_bulk;

static op_dat zero(const char *name)
{
    return op_decl_dat(elems, 1, "double", (double *)NULL, name);
}

static void declare_state(void)
{
    p_volume = zero("volume");
    p_e_old = zero("e_old");
    p_delv_old = zero("delv_old");
    p_p_old = zero("p_old");
    p_q_old = zero("q_old");
    p_qq_old = zero("qq_old");
    p_ql_old = zero("ql_old");
    p_end = zero("compression");
    p_half = zero("compression_half");
    p_work = zero("work");
    p_e_new = zero("e_new");
    p_p_new = zero("p_new");
    p_p_half = zero("p_half");
    p_q_new = zero("q_new");
    p_bulk = zero("bulk");
}

void elements_declare(const struct mesh *mesh, double energy)
{
    const size_t size = (size_t)mesh->box.cells;
    double *value = (double *)lulesh_array(size, sizeof *value);
    value[mesh->element[0]] = energy;
    p_e = op_decl_dat(elems, 1, "double", value, "e");
    for (size_t e = 0; e < size; e++) {
        value[e] = 1.0;
    }
    p_v = op_decl_dat(elems, 1, "double", value, "v");
    free(value);
    p_side = op_decl_dat(elems, SIDES, "int", mesh->side, "elemBC");
    op_dat *const zeros[] = {&p_p,    &p_q,    &p_ql,     &p_qq, &p_vnew,      &p_delv,
                             &p_volo, &p_vdov, &p_arealg, &p_ss, &p_elem_mass, &p_determ};
    static const char *const names[] = {"p",    "q",    "ql",     "qq", "vnew",     "delv",
                                        "volo", "vdov", "arealg", "ss", "elemMass", "determ"};
    for (size_t d = 0; d < sizeof zeros / sizeof zeros[0]; d++) {
        *zeros[d] = zero(names[d]);
    }
    static const char *const along[] = {"delx_xi", "delx_eta", "delx_zeta",
                                        "delv_xi", "delv_eta", "delv_zeta"};
    for (int d = 0; d < 3; d++) {
        p_delx[d] = zero(along[d]);
        p_delv_along[d] = zero(along[3 + d]);
    }
    declare_state();
}

#define NEXT(dat, side) op_arg_dat(dat, 0, neighbour[side], 1, "double", OP_READ)

static void find_viscosity(void)
{
    op_par_loop(viscosity_terms, "viscosity_terms", elems,
                op_arg_dat(p_side, -1, OP_ID, SIDES, "int", OP_READ), READ(p_delv_along[0]),
                NEXT(p_delv_along[0], XI_MINUS), NEXT(p_delv_along[0], XI_PLUS),
                READ(p_delv_along[1]), NEXT(p_delv_along[1], ETA_MINUS),
                NEXT(p_delv_along[1], ETA_PLUS), READ(p_delv_along[2]),
                NEXT(p_delv_along[2], ZETA_MINUS), NEXT(p_delv_along[2], ZETA_PLUS),
                READ(p_delx[0]), READ(p_delx[1]), READ(p_delx[2]), READ(p_vdov), READ(p_elem_mass),
                READ(p_volo), READ(p_vnew), WRITE(p_qq), WRITE(p_ql));
}

static void keep_state(void)
{
    op_par_loop(keep, "keep_volume", elems, READ(p_vnew), WRITE(p_volume));
    op_par_loop(bound_volume, "bound_volume", elems, RW(p_volume));
    op_par_loop(keep, "keep_e", elems, READ(p_e), WRITE(p_e_old));
    op_par_loop(keep, "keep_delv", elems, READ(p_delv), WRITE(p_delv_old));
    op_par_loop(keep, "keep_p", elems, READ(p_p), WRITE(p_p_old));
    op_par_loop(keep, "keep_q", elems, READ(p_q), WRITE(p_q_old));
    op_par_loop(keep, "keep_qq", elems, READ(p_qq), WRITE(p_qq_old));
    op_par_loop(keep, "keep_ql", elems, READ(p_ql), WRITE(p_ql_old));
    op_par_loop(compressions, "compressions", elems, READ(p_volume), READ(p_delv_old), WRITE(p_end),
                WRITE(p_half));
    op_par_loop(compress_fully, "compress_fully", elems, READ(p_volume), READ(p_end), RW(p_half));
    op_par_loop(leave_empty, "leave_empty", elems, READ(p_volume), RW(p_p_old), RW(p_end),
                RW(p_half));
    op_par_loop(no_work, "no_work", elems, WRITE(p_work));
}

static void find_pressure(op_dat compression, op_dat pressure)
{
    op_par_loop(stiffness, "stiffness", elems, READ(compression), WRITE(p_bulk));
    op_par_loop(take_pressure, "take_pressure", elems, READ(p_bulk), READ(p_e_new), READ(p_volume),
                WRITE(pressure));
}

static void find_energy(void)
{
    op_par_loop(predict_energy, "predict_energy", elems, READ(p_e_old), READ(p_delv_old),
                READ(p_p_old), READ(p_q_old), READ(p_work), WRITE(p_e_new));
    find_pressure(p_half, p_p_half);
    op_par_loop(predict_viscosity, "predict_viscosity", elems, READ(p_delv_old), READ(p_e_new),
                READ(p_p_half), READ(p_half), READ(p_bulk), READ(p_ql_old), READ(p_qq_old),
                WRITE(p_q_new));
    op_par_loop(half_energy, "half_energy", elems, READ(p_delv_old), READ(p_p_old), READ(p_q_old),
                READ(p_p_half), READ(p_q_new), RW(p_e_new));
    op_par_loop(add_work, "add_work", elems, READ(p_work), RW(p_e_new));
    find_pressure(p_end, p_p_new);
    op_par_loop(correct_energy, "correct_energy", elems, READ(p_delv_old), READ(p_p_old),
                READ(p_q_old), READ(p_p_half), READ(p_q_new), READ(p_p_new), READ(p_volume),
                READ(p_bulk), READ(p_ql_old), READ(p_qq_old), RW(p_e_new));
    find_pressure(p_end, p_p_new);
    op_par_loop(correct_viscosity, "correct_viscosity", elems, READ(p_delv_old), READ(p_e_new),
                READ(p_p_new), READ(p_volume), READ(p_bulk), READ(p_ql_old), READ(p_qq_old),
                WRITE(p_q_new));
}

void elements_advance(struct limits *limits)
{
    find_viscosity();
    keep_state();
    find_energy();
    op_par_loop(store_state, "store_state", elems, READ(p_e_new), READ(p_p_new), READ(p_q_new),
                WRITE(p_e), WRITE(p_p), WRITE(p_q));
    op_par_loop(sound_speeds, "sound_speeds", elems, READ(p_e_new), READ(p_p_new), READ(p_volume),
                READ(p_bulk), WRITE(p_ss));
    op_par_loop(update_volume, "update_volume", elems, READ(p_vnew), WRITE(p_v));

    limits->courant = limits->hydro = limits->least = 1e20;
    op_par_loop(time_limits, "time_limits", elems, READ(p_ss), READ(p_vdov), READ(p_arealg),
                READ(p_v), op_arg_gbl(&limits->courant, 1, "double", OP_MIN),
                op_arg_gbl(&limits->hydro, 1, "double", OP_MIN),
                op_arg_gbl(&limits->least, 1, "double", OP_MIN));
}
