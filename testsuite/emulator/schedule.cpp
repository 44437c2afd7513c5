/* schedule.cpp: runs a launch, block after block, thread after thread.
 *
 * A thread runs until its first barrier or exchange with its warp, or to its end; then the next one
 * in the chosen order does. Threads that never wait run one after another on a single stack: a
 * fiber is kept only by a thread that waits. When every thread has had its turn, a round ends: all
 * wait at one barrier and are released, or all have ended, or somebody waits in vain, which is an
 * error.
 */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>
#include "emulator.h"

namespace cleave_emulator
{
position here;

namespace
{
enum state { FRESH, READY, AT_BARRIER, AT_EXCHANGE, AT_ARRIVAL, ENDED };

struct place {
    const char *file;
    int line;
};

struct thread {
    enum state state;
    fiber *stack;       /* while it waits or is ready to go on */
    place at;           /* where it waits */
    enum exchange kind; /* at an exchange: which, its number, what the thread gives and gets */
    int number;
    uint64_t given;
    uint64_t got;
    size_t arrival; /* at an arrival: its byte, and the phase */
    int phase;
};

const launch *running;
thread threads[MAX_THREADS];
std::vector<int> order;             /* in which threads have their turns */
int turn;                           /* index into order of the running thread */
int waiting[ENDED + 1];             /* how many threads are in each state */
int exchanging[MAX_THREADS / WARP]; /* how many lanes of each warp wait at an exchange */
fiber *current;                     /* the stack that runs */
std::vector<fiber *> unused;        /* stacks without a thread */

void set_state(thread *t, enum state state)
{
    waiting[t->state]--;
    waiting[state]++;
    t->state = state;
}

/* ---- order ----------------------------------------------------------------------------------- */

enum order_kind { ASCENDING, DESCENDING, RANDOM };

uint64_t random_state;

enum order_kind order_setting()
{
    const char *text = getenv("CLEAVE_EMU_ORDER");
    if (text == nullptr || *text == '\0' || strcmp(text, "ascending") == 0) {
        return ASCENDING;
    }
    if (strcmp(text, "descending") == 0) {
        return DESCENDING;
    }
    char *end = nullptr;
    if (strncmp(text, "random:", 7) == 0 && text[7] != '\0') {
        random_state = strtoull(text + 7, &end, 10) * 2 + 0x9e3779b97f4a7c15u;
    }
    if (end == nullptr || *end != '\0') {
        stop_setting("CLEAVE_EMU_ORDER", text, "ascending, descending or random:SEED");
    }
    return RANDOM;
}

uint64_t random_next()
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 33;
}

void shuffle(std::vector<int> *list)
{
    for (size_t i = list->size(); i > 1; i--) {
        std::swap((*list)[i - 1], (*list)[random_next() % i]);
    }
}

enum order_kind order_chosen()
{
    static const enum order_kind chosen = order_setting();
    return chosen;
}

void make_order(std::vector<int> *list, int count)
{
    bool down = order_chosen() == DESCENDING;
    list->resize((size_t)count);
    for (int i = 0; i < count; i++) {
        (*list)[(size_t)i] = down ? count - 1 - i : i;
    }
    if (order_chosen() == RANDOM) {
        shuffle(list);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

std::string place_text(const place &at)
{
    const char *slash = strrchr(at.file, '/');
    return std::string(slash != nullptr ? slash + 1 : at.file) + ":" + std::to_string(at.line);
}

bool same_place(const place &a, const place &b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

int first_thread(enum state state)
{
    for (int i = 0; i < here.threads; i++) {
        if (threads[i].state == state) {
            return i;
        }
    }
    return -1;
}

const char *const EXCHANGE_NAME[] = {"shuffle", "shuffle", "shuffle", "ballot", "warp barrier"};

[[noreturn]] void exchange_stuck()
{
    int lane = first_thread(AT_EXCHANGE);
    int warp = lane / WARP * WARP;
    unsigned mask = 0;
    for (int i = warp; i < warp + WARP && i < here.threads; i++) {
        mask |= threads[i].state == AT_EXCHANGE ? 1u << (i - warp) : 0;
    }
    stop(lane, "waits at a %s (%s) that lanes of its warp do not reach; only lanes 0x%08x do",
         EXCHANGE_NAME[threads[lane].kind], place_text(threads[lane].at).c_str(), mask);
}

[[noreturn]] void barrier_stuck()
{
    int waits = first_thread(AT_BARRIER);
    stop(waits, "waits at a divergent barrier (%s): thread %d has ended",
         place_text(threads[waits].at).c_str(), first_thread(ENDED));
}

void release_barrier()
{
    for (int i = 0; i < here.threads; i++) {
        if (!same_place(threads[i].at, threads[0].at)) {
            stop(0, "waits at a divergent barrier (%s): thread %d waits at another (%s)",
                 place_text(threads[0].at).c_str(), i, place_text(threads[i].at).c_str());
        }
        threads[i].state = READY;
    }
    waiting[READY] = waiting[AT_BARRIER];
    waiting[AT_BARRIER] = 0;
    shared_end_phase();
}

/* Lets those go on whose arrivals are complete; now, because nobody can copy more to them. */
void release_arrivals()
{
    for (int i = 0; i < here.threads; i++) {
        thread *t = &threads[i];
        if (t->state == AT_ARRIVAL && arrival_try(t->arrival, t->phase)) {
            set_state(t, READY);
        }
    }
    if (waiting[READY] == 0) {
        const thread *first = &threads[first_thread(AT_ARRIVAL)];
        arrival_stuck((int)(first - threads), first->arrival, place_text(first->at).c_str());
    }
}

/* Nobody can go on: lets those do that wait together. False: the block has ended. */
bool release()
{
    if (waiting[ENDED] == here.threads) {
        return false;
    }
    if (waiting[AT_ARRIVAL] > 0) {
        release_arrivals();
    } else if (waiting[AT_EXCHANGE] > 0) {
        exchange_stuck();
    } else if (waiting[ENDED] > 0) {
        barrier_stuck();
    } else {
        release_barrier();
    }
    return true;
}

/* Everybody had a turn. False: the block has ended. */
bool end_round()
{
    if (waiting[READY] == 0 && !release()) {
        return false;
    }
    if (order_chosen() == RANDOM) {
        shuffle(&order);
    }
    turn = -1;
    return true;
}

/* Returns the thread that runs next; -1 when the block has ended. */
int next_turn()
{
    for (;;) {
        while (++turn < here.threads) {
            enum state state = threads[order[(size_t)turn]].state;
            if (state == FRESH || state == READY) {
                return order[(size_t)turn];
            }
        }
        if (!end_round()) {
            return -1;
        }
    }
}

/* ---- stacks ---------------------------------------------------------------------------------- */

void go_on_at(fiber *to)
{
    fiber *from = current;
    if (to != from) {
        current = to;
        fiber_switch(from, to);
    }
}

void thread_loop();

fiber *stack_without_thread()
{
    if (unused.empty()) {
        return fiber_new(thread_loop);
    }
    fiber *result = unused.back();
    unused.pop_back();
    return result;
}

/* Runs threads from their start to their end. Entered with the thread to run in `here`; a thread
 * that waits leaves this loop on its stack and the next one starts on another. */
void thread_loop()
{
    fiber_entered();
    for (;;) {
        running->body(running->data);
        shared_end_turn();
        copies_end_thread(here.thread);
        set_state(&threads[here.thread], ENDED);
        int next = next_turn();
        if (next >= 0) {
            here.thread = next;
        }
        if (next < 0 || threads[next].state == READY) {
            unused.push_back(current);
            go_on_at(next < 0 ? fiber_host() : threads[next].stack);
        }
    }
}

/* The running thread cannot go on before others have. */
void give_turn()
{
    int self = here.thread;
    threads[self].stack = current;
    int next = next_turn();
    here.thread = next;
    go_on_at(threads[next].state == FRESH ? stack_without_thread() : threads[next].stack);
}

void run_block(int block)
{
    here.block = block;
    turn = -1;
    for (int i = 0; i < here.threads; i++) {
        threads[i].state = FRESH;
    }
    memset(waiting, 0, sizeof(waiting));
    waiting[FRESH] = here.threads;
    shared_begin_block(running->shared_bytes);
    here.thread = next_turn();
    go_on_at(stack_without_thread());
    shared_end_block();
}

cudaError_t launch_error(const launch &launch)
{
    if (launch.blocks < 0 || launch.blocks > 0x7fffffff || launch.threads < 1 ||
        launch.threads > MAX_THREADS) {
        return cudaErrorInvalidConfiguration;
    }
    if (launch.shared_bytes > MAX_SHARED) {
        return cudaErrorInvalidValue;
    }
    return stream_exists(launch.stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
} // namespace

/* ---- what kernels and hosts call ------------------------------------------------------------- */

void run(const launch &launch)
{
    if (launch.blocks == 0) {
        return;
    }
    cudaError_t error = launch_error(launch);
    if (error != cudaSuccess) {
        fail(error);
        return;
    }
    if (graph_captures(launch.stream)) {
        graph_add(launch);
    } else if (!late_takes(launch)) {
        run_now(launch);
    }
}

void run_now(const launch &launch)
{
    static std::vector<int> blocks;
    running = &launch;
    current = fiber_host();
    global_begin_launch();
    here.threads = (int)launch.threads;
    make_order(&order, here.threads);
    make_order(&blocks, (int)launch.blocks);
    for (int block : blocks) {
        run_block(block);
    }
    running = nullptr;
}

void barrier(const char *file, int line)
{
    thread *self = &threads[here.thread];
    shared_end_turn();
    self->at = {file, line};
    set_state(self, AT_BARRIER);
    give_turn();
}

/* Returns the lane whose value a lane gets. */
static int source_of(const thread *self, int lane)
{
    int from = self->number;
    if (self->kind != SHUFFLE) {
        from = self->kind == SHUFFLE_UP ? lane - self->number : lane + self->number;
        from = from >= 0 && from < WARP ? from : lane;
    }
    return from;
}

static uint64_t ballot_of(int warp)
{
    uint64_t mask = 0;
    for (int lane = 0; lane < WARP; lane++) {
        mask |= (threads[warp + lane].given & 1) << lane;
    }
    return mask;
}

/* Hands each lane of a complete warp what it asked for. */
static void exchange_all(int warp)
{
    uint64_t ballot = ballot_of(warp);
    for (int i = warp; i < warp + WARP; i++) {
        thread *self = &threads[i];
        if (!same_place(self->at, threads[warp].at) || self->kind != threads[warp].kind) {
            stop(warp, "waits at a %s (%s), but thread %d of its warp waits at another (%s)",
                 EXCHANGE_NAME[threads[warp].kind], place_text(threads[warp].at).c_str(), i,
                 place_text(self->at).c_str());
        }
        self->got = self->kind == BALLOT ? ballot : threads[warp + source_of(self, i - warp)].given;
        set_state(self, READY);
    }
    if (threads[warp].kind == WARP_BARRIER) {
        shared_end_warp_phase(warp / WARP);
    }
}

void warp_exchange(enum exchange kind, void *value, size_t size, int number, const char *file,
                   int line)
{
    thread *self = &threads[here.thread];
    int warp = here.thread / WARP * WARP;
    if (here.threads - warp < WARP) {
        stop(here.thread, "is at a %s in a warp of %d lanes; blocks that use warps have whole ones",
             EXCHANGE_NAME[kind], here.threads - warp);
    }
    if (kind == SHUFFLE && (number < 0 || number >= WARP)) {
        stop(here.thread, "asks a shuffle for lane %d; a warp has lanes 0 to 31", number);
    }
    shared_end_turn();
    self->at = {file, line};
    self->kind = kind;
    self->number = number;
    memcpy(&self->given, value, size);
    set_state(self, AT_EXCHANGE);
    if (++exchanging[warp / WARP] == WARP) {
        exchanging[warp / WARP] = 0;
        exchange_all(warp);
    } else {
        give_turn();
    }
    memcpy(value, &self->got, size);
}

void arrival_wait(size_t byte, int phase, const char *file, int line)
{
    thread *self = &threads[here.thread];
    shared_end_turn();
    if (!arrival_over(byte, phase)) {
        self->at = {file, line};
        self->arrival = byte;
        self->phase = phase;
        set_state(self, AT_ARRIVAL);
        give_turn();
    }
    arrival_seen(byte);
}

void stop(int thread, const char *format, ...)
{
    va_list arguments;
    fflush(nullptr);
    fprintf(stderr, "cleave emulator: error: ");
    if (running != nullptr) {
        fprintf(stderr, "kernel '%s', block %d: ", running->kernel, here.block);
    }
    if (thread >= 0) {
        fprintf(stderr, "thread %d ", thread);
    }
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    /* Not exit: this may be a thread's stack, with the host's work half done. */
    _exit(1);
}

void stop_setting(const char *name, const char *value, const char *expected)
{
    fflush(nullptr);
    fprintf(stderr, "cleave emulator: error: %s=%s is not %s\n", name, value, expected);
    _exit(1);
}
} // namespace cleave_emulator
