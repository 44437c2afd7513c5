/* diag.h: what the compiler says to the user, in clang's form, several per run.
 *
 * Every message stands in diag.def; stations report by id. An error does not stop the run: the
 * driver looks at diag_errors() at the end.
 */
#ifndef CLEAVE_DIAG_H
#define CLEAVE_DIAG_H

#include "pass/ir/loop_ir.h"

/* Two stand in diag.def only. DIAG_ACCESS: an error, or a warning under --cleave-access=warn.
 * DIAG_ELSEWHERE: likewise, and a note where the program is compiled for the CPU only. */
enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR, DIAG_ACCESS, DIAG_ELSEWHERE };

enum diag_id {
#define DIAG(id, severity, message, hint) DIAG_##id,
#include "pass/ir/diag.def"
#undef DIAG
    DIAG_COUNT
};

enum diag_format {
    DIAG_TEXT,
    DIAG_JSON, /* gcc's -fdiagnostics-format=json: one line with all messages */
    DIAG_SARIF /* SARIF 2.1.0, one line */
};

/* The user's options for messages. All zero: text without colour, nothing hidden. */
struct diag_options {
    bool access_as_warnings; /* --cleave-access=warn: access and shape errors become warnings */
    bool host_only;          /* the program is compiled for the CPU only */
    bool none_shown;         /* -w: neither warnings nor notes */
    bool few_shown;          /* -Wno-cleave: only messages whose `shown` is 1 */
    bool all_errors;         /* -Werror */
    bool colour;
    enum diag_format format;
    /* By id: 1 when -Wcleave-id (-Werror=cleave-id), -1 when -Wno-cleave-id (-Wno-error=cleave-id)
     * was given last. */
    signed char shown[DIAG_COUNT];
    signed char error[DIAG_COUNT];
};

enum diag_answer {
    DIAG_OPTION_NOT_OURS, /* no flag of ours: nothing is changed */
    DIAG_OPTION_READ,
    DIAG_OPTION_UNKNOWN, /* "-Wcleave-" followed by an unknown name */
    DIAG_OPTION_FIXED    /* asks to hide or weaken what is always an error */
};

/* Reads a flag "-Wcleave-read-written", "-Wno-...", "-Werror=...", "-Wno-error=...", or one for
 * "cleave", which means all messages. -Wno-cleave leaves errors as they are. */
enum diag_answer diag_option_read(struct diag_options *options, const char *word);

struct diag; /* one run's diagnostics */

/* out: where messages go (stderr). NULL when out of memory. */
struct diag *diag_new(FILE *out);
void diag_free(struct diag *diag);

/* Call before the first report; the options are copied. */
void diag_configure(struct diag *diag, const struct diag_options *options);
/* Makes access errors warnings, as --cleave-access=warn asks. */
void diag_access_as_warnings(struct diag *diag);
/* The program is compiled for the CPU only: sequential loops may call functions whose body is not
 * visible. */
void diag_host_only(struct diag *diag);

/* Reports `id` at `where` with the message's arguments (printf style: each message in diag.def
 * names only %s and %d). Prints file:line:col: severity: message [-Wcleave-id], the source line, a
 * caret, with tildes from `where` over `length` columns when length > 1, and then the hint, when
 * there is one, as a note at `hint_where` (line 0: at `where`). The same id at the same place is
 * reported once.
 */
void diag_report(struct diag *diag, enum diag_id id, struct loc where, int length,
                 struct loc hint_where, ...);

/* Call after the last report: prints the messages that were kept for one common output. */
void diag_finish(struct diag *diag);

/* Returns the severity of id in this run: DIAG_NOTE, DIAG_WARNING or DIAG_ERROR. */
enum diag_severity diag_severity_of(const struct diag *diag, enum diag_id id);
int diag_errors(const struct diag *diag);
/* Whether id was reported at this place. */
bool diag_was_reported(const struct diag *diag, enum diag_id id, struct loc where);
/* Number of messages that are shown. */
int diag_reports(const struct diag *diag);
/* Number of times id was reported. */
int diag_count(const struct diag *diag, enum diag_id id);
/* One line per id, for the documentation and for tests: "id severity message | hint". */
void diag_list(FILE *out);

#endif
