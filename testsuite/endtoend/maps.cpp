/* maps.cpp: a multigrid program's ways to name maps and dats: arrays of them, members, pointers, functions,
 * containers. Loops that name one map twice by one text run compiled; `aliases` and `next` name one map
 * by two texts, and two maps by one: the runtime finds out, and runs them sequentially. */
#include <cmath>
#include <vector>

#include "op_seq.h"

enum { LEVELS = 3, COARSEST = 40 };

struct grid {
    op_set edges;
    op_map ends;
    op_map others[2];
    op_map end(int which) const
    {
        return which == 0 ? ends : others[which - 1];
    }
};

static op_map maps[LEVELS];
static op_dat dats[LEVELS];
static int turn;

static op_map map_of(int level)
{
    return maps[level];
}

static op_map next(void)
{
    return maps[turn++ % 2];
}

static void flux(const double *a, const double *b, double *p, double *q)
{
    double f = 0.25 * (a[0] - b[0]);
    p[0] += f;
    q[0] -= f;
}

#define LOOP_OF(name, edges, from, map, dat, other_map)                                             \
    op_par_loop(flux, name, edges, op_arg_dat(from, 0, map, 1, "double", OP_READ),                  \
                op_arg_dat(from, 1, map, 1, "double", OP_READ),                                     \
                op_arg_dat(dat, 0, map, 1, "double", OP_INC),                                       \
                op_arg_dat(dat, 1, other_map, 1, "double", OP_INC))
#define LOOP(name, map, from) LOOP_OF(name, edges, from, map, p, map)

static void smooth(int level, op_set edges, const grid *g, const grid &r, op_map *all,
                   const std::vector<op_map> &list, op_dat p)
{
    const grid *const pair[2] = {g, g};

    LOOP("minus", maps[level - 1], dats[level - 1]);
    LOOP("arrow", g->ends, dats[level - 1]);
    LOOP("star", (*g).others[level % 2], dats[(level + 5) % 6 % LEVELS]);
    LOOP("call", map_of(level - 1), dats[level - 1]);
    LOOP("method", r.end(level % 2), dats[level - 1]);
    LOOP("container", list[(size_t)level - 1], dats[level - 1]);
    LOOP("at", list.at((size_t)(level - 1)), dats[level - 1]);
    LOOP("pointer", *(all + level - 1), dats[level - 1]);
    LOOP("choice", level > 1 ? maps[level - 1] : maps[0], dats[level - 1]);
    LOOP("nested", pair[level & 1]->others[maps[0]->dim - 2], dats[level - 1]);
    LOOP_OF("aliases", edges, dats[level - 1], maps[level - 1], p, all[level - 1]);
}

int main(int argc, char **argv)
{
    double sum = 0.0;
    op_init(argc, argv, 0);
    for (int l = 0; l < LEVELS; l++) {
        int size = COARSEST << l;
        std::vector<int> ends;
        std::vector<double> values;
        for (int e = 0; e < size; e++) {
            ends.push_back(e);
            ends.push_back((e + 1) % size);
            values.push_back(std::sin(0.1 * e * (l + 1)));
        }
        op_set nodes = op_decl_set(size, "nodes");
        op_set edges = op_decl_set(size, "edges");
        maps[l] = op_decl_map(edges, nodes, 2, ends.data(), "ends");
        dats[l] = op_decl_dat(nodes, 1, "double", values.data(), "q");
        op_dat p = op_decl_dat(nodes, 1, "double", values.data(), "p");
        grid g = {edges, maps[l], {maps[l], maps[l]}};
        smooth(l + 1, edges, &g, g, maps, std::vector<op_map>(maps, maps + LEVELS), p);
        if (l == 0) {
            op_map copy = op_decl_map(edges, nodes, 2, ends.data(), "copy");
            op_map first = maps[1];
            maps[1] = copy;
            LOOP("next", next(), dats[0]);
            maps[1] = first;
        }
        op_fetch_data(p, values.data());
        for (int n = 0; n < size; n++) {
            sum += values[(size_t)n] * (n % 7);
        }
    }
    op_printf("%.12e\n", sum);
    op_timing_output();
    op_exit();
    return 0;
}
