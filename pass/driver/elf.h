/* elf.h: a look into an object file. */
#ifndef CLEAVE_DRIVER_ELF_H
#define CLEAVE_DRIVER_ELF_H

enum elf_answer {
    ELF_DEFINED,
    ELF_NOT_DEFINED, /* a good object without that symbol */
    ELF_UNREADABLE   /* no 64-bit ELF object of this machine's byte order, or a damaged one */
};

/* Whether the object file at `path` defines `symbol`. */
enum elf_answer elf_defines(const char *path, const char *symbol);

#endif
