/* match.c: from a call of op_par_loop to what cleavecc compiled for it: same object, same text of
 * the arguments, same pattern. What is found is kept with the call site, one entry per pattern,
 * because one site may be reached with different dats. A site of a unit that cleavecc compiled and
 * that finds nothing is a warning, once: the program is right, but not fast. */
#include "runtime/call/call.h"

#include <ctype.h>

/* The text of a joined loop's call begins with it: "\001save_soln+adt_calc 0". */
enum { JOINED = '\001' };

/* The runtime's data of one site. */
struct site_info {
    struct cleave_site *site;
    const struct cleave_unit_key *unit; /* the site's */
    struct cleave_match *match;         /* latest first */
    struct cleave_call *calls;          /* likewise */
    int said;
    int is_joined; /* nobody is told of a joined loop that cannot run: its members do */
    struct site_info *next;
};

static struct site_info *sites;

/* The match of calls that run sequentially although their loop was compiled. */
static struct cleave_match none;

int cleave_site_is_group(const struct cleave_site *site)
{
    return site->text[0] == JOINED;
}

char *cleave_site_kernel(const struct cleave_site *site)
{
    const char *begin = site->text;
    while (isspace((unsigned char)*begin) || *begin == '&' || *begin == '(' || *begin == JOINED) {
        begin++;
    }
    size_t length = strcspn(begin, " ,)\t\n");
    char *kernel = cleave_alloc(length + 1, "a name");
    memcpy(kernel, begin, length);
    kernel[length] = '\0';
    return kernel;
}

/* ---- patterns ---------------------------------------------------------------------------- */

static int same_sigarg(const struct cleave_sigarg *a, const struct cleave_sigarg *b)
{
    return a->kind == b->kind && a->access == b->access && a->dat == b->dat && a->map == b->map &&
           a->set == b->set && a->index == b->index && a->dim == b->dim &&
           a->optional == b->optional && strcmp(a->type, b->type) == 0;
}

static int same_pattern(const struct cleave_match *match, const struct cleave_sigarg *sig, int args)
{
    if (match->args != args) {
        return 0;
    }
    for (int a = 0; a < args; a++) {
        if (!same_sigarg(&match->sig[a], &sig[a])) {
            return 0;
        }
    }
    return 1;
}

static struct cleave_match *new_match(const struct cleave_sigarg *sig, int args)
{
    struct cleave_match *match = cleave_alloc_zero(sizeof *match, "a loop");
    match->sig = cleave_alloc(sizeof *sig * (size_t)args, "a loop");
    match->args = args;
    for (int a = 0; a < args; a++) {
        match->sig[a] = sig[a];
        match->sig[a].type = cleave_text_copy(sig[a].type);
    }
    return match;
}

static char *signature_text(const struct cleave_match *match)
{
    int length = cleave_signature(NULL, 0, match->sig, match->args);
    char *text = cleave_alloc((size_t)length + 1, "a loop");
    cleave_signature(text, (size_t)length + 1, match->sig, match->args);
    return text;
}

/* ---- search ------------------------------------------------------------------------------ */

#define SIGARG_CAPACITY 160

/* Copies the text of argument a (from 0) of a signature to `out`. */
static void sigarg_text(const char *signature, int a, char *out, size_t capacity)
{
    for (; a > 0 && *signature != '\0'; a--) {
        signature += strcspn(signature, " ");
        signature += *signature == ' ';
    }
    snprintf(out, capacity, "%.*s", (int)strcspn(signature, " "), signature);
}

/* 1: an argument that is switched off and has no dat, which its text says with -1, is called where
 * the compiled one names the position of a dat; nothing depends on that. */
static int without_dat(const char *compiled, const char *called)
{
    const char *rest = strchr(compiled, '.');
    return strchr("div", called[0]) != NULL && called[0] == compiled[0] &&
           strncmp(called + 1, "-1.", 3) == 0 && rest != NULL && strcmp(rest + 1, called + 4) == 0;
}

static int fits(const char *compiled_for, const char *signature, int args)
{
    char compiled[SIGARG_CAPACITY];
    char called[SIGARG_CAPACITY];
    if (strcmp(compiled_for, signature) == 0) {
        return 1;
    }
    for (int a = 0; a < args; a++) {
        sigarg_text(compiled_for, a, compiled, sizeof compiled);
        sigarg_text(signature, a, called, sizeof called);
        if (strcmp(compiled, called) != 0 && !without_dat(compiled, called)) {
            return 0;
        }
    }
    return 1;
}

/* Puts a loop behind those of its target, or at the end. Returns 0 if there is no room. */
static int add_loop(struct cleave_match *match, struct cleave_unit_entry *entry,
                    const struct cleave_loop *loop)
{
    int place = match->loops;
    if (match->loops == CLEAVE_MATCHED) {
        return 0;
    }
    for (int l = 0; l < match->loops; l++) {
        place = match->unit[l]->unit->target == entry->unit->target ? l + 1 : place;
    }
    for (int l = match->loops; l > place; l--) {
        match->unit[l] = match->unit[l - 1];
        match->loop[l] = match->loop[l - 1];
    }
    match->unit[place] = entry;
    match->loop[place] = loop;
    match->loops++;
    return 1;
}

