/* constants.c: values that op_decl_const gives, and their way into the copies that generated code
 * keeps. A constant is found by unit and name; one with external linkage may have been declared in
 * any unit. The value of the latest call counts.
 *
 * Constants that the program initialises before main need no declaration: generated code knows
 * where they are (cleave_constant.object). A loop that runs before main may find them without their
 * value, as the sequential loop would: so each call looks whether they have changed. */
#include "runtime/call/call.h"

#include <ctype.h>

struct constant {
    const struct cleave_unit_key
        *unit; /* NULL: declared by op_decl_const_char or without cleavecc */
    char *name;
    char *scope;       /* "physics::" when the program wrote one, else "" */
    char *other_scope; /* a second one of the same unit, or NULL */
    char *type;
    int dim;
    size_t bytes;
    const void *address; /* of the user's variable: tells equal names apart */
    void *value;
    unsigned long version; /* grows with every declaration */
    unsigned long content; /* the version that brought its present type and value */
    int shrunk;            /* it was said that there are fewer values than before */
    void *on_device;       /* a copy for kernels that reach it through a pointer, or NULL */
    size_t device_bytes;
    unsigned long device_content; /* of the copy */
    struct constant *next;
};

/* The values that a unit has been given, for each of its constants. */
struct cleave_unit_state {
    unsigned long *content;
    void **value; /* a copy, of those in the program's object; NULL: none was given yet */
};

static struct constant *constants;
static unsigned long latest;
static unsigned long times_given; /* how often a unit was given a value */

/* ---- declaration ------------------------------------------------------------------------- */

/* Bytes of UTF-8 letters count as letters. */
static int in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static char *part_of(const char *text, size_t begin, size_t end)
{
    char *part = cleave_alloc(end - begin + 1, "a name");
    memcpy(part, text + begin, end - begin);
    part[end - begin] = '\0';
    return part;
}

/* "gam" from "&gam", "(gam)", "&gam[0]" or "(double *)&physics::gam": the last name before a
 * bracket; *scope gets "physics::" or "". Both are the caller's. */
static char *name_from(const char *text, char **scope)
{
    size_t end = strcspn(text, "[");
    while (end > 0 && !in_name(text[end - 1])) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && in_name(text[begin - 1])) {
        begin--;
    }
    size_t outer = begin;
    while (outer > 0 && (in_name(text[outer - 1]) || text[outer - 1] == ':')) {
        outer--;
    }
    *scope = part_of(text, outer, begin);
    return part_of(text, begin, end);
}

static struct constant *find_or_add(const struct cleave_unit_key *unit, const char *name)
{
    for (struct constant *c = constants; c != NULL; c = c->next) {
        if (c->unit == unit && strcmp(c->name, name) == 0) {
            return c;
        }
    }
    struct constant *c = cleave_alloc_zero(sizeof *c, "a constant");
    c->unit = unit;
    c->name = cleave_text_copy(name);
    c->next = constants;
    constants = c;
    return c;
}

/* Generated code knows a constant by its last name only: "one::gain" and "two::gain" of one source
 * file cannot be told apart there. Said where such a constant is used. */
static void note_scope(struct constant *c, const char *scope)
{
    if (c->scope == NULL || *c->scope == '\0') {
        free(c->scope);
        c->scope = cleave_text_copy(scope);
    } else if (*scope != '\0' && strcmp(c->scope, scope) != 0 && c->other_scope == NULL) {
        c->other_scope = cleave_text_copy(scope);
    }
}

/* 1: a declaration changes nothing; programs may repeat declarations in every time step. */
static int has_content(const struct constant *c, const char *type, int dim, size_t bytes,
                       const void *data)
{
    return c->value != NULL && strcmp(c->type, type) == 0 && c->dim == dim && c->bytes == bytes &&
           memcmp(c->value, data, bytes) == 0;
}

