/* bars.c: bars of boxes. */
#include "runtime/page/page.h"

/* In per cent of the track. */
static double clamped(double part)
{
    return part > 0.0 ? (part < 1.0 ? 100.0 * part : 100.0) : 0.0; /* NaN is 0 */
}

void cleave_page_bar(FILE *out, double part, double mark)
{
    fputs("<div class=\"track\">", out);
    if (part > 0.0) {
        fprintf(out, "<i style=\"width:%.3f%%\"></i>", clamped(part));
    }
    if (mark >= 0.0) {
        fprintf(out, "<u style=\"left:%.3f%%\"></u>", clamped(mark));
    }
    fputs("</div>", out);
}

void cleave_page_interval(FILE *out, double begin, double end, int colour)
{
    const double from = clamped(begin);
    fprintf(out,
            "<div class=\"track\"><i style=\"left:%.3f%%;width:%.3f%%;"
            "background:var(--part%d)\"></i></div>",
            from, clamped(end) - from, colour % 8);
}

void cleave_page_stack(FILE *out, const double *part, int parts)
{
    fputs("<div class=\"stack\">", out);
    for (int p = 0; p < parts; p++) {
        if (part[p] > 0.0) {
            fprintf(out, "<span class=\"c%d\" style=\"width:%.3f%%\"></span>", p % 8,
                    clamped(part[p]));
        }
    }
    fputs("</div>\n", out);
}

void cleave_page_key(FILE *out, int part)
{
    fprintf(out, "<span class=\"key c%d\"></span>", part % 8);
}
