/* rows.c: see manual.h. */
#include "pass/driver/manual/manual.h"

#include <string.h>

#define IN_ARGUMENTS "argument"
#define IN_ENVIRONMENT "environment"
#define ANYWHERE "both"

const struct row rows[] = {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning)                                          \
    {ROW_SCHEDULE, word, "", "", "", meaning, ""},
#define CLEAVE_RACE(name, word, sums, meaning) {ROW_RACE, word, "", "", "", meaning, ""},
#define CLEAVE_READS(name, word, meaning) {ROW_READS, word, "", "", "", meaning, ""},
#include "runtime/api/cleave_words.def"

#define SWITCH_FLAG(name, VARIABLE, meaning) {ROW_FLAG, #name, #VARIABLE, "", "", meaning, ""},
#define CHOICE_FLAG(name, VARIABLE, usual, meaning)                                                \
    {ROW_FLAG, #name, #VARIABLE, "", usual, meaning, ""},
#define NUMBER_FLAG(name, VARIABLE, least, most, usual, meaning)                                   \
    {ROW_FLAG, #name, #VARIABLE, "N", usual, meaning, ""},
#define TEXT_FLAG(name, VARIABLE, shown, usual, meaning)                                           \
    {ROW_FLAG, #name, #VARIABLE, shown, usual, meaning, ""},
#define LIST_FLAG(name, VARIABLE, usual, meaning)                                                  \
    {ROW_LIST, #name, #VARIABLE, "", usual, meaning, ""},
#define OWN_FLAG(name, VARIABLE, shown, usual, meaning)                                            \
    {ROW_FLAG, #name, #VARIABLE, shown, usual, meaning, ""},
#define BARE_FLAG(name, shown, meaning) {ROW_FLAG, #name, "", shown, "", meaning, ""},
#define WORD(constant, word, meaning) {ROW_WORD, word, "", "", "", meaning, ""},
#define OTHER_FLAG(shown, meaning) {ROW_OTHER, shown, "", "", "", meaning, ""},
#define SHOW_FLAG(what, query, meaning) {ROW_SHOW, what, "", "", "", meaning, ""},
#define COMPILE_VARIABLE(NAME, shown, usual, meaning)                                              \
    {ROW_COMPILE, #NAME, "", shown, usual, meaning, ""},
#define COMPILE_OUTSIDE(NAME, meaning) {ROW_COMPILE_OUTSIDE, #NAME, "", "", "", meaning, ""},
#define RUN_CHOICE(field, NAME, unset, usual, meaning) {ROW_RUN, #NAME, "", "", usual, meaning, ""},
#define RUN_WORD(constant, word, meaning) {ROW_WORD, word, "", "", "", meaning, ""},
#define RUN_TEXT(field, NAME, shown, usual, meaning)                                               \
    {ROW_RUN, #NAME, "", shown, usual, meaning, ""},
#define RUN_NUMBER(field, NAME, least, most, usual, meaning)                                       \
    {ROW_RUN, #NAME, "", #least " to " #most, usual, meaning, ""},
#define RUN_OWN(NAME, shown, usual, meaning) {ROW_RUN, #NAME, "", shown, usual, meaning, ""},
#define EMULATOR_VARIABLE(NAME, shown, usual, meaning)                                             \
    {ROW_EMULATOR, #NAME, "", shown, usual, meaning, ""},
#define RUN_OUTSIDE(NAME, meaning) {ROW_RUN_OUTSIDE, #NAME, "", "", "", meaning, ""},
#define OP2_WORD(name, place, why, meaning) {ROW_OP2, #name, "", "", why, meaning, place},
#define OP2_ARGUMENT(text, why, meaning) {ROW_OP2, text, "", "", why, meaning, IN_ARGUMENTS},
#include "runtime/api/settings.def"
};

const int row_count = sizeof(rows) / sizeof(rows[0]);

bool row_is_word_of(int i, int of)
{
    while (i > of && i < row_count && rows[i].kind == ROW_WORD) {
        i--;
    }
    return i == of;
}

const struct list lists[] = {
    {"flags", 1u << ROW_FLAG | 1u << ROW_LIST | 1u << ROW_OTHER | 1u << ROW_SHOW,
     "| Flag | Variable | Default | Meaning |\n|---|---|---|---|"},
    {"compile-variables", 1u << ROW_COMPILE,
     "| Variable | Value | Default | Meaning |\n|---|---|---|---|"},
    {"compile-outside", 1u << ROW_COMPILE_OUTSIDE, NULL},
    {"variables", 1u << ROW_RUN, "| Variable | Value | Default | Meaning |\n|---|---|---|---|"},
    {"emulator-variables", 1u << ROW_EMULATOR,
     "| Variable | Value | Default | Meaning |\n|---|---|---|---|"},
    {"outside", 1u << ROW_RUN_OUTSIDE, NULL},
    {"op2-words", 1u << ROW_OP2, "| Word | Where | What it does here |\n|---|---|---|"},
    {"schedules", 1u << ROW_SCHEDULE, "| Schedule | What it does |\n|---|---|"},
    {"races", 1u << ROW_RACE, "| Races | How |\n|---|---|"},
    {"reads", 1u << ROW_READS, "| Reads | How |\n|---|---|"},
};

const int list_count = sizeof(lists) / sizeof(lists[0]);

const struct list *list_find(const char *name, size_t length)
{
    for (int i = 0; i < list_count; i++) {
        if (strlen(lists[i].name) == length && strncmp(lists[i].name, name, length) == 0) {
            return &lists[i];
        }
    }
    return NULL;
}

bool list_has(const struct list *list, const struct row *row)
{
    return (list->kinds >> row->kind & 1u) != 0 && (row->kind != ROW_RACE || row->name[0] != '\0');
}
