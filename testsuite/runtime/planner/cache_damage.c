/* cache_damage.c: nothing but what was kept is ever taken for it: files that are cut or changed, of
 * other meshes, machines, versions or users, and what is no file. */
#include <limits.h>

#include "cache_cases.h"

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
    planner_cache_write(&test_planner, &any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    for (size_t cut = 0; cut < bytes; cut += cut < 100 || cut + 100 > bytes ? 1 : 100) {
        store(path_of(&any_key), data, cut);
        check_refused(numbering, "is damaged (");
    }
    data[bytes] = 0;
    store(path_of(&any_key), data, bytes + 1);
    check_refused(numbering, "is damaged (length)");
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK_TEXT(notes(), "");
}

static void test_flipped(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    size_t bytes;
    planner_cache_write(&test_planner, &any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    for (size_t i = 0; i < bytes; i += i < 200 || i + 100 > bytes ? 1 : 37) {
        unsigned char bit = (unsigned char)(1u << (i % 8));
        data[i] ^= bit;
        store(path_of(&any_key), data, bytes);
        check_refused(numbering,
                      i < sizeof(struct cleave_entry_header) + sizeof(struct cache_header)
                          ? " is "
                          : "damaged (checksum)");
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
        planner_cache_write(&test_planner, &any_key, bad);
        check_refused(good, "damaged (order)");
        bad->order[7] = kept;
    }
    static const int start[] = {-1, 0, BLOCK * 5, ELEMENTS + 1, INT_MAX, INT_MIN};
    for (int i = 0; i < 6; i++) {
        int kept = bad->start[3];
        bad->start[3] = start[i];
        planner_cache_write(&test_planner, &any_key, bad);
        check_refused(good, "damaged (blocks)");
        bad->start[3] = kept;
    }
    swap_ends(&bad->start[0], &bad->start[bad->blocks]);
    planner_cache_write(&test_planner, &any_key, bad);
    check_refused(good, "damaged (blocks)");
    swap_ends(&bad->start[0], &bad->start[bad->blocks]);
    static const int block_size[] = {0, -1, BLOCK - 1, 1025, INT_MAX};
    for (int i = 0; i < 5; i++) {
        bad->block_size = block_size[i];
        planner_cache_write(&test_planner, &any_key, bad);
        check_refused(good, "damaged (blocks)");
    }
    bad->block_size = BLOCK;
    bad->method.start = PLAN_START_DEFAULT;
    planner_cache_write(&test_planner, &any_key, bad);
    check_refused(good, "damaged (method)");
    bad->method.start = (enum plan_start)1000;
    planner_cache_write(&test_planner, &any_key, bad);
    check_refused(good, "damaged (method)");
}

/* The two headers of a file. */
struct headers {
    struct cleave_entry_header entry;
    struct cache_header numbering;
};
_Static_assert(sizeof(struct headers) ==
                   sizeof(struct cleave_entry_header) + sizeof(struct cache_header),
               "both headers lie side by side");

/* Rewrites the file of any_key with other headers and the checksum that fits them. */
static void store_headers(const unsigned char *data, const struct headers *headers,
                          const struct plan_numbering *numbering, size_t bytes)
{
    unsigned char *changed = malloc(bytes);
    struct store_key checksum = {{0, 0}};
    memcpy(changed, data, bytes);
    memcpy(changed, headers, sizeof *headers);
    cleave_store_hash(&checksum, &headers->entry, sizeof headers->entry);
    cleave_store_hash(&checksum, &headers->numbering, sizeof headers->numbering);
    cleave_store_hash(&checksum, numbering->start, ((size_t)numbering->blocks + 1) * sizeof(int));
    cleave_store_hash(&checksum, numbering->order, (size_t)numbering->elements * sizeof(int));
    memcpy(changed + bytes - sizeof checksum, &checksum, sizeof checksum);
    store(path_of(&any_key), changed, bytes);
    free(changed);
}

static void test_other_headers(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    struct headers good;
    size_t bytes;
    planner_cache_write(&test_planner, &any_key, numbering);
    unsigned char *data = load(path_of(&any_key), &bytes);
    memcpy(&good, data, sizeof good);
    store_headers(data, &good, numbering, bytes);
    CHECK(reads(&any_key, numbering) == 1); /* the forged checksums below are right */

    struct headers header = good;
    header.entry.version++;
    store_headers(data, &header, numbering, bytes);
    check_refused(numbering, "another version");
    header = good;
    header.numbering.version--;
    store_headers(data, &header, numbering, bytes);
    check_refused(numbering, "another version");
    header = good;
    header.entry.endian = __builtin_bswap32(header.entry.endian);
    store_headers(data, &header, numbering, bytes);
    check_refused(numbering, "another byte order");
    header = good;
    header.entry.key.word[1]++;
    store_headers(data, &header, numbering, bytes);
    check_refused(numbering, "of another key");
    static const uint64_t more[] = {1, UINT64_MAX, UINT64_C(1) << 63, UINT64_MAX / 2};
    for (int i = 0; i < 4; i++) {
        header = good;
        header.entry.bytes += more[i];
        store_headers(data, &header, numbering, bytes);
        check_refused(numbering, "damaged (length)");
    }
    header = good;
    header.numbering.elements = INT_MAX;
    store_headers(data, &header, numbering, bytes);
    check_refused(numbering, "of another mesh");
    static const int blocks[] = {INT_MAX, INT_MIN, -1, 0, ELEMENTS + 1, 1, ELEMENTS};
    for (int i = 0; i < 7; i++) {
        header = good;
        header.numbering.blocks = blocks[i];
        store_headers(data, &header, numbering, bytes);
        check_refused(numbering, i < 5 ? "damaged (sizes)" : "damaged (length)");
    }
    CHECK(rename(path_of(&any_key), in_home("x")) == 0);
    store(path_of(&any_key), data, bytes);
    struct store_key second = {{7, 7}};
    char from[CLEAVE_STORE_PATH];
    strcpy(from, path_of(&any_key));
    CHECK(rename(from, path_of(&second)) == 0);
    CHECK(reads(&second, numbering) == 0);
    CHECK(strstr(notes(), "of another key") != NULL);
}

static void test_not_files(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(unlink(path_of(&any_key)) == 0 && mkfifo(path_of(&any_key), 0600) == 0);
    check_refused(numbering, "not a file");
    planner_cache_write(&test_planner, &any_key, numbering);
    CHECK(reads(&any_key, numbering) == 1);
    CHECK(unlink(path_of(&any_key)) == 0 && mkdir(path_of(&any_key), 0700) == 0);
    check_refused(numbering, "not a file");
    CHECK(rmdir(path_of(&any_key)) == 0 && symlink("/etc/passwd", path_of(&any_key)) == 0);
    check_refused(numbering, "cannot be read");
}

static void test_other_users(void)
{
    struct plan_numbering *numbering = make_numbering(ELEMENTS, 1);
    planner_cache_write(&test_planner, &any_key, numbering);
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

int main(void)
{
    RUN(test_cut);
    RUN(test_flipped);
    RUN(test_wrong_content);
    RUN(test_other_headers);
    RUN(test_not_files);
    RUN(test_other_users);
    return CHECK_RESULT();
}
