/* planner.c: what tests let the planner use, and where its notes go. */
#include <stdio.h>

#include "meshes.h"

static void take_note(enum plan_note about, const char *text)
{
    static int told[PLAN_NOTES];
    if (!told[about]++) {
        fprintf(stderr, "cleave: note: %s\n", text);
    }
}

static void take_store_note(enum cleave_store_note about, const char *text)
{
    static int told[STORE_NOTES];
    if (about == STORE_NOTE_REFUSED || !told[about]++) {
        fprintf(stderr, "cleave: note: %s\n", text);
    }
}

struct planner test_planner = {.store.note = take_store_note, .note = take_note};
