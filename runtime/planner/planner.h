/* planner.h: from maps to numberings and execution plans. Knows nothing of dats, kernels or
 * devices.
 *
 * The line: maps -> planner_number (blocks of elements, order of elements and points) -> maps in
 * the new numbering -> planner_build (lists, colours, gather lists of one loop) -> cleave_plan.
 * Every step runs in parallel with OpenMP and gives the same arrays, bit for bit, for any number of
 * threads.
 *
 * Papers: 000 A. Sulyok, G. Balogh, I. Reguly, G. Mudalige, "Locality optimized unstructured mesh
 * algorithms on GPUs" (blocks, point order, reuse); hierarchical colouring is OP2's.
 *
 * Functions that can fail return 0, or -1 with a message in error[PLANNER_ERROR]; what they would
 * have given is then NULL. Inputs are borrowed and never kept.
 */
#ifndef CLEAVE_PLANNER_H
#define CLEAVE_PLANNER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/api/cleave_gen.h"
#include "runtime/store/entries/entries.h"

#define PLANNER_ERROR 256

/* ---- what the planner may use of its process ----------------------------------------------- */

/* The subject of a note. Callers tell their users each of them once. */
enum plan_note {
    PLAN_NOTE_COORDINATES,    /* a method is replaced for want of coordinates */
    PLAN_NOTE_METIS,          /* ... of METIS */
    PLAN_NOTE_SCOTCH,         /* ... of Scotch */
    PLAN_NOTE_METIS_LIBRARY,  /* METIS was looked for and cannot be used */
    PLAN_NOTE_SCOTCH_LIBRARY, /* Scotch likewise */
    PLAN_NOTES
};

/* The planner reads no environment variable, prints nothing and keeps nothing between calls: all
 * that comes from outside comes through this struct. Filled by the caller, borrowed for the
 * duration of a call. All zeros: OpenMP's threads, METIS and Scotch under their usual names, no
 * cache, no notes. */
struct planner {
    int threads;        /* of parallel regions; 0: as many as OpenMP gives the calling thread */
    const char *metis;  /* file of the library; NULL: its usual names are tried; "none": not used */
    const char *scotch; /* likewise */
    struct cleave_store store; /* where numberings are kept; its notes go to store.note */
    /* Takes a sentence without full stop, valid during the call. Called by the thread that called
     * the planner. NULL: nobody wants notes. */
    void (*note)(enum plan_note about, const char *text);
};

/* ---- input --------------------------------------------------------------------------------- */

/* One map as the planner sees it. */
struct plan_map {
    const int *row; /* [elements*dim] row-major: entry (e, c) at e*dim + c, values in 0..points-1 */
    int dim;        /* columns of the map */
    int points;     /* size of the set that it points to */
    int target;     /* number of that set: equal numbers, same points */
    int columns;    /* columns used, 0..CLEAVE_MAX_COLUMNS */
    int column[CLEAVE_MAX_COLUMNS]; /* which, each in 0..dim-1 */
    unsigned conflicts;             /* bit k: data is modified through column[k] */
    /* 1: its rows are `rows` elements of another set than the one that the plan is for: a phase of
     * a joined loop. Only plans for points and for blocks of points may have such maps. */
    int apart;
    int rows;
};

/* Coordinates of the points of one set. Geometric methods use them; they are never required. */
struct plan_coordinates {
    const void *at; /* [points*dim] of the set `target`, row-major; NULL: unknown */
    int is_float;   /* 1: float, 0: double */
    int dim;        /* 2 or 3 */
    int target;     /* number of the set, as in plan_map */
};

/* ---- methods ------------------------------------------------------------------------------- */

/* How blocks are begun: one of the rows of methods.def, or the best of them for the mesh. */
enum plan_start {
    PLAN_START_DEFAULT, /* with coordinates RCB, unless growth does much better on a few chunks that
                           are tried (graded meshes); without, CHUNKS */
#define METHOD(name, function, word, needs, meaning) PLAN_START_##name,
#include "runtime/planner/methods.def"
#undef METHOD
    PLAN_STARTS
};

enum plan_improvement {
    PLAN_IMPROVE_DEFAULT, /* refine for the default method, none for all others */
    PLAN_IMPROVE_NONE,
    PLAN_IMPROVE_REFINE, /* moves elements where fewer blocks then touch points, in all */
    PLAN_IMPROVE_ANNEAL  /* refines, and at first accepts moves that lose, fewer and fewer */
};

