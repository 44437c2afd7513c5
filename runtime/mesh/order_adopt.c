/* order_adopt.c: gives the mesh an order that was made for it, between two loops.
 *
 * In: a draft, and a mesh in the user's order: dats and maps wherever loops have left them. Out:
 * the mesh in the draft's order. What is current on the device moves there, by a kernel of a
 * generated unit that permutes records; where that is not possible, it goes through the host. */
#include "runtime/base/machine.h"
#include "runtime/mesh/order.h"

/* ---- on the device -------------------------------------------------------------------------- */

/* Finds the function that permutes records; NULL: no unit has it. */
static void (*find_permute(void))(const struct cleave_permutation *)
{
    const struct cleave_unit_entry *entry = cleave_units;
    while (entry != NULL && entry->unit->permute == NULL) {
        entry = entry->next;
    }
    return entry != NULL ? entry->unit->permute : NULL;
}

/* A copy of numbers on the device; NULL: there is no memory for it. */
static int *numbers_on_device(const int *number, int count, const char *what)
{
    const size_t bytes = (size_t)count * sizeof *number;
    int *to = cleave_device->alloc(bytes);
    if (to != NULL) {
        cleave_target_upload(cleave_device, to, number, bytes, what);
    }
    return to;
}

static void start_permute(const struct cleave_permutation *request, const char *what)
{
    cleave_flush(); /* launches that wait may read what is released then */
    cleave_device->range("order");
    find_permute()(request);
    cleave_device->range(NULL);
    const char *error = cleave_launch_failure(NULL);
    if (error != NULL) {
        cleave_fatal("'%s' cannot be put in order on %s: %s", what, cleave_device->device(), error);
    }
}

/* Returns a copy of `from` in the order of `index`, and releases `from`. NULL: there is no memory;
 * `from` is kept. parts: equal parts of the records, `stride` elements apart; 1: arrays of
 * structures. */
static void *permuted(void *from, size_t bytes, struct cleave_permutation request, int parts,
                      int stride, const char *what)
{
    char *to = cleave_device->alloc(bytes);
    if (to == NULL) {
        return NULL;
    }
    for (int p = 0; p < parts; p++) {
        const size_t at = (size_t)p * (size_t)stride * (size_t)request.words * request.word;
        request.to = to + at;
        request.from = (const char *)from + at;
        start_permute(&request, what);
    }
    cleave_device->release(from);
    return to;
}

static struct cleave_permutation request_of(size_t bytes, const int *index, int count)
{
    const size_t word = bytes % 4 == 0 ? 4 : 1;
    return (struct cleave_permutation){.index = index,
                                       .count = count,
                                       .words = (int)(bytes / word),
                                       .word = word,
                                       .stream = cleave_device->stream()};
}

/* 1: the dat's copy on the device is in the new order now. */
static int move_dat(struct cleave_dat *dat, const int *index)
{
    const int parts = dat->soa ? dat->core.dim : 1;
    const size_t bytes = dat->soa ? dat->component : (size_t)dat->core.size;
    void *to = permuted(dat->own[COPY_DEVICE], cleave_dat_device_bytes(dat, dat->soa),
                        request_of(bytes, index, dat->core.set->size), parts,
                        dat->soa ? cleave_dat_stride(dat) : 0, dat->core.name);
    if (to == NULL) {
        return 0;
    }
    dat->own[COPY_DEVICE] = to;
    return 1;
}

/* 1: likewise for a map; NULL permutations are the identity. */
static int move_map(struct cleave_map *map, const int *to_user, const int *to_own)
{
    const size_t bytes = (size_t)map->core.dim * sizeof(int);
    struct cleave_permutation request = request_of(bytes, to_user, map->core.from->size);
    request.number = to_own;
    int *to = permuted(map->on_device, bytes * (size_t)map->core.from->size, request, 1, 0,
                       map->core.name);
    if (to == NULL) {
        return 0;
    }
    map->on_device = to;
    return 1;
}

