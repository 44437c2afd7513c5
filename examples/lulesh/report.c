/* report.c: known results, and what the program prints and writes (report.h). */
#include "report.h"

#include <math.h>
#include <stdio.h>

#include "../common/output.h"

/* Results of LULESH 2.0. Sizes 5, 10 and 20 with more digits than it prints were measured with its
 * sequential version; the others, with seven digits, are those of the file RefResults.txt that
 * comes with it. */
static const struct reference REFERENCES[] = {
    {"size=5", "cycles", 72, 0.0, 0.0},
    {"size=5", "e(0)", 7.8536651021458447e3, 1e-9, 0.0},
    {"size=5", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=10", "cycles", 231, 0.0, 0.0},
    {"size=10", "e(0) after 10", 2.5967641955524369e5, 1e-9, 0.0},
    {"size=10", "e(0)", 2.7205311684703469e4, 1e-9, 0.0},
    {"size=10", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=20", "cycles", 575, 0.0, 0.0},
    {"size=20", "e(0) after 50", 6.4838366014940536e5, 1e-9, 0.0},
    {"size=20", "e(0)", 9.668856e4, 1e-7, 0.0},
    {"size=20", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=30", "cycles", 932, 0.0, 0.0},
    {"size=30", "e(0)", 2.025075e5, 3e-7, 0.0},
    {"size=30", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=45", "cycles", 1477, 0.0, 0.0},
    {"size=45", "e(0)", 4.234875e5, 3e-7, 0.0},
    {"size=45", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=50", "cycles", 1662, 0.0, 0.0},
    {"size=50", "e(0)", 5.124778e5, 3e-7, 0.0},
    {"size=50", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=70", "cycles", 2402, 0.0, 0.0},
    {"size=70", "e(0)", 9.417145e5, 3e-7, 0.0},
    {"size=70", "asymmetric pairs", 0, 0.0, 0.0},
    {"size=90", "cycles", 3145, 0.0, 0.0},
    {"size=90", "e(0)", 1.482403e6, 4e-7, 0.0},
    {"size=90", "asymmetric pairs", 0, 0.0, 0.0},
};

/* Largest relative difference between the energies of two elements that mirror each other. LULESH's
 * results differ by some 1e-12, which is rounding. */
static const double SYMMETRIC = 1e-8;

void report_begin(struct run *run, int size, int cycles)
{
    const int length = snprintf(run->test, sizeof run->test, "size=%d", size);
    if (cycles != 0) {
        snprintf(run->test + length, sizeof run->test - (size_t)length, " cycles=%d", cycles);
    }
    run_references(run, REFERENCES, sizeof REFERENCES / sizeof REFERENCES[0]);
}

/* Pairs of elements of the plane z = 0, mirrored at x = y, whose energies differ; prints by how
 * much they do. */
static int count_asymmetric(const struct mesh *mesh, const double *energy)
{
    const int n = mesh->box.n[0];
    double most = 0.0, most_relative = 0.0;
    int pairs = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j + 1; i < n; i++) {
            const double a = energy[mesh->element[hex_box_cell(&mesh->box, i, j, 0)]];
            const double b = energy[mesh->element[hex_box_cell(&mesh->box, j, i, 0)]];
            const double difference = fabs(a - b), size = fmax(fabs(a), fabs(b));
            pairs += !(difference <= SYMMETRIC * size); /* also where one is not a number */
            most = fmax(most, difference);
            most_relative = fmax(most_relative, size > 0.0 ? difference / size : 0.0);
        }
    }
    printf("symmetry: MaxAbsDiff %.3g, MaxRelDiff %.3g\n", most, most_relative);
    return pairs;
}

void report_end(struct run *run, const struct mesh *mesh, const struct state *state, int cycles)
{
    double internal = 0.0, kinetic = 0.0;
    for (int e = 0; e < mesh->box.cells; e++) {
        internal += state->energy[e] * state->mass[e];
    }
    for (size_t n = 0; n < (size_t)mesh->box.nodes; n++) {
        const double *u = state->velocity + 3 * n;
        kinetic += 0.5 * state->nodal_mass[n] * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    run_result(run, "cycles", cycles);
    run_result(run, "e(0)", state->energy[mesh->element[0]]);
    run_result(run, "internal energy", internal);
    run_result(run, "kinetic energy", kinetic);
    run_result(run, "asymmetric pairs", count_asymmetric(mesh, state->energy));
}

void report_write(const struct run *run, const struct mesh *mesh, const struct state *state)
{
    const struct output_mesh shape = {mesh->box.nodes, 3, state->x,
                                      mesh->box.cells, 8, mesh->box.cell};
    const struct output_field fields[] = {
        {"energy", 1, 1, state->energy},
        {"pressure", 1, 1, state->pressure},
        {"relative_volume", 1, 1, state->volume},
        {"velocity", 0, 3, state->velocity},
    };
    if (output_write(run->output, &shape, fields, sizeof fields / sizeof fields[0]) != 0) {
        run_failed("lulesh", "the result could not be written to '%s'", run->output);
    }
}