/* The best candidate if nothing fits. */
struct near {
    const struct cleave_loop *text;       /* same text, another pattern */
    const struct cleave_loop *sequential; /* same text, but no variants, whatever the pattern */
};

static void search_unit(struct cleave_unit_entry *entry, const struct cleave_site *site,
                        const char *signature, struct cleave_match *match, struct near *near)
{
    for (int l = 0; l < entry->unit->loops; l++) {
        const struct cleave_loop *loop = &entry->unit->loop[l];
        if (strcmp(loop->call, site->text) != 0) {
            continue;
        }
        if (loop->variants == 0) {
            near->sequential = loop;
        } else if (!fits(loop->signature, signature, match->args)) {
            near->text = loop;
        } else {
            add_loop(match, entry, loop);
            return;
        }
    }
}

static void search_target(enum cleave_target target, const struct cleave_site *site,
                          const char *signature, struct cleave_match *match, struct near *near)
{
    for (struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        if (e->unit->target == target && e->unit->key == site->unit) {
            search_unit(e, site, signature, match, near);
        }
    }
}

/* ---- why not ----------------------------------------------------------------------------- */

/* "through map of argument 2 column 1, dat of argument 3, 4 double, OP_INC" from
 * "i2.1.1:4:double:I". */
static void in_words(const char *text, char *out, size_t capacity)
{
    static const char *const kinds[] = {
        "direct",          "indirect",          "vector",         "global", "index", "payload",
        "direct at point", "indirect at point", "vector at point"};
    static const char letters[] = "divgxnpqw";
    char kind;
    char access;
    char type[32];
    int dat;
    int map;
    int index;
    int dim;
    if (sscanf(text, "%c%d.%d.%d", &kind, &dat, &map, &index) != 4 ||
        sscanf(text + strcspn(text, ":"), ":%d:%31[^:]:%c", &dim, type, &access) != 3 ||
        strchr(letters, kind) == NULL || cleave_access_of_letter(access) < 0) {
        snprintf(out, capacity, "nothing");
        return;
    }
    int length = snprintf(out, capacity, "%s", kinds[strchr(letters, kind) - letters]);
    if (map >= 0) {
        length +=
            snprintf(out + length, capacity - (size_t)length, ", map of argument %d, index %d",
                     map + 1, kind == 'v' || kind == 'w' ? -index : index);
    }
    if (dat >= 0) {
        length +=
            snprintf(out + length, capacity - (size_t)length, ", dat of argument %d", dat + 1);
    }
    if (strchr(text, '@') != NULL) {
        length += snprintf(out + length, capacity - (size_t)length, ", other set %d",
                           atoi(strchr(text, '@') + 1));
    }
    snprintf(out + length, capacity - (size_t)length, ", %d %s, %s%s", dim, type,
             cleave_access_name(cleave_access_of_letter(access)),
             strchr(text, '?') != NULL ? ", optional" : "");
}

/* Names the first argument in which two signatures differ. */
static void say_difference(const struct cleave_call *call, const struct cleave_loop *loop,
                           const char *signature)
{
    char compiled[SIGARG_CAPACITY];
    char called[SIGARG_CAPACITY];
    char compiled_words[256];
    char called_words[256];
    int a = 0;
    do {
        sigarg_text(loop->signature, a, compiled, sizeof compiled);
        sigarg_text(signature, a, called, sizeof called);
        a++;
    } while (strcmp(compiled, called) == 0 && compiled[0] != '\0');
    in_words(compiled, compiled_words, sizeof compiled_words);
    in_words(called, called_words, sizeof called_words);
    cleave_sequential_because(call, CLEAVE_WARNING,
                              "argument %d was compiled as (%s), called as (%s)", a, compiled_words,
                              called_words);
}

static void say_why(const struct cleave_call *call, const struct near *near, const char *signature)
{
    if (near->sequential != NULL) {
        const char *reason = near->sequential->sequential_reason;
        cleave_sequential_because(call, CLEAVE_NOTE, "%s",
                                  reason != NULL ? reason : "no variant of it was compiled");
    } else if (near->text != NULL) {
        say_difference(call, near->text, signature);
    } else {
        cleave_sequential_because(call, CLEAVE_WARNING,
                                  "the program holds no compiled variant of this call");
    }
}

/* ---- sites ------------------------------------------------------------------------------- */

static struct site_info *info_of(struct cleave_site *site)
{
    struct site_info *info = site->found;
    if (info != NULL) {
        return info;
    }
    info = cleave_alloc_zero(sizeof *info, "a call site");
    info->site = site;
    info->unit = site->unit;
    info->next = sites;
    sites = info;
    site->found = info;
    return info;
}

void cleave_site_is_joined(struct cleave_site *site)
{
    struct site_info *info = info_of(site);
    info->is_joined = info->said = 1;
}

struct cleave_call **cleave_site_calls(struct cleave_site *site)
{
    return &info_of(site)->calls;
}

void cleave_sites_forget(op_dat dat)
{
    for (struct site_info *info = sites; info != NULL; info = info->next) {
        cleave_calls_forget(info->calls, dat);
    }
}

