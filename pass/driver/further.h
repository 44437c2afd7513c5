/* further.h: the text of further variants, which the runtime compiles while a program runs, as data
 * in the object (struct cleave_source_text). */
#ifndef CLEAVE_DRIVER_FURTHER_H
#define CLEAVE_DRIVER_FURTHER_H

#include "pass/driver/driver.h"

/* Name of the file of data, in the folder of the unit's temporary files. */
extern const char further_data_name[];

/* Whether objects with code for a device carry the text: if --cleave-emit predicts what is fast and
 * leaves candidates out. */
bool further_is_wanted(const struct settings *settings);

/* Packs the text in the file `text`, the headers that it includes, and the command that compiles it
 * into the file of data. An empty text: *exists becomes false, and there is no such file. Returns
 * 0, or an exit code after a message. */
int further_pack(const struct driver *driver, const char *text, const char *data, bool *exists);

#endif
