/* table.c: tables. */
#include "runtime/page/page.h"

static const char *alignment(const struct cleave_page_column *column)
{
    return column->is_number ? " class=\"r\"" : " class=\"t\"";
}

void cleave_page_table_begin(FILE *out, const struct cleave_page_column *column, int columns)
{
    fputs("<div class=\"wide\" tabindex=\"0\"><table>\n<tr>", out);
    for (int c = 0; c < columns; c++) {
        fprintf(out, "<th scope=\"col\"%s>", alignment(&column[c]));
        cleave_page_text(out, column[c].heading);
        fputs("</th>", out);
    }
    fputs("</tr>\n", out);
}

void cleave_page_table_end(FILE *out)
{
    fputs("</table></div>\n", out);
}

void cleave_page_row_begin(FILE *out)
{
    fputs("<tr>", out);
}

void cleave_page_row_end(FILE *out)
{
    fputs("</tr>\n", out);
}

void cleave_page_cell_begin(FILE *out, const struct cleave_page_column *column)
{
    fprintf(out, "<td%s>", alignment(column));
}

void cleave_page_cell_end(FILE *out)
{
    fputs("</td>", out);
}

void cleave_page_cell(FILE *out, const struct cleave_page_column *column, const char *text)
{
    cleave_page_cell_begin(out, column);
    cleave_page_text(out, text);
    cleave_page_cell_end(out);
}
