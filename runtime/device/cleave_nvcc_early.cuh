/* cleave_nvcc_early.cuh: launches that wait on the device for the values of their globals, for
 * nvcc.
 *
 * Included through cleave_nvcc.cuh only. Thread 0 of block 0 looks at memory of the host until
 * it hears something or gives up, and decides for all blocks: it writes what it has heard to memory
 * of the device, where the other blocks wait for it.
 */
#ifndef CLEAVE_NVCC_EARLY_CUH
#define CLEAVE_NVCC_EARLY_CUH

/* cleave_variant.early */
#define CLEAVE_EARLY(words) (words)

CLEAVE_DEVICE unsigned long long cleave_nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Words that a value takes in struct cleave_early. */
template <class V> constexpr int cleave_early_words = (int)((sizeof(V) + 15) / 16 * 2);

/* Reads a pair. True: it is one, and was written for the launch. */
CLEAVE_DEVICE bool cleave_early_pair(const unsigned long long *pair, unsigned long long key,
                                     unsigned long long &word)
{
    unsigned long long other;
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(word), "=l"(other)
                 : "l"(__cvta_generic_to_global(pair))
                 : "memory");
    return (word ^ other) == key;
}

/* Whether a launch that has heard nothing gives up. By both clocks: cycles depend on the clock rate
 * and the multiprocessor, where a launch that gave way to another process may go on elsewhere; the
 * timer can be set. */
CLEAVE_DEVICE bool cleave_early_late(long long cycles, unsigned long long nanoseconds)
{
    return (unsigned long long)(clock64() - cycles) >= CLEAVE_EARLY_CYCLES &&
           cleave_nanoseconds() - nanoseconds >= (unsigned long long)(1e9 * CLEAVE_EARLY_SECONDS);
}

/* Waits for the host, and passes on what it tells. It looks once more after it was late: other
 * processes may have had the device since it looked, and the host may have told it in time. */
template <int WORDS> CLEAVE_DEVICE void cleave_early_hear(const cleave_early &early)
{
    const unsigned long long key = CLEAVE_EARLY_KEY(early.number);
    const long long cycles = clock64();
    const unsigned long long nanoseconds = cleave_nanoseconds();
    bool runs = false;
    bool heard = false;
    bool late = false;
    while (!heard && !late) {
        late = cleave_early_late(cycles, nanoseconds);
        unsigned long long told;
        unsigned long long value[WORDS];
        bool complete = true;
        heard = cleave_early_pair(early.told, key, told);
        for (int w = 0; w < WORDS; w++) {
            complete &= cleave_early_pair(early.told + 2 + 2 * w, key, value[w]);
        }
        runs = heard && complete && told == CLEAVE_EARLY_RUN;
        heard = runs || (heard && told == CLEAVE_EARLY_NOTHING);
        for (int w = 0; runs && w < WORDS; w++) {
            early.passed[1 + w] = value[w];
        }
    }
    const unsigned long long answer = 2 * early.number + (runs ? 1 : 0);
    __threadfence();
    *(volatile unsigned long long *)early.passed = answer;
    *(volatile unsigned long long *)early.heard = answer;
}

template <class V>
CLEAVE_DEVICE void cleave_early_take(const unsigned long long *passed, int &word, V &value)
{
    memcpy(value.v, passed + word, sizeof(value.v));
    word += cleave_early_words<V>;
}

/* Every thread of a launch calls it behind cleave_block(). False: the launch does nothing. value:
 * of the globals that the loop reads, which a launch that started early waits for. */
template <class... V> CLEAVE_DEVICE bool cleave_values_come(const cleave_early &early, V &...value)
{
    if (early.told == NULL) {
        return true;
    }
    if (cleave_thread() == 0) {
        if (blockIdx.x == 0) {
            cleave_early_hear<(0 + ... + cleave_early_words<V>)>(early);
        }
        while (*(volatile unsigned long long *)early.passed / 2 != early.number) {
        }
        __threadfence(); /* L1 may have what an earlier launch read */
    }
    cleave_barrier();
    if (early.passed[0] % 2 == 0) {
        return false;
    }
    int word = 1;
    (cleave_early_take(early.passed, word, value), ...);
    return true;
}

#endif
