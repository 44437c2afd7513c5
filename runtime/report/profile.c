/* profile.c: op_profile_*: a tree of named times. The calls are optional and may come in any order:
 * an exit without an enter does nothing, what is still open at the end is closed. */
#include "runtime/base/json.h"
#include "runtime/base/whole_file.h"
#include "runtime/report/report.h"

#include <errno.h>

/* One name below its parent; entered again, its times add up. */
struct node {
    char *name;
    long count;
    double seconds;
    double entered; /* while open */
    struct node *parent;
    struct node *child; /* in order of first entry */
    struct node *next;
};

static struct node *root;
static struct node *current;

/* OP_PROFILE_LEVEL. Level 3 also waits for each loop on a device, so that its time is complete. */
static enum { LEVEL_OFF, LEVEL_SECTIONS, LEVEL_KERNELS, LEVEL_DETAILS } level = LEVEL_KERNELS;
static const char *json_output; /* OP_PROFILE_JSON_OUTPUT */
static int skipped;             /* sections that are open and below the level */

void cleave_profile_start(void)
{
    const char *wanted = cleave_variable(VARIABLE_OP_PROFILE_LEVEL);
    level = LEVEL_KERNELS;
    json_output = cleave_variable(VARIABLE_OP_PROFILE_JSON_OUTPUT);
    if (wanted == NULL) {
        return;
    }
    if (wanted[0] < '0' || wanted[0] > '3' || wanted[1] != '\0') {
        cleave_fatal("OP_PROFILE_LEVEL=%s is not known; known are: 0, 1, 2, 3", wanted);
    }
    level = wanted[0] - '0';
}

static struct node *new_node(const char *name, struct node *parent)
{
    struct node *node = cleave_alloc_zero(sizeof *node, "a profile");
    node->name = cleave_text_copy(name != NULL ? name : "(no name)");
    node->parent = parent;
    return node;
}

static struct node *child_of(struct node *parent, const char *name)
{
    struct node **end = &parent->child;
    for (; *end != NULL; end = &(*end)->next) {
        if (strcmp((*end)->name, name != NULL ? name : "(no name)") == 0) {
            return *end;
        }
    }
    *end = new_node(name, parent);
    return *end;
}

static void open_node(struct node *node)
{
    node->count++;
    node->entered = cleave_seconds();
    current = node;
}

static void close_current(void)
{
    current->seconds += cleave_seconds() - current->entered;
    current = current->parent;
}

static void require_root(const char *name)
{
    if (root == NULL) {
        root = new_node(name, NULL);
    }
    if (current == NULL) {
        open_node(root);
    }
}

/* Runs the loops that were called, so that their time counts for the open section. */
static void end_loops(void)
{
    if (level != LEVEL_OFF) {
        cleave_flush();
    }
}

void op_profile_start(const char *name)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_start");
    if (level != LEVEL_OFF) {
        require_root(name);
    }
}

/* 1: a section of this level, or one inside of such a section, is not timed. */
static int skips(int least)
{
    skipped += skipped > 0 || (int)level < least;
    return skipped > 0;
}

void op_profile_enter(const char *name)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_enter");
    end_loops();
    if (!skips(LEVEL_SECTIONS)) {
        require_root("program");
        open_node(child_of(current, name));
    }
}

static void kernel_text(char *text, size_t room, const char *name, const char *target,
                        const char *variant)
{
    snprintf(text, room, "%s [%s, %s]", name != NULL ? name : "(no name)",
             target != NULL ? target : "", variant != NULL ? variant : "");
}

void op_profile_enter_kernel(const char *name, const char *target, const char *variant)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_enter_kernel");
    char text[256];
    end_loops();
    if (!skips(LEVEL_KERNELS)) {
        kernel_text(text, sizeof text, name, target, variant);
        require_root("program");
        open_node(child_of(current, text));
    }
}

static void add_time(struct node *node, double seconds)
{
    node->count++;
    node->seconds += seconds;
}

