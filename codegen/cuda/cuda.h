/* cuda.h: what the files of codegen/cuda/ share.
 *
 * A variant is one kernel or several (struct cuda_kernel), and a function that starts them in
 * order. cuda.c has the variants of a loop and the kernels of each, cuda_choice.c which come first
 * and which are made unasked, cuda_variant.c keeps one while it is made, cuda_kernels.c prints a
 * kernel and what starts it, cuda_params.c passes what it needs. Inside kernels: cuda_stages.c is
 * what moves through shared memory, cuda_ahead.c what does while the stage before computes,
 * cuda_packs.c what the runtime has packed for it, cuda_bulk.c what of that arrives by bulk copies,
 * and cuda_space.c where it lies there, cuda_updates.c spells p op= value, cuda_values.c collects
 * what elements add to a dat, cuda_gather.c is how points of a block gather it, cuda_slices.c how
 * they do in slices and cuda_ordered.c in the order of blocks, cuda_transpose.c how warps add it to
 * memory, cuda_global.c how elements of one colour do, cuda_points.c what a point does that gathers
 * from memory, and cuda_owner.c, cuda_items.c, cuda_near.c, cuda_owner_sums.c and cuda_owner_adds.c
 * what one does in a block of points; cuda_changes.c says when what an update adds is known.
 */
#ifndef CLEAVE_CODEGEN_CUDA_H
#define CLEAVE_CODEGEN_CUDA_H

#include "codegen/emit.h"
#include "codegen/template.h"

/* What a kernel is launched over, which decides its skeleton and its first parameters. */
enum cuda_form {
    FORM_ELEMENTS, /* (size, chunk): chunks of elements, no plan */
    FORM_WARPS,    /* likewise, whole warps making the updates */
    FORM_GLOBAL,   /* (element, first, end, chunk): the elements of one colour of the whole set */
    FORM_BLOCKS,   /* (plan, space): all blocks of the plan at once */
    FORM_COLOURS,  /* (plan, space, first): the blocks of one colour */
    FORM_TURNS,    /* (plan, first): likewise in place, thread colour after thread colour */
    FORM_POINTS,   /* (list): a thread for each point of a map's target */
    FORM_OWNERS,   /* (list, block_size, space): likewise, blocks with their neighbourhood */
    FORM_SUMS      /* (list, space): each point adds up the sums that blocks made for it */
};

/* What a kernel is a template over. */
enum cuda_tuned {
    TUNED_NOT,
    TUNED_REGISTERS, /* per thread */
    TUNED_COMPONENTS /* per thread that updates, and registers */
};

/* emit->writer while a kernel is printed. */
struct cuda_kernel {
    const char *name;
    enum cuda_form form;
    const char *what; /* comment above it; of the variant's first kernel it names the variant */
    bool first;       /* of its variant */
    enum cuda_tuned tuned;
    /* Consecutive stages of emit->schedule that it runs; none: it calls the user's kernel whole. */
    int stage;
    int stages;
    int sums;           /* of FORM_SUMS: the first argument of the dat whose sums they are */
    bool whole;         /* the user's kernel is called, not a body that was taken apart */
    bool reduces;       /* writes the blocks' partial reductions */
    bool saves;         /* writes tmp(e) to memory */
    bool loads;         /* its updates read tmp(e) there */
    enum where *place;  /* [args] */
    const char *blocks; /* in its launch */
    const char *shared;
    const char *text; /* what emit_mentions() asks about it */
};

/* cuda_choice.c. Whether the types that the loop updates have atomic operations; whether points can
 * gather as the schedule, two-pass or owner gather, says. */
bool cuda_has_atomics(const struct loop *loop);
bool cuda_can_gather(const struct emit *emit, const struct schedule *schedule);
/* Of the two schedules whose points sum alone, in the order of their elements, the better one. */
int cuda_gather_index(const struct emit *emit);
/* Whether sums of blocks are the best of those that have the same order in every run; whether
 * owners are the best of all. */
