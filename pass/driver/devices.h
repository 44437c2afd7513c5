/* devices.h: the devices that text can be generated for besides OpenMP, a row each. */
#ifndef CLEAVE_DEVICES_H
#define CLEAVE_DEVICES_H

#include "pass/driver/driver.h"

struct device_row {
    const char *compiler; /* for messages: "CUDA compiler" */
    const char *stage;    /* for times: "CUDA compile" */
    enum codegen_target target;
    bool is_default; /* it is taken where --cleave-arch names no device */
    /* Why nothing can be compiled for it here; NULL: it can. `must`: that is an error; else loops
     * are compiled for the CPU only, and a note says so. */
    const char *(*missing)(const struct config *config);
    bool must;
    /* Decides what to compile for; -1 after a message. NULL: nothing to decide. */
    int (*choose)(struct driver *driver);
    bool runs_in_folder; /* the compiler runs in the folder of the file, not in the user's */
    /* Puts what the compiler needs into the folder: 0, or an exit code after a message. NULL:
     * nothing. */
    int (*prepare)(const struct driver *driver, const char *folder);
    struct words (*command)(const struct driver *driver, const char *folder, const char *file,
                            const char *object);
    /* The command that a program runs for further variants, with the holes of struct
     * cleave_source_text; `file` is the text. */
    struct words (*further_command)(const struct driver *driver, const char *file);
    /* Programs are linked with these, if cleave was built with them: an archive of ours, and what
     * that needs, NULL: nothing. */
    const char *archive;
    bool (*has_archive)(const struct config *config);
    void (*add_libraries)(const struct driver *driver, struct words *out);
};

/* The row of a device; NULL for DEVICE_NONE. */
const struct device_row *device_row(enum device device);
/* The row whose libraries every program is linked with; NULL: cleave was built without them. */
const struct device_row *device_linked(const struct driver *driver);

/* Decides driver->device, and what its row decides. Returns -1 after a message. */
int device_choose(struct driver *driver);
/* Whether no device code is going to be compiled, before that is decided. */
bool device_is_none(const struct driver *driver);

#endif
