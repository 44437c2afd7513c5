/* check.c: whether a schedule keeps the order that values depend on, found from its lists alone.
 *
 * An element has a place: early, a tile of a domain, or late. It must be behind the place of each
 * element that the loops run before it, if both have a point in common that one of them modifies:
 * in a later phase, or in the same domain and the same tile or a later one. Elements of one loop
 * must be so only if both modify the point: no loop reads a dat through a map that it modifies. At
 * one place, loops run in their order, and the elements of a loop with a plan in the order of the
 * plan. Every element runs once. */
#include "runtime/tile/tile_impl.h"

struct checked {
    const struct tile_problem *problem;
    const struct tile_schedule *schedule;
    int **place;              /* [loops][elements] labels; LABEL_NONE: not met yet */
    int **rank;               /* [loops][elements] when the plan runs the element */
    struct tile_marks *marks; /* of the loops before */
    struct tile_marks *own;   /* of the loop at hand */
};

/* ---- places ------------------------------------------------------------------------------ */

/* Notes the place of the elements of a segment. rank_before: that of the element which runs before
 * them at the same place, -1: none; gets that of the last one. */
static const char *place_segment(const struct checked *checked, int l,
                                 const struct tile_segments *segments, int s, int label,
                                 int *rank_before)
{
    const struct tile_loop *loop = &checked->problem->loop[l];
    for (int e = segments->first[s]; e < segments->last[s]; e++) {
        if (e < 0 || e >= loop->elements) {
            return "runs an element that the loop has not";
        }
        if (checked->place[l][e] != LABEL_NONE) {
            return "runs an element twice";
        }
        checked->place[l][e] = label;
        if (loop->plan != NULL && checked->rank[l][e] <= *rank_before) {
            return "runs elements of a plan in another order";
        }
        *rank_before = checked->rank[l][e];
    }
    return NULL;
}

static const char *place_part(const struct checked *checked, int l, const struct tile_part *part,
                              int label)
{
    const int blocks = part->plan != NULL ? part->plan->blocks : 1;
    const char *wrong = NULL;
    for (int b = 0; b < blocks && wrong == NULL; b++) {
        const int first = part->plan != NULL ? part->plan->segment_start[b] : 0;
        const int last =
            part->plan != NULL ? part->plan->segment_start[b + 1] : part->segments.count;
        int rank = -1;
        for (int s = first; s < last && wrong == NULL; s++) {
            wrong = place_segment(checked, l, &part->segments, s, label, &rank);
        }
    }
    return wrong;
}

static const char *place_domain(const struct checked *checked, int domain)
{
    const struct tile_schedule *schedule = checked->schedule;
    const int first = schedule->tile[domain];
    const char *wrong = NULL;
    for (int t = first; t < schedule->tile[domain + 1]; t++) {
        const int *cell = &schedule->cell[t * schedule->loops];
        for (int l = 0; l < schedule->loops; l++) {
            int rank = -1;
            for (int s = cell[l]; s < cell[l + 1] && wrong == NULL; s++) {
                wrong = place_segment(checked, l, &schedule->segments, s,
                                      label_of(domain, t - first), &rank);
            }
        }
    }
    return wrong;
}

static const char *find_places(const struct checked *checked)
{
    const struct tile_schedule *schedule = checked->schedule;
    const char *wrong = NULL;
    for (int l = 0; l < schedule->loops && wrong == NULL; l++) {
        wrong = place_part(checked, l, &schedule->early[l], LABEL_EARLY);
        wrong = wrong != NULL ? wrong : place_part(checked, l, &schedule->late[l], LABEL_LATE);
    }
    for (int d = 0; d < schedule->domains && wrong == NULL; d++) {
        wrong = place_domain(checked, d);
    }
    return wrong;
}

/* ---- order ------------------------------------------------------------------------------- */

/* 1: the element is behind all that must run before it. */
static int is_behind(const struct checked *checked, int l, int e)
{
    const struct tile_loop *loop = &checked->problem->loop[l];
    const int place = checked->place[l][e];
    int behind = 1;
    for (int a = 0; a < loop->accesses; a++) {
        const struct tile_access *access = &loop->access[a];
        const struct tile_marks *marks = &checked->marks[access->set];
        const size_t point = point_of(access, e);
        const int *mark = access->modifies ? marks->any : marks->modify;
        behind = behind && behind_both(place, mark[point]) == place;
        if (access->modifies) {
            mark = checked->own[access->set].modify;
            behind = behind && behind_both(place, mark[point]) == place;
        }
    }
    return behind;
}

