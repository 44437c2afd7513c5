/* records.c: records in and out of vectors, in every width, against loops over lanes: loads, rows,
 * increments, extrema and their masked forms. Records lie at the end of memory that may be read;
 * lanes that are off name records beyond it. Compiled as C and as C++. */
#include "values.h"

#define CLEAVE_TEST_BODY "records_body.h"
#include "passes.h"

int main(void)
{
    run_passes();
    return CHECK_RESULT();
}
