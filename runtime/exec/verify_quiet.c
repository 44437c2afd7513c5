/* verify_quiet.c: kernels that print, under CLEAVE_VERIFY=1: the reference and the variant both
 * run, and the program's output has the lines of the reference alone. While the variant runs, the
 * standard output's descriptor leads nowhere: printf of threads, and of the device, which writes
 * there itself when it is waited for. */
#include "runtime/exec/verify.h"

#include <fcntl.h>
#include <unistd.h>

static int prints(const struct cleave_call *call)
{
    for (int l = 0; l < call->match->loops; l++) {
        if (call->match->loop[l]->prints) {
            return 1;
        }
    }
    return 0;
}

int cleave_verify_quiet(const struct cleave_call *call)
{
    if (!prints(call)) {
        return -1;
    }
    fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int kept = nowhere >= 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    if (kept >= 0) {
        dup2(nowhere, STDOUT_FILENO);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return kept;
}

void cleave_verify_loud(int token)
{
    if (token < 0) {
        return;
    }
    if (cleave_device != NULL) {
        cleave_device->wait();
    }
    fflush(stdout);
    dup2(token, STDOUT_FILENO);
    close(token);
}
