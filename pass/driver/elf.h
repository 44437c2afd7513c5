/* elf.h: finds symbols in object files. */
#ifndef CLEAVE_DRIVER_ELF_H
#define CLEAVE_DRIVER_ELF_H

#include "pass/ir/arena.h"

enum elf_answer {
    ELF_DEFINED,
    ELF_NOT_DEFINED, /* a good object without that symbol */
    ELF_UNREADABLE   /* no 64-bit ELF object of this machine's byte order, or a damaged one */
};

/* Whether the object file at `path` defines `symbol`. */
enum elf_answer elf_defines(const char *path, const char *symbol);

/* The first symbol that the object file or the archive at `path` needs from elsewhere and whose
 * name fits the pattern (fnmatch); NULL when there is none, or no such file. */
const char *elf_needed(struct arena *arena, const char *path, const char *pattern);

#endif