/* 1: a kernel reads the constant through a pointer, so its number of values is unknown. */
static int is_pointer(const char *name)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        for (int i = 0; i < e->unit->constants; i++) {
            const struct cleave_constant *wanted = &e->unit->constant[i];
            if (wanted->dim == 0 && strcmp(wanted->name, name) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

static void say_shrunk(struct constant *c, int dim)
{
    if (c->value == NULL || dim >= c->dim || c->shrunk || !is_pointer(c->name)) {
        return;
    }
    c->shrunk = 1;
    cleave_warning(
        "op_decl_const '%s': %d values are declared now, %d were before; a kernel that still "
        "uses more reads beyond the end: declare as many as any kernel uses",
        c->name, dim, c->dim);
}

static void declare(const struct cleave_unit_key *unit, const char *scope, const char *name,
                    int dim, const char *type, size_t component, const void *data)
{
    if (data == NULL || dim <= 0) {
        cleave_fatal("op_decl_const '%s': %s", name,
                     data == NULL ? "the value is a null pointer"
                                  : "the dimension must be at least 1");
    }
    struct constant *c = find_or_add(unit, name);
    const int is_new = !has_content(c, type, dim, component * (size_t)dim, data);
    if (is_new) {
        cleave_recipes_settle();
        cleave_flush();
    }
    note_scope(c, scope);
    say_shrunk(c, dim);
    c->address = data;
    c->version = ++latest;
    if (is_new) {
        free(c->type);
        free(c->value);
        c->type = cleave_text_copy(type);
        c->dim = dim;
        c->bytes = component * (size_t)dim;
        c->value = memcpy(cleave_alloc(c->bytes, "a constant"), data, c->bytes);
        c->content = c->version;
    }
}

void cleave_decl_const(const struct cleave_unit_key *unit, const char *text, int dim,
                       const char *type, const char *pointer_type, const void *data)
{
    CLEAVE_ENTER_EARLY("op_decl_const");
    cleave_require_init();
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    char *scope;
    char *name = name_from(text, &scope);
    if (known == NULL) {
        cleave_fatal("op_decl_const '%s': type \"%s\" is not known; known are double, float, int, "
                     "uint, long, ll, ull, bool",
                     name, type != NULL ? type : "(null)");
    }
    if (!cleave_type_fits(type, pointer_type)) {
        cleave_fatal("op_decl_const '%s': the type is given as \"%s\", but the variable is %s",
                     name, type, pointer_type);
    }
    declare(unit, scope, name, dim, known->name, known->size, data);
    free(name);
    free(scope);
}

void op_decl_const_char(int dim, const char *type, int size, const void *data, const char *name)
{
    CLEAVE_ENTER_EARLY("op_decl_const_char");
    cleave_require_init();
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    name = name != NULL ? name : "(no name)";
    if (type == NULL || size <= 0 || (known != NULL && known->size != (size_t)size)) {
        cleave_fatal("op_decl_const_char '%s': %d bytes do not fit type \"%s\"", name, size,
                     type != NULL ? type : "(null)");
    }
    declare(NULL, "", name, dim, type, (size_t)size, data);
}

unsigned long cleave_constants_version(void)
{
    return latest;
}

unsigned long cleave_constants_given(void)
{
    return times_given;
}

/* ---- use --------------------------------------------------------------------------------- */

/* 1: the name is a static variable of the unit. */
static int is_own(const struct cleave_unit *unit, const struct constant *c)
{
    for (int i = 0; i < unit->constants; i++) {
        if (strcmp(unit->constant[i].name, c->name) == 0 && !unit->constant[i].external &&
            !unit->constant[i].in_object) {
            return 1;
        }
    }
    return 0;
}

/* 1: the constant is a static variable of the unit that declares it; other units cannot use it. */
static int is_internal(const struct constant *c)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        if (e->unit->key == c->unit && is_own(e->unit, c)) {
            return 1;
        }
    }
    return 0;
}

