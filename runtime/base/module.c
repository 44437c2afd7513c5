/* module.c: finds a second copy of the runtime in the process.
 *
 * libcleave is a static library, so that a program and each shared library of loops hold a copy.
 * The dynamic linker makes them use one of them where the first is visible to the others; where it
 * is not, a set of one copy would mean nothing to the other. Each copy therefore leaves an ELF note
 * in its module with the distance to a flag of its own, which says whether that copy is in use:
 * notes are found in every module, whatever symbols it hides.
 */
#include "runtime/base/settings.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#define NOTE_NAME "cleave"
enum { NOTE_TYPE = 1 };

static volatile int in_use __asm__("cleave_module_in_use") __attribute__((used));

/* Owner's name, type, and 8 bytes: the distance from these bytes to the flag. */
__asm__(".pushsection .note.cleave, \"a\", %note\n"
        ".balign 4\n"
        ".long 7, 8, 1\n"
        ".asciz \"" NOTE_NAME "\"\n"
        ".balign 4\n"
        ".quad cleave_module_in_use - .\n"
        ".popsection\n");

/* State of a search for other copies. */
struct search {
    const char *other; /* module of another copy in use; NULL: none */
};

static size_t padded(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

static void read_note(struct search *search, const char *module, const ElfW(Nhdr) * note)
{
    const char *name = (const char *)(note + 1);
    const char *bytes = name + padded(note->n_namesz);
    int64_t distance;
    if (note->n_namesz != sizeof NOTE_NAME || note->n_type != NOTE_TYPE ||
        note->n_descsz != sizeof distance || memcmp(name, NOTE_NAME, sizeof NOTE_NAME) != 0) {
        return;
    }
    memcpy(&distance, bytes, sizeof distance);
    const volatile int *flag = (const volatile int *)((uintptr_t)bytes + (uintptr_t)distance);
    if (flag != &in_use && *flag) {
        search->other = module;
    }
}

static int read_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    for (int p = 0; p < info->dlpi_phnum; p++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[p];
        if (segment->p_type != PT_NOTE || segment->p_align > 4) {
            continue; /* notes of 8 bytes' alignment are the system's */
        }
        const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
        const char *end = at + segment->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            read_note(data, info->dlpi_name, note);
            at += sizeof *note + padded(note->n_namesz) + padded(note->n_descsz);
        }
    }
    return 0;
}

static const char *module_name(const char *name)
{
    return name != NULL && name[0] != '\0' ? name : "the program";
}

const char *cleave_module_of(const void *address)
{
    Dl_info info;
    return module_name(dladdr(address, &info) != 0 ? info.dli_fname : NULL);
}

void cleave_module_use(int use)
{
    struct search search = {NULL};
    if (use) {
        dl_iterate_phdr(read_module, &search);
    }
    if (search.other != NULL) {
        cleave_fatal(
            "%s and %s each contain a copy of cleave's runtime, and both are used, but sets and "
            "dats that are declared in one are unknown in the other: link the program with "
            "cleavecc, so that libraries use its copy, or open the first library with RTLD_GLOBAL",
            cleave_module_of((const void *)(uintptr_t)&in_use), module_name(search.other));
    }
    in_use = use;
}

void cleave_module_pin(const void *address)
{
    Dl_info info;
    if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
}