bool cuda_prefers_ordered(const struct emit *emit);
bool cuda_prefers_owners(const struct emit *emit);

/* cuda_kernels.c */
const struct cuda_kernel *cuda_kernel(const struct emit *emit);
/* Prints the kernel with its comment; fills `text`. */
void cuda_print_kernel(struct emit *emit, struct cuda_kernel *kernel);
/* Prints NAME_run, which starts the kernels one after the other. */
void cuda_print_run(struct emit *emit, const char *variant, struct cuda_kernel *kernel,
                    int kernels);
/* What an element does: the call, or the body of emit->stage; then tmp(e) is saved. */
void cuda_compute(struct emit *emit);
/* In place: the increments of a kernel that is called whole, added to memory by plain additions. */
void cuda_private_adds(struct emit *emit);
/* Whether the kernel reads or writes values of tmp(e) in memory, at this offset or behind it. */
bool cuda_uses_tmp(struct emit *emit, size_t from);
/* "if (dat != NULL) {" around what an optional argument needs; nothing for others. */
void cuda_open_guard(struct emit *emit, int a);
void cuda_close_guard(struct emit *emit, int a);

/* cuda_params.c: the same list, in the same order, as parameters and as arguments. */
void cuda_params(struct emit *emit);
void cuda_arguments(struct emit *emit);
/* Locals of the function that launches: READ globals and start values, copied at the call. */
void cuda_values(struct emit *emit);

/* cuda_stages.c: the stages of a kernel over blocks. */
void cuda_stages(struct emit *emit);
/* What they mention of the block's points, declared before them. */
void cuda_lists(struct emit *emit);
const char *cuda_type(struct emit *emit, int a);
const struct shape_dat *cuda_dat(const struct emit *emit, int a);
const struct shape_map *cuda_map(const struct emit *emit, int a);
/* "add", "min", "max" */
const char *cuda_operation(enum access access);
/* "double, 4" for whole records of a group, "double, 4, 0, 2" for those of components 0 and 2;
 * where points gather, the stride of records follows the 4. */
const char *cuda_record(struct emit *emit, const struct transfer *transfer);
/* "VIEW = CALL(ARGUMENTS);", without a view the call alone; broken where a line would be too long.
 */
void cuda_print_staging(struct emit *emit, const char *view, const char *call,
                        const char *arguments);
/* "p_x_pedge": the group of argument a. */
const char *cuda_group(struct emit *emit, int a);

/* cuda_ahead.c: of emit->stage where emit->ahead: the copies that begin with it and its views; the
 * wait for its own. */
void cuda_stage_ahead(struct emit *emit);
void cuda_wait_ahead(struct emit *emit);

/* cuda_space.c: offsets of groups in shared memory; every stage begins at byte 0. */
const char *cuda_space_name(struct emit *emit);
const char *cuda_space_offset(struct emit *emit, int stage, int transfer);
/* The same, but without what is before a group in its pack. */
const char *cuda_space_group(struct emit *emit, int stage, int transfer);
/* Bytes of one stage's groups, as an expression of the launching function. */
const char *cuda_space_stage(struct emit *emit, int stage);
void cuda_print_space(struct emit *emit);
/* cuda_reductions.c: holes of kernels. */
void cuda_reduction_copies(struct emit *emit);
void cuda_reductions(struct emit *emit);

/* Bytes of shared memory that reductions exchange values in; 0 without reductions. */
size_t cuda_scratch_bytes(const struct emit *emit);
/* Where in it the flag lies that says whether a block ends last. */
size_t cuda_flag_offset(const struct emit *emit);
/* Offset, in bytes of shared memory, at which a block exchanges the element numbers of an extremum
 * that has a payload: behind the extremum's values. */
size_t cuda_places_offset(const struct emit *emit, const struct arg *arg);

