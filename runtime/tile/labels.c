/* labels.c: when each piece of the loops runs. Each point remembers the label that whoever uses it
 * next must respect: of loops before the seed, seen backward, the first that needs the point; of
 * loops behind it, seen forward, the last that has used it. */
#include "runtime/tile/tile_impl.h"

struct labels {
    const struct tile_problem *problem;
    struct pieces *pieces;
    struct tile_marks *marks; /* [sets] */
    int seed;
};

/* ---- pieces ------------------------------------------------------------------------------ */

static int pieces_of_segment(const struct cleave_plan *plan, int s, int size)
{
    return (plan->segment_last[s] - plan->segment_first[s] + size - 1) / size;
}

static void cut(struct pieces *pieces, int first, int last, int block, int size)
{
    for (int e = first; e < last; e += size) {
        pieces->piece[pieces->count++] =
            (struct piece){e, last - e < size ? last : e + size, block, LABEL_NONE};
    }
}

/* 0: there is no memory. */
static int make_pieces(const struct tile_loop *loop, struct pieces *pieces)
{
    const struct cleave_plan *plan = loop->plan;
    size_t count = plan == NULL ? (size_t)(loop->elements / loop->piece) + 1 : 1;
    for (int s = 0; plan != NULL && s < plan->segments; s++) {
        count += (size_t)pieces_of_segment(plan, s, loop->piece);
    }
    pieces->piece = malloc(count * sizeof *pieces->piece);
    pieces->count = 0;
    if (pieces->piece == NULL) {
        return 0;
    }
    if (plan == NULL) {
        cut(pieces, 0, loop->elements, 0, loop->piece);
        return 1;
    }
    for (int k = 0; k < plan->blocks; k++) {
        const int b = plan->colour_block[k];
        for (int s = plan->segment_start[b]; s < plan->segment_start[b + 1]; s++) {
            cut(pieces, plan->segment_first[s], plan->segment_last[s], b, loop->piece);
        }
    }
    return 1;
}

void cleave_pieces_free(struct pieces *pieces, int loops)
{
    for (int l = 0; l < loops; l++) {
        free(pieces[l].piece);
    }
}

/* ---- the seed ---------------------------------------------------------------------------- */

/* The loop that moves most, among those with ranges if there are any; -1: there is none. */
static int choose_seed(const struct tile_problem *problem)
{
    int seed = -1;
    int has_ranges = 0;
    double most = 0.0;
    for (int l = 0; l < problem->loops; l++) {
        const struct tile_loop *loop = &problem->loop[l];
        const double bytes = loop->bytes * loop->elements;
        const int ranges = loop->plan != NULL && loop->plan->ranges > 0;
        if ((loop->plan == NULL || ranges) && bytes > 0.0 &&
            (ranges > has_ranges || (ranges == has_ranges && bytes > most))) {
            seed = l;
            has_ranges = ranges;
            most = bytes;
        }
    }
    return seed;
}

/* Elements of the seed in a tile. */
static int chunk_of(const struct tile_problem *problem, int seed)
{
    double bytes = 0.0;
    for (int l = 0; l < problem->loops; l++) {
        bytes += problem->loop[l].bytes * problem->loop[l].elements;
    }
    const double each = bytes / problem->loop[seed].elements;
    const double chunk = problem->tile_bytes / each;
    const int piece = problem->loop[seed].piece;
    const int pieces = chunk / piece > 1e6 ? 1000000 : (int)(chunk / piece);
    return piece * (pieces > 1 ? pieces : 1);
}

/* Labels a seed without a plan: domains of as many pieces each. */
static int label_direct(struct pieces *pieces, int chunk, int piece, int *tiles)
{
    const int each = chunk / piece;
    const int all = (pieces->count - 1) / each + 1;
    const int domains = all < TILE_MOST_DOMAINS ? all : TILE_MOST_DOMAINS;
    for (int p = 0; p < pieces->count; p++) {
        const int tile = p / each;
        const int domain = (int)((long long)tile * domains / all);
        const int first = (int)(((long long)domain * all + domains - 1) / domains);
        pieces->piece[p].label = label_of(domain, tile - first);
        tiles[domain] = tile - first + 1;
    }
    return domains;
}

/* Labels a seed with a plan: its ranges are the domains. */
static int label_ranges(const struct cleave_plan *plan, struct pieces *pieces, int chunk,
                        int *tiles)
{
    int elements = 0;
    int block = -1;
    if (plan->ranges > TILE_MOST_DOMAINS) {
        return 0;
    }
    memset(tiles, 0, (size_t)plan->ranges * sizeof *tiles);
    for (int p = 0; p < pieces->count; p++) {
        struct piece *piece = &pieces->piece[p];
        if (piece->block >= plan->ranges) {
            piece->label = LABEL_LATE;
            continue;
        }
        elements = piece->block == block ? elements : 0;
        block = piece->block;
        const int tile = elements / chunk < MOST_TILES ? elements / chunk : MOST_TILES - 1;
        piece->label = label_of(block, tile);
        tiles[block] = tile + 1;
        elements += piece->last - piece->first;
    }
    return plan->ranges;
}

/* ---- labels ------------------------------------------------------------------------------ */

/* The last time before both. */
static inline int before_both(int a, int b)
{
    if (a == b) {
        return a;
    }
    const int first = a < b ? a : b;
    const int last = a < b ? b : a;
    const int are_apart =
        first >= LABEL_FIRST && last != LABEL_LATE && domain_of(first) != domain_of(last);
    return are_apart ? LABEL_EARLY : first;
}

