/* threads.c: loops of several threads at the same time, and calls from a kernel, end the program
 * with a message; threads that take turns do not. The overlaps are certain: kernels wait for each
 * other. */
#include "op_seq.h"

#include <pthread.h>
#include <setjmp.h>
#include <semaphore.h>

#include "check.h"
#include "child.h"

static op_set cells;
static op_dat q;
static sem_t begun;
static sem_t go_on;

static void declare(void)
{
    op_init(0, NULL, 0);
    cells = op_decl_set(1, "cells");
    q = op_decl_dat(cells, 1, "double", NULL, "q");
    sem_init(&begun, 0, 0);
    sem_init(&go_on, 0, 0);
}

static void add(double *value)
{
    *value += 1.0;
}

static void add_slowly(double *value)
{
    sem_post(&begun);
    sem_wait(&go_on);
    *value += 1.0;
}

static void fetch(double *value)
{
    op_fetch_data(q, value);
}

static void loop_inside(double *value)
{
    (void)value;
    op_par_loop(add, "inner", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

static void *run_add(void *nothing)
{
    op_par_loop(add, "add", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    return nothing;
}

static void *run_slowly(void *nothing)
{
    op_par_loop(add_slowly, "slow", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    return nothing;
}

static void *run_fetch(void *nothing)
{
    double value;
    op_fetch_data(q, &value);
    return nothing;
}

static void beside_slow(void *(*function)(void *))
{
    pthread_t slow;
    declare();
    pthread_create(&slow, NULL, run_slowly, NULL);
    sem_wait(&begun);
    function(NULL);
    sem_post(&go_on);
    pthread_join(slow, NULL);
}

static void two_loops(void)
{
    beside_slow(run_add);
}

static void loop_and_fetch(void)
{
    beside_slow(run_fetch);
}

static void fetch_in_kernel(void)
{
    declare();
    op_par_loop(fetch, "fetch", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

static void loop_in_kernel(void)
{
    declare();
    op_par_loop(loop_inside, "outer", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

static jmp_buf out;

static void leave(double *value)
{
    (void)value;
    longjmp(out, 1);
}

static __attribute__((noinline)) void run_leave(void)
{
    op_par_loop(leave, "leave", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

static void left_kernel(void)
{
    declare();
    if (setjmp(out) == 0) {
        run_leave();
    }
    run_fetch(NULL);
}

static void turns(void)
{
    double value = 0.0;
    declare();
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, i % 2 == 0 ? run_add : run_fetch, NULL);
        pthread_join(thread, NULL);
        run_add(NULL);
    }
    op_fetch_data(q, &value);
    op_exit();
    exit(value == 15.0 ? 0 : 3);
}

int main(void)
{
    static const struct {
        void (*run)(void);
        const char *says;
    } cases[] = {
        {two_loops, "is called while another thread is in op_par_loop (" __FILE__ ":"},
        {loop_and_fetch, "op_fetch_data is called while another thread is in op_par_loop ("},
        {fetch_in_kernel, "op_fetch_data is called by the kernel of a loop that has not ended, "},
        {left_kernel, "op_fetch_data is called after the kernel of op_par_loop (" __FILE__ ":"},
        {loop_in_kernel, "is called by the kernel of a loop that has not ended, op_par_loop ("},
    };
    char said[1024];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(child_run(cases[i].run, said, sizeof said) == 1);
        if (strstr(said, cases[i].says) == NULL) {
            CHECK_TEXT(said, cases[i].says);
        }
    }
    CHECK(child_run(turns, said, sizeof said) == 0);
    CHECK_TEXT(said, "");
    return CHECK_RESULT();
}
