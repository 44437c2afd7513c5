/* unstored.c: dats whose values no copy holds, because they can be recomputed.
 *
 * A joined loop passes values from one member to the next in registers. Where the next thing that
 * happens to their dat is that a loop replaces it, nobody needs them in memory. Nobody knows that
 * before, so the launch leaves a recipe: the call of the member that computed them. It reads dats
 * alone and replaces whole dats, so that it gives the same values again as long as its ingredients
 * are what they were. Who reads the dat has the call run first. Who modifies an ingredient does so,
 * too, unless the launch has made a copy of that.
 *
 * Before anything is left out, recipes only watch: what is left out is what was replaced unread
 * behind the same call before. A dat has at most one open recipe, since writing it closes that. */
#include "runtime/mesh/mesh.h"

#include <limits.h>

struct cleave_recipe *cleave_recipes;
static void (*run_call)(struct cleave_call *call);

void cleave_recipes_run_by(void (*run)(struct cleave_call *call))
{
    run_call = run;
}

/* ---- making and closing ------------------------------------------------------------------ */

struct cleave_recipe *cleave_recipe_new(struct cleave_call *call, int ingredients, int products)
{
    struct cleave_recipe *recipe =
        cleave_alloc_zero(sizeof *recipe + (size_t)ingredients * sizeof *recipe->ingredient +
                              (size_t)products * sizeof *recipe->product,
                          "what a loop computes again");
    recipe->call = call;
    recipe->ingredient = (struct cleave_ingredient *)(void *)(recipe + 1);
    recipe->product = (struct cleave_product *)(void *)(recipe->ingredient + ingredients);
    return recipe;
}

int cleave_recipe_may_name(const struct cleave_dat *dat)
{
    return dat->overlay == NULL && !dat->shares_array && dat->core.dirty_hd != 1;
}

static void release_copy(struct cleave_ingredient *ingredient)
{
    if (ingredient->kept != NULL) {
        cleave_buffer_give(&ingredient->dat->core, ingredient->kept);
        ingredient->dat->buffers.kept = ingredient->kept = NULL;
    }
}

static void release_buffers(struct cleave_recipe *recipe)
{
    for (int i = 0; i < recipe->ingredients; i++) {
        release_copy(&recipe->ingredient[i]);
    }
    for (int p = 0; p < recipe->products; p++) {
        cleave_buffer_give(&recipe->product[p].dat->core, recipe->product[p].scratch);
        recipe->product[p].scratch = NULL;
    }
}

void cleave_recipe_stores_all(struct cleave_recipe *recipe)
{
    for (int p = 0; p < recipe->products; p++) {
        recipe->product[p].is_unstored = 0;
    }
    release_buffers(recipe);
}

void cleave_recipe_free(struct cleave_recipe *recipe)
{
    release_buffers(recipe);
    free(recipe);
}

/* 1: a launch must not modify the ingredient without notice. */
static int is_needed(const struct cleave_ingredient *ingredient)
{
    return ingredient->kept == NULL && !ingredient->changed;
}

void cleave_recipe_add(struct cleave_recipe *recipe)
{
    for (int i = 0; i < recipe->ingredients; i++) {
        recipe->ingredient[i].version = recipe->ingredient[i].dat->version;
        recipe->ingredient[i].dat->buffers.needed += is_needed(&recipe->ingredient[i]);
    }
    for (int p = 0; p < recipe->products; p++) {
        struct cleave_product *product = &recipe->product[p];
        product->is_open = 1;
        product->dat->buffers.recipe = recipe;
        if (product->is_unstored) {
            memset(product->dat->current, 0, sizeof product->dat->current);
            cleave_watch_update(product->dat);
            cleave_buffer_use.unstored++;
            cleave_buffer_use.unstored_bytes += (double)cleave_dat_bytes(&product->dat->core);
        }
    }
    recipe->next = cleave_recipes;
    cleave_recipes = recipe;
}

static struct cleave_product *product_of(const struct cleave_dat *dat)
{
    struct cleave_product *product = dat->buffers.recipe->product;
    while (product->dat != dat) {
        product++;
    }
    return product;
}

/* The product is of no interest any more, and may have been the last one of its recipe. */
static void close_product(struct cleave_product *product)
{
    struct cleave_recipe *recipe = product->dat->buffers.recipe;
    struct cleave_recipe **link = &cleave_recipes;
    int open = 0;
    product->is_open = product->is_unstored = 0;
    product->dat->buffers.recipe = NULL;
    for (int p = 0; p < recipe->products; p++) {
        open += recipe->product[p].is_open;
    }
    if (open > 0) {
        return;
    }
    for (int i = 0; i < recipe->ingredients; i++) {
        recipe->ingredient[i].dat->buffers.needed -= is_needed(&recipe->ingredient[i]);
    }
    while (*link != recipe) {
        link = &(*link)->next;
    }
    *link = recipe->next;
    cleave_recipe_free(recipe);
}

