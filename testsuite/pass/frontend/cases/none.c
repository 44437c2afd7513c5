/* No loops and no constants: libclang's errors are reported; whether they are shown is decided by the driver. */
#include "op_seq.h"

op_dat declare(op_set set, const int *data)
{
    undeclared = 3;
    return op_decl_dat(set, 1, "double", data, "x");
}
