/* small_sort.c: sorts the few values of one block.
 *
 * Blocks have tens to thousands of points with near numbers, so digits are few: radix sort by bytes
 * of the distance from the smallest value; insertion for very few.
 */
#include <string.h>

#include "runtime/planner/plan/build.h"

#define INSERTION 24
#define DIGITS 256

static void insertion_sort(int *value, int count)
{
    for (int i = 1; i < count; i++) {
        int moving = value[i];
        int at = i;
        for (; at > 0 && value[at - 1] > moving; at--) {
            value[at] = value[at - 1];
        }
        value[at] = moving;
    }
}

/* One stable pass by the byte at `shift` of value - least. */
static void sort_digit(int *to, const int *from, int count, int least, int shift)
{
    int at[DIGITS] = {0};
    for (int i = 0; i < count; i++) {
        at[(unsigned)(from[i] - least) >> shift & (DIGITS - 1)]++;
    }
    int before = 0;
    for (int d = 0; d < DIGITS; d++) {
        int here = at[d];
        at[d] = before;
        before += here;
    }
    for (int i = 0; i < count; i++) {
        to[at[(unsigned)(from[i] - least) >> shift & (DIGITS - 1)]++] = from[i];
    }
}

void planner_sort_small(int *value, int count, int *scratch)
{
    if (count <= INSERTION) {
        insertion_sort(value, count);
        return;
    }
    int least = value[0];
    int largest = value[0];
    for (int i = 1; i < count; i++) {
        least = value[i] < least ? value[i] : least;
        largest = value[i] > largest ? value[i] : largest;
    }
    int *from = value;
    int *to = scratch;
    for (int shift = 0; shift < 32 && (unsigned)(largest - least) >> shift > 0; shift += 8) {
        sort_digit(to, from, count, least, shift);
        int *other = from;
        from = to;
        to = other;
    }
    if (from != value) {
        memcpy(value, from, (size_t)count * sizeof *value);
    }
}
