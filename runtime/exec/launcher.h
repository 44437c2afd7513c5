/* launcher.h: what a loop call is launched with, for the files of exec/ that launch: launch.c and
 * launch_args.c. */
#ifndef CLEAVE_LAUNCHER_H
#define CLEAVE_LAUNCHER_H

#include "runtime/exec/exec.h"

/* Made at a loop call's first launch and kept with it: one piece of memory, which also holds the
 * arrays that `launch` points to. */
struct cleave_launcher {
    struct cleave_choice choice;
    unsigned long chosen_at; /* the cleave_generation in which the choice was made; 0: none was */
    const char *variant;     /* name of the chosen variant, for the records */
    /* cleave_constants_version() when the loop last got its constants, plus 1; 0: never. */
    unsigned long constants;
    struct cleave_pace pace;
    struct cleave_launch launch;
    /* [args] the arrays that `launch` points to, writable here. */
    void **data;
    const int **map;
    int *map_dim;
    const int **number;
    int *stride;
    struct cleave_parts partial;
    struct cleave_parts result;
    const void **copies; /* [copies of the variant that has most] */
};

/* ---- launch_args.c -------------------------------------------------------------------------- */

struct cleave_launcher *cleave_launcher_new(const struct cleave_call *call);
/* Sets the parts of launcher->launch that stay as long as the choice. */
void cleave_launch_choose(const struct cleave_call *call, struct cleave_launcher *launcher);
/* Sets the other parts and makes the data current where the variant runs. Returns 0 if there is no
 * memory for the copies that the variant reads: choose another variant. */
int cleave_launch_gather(struct cleave_call *call, struct cleave_launcher *launcher);

#endif
