/* order_kept.c: orders of a whole mesh for a device in the store, so that the next run on the same
 * mesh has its order within milliseconds: it hashes the maps and reads one file.
 *
 * The content of an entry: struct kept_header, the starts of the blocks, then for each ordered set
 * its index (int) and its to_user; or the header alone, if a run has found that the mesh needs no
 * order. Nothing of it is believed before it is checked. */
#include "runtime/mesh/order.h"
#include "runtime/store/store.h"

/* Raised whenever a step changes that orders the sets beside the primary one; the planner's
 * version, which is in its keys, covers the others. */
#define ORDER_VERSION 1

struct kept_header {
    int32_t sets; /* ordered ones; REFUSED: the mesh needs no order */
    int32_t elements;
    int32_t blocks;
    int32_t block_size;
    int32_t start; /* enum plan_start */
    int32_t improve;
};

enum { REFUSED = -1 };

/* ---- keys ----------------------------------------------------------------------------------- */

static void add_number(struct store_key *key, int64_t number)
{
    cleave_store_hash(key, &number, sizeof number);
}

/* 1: planner_key() has hashed the map's entries. */
static int is_hashed(op_map map, int maps, const struct plan_map *chosen)
{
    int m = 0;
    while (m < maps && chosen[m].row != map->map) {
        m++;
    }
    return m < maps;
}

void cleave_order_key(struct store_key *key, const struct order_draft *draft, int maps,
                      const struct plan_map *chosen, const struct store_key *numbering)
{
    *key = *numbering;
    add_number(key, ORDER_VERSION);
    add_number(key, draft->sets);
    add_number(key, draft->primary->index);
    add_number(key, draft->has_lanes);
    add_number(key, cleave_settings.bank_order);
    for (int m = 0; m < draft->maps; m++) {
        const struct op_map_core *map = draft->map[m];
        add_number(key, map->from->index);
        add_number(key, map->from->size);
        add_number(key, map->to->index);
        add_number(key, map->to->size);
        add_number(key, map->dim);
        if (!is_hashed(draft->map[m], maps, chosen)) {
            cleave_store_hash(key, map->map,
                              (size_t)map->from->size * (size_t)map->dim * sizeof *map->map);
        }
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

/* NULL: the set has no map, so that no order is kept for it. */
static op_set set_of(const struct order_draft *draft, int index)
{
    for (int m = 0; m < draft->maps; m++) {
        if (draft->map[m]->from->index == index) {
            return draft->map[m]->from;
        }
        if (draft->map[m]->to->index == index) {
            return draft->map[m]->to;
        }
    }
    return NULL;
}

/* Fills the inverse of to_user[count]. 0: it is no permutation. */
static int invert(int *to_own, const int *to_user, int count)
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < count; i++) {
            to_own[i] = -1;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < count; i++) {
            const int user = to_user[i];
            wrong |= user < 0 || user >= count ||
                     __atomic_exchange_n(&to_own[user], i, __ATOMIC_RELAXED) >= 0;
        }
    }
    return !wrong;
}

/* Reads the order of one set into the draft. */
static void take_set(struct cleave_entry *entry, struct order_draft *draft)
{
    int32_t index;
    if (cleave_entry_take(entry, &index, sizeof index) != 0) {
        return;
    }
    const op_set set = set_of(draft, index);
    if (set == NULL || draft->to_user[index] != NULL) {
        entry->fault = "damaged (sets)";
        return;
    }
    const size_t bytes = (size_t)set->size * sizeof(int);
    draft->to_user[index] = cleave_alloc(bytes, "the order of a set");
    draft->to_own[index] = cleave_alloc(bytes, "the order of a set");
    if (cleave_entry_take(entry, draft->to_user[index], bytes) == 0 &&
        !invert(draft->to_own[index], draft->to_user[index], set->size)) {
        entry->fault = "damaged (order)";
    }
}

static int blocks_fit(const struct plan_numbering *numbering)
{
    const int *start = numbering->start;
    int fit = start[0] == 0 && start[numbering->blocks] == numbering->elements;
    for (int b = 0; b < numbering->blocks && fit; b++) {
        fit = start[b] < start[b + 1] && start[b + 1] - start[b] <= numbering->block_size;
    }
    return fit;
}

static const char *header_fault(const struct kept_header *header, const struct order_draft *draft)
{
    const int fits =
        header->sets >= 0 && header->sets <= draft->sets &&
        header->elements == draft->primary->size && header->blocks >= 1 &&
        header->blocks <= header->elements && header->block_size == draft->order.block_size &&
        header->start > PLAN_START_DEFAULT && header->start < PLAN_STARTS &&
        header->improve > PLAN_IMPROVE_DEFAULT && header->improve <= PLAN_IMPROVE_ANNEAL;
    return fits ? NULL : "damaged (sizes)";
}

