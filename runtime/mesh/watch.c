/* watch.c: lets programs read and write dat->data between loops without asking, as OP2's CPU
 * programs do.
 *
 * dat->data is the copy in the program's order; loops may work on another one. Which of them are
 * current decides what the program may do with the pages of dat->data:
 *
 *     dat->data is current, and no other copy   read and write
 *     dat->data and another copy are current    read; a write makes the other copies old first
 *     dat->data is old                          nothing; any access fetches the values first
 *
 * What it may not do is a fault, which the handler below turns into that work, after which the
 * program goes on. Nothing is done as long as the program does not look, and what it looks at once
 * it may read until a loop modifies the dat again. Where one thread of the program fetches, others
 * see the old pages until the new ones are complete, and then those: the values are put together
 * elsewhere and moved. All of this holds the state of dats (threads.c), as the thread that runs
 * loops does where it changes that state. */
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/pages.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

static struct sigaction before; /* the program's own, for faults that are none of ours */
static __thread int handling;

/* ---- what the program may do --------------------------------------------------------------- */

int cleave_watch_wanted(void)
{
    return cleave_settings.watch && cleave_targets.count > 0;
}

static void allow(struct cleave_dat *dat, enum cleave_watch watch)
{
    static const int protection[] = {[WATCH_OPEN] = PROT_READ | PROT_WRITE,
                                     [WATCH_READ] = PROT_READ,
                                     [WATCH_CLOSED] = PROT_NONE};
    struct cleave_dat *d = dat;
    const size_t bytes = cleave_dat_bytes(&dat->core);
    if (bytes > 0 && mprotect(dat->core.data, bytes, protection[watch]) != 0) {
        cleave_fatal("dat '%s': its pages cannot be protected: %s (CLEAVE_WATCH=off avoids this)",
                     dat->core.name, strerror(errno));
    }
    do { /* overlays share the pages */
        d->watch = watch;
        d = d->overlay;
    } while (d != NULL && d != dat);
}

/* Returns the protection that follows from the current copies of all dats over these pages. */
static enum cleave_watch wanted(const struct cleave_dat *dat)
{
    const struct cleave_dat *d = dat;
    int user = 0;
    int others = 0;
    do {
        user |= d->current[COPY_USER];
        others |= d->current[COPY_HOST] | d->current[COPY_DEVICE];
        d = d->overlay;
    } while (d != NULL && d != dat);
    return !user ? WATCH_CLOSED : others ? WATCH_READ : WATCH_OPEN;
}

static void install(void);

void cleave_watch_update(struct cleave_dat *dat)
{
    enum cleave_watch watch;
    if (!dat->paged || !cleave_settings.watch || dat->core.data == NULL) {
        return;
    }
    watch = wanted(dat);
    if (watch != dat->watch) {
        install();
        allow(dat, watch);
    }
}

void cleave_watch_open(struct cleave_dat *dat)
{
    if (dat->paged && dat->watch != WATCH_OPEN) {
        allow(dat, WATCH_OPEN);
    }
}

/* ---- faults -------------------------------------------------------------------------------- */

void cleave_watch_fill(struct cleave_dat *dat, void (*fill)(const struct cleave_dat *dat, char *to))
{
    const size_t bytes = cleave_dat_bytes(&dat->core);
    if (!handling) {
        cleave_watch_open(dat);
        fill(dat, dat->core.data);
        return;
    }
    char *complete = cleave_pages_new(bytes, dat->core.name);
    fill(dat, complete);
    if (cleave_pages_move(complete, dat->core.data, bytes) != 0) {
        cleave_fatal("dat '%s': its values cannot be moved to dat->data: %s", dat->core.name,
                     strerror(errno));
    }
    dat->watch = WATCH_OPEN;
}

static struct cleave_dat *dat_at(const char *address)
{
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        if (d->paged && address >= d->core.data &&
            address < d->core.data + cleave_dat_bytes(&d->core)) {
            return d;
        }
    }
    return NULL;
}

