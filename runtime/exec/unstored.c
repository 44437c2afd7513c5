/* unstored.c: which stores a joined loop leaves out, because the member that computes the values
 * can run again, and who has them computed (mesh/unstored.c).
 *
 * Every launch of a joined loop leaves a recipe for each member whose values the compiler says can
 * be recomputed (CLEAVE_RECORD_RECOMPUTABLE). The calls of the program then tell what becomes of
 * its dats. An ingredient that is modified before the products are replaced is copied before the
 * launch starts, where that costs a quarter of what the stores do, or less. */
#include "runtime/exec/group.h"

/* A copy is read and written: it is worth it below this part of the bytes that it spares. */
enum { COPIED_PART = 4 };

/* ---- what a call does to dats ------------------------------------------------------------- */

void cleave_unstored_before(const struct cleave_call *call)
{
    if (cleave_recipes == NULL) {
        return;
    }
    CLEAVE_HOLD_DATS;
    for (int a = 0; a < call->args; a++) {
        struct cleave_dat *dat =
            cleave_arg_uses_dat(&call->arg[a]) ? cleave_dat_of(call->arg[a].dat) : NULL;
        if (dat != NULL && dat->buffers.recipe != NULL && cleave_launch_replaces(call, a)) {
            cleave_recipe_replaced(dat);
        }
    }
    cleave_recipes_part();
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a])) {
            struct cleave_dat *dat = cleave_dat_of(call->arg[a].dat);
            if (dat->buffers.recipe != NULL) {
                cleave_recipe_read(dat);
            }
            if (dat->buffers.needed > 0 && call->arg[a].acc != OP_READ) {
                cleave_recipe_changes(dat);
            }
        }
    }
}

static void run_again(struct cleave_call *call)
{
    const char *reason = NULL;
    struct cleave_launcher *launcher = cleave_launch_prepare(call, NULL, NULL, &reason);
    if (launcher == NULL || launcher->choice.device == NULL) {
        cleave_fatal("loop '%s' (%s:%d) can no longer run on %s, where it has to compute values "
                     "again that were not stored: run with CLEAVE_FUSE=called",
                     call->name, call->site->file, call->site->line, cleave_device->device());
    }
    cleave_turn_prepared(launcher);
    launcher->launch.stream = cleave_device->stream();
    cleave_device->range(call->record->kernel);
    launcher->choice.variant->run(&launcher->launch);
    cleave_device->range(NULL);
    const char *error = cleave_launch_failure(launcher->choice.unit->unit);
    if (error != NULL) {
        cleave_fatal("loop '%s' (%s:%d): '%s' failed on %s: %s", call->name, call->site->file,
                     call->site->line, launcher->variant, cleave_device->device(), error);
    }
    if (launcher->candidate >= 0) {
        cleave_tune_missed(launcher->trials, launcher->candidate);
    }
}

void cleave_unstored_start(void)
{
    cleave_recipes_run_by(run_again);
}

/* ---- members that can run again ------------------------------------------------------------ */

/* A member of a group that is about to be launched. */
struct cooking {
    const struct cleave_group *group;
    struct cleave_call *const *call; /* [members] */
    struct cleave_call *joined;
    struct cleave_launcher *launcher; /* of the joined loop */
    int member;
};

static int modifies(const struct cleave_call *call, op_dat dat)
{
    int any = 0;
    for (int a = 0; a < call->args; a++) {
        any |= cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].dat == dat &&
               call->arg[a].acc != OP_READ;
    }
    return any;
}

/* How many arguments name the dat. */
static int names(const struct cleave_call *call, op_dat dat)
{
    int count = 0;
    for (int a = 0; a < call->args; a++) {
        count += cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].dat == dat;
    }
    return count;
}

/* 1: no member from `first` on modifies the dat. */
static int stays_from(const struct cooking *cooking, int first, op_dat dat)
{
    int same = 1;
    for (int m = first; m < cooking->group->members; m++) {
        same = same && !modifies(cooking->call[m], dat);
    }
    return same;
}

/* 1: neither the member nor a later one modifies the dat. */
static int stays(const struct cooking *cooking, op_dat dat)
{
    return stays_from(cooking, cooking->member, dat);
}

/* 1: the kernel uses no constant that the program could change without a word. */
static int has_declared_constants(const struct cleave_unit *unit, const struct cleave_loop *loop)
{
    int declared = !loop->prints;
    for (int c = 0; c < loop->constants; c++) {
        declared = declared && !unit->constant[loop->constant[c]].in_object;
    }
    return declared;
}

