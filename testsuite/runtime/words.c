/* words.c: OP2's words from outside: a whitelist, what happens to loops that run sequentially,
 * levels of profiles, and words that mean nothing here, which are named once. */
#include "ring.h"

#include "check.h"
#include "written.h"
#include "child.h"

static const struct cleave_loop loops[] = {{FLUX_LOOP(3, flux_variants)},
                                           {NORM_LOOP(TEXT(NORM_CALL), norm_variants)}};
static const struct cleave_unit ring_unit = {RING_UNIT(CLEAVE_TARGET_OPENMP, 2, loops)};

static char said[4096];
static char text[4096];

static int times_in(const char *where, const char *what)
{
    int count = 0;
    for (const char *at = strstr(where, what); at != NULL; at = strstr(at + 1, what)) {
        count++;
    }
    return count;
}

static void two_fluxes_and_a_norm(void)
{
    double sum = 0.0;
    double least = 1e30;
    double most = -1e30;
    start_ring();
    call_flux();
    call_flux();
    LOOP(NORM_CALL);
    exit(flux_runs * 10 + norm_runs);
}

static int run_with(const char *variable, const char *value, void (*run)(void))
{
    setenv(variable, value, 1);
    int code = child_run(run, said, sizeof said);
    unsetenv(variable);
    return code;
}

static void write_file(const char *name, const char *content)
{
    FILE *file = fopen(name, "w");
    CHECK(file != NULL);
    fputs(content, file);
    fclose(file);
}

static void test_whitelist(void)
{
    const char *name = "cleave_words.list";
    CHECK(run_with("OP_WHITELIST", "", two_fluxes_and_a_norm) == 21);
    write_file(name, "no.*\n\n");
    CHECK(run_with("OP_WHITELIST", name, two_fluxes_and_a_norm) == 1);
    write_file(name, "fl[ux]+\nnor\n");
    CHECK(run_with("OP_WHITELIST", name, two_fluxes_and_a_norm) == 20);
    setenv("OP_FALLBACK_MODE", "warn", 1);
    write_file(name, "nor.\r\n");
    CHECK(run_with("OP_WHITELIST", name, two_fluxes_and_a_norm) == 1);
    CHECK(times_in(said, "warning: OP_FALLBACK_MODE=warn: loop 'flux' runs sequentially") == 1);
    CHECK(times_in(said, "'norm'") == 0);
    setenv("OP_FALLBACK_MODE", "error", 1);
    CHECK(run_with("CLEAVE_BACKEND", "seq", two_fluxes_and_a_norm) == 0);
    CHECK(run_with("OP_WHITELIST", name, two_fluxes_and_a_norm) == 1);
    CHECK(times_in(said, "error: OP_FALLBACK_MODE=error: loop 'flux' runs sequentially") == 1);
    unsetenv("OP_FALLBACK_MODE");
    write_file(name, "(\n");
    CHECK(run_with("OP_WHITELIST", name, two_fluxes_and_a_norm) == 1);
    CHECK(strstr(said, "cleave_words.list:1: '(' is not a regular expression") != NULL);
    unlink(name);
}

static void ignored_words(void)
{
    char *argv[] = {
        "app",           "OP_TEST_FREQ=100",  "OP_TEST_FREQ=100", "-gpudirect",
        "OP_NO_REALLOC", "OP_BLOCK_SIZE=128", "OP_BLOK_SIZE=128", "OP_CACHE_LINE_SIZE=64"};
    op_init((int)(sizeof argv / sizeof argv[0]), argv, 0);
}

static void test_ignored(void)
{
    CHECK(run_with("OP_TIME_THREADS", "1", ignored_words) == 0);
    CHECK(times_in(said, "note: OP_TEST_FREQ is ignored: there is one process") == 1);
    CHECK(times_in(said, "note: -gpudirect is ignored") == 1);
    CHECK(times_in(said, "note: OP_CACHE_LINE_SIZE is ignored") == 1);
    CHECK(times_in(said, "note: OP_TIME_THREADS is ignored: times are those of whole loops") == 1);
    CHECK(times_in(said, "OP_BLOCK_SIZE") == 0);
    CHECK(times_in(said,
                   "argument 'OP_BLOK_SIZE=128' is not an argument of OP2 and has no effect") == 1);
}

static const char *content(const char *name)
{
    return take_file(name, text, sizeof text);
}

