/* cache.c: kept numberings: what is read back is what was written, and nothing else is ever taken
 * for it. Every test runs in a process of its own, with a folder of its own and its notes in a
 * file. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "meshes/meshes.h"
#include "planner/cache/cache.h"

#define ELEMENTS 2000
#define BLOCK 64
#define NOBODY 65534

/* ---- write(), as a full disk or a slow one has it ------------------------------------------ */

static long disk_space = LONG_MAX; /* bytes until ENOSPC */
static size_t disk_piece; /* at most so many bytes at once, every second call is interrupted */
static int disk_calls;

ssize_t write(int file, const void *from, size_t bytes)
{
    if (file > 2 && disk_piece > 0) {
        if (++disk_calls % 2 == 1) {
            errno = EINTR;
            return -1;
        }
        bytes = bytes < disk_piece ? bytes : disk_piece;
    }
    if (file > 2 && (long)bytes > disk_space) {
        errno = ENOSPC;
        return -1;
    }
    if (file > 2) {
        disk_space -= (long)bytes;
    }
    return syscall(SYS_write, file, from, bytes);
}

/* ---- one test, one process ----------------------------------------------------------------- */

static char home[64]; /* the folder of the running test */

static char *in_home(const char *name)
{
    static char path[4][512];
    static int next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s%s%s", home, name[0] != '\0' ? "/" : "", name);
    return at;
}

