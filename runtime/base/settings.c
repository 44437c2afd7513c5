/* settings.c: fills the settings by the rows of api/settings.def, and reads OP2's command-line
 * options. A value that is not known is an error that lists the known ones: a mistyped setting must
 * not pass unnoticed. */
#include "runtime/base/settings.h"

#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>

struct cleave_settings cleave_settings;
int OP_maps_base_index;
int OP_diags, OP_block_size, OP_part_size, OP_auto_soa;

enum row_kind { ROW_CHOICE, ROW_WORD, ROW_TEXT, ROW_NUMBER, ROW_OWN };

/* A variable with a field in cleave_settings. The words of a choice follow it. */
static const struct row {
    enum row_kind kind;
    enum cleave_variable variable;
    size_t offset;    /* of the field */
    const char *word; /* WORD: "" cannot be asked for */
    int value;        /* WORD: what stands for it; CHOICE: what stands for none */
    int least;        /* NUMBER */
    int most;
} rows[] = {
#define RUN_CHOICE(field, NAME, unset, usual, meaning)                                             \
    {.kind = ROW_CHOICE,                                                                           \
     .variable = VARIABLE_##NAME,                                                                  \
     .offset = offsetof(struct cleave_settings, field),                                            \
     .value = (unset)},
#define RUN_WORD(constant, word_, meaning) {.kind = ROW_WORD, .word = (word_), .value = (constant)},
#define RUN_TEXT(field, NAME, shown, usual, meaning)                                               \
    {.kind = ROW_TEXT,                                                                             \
     .variable = VARIABLE_##NAME,                                                                  \
     .offset = offsetof(struct cleave_settings, field)},
#define RUN_NUMBER(field, NAME, least_, most_, usual, meaning)                                     \
    {.kind = ROW_NUMBER,                                                                           \
     .variable = VARIABLE_##NAME,                                                                  \
     .offset = offsetof(struct cleave_settings, field),                                            \
     .least = (least_),                                                                            \
     .most = (most_)},
#define RUN_OWN(NAME, shown, usual, meaning) {.kind = ROW_OWN, .variable = VARIABLE_##NAME},
#include "runtime/api/settings.def"
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct row *row_of(enum cleave_variable variable)
{
    const struct row *row = rows;
    while (row->kind == ROW_WORD || row->variable != variable) {
        row++;
    }
    return row;
}

static int is_word(const struct row *row)
{
    return row < rows + ROWS && row->kind == ROW_WORD;
}

static _Noreturn void stop_choice(const struct row *choice, const char *value)
{
    char words[256] = "";
    for (const struct row *row = choice + 1; is_word(row); row++) {
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s",
                 length > 0 && row->word[0] != '\0' ? ", " : "", row->word);
    }
    cleave_fatal("%s=%s is not known; known are: %s", cleave_variable_name(choice->variable), value,
                 words);
}

static int choice_from(const struct row *choice, const char *value)
{
    if (value == NULL) {
        return choice->value;
    }
    for (const struct row *row = choice + 1; is_word(row); row++) {
        if (strcmp(row->word, value) == 0) {
            return row->value;
        }
    }
    stop_choice(choice, value);
}

static int number_from(const char *name, const char *value, const struct row *row)
{
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (errno != 0 || *end != '\0' || value[0] < '0' || value[0] > '9' || number < row->least ||
        number > row->most) {
        cleave_fatal("%s=%s is not a number from %d to %d", name, value, row->least, row->most);
    }
    return (int)number;
}

/* Fills the field of a row that has one. */
static void read_row(const struct row *row)
{
    void *field = (char *)&cleave_settings + row->offset;
    const char *value = row->kind != ROW_WORD ? cleave_variable(row->variable) : NULL;
    if (row->kind == ROW_CHOICE) {
        *(int *)field = choice_from(row, value);
    } else if (row->kind == ROW_TEXT) {
        *(const char **)field = value;
    } else if (row->kind == ROW_NUMBER && value != NULL) {
        *(int *)field = number_from(cleave_variable_name(row->variable), value, row);
    }
}

