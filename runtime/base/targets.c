/* targets.c: whether the runtime has been started, and which targets run the loops: op_init
 * (api/init.c) chooses them. */
#include "runtime/base/base.h"

const struct cleave_target_row cleave_target_row[CLEAVE_TARGETS] = {
#define CLEAVE_TARGET(name, word, spelling, lanes, block_size, builder, meaning)                   \
    {word, spelling, builder, lanes, block_size},
#include "cleave_words.def"
};

struct cleave_targets cleave_targets;
const struct target_ops *cleave_device;
unsigned long cleave_generation = 1;

enum cleave_lifetime cleave_lifetime;

void cleave_require_init(void)
{
    if (cleave_lifetime == LIFETIME_ENDED) {
        cleave_fatal("op_exit has freed all sets, maps and dats, but the program still uses them: "
                     "call op_exit after the last loop and declaration");
    }
    if (cleave_lifetime == LIFETIME_NEW) {
        op_init(0, NULL, 0);
        cleave_settle();
    }
}
