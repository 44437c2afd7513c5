/* json_read.h: reads a JSON document that json.h wrote, as a tree. */
#ifndef CLEAVE_JSON_READ_H
#define CLEAVE_JSON_READ_H

enum cleave_json_kind {
    CLEAVE_JSON_NULL,
    CLEAVE_JSON_BOOL,
    CLEAVE_JSON_NUMBER,
    CLEAVE_JSON_TEXT,
    CLEAVE_JSON_ARRAY,
    CLEAVE_JSON_OBJECT
};

struct cleave_json_node {
    enum cleave_json_kind kind;
    char *name; /* the key of a member of an object, else NULL */
    /* TEXT: the text itself; NUMBER: as it is written, "1.5e-06"; BOOL: "true" or "false"; else
     * NULL */
    char *text;
    int index; /* of an element of an array, from 0 */
    int count; /* ARRAY, OBJECT: of elements or members */
    struct cleave_json_node *first;
    struct cleave_json_node *next; /* its neighbour in the array or object */
    const struct cleave_json_node *parent;
};

/* Returns the document, to be freed by cleave_json_free(); NULL: the text is not one that json.h
 * writes. Memory that is missing ends the program. */
struct cleave_json_node *cleave_json_read(const char *text);
void cleave_json_free(struct cleave_json_node *node);
/* The member of an object; NULL: there is none, it is null, or node is NULL or no object. */
const struct cleave_json_node *cleave_json_member(const struct cleave_json_node *node,
                                                  const char *name);
/* The value of a NUMBER; `otherwise` for all others, and for NULL. */
double cleave_json_value(const struct cleave_json_node *node, double otherwise);
/* The text of a TEXT, NUMBER or BOOL; `otherwise` for all others, and for NULL. */
const char *cleave_json_word(const struct cleave_json_node *node, const char *otherwise);

#endif
