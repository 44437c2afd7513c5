/* settings.c: the environment variables CLEAVE_* and OP2's command-line options. A value that is
 * not known is an error that lists the known ones: a mistyped setting must not pass unnoticed. */
#include "runtime/base/settings.h"
#include "runtime/api/init_impl.h"
#include "runtime/choose/choose.h"

#include <errno.h>
#include <unistd.h>

struct cleave_settings cleave_settings;
int OP_maps_base_index;
int OP_diags, OP_block_size, OP_part_size, OP_auto_soa;

#define MAX_CHOICES 8

/* A variable with a few legal words; the value of a word is its position plus `first`. An empty word
 * cannot be chosen. */
struct choice {
    const char *variable;
    const char *word[MAX_CHOICES];
    int first;
    int unset;
};

static const struct choice backend_choice = {
    "CLEAVE_BACKEND", {"seq", "openmp", "cuda"}, BACKEND_SEQ, BACKEND_AUTO};
static const struct choice schedule_choice = {
    "CLEAVE_SCHEDULE",
    {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) word,
#include "cleave_words.def"
    },
    0,
    -1};
static const struct choice race_choice = {
    "CLEAVE_RACES",
    {
#define CLEAVE_RACE(name, word, meaning) word,
#include "cleave_words.def"
    },
    0,
    -1};
static const struct choice reads_choice = {
    "CLEAVE_READS",
    {
#define CLEAVE_READS(name, word, meaning) word,
#include "cleave_words.def"
    },
    0,
    -1};
static const struct choice renumber_choice = {"CLEAVE_RENUMBER", {"off", "on"}, 0, -1};
static const struct choice bank_order_choice = {"CLEAVE_BANK_ORDER", {"off", "on"}, 0, -1};
static const struct choice order_choice = {"CLEAVE_ORDER", {"forward", "reverse"}, 0, 0};
static const struct choice check_plan_choice = {"CLEAVE_CHECK_PLAN", {"0", "1"}, 0, 0};
static const struct choice deterministic_choice = {"CLEAVE_DETERMINISTIC", {"0", "1"}, 0, 0};
static const struct choice watch_choice = {"CLEAVE_WATCH", {"off", "on"}, 0, 1};
static const struct choice verify_choice = {"CLEAVE_VERIFY", {"0", "1"}, 0, 0};
static const struct choice timing_choice = {"CLEAVE_TIMING", {"0", "1"}, 0, 0};
static const struct choice error_choice = {"CLEAVE_ERROR", {"exit", "abort"}, 0, 0};

/* An empty variable counts as unset. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static int read_choice(const struct choice *choice)
{
    const char *value = variable(choice->variable);
    char words[128] = "";
    if (value == NULL) {
        return choice->unset;
    }
    for (int i = 0; i < MAX_CHOICES && choice->word[i] != NULL; i++) {
        size_t length = strlen(words);
        if (strcmp(value, choice->word[i]) == 0) {
            return choice->first + i;
        }
        snprintf(words + length, sizeof words - length, "%s%s",
                 length > 0 && choice->word[i][0] != '\0' ? ", " : "", choice->word[i]);
    }
    cleave_fatal("%s=%s is not known; known are: %s", choice->variable, value, words);
}

static int block_size_from(const char *option, const char *value)
{
    char *end;
    errno = 0;
    long size = strtol(value, &end, 10);
    if (errno != 0 || *end != '\0' || end == value || size < 1 || size > 1024) {
        cleave_fatal("%s=%s: a block size is a number from 1 to 1024", option, value);
    }
    return (int)size;
}

static double tolerance_from(const char *value)
{
    char *end;
    double tolerance = cleave_number_from(value, &end);
    if (*end != '\0' || end == value || !(tolerance >= 0.0)) {
        cleave_fatal("CLEAVE_VERIFY_TOLERANCE=%s: a tolerance is a number that is not negative",
                     value);
    }
    return tolerance;
}

/* The planner's words; but `chunks` alone means what it has always meant here, runs of consecutive
 * elements. (The planner's growth inside chunks is of use with +refine only.) */
static struct plan_method method_from(const char *value)
{
    struct plan_method method;
    if (strcmp(value, "chunks") == 0) {
        return (struct plan_method){PLAN_START_NONE, PLAN_IMPROVE_NONE};
    }
    if (planner_method_parse(value, &method) != 0) {
        cleave_fatal("CLEAVE_PARTITION=%s is not known; known are: %s; all but the first two also "
                     "with +refine or +anneal",
                     value, planner_method_words());
    }
    return method;
}

/* Returns the value when `argument` is "name=value", else NULL. */
static const char *option_value(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                           : NULL;
}

static int diags_from(const char *value)
{
    char *end;
    long diags = strtol(value, &end, 10);
    if (*end != '\0' || end == value || diags < 0 || diags > 100) {
        cleave_fatal("OP_DIAGS=%s: a level of diagnostics is a number from 0 to 100", value);
    }
    return (int)diags;
}

