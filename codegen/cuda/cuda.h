/* cuda.h: declarations that the files of codegen/cuda/ share.
 *
 * A variant is one kernel or several (struct cuda_kernel), and a function that starts them in
 * order. Its way from a loop to text:
 *
 *   cuda.c          the schedules of a loop in order of preference, with cuda_choice.c
 *   recipes.c       the variants of a schedule: a table
 *   cuda_variant.c  a variant: its kernels, its shared memory, its row of the loop's table
 *   cuda_kernels.c  a kernel, in one of the forms of cuda_forms.c; cuda_params.c has its parameters
 *   cuda_run.c      the function that starts the variant's kernels
 *   cuda_tune.c     a row of the loop's table for each set of compiled-in parameters
 *
 * Inside kernels: cuda_stages.c moves records through shared memory, which cuda_space.c lays out;
 * cuda_ahead.c does so while the stage before computes, cuda_packs.c from records that the runtime
 * has packed, cuda_bulk.c by bulk copies of these. cuda_updates.c spells p op= value, cuda_values.c
 * collects what elements add to a dat. Updates: cuda_gather.c has the points of a block gather
 * them, cuda_slices.c in slices, cuda_ordered.c in the order of blocks; cuda_transpose.c has warps
 * add them to memory, cuda_global.c the elements of one colour; cuda_points.c has a point gather
 * from memory, cuda_batch.c several items at
 * once, cuda_own.c with its own records in registers, cuda_named.c from items that name what
 * elements read. Blocks of points: cuda_owner.c, cuda_items.c,
 * cuda_point_values.c, cuda_owner_sums.c and cuda_owner_adds.c; cuda_changes.c says when what an
 * update adds is known.
 */
#ifndef CLEAVE_CODEGEN_CUDA_H
#define CLEAVE_CODEGEN_CUDA_H

#include "codegen/cuda/recipes.h"
#include "codegen/emit.h"
#include "codegen/template.h"

/* emit->state while a kernel is printed. */
struct cuda_kernel {
    const char *name;
    enum cuda_form form;
    const char *what; /* comment above it; that of the variant's first kernel names the variant */
    bool first;       /* of its variant */
    enum cuda_tuned tuned;
    /* Consecutive stages of emit->schedule that it runs; none: it calls the user's kernel whole. */
    int stage;
    int stages;
    int sums;              /* FORM_SUMS: the first argument of the dat whose sums it adds up */
    bool whole;            /* the user's kernel is called, not a body that was taken apart */
    bool reduces;          /* writes the blocks' partial reductions */
    bool saves;            /* writes tmp(e) to memory */
    bool loads;            /* its updates read tmp(e) there */
    enum binding *binding; /* [args] */
    const char *blocks;    /* number of blocks, as an expression of its launch */
    const char *shared;
    const char *text; /* the kernel's text, for emit_mentions() */
};

/* cuda_choice.c. Whether the types that the loop updates have atomic operations; whether points can
 * gather in the schedule, a two-pass or an owner gather. */
bool cuda_has_atomics(const struct loop *loop);
bool cuda_can_gather(const struct emit *emit, const struct schedule *schedule);
/* Returns the better one of the two schedules in which points alone add up contributions, in the
 * order of their elements. */
int cuda_gather_index(const struct emit *emit);
/* Whether sums of blocks are the fastest variant with the same order of sums in every run; whether
 * owners are the fastest of all. */
bool cuda_prefers_ordered(const struct emit *emit);
bool cuda_prefers_owners(const struct emit *emit);
/* Whether elements compute next to nothing: points take hardly longer to compute it again than to
 * add it. */
bool cuda_only_adds(const struct emit *emit);
/* Whether all updates are minima and maxima: most do not improve what the point holds, and are left
 * out after a look at it, so that one thread per element is the fastest. */
