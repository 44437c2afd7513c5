/* messages.h: messages of cleavecc as -w, -Werror, -fdiagnostics-color and -format ask for them. */
#ifndef CLEAVE_DRIVER_MESSAGES_H
#define CLEAVE_DRIVER_MESSAGES_H

#include "pass/ir/diag.h"
#include "pass/driver/driver.h"

/* The messages of one unit, or of the run. */
struct messages {
    const struct driver *driver;
    struct diag *diag; /* reports go here */
    FILE *out;
    char *text; /* the text printed so far */
    size_t size;
    size_t shown; /* bytes of it that stderr has */
    bool dropped; /* the host compiler has reported the errors already: nothing more is shown */
};

/* Fills settings.messages from the command; takes a format that the host compiler does not know out
 * of its words. */
void messages_read(struct driver *driver);

/* Returns 0, or -1 after a message. messages_end() is called in either case. */
int messages_begin(struct messages *messages, const struct driver *driver);
/* Prints what was reported since the last time. */
void messages_show(struct messages *messages);
/* Prints the rest, or writes the file that the format asks for, and frees all. unit: NULL for the
 * run. Returns 0, or 1 when an error was reported and shown. */
int messages_end(struct messages *messages, const struct unit *unit);

#endif