struct plan_method {
    enum plan_start start;
    enum plan_improvement improve;
};

/* A method as users write it: "default", "hard", or a word of methods.def, the latter alone or with
 * "+refine" or "+anneal" behind it. "hard" is PLAN_START_DEFAULT with PLAN_IMPROVE_ANNEAL. 0, or -1
 * for another text. */
int planner_method_parse(const char *text, struct plan_method *method);
/* The inverse, in static storage of the calling thread. */
const char *planner_method_name(struct plan_method method);
/* "default, hard", then the words of methods.def in their order. */
const char *planner_method_words(void);
/* The word of a start below PLAN_STARTS, and what it does, in one line. */
const char *planner_start_word(enum plan_start start);
const char *planner_start_meaning(enum plan_start start);

/* ---- numbering ----------------------------------------------------------------------------- */

struct plan_numbering_options {
    int block_size; /* elements per block at most: 1..1024 */
    struct plan_method method;
    int max_points; /* unique points per block at most, over all target sets; 0: chosen by the
                       method from the average that it reaches. A block that cannot keep it is cut.
                     */
};

/* Seconds of wall time per phase, for reports. `serial` phases ran on one thread. */
#define PLANNER_PHASES 24
struct plan_phases {
    int count;
    struct {
        const char *name; /* static: "rcb", "refine", "lists" */
        double seconds;
        int serial;
    } phase[PLANNER_PHASES];
};

/* Blocks of elements in a good order. Owned by the caller: planner_numbering_free. */
struct plan_numbering {
    int elements;
    int blocks;
    int block_size;
    int *start; /* [blocks+1] block b holds the positions start[b]..start[b+1]-1, never empty */
    int *order; /* [elements] the element at each position: a permutation */
    struct plan_method method; /* what was really done: never DEFAULT; a start that was not possible
                                  (no coordinates, no METIS) is replaced, said once */
};

/* Blocks that reuse points well, numbered so that near blocks have near numbers, elements inside a
 * block sorted by their points. Objective: the sum over blocks of unique points, paper 000's reuse.
 * elements == 0, maps == 0 and elements that share nothing are legal (runs of elements). */
int planner_number(const struct planner *planner, struct plan_numbering **numbering, int elements,
                   int maps, const struct plan_map *map, const struct plan_coordinates *coordinates,
                   const struct plan_numbering_options *options, struct plan_phases *phases,
                   char error[PLANNER_ERROR]);
void planner_numbering_free(struct plan_numbering *numbering);

/* Orders the points of one set by the blocks that touch each (paper 000, section 2.3.2): points
 * that one block alone touches lie together, in the order of the blocks, and so do points that the
 * same blocks touch; points that nothing touches come last, in their order. order      [points],
 * out: the point at each new position target     the set; all maps of `map` that lead to it count,
 * more than a loop may have numbering  of the elements that the maps start from */
int planner_order_points(const struct planner *planner, int *order, int points, int target,
                         const struct plan_numbering *numbering, int maps,
                         const struct plan_map *map, struct plan_phases *phases,
                         char error[PLANNER_ERROR]);

/* Orders the points of a set along a Hilbert curve through their coordinates (in which `target`
 * does not matter), and elements by the smallest numbers of their points, then by the second
 * smallest; number NULL: points have the numbers of the map. Both take milliseconds, and keep the
 * order of equals. order[points] and order[elements], out. */
int planner_order_along_curve(const struct planner *planner, int *order, int points,
                              const struct plan_coordinates *coordinates,
                              struct plan_phases *phases, char error[PLANNER_ERROR]);
int planner_order_after_points(const struct planner *planner, int *order, int elements,
                               const struct plan_map *map, const int *number,
                               char error[PLANNER_ERROR]);

/* Reorders the elements inside each block against bank conflicts of GPUs that stage the block's
 * points in shared memory: never more wavefronts than before (plan_metrics.wavefronts). After a
 * failure, the order is a permutation still, with some blocks in their new order.
 *   map     the maps of the numbering's set that count, of any loop
 *   number  [maps]: number[m], [map[m].points], has the number in plans of each point of map m.
 *           number[m] NULL, or number NULL: points have the numbers of the map */
int planner_order_banks(const struct planner *planner, struct plan_numbering *numbering, int maps,
                        const struct plan_map *map, const int *const *number,
                        struct plan_phases *phases, char error[PLANNER_ERROR]);

