/* lanes_type.c: C's types and conversions on vectors.
 *
 * Integers shorter than int are held as int, which is what C computes with; a conversion to them
 * cuts the value. bool is held as int, 0 or 1, where it is data, and as a mask elsewhere.
 */
#include <string.h>

#include "codegen/lanes/lanes_impl.h"

static const char *word_of(enum type_kind kind)
{
    static const char *const words[] = {
        [TYPE_BOOL] = "i32",  [TYPE_CHAR] = "i32",   [TYPE_SCHAR] = "i32", [TYPE_UCHAR] = "i32",
        [TYPE_SHORT] = "i32", [TYPE_USHORT] = "i32", [TYPE_INT] = "i32",   [TYPE_UINT] = "u32",
        [TYPE_LONG] = "i64",  [TYPE_ULONG] = "u64",  [TYPE_LLONG] = "i64", [TYPE_ULLONG] = "u64",
        [TYPE_FLOAT] = "f32", [TYPE_DOUBLE] = "f64", [TYPE_RECORD] = NULL,
    };
    return words[kind];
}

const char *lanes_type_word(const struct type *type)
{
    return word_of(type->kind);
}

const char *lanes_move_word(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
        return "b8";
    case TYPE_CHAR:
        return "c8";
    case TYPE_SCHAR:
        return "i8";
    case TYPE_UCHAR:
        return "u8";
    case TYPE_SHORT:
        return "i16";
    case TYPE_USHORT:
        return "u16";
    default:
        return lanes_type_word(type);
    }
}

bool lanes_has_type(const struct type *type)
{
    return word_of(type->kind) != NULL;
}

const char *lanes_type(struct lanes *lanes, const struct type *type)
{
    return lanes_format(lanes, "CLEAVE_V(%s)", lanes_type_word(type));
}

const char *lanes_operand(struct lanes *lanes, struct lane_value value, enum lane_binds least)
{
    return value.binds < least ? lanes_format(lanes, "(%s)", value.text) : value.text;
}

static struct lane_value vector_of(const char *text)
{
    return (struct lane_value){text, BINDS_TIGHT, FORM_VECTOR};
}

struct lane_value lanes_to_vector(struct lanes *lanes, struct lane_value value,
                                  const struct type *type)
{
    const char *word = lanes_type_word(type);
    if (value.form == FORM_SCALAR) {
        return vector_of(lanes_format(lanes, "CLEAVE_V(set_%s)(%s)", word, value.text));
    }
    if (value.form == FORM_MASK) {
        return vector_of(lanes_format(lanes, "CLEAVE_V(convert_mask_%s)(%s)", word, value.text));
    }
    return value;
}

struct lane_value lanes_to_mask(struct lanes *lanes, struct lane_value value,
                                const struct type *type)
{
    const char *text;
    if (value.form == FORM_MASK) {
        return value;
    }
    const char *number = lanes_operand(lanes, value, BINDS_SHIFT);
    if (value.form == FORM_SCALAR) {
        const char *unlike = type->kind == TYPE_BOOL ? "" : " != 0";
        text = lanes_format(lanes, "CLEAVE_V(set_mask)(%s%s)", number, unlike);
    } else {
        text = lanes_format(lanes, "CLEAVE_V(mask_of_%s)(%s != 0)", lanes_type_word(type), number);
    }
    return (struct lane_value){text, BINDS_TIGHT, FORM_MASK};
}

static bool is_short(const struct type *type)
{
    return type_is_integer(type) && type->size < sizeof(int) && type->kind != TYPE_BOOL;
}

struct lane_value lanes_convert(struct lanes *lanes, struct lane_value value,
                                const struct type *from, const struct type *to)
{
    if (to->kind == TYPE_BOOL) {
        return lanes_to_mask(lanes, value, from);
    }
    if (value.form == FORM_MASK) {
        return type_is_integer(to) ? value : lanes_to_vector(lanes, value, to);
    }
    const char *a = lanes_type_word(from);
    const char *b = lanes_type_word(to);
    if (strcmp(a, b) != 0) {
        value = vector_of(lanes_format(lanes, "CLEAVE_V(convert_%s_%s)(%s)", a, b, value.text));
    }
    bool fits = is_short(from) && from->size <= to->size &&
                (type_is_signed(from) == type_is_signed(to) ||
                 (!type_is_signed(from) && from->size < to->size));
    if (!is_short(to) || fits) {
        return value;
    }
    return vector_of(
        lanes_format(lanes, "CLEAVE_V(narrow_%s)(%s)", lanes_move_word(to), value.text));
}
