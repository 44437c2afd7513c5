/* mesh_file.c: reads and writes OP2's text format for airfoil meshes (new_grid.dat).
 *
 * The file is read whole and taken apart number by number; line breaks count as spaces, as in
 * OP2's own reader, but are counted so that a damaged file is reported by line. Every index is
 * checked against the sizes in the first line.
 */
#include "mesh.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *file;
    char *text; /* the whole file and a final NUL */
    size_t size;
    const char *next;
    int line;
};

/* What is being read, for messages: "edge 17", or "the sizes" when number is negative. */
struct item {
    const char *what;
    int number;
};

static int fail(const struct reader *reader, struct item item, const char *cause)
{
    if (item.number >= 0) {
        fprintf(stderr, "airfoil: %s:%d: %s %d: %s\n", reader->file, reader->line, item.what,
                item.number, cause);
    } else {
        fprintf(stderr, "airfoil: %s:%d: %s: %s\n", reader->file, reader->line, item.what, cause);
    }
    return -1;
}

static int fail_system(const char *file, const char *action)
{
    fprintf(stderr, "airfoil: cannot %s mesh file '%s': %s\n", action, file,
            errno != 0 ? strerror(errno) : "input or output error");
    return -1;
}

/* Reads the whole file into reader->text. */
static int load(struct reader *reader, FILE *in)
{
    size_t capacity = 1 << 16;
    reader->text = (char *)malloc(capacity);
    while (reader->text != NULL) {
        reader->size += fread(reader->text + reader->size, 1, capacity - reader->size - 1, in);
        if (reader->size < capacity - 1) {
            reader->text[reader->size] = '\0';
            return ferror(in) ? fail_system(reader->file, "read") : 0;
        }
        char *larger = (char *)realloc(reader->text, 2 * capacity);
        if (larger == NULL) {
            free(reader->text);
        }
        reader->text = larger;
        capacity *= 2;
    }
    fprintf(stderr, "airfoil: not enough memory to read mesh file '%s'\n", reader->file);
    return -1;
}

/* Goes to the next number. Returns -1 at the end of the file. */
static int skip_space(struct reader *reader)
{
    while (*reader->next == ' ' || *reader->next == '\t' || *reader->next == '\r' ||
           *reader->next == '\n') {
        reader->line += *reader->next == '\n';
        reader->next++;
    }
    return reader->next == reader->text + reader->size ? -1 : 0;
}

static int at_end_of_number(const char *text)
{
    return *text == '\0' || *text == ' ' || *text == '\t' || *text == '\r' || *text == '\n';
}

static int bad_number(const struct reader *reader, struct item item, const char *expected)
{
    char cause[80];
    int length = 0;
    while (length < 24 && reader->next[length] > ' ' && reader->next[length] <= '~') {
        length++;
    }
    if (length > 0) {
        snprintf(cause, sizeof cause, "expected %s, found '%.*s'", expected, length, reader->next);
    } else {
        snprintf(cause, sizeof cause, "expected %s, found byte 0x%02x", expected,
                 (unsigned)(unsigned char)reader->next[0]);
    }
    return fail(reader, item, cause);
}

/* Reads an integer in low..high; `role` says what it is ("node", "cell", "kind"). */
static int read_index(struct reader *reader, struct item item, const char *role, int low, int high,
                      int *value)
{
    if (skip_space(reader) != 0) {
        return fail(reader, item, "the file ends here");
    }
    char *end;
    errno = 0;
    const long number = strtol(reader->next, &end, 10);
    if (end == reader->next || !at_end_of_number(end) || errno != 0) {
        return bad_number(reader, item, "a whole number");
    }
    if (number < low || number > high) {
        char cause[120];
        snprintf(cause, sizeof cause, "%s %ld is outside %d..%d", role, number, low, high);
        return fail(reader, item, cause);
    }
    reader->next = end;
    *value = (int)number;
    return 0;
}

static int read_coordinate(struct reader *reader, struct item item, double *value)
{
    if (skip_space(reader) != 0) {
        return fail(reader, item, "the file ends here");
    }
    char *end;
    const double number = strtod(reader->next, &end);
    if (end == reader->next || !at_end_of_number(end) || !isfinite(number)) {
        return bad_number(reader, item, "a coordinate");
    }
    reader->next = end;
    *value = number;
    return 0;
}

/* Reads the four sizes and compares them with the length of the file, so that a damaged first line
 * does not ask for all memory: every number takes two bytes at least. */
