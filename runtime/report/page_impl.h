/* page_impl.h: shared by page.c and page_loops.c, which write the report as a page. */
#ifndef CLEAVE_REPORT_PAGE_H
#define CLEAVE_REPORT_PAGE_H

#include "runtime/base/base.h"
#include "runtime/base/json_read.h"
#include "runtime/page/page.h"

enum { REPORT_PATH_ROOM = 256, REPORT_COLUMNS = 24 };

/* A number that is a member of an object, or a dash where it is missing or null. */
void cleave_report_number(FILE *out, const struct cleave_json_node *node, const char *member,
                          enum cleave_page_unit unit);
/* A text that is a member of an object; nothing where it is missing. */
void cleave_report_words(FILE *out, const struct cleave_json_node *node, const char *member);

/* A column of a table that has a row for each element of an array. */
struct cleave_report_column {
    const char *heading;
    const char *member; /* of each element */
    int is_text;
    enum cleave_page_unit unit; /* of a number */
};
/* 0: the number of that name says nothing for this row: a dash stands there. */
typedef int cleave_report_known(const struct cleave_json_node *row, const char *member);
/* rows: an array; NULL: none. Columns that no element has are left out. known: NULL: all are. */
void cleave_report_table(FILE *out, const struct cleave_json_node *rows,
                         const struct cleave_report_column *column, int columns,
                         cleave_report_known *known);

/* page_loops.c: the sections "Loops" and "Loop by loop", and the roofline. */
void cleave_report_loops(FILE *out, const struct cleave_json_node *report);

/* page_model.c: how times are predicted, and by which rates. */
void cleave_report_model(FILE *out, const struct cleave_json_node *report);

/* start.c: the section about the time before the first loops. */
void cleave_report_start_page(FILE *out, const struct cleave_json_node *report);

/* page_tuning.c: the section about candidates. */
void cleave_report_tuning(FILE *out, const struct cleave_json_node *report);

#endif
