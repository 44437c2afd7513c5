/* values.c: masks, selects, conversions, functions and reductions of lanes, in every width, against
 * loops over lanes. Floating-point exceptions trap while lanes that are off hold values that would
 * raise them. Compiled as C and as C++. */
#include <fenv.h>

#include "values.h"

#define CLEAVE_TEST_BODY "values_body.h"
#include "passes.h"

int main(void)
{
    for (int round = 0; round < 200; round++) {
        run_passes();
    }
    return CHECK_RESULT();
}
