/* dg.c: advection by a discontinuous Galerkin method on elements of DG_NP nodes with four faces each, as 3-D codes
 * write it: reference matrices behind global pointers, which op_decl_const declares when their size is known, and
 * kernels of many small products of matrices. dg CELLS STEPS; prints sums of the fields after each step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "op_seq.h"

#define DG_NP 10
#define DG_NPF 6
#define DG_FACES 4

/* Row-major, of DG_NP columns unless said otherwise. */
static double *dg_Dr, *dg_Ds;
static double *dg_MM;
double *dg_invMM;
double *dg_LIFT;    /* DG_NP rows of DG_FACES * DG_NPF */
double *dg_weights; /* [DG_NP] */
int *dg_FMASK;      /* [DG_FACES * DG_NPF] nodes of each face */
int *dg_reverse;    /* [DG_NPF] a face's nodes as its other element counts them */
static double dt;

static void matvec(const double *A, const double *x, double *y, double alpha, double beta)
{
    for (int i = 0; i < DG_NP; i++) {
        double sum = 0.0;
        for (int j = 0; j < DG_NP; j++)
            sum += A[i * DG_NP + j] * x[j];
        y[i] = alpha * sum + (beta == 0.0 ? 0.0 : beta * y[i]);
    }
}

static void geometry(const double *size, double *rx, double *sx, double *detJ, double *fscale)
{
    for (int i = 0; i < DG_NP; i++) {
        rx[i] = 1.0 / *size;
        sx[i] = 0.5 / *size;
    }
    *detJ = *size * *size;
    for (int f = 0; f < DG_FACES; f++)
        fscale[f] = (f + 1) / *size;
}

static void grad(const double *q, const double *rx, const double *sx, double *dqdx, double *dqdy)
{
    double qr[DG_NP], qs[DG_NP];
    matvec(dg_Dr, q, qr, 1.0, 0.0);
    matvec(dg_Ds, q, qs, 1.0, 0.0);
    for (int i = 0; i < DG_NP; i++) {
        dqdx[i] = rx[i] * qr[i] + sx[i] * qs[i];
        dqdy[i] = sx[i] * qr[i] - rx[i] * qs[i];
    }
}

static void volume(const double *u, const double *dqdx, const double *dqdy, double *rhs)
{
    for (int i = 0; i < DG_NP; i++)
        rhs[i] = -(u[0] * dqdx[i] + u[1] * dqdy[i]);
}

/* The upwind flux of a face goes to both of its elements, to the nodes that FMASK names there. */
static void face_flux(const int *number, const double **q, const double **u, double **flux)
{
    const int *left = dg_FMASK + number[0] * DG_NPF;
    const int *right = &dg_FMASK[number[1] * DG_NPF];
    double speed = 0.5 * (u[0][0] + u[1][0]) + 0.25 * (u[0][1] + u[1][1]);
    for (int i = 0; i < DG_NPF; i++) {
        double ql = q[0][left[i]], qr = q[1][right[dg_reverse[i]]];
        double jump = 0.5 * (speed - fabs(speed)) * (ql - qr);
        flux[0][number[0] * DG_NPF + i] += jump;
        flux[1][number[1] * DG_NPF + dg_reverse[i]] -= jump;
    }
}

static void lift(const double *fscale, double *flux, double *rhs)
{
    double scaled[DG_FACES * DG_NPF];
    for (int i = 0; i < DG_FACES * DG_NPF; i++) {
        scaled[i] = flux[i] * fscale[i / DG_NPF];
        flux[i] = 0.0;
    }
    for (int i = 0; i < DG_NP; i++) {
        const double *row = dg_LIFT + i * DG_FACES * DG_NPF;
        for (int j = 0; j < DG_FACES * DG_NPF; j++)
            rhs[i] += row[j] * scaled[j];
    }
}

static void mass(const double *detJ, const double *q, double *mq)
{
    matvec(dg_MM, q, mq, *detJ, 0.0);
}

static void inverse_mass(const double *detJ, double *q)
{
    double tmp[DG_NP];
    matvec(dg_invMM, q, tmp, 1.0 / *detJ, 0.0);
    for (int i = 0; i < DG_NP; i++)
        q[i] = tmp[i];
}

static void rk_stage(const double *rhs, const double *factor, double *q)
{
    for (int i = 0; i < DG_NP; i++)
        q[i] += dt * *factor * rhs[i];
}

static void norms(const double *detJ, const double *q, double *integral, double *largest)
{
    double mean = 0.0;
    for (int i = 0; i < DG_NP; i++) {
        mean += dg_weights[i] * q[i];
        *largest = fmax(*largest, fabs(q[i]));
    }
    *integral += *detJ * mean;
}