/* The unit in which a declaration may stand (NULL: none that cleavecc compiled), or any. */
struct place {
    int anywhere;
    const struct cleave_unit_key *unit;
};

/* 1: the declaration c may mean the variable `name` of that place. address: NULL or that of the
 * variable. */
static int may_mean(const struct constant *c, const char *name, struct place place,
                    const void *address)
{
    if (strcmp(c->name, name) != 0 || (address != NULL && c->address != address)) {
        return 0;
    }
    return place.anywhere ? !is_internal(c) : c->unit == place.unit;
}

static struct constant *latest_of(const char *name, struct place place, const void *address)
{
    struct constant *best = NULL;
    for (struct constant *c = constants; c != NULL; c = c->next) {
        if (may_mean(c, name, place, address) && (best == NULL || c->version > best->version)) {
            best = c;
        }
    }
    return best;
}

/* A pointer's target does not say which variable it is. */
static struct constant *find(const struct cleave_unit *unit, const struct cleave_constant *wanted)
{
    const struct place here = {0, unit->key};
    const struct place anywhere = {1, NULL};
    const struct place nowhere = {0, NULL};
    struct constant *own = latest_of(wanted->name, here, NULL);
    if (own != NULL) {
        const void *address = wanted->dim == 0 ? NULL : own->address;
        return wanted->external ? latest_of(wanted->name, anywhere, address) : own;
    }
    return latest_of(wanted->name, wanted->external ? anywhere : nowhere, NULL);
}

/* Returns the copy of a pointer's values in the target's memory; makes or updates it first. */
static const void *target_copy(const struct cleave_unit *unit, struct constant *c)
{
    if (!cleave_has_lanes(unit->target)) {
        return c->value;
    }
    if (c->on_device != NULL && c->device_bytes != c->bytes) {
        cleave_device->release(c->on_device);
        c->on_device = NULL;
    }
    if (c->on_device == NULL) {
        c->on_device = cleave_target_alloc(cleave_device, c->bytes, "constant '%s'", c->name);
        c->device_bytes = c->bytes;
        c->device_content = 0;
    }
    if (c->device_content != c->content) {
        cleave_target_upload(cleave_device, c->on_device, c->value, c->bytes, c->name);
        c->device_content = c->content;
    }
    return c->on_device;
}

static int fits(const struct constant *given, const struct cleave_constant *wanted)
{
    return cleave_type_fits(wanted->type, given->type) &&
           (wanted->dim == 0 || (given->dim == wanted->dim && given->bytes == wanted->bytes));
}

/* "4 double", "a pointer to double". */
static char *words_of(const struct cleave_constant *wanted)
{
    char *words = cleave_alloc(strlen(wanted->type) + 32, "a message");
    if (wanted->dim == 0) {
        sprintf(words, "a pointer to %s", wanted->type);
    } else {
        sprintf(words, "%d %s", wanted->dim, wanted->type);
    }
    return words;
}

static void set_constant(struct cleave_unit_entry *entry, const struct cleave_loop *loop, int index)
{
    const struct cleave_constant *wanted = &entry->unit->constant[index];
    struct constant *given = find(entry->unit, wanted);
    if (given == NULL) {
        cleave_fatal("kernel '%s' uses '%s', which no op_decl_const has given a value",
                     loop->kernel, wanted->name);
    }
    if (given->other_scope != NULL) {
        cleave_fatal(
            "kernel '%s' uses '%s', and op_decl_const declares both '%s%s' and '%s%s' in its "
            "source file: give one of them another name",
            loop->kernel, wanted->name, given->scope, given->name, given->other_scope, given->name);
    }
    if (given->content == entry->state->content[index]) {
        return;
    }
    if (!fits(given, wanted)) {
        cleave_fatal("kernel '%s' uses '%s' as %s, but op_decl_const gives it %d %s", loop->kernel,
                     wanted->name, words_of(wanted), given->dim, given->type);
    }
    cleave_flush(); /* launches that wait go by the old value */
    const void *copy = wanted->dim == 0 ? target_copy(entry->unit, given) : NULL;
    wanted->set(wanted->dim == 0 ? (const void *)&copy : given->value);
    entry->state->content[index] = given->content;
    times_given++;
}

