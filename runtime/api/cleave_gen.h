/* cleave_gen.h: the contract between generated code and the runtime.
 *
 * Generated files (app.cleave.c for OpenMP, app.cleave.cu for CUDA) include this header, describe
 * their loops in the tables below and hand them to cleave_register() or the function of their
 * target, before main starts or when a library is opened. The runtime finds a call's variants by
 * object file (cleave_unit_key), text of the call's arguments and signature, makes the plan that
 * the variant asks for, and calls its `run`. Plain C, valid in C++ and in .cu files; no CUDA types
 * appear here.
 */
#ifndef CLEAVE_GEN_H
#define CLEAVE_GEN_H

#include "cleave_cost.h"
#include "cleave_early.h"
#include "cleave_named.h"
#include "cleave_records.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Members of plans: the rows of cleave_plan.def. */
enum {
    CLEAVE_PLAN_MEMBERS = 0
#define CLEAVE_PLAN_NUMBER(name) +1
#define CLEAVE_LIST_NUMBER(name) +1
#define CLEAVE_PLAN_ARRAY(type, name, part, place, count) +1
#define CLEAVE_LIST_ARRAY(type, name, part, place, count) +1
#include "cleave_plan.def"
};

/* Version of this interface: the runtime refuses units of another version with a message. A new
 * member of a plan changes it; raise the first number when any other struct here changes. */
#define CLEAVE_ABI (26 + 100 * CLEAVE_PLAN_MEMBERS)

/* ---- signature: the pattern of a call's arguments -------------------------------------------- */

/* The properties of an argument that both the compiler and the runtime know. */
struct cleave_sigarg {
    char kind;   /* 'd' direct dat, 'i' indirect, 'v' vector, 'g' global, 'x' index, 'n' info; in a
                    joined loop 'p' dat on the set that the loop's increments go to, which each of
                    its points uses once its sums are complete, and 'q', 'w' as 'i', 'v', but
                    through a map from that set */
    char access; /* 'R' read, 'W' write, 'B' read-write, 'I' inc, 'm' min, 'M' max, 'K'
                    scratch: as declared */
    int dat;     /* position of the first argument with the same dat; -1 if none */
    int map;     /* position of the first argument with the same map; -1 if none */
    int set;     /* in a joined loop: number, from 1 on in order of first use, of the set of the
                    argument's elements, if that is neither the loop's nor its points'; else 0 */
    int index;   /* column; number of columns of a vector; referred argument of 'n' (0-based) */
    int dim;     /* components */
    const char *type; /* "double", "int", ... without ":soa" */
    int optional;     /* 1 for op_opt_arg_*, whatever its flag says at run time */
};

/* Writes the signature of nargs arguments to out (capacity bytes, always terminated).
 * Returns the length it needs, as snprintf does. Shared by the compiler and the runtime. */
int cleave_signature(char *out, size_t capacity, const struct cleave_sigarg *arg, int nargs);

/* ---- plans ----------------------------------------------------------------------------------- */

#define CLEAVE_MAX_LISTS 16   /* distinct maps with staged or coloured arguments in one loop */
#define CLEAVE_MAX_COLUMNS 16 /* columns of one map that a loop uses */

/* The plan that a loop needs: one entry per distinct map, in order of first use by the arguments.
 */
struct cleave_list {
    int arg;                        /* first argument that goes through this map */
    int columns;                    /* how many of its columns the loop uses, ascending */
    int column[CLEAVE_MAX_COLUMNS]; /* which: values of `index` */
    unsigned conflicts;             /* bit c set: data is modified through column[c] */
};

/* Blocks hold at most 1024 elements and a map has at most 16 columns in use, so an item fits 14
 * bits, and all indices inside a block fit 16. */
#define CLEAVE_GATHER_ITEM(position, column) ((unsigned short)((column) << 10 | (position)))
#define CLEAVE_GATHER_POSITION(item) ((item) & 1023)
#define CLEAVE_GATHER_COLUMN(item) ((item) >> 10)

#define CLEAVE_MAX_AROUND 65535 /* points in the neighbourhood of one block of points */
#define CLEAVE_MAX_LANES 64     /* threads of one warp */
#define CLEAVE_MAX_DISTINCT 16  /* elements that a core computes at once */

