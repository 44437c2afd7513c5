/* fields.c: mesh and fields of the hydra example (fields.h). */
#include "fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static const double PI = 3.14159265358979323846;

/* ---- fields ---------------------------------------------------------------------------------- */

/* Values of modes 0 and 1: constant + along . point. */
static const double constant[2][NVAR] = {{1.0 / 1.4, 0.5, 0.1, -0.2, 1.0 / 1.4, 1e-3},
                                         {1.0 / 1.4, 0.5, 0.1, -0.2, 1.0 / 1.4, 1e-3}};
static const double along[2][NVAR][3] = {{{0.0}},
                                         {{0.1, -0.05, 0.02},
                                          {0.0, 0.1, 0.05},
                                          {-0.1, 0.0, 0.0},
                                          {0.07, 0.03, 0.0},
                                          {0.03, 0.0, 0.02},
                                          {1e-3, 0.0, 0.0}}};

void hydra_field(int mode, const double *point, double *w)
{
    const double x = point[0], y = point[1], z = point[2];
    if (mode < 2) {
        for (int k = 0; k < NVAR; k++) {
            const double *slope = along[mode][k];
            w[k] = constant[mode][k] + slope[0] * x + slope[1] * y + slope[2] * z;
        }
        return;
    }
    w[0] = 1.0 / 1.4 * (1.0 + 0.1 * sin(2.0 * PI * x) * cos(PI * y));
    w[1] = 0.5 + 0.1 * cos(PI * x) * sin(2.0 * PI * z);
    w[2] = 0.1 * sin(PI * y);
    w[3] = -0.1 * cos(2.0 * PI * x * y);
    w[4] = 1.0 / 1.4 * (1.0 + 0.05 * cos(PI * z));
    w[5] = 1e-3 * (1.0 + 0.5 * sin(PI * x) * sin(PI * y));
}

void hydra_gradient(int mode, double *gradient)
{
    memcpy(gradient, along[mode], 3 * NVAR * sizeof *gradient);
}

void hydra_conserved(const double *w, double *q)
{
    q[0] = w[0] / w[4];
    q[1] = q[0] * w[1];
    q[2] = q[0] * w[2];
    q[3] = q[0] * w[3];
    q[4] = w[0] / gm1 + 0.5 * q[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    q[5] = q[0] * w[5];
}

static void make_fields(struct hydra_mesh *mesh, int mode)
{
    for (size_t v = 0; v < (size_t)mesh->box.nodes; v++) {
        double w[NVAR];
        hydra_field(mode, &mesh->box.x[3 * v], w);
        hydra_conserved(w, &mesh->q[NVAR * v]);
        mesh->wall[v] = mesh->box.x[3 * v + 2];
    }
}

/* ---- mesh ------------------------------------------------------------------------------------ */

/* The boundary stays where it is. */
static void deform(struct tet_box *box)
{
    for (size_t v = 0; v < (size_t)box->nodes; v++) {
        double *x = &box->x[3 * v];
        const double bump = sin(PI * x[0]) * sin(PI * x[1]) * sin(PI * x[2]);
        x[0] += 0.05 * bump;
        x[1] += 0.04 * bump;
        x[2] -= 0.03 * bump;
    }
}

static int box_make(struct tet_box *box, int n)
{
    const int cubes[3] = {n, n, n};
    int status = tet_box_nodes(box, cubes);
    if (status == 0) {
        deform(box);
        status = tet_box_edges(box);
    }
    if (status == 0) {
        status = tet_box_triangles(box);
    }
    return status != 0 ? status : tet_box_boundary(box);
}

static int allocate(struct hydra_mesh *mesh)
{
    const size_t nodes = (size_t)mesh->box.nodes;
    mesh->degree = (int *)calloc(nodes, sizeof *mesh->degree);
    mesh->flag = (int *)calloc(nodes, sizeof *mesh->flag);
    mesh->boundary_kind =
        (int *)malloc((size_t)mesh->box.boundary_nodes * sizeof *mesh->boundary_kind);
    mesh->inverse_length = (double *)calloc(nodes, sizeof *mesh->inverse_length);
    mesh->wall = (double *)malloc(nodes * sizeof *mesh->wall);
    mesh->q = (double *)malloc(NVAR * nodes * sizeof *mesh->q);
    return mesh->degree != NULL && mesh->flag != NULL && mesh->boundary_kind != NULL &&
           mesh->inverse_length != NULL && mesh->wall != NULL && mesh->q != NULL;
}

static void make_lengths(struct hydra_mesh *mesh)
{
    const struct tet_box *box = &mesh->box;
    for (size_t e = 0; e < (size_t)box->edges; e++) {
        const int from = box->edge[2 * e], to = box->edge[2 * e + 1];
        const double *a = &box->x[3 * (size_t)from], *b = &box->x[3 * (size_t)to];
        const double difference[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double inverse = 1.0 / norm3(difference);
        mesh->degree[from]++;
        mesh->degree[to]++;
        mesh->inverse_length[from] += inverse;
        mesh->inverse_length[to] += inverse;
    }
}

/* A node on the wall and on another side belongs to the wall: nothing flows there. */
static void make_kinds(struct hydra_mesh *mesh)
{
    const struct tet_box *box = &mesh->box;
    for (int b = 0; b < box->boundary_nodes; b++) {
        int *flag = &mesh->flag[box->boundary_node[b]];
        if (*flag != VISCOUS_WALL) {
            *flag = box->side[b] == TET_BOX_Z_LOW ? VISCOUS_WALL : FAR_FIELD;
        }
    }
    for (int b = 0; b < box->boundary_nodes; b++) {
        mesh->boundary_kind[b] = mesh->flag[box->boundary_node[b]];
    }
}

int hydra_mesh_make(struct hydra_mesh *mesh, int n, int mode)
{
    memset(mesh, 0, sizeof *mesh);
    const int status = box_make(&mesh->box, n);
    if (status != 0) {
        return status;
    }
    if (!allocate(mesh)) {
        fprintf(stderr, "hydra: not enough memory for %d vertices\n", mesh->box.nodes);
        hydra_mesh_free(mesh);
        return 1;
    }
    make_lengths(mesh);
    make_kinds(mesh);
    make_fields(mesh, mode);
    return 0;
}

void hydra_mesh_free(struct hydra_mesh *mesh)
{
    tet_box_free(&mesh->box);
    free(mesh->degree);
    free(mesh->flag);
    free(mesh->boundary_kind);
    free(mesh->inverse_length);
    free(mesh->wall);
    free(mesh->q);
    memset(mesh, 0, sizeof *mesh);
}
