/* known.cpp: values of three kinds: from miniAero itself, from another program for its ramp, and
 * bounds for the distance from exact solutions.
 */
#include "known.h"

namespace
{

const char sod[] = "sod cells=128,4,4 size=0.3048,1,1 angle=0 steps=100 dt=2e-06 order=1 inviscid";
const char plate[] =
    "plate cells=16,32,2 size=2,0.002,1 angle=0 steps=400 dt=3e-08 order=2 viscous";
const char fine_sod_1[] =
    "sod cells=256,1,1 size=0.3048,1,1 angle=0 steps=200 dt=1e-06 order=1 inviscid";
const char fine_sod_2[] =
    "sod cells=256,1,1 size=0.3048,1,1 angle=0 steps=200 dt=1e-06 order=2 inviscid";
const char steady_plate[] =
    "plate cells=32,32,1 size=0.0004,0.0001,1 angle=0 steps=700 dt=4e-09 order=2 viscous";
const char ramp[] = "ramp cells=64,32,2 size=2,2,1 angle=30 steps=400 dt=1e-05 order=2 inviscid";

} // namespace

const reference known_values[] = {
    /* The serial miniAero, measured; its own gold files agree in all of their six digits. */
    {sod, "sum rho", 957.8183152796, 1e-9, 0.0},
    {sod, "sum abs rho u", 83388.55709389, 1e-9, 0.0},
    {sod, "sum abs rho v", 0.0, 0.0, 1e-6},
    {sod, "sum rho E", 194156357.1242, 1e-9, 0.0},
    {sod, "first cell rho", 0.8314390285185543, 1e-9, 0.0},
    {sod, "first cell rho E", 172368.924540974, 1e-9, 0.0},
    {plate, "sum rho", 589.7988188348, 1e-9, 0.0},
    {plate, "sum abs rho u", 508738.7125048, 1e-9, 0.0},
    {plate, "sum abs rho v", 1410.75105081, 1e-9, 0.0},
    {plate, "sum rho E", 348852390.9973, 1e-9, 0.0},
    {plate, "first cell rho", 0.4258057759513523, 1e-9, 0.0},
    {plate, "first cell rho u", 308.3420213071098, 1e-9, 0.0},
    {plate, "first cell rho E", 238339.4192534492, 1e-9, 0.0},

    /* Sums of a program in two dimensions, written apart from this one, for twice 64 * 32 cells;
     * its outlet cell has the six digits of miniAero's gold file. */
    {ramp, "sum rho", 2955.13385144735, 1e-9, 0.0},
    {ramp, "sum abs rho u", 2230122.46175547, 1e-9, 0.0},
    {ramp, "sum abs rho v", 251819.369615468, 1e-9, 0.0},
    {ramp, "sum rho E", 1701525185.49519, 1e-9, 0.0},
    {ramp, "outlet cell rho", 1.44951, 5e-6, 0.0},
    {ramp, "outlet cell rho u", 722.443, 1e-6, 0.0},
    {ramp, "outlet cell rho E", 793360, 1e-6, 0.0},

    /* Bounds, 5 % above the distances that were found: 0.0303, 0.0367 and 0.0297; with half the
     * width of cells 0.0193, 0.0196 and 0.0176 in first order, and 0.0043, 0.0041 and 0.0029 in
     * second. */
    {sod, "L1 error of rho", 0.0, 0.0, 0.0319},
    {sod, "L1 error of u", 0.0, 0.0, 0.0385},
    {sod, "L1 error of p", 0.0, 0.0, 0.0312},
    {fine_sod_1, "L1 error of rho", 0.0, 0.0, 0.0203},
    {fine_sod_1, "L1 error of u", 0.0, 0.0, 0.0206},
    {fine_sod_1, "L1 error of p", 0.0, 0.0, 0.0185},
    {fine_sod_2, "L1 error of rho", 0.0, 0.0, 0.00447},
    {fine_sod_2, "L1 error of u", 0.0, 0.0, 0.00428},
    {fine_sod_2, "L1 error of p", 0.0, 0.0, 0.00305},

    /* Blasius' 0.664, times the root of 0.845 for a wall at 2.05 times the temperature of the gas,
     * by Eckert's method of a reference temperature. Found: 0.644 and 0.631. */
    {steady_plate, "friction sqrt(Re) at 1/2", 0.610, 0.07, 0.0},
    {steady_plate, "friction sqrt(Re) at 3/4", 0.610, 0.07, 0.0},
};

const int known_value_count = sizeof known_values / sizeof known_values[0];
