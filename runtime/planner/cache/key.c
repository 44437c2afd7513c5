/* key.c: the key of a numbering: a hash of everything that decides it. */
#include "runtime/planner/cache/cache.h"
#include "runtime/planner/number/number.h"

static void add_number(struct store_key *key, int64_t number)
{
    cleave_store_hash(key, &number, sizeof number);
}

static void add_map(struct store_key *key, int elements, const struct plan_map *map)
{
    add_number(key, map->dim);
    add_number(key, map->points);
    add_number(key, map->target);
    add_number(key, map->columns);
    cleave_store_hash(key, map->column, (size_t)map->columns * sizeof map->column[0]);
    cleave_store_hash(key, map->row, (size_t)elements * (size_t)map->dim * sizeof map->row[0]);
}

/* How many points have coordinates: as many as the set of the same number has. */
static int coordinate_points(const struct plan_coordinates *coordinates, int maps,
                             const struct plan_map *map)
{
    for (int m = 0; m < maps; m++) {
        if (map[m].target == coordinates->target) {
            return map[m].points;
        }
    }
    return 0; /* no element has a centre: they decide nothing */
}

static void add_coordinates(struct store_key *key, const struct plan_coordinates *coordinates,
                            int maps, const struct plan_map *map)
{
    size_t points = (size_t)coordinate_points(coordinates, maps, map);
    size_t component = coordinates->is_float ? sizeof(float) : sizeof(double);
    add_number(key, coordinates->dim);
    add_number(key, coordinates->is_float);
    add_number(key, coordinates->target);
    cleave_store_hash(key, coordinates->at, points * (size_t)coordinates->dim * component);
}

void planner_key(const struct planner *planner, struct store_key *key, int elements, int maps,
                 const struct plan_map *map, const struct plan_coordinates *coordinates,
                 const struct plan_numbering_options *options)
{
    PLANNER_THREADS(planner);
    *key = (struct store_key){{0, 0}};
    add_number(key, CACHE_VERSION);
    add_number(key, elements);
    add_number(key, options->block_size);
    add_number(key, options->method.start);
    add_number(key, options->method.improve);
    add_number(key, options->max_points);
    /* A start whose library is missing is replaced: what is kept then must not be found again when
     * the library is there. */
    add_number(key, planner_number_library(planner, options->method.start));
    add_number(key, maps);
    for (int m = 0; m < maps; m++) {
        add_map(key, elements, &map[m]);
    }
    int known = coordinates != NULL && coordinates->at != NULL;
    add_number(key, known);
    if (known) {
        add_coordinates(key, coordinates, maps, map);
    }
}