bool cuda_only_takes_extrema(const struct emit *emit);
/* Whether the loop does nothing but reduce short records of its own elements, which it reads. */
bool cuda_only_reads(const struct emit *emit);
enum cuda_situation cuda_situation_of(struct emit *emit, const struct schedule *schedule);
/* Sets the ranks of the loop's rows when all have been added; runtime/choose/ compares them. */
void cuda_rank(struct emit *emit, struct emitted_loop *loop);

/* cuda_kernels.c */
const struct cuda_kernel *cuda_kernel(const struct emit *emit);
/* Prints the kernel with its comment; fills `text`. */
void cuda_print_kernel(struct emit *emit, struct cuda_kernel *kernel);
/* "template <...>" of a kernel, or of the function that starts it. */
void cuda_print_tuned(struct emit *emit, enum cuda_tuned tuned);
/* cuda_run.c: prints NAME_run, which starts the kernels one after the other. */
void cuda_print_run(struct emit *emit, const char *variant, struct cuda_kernel *kernel,
                    int kernels);
/* Prints an element's work: the call, or the body of emit->stage; then tmp(e) is saved. */
void cuda_compute(struct emit *emit);
/* For loops that work in place: adds the private increments of a kernel called whole to memory,
 * without atomics. */
void cuda_private_adds(struct emit *emit);
/* Whether the kernel reads or writes values of tmp(e) in memory, at this offset or behind it. */
bool cuda_uses_tmp(struct emit *emit, size_t from);
/* "if (dat != NULL) {" and "}" around code for an optional argument; nothing for others. */
void cuda_open_guard(struct emit *emit, int a);
void cuda_close_guard(struct emit *emit, int a);

/* cuda_cost.c: sets the cost of the variant's row from its kernels. */
void cuda_count_cost(struct emit *emit, const struct cuda_kernel *kernel, int kernels);

/* cuda_params.c: the list of a kernel's parameters, and of its arguments in the same order. */
void cuda_params(struct emit *emit);
void cuda_arguments(struct emit *emit);
/* Locals of the function that launches: READ globals and start values, copied at the call. */
void cuda_values(struct emit *emit);
/* Words of the values that a launch of the loop's kernel can wait for on the device; 0: none. */
int cuda_early_words(const struct emit *emit);
/* The wait for them. */
void cuda_early(struct emit *emit);

/* cuda_stages.c: the stages of a kernel over blocks. */
void cuda_stages(struct emit *emit);
/* Declares, before the stages, the lists of the block's points that they mention. */
void cuda_lists(struct emit *emit);
const char *cuda_type(struct emit *emit, int a);
const struct shape_dat *cuda_dat(const struct emit *emit, int a);
const struct shape_map *cuda_map(const struct emit *emit, int a);
/* "add", "min", "max" */
const char *cuda_operation(enum access access);
/* "double, 4" for whole records of a group, "double, 4, 0, 2" for those of components 0 and 2;
 * where points gather, the stride of records follows the 4. */
const char *cuda_record(struct emit *emit, const struct transfer *transfer);
/* "VIEW = CALL(ARGUMENTS);", or the call alone without a view; wrapped where the line is too
 * long. */
void cuda_print_staging(struct emit *emit, const char *view, const char *call,
                        const char *arguments);
/* "p_x_pedge": the group of argument a. */
const char *cuda_group(struct emit *emit, int a);

/* cuda_ahead.c, for stages that are staged while the one before computes: starts emit->stage's
 * copies and declares its views; waits for its own. */
static inline bool cuda_is_ahead(const struct emit *emit)
{
    return cuda_recipe(emit)->staging == STAGING_AHEAD;
}
void cuda_stage_ahead(struct emit *emit);
void cuda_wait_ahead(struct emit *emit);

/* cuda_space.c: offsets of groups in shared memory; every stage begins at byte 0. */
const char *cuda_space_name(struct emit *emit);
const char *cuda_space_offset(struct emit *emit, int stage, int transfer);
/* Offset of the group, without the components that precede it in its pack. */
const char *cuda_space_group(struct emit *emit, int stage, int transfer);
/* The schedule starts a kernel for each stage, with only the shared memory of that stage. */
bool cuda_counts_stages(const struct emit *emit);
/* Bytes of one stage's groups, as an expression of the launching function. */
const char *cuda_space_stage(struct emit *emit, int stage);
void cuda_print_space(struct emit *emit);
/* cuda_reductions.c: holes of kernels. */
void cuda_reduction_copies(struct emit *emit);
void cuda_reductions(struct emit *emit);
/* The two halves of cuda_reductions() in kernels of their own, for a grid of so many blocks that
 * counting them would take long: each must wait until its processor has no stores on their way. */