/* cuda_values.c */
/* One dat that is updated through one map. Numbers of columns count the map's columns in use. */
struct cuda_update {
    int arg; /* the first argument of them */
    int components;
    int *component; /* updated ones, ascending */
    int columns;
    int values; /* of an element */
    const char **value;
    int *value_of;  /* [columns * components]; -1: the column modifies nothing */
    bool *negative; /* [columns * components] */
};
/* Of the dat that argument arg updates through its map. The second without values and signs. */
struct cuda_update cuda_find_update(struct emit *emit, int arg);
struct cuda_update cuda_find_components(struct emit *emit, int arg);
/* The first argument of each dat that is updated through a map: number n of the map; -1: no more.
 */
int cuda_update_arg(struct emit *emit, int map, int n);
/* ", 0, 2": which components, where they are not all; else "". */
const char *cuda_components_text(struct emit *emit, const struct cuda_update *update);
/* The direct arguments that the values of updates through a map use, declared once: of those of one
 * dat through one column, or, with arg -1, of all. */
void cuda_update_pointers(struct emit *emit, int map, int arg, int column);

/* cuda_tune.c: turns the variant, whose kernel is a template, into one for each set of parameters:
 * "..._c2" or "..._c2_r64"; of registers alone "..._r128" or, without a cap, its own name. */
void cuda_tune(struct emit *emit, struct emitted_loop *loop, struct emitted *variant);
/* The same for sums of blocks, of which the first set alone is made unasked. */
void cuda_tune_ordered(struct emit *emit, struct emitted_loop *loop, struct emitted *variant);
void cuda_tune_registers(struct emit *emit, struct emitted_loop *loop, struct emitted *variant);

/* cuda_gather.c: update stages where the points of a block gather. */
/* All of the schedule's; staged: stages before them use shared memory. */
void cuda_print_gathers(struct emit *emit, bool staged);
/* Whether a and b components per thread mean the same for all of them (cleave_chunk_of). */
bool cuda_gather_alike(struct emit *emit, int a, int b);
/* Their part of a layout: fields, and the lines that count them. */
void cuda_gather_fields(struct emit *emit);
void cuda_gather_counts(struct emit *emit);
void cuda_gather_list_counts(struct emit *emit);
/* What begins to copy the block's gather lists; nothing for other variants. */
void cuda_gather_lists(struct emit *emit);

/* cuda_unstaged.c: a loop that adds nothing through a map: one thread per element, or in place by
 * colours of blocks and of the whole set. */
void cuda_print_unstaged(struct emit *emit, struct emitted_loop *loop);
/* In place (fused NULL), or the fused schedule: one launch for each colour of the whole set. */
void cuda_print_global_colour(struct emit *emit, struct emitted_loop *loop,
                              const struct schedule *fused);

/* cuda_ordered.c: the same with the sums of blocks in memory, which points add up in the order of
 * the blocks: a variant of a split schedule of one contribution stage, in the place of the next
 * row. */
void cuda_print_ordered(struct emit *emit, struct emitted_loop *loop, const struct schedule *split);
/* Their part of a layout, for emit->ordered. */
void cuda_ordered_fields(struct emit *emit);
void cuda_ordered_counts(struct emit *emit);
/* "(double *)(cleave_sums + cleave_space.sums_p_res_pecell)": those of argument arg's dat. */
const char *cuda_ordered_place(struct emit *emit, int arg);
/* The hole of the kernel that adds them up. */
void cuda_ordered_sums(struct emit *emit);

/* cuda_slices.c: the same with the contribution once for each slice of the components. Whether the
 * schedule's contribution may be computed again, and has components enough. */
bool cuda_slices_fit(struct emit *emit, const struct schedule *split);
void cuda_print_slices(struct emit *emit);
/* cuda_find_update(), of the slice that is being printed, which may have no components; all of it
 * without slices. */
