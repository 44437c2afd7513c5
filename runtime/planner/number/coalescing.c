/* coalescing.c: planner_coalescing: does the order of a mesh suit the warps of a GPU?
 *
 * A warp runs 32 consecutive elements, and reads or modifies through one column of a map one point
 * for each of them. Memory is accessed in lines of 128 bytes, 16 points of 8 bytes: 32 consecutive
 * points lie in 2 or 3 lines, 32 random ones in 32. Warps that start next to each other share lines
 * in L2, whose size no order exceeds that the program has made for a cache; so lines are counted
 * for each warp and column alone. Some warps are looked at, evenly spread. */
#include "runtime/planner/base/base.h"

enum { WARP = 32, LINE = 16, WARPS = 256 };

/* Distinct lines of up to WARP points. */
static int lines_of(const int *line, int count)
{
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        int seen = 0;
        for (int k = 0; k < i; k++) {
            seen |= line[k] == line[i];
        }
        distinct += !seen;
    }
    return distinct;
}

double planner_coalescing(int elements, const struct plan_map *map)
{
    const int all = elements / WARP;
    const int warps = all < WARPS ? all : WARPS;
    double lines = 0.0;
    for (int w = 0; w < warps; w++) {
        const int64_t first = (int64_t)w * all / warps * WARP;
        for (int c = 0; c < map->columns; c++) {
            int line[WARP];
            for (int i = 0; i < WARP; i++) {
                line[i] = map->row[(first + i) * map->dim + map->column[c]] / LINE;
            }
            lines += lines_of(line, WARP);
        }
    }
    return warps > 0 && map->columns > 0 ? lines / ((double)warps * map->columns) : 0.0;
}
