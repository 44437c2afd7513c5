/* registry.h: the units of generated code and the targets that have made themselves known. See
 * registry.c. */
#ifndef CLEAVE_REGISTRY_H
#define CLEAVE_REGISTRY_H

#include "runtime/base/settings.h"

/* Units in order of registration. */
struct cleave_unit_entry {
    const struct cleave_unit *unit;
    struct cleave_unit_state *state; /* call/constants.c */
    struct cleave_unit_entry *next;
};
extern struct cleave_unit_entry *cleave_units;

const struct target_ops *cleave_target_ops(enum cleave_target target);
/* Grows with every registration. */
extern unsigned long cleave_units_version;
/* 1: the program is ending; its parts go in an order that the runtime does not know. */
int cleave_is_ending(void);
void cleave_note_ending(void);
/* Refuses units that were generated for another version of the runtime. */
void cleave_units_check(void);
int cleave_units_for(enum cleave_target target);
/* Returns why the last launch from the unit's code failed (unit NULL: from any unit's); NULL: it
 * did not fail. Never waits. */
const char *cleave_launch_failure(const struct cleave_unit *unit);
/* CLEAVE_VARIANT=list: a line for each variant of each loop: "cuda res_calc res_calc_split_atomic".
 */
void cleave_units_list(void);
/* 1: cleave_settings.variant names some variant. */
int cleave_units_have_named(void);
/* Registers a function that is called before a unit is unloaded with its library, while its tables
 * and code still exist. Functions are called in the order of registration; registering one again
 * changes nothing. At most CLEAVE_LEAVERS. */
enum { CLEAVE_LEAVERS = 8 };
void cleave_units_on_leave(void (*leave)(struct cleave_unit_entry *entry));

#endif