struct cuda_update cuda_find_slice(struct emit *emit, int arg);
/* How many slices there are: 1 without. */
int cuda_slices(const struct emit *emit);

/* cuda_transpose.c: update stages where warps add to memory. */
void cuda_print_transposes(struct emit *emit);
/* Shared memory of a launch, as an expression. */
const char *cuda_transpose_shared(struct emit *emit);
/* Whether a block of any size has enough of it. */
bool cuda_transpose_fits(struct emit *emit);

/* cuda_updates.c */
enum cuda_sink {
    SINK_SHARED,        /* the block's OUT groups, in the element's turn */
    SINK_SHARED_ATOMIC, /* the same, all elements at a time */
    SINK_MEMORY_ATOMIC, /* the dat, all elements at a time */
    SINK_MEMORY,        /* the dat, elements that modify no common point at a time */
    SINK_POINT          /* the point's own components, in registers */
};
/* Updates of the stage, `column` >= 0: only those through this column of the map. */
void cuda_print_updates(struct emit *emit, const struct stage *stage, enum cuda_sink sink,
                        int column);
/* In a block of its own: points, pointers and updates of the stage straight to memory. */
void cuda_memory_updates(struct emit *emit, enum cuda_sink sink);
/* "-f", "-(0.5 * f)" */
const char *cuda_negative(struct emit *emit, const char *value);
/* "cleave_p_res_2": a component that the point keeps in a register. */
const char *cuda_point_register(struct emit *emit, const struct place *place);

/* ---- cuda_variant.c ---------------------------------------------------------------------------
 */

/* A variant on its way: the kernels that it starts, in order. */
struct cuda_variant {
    struct emit *emit;
    struct emitted *emitted;
    struct cuda_kernel *kernel;
    int kernels;
};

/* Begins LOOP_SCHEDULE`how`, in the place of the next row of the table; staged reads until `emit`
 * says otherwise. schedule NULL: LOOP`how`. */
struct cuda_variant cuda_start_variant(struct emit *emit, struct emitted_loop *loop,
                                       const struct schedule *schedule, const char *how,
                                       enum cleave_race race, enum cleave_plan_kind plan);
/* Adds a kernel that runs `stages` of the schedule's stages from `stage` on, and prints nothing
 * yet. */
struct cuda_kernel *cuda_add_kernel(struct cuda_variant *variant, enum cuda_form form, int stage,
                                    int stages, const char *what);
/* Shared memory for the reductions of a variant that has no layout of its own. */
void cuda_add_scratch(struct cuda_variant *variant);
/* Its shared memory has the schedule's layout, which variants share; `print`: this is the first. */
void cuda_use_space(struct cuda_variant *variant, bool print);
/* Prints the kernels that no earlier variant printed, and what starts them all. */
void cuda_finish_variant(struct cuda_variant *variant);

/* cuda_global.c: holes of the skeleton of FORM_GLOBAL, and of its launch. */
void cuda_global_block(struct emit *emit);
void cuda_global_element(struct emit *emit);
void cuda_global_updates(struct emit *emit);
void cuda_global_before(struct emit *emit);
void cuda_global_behind(struct emit *emit);

/* cuda_points.c: holes of the skeleton of FORM_POINTS. */
void cuda_point_load(struct emit *emit);
void cuda_point_item(struct emit *emit);
void cuda_point_updates(struct emit *emit);
void cuda_point_save(struct emit *emit);

/* cuda_owner.c: an owner gather whose stages have as groups what they read through their maps. */
const struct schedule *cuda_owner_schedule(struct emit *emit, const struct schedule *schedule);
/* Holes of the skeleton of FORM_OWNERS. */
void cuda_owner_stage_in(struct emit *emit);
void cuda_owner_stage_in_barrier(struct emit *emit);
void cuda_owner_item(struct emit *emit);

/* cuda_packs.c: packs of the schedule's groups, to emit->pack; returns how many. Whether there are
 * any.
 */