static void remember(const struct checked *checked, struct tile_marks *marks, int l, int e)
{
    const struct tile_loop *loop = &checked->problem->loop[l];
    for (int a = 0; a < loop->accesses; a++) {
        const struct tile_access *access = &loop->access[a];
        tile_mark(&marks[access->set], point_of(access, e), access->modifies, checked->place[l][e],
                  behind_both);
    }
}

/* Elements first..last-1 of a loop, which run in this order. */
static const char *check_run(const struct checked *checked, int l, int first, int last)
{
    for (int e = first; e < last; e++) {
        if (checked->place[l][e] == LABEL_NONE) {
            return "leaves out an element";
        }
        if (!is_behind(checked, l, e)) {
            return "runs an element before one that it depends on";
        }
        remember(checked, checked->own, l, e);
    }
    return NULL;
}

static const char *check_loop(const struct checked *checked, int l)
{
    const struct tile_loop *loop = &checked->problem->loop[l];
    const struct cleave_plan *plan = loop->plan;
    const char *wrong = NULL;
    cleave_tile_marks_reset(checked->own, checked->problem, LABEL_NONE);
    if (plan == NULL) {
        wrong = check_run(checked, l, 0, loop->elements);
    }
    for (int k = 0; plan != NULL && k < plan->blocks; k++) {
        const int b = plan->colour_block[k];
        for (int s = plan->segment_start[b]; s < plan->segment_start[b + 1] && wrong == NULL; s++) {
            wrong = check_run(checked, l, plan->segment_first[s], plan->segment_last[s]);
        }
    }
    for (int e = 0; e < loop->elements && wrong == NULL; e++) {
        remember(checked, checked->marks, l, e);
    }
    return wrong;
}

/* ---- entry ------------------------------------------------------------------------------- */

static void rank_elements(const struct cleave_plan *plan, int *rank)
{
    int next = 0;
    for (int k = 0; plan != NULL && k < plan->blocks; k++) {
        const int b = plan->colour_block[k];
        for (int s = plan->segment_start[b]; s < plan->segment_start[b + 1]; s++) {
            for (int e = plan->segment_first[s]; e < plan->segment_last[s]; e++) {
                rank[e] = next++;
            }
        }
    }
}

static int make_lists(struct checked *checked)
{
    const struct tile_problem *problem = checked->problem;
    const size_t loops = (size_t)problem->loops;
    checked->place = calloc(loops, sizeof *checked->place);
    checked->rank = calloc(loops, sizeof *checked->rank);
    checked->marks = cleave_tile_marks_new(problem);
    checked->own = cleave_tile_marks_new(problem);
    int made = checked->place != NULL && checked->rank != NULL && checked->marks != NULL &&
               checked->own != NULL;
    for (int l = 0; made && l < problem->loops; l++) {
        const size_t elements = (size_t)problem->loop[l].elements + 1;
        checked->place[l] = calloc(elements, sizeof(int));
        checked->rank[l] = calloc(elements, sizeof(int));
        made = checked->place[l] != NULL && checked->rank[l] != NULL;
        if (made) {
            rank_elements(problem->loop[l].plan, checked->rank[l]);
        }
    }
    return made;
}

static void free_lists(struct checked *checked)
{
    for (int l = 0; l < checked->problem->loops; l++) {
        free(checked->place != NULL ? checked->place[l] : NULL);
        free(checked->rank != NULL ? checked->rank[l] : NULL);
    }
    free(checked->place);
    free(checked->rank);
    cleave_tile_marks_free(checked->marks, checked->problem->sets);
    cleave_tile_marks_free(checked->own, checked->problem->sets);
}

const char *cleave_tile_check(const struct tile_problem *problem,
                              const struct tile_schedule *schedule, int *loop)
{
    struct checked checked = {.problem = problem, .schedule = schedule};
    const char *wrong = NULL;
    *loop = 0;
    if (!make_lists(&checked)) {
        free_lists(&checked);
        return "cannot be checked: there is no memory";
    }
    cleave_tile_marks_reset(checked.marks, problem, LABEL_NONE);
    wrong = find_places(&checked);
    for (int l = 0; l < problem->loops && wrong == NULL; l++) {
        *loop = l;
        wrong = check_loop(&checked, l);
    }
    free_lists(&checked);
    return wrong;
}
