/* fiber.cpp: stacks to switch between, for the threads of a block.
 *
 * On x86-64 a switch saves the six registers that the calling convention keeps and takes a few
 * nanoseconds; elsewhere it is swapcontext. AddressSanitizer is told of every switch, so that whole
 * programs can run under it.
 */
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
#include "emulator.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#else
static void __sanitizer_start_switch_fiber(void **, const void *, size_t)
{
}
static void __sanitizer_finish_switch_fiber(void *, const void **, size_t *)
{
}
#endif

namespace cleave_emulator
{
constexpr size_t STACK_BYTES = 256 * 1024;
constexpr size_t GUARD_BYTES = 4096;
/* Stacks start at different places in their pages, lest all their tops share a few cache lines. */
constexpr size_t STACK_SHIFT = 9 * 64;
constexpr size_t STACK_SHIFTS = 28;
} // namespace cleave_emulator

/* ---- one switch, per machine ----------------------------------------------------------------- */

#if defined(__x86_64__)

extern "C" void cleave_emulator_switch(void **save, void *load);

asm(R"(
    .text
    .globl cleave_emulator_switch
    .hidden cleave_emulator_switch
    .type cleave_emulator_switch, @function
cleave_emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size cleave_emulator_switch, . - cleave_emulator_switch
)");

namespace cleave_emulator
{
struct machine_context {
    void *stack_pointer;
};

static void context_make(machine_context *context, char *top, void (*entry)())
{
    /* The stack looks as if `entry` had been called and the six registers had been pushed before it
     * began. */
    void **slot = (void **)top;
    *--slot = nullptr;
    *--slot = (void *)entry;
    for (int i = 0; i < 6; i++) {
        *--slot = nullptr;
    }
    context->stack_pointer = slot;
}

static void context_switch(machine_context *from, machine_context *to)
{
    cleave_emulator_switch(&from->stack_pointer, to->stack_pointer);
}
} // namespace cleave_emulator

#else

#include <ucontext.h>

namespace cleave_emulator
{
struct machine_context {
    ucontext_t context;
};

static void context_make(machine_context *context, char *top, void (*entry)())
{
    size_t room = STACK_BYTES - STACK_SHIFT * STACK_SHIFTS;
    getcontext(&context->context);
    context->context.uc_stack.ss_sp = top - room;
    context->context.uc_stack.ss_size = room;
    context->context.uc_link = nullptr;
    makecontext(&context->context, entry, 0);
}

static void context_switch(machine_context *from, machine_context *to)
{
    swapcontext(&from->context, &to->context);
}
} // namespace cleave_emulator

#endif

/* ---- fibers ---------------------------------------------------------------------------------- */

namespace cleave_emulator
{
struct fiber {
    machine_context context;
    const void
        *bottom; /* of the stack, for AddressSanitizer; the host's is learnt at its first switch */
    size_t bytes;
    void *shadow_stack; /* AddressSanitizer's, while the fiber does not run */
    fiber *older;       /* all fibers form a list, to be found by leak checkers */
};

static fiber host;
static fiber *newest;
static fiber *left; /* the fiber that the last switch came from */

fiber *fiber_host()
{
    return &host;
}

fiber *fiber_new(void (*entry)())
{
    static size_t made;
    void *memory = mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    fiber *result = (fiber *)calloc(1, sizeof(fiber));
    if (memory == MAP_FAILED || result == nullptr) {
        stop(-1, "the emulator has no memory for the stack of another thread");
    }
    mprotect(memory, GUARD_BYTES, PROT_NONE);
    char *bottom = (char *)memory + GUARD_BYTES;
    result->bottom = bottom;
    result->bytes = STACK_BYTES;
    result->older = newest;
    newest = result;
    context_make(&result->context, bottom + STACK_BYTES - made++ % STACK_SHIFTS * STACK_SHIFT,
                 entry);
    return result;
}

static void arrived(void *shadow_stack)
{
    const void *bottom = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(shadow_stack, &bottom, &bytes);
    if (left == &host) {
        host.bottom = bottom;
        host.bytes = bytes;
    }
}

void fiber_entered()
{
    arrived(nullptr);
}

void fiber_switch(fiber *from, fiber *to)
{
    left = from;
    __sanitizer_start_switch_fiber(&from->shadow_stack, to->bottom, to->bytes);
    context_switch(&from->context, &to->context);
    arrived(from->shadow_stack);
}
} // namespace cleave_emulator
