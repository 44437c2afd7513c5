/* hand_made.h: what tests of the runtime share that make units by hand, as cleavecc generates them,
 * for the device of fake_device.h. */
#ifndef CLEAVE_TEST_HAND_MADE_H
#define CLEAVE_TEST_HAND_MADE_H

#include "cleave_gen.h"
#include "op_seq.h"

#include "runtime/exec/exec.h"

#include "call_text.h"
#include "fake_device.h"

/* A variant that starts one kernel and needs no plan, with `bytes` of contributions for each
 * element. */
#define HAND_VARIANT(function, bytes)                                                              \
    {.name = #function,                                                                            \
     .schedule = CLEAVE_FUSED,                                                                     \
     .plan = CLEAVE_PLAN_NONE,                                                                     \
     .tmp_bytes = (bytes),                                                                         \
     .run = function}
/* A loop with one variant. */
#define HAND_LOOP(text, arguments, name, of)                                                       \
    .call = (text), .signature = (arguments), .kernel = (name), .variants = 1, .variant = &(of)

/* Why the latest launch has failed; NULL: it has not. */
static const char *failure;

static const char *launch_error(void)
{
    const char *error = failure;
    failure = NULL;
    return error;
}

#endif
