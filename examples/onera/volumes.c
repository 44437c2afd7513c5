/* volumes.c: makes and numbers the mesh of the onera example (volumes.h). */
#include "volumes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/permute.h"
#include "../common/run.h"
#include "../common/tet_box.h"

enum { FACES_OF_VOLUME = 4, COLOURS = 2 * FACES_OF_VOLUME - 1 };

static int *integers(size_t count)
{
    int *value = (int *)malloc((count + 1) * sizeof *value);
    if (value == NULL) {
        run_failed("onera", "not enough memory for %zu numbers", count);
    }
    return value;
}

/* ---- mesh ------------------------------------------------------------------------------------ */

static double pressure_at(const struct tet_box *box, int volume)
{
    double centre[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 4; c++) {
        for (int d = 0; d < 3; d++) {
            centre[d] += 0.25 * box->x[3 * (size_t)box->tet[4 * (size_t)volume + (size_t)c] + d];
        }
    }
    return 1.0 + 0.5 * sin(3.0 * centre[0]) * cos(5.0 * centre[1]) + 0.25 * centre[2];
}

static void fill(struct volumes *mesh, struct tet_box *box)
{
    mesh->volumes = box->tets;
    mesh->faces = box->faces;
    mesh->face = box->face;
    box->face = NULL;
    mesh->number = integers((size_t)mesh->faces);
    mesh->pressure = (double *)malloc((size_t)mesh->volumes * sizeof *mesh->pressure);
    if (mesh->pressure == NULL) {
        run_failed("onera", "not enough memory for %d volumes", mesh->volumes);
    }
    for (int f = 0; f < mesh->faces; f++) {
        mesh->number[f] = f;
    }
    for (int v = 0; v < mesh->volumes; v++) {
        mesh->pressure[v] = pressure_at(box, v);
    }
}

int volumes_make(struct volumes *mesh, int n)
{
    const int cubes[3] = {n, n, n};
    struct tet_box box;
    memset(mesh, 0, sizeof *mesh);
    int status = tet_box_nodes(&box, cubes);
    if (status == 0) {
        status = tet_box_tets(&box);
    }
    if (status == 0) {
        status = tet_box_faces(&box);
    }
    if (status == 0) {
        fill(mesh, &box);
    }
    tet_box_free(&box);
    return status;
}

void volumes_free(struct volumes *mesh)
{
    free(mesh->face);
    free(mesh->number);
    free(mesh->pressure);
    free(mesh->coloured);
    memset(mesh, 0, sizeof *mesh);
}

double volumes_flux(const struct volumes *mesh, int face, int variable)
{
    return (double)((7919LL * mesh->number[face] + 211LL * variable) % 1009 - 504);
}

/* ---- numbering ------------------------------------------------------------------------------- */

static void move_volumes(struct volumes *mesh, const int *to)
{
    permute_rows(mesh->pressure, mesh->volumes, sizeof *mesh->pressure, to);
    permute_entries(mesh->face, 2 * (size_t)mesh->faces, to);
}

static void move_faces(struct volumes *mesh, const int *to)
{
    permute_rows(mesh->face, mesh->faces, 2 * sizeof *mesh->face, to);
    permute_rows(mesh->number, mesh->faces, sizeof *mesh->number, to);
}

void volumes_shuffle(struct volumes *mesh, int seed)
{
    int *volume = permutation_new(mesh->volumes, seed);
    int *face = permutation_new(mesh->faces, seed + 1);
    move_volumes(mesh, volume);
    move_faces(mesh, face);
    free(volume);
    free(face);
}

/* The neighbours of each volume: [4*volumes], -1 where there are fewer. */
static int *neighbours_of(const struct volumes *mesh)
{
    int *neighbour = integers(FACES_OF_VOLUME * (size_t)mesh->volumes);
    memset(neighbour, -1, FACES_OF_VOLUME * (size_t)mesh->volumes * sizeof *neighbour);
    for (size_t i = 0; i < 2 * (size_t)mesh->faces; i++) {
        int *slot = &neighbour[FACES_OF_VOLUME * (size_t)mesh->face[i]];
        while (*slot >= 0) {
            slot++;
        }
        *slot = mesh->face[i ^ 1];
    }
    return neighbour;
}

static int degree(const int *neighbour, int volume)
{
    int count = 0;
    while (count < FACES_OF_VOLUME &&
           neighbour[FACES_OF_VOLUME * (size_t)volume + (size_t)count] >= 0) {
        count++;
    }
    return count;
}