/* How far apart in memory the points are that consecutive elements name. A read of a point is far
 * if no other one of its window of 1024 to 4096 consecutive elements goes to the same stretch of 64
 * points: caches and prefetchers of a CPU do not have its data. */
struct plan_locality {
    double far;    /* far reads / reads, 0..1; of some windows, evenly spread over the elements */
    double least;  /* `far` if the loop visited every stretch once, whatever the order */
    double torn;   /* share of the points that elements name which are more than an eighth of all
                      elements apart, 0..1, estimated */
    double random; /* an upper bound for `far`, near it if the elements are in random order */
};

/* Measures the used columns of a map in the order of its elements, or, if `sorted`, as it would be
 * if the elements were sorted by their lowest points. Costs one linear pass over the map to check
 * it, and if sorted, a second one. Without elements or columns all are 0. */
int planner_locality(const struct planner *planner, struct plan_locality *locality, int elements,
                     const struct plan_map *map, int sorted, char error[PLANNER_ERROR]);

/* Lines of 16 consecutive points that 32 consecutive elements name through one of the map's used
 * columns, on average: about 2 where the order suits the warps of a GPU, up to 32 where it is
 * random. 0: fewer than 32 elements, or no columns. Takes less than a millisecond, on one thread.
 * The entries must be valid. */
double planner_coalescing(int elements, const struct plan_map *map);

/* ---- plans --------------------------------------------------------------------------------- */

struct plan_options {
    int block_size;     /* elements per block at most: 1..1024 */
    int reverse;        /* 1: positions run backwards (CLEAVE_ORDER=reverse, a debugging aid) */
    int sort_by_colour; /* 1: positions inside a block are sorted by thread colour */
    unsigned parts;     /* CLEAVE_PART_ bits: what to build besides blocks, lists and colours */
};

/* Quality and size of a plan, as the papers define them. */
struct plan_metrics {
    int blocks;
    int block_colours;
    int global_colours;    /* 0 unless asked for */
    double thread_colours; /* average per block */
    double reuse;          /* accesses through the maps / sum over blocks of unique points */
    double points;         /* average unique points per block, all lists */
    int max_points;        /* largest of any block, all lists */
    double lines;          /* average 128-byte lines per block of these points, 8 bytes each */
    double shared;         /* points touched by several blocks / points touched */
    double runs;           /* average runs of consecutive points per block; 0 unless asked for */
    double wavefronts;     /* of shared memory: average per 8 lanes that load 16 bytes each, of
                              records an odd multiple of 16 bytes apart; 1 (best) to 8 */
    double fill;           /* elements / (blocks * block_size) */
    double useful_bytes;   /* each point touched once, 8 bytes, and each map entry once, 4 bytes */
    double total_bytes;    /* points, lists and local indices that a staged loop reads */
    double per_own_point;  /* blocks of points: points of all neighbourhoods / own points; else 0 */
    double padding;        /* blocks of points, and items that name points: entries, with padding, /
                              items; else 0 */
    int ranges;            /* of consecutive elements; 0 for all other kinds */
    double border;         /* ranges: elements on borders / elements; else 0 */
    double segment;        /* ranges: average elements of a segment; else 0 */
    double distinct;       /* plans with distinct[]: elements from which 8 consecutive ones modify
                              different points / elements that have so many behind them; else 0 */
    double plan_bytes;     /* of the plan's arrays */
    double seconds;        /* wall time to build */
    struct plan_phases phases;
};

/* Builds a plan of blocks of elements (CLEAVE_PLAN_BLOCKS).
 *   plan       out; owns its arrays: planner_free. It has one list for each map, in their order
 *   metrics    out; may be NULL
 *   elements   0 is legal and gives no blocks
 *   maps       0..CLEAVE_MAX_LISTS
 *   numbering  whose blocks and order the plan takes; NULL: runs of block_size elements */
int planner_build(const struct planner *planner, struct cleave_plan **plan,
                  struct plan_metrics *metrics, int elements, int maps, const struct plan_map *map,
                  const struct plan_numbering *numbering, const struct plan_options *options,
                  char error[PLANNER_ERROR]);
void planner_free(struct cleave_plan *plan);

/* Checks that the plan has the arrays of its parts and every element once; that no two elements of
 * one colour (of blocks, of threads of a block, global) modify one point; that lists are complete,
 * ascending and without repeats; that local indices, gather lists, sums of blocks and runs are
 * right. -1 with the first thing that is wrong. The other checks below work likewise. */
