/* fake_scotch.c: a library with Scotch's functions, for the tests of how it is loaded and called.
 *
 * Built with 32-bit and with 64-bit integers (FAKE_INTEGER). It checks the graph that it is given
 * and then behaves as FAKE_SCOTCH says: "reverse" (points in falling order), "outside" (a place
 * that does not exist), "fail". Objects count, so that one that is not freed is found:
 * FAKE_SCOTCH_OBJECTS in the environment is set to their number.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FAKE_INTEGER integer;

struct graph {
    integer points;
    const integer *start;
    const integer *link;
};

int SCOTCH_numSizeof(void);
void *SCOTCH_graphAlloc(void);
int SCOTCH_graphInit(void *graph);
void SCOTCH_graphExit(void *graph);
int SCOTCH_graphBuild(void *graph, integer base, integer points, const integer *start,
                      const integer *end, const integer *load, const integer *label, integer links,
                      const integer *link, const integer *link_load);
int SCOTCH_graphOrder(const void *graph, const void *strategy, integer *place, integer *inverse,
                      integer *blocks, integer *range, integer *tree);
void *SCOTCH_stratAlloc(void);
int SCOTCH_stratInit(void *strategy);
void SCOTCH_stratExit(void *strategy);
int SCOTCH_stratGraphOrder(void *strategy, const char *text);
void SCOTCH_randomReset(void);
void SCOTCH_memFree(void *memory);

static int objects;

static void count_objects(int more)
{
    char text[16];
    objects += more;
    snprintf(text, sizeof text, "%d", objects);
    setenv("FAKE_SCOTCH_OBJECTS", text, 1);
}

int SCOTCH_numSizeof(void)
{
    return sizeof(integer);
}

void *SCOTCH_graphAlloc(void)
{
    count_objects(1);
    return malloc(sizeof(struct graph));
}

int SCOTCH_graphInit(void *graph)
{
    count_objects(1);
    *(struct graph *)graph = (struct graph){0};
    return 0;
}

void SCOTCH_graphExit(void *graph)
{
    count_objects(-1);
    memset(graph, 0xff, sizeof(struct graph));
}

int SCOTCH_graphBuild(void *graph, integer base, integer points, const integer *start,
                      const integer *end, const integer *load, const integer *label, integer links,
                      const integer *link, const integer *link_load)
{
    if (base != 0 || end != NULL || load != NULL || label != NULL || link_load != NULL ||
        start[0] != 0 || start[points] != links) {
        return 1;
    }
    *(struct graph *)graph = (struct graph){points, start, link};
    return 0;
}

static int links_to(const struct graph *graph, integer from, integer to)
{
    int found = 0;
    for (integer i = graph->start[from]; i < graph->start[from + 1]; i++) {
        found += graph->link[i] == to;
    }
    return found;
}

/* No loops, each link once, symmetric. */
static int is_sound(const struct graph *graph)
{
    for (integer p = 0; p < graph->points; p++) {
        for (integer i = graph->start[p]; i < graph->start[p + 1]; i++) {
            integer other = graph->link[i];
            if (other < 0 || other >= graph->points || other == p ||
                links_to(graph, p, other) != 1 || links_to(graph, other, p) != 1) {
                return 0;
            }
        }
    }
    return 1;
}

int SCOTCH_graphOrder(const void *graph, const void *strategy, integer *place, integer *inverse,
                      integer *blocks, integer *range, integer *tree)
{
    const struct graph *built = graph;
    const char *mode = getenv("FAKE_SCOTCH");
    if (strcmp(strategy, "g") != 0 || inverse != NULL || blocks != NULL || range != NULL ||
        tree != NULL || !is_sound(built) || mode == NULL || strcmp(mode, "fail") == 0) {
        return 1;
    }
    for (integer p = 0; p < built->points; p++) {
        place[p] = built->points - 1 - p;
    }
    if (strcmp(mode, "outside") == 0) {
        place[7] = built->points;
    }
    return 0;
}

void *SCOTCH_stratAlloc(void)
{
    count_objects(1);
    return calloc(1, 16);
}

int SCOTCH_stratInit(void *strategy)
{
    count_objects(1);
    *(char *)strategy = '\0';
    return 0;
}

void SCOTCH_stratExit(void *strategy)
{
    count_objects(-1);
    *(char *)strategy = '?';
}

int SCOTCH_stratGraphOrder(void *strategy, const char *text)
{
    snprintf(strategy, 16, "%s", text);
    return 0;
}

void SCOTCH_randomReset(void)
{
}

void SCOTCH_memFree(void *memory)
{
    count_objects(-1);
    free(memory);
}
