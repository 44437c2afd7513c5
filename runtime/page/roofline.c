/* roofline.c: a plot of operations per second over operations per byte, on logarithmic axes, with
 * the limits of the machine: a slope (memory) up to a level (arithmetic). */
#include <math.h>
#include <stdlib.h>

#include "runtime/page/page.h"

/* The drawing's own units; the page scales it to its width, and text of 12 units stays readable at
 * 440 pixels. */
enum { WIDTH = 480, HEIGHT = 348, LEFT = 66, RIGHT = 14, TOP = 30, BOTTOM = 42 };

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
    /* Above the drawing, where no point can be. */
    fprintf(out, "<text class=\"limits\" text-anchor=\"end\" x=\"%d\" y=\"%d\">", WIDTH - RIGHT,
            TOP - 8 - 13 * l);
    cleave_page_text(out, limit->name);
    fputs("</text>\n", out);
}

/* ---- points and their numbers ---------------------------------------------------------------- */

struct box {
    double left;
    double top;
    double right;
    double bottom;
};

static int do_meet(const struct box *a, const struct box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static struct box circle_at(const struct frame *frame, const struct cleave_page_point *point)
{
    const double radius = 5.0;
    const double x = x_at(frame, point->x);
    const double y = y_at(frame, point->y);
    return (struct box){x - radius, y - radius, x + radius, y + radius};
}

/* Places for a number: right of its circle, left, above, below, and beside these. */
static struct box number_at(const struct box *circle, int place, int digits)
{
    static const struct {
        double x; /* from the circle's middle to the number's */
        double y;
    } away[] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    const double width = 7.5 * digits;
    const double height = 11.0;
    const double x = 0.5 * (circle->left + circle->right) + away[place].x * (7.5 + 0.5 * width);
    const double y = 0.5 * (circle->top + circle->bottom) + away[place].y * (6.0 + 0.5 * height);
    return (struct box){x - 0.5 * width, y - 0.5 * height, x + 0.5 * width, y + 0.5 * height};
}
enum { PLACES = 8 };

/* Draws the number where no circle and no earlier number is, else not: points that are as near to
 * each other as that have names when one points at them. Adds its box to those taken. */
static void draw_number(FILE *out, int number, const struct box *circle, struct box *taken,
                        int *count)
{
    const int digits = number < 10 ? 1 : 2;
    for (int place = 0; place < PLACES; place++) {
        const struct box box = number_at(circle, place, digits);
        int is_free = box.right < WIDTH && box.top > TOP && box.bottom < HEIGHT - BOTTOM;
        for (int t = 0; t < *count && is_free; t++) {
            is_free = !do_meet(&box, &taken[t]);
        }
        if (is_free) {
            taken[(*count)++] = box;
            fprintf(out, "<text class=\"halo\" x=\"%.1f\" y=\"%.1f\">%d</text>\n", box.left,
                    box.bottom - 1.5, number);
            return;
        }
    }
}

static void draw_points(FILE *out, const struct frame *frame, const struct cleave_page_point *point,
                        int points)
{
    struct box *taken = malloc(2 * (size_t)points * sizeof *taken);
    int count = 0;
    for (int p = 0; p < points; p++) {
        const struct box circle = circle_at(frame, &point[p]);
        fprintf(out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>",
                x_at(frame, point[p].x), y_at(frame, point[p].y));
        cleave_page_text(out, point[p].name);
        fputs("</title></circle>\n", out);
        if (taken != NULL) {
            taken[count++] = circle;
        }
    }
    for (int p = 0; p < points && taken != NULL; p++) {
        if (point[p].number > 0) {
            const struct box circle = taken[p];
            draw_number(out, point[p].number, &circle, taken, &count);
        }
    }
    free(taken);
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
    draw_points(out, &frame, point, points);
    fputs("</svg>\n", out);
}