static int is_write(void *context)
{
    enum { WRITE = 2 }; /* of the page fault's error code */
    const ucontext_t *at = context;
    return (at->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
}

static void let_through(struct cleave_dat *dat, int write)
{
    handling = 1;
    if (dat->watch == WATCH_CLOSED) {
        cleave_dat_current(&dat->core, COPY_USER);
    }
    if (write && dat->watch == WATCH_READ) {
        cleave_dat_written(&dat->core, COPY_USER);
    }
    handling = 0;
}

/* ---- a stack for that work ------------------------------------------------------------------ */

/* Threads with an alternate signal stack handle faults there, which is made for a few frames:
 * fetching a dat, through the device's driver for instance, takes more. */
enum { STACK_BYTES = 1 << 20 };

/* One stack for all threads: the thread that uses it holds the state of dats. */
static struct {
    char *memory;
    struct cleave_dat *dat;
    int write;
} stack;

static int is_on_signal_stack(void)
{
    stack_t now;
    return sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_ONSTACK) != 0;
}

static void let_through_there(void)
{
    let_through(stack.dat, stack.write);
}

/* Calls `work` with the stack that ends at `top`. makecontext() would do, but AddressSanitizer
 * warns of it in every program. */
static __attribute__((noinline)) void call_there(char *top, void (*work)(void))
{
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %0, %%rsp\n\t"
                     "call *%1\n\t"
                     "movq %%rbx, %%rsp"
                     :
                     : "r"(top), "r"(work)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
                       "memory");
}

static void let_through_on_own_stack(struct cleave_dat *dat, int write)
{
    if (stack.memory == NULL) {
        stack.memory = cleave_pages_new(STACK_BYTES, "a stack");
    }
    stack.dat = dat;
    stack.write = write;
    call_there(stack.memory + STACK_BYTES, let_through_there);
}

/* The user's error handler may leave the handling of a fault by longjmp: resets its state. */
static void leave(void)
{
    handling = 0;
}

/* 1: the fault was caused by the watch and is handled; the instruction can be repeated. */
static int is_handled(const siginfo_t *info, int write)
{
    if (info->si_code != SEGV_ACCERR || handling) {
        return 0;
    }
    cleave_flush();
    CLEAVE_HOLD_DATS;
    struct cleave_dat *dat = dat_at(info->si_addr);
    if (dat != NULL && is_on_signal_stack()) {
        let_through_on_own_stack(dat, write);
    } else if (dat != NULL) {
        let_through(dat, write);
    }
    return dat != NULL;
}

/* ---- faults of the program ------------------------------------------------------------------ */

/* Restores the old action, so that the instruction faults again and ends the program; a signal that
 * was sent has no such instruction and is raised again. */
static void hand_on_to_system(int signal_number, const siginfo_t *info)
{
    const int sent = info->si_code <= 0;
    if (!sent || before.sa_handler == SIG_DFL) {
        sigaction(signal_number, &before, NULL);
    }
    if (sent && before.sa_handler == SIG_DFL) {
        raise(signal_number);
    }
}

/* Calls the handler that was there before ours, with the signals blocked that it asks for, as if
 * nobody watched. */
static void hand_on(int signal_number, siginfo_t *info, void *context)
{
    const struct sigaction own = before;
    sigset_t mask = own.sa_mask;
    sigset_t unmasked;
    if (own.sa_handler == SIG_DFL || own.sa_handler == SIG_IGN) {
        hand_on_to_system(signal_number, info);
        return;
    }
    if (own.sa_flags & (int)SA_RESETHAND) {
        before.sa_flags &= ~SA_SIGINFO;
        before.sa_handler = SIG_DFL;
    }
    if ((own.sa_flags & SA_NODEFER) == 0) {
        sigaddset(&mask, signal_number);
    }
    pthread_sigmask(SIG_BLOCK, &mask, &unmasked);
    if (own.sa_flags & SA_SIGINFO) {
        own.sa_sigaction(signal_number, info, context);
    } else {
        own.sa_handler(signal_number);
    }
    pthread_sigmask(SIG_SETMASK, &unmasked, NULL);
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    const int error = errno;
    if (!is_handled(info, is_write(context))) {
        hand_on(signal_number, info, context);
    }
    errno = error;
}

/* Once: a handler that the program installs later is its wish. Faults are not blocked while one is
 * handled, as threads that start there inherit that. Ours runs on an alternate stack if the
 * program's does, which may be there for the overflow of the usual one. */
static void install(void)
{
    static int installed;
    struct sigaction action;
    if (!installed) {
        memset(&action, 0, sizeof action);
        sigaction(SIGSEGV, NULL, &before);
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER | (before.sa_flags & SA_ONSTACK);
        sigaction(SIGSEGV, &action, NULL);
        cleave_leave_too(leave);
        installed = 1;
    }
}