static int place(const struct cooking *cooking, int a)
{
    return cooking->group->member[cooking->member].arg[a];
}

static unsigned bits(const struct cooking *cooking, int a)
{
    return cooking->launcher->records[place(cooking, a)];
}

/* 1: the member replaces the dat of argument a, and no later one modifies it: its values are what
 * the launch leaves, and the dat has no other recipe of this launch. */
static int is_replaced_last(const struct cooking *cooking, int a)
{
    const struct cleave_call *call = cooking->call[cooking->member];
    op_dat dat = call->arg[a].dat;
    return call->arg[a].acc == OP_WRITE && names(call, dat) == 1 &&
           stays_from(cooking, cooking->member + 1, dat);
}

/* 1: the member passes on values that it can compute again. */
static int can_repeat(const struct cooking *cooking)
{
    const struct cleave_call *call = cooking->call[cooking->member];
    const struct cleave_unit *unit = cooking->launcher->choice.unit->unit;
    int can =
        cooking->group->member[cooking->member].arg != NULL &&
        has_declared_constants(unit, &unit->loop[cooking->group->member[cooking->member].loop]);
    unsigned any = 0;
    for (int a = 0; a < call->args && can; a++) {
        const op_arg *arg = &call->arg[a];
        can = cleave_arg_uses_dat(arg) && cleave_recipe_may_name(cleave_dat_of(arg->dat)) &&
              (arg->acc == OP_READ ? stays(cooking, arg->dat) : is_replaced_last(cooking, a));
        any |= arg->acc != OP_READ ? bits(cooking, a) : 0;
    }
    return can && (any & CLEAVE_RECORD_RECOMPUTABLE) != 0;
}

/* ---- recipes --------------------------------------------------------------------------------- */

/* 1: no argument of the call before this one names its dat. */
static int is_first(const struct cleave_call *call, int a)
{
    int first = 1;
    for (int b = 0; b < a; b++) {
        first = first && call->arg[b].dat != call->arg[a].dat;
    }
    return first;
}

/* 1: the values of argument a's dat have not been needed lately, and the launch can leave them out.
 */
static int can_leave(const struct cooking *cooking, int a, const struct cleave_fate *fate)
{
    const struct cleave_dat *dat = cleave_dat_of(cooking->call[cooking->member]->arg[a].dat);
    return (bits(cooking, a) & CLEAVE_RECORD_RECOMPUTABLE) != 0 &&
           cooking->launcher->zeros[place(cooking, a)] == 0 && !cleave_dat_is_shared(dat) &&
           !cleave_arg_is_doubled(cooking->joined, place(cooking, a)) &&
           fate->replaced >= CLEAVE_FATE_SURE && fate->recomputed < CLEAVE_FATE_VAIN;
}

static struct cleave_recipe *recipe_for(const struct cooking *cooking)
{
    struct cleave_call *call = cooking->call[cooking->member];
    struct cleave_recipe *recipe = cleave_recipe_new(call, call->args, call->args);
    for (int a = 0; a < call->args; a++) {
        struct cleave_dat *dat = cleave_dat_of(call->arg[a].dat);
        struct cleave_fate *fate = &cooking->joined->fate[place(cooking, a)];
        if (call->arg[a].acc != OP_READ) {
            recipe->product[recipe->products++] = (struct cleave_product){
                .dat = dat, .fate = fate, .is_unstored = can_leave(cooking, a, fate)};
        } else if (is_first(call, a)) {
            recipe->ingredient[recipe->ingredients++] =
                (struct cleave_ingredient){.dat = dat, .fate = fate};
        }
    }
    return recipe;
}

/* Bytes of what is not stored, less those of copies for that, times COPIED_PART. */
static double bytes_spared(const struct cleave_recipe *recipe)
{
    double bytes = 0.0;
    for (int p = 0; p < recipe->products; p++) {
        const struct cleave_product *product = &recipe->product[p];
        bytes += product->is_unstored ? (double)cleave_dat_bytes(&product->dat->core) : 0.0;
    }
    for (int i = 0; i < recipe->ingredients; i++) {
        const struct cleave_ingredient *ingredient = &recipe->ingredient[i];
        bytes -= ingredient->fate->changes
                     ? COPIED_PART * (double)cleave_dat_bytes(&ingredient->dat->core)
                     : 0.0;
    }
    return bytes;
}