/* The points that one map of a loop reaches. The rows of cleave_plan.def say what each member is.
 */
struct cleave_plan_list {
#define CLEAVE_LIST_NUMBER(name) int name;
#define CLEAVE_LIST_ARRAY(type, name, part, place, count) const type *name;
#include "cleave_plan.def"
};

/* An execution plan. The rows of cleave_plan.def say what each member is. */
struct cleave_plan {
#define CLEAVE_PLAN_NUMBER(name) int name;
#define CLEAVE_PLAN_ARRAY(type, name, part, place, count) const type *name;
#include "cleave_plan.def"
    int lists; /* as many as the loop asked for, in its order */
    struct cleave_plan_list list[CLEAVE_MAX_LISTS];
};

/* ---- launches -------------------------------------------------------------------------------- */

/* One call of a loop, as a variant sees it. "Target memory" is the host for OpenMP, the device for
 * CUDA. Arrays are indexed by argument position and borrowed for the duration of `run`. */
struct cleave_launch {
    int size; /* elements of the iteration set; 0 is legal */
    /* Elements to run: begin <= e < end, at least one unless the set is empty. Variants of
     * CLEAVE_PLAN_NONE run any such range; a plan is for the whole set: 0 and size for all others.
     */
    int begin;
    int end;
    int blocks; /* blocks of elements to run: those of CLEAVE_PLAN_BLOCKS and CLEAVE_PLAN_RANGES; of
                   CLEAVE_PLAN_COLOURS the sum of ceil(elements / block_size) over the colours; else
                   ceil((end - begin) / block_size) */
    int block_size;    /* elements (or points) per block, at most. A GPU block is launched with as
                          many threads, rounded up to whole warps */
    void *const *data; /* dats: base in target memory, NULL when an optional argument is off;
                          globals: the user's variable, on the host, for READ and as the start of
                          MIN and MAX */
    const int *const
        *map; /* base of the map in target memory: row e starts at e*dim; NULL if direct */
    const int *map_dim; /* columns of that map */
    /* number[a][x], in target memory: the user's number of element x, for op_arg_idx and
     * op_arg_info; for op_arg_idx through a map, of point x. NULL if the runtime keeps the user's
     * numbering. */
    const int *const *number;
    void *const *partial; /* globals with INC, MIN, MAX, and op_arg_info: [blocks*dim] in target
                             memory, to be written by every block: partial[b*dim + d]. OpenMP: the
                             runtime joins them in the order of b; CUDA: see result. NULL for all
                             others */
    /* Extrema with op_arg_info: [blocks*dim] in target memory, beside partial: the user's number of
     * the element at which the block found each component; -1: at none, the start value and the
     * user's payload stay. NULL for all others. */
    int *const *best_elements;
    const struct cleave_plan *plan; /* NULL for CLEAVE_PLAN_NONE */
    void *tmp; /* [tmp_bytes * size] target memory for tmp(e), or [sums_bytes(plan)] for the sums of
                  blocks, aligned to 16 bytes; its content is not kept between calls; NULL when the
                  variant needs none */
    size_t shared_bytes; /* dynamic shared memory per block; 0 for OpenMP */
    void *stream;        /* cudaStream_t; NULL for OpenMP */
    /* CUDA: for each partial, the value into which the last block combines those of all blocks:
     * [dim] in host memory that kernels write. The runtime joins it with the user's variable. NULL
     * for OpenMP. */
    void *const *result;
    int *const *result_elements; /* CUDA: [dim], the element numbers that belong to result */
    /* CUDA, loops with reductions, even if all are off: number of blocks that have written their
     * partials, in target memory; 0 before and after the loop. Else NULL. */
    unsigned *arrived;
    /* CUDA, where the runtime waits for results: host memory that holds 0 when the loop is
     * launched. The last block writes 1 there after the results, and the host need not ask the
     * driver. Else NULL. */
    unsigned *done;
    /* CUDA: elements from one component to the next for dats that the variant reads as structures
     * of arrays (cleave_variant.soa): component c of point p at c*stride + p; 0 for all others. */
    const int *stride;
    /* CUDA: [variant.copies] the copies of dats that cleave_variant.copy describes, in target
     * memory, aligned to 16 bytes. NULL if the variant has none. */
    const void *const *copy;
    /* CUDA: for arguments of kind 'p' that modify a dat which the loop also reads through a map, or
     * that a member which runs ahead of its call modifies (cleave_group.ahead): the second buffer
     * of the dat, in target memory, an array of structures. Every record of it is written, and the
     * runtime then exchanges both buffers. NULL for all others, and in loops that have none. */
    void *const *next;
    /* CUDA: CLEAVE_ZEROS_ bits, equal for arguments that name one dat. NULL: all 0. */
    const unsigned char *zeros;
    int one_thread; /* OpenMP: 1: the calling thread runs the loop, 0: all threads. CUDA: 0 */
    int lane_bytes; /* OpenMP, variants with lanes: bytes of a register, 16, 32 or 64, which the
                       machine has; 0 for all others */
    struct cleave_early early; /* CUDA, where cleave_variant.early is not 0; else all 0 */
};