/* OP2's options; op_words.c names those that mean nothing here. */
static void read_argument(const char *argument)
{
    static const char *const block_options[] = {"OP_BLOCK_SIZE", "OP_PART_SIZE"};
    const char *value = option_value(argument + (argument[0] == '-'), "OP_DIAGS");
    if (value != NULL) {
        cleave_settings.diags = diags_from(value);
    }
    for (int i = 0; i < 2; i++) {
        value = option_value(argument, block_options[i]);
        if (value != NULL) {
            cleave_settings.block_size = block_size_from(block_options[i], value);
        }
    }
    value = option_value(argument, "OP_MAPS_BASE_INDEX");
    if (value == NULL) {
        return;
    }
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
        cleave_fatal("OP_MAPS_BASE_INDEX=%s: maps begin at 0 or at 1", value);
    }
    OP_maps_base_index = value[0] - '0';
}

/* Every variable that README.md in this folder lists, without CLEAVE_: of programs, the emulator and cleavecc. */
static const char *const known_variables[] = {"BACKEND",
                                              "JOBS",
                                              "VERIFY",
                                              "VERIFY_TOLERANCE",
                                              "WATCH",
                                              "SCHEDULE",
                                              "RACES",
                                              "READS",
                                              "VARIANT",
                                              "BLOCK_SIZE",
                                              "METIS",
                                              "SCOTCH",
                                              "PARTITION",
                                              "RENUMBER",
                                              "BANK_ORDER",
                                              "COORDINATES",
                                              "PLAN_CACHE",
                                              "PLAN_CACHE_MB",
                                              "PLAN_JSON",
                                              "ORDER",
                                              "TIMING",
                                              "CHECK_PLAN",
                                              "DETERMINISTIC",
                                              "ERROR",
                                              "EMIT",
                                              "ARCH",
                                              "EMU_ORDER",
                                              "EMU_MEMORY",
                                              "EMU_DEVICES",
                                              "EMU_POOLS",
                                              "ACCESS",
                                              "ALIAS",
                                              "RECIPROCALS",
                                              "SOA",
                                              "KEEP",
                                              "DUMP",
                                              "EXPLAIN",
                                              "HOST",
                                              "TIME",
                                              "VERBOSE",
                                              "CC",
                                              "CXX",
                                              "NVCC",
                                              "OBJCOPY",
                                              "HDF5",
                                              "CLANG_RESOURCE_DIR"};

static int is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof known_variables / sizeof known_variables[0]; i++) {
        if (strlen(known_variables[i]) == length && memcmp(known_variables[i], name, length) == 0) {
            return 1;
        }
    }
    return 0;
}

static void check_names(void)
{
    static const char prefix[] = "CLEAVE_";
    const size_t skip = sizeof prefix - 1;
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, prefix, skip) == 0 && !is_known(*entry + skip, length - skip)) {
            cleave_warning("environment variable '%.*s' is not known to cleave and has no effect",
                           (int)length, *entry);
        }
    }
}

static uint64_t cache_bytes_from(const char *value)
{
    enum { DEFAULT_MIB = 2048, MOST_MIB = 1048576 };
    char *end;
    errno = 0;
    unsigned long long mib = value != NULL ? strtoull(value, &end, 10) : DEFAULT_MIB;
    if (value != NULL && (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 ||
                          mib < 1 || mib > MOST_MIB)) {
        cleave_fatal("CLEAVE_PLAN_CACHE_MB=%s: the size of the cache is a number of MiB from 1 to %d",
                     value, MOST_MIB);
    }
    return (uint64_t)mib << 20;
}

/* Where plans are kept. XDG_CACHE_HOME and HOME count when they are absolute, as the XDG base directory
 * specification has it; CLEAVE_PLAN_CACHE may be relative to the current folder. */
static void read_cache(void)
{
    const char *folder = variable("CLEAVE_PLAN_CACHE");
    const char *cache = variable("XDG_CACHE_HOME");
    const char *home = variable("HOME");
    cleave_settings.cache_off = folder != NULL && strcmp(folder, "off") == 0;
    cleave_settings.cache_bytes = cache_bytes_from(variable("CLEAVE_PLAN_CACHE_MB"));
    cleave_settings.cache_below = "";
    if (folder == NULL && cache != NULL && cache[0] == '/') {
        folder = cache;
        cleave_settings.cache_below = "/cleave";
    }
    if (folder == NULL && home != NULL && home[0] == '/') {
        folder = home;
        cleave_settings.cache_below = "/.cache/cleave";
    }
    cleave_settings.cache_folder = folder;
}

static void check_deterministic(void)
{
    const int race = cleave_settings.race;
    if (cleave_settings.deterministic && race >= 0 &&
        !cleave_race_is_ordered((enum cleave_race)race)) {
        cleave_fatal(
            "CLEAVE_DETERMINISTIC=1 and CLEAVE_RACES=%s exclude each other: there, the order of "
            "sums depends on which thread comes first; unset one of them, or set "
            "CLEAVE_RACES=colour, global or ordered",
            variable("CLEAVE_RACES"));
    }
}