/* The word for a choice's value, or `unset`. */
static const char *word_for(enum cleave_variable variable, int value, const char *unset)
{
    for (const struct row *row = row_of(variable) + 1; is_word(row); row++) {
        if (row->value == value) {
            return row->word;
        }
    }
    return unset;
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

/* Reads OP2's options that have an effect; op_words.c reports the others. */
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
            cleave_settings.block_size =
                number_from(block_options[i], value, row_of(VARIABLE_BLOCK_SIZE));
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

/* The folder of the store; NULL: none is known. It lives until the settings are read again. */
static const char *cache_folder_of(const char *folder, const char *below)
{
    static char *path;
    free(path);
    path = NULL;
    if (folder != NULL) {
        const size_t bytes = strlen(folder) + strlen(below) + 1;
        path = cleave_alloc(bytes, "the name of a folder");
        snprintf(path, bytes, "%s%s", folder, below);
    }
    return path;
}

/* Reads where plans are kept. XDG_CACHE_HOME and HOME count if they are absolute, as the XDG base
 * directory specification says; CLEAVE_PLAN_CACHE may be relative to the current folder. */
static void read_cache(void)
{
    enum { DEFAULT_MIB = 2048 };
    const char *folder = cleave_variable(VARIABLE_PLAN_CACHE);
    const char *cache = cleave_variable(VARIABLE_XDG_CACHE_HOME);
    const char *home = cleave_variable(VARIABLE_HOME);
    const char *below = "";
    cleave_settings.cache_off = folder != NULL && strcmp(folder, "off") == 0;
    cleave_settings.cache_bytes =
        (uint64_t)(cleave_settings.cache_mib > 0 ? cleave_settings.cache_mib : DEFAULT_MIB) << 20;
    if (folder == NULL && cache != NULL && cache[0] == '/') {
        folder = cache;
        below = "/cleave";
    }
    if (folder == NULL && home != NULL && home[0] == '/') {
        folder = home;
        below = "/.cache/cleave";
    }
    cleave_settings.cache_folder =
        cache_folder_of(cleave_settings.cache_off ? NULL : folder, below);
}

enum cleave_sums cleave_race_sums(enum cleave_race race)
{
    static const enum cleave_sums sums_of[] = {
#define CLEAVE_RACE(name, word, sums, meaning) CLEAVE_SUMS_##sums,
#include "runtime/api/cleave_words.def"
    };
    return sums_of[race];
}

int cleave_race_is_ordered(enum cleave_race race)
{
    return cleave_race_sums(race) != CLEAVE_SUMS_VARY;
}

static void check_deterministic(void)
{
    const int race = cleave_settings.race;
    if (cleave_settings.deterministic && race >= 0 &&
        !cleave_race_is_ordered((enum cleave_race)race)) {
        cleave_fatal("CLEAVE_DETERMINISTIC=1 and CLEAVE_RACES=%s exclude each other: with these "
                     "races the order of sums depends on which thread comes first; unset one of "
                     "them, or set CLEAVE_RACES=colour, global, ordered or range",
                     cleave_variable(VARIABLE_RACES));
    }
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc && argv != NULL; i++) {
        if (argv[i] != NULL) {
            read_argument(argv[i]);
        }
    }
}

void cleave_settings_read(int argc, char **argv, int diags)
{
    const char *value;
    memset(&cleave_settings, 0, sizeof cleave_settings);
    cleave_settings.diags = diags;
    cleave_variables_check();
    value = cleave_variable(VARIABLE_OP_DIAGS);
    if (value != NULL) {
        cleave_settings.diags = diags_from(value);
    }
    read_arguments(argc, argv);
    for (int r = 0; r < ROWS; r++) {
        read_row(&rows[r]);
    }
    value = cleave_variable(VARIABLE_PARTITION);
    cleave_settings.method = method_from(value != NULL ? value : "default");
    read_cache();
    check_deterministic();
    cleave_settings.user_waits = cleave_variable(VARIABLE_OMP_WAIT_POLICY) != NULL ||
                                 cleave_variable(VARIABLE_GOMP_SPINCOUNT) != NULL;
    value = cleave_variable(VARIABLE_VERIFY_TOLERANCE);
    cleave_settings.tolerance = value != NULL ? tolerance_from(value) : -1.0;
    cleave_op_words_read(argc, argv);
    OP_diags = cleave_settings.diags;
    OP_block_size = OP_part_size = cleave_settings.block_size;
}