/* The rows of cleave_words.def give the meaning of each value of this and the next enums. */
enum cleave_schedule {
#define CLEAVE_SCHEDULE_KIND(name, meaning) CLEAVE_##name,
#include "cleave_words.def"
};

/* How a variant resolves races between elements that modify one point. */
enum cleave_race {
#define CLEAVE_RACE(name, word, sums, meaning) CLEAVE_RACE_##name,
#include "cleave_words.def"
};

/* How a kernel over blocks, of elements or of points, reads through maps. */
enum cleave_reads {
#define CLEAVE_READS(name, word, meaning) CLEAVE_READS_##name,
#include "cleave_words.def"
};

enum cleave_plan_kind {
#define CLEAVE_PLAN_KIND(name, meaning) CLEAVE_PLAN_##name,
#include "cleave_words.def"
};

/* Parts of a plan that only some variants need. */
enum {
    CLEAVE_PART_GATHER = 1,   /* cleave_plan_list.gather */
    CLEAVE_PART_RUNS = 2,     /* cleave_plan_list.run_point */
    CLEAVE_PART_GLOBAL = 4,   /* cleave_plan.global_element */
    CLEAVE_PART_SUMS = 8,     /* cleave_plan_list.sum_place, beside CLEAVE_PART_GATHER */
    CLEAVE_PART_DISTINCT = 16 /* cleave_plan.distinct */
};

/* One component of a packed record. */
struct cleave_packed {
    int arg;       /* an argument that names the dat */
    int component; /* of the dat's record */
};

/* A copy on the device that a variant reads instead of dats which the loop only reads. The runtime
 * makes it, and remakes it after a dat has changed. There are two kinds:
 *   items   one dat, in the order in which the blocks of a CLEAVE_PLAN_OWNERS plan list read it: a
 *           record for each entry of cleave_plan_list.slice_element, zeros for padding;
 *           cleave_item_offset() of runtime/device/items.cuh gives the address of a component
 *   packed  components of dats of one set and one type: record e of the set's elements begins at
 *           e*dim, and part[k] names its component k < parts */
struct cleave_dat_copy {
    int arg;  /* the first argument that names the dat, or the first dat */
    int list; /* items: of the variant's plan; packed: -1 */
    int dim;  /* packed: components from one record to the next, at least parts; else 0 */
    int parts;
    const struct cleave_packed
        *part; /* [parts] each dat's components side by side; NULL for items */
};

