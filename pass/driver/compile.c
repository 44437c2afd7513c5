/* compile.c: makes the object of one unit with loops from its Program.
 *
 * Three compilations run side by side: the user's source by the host compiler, with the id of the
 * unit; the OpenMP file by the host compiler; the CUDA file by nvcc, or as C++ for the emulator.
 * The host compiler's relocatable link joins them into one object. The result must contain the
 * symbol that registers the variants; that is checked. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass/driver/compile.h"
#include "pass/driver/devices.h"
#include "pass/driver/elf.h"
#include "pass/driver/further.h"
#include "pass/driver/generated.h"
#include "pass/driver/process.h"
#include "pass/driver/reader.h"

/* FURTHER_JOB compiles the packed text of further variants, as data. */
enum { HOST_JOB, OPENMP_JOB, DEVICE_JOB, FURTHER_JOB, JOBS };

/* The compilation of one unit. */
struct build {
    const struct driver *driver;
    struct unit *unit;
    const char *folder; /* of this unit, below driver->folder */
    int jobs;           /* without a device: 2; without further variants: 3 */
    double generate_seconds;
    double join_seconds;
    const char *file[JOBS]; /* generated file's name in folder; NULL for the host's */
    const char *object[JOBS];
    struct job job[JOBS];
};

/* One behind the last job whose text is generated for a target. */
static int generated_jobs(const struct build *build)
{
    return build->jobs < FURTHER_JOB ? build->jobs : FURTHER_JOB;
}

/* The target that the text of a job is generated for. */
static enum codegen_target target_of(const struct driver *driver, int job)
{
    return job == OPENMP_JOB ? CODEGEN_OPENMP : device_row(driver->device)->target;
}

static int report_cannot(const char *verb, const char *path)
{
    fprintf(stderr, "cleavecc: error: cannot %s '%s': %s\n", verb, path, strerror(errno));
    return 1;
}

