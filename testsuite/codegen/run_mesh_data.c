/* run_mesh_data.c: see run_mesh.h. All values are whole numbers or halves, so that any order of additions gives the same
 * bits. */
#include <string.h>

#include "testsuite/codegen/run_mesh.h"

int pedge[2 * EDGES], pecell[2 * EDGES], pcell[4 * CELLS];

struct data data;

double step = 0.5, gam = 2.0;
int on = 1, renumbered, one_thread;

int edge_number[EDGES], node_number[NODES];

static void make_numbers(void)
{
    for (int e = 0; e < EDGES; e++) {
        edge_number[e] = (e * 5 + 3) % EDGES; /* EDGES is no multiple of 5 */
    }
    for (int n = 0; n < NODES; n++) {
        node_number[n] = NODES - 1 - n;
    }
}

void make_mesh(void)
{
    make_numbers();
    for (int c = 0; c < CELLS; c++) {
        int corner = c % (SIDE - 1) + c / (SIDE - 1) * SIDE;
        int corners[4] = {corner, corner + 1, corner + SIDE + 1, corner + SIDE};
        memcpy(&pcell[4 * c], corners, sizeof corners);
    }
    for (int e = 0; e < EDGES; e++) { /* some name one cell twice */
        int c = e / 2;
        pedge[2 * e] = pcell[4 * c + 1];
        pedge[2 * e + 1] = pcell[4 * c + (e % 2 ? 2 : 0)];
        pecell[2 * e] = c;
        pecell[2 * e + 1] = e % 2 ? (c + 1) % CELLS : e % 5 ? (c + SIDE - 1) % CELLS : c;
    }
}

void make_data(struct data *d)
{
    memset(d, 0, sizeof *d);
    for (int n = 0; n < 2 * NODES; n++) {
        d->x[n] = n * 7 % 11;
        d->node[n] = n % 5;
    }
    for (int c = 0; c < 4 * CELLS; c++) {
        d->q[c] = c * 3 % 7 - 3;
        d->qold[c] = c % 9;
        d->res[c] = c % 4;
    }
    for (int c = 0; c < CELLS; c++) {
        d->adt[c] = c % 3;
    }
    for (int e = 0; e < EDGES; e++) {
        d->w[e] = e % 6;
    }
    d->rms = 1.0;
    d->high = 3.0;
    d->low = 2.0;
    d->sum = 4;
}