void cuda_block_partials(struct emit *emit);
void cuda_joins(struct emit *emit);
/* The offset of the flag that says whether a block ends last. */
void cuda_flag(struct emit *emit);

/* Bytes of shared memory that reductions exchange values in; 0 without reductions. */
size_t cuda_scratch_bytes(const struct emit *emit);
/* Returns the offset of the flag that says whether a block ends last. */
size_t cuda_flag_offset(const struct emit *emit);
/* Offset, in bytes of shared memory, at which a block exchanges the element numbers of an extremum
 * that has a payload: behind the extremum's values. */
size_t cuda_numbers_offset(const struct emit *emit, const struct arg *arg);

/* cuda_values.c */
/* One dat that is updated through one map. Numbers of columns count the map's columns in use. */
struct cuda_update {
    int arg; /* the first argument of the dat and map */
    int components;
    int *component; /* updated ones, ascending */
    int columns;
    int values; /* distinct values that an element adds */
    const char **value;
    int *value_of;  /* [columns * components]; -1: the column modifies nothing */
    bool *negative; /* [columns * components] */
};
/* Finds the update of the dat that argument arg modifies through its map; the second function
 * leaves out values and signs. */
struct cuda_update cuda_find_update(struct emit *emit, int arg);
struct cuda_update cuda_find_components(struct emit *emit, int arg);
/* The first argument of dat number n of those that are updated through the map; -1: no more. */
int cuda_update_arg(struct emit *emit, int map, int n);
/* Prints ", 0, 2": the components, if they are not all; else "". */
const char *cuda_components_text(struct emit *emit, const struct cuda_update *update);
/* Declares the direct arguments that values of updates through a map use, each once: updates of
 * argument arg's dat through one column, or, with arg -1, all updates. */
void cuda_update_pointers(struct emit *emit, int map, int arg, int column);

/* cuda_tune.c: turns the variant, whose kernel is a template, into one for each set of parameters.
 * Names: "..._c2" or "..._c2_r64"; for registers alone "..._r128", or its own name without a
 * cap. */
void cuda_tune(struct emit *emit, struct emitted *variant);
/* Leaves out the sets of parameters that only `exhaustive` compiles. */
void cuda_tune_candidates(struct emit *emit, struct emitted *variant);
/* For ordered sums of blocks: by default only the first set is compiled. */
void cuda_tune_ordered(struct emit *emit, struct emitted *variant);
void cuda_tune_registers(struct emit *emit, struct emitted *variant);
void cuda_tune_points(struct emit *emit, struct emitted *variant);
void cuda_tune_batches(struct emit *emit, struct emitted *variant);

/* cuda_gather.c: update stages where the points of a block gather. */
extern const struct cuda_updating cuda_by_gather;
/* Prints all gathers of the schedule. staged: stages before them use shared memory. */
void cuda_print_gathers(struct emit *emit, bool staged);
/* Whether a and b components per thread give the same kernel for all gathers
 * (cleave_components_per_thread). */
bool cuda_gather_alike(struct emit *emit, int a, int b);
/* The gathers' part of a layout: its fields, and the lines that compute them. */
void cuda_gather_fields(struct emit *emit);
void cuda_gather_counts(struct emit *emit);
void cuda_gather_list_counts(struct emit *emit);
/* Prints the start of the copy of the block's gather lists; nothing for other variants. */
void cuda_gather_lists(struct emit *emit);

/* cuda_ordered.c: gathers whose sums stay in memory, until points add them up in the order of the
 * blocks. */