static int read_sizes(struct reader *reader, struct mesh *mesh)
{
    const struct item item = {"sizes (nodes, cells, edges, boundary edges)", -1};
    const int most = MESH_MAX_CELLS;
    if (read_index(reader, item, "number of nodes", 1, 2 * most, &mesh->nnode) != 0 ||
        read_index(reader, item, "number of cells", 1, most, &mesh->ncell) != 0 ||
        read_index(reader, item, "number of edges", 1, 2 * most, &mesh->nedge) != 0 ||
        read_index(reader, item, "number of boundary edges", 1, most, &mesh->nbedge) != 0) {
        return -1;
    }
    const double least =
        2.0 * (2.0 * mesh->nnode + 4.0 * mesh->ncell + 4.0 * mesh->nedge + 4.0 * mesh->nbedge);
    if (least > (double)reader->size) {
        return fail(reader, item, "the file is too short for them");
    }
    return 0;
}

static int read_nodes_and_cells(struct reader *reader, struct mesh *mesh)
{
    for (int n = 0; n < mesh->nnode; n++) {
        const struct item item = {"node", n};
        if (read_coordinate(reader, item, &mesh->x[2 * (size_t)n]) != 0 ||
            read_coordinate(reader, item, &mesh->x[2 * (size_t)n + 1]) != 0) {
            return -1;
        }
    }
    for (int c = 0; c < mesh->ncell; c++) {
        const struct item item = {"cell", c};
        for (int k = 0; k < 4; k++) {
            if (read_index(reader, item, "node", 0, mesh->nnode - 1,
                           &mesh->cell[4 * (size_t)c + k]) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int read_edges(struct reader *reader, struct mesh *mesh)
{
    const int last_node = mesh->nnode - 1;
    const int last_cell = mesh->ncell - 1;
    for (int e = 0; e < mesh->nedge; e++) {
        const struct item item = {"edge", e};
        int *node = mesh->edge + 2 * (size_t)e;
        int *cell = mesh->ecell + 2 * (size_t)e;
        if (read_index(reader, item, "node", 0, last_node, &node[0]) != 0 ||
            read_index(reader, item, "node", 0, last_node, &node[1]) != 0 ||
            read_index(reader, item, "cell", 0, last_cell, &cell[0]) != 0 ||
            read_index(reader, item, "cell", 0, last_cell, &cell[1]) != 0) {
            return -1;
        }
    }
    for (int b = 0; b < mesh->nbedge; b++) {
        const struct item item = {"boundary edge", b};
        int *node = mesh->bedge + 2 * (size_t)b;
        if (read_index(reader, item, "node", 0, last_node, &node[0]) != 0 ||
            read_index(reader, item, "node", 0, last_node, &node[1]) != 0 ||
            read_index(reader, item, "cell", 0, last_cell, &mesh->becell[b]) != 0 ||
            read_index(reader, item, "kind", BOUND_WALL, BOUND_FAR_FIELD, &mesh->bound[b]) != 0) {
            return -1;
        }
    }
    return 0;
}

static int read_all(struct reader *reader, struct mesh *mesh)
{
    if (read_sizes(reader, mesh) != 0 || mesh_allocate(mesh) != 0) {
        return -1;
    }
    if (read_nodes_and_cells(reader, mesh) != 0 || read_edges(reader, mesh) != 0) {
        mesh_free(mesh);
        return -1;
    }
    if (skip_space(reader) == 0) {
        const struct item item = {"after the last boundary edge", -1};
        mesh_free(mesh);
        return bad_number(reader, item, "the end of the file");
    }
    return 0;
}

int mesh_read(struct mesh *mesh, const char *file)
{
    memset(mesh, 0, sizeof *mesh);
    errno = 0;
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        return fail_system(file, "open");
    }
    struct reader reader = {file, NULL, 0, NULL, 1};
    int status = load(&reader, in);
    fclose(in);
    if (status == 0) {
        reader.next = reader.text;
        status = read_all(&reader, mesh);
    }
    free(reader.text);
    return status;
}

static void write_rows(FILE *out, const struct mesh *mesh)
{
    for (size_t n = 0; n < (size_t)mesh->nnode; n++) {
        fprintf(out, "%f %f\n", mesh->x[2 * n], mesh->x[2 * n + 1]);
    }
    for (size_t c = 0; c < (size_t)mesh->ncell; c++) {
        const int *node = mesh->cell + 4 * c;
        fprintf(out, "%d %d %d %d\n", node[0], node[1], node[2], node[3]);
    }
    for (size_t e = 0; e < (size_t)mesh->nedge; e++) {
        fprintf(out, "%d %d %d %d\n", mesh->edge[2 * e], mesh->edge[2 * e + 1], mesh->ecell[2 * e],
                mesh->ecell[2 * e + 1]);
    }
    for (size_t b = 0; b < (size_t)mesh->nbedge; b++) {
        fprintf(out, "%d %d %d %d\n", mesh->bedge[2 * b], mesh->bedge[2 * b + 1], mesh->becell[b],
                mesh->bound[b]);
    }
}

int mesh_write(const struct mesh *mesh, const char *file)
{
    errno = 0;
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        return fail_system(file, "create");
    }
    fprintf(out, "%d %d %d %d\n", mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge);
    write_rows(out, mesh);
    const int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        return fail_system(file, "write");
    }
    return 0;
}
