/* page.h: pieces of HTML pages that explain loops: the report of a run (runtime/report/page.c) and
 * --cleave-explain=FILE.html (pass/driver/explain.c) look alike because both are made of these. A
 * page stands alone: style and pictures are in it, there are no scripts, and nothing is fetched.
 *
 * Text and attributes are escaped here; the caller writes tags as they are. Numbers are written in
 * the locale that the thread has: the caller sets "C". Errors stay in the file (ferror). */
#ifndef CLEAVE_PAGE_H
#define CLEAVE_PAGE_H

#include <stdio.h>

/* ---- page.c --------------------------------------------------------------------------------- */

/* Everything up to the page's heading; it is also the title of the window. */
void cleave_page_begin(FILE *out, const char *heading);
void cleave_page_end(FILE *out);
/* The text that cleave_page_end() writes: a page whose end is cut off can be continued. */
extern const char cleave_page_ending[];
/* Text between tags, or in an attribute in double quotes. */
void cleave_page_text(FILE *out, const char *text);
/* Text between tags that may be broken behind each +: names of loops in a group are long. */
void cleave_page_name(FILE *out, const char *text);
/* "<h2 id=ID>HEADING</h2>"; opens a section that ends with the next one or with the page. */
void cleave_page_section(FILE *out, const char *id, const char *heading);

/* How a number is shown. */
enum cleave_page_unit {
    PAGE_COUNT,   /* 1,234,567 */
    PAGE_NUMBER,  /* 12.3 */
    PAGE_SECONDS, /* 12.3 us */
    PAGE_BYTES,   /* 12.3 MB, in powers of 1000 */
    PAGE_RATE,    /* value in GB/s: 12.3 GB/s */
    PAGE_SHARE,   /* of 1: 12.3 % */
    PAGE_EACH     /* value per second: 12.3 G/s */
};
enum { PAGE_NUMBER_ROOM = 40 };
/* Writes the number as it is shown; returns text. */
const char *cleave_page_number_text(char text[PAGE_NUMBER_ROOM], enum cleave_page_unit unit,
                                    double value);
/* A number that tests and other programs can read: path names its place in the data that the page
 * shows, "loops[0].calls", and exact is its text there. */
void cleave_page_number(FILE *out, enum cleave_page_unit unit, double value, const char *path,
                        const char *exact);

/* ---- table.c -------------------------------------------------------------------------------- */

/* A column of a table: its heading, and whether its cells are numbers, which stand at the right. */
struct cleave_page_column {
    const char *heading;
    int is_number;
};

/* A table as wide as it needs; it scrolls by itself where the page is narrower. */
void cleave_page_table_begin(FILE *out, const struct cleave_page_column *column, int columns);
void cleave_page_table_end(FILE *out);
void cleave_page_row_begin(FILE *out);
void cleave_page_row_end(FILE *out);
/* The caller writes the cell's content between both. */
void cleave_page_cell_begin(FILE *out, const struct cleave_page_column *column);
void cleave_page_cell_end(FILE *out);
void cleave_page_cell(FILE *out, const struct cleave_page_column *column, const char *text);

/* ---- bars.c --------------------------------------------------------------------------------- */

/* A bar in a track: `part` of its width, 0..1, and a mark at `mark`; negative: no mark. */
void cleave_page_bar(FILE *out, double part, double mark);
/* The part of a track from `begin` to `end` of its width, both 0..1, in a colour 0..7. */
void cleave_page_interval(FILE *out, double begin, double end, int colour);
/* Parts of one bar side by side, in colours 0..7; a part is 0..1 of the bar. Their legend is the
 * caller's: cleave_page_key(). */
void cleave_page_stack(FILE *out, const double *part, int parts);
/* A small square in the colour of a part. */
void cleave_page_key(FILE *out, int part);

/* ---- roofline.c ----------------------------------------------------------------------------- */

/* A loop in a plot of operations per second over operations per byte. */
struct cleave_page_point {
    const char *name;
    double x;   /* operations per byte, > 0 */
    double y;   /* operations per second, > 0 */
    int number; /* shown beside it; 0: none */
};

/* A limit: operations per second that can be reached at x operations per byte:
 * min(slope * x, level). */
struct cleave_page_limit {
    const char *name;
    double slope; /* bytes per second; 0: none */
    double level; /* operations per second; 0: none */
};

/* Draws points and limits on logarithmic axes. */
void cleave_page_roofline(FILE *out, const struct cleave_page_point *point, int points,
                          const struct cleave_page_limit *limit, int limits);

#endif