extern const struct cuda_updating cuda_by_ordered;
static inline bool cuda_leaves_sums(const struct emit *emit)
{
    const struct cuda_updating *updating = cuda_recipe(emit)->updating;
    return updating != NULL && updating->sums;
}
struct cuda_variant;
/* The first adds a kernel for each dat that adds up its sums; the second prints the function that
 * counts the bytes of all sums. */
void cuda_ordered_add_sums(struct cuda_variant *variant);
void cuda_ordered_print_bytes(struct cuda_variant *variant);
/* The sums' part of a layout. */
void cuda_ordered_fields(struct emit *emit);
void cuda_ordered_counts(struct emit *emit);
/* "(double *)(cleave_sums + cleave_space.sums_p_res_pecell)": the sums of argument arg's dat. */
const char *cuda_ordered_place(struct emit *emit, int arg);
/* Template hole of the kernel that adds up the sums. */
void cuda_ordered_sums(struct emit *emit);

/* cuda_slices.c: gathers in slices of the components; each slice recomputes the contribution.
 * Whether the schedule's contribution may be recomputed and has enough components. */
bool cuda_slices_fit(struct emit *emit, const struct schedule *split);
void cuda_print_slices(struct emit *emit);
/* cuda_find_update() restricted to the slice that is being printed, which may be empty; without
 * slices, all of it. */
struct cuda_update cuda_find_slice(struct emit *emit, int arg);
/* Returns the number of slices; 1 without slices. */
int cuda_slices(const struct emit *emit);

/* cuda_transpose.c: update stages where warps add to memory. */
extern const struct cuda_updating cuda_by_transpose;
/* Bytes of shared memory of a launch, as an expression. */
const char *cuda_transpose_shared(struct emit *emit);
/* Whether a block of any size has enough shared memory. merges: equal neighbours are joined
 * first. */
bool cuda_transpose_fits(struct emit *emit, bool merges);

/* cuda_rows.c: kernels whose warps move long records of their elements. */
/* Declares cleave_area, where the warp exchanges records. */
void cuda_rows_area(struct emit *emit);
/* Bytes of shared memory of a launch, as an expression. */
const char *cuda_rows_shared(struct emit *emit);

/* cuda_updates.c */
/* Updates of the stage, `column` >= 0: only those through this column of the map. */
void cuda_print_updates(struct emit *emit, const struct stage *stage, enum cuda_sink sink,
                        int column);
/* Prints, in braces, points, pointers and updates of the stage straight to memory. */
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
    struct emitted *row;
    struct cuda_kernel *kernel;
    int kernels;
};

/* Prints the recipe's variant of the schedule (NULL: the kernel is called whole), and adds its rows
 * to the loop's table. */
void cuda_print_variant(struct emit *emit, const struct recipe *recipe,
                        const struct schedule *schedule);
/* The next kernel, of FORM_SUMS, for the dat of argument `arg`. */
struct cuda_kernel *cuda_add_sums(struct cuda_variant *variant, int arg);

/* cuda_global.c: holes of the skeleton of FORM_GLOBAL, and of its launch. */
void cuda_global_block(struct emit *emit);
void cuda_global_element(struct emit *emit);
void cuda_global_updates(struct emit *emit);
void cuda_global_before(struct emit *emit);
void cuda_global_behind(struct emit *emit);

/* cuda_points.c: holes of the skeleton of FORM_POINTS. */
void cuda_point_load(struct emit *emit);
void cuda_point_items(struct emit *emit);
void cuda_point_range(struct emit *emit);
void cuda_point_is_alone(struct emit *emit);
void cuda_point_save(struct emit *emit);

/* cuda_batch.c: how many items of a GATHER stage a point loads at once in recipes with batches; 1:
 * the stage has no batches. */
int cuda_batch_items(struct emit *emit, const struct stage *stage);
/* Whether some stage of the schedule has batches. */
bool cuda_batches_fit(struct emit *emit, const struct schedule *schedule);
/* Holes of cuda_points_batch.tpl. cuda_batch_item() leaves the records' arguments in emit->held for
 * the body behind it. */