static double *matrix(int rows, int columns, double diagonal, int seed)
{
    double *a = (double *)malloc(sizeof(double) * (size_t)(rows * columns));
    for (int k = 0; k < rows * columns; k++)
        a[k] = (k / columns == k % columns ? diagonal : 0.0) + 0.02 * ((k * seed) % 11 - 5);
    return a;
}

static void make_reference_element(void)
{
    dg_Dr = matrix(DG_NP, DG_NP, 0.5, 3);
    dg_Ds = matrix(DG_NP, DG_NP, -0.5, 5);
    dg_MM = matrix(DG_NP, DG_NP, 1.0, 7);
    dg_invMM = matrix(DG_NP, DG_NP, 1.0, 4);
    dg_LIFT = matrix(DG_NP, DG_FACES * DG_NPF, 0.2, 6);
    dg_weights = matrix(1, DG_NP, 0.1, 2);
    dg_FMASK = (int *)malloc(sizeof(int) * DG_FACES * DG_NPF);
    dg_reverse = (int *)malloc(sizeof(int) * DG_NPF);
    for (int i = 0; i < DG_FACES * DG_NPF; i++)
        dg_FMASK[i] = (i / DG_NPF * 3 + i % DG_NPF) % DG_NP;
    for (int i = 0; i < DG_NPF; i++)
        dg_reverse[i] = DG_NPF - 1 - i;
    op_decl_const(DG_NP * DG_NP, "double", dg_Dr);
    op_decl_const(DG_NP * DG_NP, "double", dg_Ds);
    op_decl_const(DG_NP * DG_NP, "double", dg_MM);
    op_decl_const(DG_NP * DG_NP, "double", dg_invMM);
    op_decl_const(DG_NP * DG_FACES * DG_NPF, "double", dg_LIFT);
    op_decl_const(DG_NP, "double", dg_weights);
    op_decl_const(DG_FACES * DG_NPF, "int", dg_FMASK);
    op_decl_const(DG_NPF, "int", dg_reverse);
}

/* Cells in a ring, each with two neighbours on either side. */
static void connect(int cells, int *face2cells, int *numbers, double *q, double *u, double *size)
{
    for (int c = 0; c < cells; c++) {
        for (int s = 0; s < 2; s++) {
            face2cells[4 * c + 2 * s] = c;
            face2cells[4 * c + 2 * s + 1] = (c + 1 + s) % cells;
            numbers[4 * c + 2 * s] = s;
            numbers[4 * c + 2 * s + 1] = 2 + s;
        }
        for (int i = 0; i < DG_NP; i++)
            q[c * DG_NP + i] = sin(0.3 * c + 0.1 * i);
        u[2 * c] = cos(0.2 * c);
        u[2 * c + 1] = 0.5;
        size[c] = 1.0 + 0.1 * (c % 5);
    }
}

