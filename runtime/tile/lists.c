/* lists.c: the schedule from labelled pieces: which segments each tile runs, and which run early
 * and late. Pieces that follow one another become one segment. */
#include "runtime/tile/tile_impl.h"

/* ---- segments ---------------------------------------------------------------------------- */

static int new_segments(struct tile_segments *segments, size_t count)
{
    segments->count = 0;
    segments->first = malloc((count + 1) * sizeof(int));
    segments->last = malloc((count + 1) * sizeof(int));
    return segments->first != NULL && segments->last != NULL;
}

static void free_segments(struct tile_segments *segments)
{
    free(segments->first);
    free(segments->last);
}

/* goes_on: 1: the piece may be a part of the segment before it. */
static void append(struct tile_segments *segments, const struct piece *piece, int goes_on)
{
    if (goes_on && segments->last[segments->count - 1] == piece->first) {
        segments->last[segments->count - 1] = piece->last;
        return;
    }
    segments->first[segments->count] = piece->first;
    segments->last[segments->count++] = piece->last;
}

/* ---- tiles ------------------------------------------------------------------------------- */

static int is_in_tile(const struct piece *piece)
{
    return piece->label >= LABEL_FIRST && piece->label != LABEL_LATE;
}

static int cell_of(const struct tile_schedule *schedule, const struct piece *piece, int loop)
{
    const int tile = schedule->tile[domain_of(piece->label)] + tile_of(piece->label);
    return tile * schedule->loops + loop;
}

/* Pieces in the order of their cells, and within a cell in that of their loop. sorted: [pieces in
 * tiles]; end: [cells + 1] zeros, gets the place behind the pieces of each cell. */
static void sort(const struct tile_schedule *schedule, const struct pieces *pieces, int *end,
                 const struct piece **sorted)
{
    for (int l = 0; l < schedule->loops; l++) {
        for (int p = 0; p < pieces[l].count; p++) {
            const struct piece *piece = &pieces[l].piece[p];
            end[is_in_tile(piece) ? cell_of(schedule, piece, l) + 1 : 0]++;
        }
    }
    end[0] = 0;
    for (int c = 0; c < schedule->tiles * schedule->loops; c++) {
        end[c + 1] += end[c];
    }
    for (int l = 0; l < schedule->loops; l++) {
        for (int p = 0; p < pieces[l].count; p++) {
            const struct piece *piece = &pieces[l].piece[p];
            if (is_in_tile(piece)) {
                sorted[end[cell_of(schedule, piece, l)]++] = piece;
            }
        }
    }
}

/* sorted: pieces in the order of their cells; end: [cells] where the pieces of each end. */
static void fill_cells(struct tile_schedule *schedule, int cells, const int *end,
                       const struct piece *const *sorted)
{
    int at = 0;
    for (int c = 0; c < cells; c++) {
        const struct piece *before = NULL;
        schedule->cell[c] = schedule->segments.count;
        for (; at < end[c]; at++) {
            append(&schedule->segments, sorted[at],
                   before != NULL && before->block == sorted[at]->block);
            before = sorted[at];
        }
    }
    schedule->cell[cells] = schedule->segments.count;
}

static size_t count_in_tiles(const struct pieces *pieces, int loops)
{
    size_t count = 0;
    for (int l = 0; l < loops; l++) {
        for (int p = 0; p < pieces[l].count; p++) {
            count += is_in_tile(&pieces[l].piece[p]);
        }
    }
    return count;
}

static int make_tiles(struct tile_schedule *schedule, const struct pieces *pieces, const int *tiles)
{
    const int loops = schedule->loops;
    const size_t count = count_in_tiles(pieces, loops);
    schedule->tile = malloc((size_t)(schedule->domains + 1) * sizeof(int));
    if (schedule->tile == NULL) {
        return 0;
    }
    schedule->tile[0] = 0;
    for (int d = 0; d < schedule->domains; d++) {
        schedule->tile[d + 1] = schedule->tile[d] + tiles[d];
    }
    schedule->tiles = schedule->tile[schedule->domains];
    const int cells = schedule->tiles * loops;
    const struct piece **sorted = malloc((count + 1) * sizeof *sorted);
    int *end = calloc((size_t)cells + 1, sizeof *end);
    schedule->cell = malloc(((size_t)cells + 1) * sizeof(int));
    const int has_memory = new_segments(&schedule->segments, count) && sorted != NULL &&
                           end != NULL && schedule->cell != NULL;
    if (has_memory) {
        sort(schedule, pieces, end, sorted);
        fill_cells(schedule, cells, end, sorted);
    }
    free(end);
    free(sorted);
    return has_memory;
}

/* ---- early and late ---------------------------------------------------------------------- */

static int new_plan(struct tile_part *part, const struct cleave_plan *plan)
{
    if (plan == NULL) {
        return 1;
    }
    part->plan = malloc(sizeof *part->plan);
    part->segment_start = malloc(((size_t)plan->blocks + 1) * sizeof(int));
    return part->plan != NULL && part->segment_start != NULL;
}