struct cleave_variant {
    /* Name of the kernel for profilers, "res_calc_split2_colour", with its compiled-in parameters:
     * "..._c2" components per thread that updates, "..._r64" registers per thread at most. */
    const char *name;
    enum cleave_schedule schedule;
    int cuts; /* contribution stages of CLEAVE_SPLIT, 1 or more; else 0 */
    enum cleave_race race;
    enum cleave_plan_kind plan;
    size_t tmp_bytes; /* bytes of tmp(e) in memory, per element; 0: none */
    /* Dynamic shared memory of one block for this plan, or for none: plan is NULL when the variant
     * asks for no plan (host arithmetic only). NULL: none. */
    size_t (*shared_bytes)(const struct cleave_plan *plan);
    /* Starts the loop. CUDA: asynchronous on launch->stream. */
    void (*run)(const struct cleave_launch *launch);
    /* For CLEAVE_RACE_GATHER, CLEAVE_RACE_ORDERED and CLEAVE_OWNER_GATHER. */
    enum cleave_reads reads;
    unsigned parts;     /* CLEAVE_PART_ bits that it needs of its plan */
    const void *kernel; /* CUDA: a kernel that it starts, to ask for its registers; else NULL */
    /* CUDA: [args] layout in which it reads the argument's dat: 1: structure of arrays, 0: array of
     * structures, or no dat. Equal for arguments that may name the same dat. NULL: all 0. */
    const unsigned char *soa;
    int copies; /* CUDA: copies that it reads: cleave_launch.copy */
    const struct cleave_dat_copy *copy;
    /* CLEAVE_RACE_ORDERED: bytes of cleave_launch.tmp for this plan (host arithmetic only);
     * tmp_bytes is 0 then. NULL: tmp_bytes for each element. */
    size_t (*sums_bytes)(const struct cleave_plan *plan);
    const struct cleave_cost *cost; /* NULL: not known */
    int components; /* CUDA: values that a thread sums up where points of a block gather; else 0 */
    /* Rank among the variants of its schedule on a large mesh, if no setting names a race: 0 is the
     * best, 1 the next best, CLEAVE_WORST_RANK all others. Between equal ranks the first variant of
     * the loop wins. */
    int rank;
    int lanes; /* OpenMP: computes several elements at once: the sum of the registers' bytes that it
                  is compiled for, of 16, 32 and 64; 0: one after the other; CUDA: 0 */
    int early; /* CUDA: words of globals that it can wait for on the device; else 0 */
    unsigned long long starts; /* CUDA: bit a: goes by CLEAVE_ZEROS_KNOWN for argument a */
};
enum { CLEAVE_WORST_RANK = 2 };

/* A request for a copy that a struct cleave_dat_copy describes; for packed records, for the
 * components that come from one dat. */
struct cleave_copy_request {
    void *to; /* target memory; items: lanes * rows * dim components, at a multiple of 16 bytes;
                 packed: where the part goes of the first record, to_dim apart in the others */
    const void *from; /* the dat */
    int dim;          /* components of its records, at least 1 */
    int stride; /* 0: `from` is an array of structures; else elements from one component to the
                   next of a structure of arrays */
    size_t component;   /* bytes: 1, 4 or 8 */
    int rows;           /* cleave_plan_list.rows */
    const int *element; /* target memory, cleave_plan_list.slice_element; -1: zeros; NULL: packed */
    void *stream;       /* cudaStream_t */
    /* For packed records: components first..first+components-1 of the dat's `count` records, and
     * `padding` zeros behind them, so that a copy of the whole record reads only bytes that were
     * written. */
    int count;
    int first;
    int components;
    int padding;
    int to_dim;
};

/* A request to convert a dat on the device from an array of structures (component c of record p at
 * p*dim + c) to a structure of arrays (at c*stride + p), or back. */
struct cleave_relayout {
    void *to; /* target memory; what lies behind a component's `count` records is left as it is */
    const void *from;
    int to_soa;       /* 1: `to` is the structure of arrays; 0: `from` is */
    int count;        /* records, at least 1 */
    int dim;          /* components of a record, at least 1 */
    int stride;       /* of the structure of arrays, at least count */
    size_t component; /* bytes: 1, 4 or 8 */
    void *stream;     /* cudaStream_t */
};

/* A request to put records on the device in another order: record i of `to` becomes record index[i]
 * of `from`. */
struct cleave_permutation {
    void *to; /* target memory, as all pointers but the stream */
    const void *from;
    const int *index;  /* [count] a permutation; NULL: the order stays */
    int count;         /* records, at least 1 */
    int words;         /* of a record, at least 1 */
    size_t word;       /* bytes of a word: 1 or 4 */
    const int *number; /* NULL, or words of 4 bytes are numbers: n becomes number[n] */
    void *stream;      /* cudaStream_t */
};

