/* plan_partition.c: which elements go together.
 *
 * In: the maps and the options. Out: a part number for each element; plan.c makes blocks of them.
 * METIS partitions the element graph (plan_graph.c, plan_metis.c); otherwise parts are runs of
 * consecutive elements.
 */
#include <math.h>

#include "plan_metis.h"

/* METIS's parts may exceed the average by 3 % (its default; paper 000 found that to work well), so
 * the average is put 3 % below the size of a block. */
#define AVERAGE_FILL 0.97

static int cut_into_runs(const struct plan_input *input, int *part)
{
    int block_size = input->options->block_size;
    for (int e = 0; e < input->elements; e++) {
        part[e] = e / block_size;
    }
    return input->elements / block_size + (input->elements % block_size != 0);
}

static int metis_parts(const struct plan_input *input)
{
    double parts = ceil(input->elements / (AVERAGE_FILL * input->options->block_size));
    return parts < input->elements ? (int)parts : input->elements;
}

/* Returns 1 when there is nothing for METIS to do: runs are as good. */
static int partition_by_metis(const struct plan_input *input, int *part, int *parts)
{
    struct plan_graph graph;
    if (plan_graph_build(&graph, input) != 0) {
        return -1;
    }
    int status = 1;
    if (graph.start[graph.elements] > 0) {
        *parts = metis_parts(input);
        status = plan_metis_partition(&graph, *parts, part, input->error);
    }
    plan_graph_free(&graph);
    return status;
}

int plan_metis_is_useful(const struct plan_input *input)
{
    const int block_size = input->options->block_size;
    return input->maps > 0 && block_size > 1 && input->elements > block_size &&
           plan_metis_available();
}

int plan_partition(const struct plan_input *input, int *part, int *parts, enum plan_method *used)
{
    *used = PLAN_METIS;
    if (input->options->method == PLAN_METIS) {
        int status = partition_by_metis(input, part, parts);
        if (status <= 0) {
            return status;
        }
    }
    *used = PLAN_CHUNKS;
    *parts = cut_into_runs(input, part);
    return 0;
}

const char *plan_method_name(enum plan_method method)
{
    if (method == PLAN_AUTO) {
        return "METIS k-way where consecutive elements share little";
    }
    return method == PLAN_METIS && !plan_metis_absent() ? "METIS k-way" : "chunks";
}
