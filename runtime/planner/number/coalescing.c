/* coalescing.c: planner_coalescing: does the order of a mesh suit the warps of a GPU?
 *
 * A warp runs 32 consecutive elements, and reads or modifies through one column of a map one point
 * for each of them. Memory is accessed in lines of 128 bytes, 16 points of 8 bytes: 32 consecutive
 * points lie in 2 or 3 lines, 32 random ones in 32. Warps that start next to each other share lines
 * in L2, whose size no order exceeds that the program has made for a cache; so lines are counted
 * for each warp and column alone. Some warps are looked at, evenly spread. */
#include "runtime/planner/base/base.h"

enum { WARP = 32, LINE = 16, WARPS = 256 };

/* 1: a point before point i lies in its line. Mostly that is one of the next. */
static int was_seen(const int *line, int i)
{
    int k = i - 1;
    while (k >= 0 && line[k] != line[i]) {
        k--;
    }
    return k >= 0;
}

/* Distinct lines of up to WARP points. A bit for each 64th line says that none of these has been
 * seen yet, so that the points before are looked at where one mostly has been. */
static int lines_of(const int *line, int count)
{
    uint64_t any = 0;
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t bit = (uint64_t)1 << ((unsigned)line[i] % 64);
        distinct += (any & bit) == 0 || !was_seen(line, i);
        any |= bit;
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
