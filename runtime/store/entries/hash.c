/* hash.c: the hash of keys and checksums. */
#include <string.h>

#include "runtime/store/entries/impl.h"

#define LANES 8
#define PIECE ((size_t)1 << 20) /* bytes; a power of two times LANES words */
#define MANY_PIECES 4           /* fewer are not worth a parallel region */

/* Two odd numbers without structure: the fractional parts of the golden ratio and of pi. */
#define MULTIPLIER_A UINT64_C(0x9e3779b97f4a7c15)
#define MULTIPLIER_B UINT64_C(0x243f6a8885a308d3)

static uint64_t load(const unsigned char *from, size_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, from, bytes);
    return word;
}

/* One to one in both arguments when the other is fixed: a changed word always changes the state. */
static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * MULTIPLIER_A;
    return state ^ (state >> 29);
}

/* The last step of splitmix64: every bit of the result depends on every bit of x. */
static uint64_t finish(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void add(struct store_key *hash, uint64_t word)
{
    hash->word[0] = finish(mix(hash->word[0], word));
    hash->word[1] = finish((hash->word[1] + word) * MULTIPLIER_B + hash->word[0]);
}

/* LANES independent states, so that their multiplications overlap. The second of the two words
 * takes the lanes in another order and through another multiplier. */
static struct store_key hash_piece(const unsigned char *from, size_t bytes)
{
    uint64_t lane[LANES];
    for (int l = 0; l < LANES; l++) {
        lane[l] = MULTIPLIER_B * (uint64_t)(2 * l + 1);
    }
    size_t step = LANES * sizeof(uint64_t);
    size_t whole = bytes - bytes % step;
    for (size_t at = 0; at < whole; at += step) {
        for (size_t l = 0; l < LANES; l++) {
            lane[l] = mix(lane[l], load(from + at + l * sizeof(uint64_t), sizeof(uint64_t)));
        }
    }
    struct store_key hash = {{bytes, 0}};
    for (size_t at = whole; at < bytes; at += sizeof(uint64_t)) {
        size_t left = bytes - at;
        add(&hash, load(from + at, left < sizeof(uint64_t) ? left : sizeof(uint64_t)));
    }
    for (int l = 0; l < LANES; l++) {
        add(&hash, lane[l]);
    }
    return hash;
}

/* Pieces of a fixed size are hashed apart and their hashes mixed in order, in groups that fit the
 * stack: neither depends on the threads. */
void cleave_store_hash(struct store_key *hash, const void *data, size_t bytes)
{
    enum { GROUP = 256 };
    struct store_key part[GROUP];
    const unsigned char *from = data;
    add(hash, bytes);
    if (bytes > 0 && bytes <= PIECE) { /* keys have hundreds of short texts: no region for each */
        const struct store_key only = hash_piece(from, bytes);
        add(hash, only.word[0]);
        add(hash, only.word[1]);
        return;
    }
    for (size_t at = 0; at < bytes; at += GROUP * PIECE) {
        size_t left = bytes - at;
        int pieces = left < GROUP * PIECE ? (int)((left + PIECE - 1) / PIECE) : GROUP;
#pragma omp parallel for schedule(static) if (pieces >= MANY_PIECES)
        for (int p = 0; p < pieces; p++) {
            size_t begin = (size_t)p * PIECE;
            size_t size = left - begin < PIECE ? left - begin : PIECE;
            part[p] = hash_piece(from + at + begin, size);
        }
        for (int p = 0; p < pieces; p++) {
            add(hash, part[p].word[0]);
            add(hash, part[p].word[1]);
        }
    }
}
