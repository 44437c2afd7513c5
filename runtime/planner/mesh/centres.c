/* centres.c: where elements are.
 *
 * In: the user's maps and coordinates, or centres from the graph. Out: centres in a turned box of
 * side 2, or places: the same in whole numbers. Coordinates that are not finite count as the middle
 * of the box.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/planner/mesh/mesh.h"

/* From the user's coordinates to the turned box: at = turn * (x - middle) / half. */
struct frame {
    double middle[3];
    double scale; /* 1 / half of the longest side */
    double turn[3][3];
};

static double coordinate(const struct plan_coordinates *coordinates, int point, int d)
{
    size_t at = (size_t)point * (size_t)coordinates->dim + (size_t)d;
    return coordinates->is_float ? (double)((const float *)coordinates->at)[at]
                                 : ((const double *)coordinates->at)[at];
}

/* Rotations by angles that no mesh is likely to be built with. */
static void set_turn(double turn[3][3], int dim)
{
    const double a = 0.5537;
    const double b = dim == 3 ? 0.8291 : 0;
    const double c = dim == 3 ? 0.3713 : 0;
    const double z[3][3] = {{cos(a), -sin(a), 0}, {sin(a), cos(a), 0}, {0, 0, 1}};
    const double y[3][3] = {{cos(b), 0, sin(b)}, {0, 1, 0}, {-sin(b), 0, cos(b)}};
    const double x[3][3] = {{1, 0, 0}, {0, cos(c), -sin(c)}, {0, sin(c), cos(c)}};
    double yz[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            yz[i][j] = y[i][0] * z[0][j] + y[i][1] * z[1][j] + y[i][2] * z[2][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turn[i][j] = x[i][0] * yz[0][j] + x[i][1] * yz[1][j] + x[i][2] * yz[2][j];
        }
    }
}

/* Halves are taken before they are added, so that the largest numbers do not overflow. */
static void find_frame(struct frame *frame, const struct plan_coordinates *coordinates, int points)
{
    double side = 0;
    *frame = (struct frame){.scale = 0};
    for (int d = 0; d < coordinates->dim; d++) {
        double low = DBL_MAX;
        double high = -DBL_MAX;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
        for (int p = 0; p < points; p++) {
            double x = coordinate(coordinates, p, d);
            if (isfinite(x)) {
                low = x < low ? x : low;
                high = x > high ? x : high;
            }
        }
        if (low <= high) {
            frame->middle[d] = low / 2 + high / 2;
            side = fmax(side, high / 2 - low / 2);
        }
    }
    if (side > 0 && isfinite(1 / side)) {
        frame->scale = 1 / side;
    }
    set_turn(frame->turn, coordinates->dim);
}

/* The coordinates of points, and the maps through which elements reach them. */
struct centring {
    int maps;
    const struct plan_map *map;
    int target;
    int dim;
    int (*at)[3]; /* [points] in the turned box, times PLACE_UNIT: within 31 bits */
};

static void place_point(int at[3], const struct plan_coordinates *coordinates,
                        const struct frame *frame, int p)
{
    double x[3] = {0, 0, 0};
    for (int d = 0; d < coordinates->dim; d++) {
        double given = coordinate(coordinates, p, d);
        x[d] = isfinite(given) ? (given / 2 - frame->middle[d] / 2) * frame->scale * 2 : 0;
    }
    for (int d = 0; d < 3; d++) {
        const double *turn = frame->turn[d];
        at[d] = (int)((turn[0] * x[0] + turn[1] * x[1] + turn[2] * x[2]) * PLACE_UNIT);
    }
}

static int place_points(struct centring *centring, const struct plan_coordinates *coordinates,
                        int points, char *error)
{
    struct frame frame;
    centring->at =
        planner_memory((size_t)points, sizeof *centring->at, "the places of points", error);
    if (centring->at == NULL) {
        return -1;
    }
    find_frame(&frame, coordinates, points);
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        place_point(centring->at[p], coordinates, &frame, p);
    }
    return 0;
}

/* 1 when there are centres, 0 when no map leads to the coordinates, -1 without memory. */
static int set_centring(struct centring *centring, int maps, const struct plan_map *map,
                        const struct plan_coordinates *coordinates, char *error)
{
    int points = -1;
    if (coordinates == NULL || coordinates->at == NULL || coordinates->dim < 2 ||
        coordinates->dim > 3) {
        return 0;
    }
    for (int m = 0; m < maps; m++) {
        if (map[m].target == coordinates->target && map[m].columns > 0) {
            points = map[m].points;
        }
    }
    if (points < 0) {
        return 0;
    }
    *centring = (struct centring){maps, map, coordinates->target, coordinates->dim, NULL};
    return place_points(centring, coordinates, points, error) == 0 ? 1 : -1;
}

