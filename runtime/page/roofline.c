/* roofline.c: a plot of operations per second over operations per byte, on logarithmic axes, with
 * the limits of the machine: a slope (memory) up to a level (arithmetic). */
#include <math.h>

#include "runtime/page/page.h"

/* The drawing's own units; the page scales it to its width, and text of 12 units stays readable at
 * 440 pixels. */
enum { WIDTH = 480, HEIGHT = 330, LEFT = 66, RIGHT = 14, TOP = 12, BOTTOM = 42 };

/* Powers of ten at the ends of both axes. */
struct frame {
    double x_low;
    double x_high;
    double y_low;
    double y_high;
};

static double x_at(const struct frame *frame, double x)
{
    return LEFT +
           (WIDTH - LEFT - RIGHT) * (log10(x) - frame->x_low) / (frame->x_high - frame->x_low);
}

static double y_at(const struct frame *frame, double y)
{
    return HEIGHT - BOTTOM -
           (HEIGHT - TOP - BOTTOM) * (log10(y) - frame->y_low) / (frame->y_high - frame->y_low);
}

static double reached(const struct cleave_page_limit *limit, double x)
{
    const double sloped = limit->slope > 0.0 ? limit->slope * x : INFINITY;
    return limit->level > 0.0 ? fmin(sloped, limit->level) : sloped;
}

static void include(double *low, double *high, double value)
{
    *low = fmin(*low, floor(log10(value)));
    *high = fmax(*high, ceil(log10(value)));
}

/* The decades that hold all points, and the limits above them. */
static struct frame frame_of(const struct cleave_page_point *point, int points,
                             const struct cleave_page_limit *limit, int limits)
{
    struct frame frame = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int p = 0; p < points; p++) {
        include(&frame.x_low, &frame.x_high, point[p].x);
        include(&frame.y_low, &frame.y_high, point[p].y);
        for (int l = 0; l < limits; l++) {
            const double above = reached(&limit[l], point[p].x);
            if (isfinite(above)) {
                include(&frame.y_low, &frame.y_high, above);
            }
        }
    }
    frame.x_high = fmax(frame.x_high, frame.x_low + 1.0);
    frame.y_high = fmax(frame.y_high, frame.y_low + 1.0);
    return frame;
}

/* "100 G" for 1e11. */
static const char *power_text(char text[PAGE_NUMBER_ROOM], double power)
{
    static const char *const prefix[] = {"", " k", " M", " G", " T", " P"};
    const int group = power >= 0.0 ? (int)fmin(floor(power / 3.0), 5.0) : 0;
    const double value = pow(10.0, power - 3.0 * group);
    snprintf(text, PAGE_NUMBER_ROOM, "%g%s", value, prefix[group]);
    return text;
}

static void draw_axes(FILE *out, const struct frame *frame)
{
    char text[PAGE_NUMBER_ROOM];
    const double bottom = HEIGHT - BOTTOM;
    for (double power = frame->x_low; power <= frame->x_high; power += 1.0) {
        const double x = x_at(frame, pow(10.0, power));
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %d V%.1f\"/>", x, TOP, bottom);
        fprintf(out,
                "<text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x,
                bottom + 14.0, power_text(text, power));
    }
    for (double power = frame->y_low; power <= frame->y_high; power += 1.0) {
        const double y = y_at(frame, pow(10.0, power));
        fprintf(out, "<path class=\"grid\" d=\"M%d %.1f H%d\"/>", LEFT, y, WIDTH - RIGHT);
        fprintf(out, "<text class=\"small\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT - 6, y + 4.0, power_text(text, power));
    }
    fprintf(out, "<path class=\"axis\" d=\"M%d %d V%.1f H%d\"/>\n", LEFT, TOP, bottom,
            WIDTH - RIGHT);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">operations per useful byte</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    fprintf(
        out,
        "<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">operations per "
        "second</text>\n",
        (TOP + HEIGHT - BOTTOM) / 2);
}

/* The limit as far as the frame shows it: y grows with x, so that it may leave through the top. */
static void draw_limit(FILE *out, const struct frame *frame, const struct cleave_page_limit *limit,
                       int l)
{
    const double from = pow(10.0, frame->x_low);
    const double to = pow(10.0, frame->x_high);
    const double top = pow(10.0, frame->y_high);
    const double bottom = pow(10.0, frame->y_low);
    const double start = limit->slope > 0.0 ? fmin(fmax(from, bottom / limit->slope), to) : from;
    double bend = to;
    if (limit->slope > 0.0) {
        bend = fmin(to, fmin(limit->level > 0.0 ? limit->level : top, top) / limit->slope);
    }
    if (reached(limit, start) > top * 1.0001 || bend < start) {
        return;
    }
    const double end = limit->level > 0.0 && limit->level <= top ? to : bend;
    fprintf(out, "<path class=\"limit\" d=\"M%.1f %.1f L%.1f %.1f L%.1f %.1f\"/>\n",
            x_at(frame, start), y_at(frame, reached(limit, start)), x_at(frame, bend),
            y_at(frame, reached(limit, bend)), x_at(frame, end), y_at(frame, reached(limit, end)));
    fputs("<text class=\"limits halo\" text-anchor=\"end\" ", out);
    fprintf(out, "x=\"%.1f\" y=\"%.1f\">", x_at(frame, end) - 4.0,
            fmax(y_at(frame, reached(limit, end)) - 5.0, TOP + 10.0) + 13.0 * l);
    cleave_page_text(out, limit->name);
    fputs("</text>\n", out);
}

static void draw_point(FILE *out, const struct frame *frame, const struct cleave_page_point *point)
{
    const double x = x_at(frame, point->x);
    const double y = y_at(frame, point->y);
    fprintf(out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>", x, y);
    cleave_page_text(out, point->name);
    fputs("</title></circle>", out);
    if (point->number > 0) {
        fprintf(out, "<text class=\"halo\" x=\"%.1f\" y=\"%.1f\">%d</text>", x + 7.0, y + 4.0,
                point->number);
    }
    fputc('\n', out);
}

void cleave_page_roofline(FILE *out, const struct cleave_page_point *point, int points,
                          const struct cleave_page_limit *limit, int limits)
{
    if (points == 0) {
        return;
    }
    const struct frame frame = frame_of(point, points, limit, limits);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"roofline\">\n", WIDTH,
            HEIGHT);
    draw_axes(out, &frame);
    for (int l = 0; l < limits; l++) {
        draw_limit(out, &frame, &limit[l], l);
    }
    for (int p = 0; p < points; p++) {
        draw_point(out, &frame, &point[p]);
    }
    fputs("</svg>\n", out);
}