void cuda_batch_records(struct emit *emit);
void cuda_batch_load(struct emit *emit);
void cuda_batch_item(struct emit *emit);

/* cuda_own.c: whether the points of a GATHER stage keep their own records in recipes that ask for
 * it; whether those of some stage of the schedule do. */
bool cuda_keeps_own(struct emit *emit, const struct stage *stage);
bool cuda_own_fits(struct emit *emit, const struct schedule *schedule);
/* Holes of cuda_points_own.tpl. cuda_own_item() leaves arguments in emit->held, as
 * cuda_batch_item() does. */
void cuda_own_records(struct emit *emit);
void cuda_own_item(struct emit *emit);

/* cuda_named.c: points whose items name what their elements read (CLEAVE_PLAN_NAMED). Why the
 * schedule cannot have such items; NULL: it can. The CLEAVE_PART_ bits of the plan, and the ints of
 * an item. emit->point_text while a point walks its items. Holes of cuda_points_named.tpl. */
const char *cuda_named_unfit(struct emit *emit, const struct schedule *schedule);
unsigned cuda_named_parts(struct emit *emit, const struct schedule *schedule);
int cuda_named_count(struct emit *emit, const struct schedule *schedule);
/* The stage with the body that an item runs: without the values that its points have computed. */
struct stage cuda_named_elements(struct emit *emit, const struct stage *stage);
const char *cuda_named_point(struct emit *emit, int m, int column);
/* Whether "cleave_mine_q" is the point's record of dat d, as it was before the launch. */
bool cuda_named_holds(struct emit *emit, int d);
/* Whether the thread's point stands for the first side of each item, and for an item of the second
 * one the columns of other maps change places (struct stage.has_alike_sides). */
bool cuda_exchanges(struct emit *emit);
void cuda_named_range(struct emit *emit);
void cuda_named_records(struct emit *emit);
void cuda_named_words(struct emit *emit);
void cuda_named_item(struct emit *emit);

/* cuda_owner.c: returns a copy of an owner gather in which the data that stages read through their
 * maps are groups to stage. */
const struct schedule *cuda_owner_schedule(struct emit *emit, const struct schedule *schedule);
/* Holes of the skeleton of FORM_OWNERS. */
void cuda_owner_stage_in(struct emit *emit);
void cuda_owner_stage_in_barrier(struct emit *emit);
void cuda_owner_item(struct emit *emit);

/* cuda_packs.c: makes packs of the schedule's groups, (*out)[0..], for bulk copies if `bulk`;
 * returns their number. The second: whether there are any. */
int cuda_packs_make(struct emit *emit, const struct schedule *schedule, bool bulk,
                    const struct pack **out);
bool cuda_packs_fit(struct emit *emit, const struct schedule *schedule);
/* Whether a group is in a pack; whether it lies in shared memory by itself, or as the first of its
 * pack. */
bool cuda_is_packed(const struct emit *emit, const struct transfer *group);
bool cuda_leads_pack(const struct emit *emit, const struct transfer *group);
/* Name of the kernel's parameter for the pack. */
const char *cuda_pack_name(struct emit *emit, const struct pack *pack);
/* For the first group of a pack: stages the pack by `call` from byte `offset` of shared memory on,
 * and declares the views of all its groups; nothing for other groups. points: the last argument of
 * `call`. */
void cuda_stage_pack(struct emit *emit, const struct transfer *group, const char *call,
                     const char *offset, const char *points);
/* Number of a copy among those that the variant asks for; adds it if it is new. */
int cuda_copy_number(struct emit *emit, struct emitted_copy wanted);

/* cuda_bulk.c: bulk copies, of a kernel in which one stage stages. Prints the barrier object on
 * which copies arrive; the packs' copies and views, behind a barrier; the wait of a thread that
 * reads them; the fields of a layout, behind all others, and their computation. */
