/* json.c: JSON, value by value. */
#include "runtime/base/json.h"

#include "runtime/base/base.h"

#include <math.h>

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else if ((unsigned char)*text < ' ') {
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            fputc(*text, file);
        }
    }
    fputc('"', file);
}

/* 1: values begin lines here: the members of the outermost object, and the elements of an array in
 * it. */
static int begins_line(const struct cleave_json *json)
{
    return json->depth == 1 || (json->depth == 2 && json->rows);
}

static void begin_value(struct cleave_json *json, const char *name)
{
    const char *comma = json->comma ? "," : "";
    fprintf(json->file, "%s%s", comma, begins_line(json) ? "\n" : json->comma ? " " : "");
    if (name != NULL) {
        put_text(json->file, name);
        fputs(": ", json->file);
    }
    json->comma = 1;
}

static void open_value(struct cleave_json *json, const char *name, char bracket)
{
    begin_value(json, name);
    fputc(bracket, json->file);
    json->comma = 0;
    json->depth++;
    if (json->depth == 2) {
        json->rows = bracket == '[';
    }
}

static void close_value(struct cleave_json *json, char bracket)
{
    if (json->comma && begins_line(json)) {
        fputc('\n', json->file);
    }
    fputc(bracket, json->file);
    json->comma = 1;
    json->depth--;
}

void cleave_json_begin(struct cleave_json *json, FILE *file)
{
    *json = (struct cleave_json){.file = file, .locale = cleave_numbers_plain()};
}

int cleave_json_finish(struct cleave_json *json)
{
    fputc('\n', json->file);
    cleave_numbers_restore(&json->locale);
    return ferror(json->file) ? -1 : 0;
}

void cleave_json_object(struct cleave_json *json, const char *name)
{
    open_value(json, name, '{');
}

void cleave_json_object_end(struct cleave_json *json)
{
    close_value(json, '}');
}

void cleave_json_array(struct cleave_json *json, const char *name)
{
    open_value(json, name, '[');
}

void cleave_json_array_end(struct cleave_json *json)
{
    close_value(json, ']');
}

void cleave_json_text(struct cleave_json *json, const char *name, const char *text)
{
    begin_value(json, name);
    if (text != NULL) {
        put_text(json->file, text);
    } else {
        fputs("null", json->file);
    }
}

void cleave_json_integer(struct cleave_json *json, const char *name, long long value)
{
    begin_value(json, name);
    fprintf(json->file, "%lld", value);
}

void cleave_json_number(struct cleave_json *json, const char *name, double value)
{
    begin_value(json, name);
    if (isfinite(value)) {
        fprintf(json->file, "%.15g", value);
    } else {
        fputs("null", json->file);
    }
}

void cleave_json_bool(struct cleave_json *json, const char *name, int value)
{
    begin_value(json, name);
    fputs(value ? "true" : "false", json->file);
}
