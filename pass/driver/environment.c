/* environment.c: see environment.h. */
#include "pass/driver/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/misspelt.h"

static const struct {
    const char *name;
    bool is_compilers;
} variables[VARIABLES] = {
#define SWITCH_FLAG(name, VARIABLE, meaning) {"CLEAVE_" #VARIABLE, false},
#define CHOICE_FLAG(name, VARIABLE, usual, meaning) {"CLEAVE_" #VARIABLE, false},
#define NUMBER_FLAG(name, VARIABLE, least, most, usual, meaning) {"CLEAVE_" #VARIABLE, false},
#define TEXT_FLAG(name, VARIABLE, shown, usual, meaning) {"CLEAVE_" #VARIABLE, false},
#define LIST_FLAG(name, VARIABLE, usual, meaning) {"CLEAVE_" #VARIABLE, false},
#define OWN_FLAG(name, VARIABLE, shown, usual, meaning) {"CLEAVE_" #VARIABLE, false},
#define COMPILE_VARIABLE(NAME, shown, usual, meaning) {"CLEAVE_" #NAME, true},
#define COMPILE_OUTSIDE(NAME, meaning) {#NAME, false},
#include "runtime/api/settings.def"
};

const char *variable_name(enum variable variable)
{
    return variables[variable].name;
}

const char *variable_text(enum variable variable)
{
    return getenv(variables[variable].name);
}

const char *variable_value(enum variable variable)
{
    const char *value = variable_text(variable);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

bool variable_is_compilers(enum variable variable)
{
    return variables[variable].is_compilers;
}

void variables_check(void)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char *near;

        if (cleave_variable_is_unknown(*entry, &near) && near != NULL) {
            fprintf(
                stderr,
                "cleavecc: warning: environment variable '%.*s' is not known to cleave and has no "
                "effect; did you mean CLEAVE_%s\n",
                (int)strcspn(*entry, "="), *entry, near);
        }
    }
}