static inline bool cuda_is_bulk(const struct emit *emit)
{
    return cuda_recipe(emit)->staging == STAGING_BULK;
}
void cuda_bulk_arrival(struct emit *emit);
void cuda_stage_bulk(struct emit *emit);
void cuda_wait_bulk(struct emit *emit);
void cuda_bulk_fields(struct emit *emit);
void cuda_bulk_counts(struct emit *emit);

/* cuda_items.c: whether a stage of the owner gather reads dats that can be replaced by copies in
 * the order of its items. */
bool cuda_items_fit(struct emit *emit, const struct schedule *schedule);
/* binding: [args], how a stage's kernel accesses its arguments; becomes BIND_FETCHED for those
 * whose own record an element keeps in a local copy. */
void cuda_items_bindings(struct emit *emit, const struct stage *stage, enum binding *binding);
/* For copies in the order of items: whether the kernel's text mentions the dat's copy; the name of
 * its parameter; its number among the variant's copies, to which it is added if it is new. */
bool cuda_items_mentions(struct emit *emit, const struct shape_dat *dat);
const char *cuda_items_name(struct emit *emit, const struct shape_dat *dat);
int cuda_items_number(struct emit *emit, const struct shape_dat *dat);
/* Holes for copies in the order of items; cuda_owner_item() prints the last. */
void cuda_items_first(struct emit *emit);
void cuda_items_next(struct emit *emit);
void cuda_items_rest(struct emit *emit);

/* cuda_changes.c: number of the last statement of the stage's body that may change the value that
 * an update adds; -1: none does. */
int cuda_last_change(const struct stage *stage, const struct update *update);
/* The value of an update's variable if exactly one statement of the body's outermost block sets it;
 * else NULL. */
const struct expr *cuda_only_value(const struct stage *stage, const struct update *update);
/* Whether a statement of the body other than number `statement` names the variable. */
bool cuda_is_named_besides(const struct stage *stage, const struct var *var, int statement);

/* cuda_point_values.c: values that a stage computes once per point of its neighbourhood (struct
 * point_values). */
/* Returns the bytes of a point's extra record. */
size_t cuda_point_values_bytes(const struct stage *stage);
/* The hole behind the barrier after staging: computes the values; nothing for other stages. */
void cuda_point_values_loop(struct emit *emit);
/* Declares pointers to the extra records of an element's points, in its braces. */
void cuda_point_values_records(struct emit *emit);
/* The extra records' part of the layout of stage s, behind its groups. */
void cuda_point_values_fields(struct emit *emit, int s);
void cuda_point_values_counts(struct emit *emit, int s);

/* cuda_owner_sums.c: the sums' part of the layout of stage s: its fields, and the lines that
 * compute them. */
void cuda_owner_fields(struct emit *emit, int s);
void cuda_owner_counts(struct emit *emit, int s);
/* Template holes owner_start and owner_save: initialise and store each point's sums. */
void cuda_owner_start(struct emit *emit);
void cuda_owner_save(struct emit *emit);
void cuda_owner_is_idle(struct emit *emit);

/* cuda_zeros.c: whether a stage's points go by CLEAVE_ZEROS_KNOWN for dat d, which all of them
 * store then; cleave_variant.starts of the current variant. */
bool cuda_begins_with_zeros(const struct emit *emit, const struct stage *stage, int d);
unsigned long long cuda_starts(const struct emit *emit);
/* Prints " && ..." behind the condition on which points have nothing to do. */
void cuda_unless_zeros(struct emit *emit);
/* Prints the addition of a point's sums of such a dat to memory. */
void cuda_zeros_add(struct emit *emit, int d);

/* cuda_epilogue.c: the template hole behind the sums of loops with epilogues. */
void cuda_epilogue(struct emit *emit);

/* cuda_phases.c: whether a phase increments through a map of the shape; the name of the kernel's
 * parameter that lists the elements which name points through it. */
bool cuda_has_entries(struct emit *emit, int map);
const char *cuda_entries_name(struct emit *emit, const struct shape_map *map);

/* cuda_owner_adds.c: the template hole between these two, which adds up the contributions. */
void cuda_owner_body(struct emit *emit);

#endif
