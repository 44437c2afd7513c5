/* text.c: the packed text of further variants becomes files.
 *
 * zlib is opened at run time: programs that never compile do without it. The archive comes from the
 * program's own object, but it is read with care all the same: a damaged one gives a reason, and no
 * file outside the folder is written.
 */
#include "runtime/jit/impl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* int uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen) */
typedef int zlib_uncompress(unsigned char *to, unsigned long *to_bytes, const unsigned char *from,
                            unsigned long from_bytes);

static zlib_uncompress *find_zlib(void)
{
    static const char *const names[] = {"libz.so.1", "libz.so"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        void *library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
        void *function = library != NULL ? dlsym(library, "uncompress") : NULL;
        zlib_uncompress *uncompress = NULL;
        if (function != NULL) {
            memcpy(&uncompress, &function, sizeof uncompress);
            return uncompress;
        }
    }
    return NULL;
}

char *cleave_jit_text_unpack(const struct cleave_source_text *source, char why[JIT_WHY])
{
    zlib_uncompress *uncompress = find_zlib();
    unsigned long bytes = source->bytes;
    if (uncompress == NULL) {
        snprintf(why, JIT_WHY, "zlib (libz.so.1) is not found, which unpacks the text");
        return NULL;
    }
    char *archive = malloc(source->bytes + 1);
    if (archive == NULL) {
        snprintf(why, JIT_WHY, "there is not enough memory");
        return NULL;
    }
    if (uncompress((unsigned char *)archive, &bytes, source->packed, source->packed_bytes) != 0 ||
        bytes != source->bytes) {
        snprintf(why, JIT_WHY, "the text in the object is damaged");
        free(archive);
        return NULL;
    }
    archive[bytes] = '\0';
    return archive;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* One file of an archive. */
struct member {
    char name[64];
    const char *data;
    size_t bytes;
};

/* Reads the member at *at, and moves *at behind it. 0 at the end or where the archive is damaged.
 */
static int next_member(const char **at, const char *end, struct member *member)
{
    int length = 0;
    if (*at >= end ||
        sscanf(*at, "%63[a-zA-Z0-9_./] %zu%n", member->name, &member->bytes, &length) != 2 ||
        (*at)[length] != '\n' || strstr(member->name, "..") != NULL || member->name[0] == '/') {
        return 0;
    }
    member->data = *at + length + 1;
    if (member->bytes > (size_t)(end - member->data)) {
        return 0;
    }
    *at = member->data + member->bytes;
    return 1;
}

static int write_file(const char *path, const struct member *member)
{
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        return -1;
    }
    int failed = fwrite(member->data, 1, member->bytes, file) != member->bytes;
    return fclose(file) != 0 || failed ? -1 : 0;
}

/* Makes the folder of a member's name, which has one slash at most. */
static int make_folder(const char *folder, const char *name)
{
    char path[JIT_PATH];
    const char *slash = strchr(name, '/');
    if (slash == NULL) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

int cleave_jit_text_write(const struct cleave_source_text *source, const char *archive,
                          const char *folder, char why[JIT_WHY])
{
    const char *at = archive;
    const char *end = archive + source->bytes;
    struct member member;
    while (next_member(&at, end, &member)) {
        char path[JIT_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, member.name);
        if (make_folder(folder, member.name) != 0 || write_file(path, &member) != 0) {
            snprintf(why, JIT_WHY, "%s cannot be written: %s", path, strerror(errno));
            return -1;
        }
    }
    if (at != end) {
        snprintf(why, JIT_WHY, "the text in the object is damaged");
        return -1;
    }
    return 0;
}

void cleave_jit_text_remove(const struct cleave_source_text *source, const char *archive,
                            const char *folder)
{
    const char *at = archive;
    struct member member;
    char path[JIT_PATH];
    while (next_member(&at, archive + source->bytes, &member)) {
        const char *slash = strchr(member.name, '/');
        snprintf(path, sizeof path, "%s/%s", folder, member.name);
        unlink(path);
        if (slash != NULL) {
            snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - member.name), member.name);
            rmdir(path); /* succeeds behind its last file */
        }
    }
    rmdir(folder);
}
