/* further.c: packs the text of further variants into a file of data for the host compiler.
 *
 * The archive has the text and all headers of cleave that it may include, so that a program needs
 * no installed cleave when it compiles, and its hash says everything that the result depends on but
 * the compiler. */
#include "pass/driver/further.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pass/driver/devices.h"

const char further_data_name[] = "further_data.c";

/* The name of the text in the archive, whatever the source is called. */
static const char text_name[] = "further.cu";

bool further_is_wanted(const struct settings *settings)
{
    const struct codegen_options *emit = &settings->emit;

    return emit->predicted && !emit->candidates && !emit->exhaustive;
}

/* ---- the archive ----------------------------------------------------------------------------- */

static int report_cannot(const char *verb, const char *path)
{
    fprintf(stderr, "cleavecc: error: cannot %s '%s': %s\n", verb, path, strerror(errno));
    return 1;
}

/* Adds a file under a name to the archive. */
static int add_file(FILE *archive, const char *path, const char *name)
{
    FILE *file = fopen(path, "r");
    char piece[4096];
    size_t got;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return report_cannot("read", path);
    }
    fprintf(archive, "%s %ld\n", name, ftell(file));
    rewind(file);
    while ((got = fread(piece, 1, sizeof(piece), file)) > 0) {
        fwrite(piece, 1, got, archive);
    }
    fclose(file);
    return 0;
}

static int is_header(const struct dirent *entry)
{
    return text_ends(entry->d_name, ".cuh") || text_ends(entry->d_name, ".h");
}

/* Adds the headers of include/device/. */
static int add_device(const struct driver *driver, FILE *archive)
{
    const char *folder = arena_format(driver->arena, "%s/device", driver->config.include);
    struct dirent **entry;
    int entries = scandir(folder, &entry, is_header, alphasort);
    int code = 0;

    if (entries < 0) {
        return report_cannot("read", folder);
    }
    for (int i = 0; i < entries; i++) {
        if (code == 0) {
            code = add_file(archive, arena_format(driver->arena, "%s/%s", folder, entry[i]->d_name),
                            arena_format(driver->arena, "device/%s", entry[i]->d_name));
        }
        free(entry[i]);
    }
    free(entry);
    return code;
}

static int add_all(const struct driver *driver, FILE *archive, const char *text)
{
    static const char *const headers[] = {"cleave_cost.h",   "cleave_gen.h",    "cleave_math.h",
                                          "cleave_named.h",  "cleave_early.h",  "cleave_records.h",
                                          "cleave_plan.def", "cleave_words.def"};
    int code = add_file(archive, text, text_name);

    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]) && code == 0; i++) {
        code = add_file(archive,
                        arena_format(driver->arena, "%s/%s", driver->config.include, headers[i]),
                        headers[i]);
    }
    return code == 0 ? add_device(driver, archive) : code;
}

/* ---- the file of data ------------------------------------------------------------------------ */

/* Bytes as a string literal of lines; `bytes` of them. */
static void write_bytes(FILE *out, const unsigned char *byte, size_t bytes)
{
    enum { LINE = 32 };

    for (size_t i = 0; i < bytes; i++) {
        fputs(i % LINE == 0 ? "\n    \"" : "", out);
        fprintf(out, "\\%03o", byte[i]);
        fputs(i % LINE == LINE - 1 || i + 1 == bytes ? "\"" : "", out);
    }
}

static void write_words(FILE *out, const struct words *words)
{
    for (int w = 0; w < words->count; w++) {
        write_bytes(out, (const unsigned char *)words->word[w], strlen(words->word[w]) + 1);
    }
}

static int write_data(const struct driver *driver, const char *path, const unsigned char *packed,
                      size_t packed_bytes, size_t bytes)
{
    struct words command = device_row(driver->device)->further_command(driver, text_name);
    FILE *out = fopen(path, "w");
    bool failed;

    if (out == NULL) {
        return report_cannot("write", path);
    }
    fputs("#include \"cleave_gen.h\"\n\n", out);
    fputs("#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\n"
          "    const struct cleave_source_text " CODEGEN_FURTHER_SYMBOL
          " __attribute__((visibility(\"hidden\")));\n\n"
          "static const unsigned char packed[] =",
          out);
    write_bytes(out, packed, packed_bytes);
    fprintf(out,
            ";\n\nconst struct cleave_source_text " CODEGEN_FURTHER_SYMBOL
            " = {\n    packed, %zu, %zu,",
            packed_bytes, bytes);
    write_words(out, &command);
    fprintf(out, ",\n    \"%s\"};\n", config_version());
    failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    return failed ? report_cannot("write", path) : 0;
}

static int pack(const struct driver *driver, const char *data, const char *archive, size_t bytes)
{
    uLongf packed_bytes = compressBound((uLong)bytes);
    unsigned char *packed = malloc(packed_bytes);
    int code = 0;

    if (packed == NULL || compress2(packed, &packed_bytes, (const unsigned char *)archive,
                                    (uLong)bytes, Z_BEST_COMPRESSION) != Z_OK) {
        fprintf(stderr, "cleavecc: error: not enough memory to pack %zu bytes\n", bytes);
        code = 1;
    }
    code = code == 0 ? write_data(driver, data, packed, packed_bytes, bytes) : code;
    free(packed);
    return code;
}

static bool is_empty(const char *path)
{
    FILE *file = fopen(path, "r");
    bool empty = file == NULL || fgetc(file) == EOF;

    if (file != NULL) {
        fclose(file);
    }
    return empty;
}

int further_pack(const struct driver *driver, const char *text, const char *data, bool *exists)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *archive;
    int code;

    *exists = !is_empty(text);
    if (!*exists) {
        return 0;
    }
    archive = open_memstream(&bytes, &size);
    if (archive == NULL) {
        return report_cannot("pack", text);
    }
    code = add_all(driver, archive, text);
    if (fclose(archive) != 0 && code == 0) {
        code = report_cannot("pack", text);
    }
    code = code == 0 ? pack(driver, data, bytes, size) : code;
    free(bytes);
    return code;
}