int main(int argc, char **argv)
{
    int cells_size = argc > 1 ? atoi(argv[1]) : 50, steps = argc > 2 ? atoi(argv[2]) : 3;
    int *face2cells = (int *)malloc(sizeof(int) * 4 * (size_t)cells_size);
    int *numbers = (int *)malloc(sizeof(int) * 4 * (size_t)cells_size);
    double *q = (double *)malloc(sizeof(double) * DG_NP * (size_t)cells_size);
    double *u = (double *)malloc(sizeof(double) * 2 * (size_t)cells_size);
    double *size = (double *)malloc(sizeof(double) * (size_t)cells_size);
    const double factors[3] = {1.0 / 3.0, 0.5, 1.0};
    connect(cells_size, face2cells, numbers, q, u, size);

    op_init(argc, argv, 0);
    op_set cells = op_decl_set(cells_size, "cells"), faces = op_decl_set(2 * cells_size, "faces");
    op_map face_cells = op_decl_map(faces, cells, 2, face2cells, "face_cells");
    op_dat p_q = op_decl_dat(cells, DG_NP, "double", q, "q");
    op_dat p_u = op_decl_dat(cells, 2, "double", u, "u");
    op_dat p_size = op_decl_dat(cells, 1, "double", size, "size");
    op_dat p_number = op_decl_dat(faces, 2, "int", numbers, "number");
    op_dat p_rx = op_decl_dat(cells, DG_NP, "double", (double *)NULL, "rx");
    op_dat p_sx = op_decl_dat(cells, DG_NP, "double", (double *)NULL, "sx");
    op_dat p_x = op_decl_dat(cells, DG_NP, "double", (double *)NULL, "dqdx");
    op_dat p_y = op_decl_dat(cells, DG_NP, "double", (double *)NULL, "dqdy");
    op_dat p_rhs = op_decl_dat(cells, DG_NP, "double", (double *)NULL, "rhs");
    op_dat p_detj = op_decl_dat(cells, 1, "double", (double *)NULL, "detJ");
    op_dat p_fscale = op_decl_dat(cells, DG_FACES, "double", (double *)NULL, "fscale");
    op_dat p_flux = op_decl_dat(cells, DG_FACES * DG_NPF, "double", (double *)NULL, "flux");
    make_reference_element();
    dt = 0.01;
    op_decl_const(1, "double", &dt);

    op_par_loop(geometry, "geometry", cells, op_arg_dat(p_size, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_rx, -1, OP_ID, DG_NP, "double", OP_WRITE),
                op_arg_dat(p_sx, -1, OP_ID, DG_NP, "double", OP_WRITE),
                op_arg_dat(p_detj, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(p_fscale, -1, OP_ID, DG_FACES, "double", OP_WRITE));
    for (int step = 0; step < steps; step++) {
        double integral = 0.0, largest = 0.0;
        for (int stage = 0; stage < 3; stage++) {
            double factor = factors[stage];
            op_par_loop(grad, "grad", cells, op_arg_dat(p_q, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_rx, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_sx, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_x, -1, OP_ID, DG_NP, "double", OP_WRITE),
                        op_arg_dat(p_y, -1, OP_ID, DG_NP, "double", OP_WRITE));
            op_par_loop(volume, "volume", cells, op_arg_dat(p_u, -1, OP_ID, 2, "double", OP_READ),
                        op_arg_dat(p_x, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_y, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_rhs, -1, OP_ID, DG_NP, "double", OP_WRITE));
            op_par_loop(face_flux, "face_flux", faces,
                        op_arg_dat(p_number, -1, OP_ID, 2, "int", OP_READ),
                        op_arg_dat(p_q, -2, face_cells, DG_NP, "double", OP_READ),
                        op_arg_dat(p_u, -2, face_cells, 2, "double", OP_READ),
                        op_arg_dat(p_flux, -2, face_cells, DG_FACES * DG_NPF, "double", OP_RW));
            op_par_loop(lift, "lift", cells,
                        op_arg_dat(p_fscale, -1, OP_ID, DG_FACES, "double", OP_READ),
                        op_arg_dat(p_flux, -1, OP_ID, DG_FACES * DG_NPF, "double", OP_RW),
                        op_arg_dat(p_rhs, -1, OP_ID, DG_NP, "double", OP_RW));
            op_par_loop(mass, "mass", cells, op_arg_dat(p_detj, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_dat(p_rhs, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_dat(p_x, -1, OP_ID, DG_NP, "double", OP_WRITE));
            op_par_loop(inverse_mass, "inverse_mass", cells,
                        op_arg_dat(p_detj, -1, OP_ID, 1, "double", OP_READ),
                        op_arg_dat(p_x, -1, OP_ID, DG_NP, "double", OP_RW));
            op_par_loop(rk_stage, "rk_stage", cells,
                        op_arg_dat(p_x, -1, OP_ID, DG_NP, "double", OP_READ),
                        op_arg_gbl(&factor, 1, "double", OP_READ),
                        op_arg_dat(p_q, -1, OP_ID, DG_NP, "double", OP_RW));
        }
        op_par_loop(norms, "norms", cells, op_arg_dat(p_detj, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(p_q, -1, OP_ID, DG_NP, "double", OP_READ),
                    op_arg_gbl(&integral, 1, "double", OP_INC),
                    op_arg_gbl(&largest, 1, "double", OP_MAX));
        printf("step %d integral %.12e largest %.12e\n", step, integral, largest);
        /* Another operator from here on, and a table of another size at another address. */
        dg_Dr[step] *= 1.5;
        op_decl_const(DG_NP * DG_NP, "double", dg_Dr);
        dg_weights = (double *)realloc(dg_weights, sizeof(double) * (size_t)(DG_NP + step + 1));
        dg_weights[DG_NP + step] = 0.0;
        op_decl_const(DG_NP + step + 1, "double", dg_weights);
    }
    op_exit();
    free(face2cells);
    free(numbers);
    free(q);
    free(u);
    free(size);
    free(dg_Dr);
    free(dg_Ds);
    free(dg_MM);
    free(dg_invMM);
    free(dg_LIFT);
    free(dg_weights);
    free(dg_FMASK);
    free(dg_reverse);
    return 0;
}
