/* written.h: the content of a file that a test had written, for tests of the runtime's output. */
#ifndef CLEAVE_TEST_WRITTEN_H
#define CLEAVE_TEST_WRITTEN_H

#include <stdio.h>
#include <unistd.h>

/* Reads at most capacity - 1 bytes of the file into text, ends them with a 0, and removes the file. Returns
 * text, which is "" where there is no such file. */
static inline const char *take_file(const char *name, char *text, size_t capacity)
{
    FILE *file = fopen(name, "rb");
    size_t length = file != NULL ? fread(text, 1, capacity - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    unlink(name);
    return text;
}

#endif
