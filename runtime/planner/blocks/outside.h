/* outside.h: libraries of other projects, looked for at run time: METIS and Scotch. */
#ifndef CLEAVE_OUTSIDE_H
#define CLEAVE_OUTSIDE_H

#include "runtime/planner/base/base.h"

struct outside_library {
    const char *project;     /* "METIS", for messages */
    const char *path;        /* of the library; "none": not used; NULL: `name` is tried */
    const char *setting;     /* what users set to the path, for messages */
    const char *const *name; /* tried in order; NULL ends them */
    enum plan_note about;    /* of notes */
};

struct outside_symbol {
    const char *name;
    void **address; /* filled in */
};

/* Loads a library and the addresses of its functions; symbols end with name NULL. 1, or 0 with all
 * addresses NULL; why is noted, unless the path is "none". A library is never unloaded: loading it
 * again only looks it up. */
int planner_outside_load(const struct planner *planner, const struct outside_library *library,
                         const struct outside_symbol *symbols);

/* Sends stdout nowhere: it belongs to the user's program. Returns what planner_outside_show_stdout
 * needs.
 */
int planner_outside_hide_stdout(void);
void planner_outside_show_stdout(int hidden);

#endif