int planner_check(const struct planner *planner, const struct cleave_plan *plan, int elements,
                  int maps, const struct plan_map *map, char error[PLANNER_ERROR]);

/* Builds a plan for points (CLEAVE_PLAN_POINTS); fails, too, if a list has more than INT_MAX items.
 * Otherwise as planner_build. */
int planner_points_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int maps, const struct plan_map *map, char error[PLANNER_ERROR]);
/* Checks that every (element, modified column) is there once, with the point that it names, in
 * order; in lists of maps from other sets, too. */
int planner_points_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int maps, const struct plan_map *map,
                         char error[PLANNER_ERROR]);

/* Builds a plan for blocks of points (CLEAVE_PLAN_OWNERS). Fails, besides as planner_points_build
 * does, if a neighbourhood has more than CLEAVE_MAX_AROUND points or the slices more than INT_MAX
 * entries, as of meshes with points that very many elements name: other variants of the loop do
 * without this plan.
 *   block_size  consecutive points of a block, 1..1024
 *   lanes       threads of a warp of the device that runs it, 1..CLEAVE_MAX_LANES */
int planner_owners_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int block_size, int lanes, int maps, const struct plan_map *map,
                         char error[PLANNER_ERROR]);
/* Checks that neighbourhoods are complete, ascending and without repeats or points that do not
 * belong; that every (element, modified column) is there once, in order, in the lane of the point
 * that it names; that local indices are right and slices no longer than they must be. */
int planner_owners_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int block_size, int lanes, int maps,
                         const struct plan_map *map, char error[PLANNER_ERROR]);
/* Sets blocks (of all lists), points (average neighbourhood), max_points (largest), per_own_point,
 * padding and plan_bytes; the others become 0. */
void planner_owners_measure(const struct cleave_plan *plan, struct plan_metrics *metrics);

/* Builds a plan for points whose items name what elements read (CLEAVE_PLAN_NAMED). Fails, besides
 * as planner_points_build does, if an item would have no words or more than CLEAVE_NAMED_WORDS, if
 * a number and a column do not fit an int, or if the padded items are more than INT_MAX, as with a
 * point that very many elements name in each chunk.
 *   parts  CLEAVE_PART_NUMBERED or not, and CLEAVE_PART_NAMES(m) of maps of the elements through
 *          which nothing is modified */
int planner_named_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                        int maps, const struct plan_map *map, unsigned parts,
                        char error[PLANNER_ERROR]);
/* Checks that every (element, modified column) is there once, in the lane of the point that it
 * names and in order, with the words that it must have; that chunks are no longer than they must
 * be, and that what lies behind a point's last item is padding. */
int planner_named_check(const struct planner *planner, const struct cleave_plan *plan, int elements,
                        int maps, const struct plan_map *map, unsigned parts,
                        char error[PLANNER_ERROR]);
/* Sets padding and plan_bytes; the others become 0. */
void planner_named_measure(const struct cleave_plan *plan, struct plan_metrics *metrics);

/* Builds a plan for colours (CLEAVE_PLAN_COLOURS): global colours by first fit over the elements in
 * their order. Without elements there are no colours; one colour holds all elements if nothing is
 * modified. Otherwise as planner_build. */
int planner_colours_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                          int maps, const struct plan_map *map, char error[PLANNER_ERROR]);
/* Checks that every element is there once, that no two of one colour modify one point and that no
 * colour is empty. */
int planner_colours_check(const struct planner *planner, const struct cleave_plan *plan,
                          int elements, int maps, const struct plan_map *map,
                          char error[PLANNER_ERROR]);
/* Sets global_colours and plan_bytes; the others become 0. */
void planner_colours_measure(const struct cleave_plan *plan, struct plan_metrics *metrics);

struct plan_range_options {
    int least;      /* elements of a range at least, 1 or more */
    int reverse;    /* 1: elements run backwards (CLEAVE_ORDER=reverse, a debugging aid): ranges and
                       blocks begin at the last element, each segment is one element */
    unsigned parts; /* CLEAVE_PART_DISTINCT, or 0 */
};
#define PLANNER_RANGE_ELEMENTS 512 /* `least`, but for tests */

/* Builds a plan for ranges (CLEAVE_PLAN_RANGES). The number of ranges follows from the mesh: as
 * many as leave few elements on borders, at most 128. If even 4 leave more than half of them there,
 * as in a mesh whose neighbours are far apart, there are no ranges, and the plan has coloured
 * blocks of consecutive elements. Without elements there are no blocks. Otherwise as planner_build.
 */
