/* outside.h: libraries of other projects, looked for at run time: METIS and Scotch. */
#ifndef CLEAVE_OUTSIDE_H
#define CLEAVE_OUTSIDE_H

struct outside_library {
    const char *project;     /* "METIS", for messages */
    const char *variable;    /* environment variable with the library's path, or "none" */
    const char *const *name; /* names tried in order when the variable is not set; NULL ends them */
};

struct outside_symbol {
    const char *name;
    void **address; /* filled in */
};

/* Loads a library and the addresses of its functions; symbols end with name NULL. 1, or 0 with all
 * addresses NULL; why is said on stderr, unless the variable says "none". To be called once for
 * each library; never unloaded. */
int planner_outside_load(const struct outside_library *library,
                         const struct outside_symbol *symbols);

/* Sends stdout nowhere: it belongs to the user's program. Returns what planner_outside_show_stdout
 * needs.
 */
int planner_outside_hide_stdout(void);
void planner_outside_show_stdout(int hidden);

#endif
