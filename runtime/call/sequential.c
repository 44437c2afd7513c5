/* sequential.c: says why a loop runs sequentially, and keeps the reasons for the report. */
#include "runtime/call/call.h"

#include <stdarg.h>

struct cleave_reason *cleave_reasons;

static void keep(const struct cleave_call *call, const char *text)
{
    struct cleave_reason **end = &cleave_reasons;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    struct cleave_reason *reason = cleave_alloc_zero(sizeof *reason, "a reason");
    reason->loop = cleave_text_copy(call->name);
    reason->file = cleave_text_copy(call->site->file);
    reason->line = call->site->line;
    reason->text = cleave_text_copy(text);
    *end = reason;
}

void cleave_sequential_because(const struct cleave_call *call, enum cleave_severity severity,
                               const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    keep(call, text);
    if (severity == CLEAVE_WARNING) {
        cleave_warning("loop '%s' (%s:%d) runs sequentially: %s", call->name, call->site->file,
                       call->site->line, text);
    } else {
        cleave_note("loop '%s' (%s:%d) runs sequentially: %s", call->name, call->site->file,
                    call->site->line, text);
    }
}

void cleave_reasons_free(void)
{
    while (cleave_reasons != NULL) {
        struct cleave_reason *reason = cleave_reasons;
        cleave_reasons = reason->next;
        free(reason->loop);
        free(reason->file);
        free(reason->text);
        free(reason);
    }
}
