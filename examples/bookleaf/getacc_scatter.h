/* getacc_scatter.h: adds masses, areas and forces of an element's corners to its nodes. */
#ifndef BOOKLEAF_GETACC_SCATTER_H
#define BOOKLEAF_GETACC_SCATTER_H

#include "constants.h"

/* Mass of a corner; where it has none, that of the corner before it, or of its share of the volume.
 */
static inline double corner_mass(double density, const double *cnwt, const double *cnmass, int c)
{
    if (cnmass[c] > ZERO_CUT) {
        return cnmass[c];
    }
    return cnmass[(c + 3) % 4] > ZERO_CUT ? cnmass[(c + 3) % 4] : density * cnwt[c];
}

static inline void getacc_scatter(const double *density, const double *cnwt, const double *cnmass,
                                  const double *cnfx, const double *cnfy, double *area0,
                                  double *area1, double *area2, double *area3, double *mass0,
                                  double *mass1, double *mass2, double *mass3, double *ubar0,
                                  double *ubar1, double *ubar2, double *ubar3, double *vbar0,
                                  double *vbar1, double *vbar2, double *vbar3)
{
    area0[0] += cnwt[0];
    area1[0] += cnwt[1];
    area2[0] += cnwt[2];
    area3[0] += cnwt[3];
    mass0[0] += corner_mass(density[0], cnwt, cnmass, 0);
    mass1[0] += corner_mass(density[0], cnwt, cnmass, 1);
    mass2[0] += corner_mass(density[0], cnwt, cnmass, 2);
    mass3[0] += corner_mass(density[0], cnwt, cnmass, 3);
    ubar0[0] += cnfx[0];
    ubar1[0] += cnfx[1];
    ubar2[0] += cnfx[2];
    ubar3[0] += cnfx[3];
    vbar0[0] += cnfy[0];
    vbar1[0] += cnfy[1];
    vbar2[0] += cnfy[2];
    vbar3[0] += cnfy[3];
}

#endif
