/* chain_hand.cu: loops fused through an increment, written by hand, as a measure of what generated
 * kernels can reach: airfoil's res_calc, bres_calc, update, the next adt_calc and save_soln, and
 * both loops of jac.
 *
 *   chain_hand [--cells=I,J] [--size=N] [--order=ORDER] [--calls=K] [--iterations=L] [--only=FORM]
 *              [--wait] [--fault]
 *
 *   --cells   airfoil's mesh of 3*I*J cells; 0,0: no airfoil. Default 400,600
 *   --size    jac's grid of N*N nodes; 0: no jac. Default 848
 *   --order   of the mesh: natural, shuffled, or a method of the planner. Default natural
 *   --calls   timed calls of L iterations, of which the median counts. Default 11 of 20
 *   --only    measures only the forms whose names contain this; default: all
 *   --wait    the host waits for the sums of each step of airfoil, as a program does that reads
 * them
 *   --fault   makes one value of each result wrong, which the checks must find
 *
 * A row for each form: "F1r" reads and clears the array of residuals, to which bres_calc has added;
 * F1 has bres_calc inside and no such array; F2 has the next adt_calc, and F3 no save_soln.
 * "points", "rows" and "blocks" read the runtime's plans as generated owner gathers do, "slices"
 * rows of 32 items with the neighbour in them, and "batch N" N of these at a time, with the
 * settings of chain_hand_batches.cuh; r is the most registers, b the threads of a block.
 * Microseconds on the device, without a wait of the host unless one is asked for. Exit code 1 when
 * a result is wrong.
 */
#include "testsuite/bench/chain_hand.cuh"

static int refuse(const char *word)
{
    fprintf(stderr, "chain_hand: '%s' is not understood; chain_hand.cu lists the options\n", word);
    return 2;
}

static bool read_option(chain_options &options, const char *word)
{
    char end;
    if (strncmp(word, "--order=", 8) == 0) {
        options.order = word + 8;
        return true;
    }
    if (strncmp(word, "--only=", 7) == 0) {
        options.only = word + 7;
        return true;
    }
    if (strcmp(word, "--wait") == 0) {
        options.wait = 1;
        return true;
    }
    if (strcmp(word, "--fault") == 0) {
        options.fault = 1;
        return true;
    }
    return (sscanf(word, "--cells=%d,%d%c", &options.cells[0], &options.cells[1], &end) == 2 &&
            options.cells[0] >= 0 && options.cells[1] >= 0) ||
           (sscanf(word, "--size=%d%c", &options.size, &end) == 1 && options.size >= 0 &&
            options.size <= 14000) ||
           (sscanf(word, "--calls=%d%c", &options.calls, &end) == 1 && options.calls >= 1) ||
           (sscanf(word, "--iterations=%d%c", &options.iterations, &end) == 1 &&
            options.iterations >= 1);
}

int main(int argc, char **argv)
{
    chain_options options = {{400, 600}, 848, "natural", 11, 20, "", 0, 0};
    int wrong = 0;
    for (int i = 1; i < argc; i++) {
        if (!read_option(options, argv[i])) {
            return refuse(argv[i]);
        }
    }
    if (options.cells[0] > 0 && options.cells[1] > 0) {
        wrong += chain_measure_airfoil(options);
    }
    if (options.size > 0) {
        wrong += chain_measure_jac(options);
    }
    return wrong > 0;
}
