/* load.c: a shared object becomes a unit of the program.
 *
 * It is loaded from memory, so that what was checked is what runs, whoever changes files meanwhile.
 * The unit in it has no key, and does not know where the program's own constants are: a copy of it
 * gets both from the unit that the text belongs to.
 */
#include "runtime/jit/impl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int write_all(int file, const char *from, size_t bytes)
{
    while (bytes > 0) {
        ssize_t put = write(file, from, bytes);
        if (put < 0 && errno != EINTR) {
            return -1;
        }
        if (put > 0) {
            from += put;
            bytes -= (size_t)put;
        }
    }
    return 0;
}

/* The file stays open: with its number, another one would have its name, too, which the dynamic
 * linker would take for this one. */
static void *open_library(const void *library, size_t bytes, char why[JIT_WHY])
{
    char path[64];
    int file = memfd_create("cleave-further", MFD_CLOEXEC);
    if (file < 0 || write_all(file, library, bytes) != 0) {
        snprintf(why, JIT_WHY, "no file in memory: %s", strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return NULL;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(why, JIT_WHY, "%s", dlerror());
        close(file);
    }
    return handle;
}

static int fits(const struct cleave_unit *found, const struct jit_job *job)
{
    const struct cleave_unit *unit = job->unit;
    return found->abi == unit->abi && found->target == unit->target &&
           strcmp(found->id, unit->id) == 0 && found->loops == 1 &&
           strcmp(found->loop[0].call, unit->loop[job->loop].call) == 0 &&
           strcmp(found->loop[0].signature, unit->loop[job->loop].signature) == 0;
}

/* The unit's object of a constant that the program initialises; NULL: it has none. */
static const void *object_of(const struct cleave_unit *unit, const char *name)
{
    for (int c = 0; c < unit->constants; c++) {
        if (unit->constant[c].in_object && strcmp(unit->constant[c].name, name) == 0) {
            return unit->constant[c].object;
        }
    }
    return NULL;
}

static int copy_constants(struct jit_job *job)
{
    const int count = job->made.constants;
    job->constant = malloc((size_t)count * sizeof job->constant[0] + 1);
    if (job->constant == NULL) {
        snprintf(job->why, JIT_WHY, "there is not enough memory");
        return -1;
    }
    for (int c = 0; c < count; c++) {
        job->constant[c] = job->made.constant[c];
        if (job->constant[c].in_object) {
            job->constant[c].object = object_of(job->unit, job->constant[c].name);
        }
    }
    job->made.constant = job->constant;
    return 0;
}

int cleave_jit_load(struct jit_job *job, const void *library, size_t bytes)
{
    void *handle = open_library(library, bytes, job->why);
    const struct cleave_unit *found = handle != NULL ? dlsym(handle, CLEAVE_FURTHER_UNIT) : NULL;
    if (found == NULL || !fits(found, job)) {
        if (handle != NULL) {
            snprintf(job->why, JIT_WHY, "the shared object is not what was compiled");
            dlclose(handle);
        }
        return -1;
    }
    job->made = *found;
    job->made.key = job->unit->key;
    job->made.source = job->unit->source;
    return copy_constants(job);
}
