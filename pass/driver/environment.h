/* environment.h: the environment variables that cleavecc reads, all of which are rows of
 * runtime/api/settings.def. Nothing else in cleavecc calls getenv. */
#ifndef CLEAVE_DRIVER_ENVIRONMENT_H
#define CLEAVE_DRIVER_ENVIRONMENT_H

#include <stdbool.h>

enum variable {
#define SWITCH_FLAG(name, VARIABLE, meaning) VARIABLE_##VARIABLE,
#define CHOICE_FLAG(name, VARIABLE, usual, meaning) VARIABLE_##VARIABLE,
#define NUMBER_FLAG(name, VARIABLE, least, most, usual, meaning) VARIABLE_##VARIABLE,
#define TEXT_FLAG(name, VARIABLE, shown, usual, meaning) VARIABLE_##VARIABLE,
#define LIST_FLAG(name, VARIABLE, usual, meaning) VARIABLE_##VARIABLE,
#define OWN_FLAG(name, VARIABLE, shown, usual, meaning) VARIABLE_##VARIABLE,
#define COMPILE_VARIABLE(NAME, shown, usual, meaning) VARIABLE_##NAME,
#define COMPILE_OUTSIDE(NAME, meaning) VARIABLE_##NAME,
#include "runtime/api/settings.def"
    VARIABLES
};

/* "CLEAVE_EMIT", "PATH". */
const char *variable_name(enum variable variable);
/* The variable's value, borrowed from the environment; NULL when it is unset. */
const char *variable_text(enum variable variable);
/* Returns NULL also when the variable is empty. */
const char *variable_value(enum variable variable);
/* Whether the variable may affect objects and is not a flag: CLEAVE_CC and similar ones. */
bool variable_is_compilers(enum variable variable);

/* Warns of each variable CLEAVE_... whose name nearly matches one that cleavecc or programs read.
 * Variables with other names may belong to someone else. */
void variables_check(void);

#endif