/* ---- the whole mesh -------------------------------------------------------------------------- */

/* On the device, by the index of a set; NULL: not there. */
struct numbers {
    int **to_user;
    int **to_own;
};

/* The draft's numbers of a set on the device, which are copied there when they are needed first;
 * NULL: the set does not move, or there is no memory. */
static int *needed(int **there, int *const *here, op_set set)
{
    const int s = set->index;
    if (there[s] == NULL && here[s] != NULL) {
        there[s] = numbers_on_device(here[s], set->size, set->name);
    }
    return there[s];
}

static void move_dats(const struct order_draft *draft, const struct numbers *on_device)
{
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        op_set set = d->core.set;
        if (set->index >= draft->sets || !cleave_draft_moves(draft, set)) {
            continue;
        }
        if (d->current[COPY_DEVICE]) {
            cleave_dat_unshare(d);
        }
        int *index = d->current[COPY_DEVICE] && find_permute() != NULL
                         ? needed(on_device->to_user, draft->to_user, set)
                         : NULL;
        if (index != NULL && move_dat(d, index)) {
            cleave_order.moved_bytes += (double)cleave_dat_bytes(&d->core);
        } else {
            if (d->current[COPY_DEVICE] && !d->current[COPY_USER]) {
                cleave_dat_current(&d->core, COPY_USER);
            }
            cleave_dat_release(d);
        }
    }
}

/* 1: the numbers that the map needs are on the device. */
static int has_numbers(const struct order_draft *draft, const struct numbers *on_device, op_map map)
{
    return (!cleave_draft_moves(draft, map->from) ||
            needed(on_device->to_user, draft->to_user, map->from) != NULL) &&
           (!cleave_draft_moves(draft, map->to) ||
            needed(on_device->to_own, draft->to_own, map->to) != NULL);
}

static void move_maps(const struct order_draft *draft, const struct numbers *on_device)
{
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        op_map map = &m->core;
        if (MAX(map->from->index, map->to->index) >= draft->sets ||
            (!cleave_draft_moves(draft, map->from) && !cleave_draft_moves(draft, map->to))) {
            continue;
        }
        const int moved =
            m->on_device != NULL && map->from->size > 0 && find_permute() != NULL &&
            has_numbers(draft, on_device, map) &&
            move_map(m, on_device->to_user[map->from->index], on_device->to_own[map->to->index]);
        if (!moved) {
            cleave_map_release(m);
        }
    }
}

static void release_numbers(const struct order_draft *draft, const struct numbers *on_device)
{
    for (int s = 0; s < draft->sets; s++) {
        if (on_device->to_user[s] != NULL) {
            cleave_device->release(on_device->to_user[s]);
        }
        if (on_device->to_own[s] != NULL) {
            cleave_device->release(on_device->to_own[s]);
        }
    }
}

/* ---- back to the user's order
 * ---------------------------------------------------------------------------------
 */

/* Frees the copy on the host in the runtime's order, after its values are elsewhere. */
static void drop_on_host(struct cleave_dat *dat)
{
    if (!dat->current[COPY_USER] && !dat->current[COPY_DEVICE]) {
        cleave_dat_current(&dat->core, COPY_USER);
    }
    free(dat->own[COPY_HOST]);
    dat->own[COPY_HOST] = NULL;
    dat->current[COPY_HOST] = 0;
}

/* Gives the mesh the user's order on the device. The way back is the way to an order in which the
 * two numbers of each element change places. */
static void go_back(void)
{
    struct order_draft back = {.maps = cleave_mesh.map_count};
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        back.sets = MAX(back.sets, s->core.index + 1);
    }
    int **memory = cleave_alloc_zero(4 * (size_t)back.sets * sizeof *memory, "an order");
    const struct numbers on_device = {memory, memory + back.sets};
    back.to_user = memory + 2 * back.sets;
    back.to_own = memory + 3 * back.sets;
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        back.to_user[s->core.index] = s->to_own;
        back.to_own[s->core.index] = s->to_user;
    }
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        if (cleave_set_of(d->core.set)->to_user != NULL) {
            drop_on_host(d);
        }
    }
    move_dats(&back, &on_device);
    move_maps(&back, &on_device);
    release_numbers(&back, &on_device);
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        free(m->own);
        m->own = NULL;
    }
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        cleave_set_release(s);
    }
    free(memory);
}