/* What was written to stderr until now. */
static const char *notes(void)
{
    static char text[1 << 16];
    fflush(stderr);
    FILE *file = fopen(in_home("notes"), "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static int count_notes(void)
{
    int count = 0;
    for (const char *at = notes(); (at = strstr(at, "cleave: note: ")) != NULL; at++) {
        count++;
    }
    return count;
}

static void forget_notes(void)
{
    fflush(stderr);
    CHECK(truncate(in_home("notes"), 0) == 0);
}

static void run_test(void (*test)(void), const char *name)
{
    strcpy(home, "/tmp/cleave-cache.XXXXXX");
    CHECK(mkdtemp(home) != NULL);
    pid_t child = fork();
    if (child == 0) {
        int console = dup(2);
        setenv("CLEAVE_PLAN_CACHE", in_home("kept"), 1);
        CHECK(freopen(in_home("notes"), "a+", stderr) != NULL);
        test();
        if (check_failures > 0) {
            dprintf(console, "in %s:\n%s", name, notes());
        }
        fflush(NULL);
        _exit(check_failures > 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwX %s; rm -rf %s", home, home);
    CHECK(system(command) == 0);
}

/* ---- numberings and files ------------------------------------------------------------------ */

static struct plan_numbering *make_numbering(int elements, uint64_t seed)
{
    struct plan_numbering *numbering = calloc(1, sizeof *numbering);
    int blocks = (elements + BLOCK - 1) / BLOCK;
    *numbering = (struct plan_numbering){.elements = elements,
                                         .blocks = blocks,
                                         .block_size = BLOCK,
                                         .method = {PLAN_START_RCB, PLAN_IMPROVE_REFINE}};
    numbering->start = malloc(((size_t)blocks + 1) * sizeof(int));
    numbering->order = malloc((size_t)elements * sizeof(int) + 1);
    for (int b = 0; b <= blocks; b++) {
        numbering->start[b] = b < blocks ? b * BLOCK : elements;
    }
    for (int i = 0; i < elements; i++) {
        int j = test_random_below(&seed, i + 1);
        numbering->order[i] = numbering->order[j];
        numbering->order[j] = i;
    }
    return numbering;
}

static int same_numbering(const struct plan_numbering *a, const struct plan_numbering *b)
{
    return a != NULL && b != NULL && a->elements == b->elements && a->blocks == b->blocks &&
           a->block_size == b->block_size && a->method.start == b->method.start &&
           a->method.improve == b->method.improve &&
           memcmp(a->start, b->start, ((size_t)a->blocks + 1) * sizeof(int)) == 0 &&
           memcmp(a->order, b->order, (size_t)a->elements * sizeof(int)) == 0;
}

static const struct plan_key any_key = {{UINT64_C(0x0123456789abcdef), 42}};

/* 1: the key's numbering is read and equals `expected`; 0: none is read; -1: another one. */
static int reads(const struct plan_key *key, const struct plan_numbering *expected)
{
    struct plan_numbering *read = planner_cache_read(key, expected->elements);
    int result = read == NULL ? 0 : same_numbering(read, expected) ? 1 : -1;
    planner_numbering_free(read);
    return result;
}

static int files_in(const char *folder)
{
    DIR *list = opendir(folder);
    int count = 0;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (list != NULL) {
        closedir(list);
    }
    return count;
}

static char *path_of(const struct plan_key *key)
{
    static char path[CACHE_PATH];
    CHECK(planner_cache_file(path, key) == 0);
    return path;
}

static unsigned char *load(const char *path, size_t *bytes)
{
    struct stat status = {0};
    CHECK(stat(path, &status) == 0);
    *bytes = (size_t)status.st_size;
    unsigned char *data = malloc(*bytes + 1);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fread(data, 1, *bytes, file) == *bytes);
    fclose(file);
    return data;
}

static void store(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(data, 1, bytes, file) == bytes);
    CHECK(file != NULL && fclose(file) == 0);
    chmod(path, 0600);
}

/* ---- round trips --------------------------------------------------------------------------- */

static void test_round_trip(void)
{
    struct stat status;
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(access(in_home("kept"), F_OK) != 0); /* reading makes no folders */
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK(stat(in_home("kept"), &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat(in_home("kept/plans-1"), &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat(path_of(&any_key), &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(files_in(in_home("kept/plans-1")) == 1);
    struct plan_key second = {{any_key.word[0], 43}};
    CHECK(reads(&second, numbering) == 0);
    struct plan_numbering *other = make_numbering(ELEMENTS, 2);
    planner_cache_write(&any_key, other);
    CHECK(reads(&any_key, other) == 1);
    CHECK(files_in(in_home("kept/plans-1")) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_no_elements(void)
{
    struct plan_numbering *numbering = make_numbering(0, 1);
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

/* What planner_number makes comes back too, and what it says of its method is accepted. */
static void test_real_numbering(void)
{
    static const char *const names[] = {"default", "hard", "none", "rcb", "chunks+refine", "metis"};
    struct test_mesh mesh;
    char error[PLANNER_ERROR];
    test_mesh_make(&mesh, TEST_MESH_TET, ELEMENTS, 0, 1);
    for (int i = 0; i < 6; i++) {
        struct plan_numbering_options options = {.block_size = BLOCK};
        struct plan_numbering *numbering = NULL;
        struct plan_key key;
        CHECK(planner_method_parse(names[i], &options.method) == 0);
        CHECK(planner_number(&numbering, mesh.elements, mesh.maps, mesh.map, &mesh.coordinates,
                             &options, NULL, error) == 0);
        forget_notes();
        planner_key(&key, mesh.elements, mesh.maps, mesh.map, &mesh.coordinates, &options);
        CHECK(reads(&key, numbering) == 0);
        planner_cache_write(&key, numbering);
        CHECK(reads(&key, numbering) == 1);
        CHECK_TEXT(notes(), "");
        planner_numbering_free(numbering);
    }
    test_mesh_free(&mesh);
}

/* ---- damage -------------------------------------------------------------------------------- */

/* The file of any_key has been changed: it must be refused, with one note that says `what`, and
 * then replaced. */
static void check_refused(const struct plan_numbering *numbering, const char *what)
{
    forget_notes();
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(count_notes() == 1);
    CHECK(strstr(notes(), what) != NULL);
    CHECK(strstr(notes(), path_of(&any_key)) != NULL);
    forget_notes();
}

static void test_cut(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    size_t bytes;
    planner_cache_write(&any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    for (size_t cut = 0; cut < bytes; cut += cut < 100 || cut + 100 > bytes ? 1 : 100) {
        store(path_of(&any_key), data, cut);
        check_refused(numbering, "is damaged (");
    }
    data[bytes] = 0;
    store(path_of(&any_key), data, bytes + 1);
    check_refused(numbering, "is damaged (length)");
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_flipped(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    size_t bytes;
    planner_cache_write(&any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    for (size_t i = 0; i < bytes; i += i < 200 || i + 100 > bytes ? 1 : 37) {
        unsigned char bit = (unsigned char)(1u << (i % 8));
        data[i] ^= bit;
        store(path_of(&any_key), data, bytes);
        check_refused(numbering, i < sizeof(struct cache_header) ? " is " : "damaged (checksum)");
        data[i] ^= bit;
    }
    store(path_of(&any_key), data, bytes);
    CHECK(reads(&any_key, numbering) == 1);
}

static void swap_ends(int *a, int *b)
{
    int other = *a;
    *a = *b;
    *b = other;
}

/* Files whose checksum is right, but which hold what cannot be. */
static void test_wrong_content(void)
{
    struct plan_numbering *good = make_numbering(ELEMENTS, 1);
    struct plan_numbering *bad = make_numbering(ELEMENTS, 1);
    static const int entry[] = {-1, ELEMENTS, INT_MAX, INT_MIN};
    for (int i = 0; i < 5; i++) {
        int kept = bad->order[7];
        bad->order[7] = i < 4 ? entry[i] : bad->order[8];
        planner_cache_write(&any_key, bad);
        check_refused(good, "damaged (order)");
        bad->order[7] = kept;
    }
    static const int start[] = {-1, 0, BLOCK * 5, ELEMENTS + 1, INT_MAX, INT_MIN};
    for (int i = 0; i < 6; i++) {
        int kept = bad->start[3];
        bad->start[3] = start[i];
        planner_cache_write(&any_key, bad);
        check_refused(good, "damaged (blocks)");
        bad->start[3] = kept;
    }
    swap_ends(&bad->start[0], &bad->start[bad->blocks]);
    planner_cache_write(&any_key, bad);
    check_refused(good, "damaged (blocks)");
    swap_ends(&bad->start[0], &bad->start[bad->blocks]);
    static const int block_size[] = {0, -1, BLOCK - 1, 1025, INT_MAX};
    for (int i = 0; i < 5; i++) {
        bad->block_size = block_size[i];
        planner_cache_write(&any_key, bad);
        check_refused(good, "damaged (blocks)");
    }
    bad->block_size = BLOCK;
    bad->method.start = PLAN_START_DEFAULT;
    planner_cache_write(&any_key, bad);
    check_refused(good, "damaged (method)");
    bad->method.start = (enum plan_start)1000;
    planner_cache_write(&any_key, bad);
    check_refused(good, "damaged (method)");
}

/* Rewrites the file of any_key with another header and the checksum that fits it. */
static void store_header(const unsigned char *data, const struct cache_header *header,
                         const struct plan_numbering *numbering, size_t bytes)
{
    unsigned char *changed = malloc(bytes);
    struct plan_key checksum = {{0, 0}};
    memcpy(changed, data, bytes);
    memcpy(changed, header, sizeof *header);
    planner_cache_hash(&checksum, header, sizeof *header);
    planner_cache_hash(&checksum, numbering->start, ((size_t)numbering->blocks + 1) * sizeof(int));
    planner_cache_hash(&checksum, numbering->order, (size_t)numbering->elements * sizeof(int));
    memcpy(changed + bytes - sizeof checksum, &checksum, sizeof checksum);
    store(path_of(&any_key), changed, bytes);
    free(changed);
}

static void test_other_headers(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    struct cache_header good;
    size_t bytes;
    planner_cache_write(&any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    memcpy(&good, data, sizeof good);
    store_header(data, &good, numbering, bytes);
    CHECK(reads(&any_key, numbering) == 1); /* the forged checksums below are right */

    struct cache_header header = good;
    header.version--;
    store_header(data, &header, numbering, bytes);
    check_refused(numbering, "another version");
    header = good;
    header.endian = __builtin_bswap32(header.endian);
    store_header(data, &header, numbering, bytes);
    check_refused(numbering, "another byte order");
    header = good;
    header.key.word[1]++;
    store_header(data, &header, numbering, bytes);
    check_refused(numbering, "of another mesh");
    header = good;
    header.elements = INT_MAX;
    store_header(data, &header, numbering, bytes);
    check_refused(numbering, "of another mesh");
    static const int blocks[] = {INT_MAX, INT_MIN, -1, 0, ELEMENTS + 1, 1, ELEMENTS};
    for (int i = 0; i < 7; i++) {
        header = good;
        header.blocks = blocks[i];
        store_header(data, &header, numbering, bytes);
        check_refused(numbering, i < 5 ? "damaged (sizes)" : "damaged (length)");
    }
    CHECK(rename(path_of(&any_key), in_home("x")) == 0);
    store(path_of(&any_key), data, bytes);
    struct plan_key second = {{7, 7}};
    char from[CACHE_PATH];
    strcpy(from, path_of(&any_key));
    CHECK(rename(from, path_of(&second)) == 0);
    CHECK(reads(&second, numbering) == 0);
    CHECK(strstr(notes(), "of another mesh") != NULL);
}

static void test_not_files(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    planner_cache_write(&any_key, numbering);
    CHECK(unlink(path_of(&any_key)) == 0 && mkfifo(path_of(&any_key), 0600) == 0);
    check_refused(numbering, "not a file");
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK(unlink(path_of(&any_key)) == 0 && mkdir(path_of(&any_key), 0700) == 0);
    check_refused(numbering, "not a file");
    CHECK(rmdir(path_of(&any_key)) == 0 && symlink("/etc/passwd", path_of(&any_key)) == 0);
    check_refused(numbering, "cannot be read");
}

static void test_other_users(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    planner_cache_write(&any_key, numbering);
    CHECK(chmod(path_of(&any_key), 0620) == 0);
    check_refused(numbering, "open to changes");
    CHECK(chmod(path_of(&any_key), 0602) == 0);
    check_refused(numbering, "open to changes");
    CHECK(chmod(path_of(&any_key), 0644) == 0);
    CHECK(reads(&any_key, numbering) == 1);
    if (geteuid() == 0 && chown(path_of(&any_key), NOBODY, NOBODY) == 0) {
        check_refused(numbering, "another user's");
    }
}

/* ---- keys ---------------------------------------------------------------------------------- */

struct key_input {
    struct test_mesh mesh;
    struct plan_numbering_options options;
    const struct plan_coordinates *coordinates;
};

static struct plan_key key_of(const struct key_input *in)
{
    struct plan_key key;
    planner_key(&key, in->mesh.elements, in->mesh.maps, in->mesh.map, in->coordinates,
                &in->options);
    return key;
}

static int same_key(const struct plan_key *a, const struct plan_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* The key of what `in` is now is none of those seen before. */
static void check_new(const struct key_input *in)
{
    static struct plan_key seen[100];
    static int count;
    struct plan_key key = key_of(in);
    for (int i = 0; i < count; i++) {
        CHECK(seen[i].word[0] != key.word[0] && seen[i].word[1] != key.word[1]);
    }
    seen[count++] = key;
}

/* With one thing changed, the key is new. */
#define CHECK_CHANGE(change)                                                                       \
    do {                                                                                           \
        change;                                                                                    \
        check_new(&in);                                                                            \
        in = first;                                                                                \
    } while (0)

static void test_keys(void)
{
    struct key_input in = {.options = {256, {PLAN_START_DEFAULT, PLAN_IMPROVE_DEFAULT}, 0}};
    test_mesh_make(&in.mesh, TEST_MESH_QUAD_NODES, ELEMENTS, 0, 1);
    in.coordinates = &in.mesh.coordinates;
    struct key_input first = in;
    check_new(&in);
    int last = 2 * in.mesh.elements - 1;
    int places[] = {0, 1, 7, 8, 15, 16, 333, last - 1, last};
    for (int i = 0; i < 9; i++) {
        in.mesh.row[i % 2][places[i]]++;
        check_new(&in);
        in.mesh.row[i % 2][places[i]]--;
    }
    CHECK_CHANGE(in.mesh.elements--);
    CHECK_CHANGE(in.mesh.maps--);
    CHECK_CHANGE(in.mesh.map[0].points++);
    CHECK_CHANGE(in.mesh.map[0].target = 1);
    CHECK_CHANGE(in.mesh.map[1].columns = 1);
    CHECK_CHANGE(in.mesh.map[1].column[0] = 1);
    CHECK_CHANGE(in.options.block_size = 128);
    CHECK_CHANGE(in.options.max_points = 128);
    CHECK_CHANGE(in.options.method.start = PLAN_START_RCB);
    CHECK_CHANGE(in.options.method.improve = PLAN_IMPROVE_ANNEAL);
    CHECK_CHANGE(in.coordinates = NULL);
    struct plan_coordinates coordinates = in.mesh.coordinates;
    first.coordinates = &coordinates;
    in = first;
    CHECK_CHANGE(coordinates.target = 0);
    coordinates.target = 1;
    CHECK_CHANGE(coordinates.is_float = 1);
    coordinates.is_float = 0;
    in.mesh.at[2 * in.mesh.map[1].points - 1] += 1e-9;
    check_new(&in);
    in.mesh.at[2 * in.mesh.map[1].points - 1] = 0. / 0.;
    check_new(&in);
    struct plan_coordinates none = {.at = NULL};
    in = first;
    in.coordinates = &none;
    struct plan_key without = key_of(&in);
    in.coordinates = NULL;
    struct plan_key unknown = key_of(&in);
    CHECK(same_key(&without, &unknown));
    in.mesh.map[0].conflicts = 0; /* decides nothing */
    struct plan_key read = key_of(&in);
    CHECK(same_key(&read, &unknown));
    test_mesh_free(&in.mesh);
}

/* Two maps of 24 and 20 MB and coordinates: several pieces, the last of them not full. */
static void test_key_threads(void)
{
    static const int threads[] = {2, 3, 8};
    struct key_input in = {.options = {256, {PLAN_START_DEFAULT, PLAN_IMPROVE_DEFAULT}, 0}};
    test_mesh_make(&in.mesh, TEST_MESH_TET, 3000000, 0, 1);
    in.coordinates = &in.mesh.coordinates;
    omp_set_num_threads(1);
    struct plan_key one = key_of(&in);
    for (int i = 0; i < 3; i++) {
        omp_set_num_threads(threads[i]);
        struct plan_key many = key_of(&in);
        CHECK(same_key(&one, &many));
    }
    for (int i = 0; i < 30; i++) {
        int place = i * 200000 + 1;
        in.mesh.row[0][place] ^= 1;
        struct plan_key changed = key_of(&in);
        CHECK(!same_key(&one, &changed));
        in.mesh.row[0][place] ^= 1;
    }
    test_mesh_free(&in.mesh);
}

/* ---- folders ------------------------------------------------------------------------------- */

static void test_off(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    setenv("CLEAVE_PLAN_CACHE", "off", 1);
    setenv("HOME", home, 1);
    unsetenv("XDG_CACHE_HOME");
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(files_in(home) == 1); /* the notes */
    CHECK(access("off", F_OK) != 0);
    CHECK_TEXT(notes(), "");
}

static void test_homes(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    unsetenv("CLEAVE_PLAN_CACHE");
    setenv("XDG_CACHE_HOME", in_home("xdg"), 1);
    setenv("HOME", in_home("me"), 1);
    planner_cache_write(&any_key, numbering);
    CHECK(files_in(in_home("xdg/cleave/plans-1")) == 1 && access(in_home("me"), F_OK) != 0);
    setenv("XDG_CACHE_HOME", "relative", 1);
    planner_cache_write(&any_key, numbering);
    CHECK(files_in(in_home("me/.cache/cleave/plans-1")) == 1 && access("relative", F_OK) != 0);
    setenv("CLEAVE_PLAN_CACHE", "", 1);
    setenv("XDG_CACHE_HOME", "", 1);
    setenv("HOME", in_home("you"), 1);
    planner_cache_write(&any_key, numbering);
    CHECK(files_in(in_home("you/.cache/cleave/plans-1")) == 1);
    CHECK(chdir(home) == 0);
    setenv("CLEAVE_PLAN_CACHE", "a//b/c/", 1);
    planner_cache_write(&any_key, numbering);
    CHECK(files_in(in_home("a/b/c/plans-1")) == 1);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_no_home(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    unsetenv("CLEAVE_PLAN_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    CHECK(reads(&any_key, numbering) == 0);
    planner_cache_write(&any_key, numbering);
    CHECK(count_notes() == 1);
    CHECK(strstr(notes(), "cleave: note: no folder to keep plans in (HOME is not set)") != NULL);
    setenv("CLEAVE_PLAN_CACHE", in_home("kept"), 1);
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
}

/* Two attempts, one note, which names the folder and the reason; nothing is left behind. */
static void check_not_kept(const struct plan_numbering *numbering, const char *reason)
{
    planner_cache_write(&any_key, numbering);
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(count_notes() == 1);
    CHECK(strstr(notes(), "cleave: note: plans cannot be kept in ") != NULL);
    CHECK(strstr(notes(), getenv("CLEAVE_PLAN_CACHE")) != NULL);
    CHECK(strstr(notes(), reason) != NULL);
}

static void test_file_for_folder(void)
{
    store(in_home("kept"), "x", 1);
    check_not_kept(make_numbering(ELEMENTS, 1), "Not a directory");
}

static void test_read_only(void)
{
    CHECK(mkdir(in_home("kept"), 0700) == 0 && chmod(in_home("kept"), 0555) == 0);
    CHECK(chmod(home, 0755) == 0 && chmod(in_home("notes"), 0666) == 0);
    if (geteuid() == 0) {
        CHECK(seteuid(NOBODY) == 0);
    }
    check_not_kept(make_numbering(ELEMENTS, 1), "Permission denied");
}

static void test_full_disk(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    disk_space = 5000;
    check_not_kept(numbering, "No space left on device");
    CHECK(files_in(in_home("kept/plans-1")) == 0);
    disk_space = LONG_MAX;
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
}

/* Without care this ends the process by SIGXFSZ. */
static void test_file_limit(void)
{
    struct rlimit limit = {4096, 4096};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    check_not_kept(make_numbering(ELEMENTS, 1), "File too large");
    CHECK(files_in(in_home("kept/plans-1")) == 0);
}

static void test_slow_disk(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    disk_piece = 7;
    planner_cache_write(&any_key, numbering);
    CHECK(disk_calls > 1000);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_long_name(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    char folder[CACHE_PATH + 1];
    memset(folder, 'a', CACHE_PATH);
    folder[0] = '/';
    folder[CACHE_PATH] = '\0';
    setenv("CLEAVE_PLAN_CACHE", folder, 1);
    planner_cache_write(&any_key, numbering);
    CHECK(reads(&any_key, numbering) == 0);
    CHECK(count_notes() == 1 && strstr(notes(), "is too long") != NULL);
}

/* ---- several processes --------------------------------------------------------------------- */

/* Six writers replace one file again and again with two numberings; every reading must give one of
 * them, whole. */
static void test_writers(void)
{
    enum { WRITERS = 6, TIMES = 100 };
    struct plan_numbering *a = make_numbering(ELEMENTS, 1);
    struct plan_numbering *b = make_numbering(ELEMENTS, 2);
    planner_cache_write(&any_key, a);
    pid_t writer[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        writer[w] = fork();
        if (writer[w] == 0) {
            for (int i = 0; i < TIMES; i++) {
                planner_cache_write(&any_key, (i + w) % 2 ? a : b);
            }
            _exit(0);
        }
    }
    int readings = 0;
    int running = WRITERS;
    while (running > 0) {
        struct plan_numbering *read = planner_cache_read(&any_key, ELEMENTS);
        CHECK(same_numbering(read, a) || same_numbering(read, b));
        planner_numbering_free(read);
        readings++;
        for (int w = 0; w < WRITERS; w++) {
            int status = 0;
            if (writer[w] != 0 && waitpid(writer[w], &status, WNOHANG) == writer[w]) {
                CHECK(status == 0);
                writer[w] = 0;
                running--;
            }
        }
    }
    CHECK(readings > 1);
    CHECK(files_in(in_home("kept/plans-1")) == 1);
    CHECK_TEXT(notes(), "");
}

int main(void)
{
#define RUN(test) run_test(test, #test)
    RUN(test_round_trip);
    RUN(test_no_elements);
    RUN(test_real_numbering);
    RUN(test_cut);
    RUN(test_flipped);
    RUN(test_wrong_content);
    RUN(test_other_headers);
    RUN(test_not_files);
    RUN(test_other_users);
    RUN(test_keys);
    RUN(test_key_threads);
    RUN(test_off);
    RUN(test_homes);
    RUN(test_no_home);
    RUN(test_file_for_folder);
    RUN(test_read_only);
    RUN(test_full_disk);
    RUN(test_file_limit);
    RUN(test_slow_disk);
    RUN(test_long_name);
    RUN(test_writers);
    return CHECK_RESULT();
}