void cleave_settings_read(int argc, char **argv, int diags)
{
    const char *value;
    memset(&cleave_settings, 0, sizeof cleave_settings);
    cleave_settings.diags = diags;
    read_choice(&error_choice);
    check_names();
    cleave_settings.backend = (enum cleave_backend)read_choice(&backend_choice);
    cleave_settings.schedule = read_choice(&schedule_choice);
    cleave_settings.race = read_choice(&race_choice);
    cleave_settings.reads = read_choice(&reads_choice);
    cleave_settings.variant = variable("CLEAVE_VARIANT");
    value = variable("CLEAVE_PARTITION");
    cleave_settings.method = method_from(value != NULL ? value : "default");
    cleave_settings.renumber = read_choice(&renumber_choice);
    cleave_settings.bank_order = read_choice(&bank_order_choice);
    cleave_settings.coordinates = variable("CLEAVE_COORDINATES");
    cleave_settings.plan_json = variable("CLEAVE_PLAN_JSON");
    read_cache();
    cleave_settings.metis = variable("CLEAVE_METIS");
    cleave_settings.scotch = variable("CLEAVE_SCOTCH");
    cleave_settings.reverse = read_choice(&order_choice);
    cleave_settings.check_plan = read_choice(&check_plan_choice);
    cleave_settings.deterministic = read_choice(&deterministic_choice);
    check_deterministic();
    cleave_settings.verify = read_choice(&verify_choice);
    cleave_settings.watch = read_choice(&watch_choice);
    cleave_settings.timing = read_choice(&timing_choice);
    cleave_settings.user_waits =
        variable("OMP_WAIT_POLICY") != NULL || variable("GOMP_SPINCOUNT") != NULL;
    value = variable("CLEAVE_VERIFY_TOLERANCE");
    cleave_settings.tolerance = value != NULL ? tolerance_from(value) : -1.0;
    for (int i = 1; i < argc && argv != NULL; i++) {
        if (argv[i] != NULL) {
            read_argument(argv[i]);
        }
    }
    value = variable("CLEAVE_BLOCK_SIZE");
    if (value != NULL) {
        cleave_settings.block_size = block_size_from("CLEAVE_BLOCK_SIZE", value);
    }
    cleave_op_words_read(argc, argv);
    OP_diags = cleave_settings.diags;
    OP_block_size = OP_part_size = cleave_settings.block_size;
}

void op_disable_device_execution(bool disable)
{
    cleave_require_init();
    cleave_settings.no_device = disable;
    cleave_generation++;
}

void cleave_force_variant(const char *pattern)
{
    cleave_settings.variant = pattern != NULL ? pattern : variable("CLEAVE_VARIANT");
    cleave_generation++;
}

static int default_block_size(enum cleave_target target)
{
    return target == CLEAVE_TARGET_CUDA ? 128 : 256;
}

int cleave_block_size(enum cleave_target target)
{
    return cleave_settings.block_size > 0 ? cleave_settings.block_size : default_block_size(target);
}

int cleave_steady_block_size(enum cleave_target target)
{
    return cleave_settings.deterministic ? default_block_size(target) : cleave_block_size(target);
}

static const char *target_name(void)
{
    if (cleave_targets.count == 0) {
        return "seq";
    }
    return cleave_targets.target[0] == CLEAVE_TARGET_CUDA ? "cuda" : "openmp";
}

void cleave_settings_print(void)
{
    const char *schedule = cleave_settings.schedule < 0
                               ? "as compiled"
                               : schedule_choice.word[cleave_settings.schedule];
    const char *race = cleave_settings.race < 0 ? "default of the target"
                                                : race_choice.word[cleave_settings.race];
    printf("settings\n");
    printf("  backend            %s%s%s\n", target_name(), cleave_device != NULL ? " on " : "",
           cleave_device != NULL ? cleave_device->device() : "");
    printf("  schedule           %s\n", schedule);
    printf("  races              %s\n", race);
    printf("  reads              %s\n",
           cleave_settings.reads < 0 ? "as compiled" : reads_choice.word[cleave_settings.reads]);
    if (cleave_settings.variant != NULL) {
        printf("  variants           %s\n", cleave_settings.variant);
    }
    printf("  block size         openmp %d, cuda %d\n", cleave_block_size(CLEAVE_TARGET_OPENMP),
           cleave_block_size(CLEAVE_TARGET_CUDA));
    printf("  partition          %s\n", planner_method_name(cleave_settings.method));
    printf("  renumber           %s\n", cleave_settings.renumber < 0
                                            ? "where it is worth it"
                                            : renumber_choice.word[cleave_settings.renumber]);
    printf("  bank order         %s\n", cleave_settings.bank_order < 0
                                            ? "on a GPU, not in bands"
                                            : bank_order_choice.word[cleave_settings.bank_order]);
    printf("  order              %s\n", order_choice.word[cleave_settings.reverse]);
    printf("  check plans        %s\n", cleave_settings.check_plan ? "yes" : "no");
    printf("  deterministic      %s\n", cleave_settings.deterministic ? "yes" : "no");
    printf("  verify             %s\n", cleave_settings.verify ? "yes" : "no");
    printf("  timing             %s\n",
           cleave_settings.timing ? "every call" : "some of the calls on the device");
}