int planner_ranges_build(const struct planner *planner, struct cleave_plan **plan, int elements,
                         int maps, const struct plan_map *map,
                         const struct plan_range_options *options, char error[PLANNER_ERROR]);
/* Checks that every element is there once, that segments ascend and are as long as they can be, or
 * descend and are of one element, that no two blocks of one colour modify one point, that no colour
 * is empty, that colour 0 has the ranges, if there are any, and nothing else, and that distinct[]
 * is right, and is there if `parts` has it (plan_range_options.parts). */
int planner_ranges_check(const struct planner *planner, const struct cleave_plan *plan,
                         int elements, int maps, const struct plan_map *map, unsigned parts,
                         char error[PLANNER_ERROR]);
/* Sets blocks, block_colours, ranges, border, segment, distinct and plan_bytes; the others become
 * 0.
 */
void planner_ranges_measure(const struct cleave_plan *plan, struct plan_metrics *metrics);

/* ---- arrays of a plan ---------------------------------------------------------------------- */

/* Which plans have an array: see cleave_plan.def. */
enum plan_part {
    PLAN_PART_BLOCKS,
    PLAN_PART_COLOURED,
    PLAN_PART_GATHER,
    PLAN_PART_SUMS,
    PLAN_PART_RUNS,
    PLAN_PART_GLOBAL,
    PLAN_PART_ITEMS,
    PLAN_PART_OWNERS,
    PLAN_PART_ENTRIES,
    PLAN_PART_NAMED,
    PLAN_PART_RANGES,
    PLAN_PART_DISTINCT,
    PLAN_PARTS
};

/* One array: a row of cleave_plan.def. */
struct plan_array {
    const char *name; /* "sum_point" */
    size_t offset;    /* of the pointer in struct cleave_plan, or in struct cleave_plan_list */
    int of_list;      /* 1: each list has it */
    size_t element;   /* bytes of an element */
    enum plan_part part;
    int on_host; /* 1: it stays on the host when a device runs the plan */
    /* Its elements. list: NULL unless of_list. The plan is on the host and has the array. */
    size_t (*count)(const struct cleave_plan *plan, const struct cleave_plan_list *list);
};
extern const struct plan_array planner_arrays[]; /* one with name NULL ends them */

/* The array of the plan, or of its list m; NULL if it has none. */
const void *planner_array(const struct plan_array *array, const struct cleave_plan *plan, int m);
void planner_set_array(const struct plan_array *array, struct cleave_plan *plan, int m,
                       const void *data);
/* Its bytes, in a plan on the host; 0 if the plan has none. */
size_t planner_array_bytes(const struct plan_array *array, const struct cleave_plan *plan, int m);

/* Returns what takes the place of an array, which is not NULL. */
typedef const void *planner_replace(void *user, const struct plan_array *array, int m,
                                    const void *data);
/* Replaces all arrays that the plan has: those of the plan, then those of list 0, 1, ... */
void planner_replace_arrays(struct cleave_plan *plan, planner_replace *replace, void *user);

/* FNV-1a over all numbers and arrays of a plan or of a numbering: equal plans, equal hashes. */
uint64_t planner_hash(const struct cleave_plan *plan);
uint64_t planner_numbering_hash(const struct plan_numbering *numbering);

/* ---- cache on disk ------------------------------------------------------------------------- */

/* Numberings are entries of planner->store, of the kind CLEAVE_KEPT_PLANS. One that is damaged, of
 * another mesh or of another version is noted, ignored and replaced. */

/* Sets *key to a hash of all that a numbering depends on: maps, sizes, coordinates, options,
 * whether the library that the method needs is there, and the version of the planner. */
void planner_key(const struct planner *planner, struct store_key *key, int elements, int maps,
                 const struct plan_map *map, const struct plan_coordinates *coordinates,
                 const struct plan_numbering_options *options);
/* The kept numbering of a key, checked, or NULL. `elements` as in the key's mesh. */
struct plan_numbering *planner_cache_read(const struct planner *planner,
                                          const struct store_key *key, int elements);
/* Keeps it, or notes why not; does nothing if the store has no folder. */
void planner_cache_write(const struct planner *planner, const struct store_key *key,
                         const struct plan_numbering *numbering);

#endif
