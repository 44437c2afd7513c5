/* The symbol reader: on this program itself, and on damaged copies of it, which are never a crash.
 */
#include "pass/driver/elf.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

int a_symbol_that_is_here = 1;

static unsigned char *image;
static size_t image_size;
static char copy_path[] = "/tmp/cleave-elf-XXXXXX";

static void read_image(void)
{
    FILE *file = fopen("/proc/self/exe", "rb");

    CHECK(file != NULL);
    if (file == NULL) {
        return;
    }
    fseek(file, 0, SEEK_END);
    image_size = (size_t)ftell(file);
    rewind(file);
    image = malloc(image_size);
    CHECK(image != NULL && fread(image, 1, image_size, file) == image_size);
    fclose(file);
}

static enum elf_answer answer_of(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(copy_path, "wb");

    CHECK(file != NULL);
    if (file != NULL) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    return elf_defines(copy_path, "a_symbol_that_is_here");
}

/* An archive of a member that is no object and of this program; cut short, it is never a crash. */
static void check_archive(void)
{
    struct arena *arena = arena_new();
    char *archive = malloc(image_size + 200);
    int size = sprintf(archive, "!<arch>\n%-48s%-10d`\nabc\n%-48s%-10zu`\n", "//", 4, "self/",
                       image_size);

    memcpy(archive + size, image, image_size);
    for (int length = 0; length < 300; length++) {
        CHECK(answer_of((unsigned char *)archive, (size_t)length) != ELF_DEFINED);
    }
    CHECK(answer_of((unsigned char *)archive, (size_t)size + image_size - 1) == ELF_UNREADABLE);
    CHECK(answer_of((unsigned char *)archive, (size_t)size + image_size) == ELF_DEFINED);
    CHECK(elf_needed(arena, copy_path, "mks?emp*") != NULL);
    free(archive);
    arena_free(arena);
}

/* The section headers, each byte changed in turn: any answer is right. */
static void check_damage(void)
{
    Elf64_Ehdr header;

    memcpy(&header, image, sizeof(header));
    for (size_t i = 0; i < sizeof(header); i++) {
        unsigned char old = image[i];

        image[i] = (unsigned char)(old ^ 0xff);
        answer_of(image, image_size);
        image[i] = old;
    }
    for (size_t i = 0; i < (size_t)header.e_shnum; i++) {
        unsigned char *section = image + header.e_shoff + i * sizeof(Elf64_Shdr);
        unsigned char saved[sizeof(Elf64_Shdr)];

        memcpy(saved, section, sizeof(saved));
        memset(section + offsetof(Elf64_Shdr, sh_offset), 0xfe, 16);
        answer_of(image, image_size);
        memcpy(section, saved, sizeof(saved));
    }
}

/* This program itself needs symbols of the C library. */
static void check_needed(void)
{
    struct arena *arena = arena_new();

    const char *name = elf_needed(arena, "/proc/self/exe", "mks?emp*");

    CHECK(name != NULL && strncmp(name, "mkstemp", 7) == 0);
    CHECK(elf_needed(arena, "/proc/self/exe", "a_symbol_that_is*") == NULL);
    CHECK(elf_needed(arena, "/no/such/file", "*") == NULL);
    arena_free(arena);
}

int main(void)
{
    int file = mkstemp(copy_path);

    CHECK(file >= 0);
    close(file);
    CHECK(elf_defines("/proc/self/exe", "a_symbol_that_is_here") == ELF_DEFINED);
    CHECK(elf_defines("/proc/self/exe", "a_symbol_that_is") == ELF_NOT_DEFINED);
    CHECK(elf_defines("/no/such/file", "x") == ELF_UNREADABLE);
    CHECK(elf_defines("/proc/self/cmdline", "x") == ELF_UNREADABLE);
    check_needed();
    read_image();
    if (image != NULL) {
        CHECK(answer_of(image, image_size) == ELF_DEFINED);
        CHECK(answer_of(image, 100) == ELF_UNREADABLE);
        CHECK(answer_of(image, 10) == ELF_UNREADABLE);
        CHECK(answer_of(image, 0) == ELF_UNREADABLE);
        check_archive();
        check_damage();
    }
    free(image);
    unlink(copy_path);
    return CHECK_RESULT();
}