static void take_blocks(struct cleave_entry *entry, struct order_draft *draft,
                        const struct kept_header *header)
{
    struct plan_numbering *numbering = cleave_alloc_zero(sizeof *numbering, "an order");
    const size_t bytes = ((size_t)header->blocks + 1) * sizeof *numbering->start;
    numbering->elements = header->elements;
    numbering->blocks = header->blocks;
    numbering->block_size = header->block_size;
    numbering->method.start = (enum plan_start)header->start;
    numbering->method.improve = (enum plan_improvement)header->improve;
    draft->order.numbering = numbering;
    numbering->start = cleave_alloc(bytes, "an order");
    if (cleave_entry_take(entry, numbering->start, bytes) == 0 && !blocks_fit(numbering)) {
        entry->fault = "damaged (blocks)";
    }
}

/* Drops what a damaged entry has left. */
static void clear(struct order_draft *draft)
{
    for (int s = 0; s < draft->sets; s++) {
        free(draft->to_user[s]);
        free(draft->to_own[s]);
        draft->to_user[s] = draft->to_own[s] = NULL;
    }
    planner_numbering_free(draft->order.numbering);
    draft->order.numbering = NULL;
}

int cleave_order_read(struct order_draft *draft, const struct store_key *key)
{
    struct cleave_entry entry;
    struct kept_header header;
    if (cleave_entry_open(&draft->planner.store, CLEAVE_KEPT_ORDERS, key, &entry) != 0) {
        return 0;
    }
    const int is_read = cleave_entry_take(&entry, &header, sizeof header) == 0;
    const int is_refused = is_read && header.sets == REFUSED;
    if (is_read && !is_refused) {
        entry.fault = header_fault(&header, draft);
    }
    if (is_read && !is_refused && entry.fault == NULL) {
        take_blocks(&entry, draft, &header);
    }
    for (int s = 0; s < header.sets && entry.fault == NULL; s++) {
        take_set(&entry, draft);
    }
    cleave_entry_is_whole(&entry);
    if (cleave_entry_end(&entry) != 0) {
        clear(draft);
        return 0;
    }
    draft->order.sets = is_refused ? 0 : header.sets;
    draft->order.from_cache = !is_refused;
    draft->is_refused = is_refused && cleave_order_is_open();
    return !is_refused || draft->is_refused;
}

/* ---- writing -------------------------------------------------------------------------------- */

struct kept_order *cleave_order_kept(const struct order_draft *draft)
{
    const struct plan_numbering *numbering = draft->order.numbering;
    if (!draft->is_new) {
        return NULL;
    }
    struct kept_order *kept = cleave_alloc_zero(
        sizeof *kept + (size_t)draft->sets * sizeof kept->set[0], "keeping an order");
    kept->key = draft->key;
    kept->store = draft->planner.store;
    kept->numbering = *numbering;
    for (int m = 0; m < 2 * draft->maps; m++) {
        const op_set set = m % 2 == 0 ? draft->map[m / 2]->from : draft->map[m / 2]->to;
        int known = 0;
        while (known < kept->sets && kept->set[known].index != set->index) {
            known++;
        }
        if (known == kept->sets && draft->to_user[set->index] != NULL) {
            kept->set[kept->sets++] =
                (struct kept_set){set->index, set->size, draft->to_user[set->index]};
        }
    }
    return kept;
}

void cleave_order_keep(const struct kept_order *kept)
{
    if (kept == NULL) {
        return;
    }
    const struct plan_numbering *numbering = &kept->numbering;
    const struct kept_header header = {.sets = kept->sets,
                                       .elements = numbering->elements,
                                       .blocks = numbering->blocks,
                                       .block_size = numbering->block_size,
                                       .start = (int32_t)numbering->method.start,
                                       .improve = (int32_t)numbering->method.improve};
    const int pieces = 2 + 2 * kept->sets;
    struct cleave_piece *piece = cleave_alloc((size_t)pieces * sizeof *piece, "keeping an order");
    piece[0] = (struct cleave_piece){&header, sizeof header};
    piece[1] = (struct cleave_piece){numbering->start,
                                     ((size_t)numbering->blocks + 1) * sizeof *numbering->start};
    for (int s = 0; s < kept->sets; s++) {
        const struct kept_set *set = &kept->set[s];
        piece[2 + 2 * s] = (struct cleave_piece){&set->index, sizeof set->index};
        piece[3 + 2 * s] =
            (struct cleave_piece){set->to_user, (size_t)set->size * sizeof *set->to_user};
    }
    cleave_entry_write(&kept->store, CLEAVE_KEPT_ORDERS, &kept->key, piece, pieces);
    free(piece);
}

void cleave_order_refuse(const struct store_key *key)
{
    const struct kept_header header = {.sets = REFUSED};
    cleave_store_write(CLEAVE_KEPT_ORDERS, key, &header, sizeof header);
}
