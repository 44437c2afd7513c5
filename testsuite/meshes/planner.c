/* planner.c: what tests let the planner use, and where its notes go. */
#include <stdio.h>

#include "meshes.h"

static void take_note(enum plan_note about, const char *text)
{
    static int told[PLAN_NOTES];
    if (about == PLAN_NOTE_REFUSED || !told[about]++) {
        fprintf(stderr, "cleave: note: %s\n", text);
    }
}

struct planner test_planner = {.note = take_note};