/* A constant that generated code keeps a copy of. */
struct cleave_constant {
    const char *name; /* the user's variable */
    const char *type; /* "double", ... */
    int dim;          /* components; 0: a pointer to as many as op_decl_const gives */
    size_t bytes;
    int external; /* 1: any unit may declare it; 0: only this unit */
    /* Copies `bytes` bytes from the host: the value, or the pointer to a copy in target memory. */
    void (*set)(const void *value);
    /* 1: no op_decl_const gives the value; the program initialises the variable before main, in the
     * object that the unit is joined with. */
    int in_object;
    const void *object; /* its value there; NULL: the host compiler has left it out */
};

/* An op_arg_info: values of the element at which an extremum is attained. */
struct cleave_payload {
    int arg;
    int dim;
    const int *component; /* [dim] component of the extremum that it belongs to; -1: never set */
};

/* An OP_MIN or OP_MAX global with op_arg_info. If several elements attain the extremum, the payload
 * comes from the one with the lowest number in the user's numbering, with `last` the highest. */
struct cleave_extremum {
    int arg;
    int last;
    int payloads;
    const struct cleave_payload *payload;
};

/* A stage of a schedule, for reports. */
struct cleave_stage {
    enum cleave_schedule schedule; /* with `cuts`: the variants that run it */
    int cuts;
    const char *name;   /* "contribution 1" */
    int staged_bytes;   /* in shared memory, for each unique point of a block */
    const char *staged; /* "p_x[0..1] +p_res[0..3]" (+: data that it adds to), or "nothing" */
};

struct cleave_loop {
    const char *call;      /* the text of the call's arguments, from the preprocessor */
    const char *signature; /* cleave_signature() of the arguments it was compiled for */
    const char *kernel;    /* the user's kernel, for messages */
    const char *location;  /* "airfoil.c:120" */
    /* NULL, or the reason why there are no variants and the sequential reference runs. */
    const char *sequential_reason;
    int lists;
    const struct cleave_list *list;
    int constants; /* indices into the unit's constants */
    const int *constant;
    int variants; /* in order of preference */
    const struct cleave_variant *variant;
    int extrema;
    const struct cleave_extremum *extremum;
    /* NULL: the kernel does what the call declares. Else a letter per argument, as
     * cleave_sigarg.access has them: what the kernel really does. An OP_RW that is only added to is
     * 'I', one that is never written 'R', an OP_WRITE that is read first 'B'. The signature has
     * what the call declares. */
    const char *access;
    int prints; /* 1: its kernel may call printf */
    /* CUDA: the stages of each schedule that has variants: those of one schedule side by side, in
     * the order in which they run. OpenMP: none, since loops on the host stage nothing. */
    int stages;
    const struct cleave_stage *stage;
    /* CUDA: variants that were not compiled, as --cleave-emit=candidates would have them: name,
     * schedule, cuts, race, plan, tmp_bytes, reads, parts, soa and rank say what they are; run,
     * kernel and the functions are NULL, copies 0. runtime/jit/ compiles them from
     * cleave_unit.source_text. */
    int further;
    const struct cleave_variant *further_variant;
};

/* Text from which further variants of a unit's loops are compiled while a program runs. The packed
 * content is an archive: for each file a line "NAME BYTES\n" and its bytes. The first is the text;
 * the others are the headers of cleave that it includes, with their folders. Compiled with
 * CLEAVE_LOOP defined as the number of a loop, the text has the further variants of that loop
 * alone, in a struct cleave_unit named CLEAVE_FURTHER_UNIT, whose key is NULL. */
struct cleave_source_text {
    const unsigned char *packed; /* by zlib's compress() */
    size_t packed_bytes;
    size_t bytes; /* unpacked */
    /* The compiler's command: words, each ended by '\0', and an empty one at the end. It runs in a
     * folder that holds the files of the archive and makes CLEAVE_FURTHER_LIBRARY there. "@arch@"
     * in a word stands for the architecture of the device ("90"), "@loop@" for the loop's number.
     */
    const char *command;
    const char *version; /* of the cleavecc that made it */
};
#define CLEAVE_FURTHER_UNIT "cleave_further_unit"
#define CLEAVE_FURTHER_LIBRARY "further.so"

#define CLEAVE_MAX_MEMBERS 8 /* loops of one group */