static int make_folders(struct arena *arena, const char *path)
{
    const char *slash = path;

    while ((slash = strchr(slash + 1, '/')) != NULL) {
        mkdir(arena_text_part(arena, path, (size_t)(slash - path)), 0777);
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : -1;
}

/* Writes one generated file; `folder` is the temporary one or the user's. */
static int generate(const struct build *build, int job, const char *folder)
{
    return unit_generate(build->unit, target_of(build->driver, job),
                         arena_format(build->driver->arena, "%s/%s", folder, build->file[job]));
}

/* nvcc writes the time of its input into line tables: a fixed one makes equal builds equal. */
static void fix_time(const struct build *build, int job)
{
    const struct timespec times[2] = {{.tv_sec = 0}, {.tv_sec = 0}};

    utimensat(AT_FDCWD,
              arena_format(build->driver->arena, "%s/%s", build->folder, build->file[job]), times,
              0);
}

/* The text of further variants, packed as data for the object. Without any, there is no job. */
static int generate_further(struct build *build, const char *keep)
{
    const struct driver *driver = build->driver;
    const char *text =
        arena_format(driver->arena, "%s/%s", build->folder, build->file[FURTHER_JOB]);
    const char *data = arena_format(driver->arena, "%s/%s", build->folder, further_data_name);
    bool exists = false;
    int code = unit_generate_further(build->unit, target_of(driver, DEVICE_JOB), text);

    if (code == 0 && build->unit->has_loops) {
        code = further_pack(driver, text, data, &exists);
    }
    if (code == 0 && exists && keep != NULL) {
        code = unit_generate_further(
            build->unit, target_of(driver, DEVICE_JOB),
            arena_format(driver->arena, "%s/%s", keep, build->file[FURTHER_JOB]));
    }
    build->jobs = exists ? JOBS : FURTHER_JOB;
    return code;
}

/* All generated files, and the user's copies of them. */
static int generate_all(struct build *build)
{
    struct arena *arena = build->driver->arena;
    const char *keep = build->driver->settings.keep;
    int code = 0;

    if (keep != NULL && make_folders(arena, keep) != 0) {
        return report_cannot("make the folder", keep);
    }
    for (int i = OPENMP_JOB; i < generated_jobs(build) && code == 0 && build->unit->has_loops;
         i++) {
        code = generate(build, i, build->folder);
        fix_time(build, i);
        if (code == 0 && keep != NULL && build->unit->has_loops) {
            code = generate(build, i, keep);
        }
    }
    if (code == 0 && build->jobs > FURTHER_JOB && build->unit->has_loops) {
        code = generate_further(build, keep);
    }
    return unit_finish(build->unit, code);
}

static struct words user_command(const struct driver *driver, const struct unit *unit,
                                 const char *object)
{
    const struct command *command = &driver->command;
    bool *keep = arena_alloc(driver->arena, (size_t)command->words * sizeof(*keep));
    struct words extra = words_new(driver->arena);
    struct words out = host_command(driver);

    keep[unit->input] = true;
    words_add_format(&out, "-DCLEAVE_UNIT=\"%s\"", unit->id);
    if (command_has_lto(command)) {
        words_add(&extra, "-fno-lto");
    }
    if (!command->compile_only) {
        command_add_dependency_names(command, unit->source, &extra);
    }
    command_compile_some(command, keep, object, &extra, &out);
    return out;
}

/* The compiler names coverage notes after the object, and the notes must stay. So with coverage the
 * object lies beside the user's while it is needed. */
static const char *openmp_object(const struct build *build)
{
    const struct driver *driver = build->driver;
    const char *output = build->unit->output;

    if (!command_covers(&driver->command) || !driver->command.compile_only) {
        return arena_format(driver->arena, "%s/openmp.o", build->folder);
    }
    return arena_format(driver->arena, "%s/%s.cleave.o", path_folder(driver->arena, output),
                        path_stem(driver->arena, output));
}

/* Fails if the object above would replace a file of the user's. */
static int check_free(const struct build *build)
{
    const char *object = build->object[OPENMP_JOB];

    if (text_starts(object, build->folder) || access(object, F_OK) != 0) {
        return 0;
    }
    fprintf(
        stderr,
        "cleavecc: error: '%s' exists, and --coverage needs that name for a while; remove the file "
        "or rename it\n",
        object);
    return 1;
}

static void plan_jobs(struct build *build)
{
    const struct driver *driver = build->driver;
    const struct unit *unit = build->unit;
    struct arena *arena = driver->arena;

    const struct device_row *device = device_row(driver->device);

    build->jobs = device == NULL                         ? DEVICE_JOB
                  : further_is_wanted(&driver->settings) ? JOBS
                                                         : FURTHER_JOB;
    build->object[HOST_JOB] = unit->output;
    build->object[OPENMP_JOB] = openmp_object(build);
    build->object[DEVICE_JOB] = arena_format(arena, "%s/device.o", build->folder);
    for (int i = OPENMP_JOB; i < generated_jobs(build); i++) {
        build->file[i] = arena_format(arena, "%s%s", unit->stem,
                                      codegen_suffix(target_of(driver, i), unit->language));
    }
    build->job[HOST_JOB] =
        (struct job){.what = "host compiler", .command = user_command(driver, unit, unit->output)};
    build->job[OPENMP_JOB] =
        (struct job){.what = "OpenMP compiler",
                     .command = openmp_command(driver, unit, build->folder, build->file[OPENMP_JOB],
                                               build->object[OPENMP_JOB])};
    if (build->jobs > DEVICE_JOB) {
        build->job[DEVICE_JOB] =
            (struct job){.what = device->compiler,
                         .source = unit->source,
                         .command = device->command(driver, build->folder, build->file[DEVICE_JOB],
                                                    build->object[DEVICE_JOB]),
                         .folder = device->runs_in_folder ? build->folder : NULL};
    }
    if (build->jobs > FURTHER_JOB) {
        build->file[FURTHER_JOB] = arena_format(arena, "%s.further.cu", unit->stem);
        build->object[FURTHER_JOB] = arena_format(arena, "%s/further.o", build->folder);
        build->job[FURTHER_JOB] =
            (struct job){.what = "host compiler",
                         .command = data_command(driver, unit, build->folder, further_data_name,
                                                 build->object[FURTHER_JOB])};
    }
}

static struct words join_command(const struct build *build, const char *to)
{
    struct words out = words_new(build->driver->arena);
    struct words users = command_select(&build->driver->command, USE_JOIN);

    words_add_all(&out, &build->driver->config.host);
    words_add_all(&out, &users);
    words_add(&out, "-r");
    words_add(&out, "-nostdlib");
    words_add(&out, "-o");
    words_add(&out, to);
    for (int i = 0; i < build->jobs; i++) {
        words_add(&out, path_as_input(build->driver->arena, build->object[i]));
    }
    return out;
}

static void show(const struct driver *driver, const struct words *command)
{
    if (driver->settings.verbose || driver->settings.dry_run) {
        words_print(stderr, command);
    }
}

/* Exit code of the jobs: an error of the host compiler is the user's, any other one is ours. */
static int compile_all(struct build *build)
{
    int code;

    jobs_run(build->job, build->jobs);
    code = job_exit_code(&build->job[HOST_JOB]);
    for (int i = OPENMP_JOB; i < build->jobs && code == 0 && !process_interrupted(); i++) {
        if (job_exit_code(&build->job[i]) != 0) {
            fprintf(stderr,
                    "cleavecc: error: the %s could not compile the file generated for '%s'; "
                    "--cleave-keep keeps that file\n",
                    build->job[i].what, build->unit->source);
            code = 1;
        }
    }
    return process_interrupted() ? 128 + process_interrupted() : code;
}

static int verify(const struct build *build, const char *object)
{
    for (int i = OPENMP_JOB; i < generated_jobs(build); i++) {
        const char *symbol = codegen_registration_symbol(target_of(build->driver, i));
        enum elf_answer answer = elf_defines(object, symbol);

        if (answer != ELF_DEFINED) {
            fprintf(stderr,
                    "cleavecc: error: '%s' was joined, but %s '%s', which registers the loops of "
                    "'%s'; is the linker of '%s' an unusual one?\n",
                    build->unit->output,
                    answer == ELF_UNREADABLE ? "it is no 64-bit ELF object with" : "it lacks",
                    symbol, build->unit->source, build->driver->config.host.word[0]);
            return 1;
        }
    }
    return 0;
}

/* Beside the output, so that it can be renamed; names have at most 255 bytes. */
static const char *joined_path(const struct build *build, const char *output)
{
    const char *folder = strchr(output, '/') ? path_folder(build->driver->arena, output) : "";

    return arena_format(build->driver->arena, "%s%s%.200s.%s.tmp", folder,
                        folder[0] != '\0' && strcmp(folder, "/") != 0 ? "/" : "", path_base(output),
                        build->unit->id);
}

/* Makes the symbols by which the parts of the object know each other local to it: two objects that
 * share an id, or a whole source, then never mix, and can be linked together. */
static struct words local_command(const struct build *build, const char *object)
{
    struct words out = words_new(build->driver->arena);

    words_add(&out, build->driver->config.objcopy);
    words_add(&out, "--localize-symbol=" CODEGEN_KEY_SYMBOL);
    words_add(&out, "--localize-symbol=" CODEGEN_FURTHER_SYMBOL);
    for (int i = OPENMP_JOB; i < generated_jobs(build); i++) {
        words_add_format(&out, "--localize-symbol=%s",
                         codegen_registration_symbol(target_of(build->driver, i)));
    }
    for (int s = 0; s < build->unit->symbols.count; s++) {
        words_add_format(&out, "--localize-symbol=%s", build->unit->symbols.word[s]);
    }
    words_add(&out, path_as_input(build->driver->arena, object));
    return out;
}

/* Makes static variables of the source global, so that the generated parts can refer to them until
 * the join makes the symbols local. */
static struct words global_command(const struct build *build)
{
    struct words out = words_new(build->driver->arena);

    words_add(&out, build->driver->config.objcopy);
    for (int s = 0; s < build->unit->symbols.count; s++) {
        words_add_format(&out, "--globalize-symbol=%s", build->unit->symbols.word[s]);
    }
    words_add(&out, path_as_input(build->driver->arena, build->object[HOST_JOB]));
    return out;
}

static int join_step(struct build *build, const char *what, struct words command)
{
    struct job job = {.what = what, .command = command};
    int code;

    show(build->driver, &command);
    jobs_run(&job, 1);
    build->join_seconds += job.seconds;
    code = job_exit_code(&job);
    if (code != 0) {
        fprintf(stderr, "cleavecc: error: '%s' could not join the objects of '%s'\n",
                command.word[0], build->unit->source);
    }
    return code;
}

/* Makes one object of all and puts it in the place of the host's. */
static int join(struct build *build)
{
    struct arena *arena = build->driver->arena;
    char *real = realpath(build->unit->output, NULL); /* a symbolic link stays a link */
    const char *output = arena_text(arena, real ? real : build->unit->output);
    const char *joined = joined_path(build, output);
    int code;

    free(real);
    code = build->unit->symbols.count > 0 ? join_step(build, "objcopy", global_command(build)) : 0;
    if (code == 0) {
        code = join_step(build, "linker", join_command(build, joined));
    }
    if (code == 0) {
        code = join_step(build, "objcopy", local_command(build, joined));
    }
    code = code == 0 ? verify(build, joined) : code;
    if (code == 0 && rename(joined, output) != 0) {
        code = report_cannot("write", output);
    }
    if (code != 0) {
        unlink(joined);
    }
    return code;
}

static bool is_regular(const char *path)
{
    struct stat stat_buffer;

    return stat(path, &stat_buffer) != 0 || S_ISREG(stat_buffer.st_mode);
}

void output_remove(const char *path)
{
    if (is_regular(path)) {
        unlink(path);
    }
}

static void report_time(const struct build *build)
{
    const struct device_row *device = device_row(build->driver->device);
    const char *const names[] = {"host compile", "OpenMP compile",
                                 device != NULL ? device->stage : "", "further variants"};

    if (!build->driver->settings.time) {
        return;
    }
    fprintf(stderr, "cleavecc: time: %s: front end %.3f s, splitter and code generation %.3f s",
            build->unit->source, build->unit->front_seconds,
            build->unit->back_seconds + build->generate_seconds);
    for (int i = 0; i < build->jobs; i++) {
        fprintf(stderr, ", %s %.3f s", names[i], build->job[i].seconds);
    }
    fprintf(stderr, ", join %.3f s\n", build->join_seconds);
}

static int print_plan(struct build *build)
{
    const char *joined = joined_path(build, build->unit->output);
    struct words join = join_command(build, joined);
    struct words local = local_command(build, joined);

    for (int i = 0; i < build->jobs; i++) {
        show(build->driver, &build->job[i].command);
    }
    show(build->driver, &join);
    show(build->driver, &local);
    return 0;
}

static int build_unit(struct build *build)
{
    double start = seconds_now();
    const struct device_row *device = device_row(build->driver->device);
    const bool prepares = device != NULL && device->prepare != NULL;
    int code = prepares ? device->prepare(build->driver, build->folder) : 0;

    code = code == 0 ? generate_all(build) : code;

    build->generate_seconds = seconds_now() - start;
    if (code != 0) {
        return code;
    }
    /* An output such as /dev/null cannot be joined: only the messages of the compilation matter. */
    if (!is_regular(build->unit->output) || !build->unit->has_loops) {
        build->jobs = OPENMP_JOB;
    }
    for (int i = 0; i < build->jobs; i++) {
        show(build->driver, &build->job[i].command);
    }
    if (build->jobs > OPENMP_JOB && check_free(build) != 0) {
        return 1;
    }
    code = compile_all(build);
    if (code == 0 && build->jobs > OPENMP_JOB) {
        code = join(build);
    }
    if (build->jobs > OPENMP_JOB) {
        unlink(build->object[OPENMP_JOB]);
    }
    if (code != 0) {
        output_remove(build->unit->output);
    }
    return code;
}

int unit_compile(struct driver *driver, struct unit *unit)
{
    struct build build = {.driver = driver, .unit = unit};
    int code;

    build.folder = arena_format(driver->arena, "%s/%d", driver->folder, unit->input);
    plan_jobs(&build);
    if (driver->settings.dry_run) {
        return print_plan(&build);
    }
    /* A source that stands twice in a command has one folder only. */
    if (mkdir(build.folder, 0700) != 0 && errno != EEXIST) {
        return report_cannot("make the folder", build.folder);
    }
    code = build_unit(&build);
    if (code == 0) {
        report_time(&build);
    }
    return code;
}