static void profiled(void)
{
    start_ring();
    op_profile_start("ring");
    op_profile_enter("step");
    call_flux();
    op_profile_enter_kernel("hand", "seq", "plain");
    op_profile_exit();
    op_profile_next("after");
    op_profile_exit();
    op_profile_end();
    freopen("/dev/null", "w", stdout);
    op_profile_output();
}

/* Returns what profiled() writes at a level. */
static const char *profile_at(const char *level)
{
    setenv("OP_PROFILE_JSON_OUTPUT", "cleave_words.json", 1);
    CHECK(run_with("OP_PROFILE_LEVEL", level, profiled) == 0);
    unsetenv("OP_PROFILE_JSON_OUTPUT");
    return content("cleave_words.json");
}

static void test_profile(void)
{
    CHECK_TEXT(profile_at("0"), "");
    profile_at("1");
    CHECK(strstr(text, "\"step\", \"count\": 1") != NULL && strstr(text, "\"after\"") != NULL);
    CHECK(strstr(text, "flux") == NULL && strstr(text, "hand") == NULL);
    profile_at("2");
    CHECK(strstr(text, "\"flux [openmp, flux_fused_colour]\", \"count\": 1") != NULL);
    CHECK(strstr(text, "\"hand [seq, plain]\", \"count\": 1") != NULL);
    CHECK(strstr(text, "\"plan\"") == NULL);
    profile_at("3");
    CHECK(strstr(text, "\"plan\", \"count\": 1") != NULL);
}

/* The program's own array is the dat. */
static void in_place(void)
{
    static double mine[RING];
    char *argv[] = {"app", "OP_NO_REALLOC"};
    op_init(2, argv, 0);
    declare_ring();
    op_decl_const(1, "double", &gam);
    res = op_decl_dat(points, 1, "double", mine, "mine");
    op_dat before = op_fetch_data_file_char(res);
    call_flux();
    CHECK(((double *)(void *)before->data)[0] == 0.0);
    CHECK(res->data == (char *)mine && mine[0] != 0.0 && flux_is_right(1.5));
    op_exit();
    CHECK(mine[0] != 0.0);
    exit(flux_runs);
}

/* Two dats in one array: what the loop adds to the one it reads in the other. */
static void in_one_array(void)
{
    static double mine[RING + 1];
    static double alone[RING + 1];
    char *argv[] = {"app", "OP_NO_REALLOC"};
    op_init(2, argv, 0);
    declare_ring();
    op_decl_const(1, "double", &gam);
    for (int i = 0; i <= RING; i++) {
        mine[i] = alone[i] = 1.0 + i % 7;
    }
    q = op_decl_dat(points, 1, "double", mine, "mine");
    res = op_decl_dat(points, 1, "double", mine + 1, "behind");
    call_flux();
    const int *row = ends->map;
    for (int e = 0; e < RING; e++, row += 2) {
        flux(&alone[row[0]], &alone[row[1]], &alone[row[0] + 1], &alone[row[1] + 1]);
    }
    CHECK(memcmp(mine, alone, sizeof mine) == 0);
    exit(CHECK_RESULT() == 0 ? flux_runs : 9);
}

static void test_no_realloc(void)
{
    CHECK(run_with("CLEAVE_RENUMBER", "", in_one_array) == 0);
    CHECK(
        times_in(said,
                 "are the same array, in which two dats lie (OP_NO_REALLOC), OP_READ and OP_INC") ==
        1);
    CHECK(run_with("CLEAVE_RENUMBER", "", in_place) == 1 && times_in(said, "OP_NO_REALLOC") == 0);
    CHECK_TEXT(said, "");
    CHECK(run_with("CLEAVE_RENUMBER", "on", in_place) == 1);
    CHECK(times_in(said, "OP_NO_REALLOC and CLEAVE_RENUMBER=on exclude each other") == 1);
}

/* Started by an MPI launcher: the first process says that they do not work together. */
static void test_processes(void)
{
    CHECK(run_with("PMI_SIZE", "1", start_ring) == 0 && times_in(said, "MPI") == 0);
    CHECK(run_with("PMI_SIZE", "4", start_ring) == 0);
    CHECK(times_in(said, "warning: 4 processes were started (PMI_SIZE), but cleave has no MPI") ==
          1);
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    CHECK(run_with("OMPI_COMM_WORLD_SIZE", "2", start_ring) == 0 && times_in(said, "MPI") == 0);
    unsetenv("OMPI_COMM_WORLD_RANK");
}

int main(void)
{
    cleave_register(&ring_unit);
    test_whitelist();
    test_ignored();
    test_processes();
    test_no_realloc();
    test_profile();
    return CHECK_RESULT();
}