/* 1: the dat is left out by an earlier member of the launch. */
static int is_left(struct cleave_recipe *const *recipe, int count, const struct cleave_dat *dat)
{
    int left = 0;
    for (int r = 0; r < count; r++) {
        for (int p = 0; p < recipe[r]->products; p++) {
            left |= recipe[r]->product[p].dat == dat && recipe[r]->product[p].is_unstored;
        }
    }
    return left;
}

/* Takes a buffer for a copy of the ingredient as the launch finds it. 0: it cannot be had, or would
 * not be what the member reads. */
static int keep_ingredient(const struct cooking *cooking, struct cleave_ingredient *ingredient)
{
    const struct cleave_call *call = cooking->call[cooking->member];
    struct cleave_dat *dat = ingredient->dat;
    int can = !dat->soa && dat->buffers.kept == NULL && stays_from(cooking, 0, &dat->core);
    for (int a = 0; a < call->args; a++) {
        can = can &&
              (call->arg[a].dat != &dat->core || cooking->launcher->zeros[place(cooking, a)] == 0);
    }
    ingredient->kept = can ? cleave_buffer_take(&dat->core) : NULL;
    dat->buffers.kept = ingredient->kept != NULL ? ingredient->kept : dat->buffers.kept;
    return ingredient->kept != NULL;
}

/* Takes buffers for copies of the ingredients that need one, and for products that would be
 * computed in vain. 0: one cannot have it, or they cost more than they spare. before: [count]
 * recipes of earlier members of the launch. */
static int take_buffers(const struct cooking *cooking, struct cleave_recipe *recipe,
                        struct cleave_recipe *const *before, int count)
{
    int all = bytes_spared(recipe) > 0.0;
    for (int i = 0; i < recipe->ingredients && all; i++) {
        struct cleave_ingredient *ingredient = &recipe->ingredient[i];
        all = !is_left(before, count, ingredient->dat) &&
              (!ingredient->fate->changes || keep_ingredient(cooking, ingredient));
    }
    for (int p = 0; p < recipe->products && all; p++) {
        struct cleave_product *product = &recipe->product[p];
        if (!product->is_unstored) {
            product->scratch = product->dat->soa ? NULL : cleave_buffer_take(&product->dat->core);
            all = product->scratch != NULL;
        }
    }
    return all;
}

/* Tells the launch what to leave out, and what to copy. */
static void note(const struct cooking *cooking, const struct cleave_recipe *recipe)
{
    const struct cleave_call *call = cooking->call[cooking->member];
    unsigned char *zeros = cooking->launcher->zeros;
    for (int a = 0; a < call->args; a++) {
        for (int p = 0; p < recipe->products; p++) {
            if (&recipe->product[p].dat->core == call->arg[a].dat &&
                recipe->product[p].is_unstored) {
                zeros[place(cooking, a)] |= CLEAVE_ZEROS_LEAVE;
            }
        }
        for (int i = 0; i < recipe->ingredients; i++) {
            if (&recipe->ingredient[i].dat->core == call->arg[a].dat && is_first(call, a) &&
                recipe->ingredient[i].kept != NULL) {
                zeros[place(cooking, a)] |= CLEAVE_FILLS_KEPT;
            }
        }
    }
}

int cleave_unstored_recipes(const struct cleave_group *group, struct cleave_call *const *call,
                            struct cleave_call *joined, struct cleave_launcher *launcher,
                            struct cleave_recipe **recipe)
{
    struct cooking cooking = {group, call, joined, launcher, 0};
    int count = 0;
    if (launcher->records == NULL || cleave_settings.fuse < CLEAVE_FUSE_AUTO) {
        return 0;
    }
    for (; cooking.member < group->members - 1; cooking.member++) {
        if (!can_repeat(&cooking)) {
            continue;
        }
        if (joined->fate == NULL) {
            joined->fate = cleave_alloc_zero((size_t)joined->args * sizeof *joined->fate,
                                             "what becomes of dats");
        }
        struct cleave_recipe *made = recipe_for(&cooking);
        if (!take_buffers(&cooking, made, recipe, count)) {
            cleave_recipe_stores_all(made);
        }
        note(&cooking, made);
        recipe[count++] = made;
    }
    return count;
}

void cleave_unstored_end(struct cleave_recipe **recipe, int count, int launched)
{
    for (int r = 0; r < count; r++) {
        if (launched) {
            cleave_recipe_add(recipe[r]);
        } else {
            cleave_recipe_free(recipe[r]);
        }
    }
}
