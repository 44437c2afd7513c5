/* features_constants.c: a constant that kernels of another unit use. */
#include "op_seq.h"

double shared_scale = 0.0;

#ifdef __cplusplus
extern "C"
#endif
    void
    declare_constants(void)
{
    shared_scale = 2.5;
    op_decl_const(1, "double", &shared_scale);
}
