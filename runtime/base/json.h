/* json.h: writes one JSON document to a file, value by value. Numbers have a decimal point in every
 * locale; a number that is not finite is null. `name` is the key of a member of an object; NULL for
 * an element of an array and for the outermost value. */
#ifndef CLEAVE_JSON_H
#define CLEAVE_JSON_H

#include <stdio.h>

struct cleave_json {
    FILE *file;
    int depth;    /* objects and arrays that are open */
    int comma;    /* 1: a value of the innermost one stands before */
    int rows;     /* 1: the array at depth 2 is open: its elements begin lines */
    void *locale; /* the thread's, to be restored */
};

/* Begins a document; the file stays the caller's. */
void cleave_json_begin(struct cleave_json *json, FILE *file);
/* Ends it. Returns -1 if a part of it could not be written, else 0. */
int cleave_json_finish(struct cleave_json *json);

void cleave_json_object(struct cleave_json *json, const char *name);
void cleave_json_object_end(struct cleave_json *json);
void cleave_json_array(struct cleave_json *json, const char *name);
void cleave_json_array_end(struct cleave_json *json);
/* NULL: null. */
void cleave_json_text(struct cleave_json *json, const char *name, const char *text);
void cleave_json_integer(struct cleave_json *json, const char *name, long long value);
void cleave_json_number(struct cleave_json *json, const char *name, double value);
void cleave_json_bool(struct cleave_json *json, const char *name, int value);

#endif
