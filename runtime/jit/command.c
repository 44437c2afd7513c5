/* command.c: the command that compiles further variants: the object's, with the loop and the
 * device's architecture filled in, and the compiler looked for.
 *
 * A compiler is known by its file, size and time, as ccache knows it: a new toolkit in the old
 * place is another compiler. Its version is not asked for, which would start it once more.
 */
#include "runtime/jit/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A copy of the word with all `hole`s replaced; NULL without memory. */
static char *filled(const char *word, const char *hole, const char *text)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    if (out == NULL) {
        return NULL;
    }
    for (const char *found; (found = strstr(word, hole)) != NULL; word = found + strlen(hole)) {
        fprintf(out, "%.*s%s", (int)(found - word), word, text);
    }
    fputs(word, out);
    if (fclose(out) != 0) {
        free(result);
        return NULL;
    }
    return result;
}

static char *word_for(const char *word, int loop, const char *architecture)
{
    char number[16];
    snprintf(number, sizeof number, "%d", loop);
    char *half = filled(word, "@loop@", number);
    char *whole = half != NULL ? filled(half, "@arch@", architecture) : NULL;
    free(half);
    return whole;
}

static int is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The program of this name in PATH, which the caller frees; NULL: there is none. */
static char *in_path(const char *name)
{
    const char *path = cleave_variable(VARIABLE_PATH);
    for (path = path != NULL ? path : "/usr/bin:/bin"; *path != '\0';) {
        const size_t length = strcspn(path, ":");
        char *file = malloc(length + strlen(name) + 2);
        if (file == NULL) {
            return NULL;
        }
        sprintf(file, "%.*s/%s", (int)length, path, name);
        if (length > 0 && is_program(file)) {
            return file;
        }
        free(file);
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* Replaces the first word by a file that can be run: the one that it names, else one of its name in
 * PATH. */
static int find_compiler(struct jit_command *command, char why[JIT_WHY])
{
    const char *named = command->word[0];
    const char *slash = strrchr(named, '/');
    char *found = slash != NULL && is_program(named) ? strdup(named)
                                                     : in_path(slash != NULL ? slash + 1 : named);
    if (found == NULL) {
        snprintf(why, JIT_WHY, "the compiler '%s' is not there, nor one of its name in PATH",
                 named);
        return -1;
    }
    free(command->word[0]);
    command->word[0] = found;
    return 0;
}

static void identify(struct jit_command *command)
{
    struct stat status = {0};
    char *real = realpath(command->word[0], NULL);
    const char *name = real != NULL ? real : command->word[0];
    stat(name, &status);
    const int64_t about[] = {(int64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                             (int64_t)status.st_mtim.tv_nsec};
    cleave_store_hash(&command->identity, name, strlen(name));
    cleave_store_hash(&command->identity, about, sizeof about);
    free(real);
}

int cleave_jit_command_make(struct jit_command *command, const struct jit_job *job,
                            char why[JIT_WHY])
{
    *command = (struct jit_command){0};
    for (const char *word = job->unit->source_text->command; *word != '\0';
         word += strlen(word) + 1) {
        if (command->words == JIT_WORDS) {
            snprintf(why, JIT_WHY, "the compiler's command has too many words");
            return -1;
        }
        command->word[command->words] = word_for(word, job->loop, job->architecture);
        if (command->word[command->words++] == NULL) {
            snprintf(why, JIT_WHY, "there is not enough memory");
            return -1;
        }
    }
    if (command->words == 0 || find_compiler(command, why) != 0) {
        return -1;
    }
    identify(command);
    return 0;
}

void cleave_jit_command_free(struct jit_command *command)
{
    for (int w = 0; w < command->words; w++) {
        free(command->word[w]);
    }
}