/* ---- running a recipe -------------------------------------------------------------------- */

/* A dat that stands aside while its place has other values on the device. */
struct aside {
    struct cleave_dat dat; /* as it was */
    struct cleave_dat *of;
};

/* A recipe is computed from the copies on the device. A dat that the program says it has written on
 * the host, since the launch, is still on the device what it was: it must not be fetched now. */
static void hide_writes(const struct cleave_recipe *recipe, int *dirty)
{
    for (int i = 0; i < recipe->ingredients; i++) {
        dirty[i] = recipe->ingredient[i].dat->core.dirty_hd;
        recipe->ingredient[i].dat->core.dirty_hd = 0;
    }
    for (int p = 0; p < recipe->products; p++) {
        dirty[recipe->ingredients + p] = recipe->product[p].dat->core.dirty_hd;
        recipe->product[p].dat->core.dirty_hd = 0;
    }
}

static void show_writes(const struct cleave_recipe *recipe, const int *dirty)
{
    for (int i = 0; i < recipe->ingredients; i++) {
        recipe->ingredient[i].dat->core.dirty_hd = dirty[i];
    }
    for (int p = 0; p < recipe->products; p++) {
        recipe->product[p].dat->core.dirty_hd = dirty[recipe->ingredients + p];
    }
}

/* Has the dat have the buffer, an array of structures, as its only current copy. */
static void put_aside(struct aside *aside, struct cleave_dat *dat, void *buffer)
{
    const struct cleave_dat alone = {.own = {[COPY_DEVICE] = buffer},
                                     .current = {[COPY_DEVICE] = 1}};
    *aside = (struct aside){*dat, dat};
    cleave_dat_stand_in(dat, &alone);
    dat->buffers.sharer = NULL;
    dat->buffers.recipe = NULL;
}

/* Gives the dat back what it had, and its buffer, too, unless that got another layout. */
static void take_back(const struct aside *aside)
{
    struct cleave_dat *dat = aside->of;
    void *buffer = dat->own[COPY_DEVICE];
    if (dat->soa) {
        cleave_device->release(buffer);
        cleave_buffer_use.spare_bytes -= MAX(cleave_dat_bytes(&dat->core), (size_t)1);
    } else {
        cleave_buffer_give(&dat->core, buffer);
    }
    cleave_dat_stand_in(dat, &aside->dat);
    dat->version = aside->dat.version;
    dat->buffers.sharer = aside->dat.buffers.sharer;
    dat->buffers.recipe = aside->dat.buffers.recipe;
}

/* The ingredients become what they were. Products that were not stored, or whose places nobody
 * needs yet, get their values in their places, all others in buffers that nobody reads. Returns how
 * many dats stand aside. */
static int make_room(struct cleave_recipe *recipe, struct aside *aside)
{
    int count = 0;
    for (int i = 0; i < recipe->ingredients; i++) {
        struct cleave_ingredient *ingredient = &recipe->ingredient[i];
        if (ingredient->kept != NULL) {
            put_aside(&aside[count++], ingredient->dat, ingredient->kept);
            ingredient->dat->version = ingredient->version;
            ingredient->dat->buffers.kept = ingredient->kept = NULL;
            ingredient->changed = 1;
        } else if (ingredient->changed || ingredient->dat->version != ingredient->version) {
            cleave_fatal("dat '%s' has changed without notice, and what was computed from it was "
                         "not stored: run with CLEAVE_FUSE=called, and please report this",
                         ingredient->dat->core.name);
        }
    }
    for (int p = 0; p < recipe->products; p++) {
        struct cleave_dat *dat = recipe->product[p].dat;
        if (recipe->product[p].is_unstored || recipe->product[p].is_lost) {
            cleave_dat_blank(&dat->core, dat->soa);
            dat->current[COPY_DEVICE] = 1;
            dat->buffers.recipe = NULL;
        } else {
            put_aside(&aside[count++], dat, recipe->product[p].scratch);
            recipe->product[p].scratch = NULL;
            dat->version = cleave_dat_next_version();
        }
    }
    return count;
}

/* Computes all that was not stored; the recipe goes on watching. */
static void compute(struct cleave_recipe *recipe)
{
    struct aside aside[CLEAVE_MAX_ARGS];
    int dirty[CLEAVE_MAX_ARGS];
    cleave_flush();
    int count = make_room(recipe, aside);
    hide_writes(recipe, dirty);
    run_call(recipe->call);
    show_writes(recipe, dirty);
    while (count > 0) {
        take_back(&aside[--count]);
    }
    for (int p = 0; p < recipe->products; p++) {
        struct cleave_product *product = &recipe->product[p];
        if (product->is_unstored) {
            product->is_unstored = 0;
            product->dat->buffers.recipe = recipe;
            cleave_watch_update(product->dat);
            cleave_buffer_use.recomputed++;
        }
    }
}