/* 1: there is code for a target that this machine lacks; op_init has said so. */
static int no_machine(void)
{
    int units = 0;
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        units += cleave_has_lanes(t) ? cleave_units_for(t) : 0;
    }
    return cleave_targets.count == 0 && units > 0;
}

static void search(const struct cleave_call *call, struct site_info *info,
                   struct cleave_match *match)
{
    struct near near = {NULL, NULL};
    char *signature = signature_text(match);
    for (int t = 0; t < cleave_targets.count; t++) {
        search_target(cleave_targets.target[t], call->site, signature, match, &near);
    }
    if (match->loops == 0 && !info->said && !no_machine()) {
        info->said = 1;
        say_why(call, &near, signature);
    } else if (match->loops > 0 && !info->said && near.sequential != NULL &&
               near.sequential->sequential_reason != NULL) {
        info->said = 1;
        cleave_note("loop '%s' (%s:%d) runs on the CPU: %s", call->name, call->site->file,
                    call->site->line, near.sequential->sequential_reason);
    }
    free(signature);
}

/* Finds or makes the match for the call's pattern. */
static struct cleave_match *match_of(const struct cleave_call *call, struct site_info *info)
{
    struct cleave_sigarg sig[CLEAVE_MAX_ARGS];
    struct cleave_match *match;
    cleave_args_pattern(call, sig);
    for (match = info->match; match != NULL; match = match->next) {
        if (same_pattern(match, sig, call->args)) {
            return match;
        }
    }
    match = new_match(sig, call->args);
    match->said = info->is_joined;
    match->next = info->match;
    info->match = match;
    if (call->site->unit != NULL && cleave_settings.backend != BACKEND_SEQ) {
        search(call, info, match);
    }
    return match;
}

static struct cleave_unit_entry *entry_of(const struct cleave_unit *unit)
{
    struct cleave_unit_entry *entry = cleave_units;
    while (entry != NULL && entry->unit != unit) {
        entry = entry->next;
    }
    return entry;
}

static void free_launchers(struct cleave_call *call, const struct cleave_match *match)
{
    for (; call != NULL; call = call->next) {
        if (call->match == match) {
            free(call->launcher);
            call->launcher = NULL;
        }
    }
}

void cleave_matches_extend(const struct cleave_unit *unit)
{
    struct cleave_unit_entry *entry = entry_of(unit);
    struct near near = {NULL, NULL};
    for (struct site_info *info = sites; info != NULL; info = info->next) {
        for (struct cleave_match *m = info->match; info->unit == unit->key && m != NULL;
             m = m->next) {
            const int before = m->loops;
            char *signature = signature_text(m);
            if (before > 0) {
                search_unit(entry, info->site, signature, m, &near);
            }
            if (m->loops > before) {
                free_launchers(info->calls, m);
            }
            free(signature);
        }
    }
}

/* 1: OP_WHITELIST lets the loop run compiled. */
static int is_whitelisted(const struct cleave_call *call)
{
    char *kernel = cleave_site_kernel(call->site);
    const int listed = cleave_whitelisted(call->name, kernel);
    free(kernel);
    return listed;
}

/* At the first time; later calls only ask what can change from one to the next. */
static void find(struct cleave_call *call, struct site_info *info)
{
    struct cleave_match *match = match_of(call, info);
    if (match->loops > 0 && match->loop[0]->access != NULL) {
        cleave_call_access(call, match->loop[0]->access);
        call->bytes = cleave_useful_bytes(call);
    }
    const int left_out = match->loops > 0 && (cleave_args_race(call, &info->said) ||
                                              (!info->is_joined && !is_whitelisted(call)));
    call->match = left_out ? &none : match;
}

const struct cleave_match *cleave_match_find(struct cleave_call *call)
{
    struct site_info *info = info_of(call->site);
    if (cleave_args_conflict(call, &info->said)) {
        return &none;
    }
    if (call->match == NULL) {
        find(call, info);
    }
    return call->match;
}

static void free_match(struct cleave_match *match)
{
    for (int a = 0; a < match->args; a++) {
        free((char *)match->sig[a].type);
    }
    free(match->sig);
    free(match);
}

static void empty(struct site_info *info)
{
    while (info->match != NULL) {
        struct cleave_match *match = info->match;
        info->match = match->next;
        free_match(match);
    }
    cleave_calls_free(&info->calls);
    info->said = 0;
}

void cleave_sites_unload(struct cleave_unit_entry *entry)
{
    const struct cleave_unit_key *unit = entry->unit->key;
    struct site_info **link = &sites;
    cleave_recipes_settle();
    while (*link != NULL) {
        struct site_info *info = *link;
        if (info->unit == unit) {
            *link = info->next;
            empty(info);
            info->site->found = NULL;
            free(info);
        } else {
            link = &info->next;
        }
    }
}

/* A site's info stays for the next op_init: the site itself may be in a library that was closed,
 * where nobody can be told any more. */
void cleave_matches_free(void)
{
    for (struct site_info *info = sites; info != NULL; info = info->next) {
        empty(info);
    }
    cleave_reasons_free();
}
