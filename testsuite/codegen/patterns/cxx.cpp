/* cxx.cpp: text for a C++ program lies in a namespace of its own, but for the symbol that cleavecc looks for.
 * RUN: openmp=OPENMP -O0 --cleave-emit=fused
 */
#include "op_seq.h"

static void add(const double *x, double *res)
{
    res[0] += x[0];
}

void loop(op_set edges, op_map ends, op_dat x, op_dat res)
{
    op_par_loop(add, "add", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, 1, ends, 2, "double", OP_INC));
}

// OPENMP: {{^}}namespace {
// OPENMP: {{^}}static inline void add_body(
// OPENMP: static void add_fused_range(
// OPENMP: cleave_register(&cleave_unit);
// OPENMP: {{^}}} // namespace
// OPENMP: extern "C" __attribute__((visibility("hidden"))) const char cleave_unit_openmp;
// MUTATE OPENMP s/extern "C" //
// MUTATE OPENMP s/^namespace \{//
