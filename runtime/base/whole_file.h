/* whole_file.h: text files that appear whole or not at all: written beside their place and renamed
 * at the end. Used by programs and by cleavecc; needs nothing else of the runtime. */
#ifndef CLEAVE_WHOLE_FILE_H
#define CLEAVE_WHOLE_FILE_H

#include <stdio.h>

struct cleave_whole_file {
    FILE *file; /* to be written; NULL: none is open */
    char *name; /* where the file will be; links are followed */
    char
        *temporary; /* NULL: `name` is no regular file (a pipe, a terminal), and written in place */
};

/* Opens the file for writing. Returns 0; or -1 with the cause in errno, and nothing is changed. A
 * file that exists keeps its permissions. */
int cleave_whole_file_begin(struct cleave_whole_file *whole, const char *name);
/* Ends it: the file has its new content, or after -1 (cause in errno) what it had before. failed: 1
 * if the content could not be made. */
int cleave_whole_file_end(struct cleave_whole_file *whole, int failed);
/* Returns 0 if the file could be written now, else -1 with the cause in errno. Leaves nothing
 * behind. */
int cleave_whole_file_try(const char *name);

#endif