static int is_unstored(const struct cleave_recipe *recipe)
{
    int any = 0;
    for (int p = 0; p < recipe->products; p++) {
        any |= recipe->product[p].is_unstored;
    }
    return any;
}

/* What is computed although nobody has read it is in vain, too. */
static void note_need(struct cleave_recipe *recipe)
{
    for (int p = 0; p < recipe->products; p++) {
        struct cleave_product *product = &recipe->product[p];
        if (product->is_unstored) {
            product->fate->recomputed += product->fate->recomputed < UCHAR_MAX;
            product->fate->replaced = 0;
        }
    }
}

/* ---- what happens to dats ---------------------------------------------------------------- */

void cleave_recipe_replaced(struct cleave_dat *dat)
{
    struct cleave_product *product = product_of(dat);
    product->fate->replaced += product->fate->replaced < UCHAR_MAX;
    if (product->is_unstored) {
        product->fate->recomputed = 0;
        product->is_lost = 1;
        cleave_dat_blank(&dat->core, dat->soa);
        dat->current[COPY_DEVICE] = 1;
    }
    close_product(product);
}

/* Gives products that have been replaced a place beside the dat's. 0: there is no memory. */
static int set_apart(struct cleave_recipe *recipe)
{
    int all = 1;
    for (int p = 0; p < recipe->products; p++) {
        struct cleave_product *product = &recipe->product[p];
        if (product->is_lost && product->scratch == NULL) {
            product->scratch = product->dat->soa ? NULL : cleave_buffer_take(&product->dat->core);
            product->is_lost = product->scratch == NULL;
        }
        all = all && !product->is_lost;
    }
    return all;
}

void cleave_recipes_part(void)
{
    for (struct cleave_recipe *recipe = cleave_recipes; recipe != NULL; recipe = recipe->next) {
        if (is_unstored(recipe) && !set_apart(recipe)) {
            note_need(recipe);
            compute(recipe);
        }
    }
}

void cleave_recipe_read(struct cleave_dat *dat)
{
    struct cleave_product *product = product_of(dat);
    product->fate->replaced = 0;
    if (product->is_unstored) {
        product->fate->recomputed += product->fate->recomputed < UCHAR_MAX;
        compute(dat->buffers.recipe);
    }
    close_product(product);
}

/* The dat is about to be modified, and is an ingredient. */
static void lose(struct cleave_recipe *recipe, struct cleave_ingredient *ingredient)
{
    ingredient->fate->changes = 1;
    if (is_unstored(recipe)) {
        compute(recipe);
    }
    ingredient->changed = 1;
    ingredient->dat->buffers.needed--;
}

void cleave_recipe_changes(struct cleave_dat *dat)
{
    for (struct cleave_recipe *recipe = cleave_recipes; recipe != NULL; recipe = recipe->next) {
        for (int i = 0; i < recipe->ingredients; i++) {
            if (recipe->ingredient[i].dat == dat && is_needed(&recipe->ingredient[i])) {
                lose(recipe, &recipe->ingredient[i]);
            }
        }
    }
}

/* What the device has written was replaced or changed before, with notice. What the host writes
 * leaves the copy on the device as it was. */
void cleave_recipe_written(struct cleave_dat *dat, int on_device)
{
    if (dat->buffers.recipe != NULL) {
        struct cleave_product *product = product_of(dat);
        product->fate->replaced = 0;
        if (product->is_unstored) {
            compute(dat->buffers.recipe); /* others may not be stored either, and need its place */
        }
        close_product(product);
    }
    if (dat->buffers.needed > 0) {
        if (on_device) {
            dat->version = cleave_dat_next_version(); /* compute() then ends the program */
        }
        cleave_recipe_changes(dat);
    }
}

/* ---- all of them ------------------------------------------------------------------------- */

void cleave_recipes_forget(void)
{
    while (cleave_recipes != NULL) {
        struct cleave_recipe *first = cleave_recipes;
        for (int p = first->products - 1; p >= 0 && cleave_recipes == first; p--) {
            if (first->product[p].is_open) {
                close_product(&first->product[p]);
            }
        }
    }
}

void cleave_recipes_settle(void)
{
    if (cleave_recipes == NULL) {
        return;
    }
    CLEAVE_HOLD_DATS;
    for (struct cleave_recipe *recipe = cleave_recipes; recipe != NULL; recipe = recipe->next) {
        if (is_unstored(recipe)) {
            note_need(recipe);
            compute(recipe);
        }
    }
    cleave_recipes_forget();
}