void op_disable_device_execution(bool disable)
{
    CLEAVE_ENTER("op_disable_device_execution");
    cleave_require_init();
    cleave_flush();
    cleave_settings.no_device = disable;
    cleave_generation++;
}

void cleave_force_variant(const char *pattern)
{
    CLEAVE_ENTER("cleave_force_variant");
    cleave_flush();
    cleave_settings.variant = pattern != NULL ? pattern : cleave_variable(VARIABLE_VARIANT);
    cleave_generation++;
}

int cleave_wanted_target(void)
{
    return (int)cleave_settings.backend - (int)BACKEND_TARGETS;
}

int cleave_variant_is_named(const struct cleave_variant *variant)
{
    return cleave_settings.variant != NULL &&
           fnmatch(cleave_settings.variant, variant->name, 0) == 0;
}

int cleave_loop_is_named(const struct cleave_loop *loop)
{
    int named = 0;
    for (int v = 0; v < loop->variants; v++) {
        named |= cleave_variant_is_named(&loop->variant[v]);
    }
    return named;
}

int cleave_tuning(void)
{
    if (cleave_settings.tune != CLEAVE_TUNE_UNSET) {
        return cleave_settings.tune;
    }
    return cleave_device != NULL && cleave_device->untimed ? CLEAVE_TUNE_OFF : CLEAVE_TUNE_AUTO;
}

int cleave_block_size(enum cleave_target target)
{
    return cleave_settings.block_size > 0 ? cleave_settings.block_size
                                          : cleave_target_row[target].block_size;
}

int cleave_steady_block_size(enum cleave_target target)
{
    return cleave_settings.deterministic ? cleave_target_row[target].block_size
                                         : cleave_block_size(target);
}

static const char *target_name(void)
{
    if (cleave_targets.count == 0) {
        return "seq";
    }
    return cleave_target_row[cleave_targets.target[0]].word;
}

void cleave_settings_print(void)
{
    const struct cleave_settings *set = &cleave_settings;
    printf("settings\n");
    printf("  backend            %s%s%s\n", target_name(), cleave_device != NULL ? " on " : "",
           cleave_device != NULL ? cleave_device->device() : "");
    printf("  schedule           %s\n", word_for(VARIABLE_SCHEDULE, set->schedule, "as compiled"));
    printf("  races              %s\n",
           word_for(VARIABLE_RACES, set->race, "default of the target"));
    printf("  reads              %s\n", word_for(VARIABLE_READS, set->reads, "as compiled"));
    printf("  lanes              %s\n", word_for(VARIABLE_LANES, set->lanes, ""));
    if (set->variant != NULL) {
        printf("  variants           %s\n", set->variant);
    }
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        printf("%s%s %d", t == 0 ? "  block size         " : ", ", cleave_target_row[t].word,
               cleave_block_size((enum cleave_target)t));
    }
    printf("\n");
    printf("  partition          %s\n", planner_method_name(set->method));
    printf("  renumber           %s\n",
           word_for(VARIABLE_RENUMBER, set->renumber, "where it is worth it"));
    printf("  bank order         %s\n",
           word_for(VARIABLE_BANK_ORDER, set->bank_order, "on a GPU, not in bands"));
    printf("  order              %s\n", word_for(VARIABLE_ORDER, set->reverse, ""));
    printf("  tune               %s\n", word_for(VARIABLE_TUNE, cleave_tuning(), ""));
    printf("  check plans        %s\n", set->check_plan ? "yes" : "no");
    printf("  graphs             %s\n", word_for(VARIABLE_GRAPH, set->graph, ""));
    printf("  groups of loops    %s\n", word_for(VARIABLE_FUSE, set->fuse, ""));
    printf("  deterministic      %s\n", set->deterministic ? "yes" : "no");
    printf("  verify             %s\n", set->verify ? "yes" : "no");
    printf("  timing             %s\n",
           set->timing ? "every call" : "some of the calls on the device");
}
