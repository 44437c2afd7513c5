/* elements.c: fields of the elements, and the loops over them that no node takes part in. */
#include "lulesh.h"

#include "elements.h"

op_dat p_e, p_p, p_q, p_ql, p_qq, p_v, p_vnew, p_delv, p_volo, p_vdov, p_arealg, p_ss, p_elem_mass,
    p_determ;
op_dat p_delx[3], p_delv_along[3];
static op_dat p_side;

static op_dat zero(const char *name)
{
    return op_decl_dat(elems, 1, "double", (double *)NULL, name);
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
    p_p = zero("p");
    p_q = zero("q");
    p_ql = zero("ql");
    p_qq = zero("qq");
    p_vnew = zero("vnew");
    p_delv = zero("delv");
    p_volo = zero("volo");
    p_vdov = zero("vdov");
    p_arealg = zero("arealg");
    p_ss = zero("ss");
    p_elem_mass = zero("elemMass");
    p_determ = zero("determ");
    p_delx[0] = zero("delx_xi");
    p_delx[1] = zero("delx_eta");
    p_delx[2] = zero("delx_zeta");
    p_delv_along[0] = zero("delv_xi");
    p_delv_along[1] = zero("delv_eta");
    p_delv_along[2] = zero("delv_zeta");
}

#define NEXT(dat, side) op_arg_dat(dat, 0, neighbour[side], 1, "double", OP_READ)

void elements_advance(struct limits *limits)
{
    op_par_loop(viscosity_terms, "viscosity_terms", elems,
                op_arg_dat(p_side, -1, OP_ID, SIDES, "int", OP_READ), READ(p_delv_along[0]),
                NEXT(p_delv_along[0], XI_MINUS), NEXT(p_delv_along[0], XI_PLUS),
                READ(p_delv_along[1]), NEXT(p_delv_along[1], ETA_MINUS),
                NEXT(p_delv_along[1], ETA_PLUS), READ(p_delv_along[2]),
                NEXT(p_delv_along[2], ZETA_MINUS), NEXT(p_delv_along[2], ZETA_PLUS),
                READ(p_delx[0]), READ(p_delx[1]), READ(p_delx[2]), READ(p_vdov), READ(p_elem_mass),
                READ(p_volo), READ(p_vnew), WRITE(p_qq), WRITE(p_ql));
    op_par_loop(equation_of_state, "equation_of_state", elems, READ(p_delv), READ(p_vnew),
                READ(p_qq), READ(p_ql), RW(p_e), RW(p_p), RW(p_q), WRITE(p_ss));
    op_par_loop(update_volume, "update_volume", elems, READ(p_vnew), WRITE(p_v));

    limits->courant = limits->hydro = limits->least = 1e20;
    op_par_loop(time_limits, "time_limits", elems, READ(p_ss), READ(p_vdov), READ(p_arealg),
                READ(p_v), op_arg_gbl(&limits->courant, 1, "double", OP_MIN),
                op_arg_gbl(&limits->hydro, 1, "double", OP_MIN),
                op_arg_gbl(&limits->least, 1, "double", OP_MIN));
}