/* The centre of element e of the user's, times PLACE_UNIT. */
static void centre_of(double centre[3], const struct centring *centring, int e)
{
    int64_t sum[3] = {0, 0, 0};
    int points = 0;
    for (int m = 0; m < centring->maps; m++) {
        const struct plan_map *map = &centring->map[m];
        if (map->target != centring->target) {
            continue;
        }
        const int *row = map->row + (size_t)e * (size_t)map->dim;
        for (int k = 0; k < map->columns; k++) {
            const int *at = centring->at[row[map->column[k]]];
            sum[0] += at[0];
            sum[1] += at[1];
            sum[2] += at[2];
        }
        points += map->columns;
    }
    double part = 1.0 / points;
    for (int d = 0; d < 3; d++) {
        centre[d] = (double)sum[d] * part;
    }
}

/* Prefetches points this many elements ahead: numberings may be random. */
#define AHEAD 16

/* Inlined by force: compilers drop calls of functions that only fetch. */
__attribute__((always_inline)) static inline void fetch_points(const struct centring *centring,
                                                               int e)
{
    for (int m = 0; m < centring->maps; m++) {
        const struct plan_map *map = &centring->map[m];
        if (map->target == centring->target) {
            const int *row = map->row + (size_t)e * (size_t)map->dim;
            for (int k = 0; k < map->columns; k++) {
                __builtin_prefetch(centring->at[row[map->column[k]]]);
            }
        }
    }
}

int planner_mesh_centres(float **centre, const struct plan_mesh *mesh, int maps,
                         const struct plan_map *map, const struct plan_coordinates *coordinates,
                         char error[PLANNER_ERROR])
{
    struct centring centring;
    *centre = NULL;
    int found = set_centring(&centring, maps, map, coordinates, error);
    if (found != 1) {
        return found;
    }
    int dim = centring.dim;
    float *made = planner_memory((size_t)mesh->elements * (size_t)dim, sizeof *made,
                                 "the centres of elements", error);
#pragma omp parallel for schedule(static) if (made != NULL)
    for (int i = 0; i < (made != NULL ? mesh->elements : 0); i++) {
        double at[3];
        centre_of(at, &centring, mesh->user != NULL ? mesh->user[i] : i);
        for (int d = 0; d < dim; d++) {
            made[(size_t)i * (size_t)dim + (size_t)d] = (float)(at[d] / PLACE_UNIT);
        }
    }
    free(centring.at);
    *centre = made;
    return made != NULL ? 0 : -1;
}

int planner_mesh_places(struct place **place, const struct plan_mesh *mesh, int maps,
                        const struct plan_map *map, const struct plan_coordinates *coordinates,
                        char error[PLANNER_ERROR])
{
    struct centring centring;
    *place = NULL;
    int found = set_centring(&centring, maps, map, coordinates, error);
    if (found != 1) {
        return found;
    }
    struct place *made =
        planner_memory((size_t)mesh->elements, sizeof *made, "the places of elements", error);
#pragma omp parallel for schedule(static) if (made != NULL)
    for (int i = 0; i < (made != NULL ? mesh->elements : 0); i++) {
        double at[3];
        if (i < mesh->elements - AHEAD) {
            fetch_points(&centring, mesh->user != NULL ? mesh->user[i + AHEAD] : i + AHEAD);
        }
        centre_of(at, &centring, mesh->user != NULL ? mesh->user[i] : i);
        made[i] = (struct place){{(int)at[0], (int)at[1], (int)at[2]}, i};
    }
    free(centring.at);
    *place = made;
    return made != NULL ? 0 : -1;
}

int planner_mesh_places_of_points(struct place **place, const struct plan_coordinates *coordinates,
                                  int points, char error[PLANNER_ERROR])
{
    struct frame frame;
    struct place *made =
        planner_memory((size_t)points, sizeof *made, "the places of points", error);
    *place = made;
    if (made == NULL) {
        return -1;
    }
    find_frame(&frame, coordinates, points);
#pragma omp parallel for schedule(static)
    for (int p = 0; p < points; p++) {
        place_point(made[p].at, coordinates, &frame, p);
        made[p].element = p;
    }
    return 0;
}

static float largest_size(const float *centre, size_t count)
{
    float size = 0;
#pragma omp parallel for schedule(static) reduction(max : size)
    for (size_t i = 0; i < count; i++) {
        float x = fabsf(centre[i]);
        size = isfinite(x) && x > size ? x : size;
    }
    return size;
}

int planner_mesh_places_of_centres(struct place **place, int elements, const float *centre, int dim,
                                   char error[PLANNER_ERROR])
{
    *place = planner_memory((size_t)elements, sizeof **place, "the places of elements", error);
    if (*place == NULL) {
        return -1;
    }
    float size = largest_size(centre, (size_t)elements * (size_t)dim);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < elements; i++) {
        (*place)[i] = (struct place){.element = i};
        for (int d = 0; d < dim; d++) {
            float x = centre[(size_t)i * (size_t)dim + (size_t)d] / size;
            (*place)[i].at[d] = isfinite(x) ? (int)((double)x * PLACE_UNIT) : 0;
        }
    }
    return 0;
}
