/* variables.c: the environment of a program. Nothing else in the runtime calls getenv, so that the
 * table in api/settings.def has every variable that the runtime reads. */
#include "runtime/base/misspelt.h"
#include "runtime/base/settings.h"

#include <unistd.h>

static const char *const names[VARIABLES] = {
#define RUN_CHOICE(field, NAME, unset, usual, meaning) "CLEAVE_" #NAME,
#define RUN_TEXT(field, NAME, shown, usual, meaning) "CLEAVE_" #NAME,
#define RUN_NUMBER(field, NAME, least, most, usual, meaning) "CLEAVE_" #NAME,
#define RUN_OWN(NAME, shown, usual, meaning) "CLEAVE_" #NAME,
#define RUN_OUTSIDE(NAME, meaning) #NAME,
#define OP2_WORD(name, place, why, meaning) #name,
#include "runtime/api/settings.def"
};

const char *cleave_variable(enum cleave_variable variable)
{
    const char *value = getenv(names[variable]);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

const char *cleave_variable_name(enum cleave_variable variable)
{
    return names[variable];
}

void cleave_variables_check(void)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char *near;
        if (cleave_variable_is_unknown(*entry, &near)) {
            cleave_warning(
                "environment variable '%.*s' is not known to cleave and has no effect%s%s",
                (int)strcspn(*entry, "="), *entry, near != NULL ? "; did you mean CLEAVE_" : "",
                near != NULL ? near : "");
        }
    }
}