int cuda_packs_make(struct emit *emit, const struct schedule *schedule);
bool cuda_packs_fit(struct emit *emit, const struct schedule *schedule);
/* Whether a group is in a pack; whether it lies in fast memory by itself, or as the first of its
 * pack. */
bool cuda_is_packed(const struct emit *emit, const struct transfer *group);
bool cuda_leads_pack(const struct emit *emit, const struct transfer *group);
/* Its parameter. */
const char *cuda_pack_name(struct emit *emit, const struct pack *pack);
/* Of the first group of a pack: stages the pack by `call`, from byte `offset` of fast memory on,
 * and declares the views of all its groups; for the others nothing. points: what `call` takes last.
 */
void cuda_stage_pack(struct emit *emit, const struct transfer *group, const char *call,
                     const char *offset, const char *points);
/* The number of a copy among those that the variant asks for; a new one gets the next. */
int cuda_derived_number(struct emit *emit, struct emitted_derived wanted);

/* cuda_bulk.c: where emit->bulk, of a kernel with one stage that stages: the arrival; the packs'
 * copies and views, behind a barrier; the wait of a thread that reads them; and their part of a
 * layout, behind all others. */
void cuda_bulk_arrival(struct emit *emit);
void cuda_stage_bulk(struct emit *emit);
void cuda_wait_bulk(struct emit *emit);
void cuda_bulk_fields(struct emit *emit);
void cuda_bulk_counts(struct emit *emit);

/* cuda_items.c: whether a stage of the owner gather reads dats that a copy in the order of its
 * items can stand for. */
bool cuda_items_fit(struct emit *emit, const struct schedule *schedule);
/* place: [args], where a stage's kernel finds its arguments; those that it has as records of their
 * own are changed. */
void cuda_items_places(struct emit *emit, const struct stage *stage, enum where *place);
/* With emit->items: whether the kernel's text mentions the dat's copy, its parameter, and
 * its number among those of the variant, which gets one where it has none. */
bool cuda_items_mentions(struct emit *emit, const struct shape_dat *dat);
const char *cuda_items_name(struct emit *emit, const struct shape_dat *dat);
int cuda_items_number(struct emit *emit, const struct shape_dat *dat);
/* More holes; the last within cuda_owner_item()'s. */
void cuda_items_first(struct emit *emit);
void cuda_items_next(struct emit *emit);
void cuda_items_rest(struct emit *emit);

/* cuda_changes.c: the last statement of the stage's body that may change what an update adds; -1:
 * none does. */
int cuda_last_change(const struct stage *stage, const struct update *update);
/* What an update's variable is set to, where only one statement of the body's own sets it; else
 * NULL. */
const struct expr *cuda_only_value(const struct stage *stage, const struct update *update);
/* Whether another of the body's statements than number `statement` names the variable. */
bool cuda_is_named_besides(const struct stage *stage, const struct var *var, int statement);

/* cuda_near.c: what a stage computes for each point of its neighbourhood (struct near). */
/* Of a point's extra record. */
size_t cuda_near_bytes(const struct stage *stage);
/* The hole behind the barrier that ends staging in; nothing for other stages. */
void cuda_near_points(struct emit *emit);
/* Pointers to the extra records of an element's points, in its braces. */
void cuda_near_records(struct emit *emit);
/* The part of a layout of stage s, behind its groups. */
void cuda_near_fields(struct emit *emit, int s);
void cuda_near_counts(struct emit *emit, int s);

/* cuda_owner_sums.c: the part of a layout of stage s: fields, and the lines that count them. */
void cuda_owner_fields(struct emit *emit, int s);
void cuda_owner_counts(struct emit *emit, int s);
/* More holes. */
void cuda_owner_start(struct emit *emit);
void cuda_owner_save(struct emit *emit);

/* cuda_owner_adds.c: the hole between these two. */
void cuda_owner_body(struct emit *emit);

#endif
