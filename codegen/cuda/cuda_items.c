/* cuda_items.c: the items that a point walks, and the direct data of their elements.
 *
 * In: a GATHER stage of blocks of points. Out: the direct dats that the kernel prefetches, one row
 * before they are used, and the pieces of cuda_owners.tpl that load items and these dats. The dats
 * are read through the elements' numbers, or, in variants that ask the runtime for copies
 * (runtime/device/items.cuh), in the order of the items: then all dats that are only read, by
 * constant subscripts, are read from the copies.
 */
#include "codegen/cuda/cuda_owner.h"
#include "pass/ir/arena.h"
#include "pass/ir/machine.h"

/* ---- which ------------------------------------------------------------------------------------
 */

static bool can_fetch(const struct emit *emit, const struct owner_reads *reads, int a)
{
    const struct arg *arg = &emit->loop->arg[a];
    return arg->kind == ARG_DAT && !arg->is_indirect && reads->any[a] && !reads->itself[a] &&
           !cuda_dat(emit, a)->modified;
}

bool cuda_items_fit(struct emit *emit, const struct schedule *schedule)
{
    bool fit = false;
    for (int s = 0; s < schedule->stages; s++) {
        if (schedule->stage[s].kind == STAGE_GATHER) {
            struct owner_reads reads = owner_reads_of(emit, &schedule->stage[s]);
            for (int a = 0; a < emit->loop->args; a++) {
                fit = fit || can_fetch(emit, &reads, a);
            }
        }
    }
    return fit;
}

void cuda_items_bindings(struct emit *emit, const struct stage *stage, enum binding *binding)
{
    struct owner_reads reads = owner_reads_of(emit, stage);
    size_t bytes = 0;
    for (int a = 0; a < emit->loop->args; a++) {
        if (can_fetch(emit, &reads, a)) {
            bytes += (size_t)cuda_dat(emit, a)->dim * emit->loop->arg[a].type->size;
            if (bytes <= machines[MACHINE_GPU].fetched_bytes || cuda_recipe(emit)->items) {
                binding[a] = BIND_FETCHED;
            }
        }
    }
}

static bool is_fetched(const struct emit *emit, int d)
{
    for (int a = 0; a < emit->loop->args; a++) {
        if (emit->shape->dat_of[a] == d && cuda_kernel(emit)->binding[a] == BIND_FETCHED) {
            return true;
        }
    }
    return false;
}

/* Whether the kernel loads dat d one row before it uses the record; else it loads it with the item.
 */
static bool is_ahead(const struct emit *emit, int d)
{
    size_t bytes = 0;
    for (int before = 0; before <= d; before++) {
        const struct shape_dat *dat = &emit->shape->dat[before];
        bytes += is_fetched(emit, before) ? (size_t)dat->dim * dat->type->size : 0;
    }
    return is_fetched(emit, d) && bytes <= machines[MACHINE_GPU].fetched_bytes;
}

/* Calls print for each dat whose record of the next element is loaded ahead; returns how many. */
static int each_ahead(struct emit *emit,
                      void (*print)(struct emit *emit, const struct shape_dat *dat))
{
    int count = 0;
    for (int d = 0; d < emit->shape->dats; d++) {
        if (is_ahead(emit, d)) {
            count++;
            print(emit, &emit->shape->dat[d]);
        }
    }
    return count;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

const char *cuda_items_name(struct emit *emit, const struct shape_dat *dat)
{
    return emit_format(emit, "cleave_items_%s", dat->label);
}

bool cuda_items_mentions(struct emit *emit, const struct shape_dat *dat)
{
    return emit_mentions(emit, cuda_items_name(emit, dat));
}

int cuda_items_number(struct emit *emit, const struct shape_dat *dat)
{
    const struct stage *stage = &emit->schedule->stage[cuda_kernel(emit)->stage];
    return cuda_copy_number(
        emit, (struct emitted_copy){dat->arg, cuda_map(emit, stage->map)->list, NULL});
}

/* ---- records ----------------------------------------------------------------------------------
 */

/* The record of a dat of the item in `row` of the copy, or of the element cleave_next has. */
static const char *fetch(struct emit *emit, const struct shape_dat *dat, const char *row)
{
    const char *type = emit_type_name(emit, dat->type);
    return cuda_recipe(emit)->items
               ? emit_format(emit, "cleave_item_record<%s, %d>(%s, cleave_own, %s)", type, dat->dim,
                             cuda_items_name(emit, dat), row)
               : emit_format(emit, "cleave_fetch<%s, %d>(%s, cleave_next.element)", type, dat->dim,
                             place_dat(emit, dat));
}

static void print_first(struct emit *emit, const struct shape_dat *dat)
{
    out_assign(emit->out, emit_format(emit, "auto cleave_next_%s", dat->label), "=",
               fetch(emit, dat, "cleave_own.row"));
}

static void print_now(struct emit *emit, const struct shape_dat *dat)
{
    const char *now =
        emit_format(emit,
                    cuda_recipe(emit)->items ? "cleave_next_%s"
                                             : "cleave_fetched(cleave_next_%s, cleave_now.element)",
                    dat->label);
    out_assign(emit->out, emit_format(emit, "const auto cleave_now_%s", dat->label), "=", now);
}

static void print_next(struct emit *emit, const struct shape_dat *dat)
{
    out_assign(emit->out, emit_format(emit, "cleave_next_%s", dat->label), "=",
               fetch(emit, dat, "cleave_row + 1"));
}

static const char *item(struct emit *emit, const char *row)
{
    return emit_format(emit, "cleave_item_of<%d>(cleave_list, cleave_own, %s)",
                       cuda_map(emit, emit->stage->map)->columns, row);
}

/* ---- holes of cuda_owners.tpl -----------------------------------------------------------------
 */

/* An element's number is loaded a row before its records, and these a row before they are used.
 * Copies need no number. */
void cuda_items_first(struct emit *emit)
{
    out_comment(emit->out,
                "Loaded a row before they are used: items, and what is the elements' own.");
    out_line(emit->out, "auto cleave_next = %s;", item(emit, "cleave_own.row"));
    if (each_ahead(emit, print_first) > 0 && !cuda_recipe(emit)->items) {
        out_line(emit->out, "auto cleave_after = %s;", item(emit, "cleave_own.row + 1"));
    }
}

void cuda_items_next(struct emit *emit)
{
    out_line(emit->out, "const auto cleave_now = cleave_next;");
    bool numbers = each_ahead(emit, print_now) > 0 && !cuda_recipe(emit)->items;
    if (numbers) {
        out_line(emit->out, "cleave_next = cleave_after;");
    } else {
        out_line(emit->out, "cleave_next = %s;", item(emit, "cleave_row + 1"));
    }
    each_ahead(emit, print_next);
    if (numbers) {
        out_line(emit->out, "cleave_after = %s;", item(emit, "cleave_row + 2"));
    }
}

void cuda_items_rest(struct emit *emit)
{
    for (int d = 0; d < emit->shape->dats; d++) {
        const struct shape_dat *dat = &emit->shape->dat[d];
        if (is_fetched(emit, d) && !is_ahead(emit, d)) {
            out_assign(emit->out, emit_format(emit, "const auto cleave_now_%s", dat->label), "=",
                       fetch(emit, dat, "cleave_row"));
        }
    }
}
