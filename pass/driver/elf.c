/* elf.c: finds symbols in the symbol tables of an object file, or of an archive's. See elf.h.
 * Every offset is checked against the file's size: a damaged file is an answer, not a crash. */
#include "pass/driver/elf.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    const unsigned char *bytes;
    size_t size;
};

/* [offset, offset + count * size) of the file, copied nowhere; NULL when the file is shorter. */
static const void *part(const struct image *image, Elf64_Off offset, size_t count, size_t size)
{
    if (offset > image->size || (size != 0 && count > (image->size - offset) / size)) {
        return NULL;
    }
    return image->bytes + offset;
}

static bool read_section(const struct image *image, const Elf64_Ehdr *header, size_t index,
                         Elf64_Shdr *section)
{
    const unsigned char *table;

    if (header->e_shentsize != sizeof(*section) || index >= header->e_shnum) {
        return false;
    }
    table = part(image, header->e_shoff, header->e_shnum, sizeof(*section));
    if (table == NULL) {
        return false;
    }
    memcpy(section, table + index * sizeof(*section), sizeof(*section));
    return true;
}

static bool read_header(const struct image *image, Elf64_Ehdr *header)
{
    const unsigned short order = 1;
    bool little = *(const unsigned char *)&order == 1;

    if (image->size < sizeof(*header)) {
        return false;
    }
    memcpy(header, image->bytes, sizeof(*header));
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == (little ? ELFDATA2LSB : ELFDATA2MSB) && header->e_shoff != 0;
}

/* The symbol to look for: one that the object defines, or one that it needs from elsewhere. */
struct wanted {
    const char *pattern;
    bool undefined;
    const char *found; /* in the image */
};

static bool is_wanted(const struct wanted *wanted, const Elf64_Sym *entry, const char *name)
{
    return (entry->st_shndx == SHN_UNDEF) == wanted->undefined &&
           fnmatch(wanted->pattern, name, 0) == 0;
}

static enum elf_answer search_table(const struct image *image, const Elf64_Ehdr *header,
                                    const Elf64_Shdr *table, struct wanted *wanted)
{
    Elf64_Shdr strings;
    const char *names;
    const unsigned char *entries;
    size_t count = table->sh_size / sizeof(Elf64_Sym);

    if (!read_section(image, header, table->sh_link, &strings)) {
        return ELF_UNREADABLE;
    }
    names = part(image, strings.sh_offset, strings.sh_size, 1);
    entries = part(image, table->sh_offset, count, sizeof(Elf64_Sym));
    if (names == NULL || entries == NULL) {
        return ELF_UNREADABLE;
    }
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym entry;

        memcpy(&entry, entries + i * sizeof(entry), sizeof(entry));
        if (entry.st_name < strings.sh_size &&
            memchr(names + entry.st_name, '\0', strings.sh_size - entry.st_name) != NULL &&
            is_wanted(wanted, &entry, names + entry.st_name)) {
            wanted->found = names + entry.st_name;
            return ELF_DEFINED;
        }
    }
    return ELF_NOT_DEFINED;
}

static enum elf_answer search_image(const struct image *image, struct wanted *wanted)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;

    if (!read_header(image, &header)) {
        return ELF_UNREADABLE;
    }
    for (size_t i = 0; i < header.e_shnum; i++) {
        if (!read_section(image, &header, i, &section)) {
            return ELF_UNREADABLE;
        }
        if (section.sh_type == SHT_SYMTAB) {
            return search_table(image, &header, &section, wanted);
        }
    }
    return ELF_NOT_DEFINED;
}

/* Bytes of an archive's member that begins with this header; 0: the archive is damaged. */
static size_t member_size(const struct image *archive, const struct ar_hdr *member)
{
    const size_t from = (size_t)((const unsigned char *)member - archive->bytes) + sizeof(*member);
    char digits[sizeof(member->ar_size) + 1] = "";
    size_t size;

    memcpy(digits, member->ar_size, sizeof(member->ar_size));
    size = (size_t)strtoul(digits, NULL, 10);
    return memcmp(member->ar_fmag, ARFMAG, sizeof(member->ar_fmag)) == 0 &&
                   size <= archive->size - from
               ? size
               : 0;
}

/* Searches the members one by one for the symbol. Members that are not objects, such as the
 * archive's own table of symbols, have no symbols. */
static enum elf_answer search_archive(const struct image *archive, struct wanted *wanted)
{
    size_t at = SARMAG;

    while (at + sizeof(struct ar_hdr) < archive->size) {
        const struct ar_hdr *member = (const struct ar_hdr *)(archive->bytes + at);
        struct image image = {archive->bytes + at + sizeof(*member), member_size(archive, member)};

        if (image.size == 0) {
            return ELF_UNREADABLE;
        }
        if (search_image(&image, wanted) == ELF_DEFINED) {
            return ELF_DEFINED;
        }
        at += sizeof(*member) + image.size + image.size % 2;
    }
    return ELF_NOT_DEFINED;
}

static enum elf_answer search(const struct image *image, struct wanted *wanted)
{
    return image->size > SARMAG && memcmp(image->bytes, ARMAG, SARMAG) == 0
               ? search_archive(image, wanted)
               : search_image(image, wanted);
}

/* `arena` gets a copy of the name that was found; NULL: nobody wants it. */
static enum elf_answer search_file(const char *path, struct wanted *wanted, struct arena *arena)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    enum elf_answer answer = ELF_UNREADABLE;
    struct stat stat;

    if (file < 0) {
        return ELF_UNREADABLE;
    }
    if (fstat(file, &stat) == 0 && stat.st_size > 0) {
        struct image image = {.size = (size_t)stat.st_size};
        void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);

        if (bytes != MAP_FAILED) {
            image.bytes = bytes;
            answer = search(&image, wanted);
            if (wanted->found != NULL && arena != NULL) {
                wanted->found = arena_text(arena, wanted->found);
            }
            munmap(bytes, image.size);
        }
    }
    close(file);
    return answer;
}

enum elf_answer elf_defines(const char *path, const char *symbol)
{
    struct wanted wanted = {.pattern = symbol};

    return search_file(path, &wanted, NULL);
}

const char *elf_needed(struct arena *arena, const char *path, const char *pattern)
{
    struct wanted wanted = {.pattern = pattern, .undefined = true};

    return search_file(path, &wanted, arena) == ELF_DEFINED ? wanted.found : NULL;
}
