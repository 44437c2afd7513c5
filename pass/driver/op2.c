/* op2.c: removes OP2's own libraries from a link, because cleave's replace them.
 *
 * Makefiles of OP2 programs name them, and their functions have the names of ours. Linked together
 * they give a screen of duplicate symbols, or a program that runs OP2's functions instead of ours.
 * So they are left out, with a warning. An object of OP2's is an error that names it. */
#include <string.h>

#include "pass/driver/elf.h"
#include "pass/driver/link.h"
#include "pass/driver/messages.h"

static const char *const libraries[] = {"seq", "openmp",   "openmp4", "cuda",     "hip", "sycl",
                                        "mpi", "mpi_cuda", "mpi_hip", "mpi_sycl", "hdf5"};

/* "op2_seq", or "op2_seq.a" and "op2_seq.so.1" for a file. */
static bool is_library(const char *name, bool is_file)
{
    static const char start[] = "op2_";

    if (!text_starts(name, start)) {
        return false;
    }
    name += strlen(start);
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
        const char *rest = name + strlen(libraries[i]);

        if (text_starts(name, libraries[i]) &&
            (is_file
                 ? strcmp(rest, ".a") == 0 || strcmp(rest, ".so") == 0 || text_starts(rest, ".so.")
                 : *rest == '\0')) {
            return true;
        }
    }
    return false;
}

/* Whether a word of the link names a library of OP2: behind -l, or as a file libop2_seq.a. */
static bool names_library(const struct word *word, const struct word *before)
{
    const char *text = word->text;
    bool behind = word->kind == WORD_VALUE && strcmp(before->text, "-l") == 0;

    if (word->kind == WORD_INPUT) {
        text = path_base(text);
        return text_starts(text, "lib") && is_library(text + 3, true);
    }
    if (word->kind == WORD_FLAG && text_starts(text, "-l")) {
        text += 2;
    } else if (!behind) {
        return false;
    }
    return text_starts(text, ":lib") ? is_library(text + 4, true) : is_library(text, false);
}

/* Says which object is OP2's; returns whether one is. */
static bool say_object(const struct command *command)
{
    static const char *const symbols[] = {"op_init", "op_init_core", "op_decl_set",
                                          "op_decl_set_core"};

    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];
        bool is_object = word->kind == WORD_INPUT && text_ends(word->text, ".o");

        for (size_t s = 0; is_object && s < sizeof(symbols) / sizeof(symbols[0]); s++) {
            if (elf_defines(word->text, symbols[s]) == ELF_DEFINED) {
                fprintf(stderr,
                        "cleavecc: error: '%s' defines OP2's '%s', which cleave's library "
                        "replaces; link without it\n",
                        word->text, symbols[s]);
                return true;
            }
        }
    }
    return false;
}

int op2_leave_out(struct driver *driver)
{
    const struct command *command = &driver->command;
    struct words rest = words_new(driver->arena);
    struct messages messages;
    int left = 0;

    if (say_object(command) || messages_begin(&messages, driver) != 0) {
        return 1;
    }
    for (int i = 0; i < command->words; i++) {
        const struct word *word = &command->word[i];
        bool apart =
            i + 1 < command->words && strcmp(word->text, "-l") == 0 && word[1].kind == WORD_VALUE;
        const struct word *named = apart ? word + 1 : word;

        if (names_library(named, word)) {
            static const struct loc nowhere;

            diag_report(messages.diag, DIAG_op2_library, nowhere, 1, nowhere, named->text);
            left++;
            i += apart;
        } else {
            words_add(&rest, word->text);
        }
    }
    if (left > 0) {
        driver->words = rest;
        driver->command = command_read(driver->arena, &rest, command->is_cxx);
    }
    return messages_end(&messages, NULL);
}