void cleave_profile_loop(const struct cleave_call *call)
{
    char text[256];
    if (level < LEVEL_KERNELS || current == NULL || skipped > 0) {
        return;
    }
    if (level == LEVEL_DETAILS && call->unwaited && cleave_device->wait() != 0) {
        cleave_fatal("loop '%s' (%s:%d) failed on %s: %s", call->name, call->site->file,
                     call->site->line, cleave_device->device(), cleave_device->last_error());
    }
    kernel_text(text, sizeof text, call->name, call->record->target, call->record->variant);
    struct node *node = child_of(current, text);
    const double planning = call->plan_seconds - call->planned;
    add_time(node, cleave_seconds() - call->start);
    if (level == LEVEL_DETAILS && planning > 0.0) {
        add_time(child_of(node, "plan"), planning);
    }
}

void op_profile_exit(void)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_exit");
    end_loops();
    if (skipped > 0) {
        skipped--;
        return;
    }
    if (current != NULL && current != root) {
        close_current();
    }
}

void op_profile_next(const char *name)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_next");
    op_profile_exit();
    op_profile_enter(name);
}

void op_profile_end(void)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_end");
    end_loops();
    skipped = 0;
    while (current != NULL) {
        close_current();
    }
}

void op_profile_finish(void)
{
    op_profile_end();
}

/* Returns the seconds of a node until now, though it may still be open. */
static double seconds_of(const struct node *node)
{
    for (const struct node *n = current; n != NULL; n = n->parent) {
        if (n == node) {
            return node->seconds + cleave_seconds() - node->entered;
        }
    }
    return node->seconds;
}

static void print_node(const struct node *node, int depth)
{
    int width = 48 - 2 * depth;
    printf("%*s%-*s %10ld %14.6f\n", 2 * depth, "", width > 1 ? width : 1, node->name, node->count,
           seconds_of(node));
    for (const struct node *n = node->child; n != NULL; n = n->next) {
        print_node(n, depth + 1);
    }
}

void op_profile_output(void)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_output");
    end_loops();
    if (root == NULL) {
        return;
    }
    printf("%-48s %10s %14s\n", "profile", "count", "time [s]");
    print_node(root, 0);
    if (json_output != NULL) {
        op_profile_output_json(json_output);
    }
}

static void write_node(struct cleave_json *json, const struct node *node)
{
    cleave_json_object(json, NULL);
    cleave_json_text(json, "name", node->name);
    cleave_json_integer(json, "count", node->count);
    cleave_json_number(json, "seconds", seconds_of(node));
    cleave_json_array(json, "children");
    for (const struct node *n = node->child; n != NULL; n = n->next) {
        write_node(json, n);
    }
    cleave_json_array_end(json);
    cleave_json_object_end(json);
}

static int write_json(FILE *file)
{
    struct cleave_json json;
    cleave_json_begin(&json, file);
    if (root != NULL) {
        write_node(&json, root);
    } else {
        cleave_json_text(&json, NULL, NULL);
    }
    return cleave_json_finish(&json);
}

void op_profile_output_json(const char *file_name)
{
    CLEAVE_ENTER_ANYWHERE("op_profile_output_json");
    struct cleave_whole_file whole;
    end_loops();
    if (file_name == NULL) {
        cleave_fatal("op_profile_output_json: there is no file name");
    }
    if (cleave_whole_file_begin(&whole, file_name) != 0 ||
        cleave_whole_file_end(&whole, write_json(whole.file)) != 0) {
        cleave_fatal("op_profile_output_json: cannot write '%s': %s", file_name, strerror(errno));
    }
}

static void free_node(struct node *node)
{
    while (node->child != NULL) {
        struct node *child = node->child;
        node->child = child->next;
        free_node(child);
    }
    free(node->name);
    free(node);
}

void cleave_profile_free(void)
{
    if (root != NULL) {
        free_node(root);
    }
    root = NULL;
    current = NULL;
    skipped = 0;
}
