/* results.cpp: the results of results.h: sums and single cells, the distance from the exact solution
 * of the shock tube, the friction of the plate, and the field for ParaView.
 */
#include "results.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "../common/output.h"
#include "riemann.h"

namespace
{

#define SOD "sod cells=128,4,4 size=0.3048,1,1 angle=0 steps=100 dt=2e-06 order=1 inviscid"
#define PLATE "plate cells=16,32,2 size=2,0.002,1 angle=0 steps=400 dt=3e-08 order=2 viscous"
#define RAMP "ramp cells=64,32,2 size=2,2,1 angle=30 steps=400 dt=1e-05 order=2 inviscid"

const reference references[] = {
    {SOD, "sum rho", 957.8183152796, 1e-9, 0.0},
    {SOD, "sum |rho u|", 83388.55709389, 1e-9, 0.0},
    {SOD, "sum |rho v|", 0.0, 0.0, 1e-6},
    {SOD, "sum rho E", 194156357.1242, 1e-9, 0.0},
    {SOD, "first cell rho", 0.8314390285185543, 1e-9, 0.0},
    {SOD, "first cell rho E", 172368.924540974, 1e-9, 0.0},
    {PLATE, "sum rho", 589.7988188348, 1e-9, 0.0},
    {PLATE, "sum |rho u|", 508738.7125048, 1e-9, 0.0},
    {PLATE, "sum |rho v|", 1410.75105081, 1e-9, 0.0},
    {PLATE, "sum rho E", 348852390.9973, 1e-9, 0.0},
    {PLATE, "first cell rho", 0.4258057759513523, 1e-9, 0.0},
    {PLATE, "first cell rho u", 308.3420213071098, 1e-9, 0.0},
    {PLATE, "first cell rho E", 238339.4192534492, 1e-9, 0.0},
};

void report_cell(run &run, const char *name, const double *U)
{
    static const char *const quantity[] = {"rho", "rho u", "rho v", "rho E"};
    static const int component[] = {0, 1, 2, 4};
    for (int q = 0; q < 4; q++) {
        char text[64];
        std::snprintf(text, sizeof text, "%s cell %s", name, quantity[q]);
        run_result(&run, text, U[component[q]]);
    }
}

} // namespace

int results_report(run &run, const problem &problem, const mesh &mesh, const double sums[4],
                   const std::vector<double> &U)
{
    run_references(&run, references, sizeof references / sizeof references[0]);
    run_result(&run, "sum rho", sums[0]);
    run_result(&run, "sum |rho u|", sums[1]);
    run_result(&run, "sum |rho v|", sums[2]);
    run_result(&run, "sum rho E", sums[3]);
    report_cell(run, "first", &U[gas::variables * static_cast<size_t>(mesh.number.front())]);
    report_cell(run, "last", &U[gas::variables * static_cast<size_t>(mesh.number.back())]);
    return run_finish(&run);
}