typedef int together(int a, int b);

static inline int required(const struct labels *labels, const struct tile_loop *loop,
                           const struct piece *piece, together *both)
{
    int label = piece->label;
    for (int a = 0; a < loop->accesses; a++) {
        const struct tile_access *access = &loop->access[a];
        const struct tile_marks *marks = &labels->marks[access->set];
        const int *mark = access->modifies ? marks->any : marks->modify;
        for (int e = piece->first; e < piece->last; e++) {
            label = both(label, mark[point_of(access, e)]);
        }
    }
    return label;
}

static inline void remember(const struct labels *labels, const struct tile_loop *loop,
                            const struct piece *piece, together *both)
{
    for (int a = 0; a < loop->accesses; a++) {
        const struct tile_access *access = &loop->access[a];
        const struct tile_marks *marks = &labels->marks[access->set];
        for (int e = piece->first; e < piece->last; e++) {
            tile_mark(marks, point_of(access, e), access->modifies, piece->label, both);
        }
    }
}

/* Elements of a loop without a plan have nothing to do with one another: no piece of it remembers
 * before all are labelled. Pieces of a plan go in their order. */
static void forward(const struct labels *labels, int l)
{
    const struct tile_loop *loop = &labels->problem->loop[l];
    const struct pieces *pieces = &labels->pieces[l];
    for (int p = 0; p < pieces->count && l > labels->seed; p++) {
        struct piece *piece = &pieces->piece[p];
        piece->label = required(labels, loop, piece, behind_both);
        piece->label = piece->label == LABEL_NONE ? LABEL_LATE : piece->label;
        if (loop->plan != NULL) {
            remember(labels, loop, piece, behind_both);
        }
    }
    for (int p = 0; p < pieces->count && (l <= labels->seed || loop->plan == NULL); p++) {
        remember(labels, loop, &pieces->piece[p], behind_both);
    }
}

static void backward(const struct labels *labels, int l)
{
    const struct tile_loop *loop = &labels->problem->loop[l];
    const struct pieces *pieces = &labels->pieces[l];
    for (int p = pieces->count - 1; p >= 0 && l < labels->seed; p--) {
        struct piece *piece = &pieces->piece[p];
        piece->label = LABEL_LATE;
        piece->label = required(labels, loop, piece, before_both);
        if (loop->plan != NULL) {
            remember(labels, loop, piece, before_both);
        }
    }
    for (int p = 0; p < pieces->count && (l == labels->seed || loop->plan == NULL); p++) {
        remember(labels, loop, &pieces->piece[p], before_both);
    }
}

static void label_others(const struct labels *labels)
{
    cleave_tile_marks_reset(labels->marks, labels->problem, LABEL_LATE);
    for (int l = labels->seed; l >= 0 && labels->seed > 0; l--) {
        backward(labels, l);
    }
    cleave_tile_marks_reset(labels->marks, labels->problem, LABEL_NONE);
    for (int l = 0; l < labels->problem->loops; l++) {
        forward(labels, l);
    }
}

/* ---- marks ------------------------------------------------------------------------------- */

void cleave_tile_marks_free(struct tile_marks *marks, int sets)
{
    for (int s = 0; s < sets && marks != NULL; s++) {
        free(marks[s].any);
        free(marks[s].modify);
    }
    free(marks);
}

struct tile_marks *cleave_tile_marks_new(const struct tile_problem *problem)
{
    struct tile_marks *marks = calloc((size_t)problem->sets + 1, sizeof *marks);
    for (int s = 0; s < problem->sets && marks != NULL; s++) {
        const size_t bytes = ((size_t)problem->points[s] + 1) * sizeof(int);
        marks[s].any = malloc(bytes);
        marks[s].modify = malloc(bytes);
        if (marks[s].any == NULL || marks[s].modify == NULL) {
            cleave_tile_marks_free(marks, problem->sets);
            return NULL;
        }
    }
    return marks;
}

void cleave_tile_marks_reset(const struct tile_marks *marks, const struct tile_problem *problem,
                             int label)
{
    for (int s = 0; s < problem->sets; s++) {
        for (int p = 0; p < problem->points[s]; p++) {
            marks[s].any[p] = marks[s].modify[p] = label;
        }
    }
}

/* ---- entry ------------------------------------------------------------------------------- */

int cleave_pieces_label(const struct tile_problem *problem, struct pieces *pieces, int *tiles)
{
    const int seed = choose_seed(problem);
    int domains = 0;
    memset(pieces, 0, (size_t)problem->loops * sizeof *pieces);
    for (int l = 0; l < problem->loops; l++) {
        if (seed < 0 || !make_pieces(&problem->loop[l], &pieces[l])) {
            return 0;
        }
    }
    struct labels labels = {problem, pieces, cleave_tile_marks_new(problem), seed};
    if (labels.marks != NULL) {
        const struct tile_loop *loop = &problem->loop[seed];
        const int chunk = chunk_of(problem, seed);
        domains = loop->plan == NULL ? label_direct(&pieces[seed], chunk, loop->piece, tiles)
                                     : label_ranges(loop->plan, &pieces[seed], chunk, tiles);
    }
    if (domains > 0) {
        label_others(&labels);
    }
    cleave_tile_marks_free(labels.marks, problem->sets);
    return domains;
}