/* The sets and maps take what the draft has made. */
static void take_over(struct order_draft *draft)
{
    for (struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        const int i = s->core.index;
        if (i < draft->sets && draft->to_user[i] != NULL) {
            s->to_user = draft->to_user[i];
            s->to_own = draft->to_own[i];
            draft->to_user[i] = draft->to_own[i] = NULL;
        }
    }
    for (struct cleave_map *m = cleave_mesh.maps; m != NULL; m = m->next) {
        if (m->core.index < draft->maps && draft->row[m->core.index] != NULL) {
            free(m->own);
            m->own = draft->row[m->core.index];
            draft->row[m->core.index] = NULL;
        }
    }
    draft->order.numbering = NULL;
}

/* From the user's order. */
static void move_all(struct order_draft *draft)
{
    int **memory = cleave_alloc_zero(2 * (size_t)draft->sets * sizeof *memory, "an order");
    const struct numbers on_device = {memory, memory + draft->sets};
    move_dats(draft, &on_device);
    move_maps(draft, &on_device);
    release_numbers(draft, &on_device);
    take_over(draft);
    free(memory);
}

void cleave_draft_adopt_first(struct order_draft *first)
{
    CLEAVE_HOLD_DATS;
    cleave_recipes_settle();
    cleave_plans_free();
    move_all(first);
    cleave_draft_free(first);
}

/* 1: the mesh has a first order. */
static int has_order(void)
{
    const struct cleave_set *s = cleave_mesh.sets;
    while (s != NULL && s->to_user == NULL) {
        s = s->next;
    }
    return s != NULL;
}

void cleave_draft_adopt(struct order_draft *draft)
{
    const double begin = cleave_seconds();
    CLEAVE_HOLD_DATS;
    cleave_recipes_settle();
    cleave_plans_free();
    if (has_order()) {
        go_back();
    }
    cleave_order = draft->order;
    move_all(draft);
    cleave_order.adopt_seconds = cleave_seconds() - begin;
    cleave_draft_say_coordinates(draft);
    cleave_draft_free(draft);
    if (cleave_settings.diags >= 2) {
        cleave_order_print();
    }
}

void cleave_order_give_up(void)
{
    const struct store_key key = cleave_order.key;
    CLEAVE_HOLD_DATS;
    cleave_recipes_settle();
    cleave_background_drop();
    cleave_plans_free();
    go_back();
    planner_numbering_free(cleave_order.numbering);
    memset(&cleave_order, 0, sizeof cleave_order);
    cleave_background.given_up = 1;
    cleave_order_refuse(&key);
    if (cleave_settings.diags >= 2) {
        cleave_order_print();
    }
}

double cleave_draft_transfers(const struct order_draft *draft)
{
    const int stays = find_permute() != NULL;
    double bytes = 0.0;
    for (const struct cleave_dat *d = cleave_mesh.dats; d != NULL && !stays; d = d->next) {
        if (d->core.set->index < draft->sets && cleave_draft_moves(draft, d->core.set) &&
            d->current[COPY_DEVICE]) {
            bytes += 2.0 * (double)cleave_dat_bytes(&d->core);
        }
    }
    for (const struct cleave_map *m = cleave_mesh.maps; m != NULL && !stays; m = m->next) {
        if (m->on_device != NULL) {
            bytes += (double)m->core.from->size * m->core.dim * sizeof(int);
        }
    }
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL && stays; s = s->next) {
        if (s->core.index < draft->sets && cleave_draft_moves(draft, (op_set)&s->core)) {
            bytes += 2.0 * (double)s->core.size * sizeof(int);
        }
    }
    return bytes;
}