/* Appends the neighbours of a volume that have no place yet, those with fewer neighbours first. */
static int append_neighbours(const int *neighbour, int volume, int *place, int *queue, int count)
{
    for (int faces = 1; faces <= FACES_OF_VOLUME; faces++) {
        for (int i = 0; i < degree(neighbour, volume); i++) {
            const int next = neighbour[FACES_OF_VOLUME * (size_t)volume + (size_t)i];
            if (place[next] < 0 && degree(neighbour, next) == faces) {
                place[next] = count;
                queue[count++] = next;
            }
        }
    }
    return count;
}

/* The new number of each volume in Cuthill and McKee's order, reversed: a breadth-first walk from
 * the first volume that has the fewest neighbours. All volumes of a box are reached from any. */
static int *cuthill_mckee(const struct volumes *mesh)
{
    int *neighbour = neighbours_of(mesh);
    int *place = integers((size_t)mesh->volumes);
    int *queue = integers((size_t)mesh->volumes);
    int start = 0, count = 1;
    memset(place, -1, (size_t)mesh->volumes * sizeof *place);
    for (int v = 1; v < mesh->volumes; v++) {
        start = degree(neighbour, v) < degree(neighbour, start) ? v : start;
    }
    place[start] = 0;
    queue[0] = start;
    for (int done = 0; done < count; done++) {
        count = append_neighbours(neighbour, queue[done], place, queue, count);
    }
    for (int v = 0; v < mesh->volumes; v++) {
        place[v] = mesh->volumes - 1 - place[v];
    }
    free(neighbour);
    free(queue);
    return place;
}

struct keyed_face {
    int low;
    int high;
    int face;
};

static int by_volumes(const void *one, const void *two)
{
    const struct keyed_face *a = (const struct keyed_face *)one;
    const struct keyed_face *b = (const struct keyed_face *)two;
    return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                            : (a->high > b->high) - (a->high < b->high);
}

static int *faces_by_volumes(const struct volumes *mesh)
{
    const size_t faces = (size_t)mesh->faces;
    struct keyed_face *key = (struct keyed_face *)malloc((faces + 1) * sizeof *key);
    int *to = integers(faces);
    if (key == NULL) {
        run_failed("onera", "not enough memory for %zu faces", faces);
    }
    for (size_t f = 0; f < faces; f++) {
        const int a = mesh->face[2 * f], b = mesh->face[2 * f + 1];
        key[f].low = a < b ? a : b;
        key[f].high = a < b ? b : a;
        key[f].face = (int)f;
    }
    qsort(key, faces, sizeof *key, by_volumes);
    for (size_t f = 0; f < faces; f++) {
        to[key[f].face] = (int)f;
    }
    free(key);
    return to;
}

void volumes_renumber(struct volumes *mesh)
{
    int *volume = cuthill_mckee(mesh);
    move_volumes(mesh, volume);
    int *face = faces_by_volumes(mesh);
    move_faces(mesh, face);
    free(volume);
    free(face);
}

/* ---- colours --------------------------------------------------------------------------------- */

/* The colour of each face. At most 7 are needed: a face meets three others at either volume. */
static int *first_fit(const struct volumes *mesh)
{
    unsigned char *taken = (unsigned char *)calloc((size_t)mesh->volumes, sizeof *taken);
    int *colour = integers((size_t)mesh->faces);
    if (taken == NULL) {
        run_failed("onera", "not enough memory for %d volumes", mesh->volumes);
    }
    for (size_t f = 0; f < (size_t)mesh->faces; f++) {
        unsigned char *owner = &taken[mesh->face[2 * f]], *other = &taken[mesh->face[2 * f + 1]];
        int first = 0;
        while ((*owner | *other) >> first & 1) {
            first++;
        }
        *owner = (unsigned char)(*owner | 1 << first);
        *other = (unsigned char)(*other | 1 << first);
        colour[f] = first;
    }
    free(taken);
    return colour;
}

void volumes_colour(struct volumes *mesh)
{
    int *colour = first_fit(mesh), next[COLOURS] = {0};
    mesh->coloured = integers(COLOURS);
    memset(mesh->coloured, 0, COLOURS * sizeof *mesh->coloured);
    for (int f = 0; f < mesh->faces; f++) {
        mesh->coloured[colour[f]]++;
    }
    for (int c = 0; c < COLOURS; c++) {
        mesh->colours += mesh->coloured[c] > 0;
        next[c] = c == 0 ? 0 : next[c - 1] + mesh->coloured[c - 1];
    }
    for (int f = 0; f < mesh->faces; f++) {
        colour[f] = next[colour[f]]++;
    }
    move_faces(mesh, colour);
    free(colour);
}
