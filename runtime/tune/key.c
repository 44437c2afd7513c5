/* key.c: the key of a loop's trials: kernel and signature, what was compiled, sets and maps,
 * device, settings. Two calls with one key share their trials, in this run and in later ones.
 * Whatever the key leaves out costs time at worst: a candidate that was found for another loop or
 * mesh computes the same results. */
#include <omp.h>

#include "cleave_version.h"
#include "runtime/tune/turns.h"

/* Rows of a map that are looked at, spread over all of them: enough to tell meshes apart. */
enum { ROWS = 256 };

/* A key that is being made: the parts wait until there are many, since hashing each by itself takes
 * most of the time that a choice takes. */
struct making {
    struct store_key key;
    size_t waiting; /* bytes */
    char bytes[1024];
};

static void hash_waiting(struct making *making)
{
    if (making->waiting > 0) {
        cleave_store_hash(&making->key, making->bytes, making->waiting);
        making->waiting = 0;
    }
}

static void add_bytes(struct making *making, const void *bytes, size_t count)
{
    if (count > sizeof making->bytes - making->waiting) {
        hash_waiting(making);
    }
    if (count > sizeof making->bytes) {
        cleave_store_hash(&making->key, bytes, count);
        return;
    }
    memcpy(making->bytes + making->waiting, bytes, count);
    making->waiting += count;
}

static void add_text(struct making *making, const char *text)
{
    add_bytes(making, text, strlen(text) + 1);
}

static void add_number(struct making *making, long long number)
{
    add_bytes(making, &number, sizeof number);
}

static void begin_key(struct making *making)
{
    making->key = (struct store_key){{0, 0}};
    making->waiting = 0;
}

static struct store_key end_key(struct making *making)
{
    hash_waiting(making);
    return making->key;
}

/* 1: the runtime has renumbered the set. */
static int is_ordered(op_set set)
{
    return cleave_set_of(set)->to_user != NULL;
}

/* Samples of maps that were hashed, the latest of them: loops share maps, and the rows of a sample
 * lie far apart in memory. */
static struct {
    op_map map;               /* NULL: none */
    unsigned long generation; /* cleave_generation then: the map may be numbered anew, or freed */
    struct store_key sample;
} samples[32];
static int next_sample;

static struct store_key sample_of(op_map map)
{
    enum { SAMPLES = sizeof samples / sizeof samples[0] };
    struct store_key sample = {{0, 0}};
    for (int s = 0; s < SAMPLES; s++) {
        if (samples[s].map == map && samples[s].generation == cleave_generation) {
            return samples[s].sample;
        }
    }
    const size_t rows = (size_t)map->from->size;
    const size_t step = MAX(rows / ROWS, 1);
    for (size_t row = 0; row < rows; row += step) {
        cleave_store_hash(&sample, map->map + row * (size_t)map->dim,
                          (size_t)map->dim * sizeof(int));
    }
    samples[next_sample].map = map;
    samples[next_sample].generation = cleave_generation;
    samples[next_sample].sample = sample;
    next_sample = (next_sample + 1) % SAMPLES;
    return sample;
}

static void add_map(struct making *key, op_map map)
{
    const struct store_key sample = sample_of(map);
    add_number(key, map->dim);
    add_number(key, map->to->size);
    add_number(key, is_ordered(map->to));
    add_bytes(key, sample.word, sizeof sample.word);
}

static void add_mesh(struct making *key, const struct cleave_call *call)
{
    add_number(key, call->set->size);
    add_number(key, is_ordered(call->set));
    add_number(key, cleave_order.primary == call->set ? cleave_order.block_size : 0);
    if (cleave_order.numbering != NULL) {
        add_number(key, cleave_order.numbering->method.start);
        add_number(key, cleave_order.numbering->method.improve);
    }
    for (int a = 0; a < call->args; a++) {
        op_map map = call->arg[a].map;
        int first = 1;
        for (int b = 0; b < a; b++) {
            first &= call->arg[b].map != map;
        }
        if (map != NULL && first) {
            add_map(key, map);
        }
        add_number(key, cleave_arg_on(&call->arg[a]));
    }
}

static void add_code(struct making *key, const struct cleave_call *call,
                     const struct cleave_choice *choice)
{
    const struct cleave_loop *loop = choice->loop;
    add_text(key, CLEAVE_VERSION);
    add_number(key, CLEAVE_ABI);
    add_text(key, choice->unit->unit->id);
    add_text(key, loop->kernel);
    add_text(key, loop->signature);
    for (int v = 0; v < loop->variants; v++) {
        const unsigned char *soa = loop->variant[v].soa;
        add_text(key, loop->variant[v].name);
        for (int a = 0; a < call->args && soa != NULL; a++) {
            add_number(key, soa[a]);
        }
    }
}

/* Settings that restrict the candidates or change the numbering. */
static void add_settings(struct making *key)
{
    const struct cleave_settings *set = &cleave_settings;
    const int numbers[] = {set->schedule,     set->race,           set->reads,      set->lanes,
                           set->block_size,   set->renumber,       set->bank_order, set->reverse,
                           set->method.start, set->method.improve, set->jit};
    add_bytes(key, numbers, sizeof numbers);
    add_text(key, set->coordinates != NULL ? set->coordinates : "");
}

/* The hash of what was compiled, which every choice for the call asks for anew. */
static struct store_key code_of(struct cleave_call *call, const struct cleave_choice *choice)
{
    struct store_key key;
    if (call->tuned_loop != choice->loop) {
        struct making making;
        begin_key(&making);
        add_code(&making, call, choice);
        key = end_key(&making);
        memcpy(call->code_key, key.word, sizeof key.word);
        call->tuned_loop = choice->loop;
    }
    memcpy(key.word, call->code_key, sizeof key.word);
    return key;
}

struct store_key cleave_tune_key(struct cleave_call *call, const struct cleave_choice *choice)
{
    const struct store_key code = code_of(call, choice);
    struct making key;
    begin_key(&key);
    add_bytes(&key, code.word, sizeof code.word);
    add_mesh(&key, call);
    add_settings(&key);
    add_text(&key, cleave_target_row[choice->target].word);
    if (choice->device != NULL) {
        add_text(&key, choice->device->device());
    } else {
        add_number(&key, omp_get_max_threads());
        add_number(&key, cleave_lanes_most());
    }
    return end_key(&key);
}
