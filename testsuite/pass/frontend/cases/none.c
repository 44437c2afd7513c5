/* No loops and no constants: nothing is said, not even of the errors that the host compiler finds. */
#include "op_seq.h"

op_dat declare(op_set set, const int *data)
{
    undeclared = 3;
    return op_decl_dat(set, 1, "double", data, "x");
}