/* The part's plan is the loop's, with the part's segments alone. */
static void set_plan(struct tile_part *part, const struct cleave_plan *plan)
{
    part->segment_start[plan->blocks] = part->segments.count;
    *part->plan = *plan;
    part->plan->segments = part->segments.count;
    part->plan->segment_start = part->segment_start;
    part->plan->segment_first = part->segments.first;
    part->plan->segment_last = part->segments.last;
}

static int compare_blocks(const void *left, const void *right)
{
    const struct piece *a = *(const struct piece *const *)left;
    const struct piece *b = *(const struct piece *const *)right;
    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    return a < b ? -1 : a > b; /* in the order of the loop */
}

/* Fills the part with sorted pieces. */
static int fill_part(struct tile_part *part, const struct cleave_plan *plan,
                     const struct piece **piece, int count)
{
    int at = 0;
    if (!new_segments(&part->segments, (size_t)count) || !new_plan(part, plan)) {
        return 0;
    }
    for (int b = 0; b < (plan != NULL ? plan->blocks : 1); b++) {
        const int first = at;
        if (plan != NULL) {
            part->segment_start[b] = part->segments.count;
        }
        for (; at < count && piece[at]->block == b; at++) {
            append(&part->segments, piece[at], at > first);
        }
    }
    if (plan != NULL) {
        set_plan(part, plan);
    }
    return 1;
}

/* What a loop runs at a label. */
static int make_part(struct tile_part *part, const struct tile_loop *loop,
                     const struct pieces *pieces, int label)
{
    int count = 0;
    for (int p = 0; p < pieces->count; p++) {
        count += pieces->piece[p].label == label;
    }
    const struct piece **piece = malloc(((size_t)count + 1) * sizeof *piece);
    if (piece == NULL) {
        return 0;
    }
    count = 0;
    for (int p = 0; p < pieces->count; p++) {
        if (pieces->piece[p].label == label) {
            piece[count++] = &pieces->piece[p];
        }
    }
    qsort(piece, (size_t)count, sizeof *piece, compare_blocks);
    const int made = fill_part(part, loop->plan, piece, count);
    free(piece);
    return made;
}

/* ---- entry ------------------------------------------------------------------------------- */

static double share_in_tiles(const struct tile_problem *problem, const struct pieces *pieces)
{
    double all = 0.0;
    double tiled = 0.0;
    for (int l = 0; l < problem->loops; l++) {
        for (int p = 0; p < pieces[l].count; p++) {
            const struct piece *piece = &pieces[l].piece[p];
            const double bytes = (piece->last - piece->first) * problem->loop[l].bytes;
            all += bytes;
            tiled += is_in_tile(piece) ? bytes : 0.0;
        }
    }
    return all > 0.0 ? tiled / all : 0.0;
}

static int fill(struct tile_schedule *schedule, const struct tile_problem *problem,
                const struct pieces *pieces, const int *tiles)
{
    const size_t loops = (size_t)problem->loops;
    schedule->early = calloc(loops, sizeof *schedule->early);
    schedule->late = calloc(loops, sizeof *schedule->late);
    if (schedule->early == NULL || schedule->late == NULL || !make_tiles(schedule, pieces, tiles)) {
        return 0;
    }
    for (int l = 0; l < problem->loops; l++) {
        if (!make_part(&schedule->early[l], &problem->loop[l], &pieces[l], LABEL_EARLY) ||
            !make_part(&schedule->late[l], &problem->loop[l], &pieces[l], LABEL_LATE)) {
            return 0;
        }
    }
    schedule->share = share_in_tiles(problem, pieces);
    return 1;
}

struct tile_schedule *cleave_tile_schedule_new(const struct tile_problem *problem)
{
    int tiles[TILE_MOST_DOMAINS];
    struct pieces *pieces = malloc((size_t)problem->loops * sizeof *pieces);
    struct tile_schedule *schedule = calloc(1, sizeof *schedule);
    int made = 0;
    if (pieces != NULL && schedule != NULL) {
        schedule->loops = problem->loops;
        schedule->domains = cleave_pieces_label(problem, pieces, tiles);
        made = schedule->domains > 0 && fill(schedule, problem, pieces, tiles);
        cleave_pieces_free(pieces, problem->loops);
    }
    free(pieces);
    if (!made) {
        cleave_tile_schedule_free(schedule);
        return NULL;
    }
    return schedule;
}

static void free_parts(struct tile_part *part, int loops)
{
    for (int l = 0; l < loops && part != NULL; l++) {
        free_segments(&part[l].segments);
        free(part[l].plan);
        free(part[l].segment_start);
    }
    free(part);
}

void cleave_tile_schedule_free(struct tile_schedule *schedule)
{
    if (schedule == NULL) {
        return;
    }
    free_parts(schedule->early, schedule->loops);
    free_parts(schedule->late, schedule->loops);
    free(schedule->tile);
    free(schedule->cell);
    free_segments(&schedule->segments);
    free(schedule);
}