/* A loop of a group. */
struct cleave_member {
    int loop;       /* number in cleave_unit.loop */
    const int *arg; /* [args of that loop] position of each argument among the joined loop's; equal
                       for arguments of the group that are one and the same there. NULL: the loop
                       is no part of the joined loop, and is launched by itself before it */
};

/* Loops that one kernel may run, that of the joined loop, if they are called one after the other,
 * in the order of the members. The signature of the joined loop is that of its arguments, which are
 * those of the members: the runtime computes it from the members' calls, and runs the members one
 * by one if it differs. Reductions are in the last member only. */
struct cleave_group {
    int loop; /* the joined loop: number in cleave_unit.loop. Its `call` begins with '\001', so that
                 no call site has that text; its `kernel` is the name of the group, "save+adt" */
    int members; /* 2 to CLEAVE_MAX_MEMBERS */
    const struct cleave_member *member;
    /* 1: the joined loop computes the same bits as its members, if sums are added in one order; 0:
     * the compiler cannot tell, as where members have quotients in common. */
    int exact;
    /* 1: behind its members, member[members] is a loop without globals that the joined loop
     * computes for the arguments of its latest call: into cleave_launch.next, valid if nothing that
     * the loop reads has changed when it is called. The members are a group without it, too. */
    int ahead;
    int tame; /* 1: whatever its dats hold, it ends, and reads nothing beyond the end of anything */
};

enum cleave_target {
#define CLEAVE_TARGET(name, word, spelling, lanes, block_size, builder, meaning)                   \
    CLEAVE_TARGET_##name,
#include "cleave_words.def"
    CLEAVE_TARGETS
};

/* Defined by the user's part of the object that the generated code is joined with (op_lib_loop.h).
 */
struct cleave_unit_key;
extern const struct cleave_unit_key cleave_unit_key __attribute__((visibility("hidden")));

/* A launch in a graph that was made; both are the target's own. */
struct cleave_graph_launch {
    void *graph;
    void *launch;
};

/* All loops of one translation unit for one target. Static storage: kept by reference. */
struct cleave_unit {
    int abi; /* CLEAVE_ABI */
    enum cleave_target target;
    const char *id;     /* the key must have it: else parts of two compilations were joined */
    const char *source; /* path, for messages */
    int loops;
    const struct cleave_loop *loop;
    int constants;
    const struct cleave_constant *constant;
    /* CUDA, units whose variants want structures of arrays: copies on its stream; else NULL. */
    void (*relayout)(const struct cleave_relayout *relayout);
    /* CUDA, units whose variants want copies: starts to make one on its stream; else NULL. */
    void (*make_copy)(const struct cleave_copy_request *request);
    const struct cleave_unit_key *key; /* &cleave_unit_key: that of the calls in the same object */
    /* CUDA: returns why a launch of this unit failed, or NULL. Each program and library has its own
     * CUDA runtime, which alone knows the launches from there. OpenMP: NULL. */
    const char *(*launch_error)(void);
    /* CUDA: starts to permute records, asynchronous on its stream; else NULL. */
    void (*permute)(const struct cleave_permutation *permutation);
    /* Text of the loops' further variants; NULL: there are none. */
    const struct cleave_source_text *source_text;
    int groups; /* of loops of this unit; 0 in units of further variants */
    const struct cleave_group *group;
    /* CUDA: until it is called with NULL, launches of this unit start nothing, but give their
     * parameters to that launch. OpenMP: NULL. */
    void (*change_graph)(const struct cleave_graph_launch *launch);
    /* CUDA: [loops]; NULL: none of them does anything that it could say. */
    const struct cleave_records *records;
    int tiled; /* sequences that may run tile by tile (cleave_tiled.h); CUDA: 0 */
    const struct cleave_tiled *tiled_calls;
};

/* Called before main, or when a library is opened. Never fails: op_init reports problems. */
void cleave_register(const struct cleave_unit *unit);

/* Called when a library is closed: afterwards no pointer of the runtime leads into it. */
void cleave_unregister(const struct cleave_unit *unit);

/* cleave_register() for CUDA units: in the CUDA part, which programs without one do not link. */
void cleave_register_cuda(const struct cleave_unit *unit);

#ifdef __cplusplus
}
#endif
#endif