const struct cleave_constant *cleave_constants_lack(const struct cleave_unit_entry *entry,
                                                    const struct cleave_loop *loop)
{
    for (int i = 0; i < loop->constants; i++) {
        const struct cleave_constant *wanted = &entry->unit->constant[loop->constant[i]];
        if (wanted->in_object ? wanted->object == NULL
                              : wanted->dim == 0 && find(entry->unit, wanted) == NULL) {
            return wanted;
        }
    }
    return NULL;
}

/* The program's own variable: given when it is not what was given before. */
static void set_from_object(struct cleave_unit_entry *entry, int index)
{
    const struct cleave_constant *wanted = &entry->unit->constant[index];
    void **value = &entry->state->value[index];
    if (*value != NULL && memcmp(*value, wanted->object, wanted->bytes) == 0) {
        return;
    }
    cleave_flush(); /* launches that wait go by the old value, and one of them may fail */
    if (*value == NULL) {
        *value = cleave_alloc(wanted->bytes, "a constant");
    }
    memcpy(*value, wanted->object, wanted->bytes);
    wanted->set(*value);
    times_given++;
}

void cleave_constants_look(struct cleave_unit_entry *entry, const struct cleave_loop *loop)
{
    for (int i = 0; i < loop->constants; i++) {
        if (entry->unit->constant[loop->constant[i]].in_object) {
            set_from_object(entry, loop->constant[i]);
        }
    }
}

void cleave_constants_set(struct cleave_unit_entry *entry, const struct cleave_loop *loop)
{
    if (loop->constants > 0 && entry->state == NULL) {
        entry->state = cleave_alloc_zero(sizeof *entry->state, "constants");
        entry->state->content = cleave_alloc_zero(
            (size_t)entry->unit->constants * sizeof entry->state->content[0], "constants");
        entry->state->value = cleave_alloc_zero(
            (size_t)entry->unit->constants * sizeof entry->state->value[0], "constants");
    }
    for (int i = 0; i < loop->constants; i++) {
        if (!entry->unit->constant[loop->constant[i]].in_object) {
            set_constant(entry, loop, loop->constant[i]);
        }
    }
}

static void free_constant(struct constant *c)
{
    free(c->name);
    free(c->scope);
    free(c->other_scope);
    free(c->type);
    free(c->value);
    if (c->on_device != NULL && cleave_device != NULL) {
        cleave_device->release(c->on_device);
    }
    free(c);
}

static void free_state(struct cleave_unit_entry *entry)
{
    for (int i = 0; entry->state != NULL && i < entry->unit->constants; i++) {
        free(entry->state->value[i]);
    }
    if (entry->state != NULL) {
        free(entry->state->content);
        free(entry->state->value);
    }
    free(entry->state);
    entry->state = NULL;
}

/* The values of a library's external variables stay: other units may have them too. They belong to
 * no unit that a later one could be taken for. */
void cleave_constants_unload(struct cleave_unit_entry *entry)
{
    static const struct cleave_unit_key unloaded = {"unloaded"};
    struct constant **link = &constants;
    free_state(entry);
    while (*link != NULL) {
        struct constant *c = *link;
        if (c->unit != entry->unit->key) {
            link = &c->next;
        } else if (is_own(entry->unit, c)) {
            *link = c->next;
            free_constant(c);
        } else {
            c->unit = &unloaded;
            link = &c->next;
        }
    }
}

void cleave_constants_free(void)
{
    for (struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        free_state(e);
    }
    while (constants != NULL) {
        struct constant *c = constants;
        constants = c->next;
        free_constant(c);
    }
}
