/* type.c: clang's types to those of the loop IR, records with them.
 *
 * Types are canonical: typedefs resolved, an enum is the integer that its values become in
 * arithmetic. Types that the IR cannot express are refused with a reason; a record that generated
 * code could not declare again (member functions, bit-fields, a layout of its own) cannot run on
 * another target even when its users are printed as text.
 */
#include "pass/frontend/util.h"

#include <string.h>

enum { TYPE_LEVELS = 64 }; /* pointers and arrays of one another */

static const struct {
    enum CXTypeKind clang;
    enum type_kind kind;
} basic_kind[] = {
    {CXType_Void, TYPE_VOID},      {CXType_Bool, TYPE_BOOL},        {CXType_Char_S, TYPE_CHAR},
    {CXType_Char_U, TYPE_CHAR},    {CXType_SChar, TYPE_SCHAR},      {CXType_UChar, TYPE_UCHAR},
    {CXType_Short, TYPE_SHORT},    {CXType_UShort, TYPE_USHORT},    {CXType_Int, TYPE_INT},
    {CXType_UInt, TYPE_UINT},      {CXType_Long, TYPE_LONG},        {CXType_ULong, TYPE_ULONG},
    {CXType_LongLong, TYPE_LLONG}, {CXType_ULongLong, TYPE_ULLONG}, {CXType_Float, TYPE_FLOAT},
    {CXType_Double, TYPE_DOUBLE},
};

static const size_t basic_size[] = {
    [TYPE_VOID] = 0,
    [TYPE_BOOL] = sizeof(bool),
    [TYPE_CHAR] = 1,
    [TYPE_SCHAR] = 1,
    [TYPE_UCHAR] = 1,
    [TYPE_SHORT] = sizeof(short),
    [TYPE_USHORT] = sizeof(short),
    [TYPE_INT] = sizeof(int),
    [TYPE_UINT] = sizeof(int),
    [TYPE_LONG] = sizeof(long),
    [TYPE_ULONG] = sizeof(long),
    [TYPE_LLONG] = sizeof(long long),
    [TYPE_ULLONG] = sizeof(long long),
    [TYPE_FLOAT] = sizeof(float),
    [TYPE_DOUBLE] = sizeof(double),
};

const struct type *front_basic(struct front *front, enum type_kind kind, bool is_const)
{
    if (front->basic[kind][is_const] == NULL) {
        struct type *type = arena_alloc(front->arena, sizeof(*type));

        type->kind = kind;
        type->is_const = is_const;
        type->size = basic_size[kind];
        front->basic[kind][is_const] = type;
    }
    return front->basic[kind][is_const];
}

const struct type *front_pointer(struct front *front, const struct type *elem)
{
    struct type *type = arena_alloc(front->arena, sizeof(*type));

    type->kind = TYPE_POINTER;
    type->size = sizeof(void *);
    type->elem = elem;
    return type;
}

static const struct type *refuse(struct refusal *refusal, const char *reason, bool everywhere)
{
    refusal->reason = reason;
    refusal->everywhere = everywhere;
    return NULL;
}

/* ---- records ------------------------------------------------------------------------------------
 */

struct fields {
    struct front *front;
    struct record *record;
    struct refusal refusal;
    const char *name;
    long long end; /* first bit at which the next field may start */
    int room;
};

static void refuse_record(struct fields *fields, const char *what)
{
    if (fields->refusal.reason == NULL) {
        fields->refusal.everywhere = true;
        fields->refusal.reason =
            arena_format(fields->front->arena, "the type '%s', which has %s", fields->name, what);
    }
}

/* Refuses packed and aligned records: the offsets of their fields show them. */
static void check_layout(struct fields *fields, CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    long long align = 8 * clang_Type_getAlignOf(type);
    long long size = 8 * clang_Type_getSizeOf(type);
    long long offset = clang_Cursor_getOffsetOfField(cursor);
    long long expected = align > 0 ? (fields->end + align - 1) / align * align : 0;

    if (fields->record->is_union) {
        expected = 0;
    }
    if (align <= 0 || size < 0 || offset != expected) {
        refuse_record(fields, "a layout of its own");
    }
    fields->end = expected + size;
}

static bool has_initialiser(struct front *front, CXCursor field)
{
    struct children children = front_children(front, field);
    CXType type = clang_getCanonicalType(clang_getCursorType(field));

    while (type.kind == CXType_ConstantArray) {
        children.count--; /* sizes show as children */
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    }
    for (int c = 0; c < children.count; c++) {
        if (clang_isExpression(clang_getCursorKind(children.child[c]))) {
            return true;
        }
    }
    return false;
}

static void add_field(struct fields *fields, CXCursor cursor)
{
    struct record *record = fields->record;
    struct refusal refusal = {0};
    const struct type *type = front_type(fields->front, clang_getCursorType(cursor), &refusal);

    if (clang_Cursor_isBitField(cursor)) {
        refuse_record(fields, "bit-fields");
    } else if (clang_Cursor_isAnonymous(cursor) || *front_spelling(fields->front, cursor) == '\0') {
        refuse_record(fields, "an anonymous member");
    } else if (type == NULL) {
        refuse_record(fields,
                      arena_format(fields->front->arena, "a member that is %s", refusal.reason));
    } else if (has_initialiser(fields->front, cursor)) {
        refuse_record(fields, "member initialisers");
    } else {
        check_layout(fields, cursor);
        record->field = arena_grow(fields->front->arena, record->field, record->fields,
                                   &fields->room, sizeof(*record->field));
        record->field[record->fields].name = front_spelling(fields->front, cursor);
        record->field[record->fields++].type = type;
    }
}

static enum CXChildVisitResult visit_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct fields *fields = data;

    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_FieldDecl:
        add_field(fields, cursor);
        break;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        if (clang_Cursor_isAnonymousRecordDecl(cursor)) {
            refuse_record(fields, "an anonymous member");
        }
        break;
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_CXXAccessSpecifier:
        break;
    case CXCursor_CXXBaseSpecifier:
        refuse_record(fields, "a base class");
        break;
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
    case CXCursor_FunctionTemplate:
        refuse_record(fields, "member functions");
        break;
    default:
        refuse_record(fields, "members that are not plain data");
        break;
    }
    return CXChildVisit_Continue;
}

bool front_name_taken(struct front *front, const char *name)
{
    for (int r = 0; r < front->records; r++) {
        if (front->record[r]->record->name != NULL &&
            strcmp(front->record[r]->record->name, name) == 0) {
            return true;
        }
    }
    for (int f = 0; f < front->functions; f++) {
        if (front->function[f]->function->name != NULL &&
            strcmp(front->function[f]->function->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the name of a record in generated code. A name that begins with "cudaError" stays a CUDA
 * name even with a number behind it, so such names get a prefix. Functions need none: each gets a
 * suffix. */
static const char *record_name(struct front *front, CXCursor cursor)
{
    const char *name = front_spelling(front, cursor);
    bool is_named = *name != '\0' && strchr(name, '(') == NULL;

    if (is_named && portable_is_cuda(name)) {
        name = arena_format(front->arena, "user_%s", name);
    }
    return front_identifier(front, is_named ? name : "unnamed", front_name_taken);
}

static struct record_entry *new_record(struct front *front, CXCursor cursor)
{
    struct record_entry *entry = arena_alloc(front->arena, sizeof(*entry));

    entry->cursor = cursor;
    entry->record = arena_alloc(front->arena, sizeof(*entry->record));
    entry->record->is_union = clang_getCursorKind(cursor) == CXCursor_UnionDecl;
    entry->record->name = record_name(front, cursor);
    front->record = arena_grow(front->arena, front->record, front->records, &front->record_room,
                               sizeof(*front->record));
    front->record[front->records++] = entry;
    return entry;
}

static void read_record(struct front *front, struct record_entry *entry, CXType type)
{
    struct fields fields = {.front = front, .record = entry->record};

    fields.name = front_type_text(front, type);
    if (clang_isInvalid(clang_getCursorKind(entry->cursor)) || clang_Type_getSizeOf(type) < 0) {
        refuse_record(&fields, "no definition here");
    } else if (front_in_system(entry->cursor)) {
        fields.refusal.everywhere = true;
        fields.refusal.reason = arena_format(front->arena, "the library's type '%s'", fields.name);
    } else {
        /* A record that points to itself meets its own entry: the fields are not needed there. */
        clang_visitChildren(entry->cursor, visit_member, &fields);
        if (fields.refusal.reason == NULL && entry->record->fields == 0) {
            bool is_instance =
                !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(entry->cursor));

            refuse_record(&fields, is_instance ? "its members from a template" : "no members");
        }
    }
    entry->refusal = fields.refusal;
    if (entry->refusal.reason == NULL) {
        struct program *program = front->program;

        program->record = arena_grow(front->arena, program->record, program->records,
                                     &front->record_list_room, sizeof(*program->record));
        program->record[program->records++] = entry->record;
    }
}

static const struct type *record_type(struct front *front, CXType type, struct refusal *refusal)
{
    CXCursor declaration = clang_getTypeDeclaration(type);
    CXCursor cursor = clang_getCursorDefinition(declaration);
    struct record_entry *entry = NULL;
    struct type *result;

    if (clang_Cursor_isNull(cursor)) {
        cursor = declaration;
    }
    if (strncmp(front_type_text(front, type), "(lambda", 7) == 0) {
        return refuse(refusal, "a lambda", false);
    }
    for (int r = 0; r < front->records && entry == NULL; r++) {
        if (front_same(front->record[r]->cursor, cursor)) {
            entry = front->record[r];
        }
    }
    if (entry == NULL) {
        entry = new_record(front, cursor);
        read_record(front, entry, type);
    }
    if (entry->refusal.reason != NULL) {
        return refuse(refusal, entry->refusal.reason, true);
    }
    result = arena_alloc(front->arena, sizeof(*result));
    result->kind = TYPE_RECORD;
    result->is_const = clang_isConstQualifiedType(type) != 0;
    result->size = (size_t)clang_Type_getSizeOf(type);
    result->record = entry->record;
    return result;
}

/* ---- enumerations -------------------------------------------------------------------------------
 */

static enum CXChildVisitResult find_top_bit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    CXCursor *enumeration = data;
    long long size = clang_Type_getSizeOf(clang_getEnumDeclIntegerType(parent));

    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl &&
        clang_getEnumConstantDeclUnsignedValue(cursor) >> (8 * size - 1) != 0) {
        *enumeration = clang_getNullCursor();
        return CXChildVisit_Break;
    }
    return CXChildVisit_Continue;
}

/* Whether the enumeration has a written type, as in `enum e : unsigned`: only the declaration's
 * text shows it. */
static bool has_written_type(struct front *front, CXCursor enumeration)
{
    const char *text = front_string(front, clang_getCursorPrettyPrinted(enumeration, NULL));
    const char *brace = strchr(text, '{');
    const char *colon = strstr(text, " : ");

    return colon != NULL && (brace == NULL || colon < brace);
}

/* The integer that stands for the enumeration everywhere, which has no name of its own in generated
 * code. In C that is its underlying type. C++ promotes an unscoped one without a written type to
 * the first of int, unsigned int, long, ... that has all its values (C++17, 7.6 [conv.prom]), while
 * clang reports unsigned int as its underlying type: K - 5 would be computed unsigned. The two have
 * the same size, and the values of the enumeration the same bits in both. */
static enum type_kind enumeration_kind(struct front *front, CXCursor enumeration,
                                       enum type_kind under)
{
    static const enum type_kind with_sign[] = {
        [TYPE_UINT] = TYPE_INT, [TYPE_ULONG] = TYPE_LONG, [TYPE_ULLONG] = TYPE_LLONG};
    CXCursor definition = clang_getCursorDefinition(enumeration);

    if (front->options->language != LANGUAGE_CXX || clang_EnumDecl_isScoped(enumeration) ||
        (under != TYPE_UINT && under != TYPE_ULONG && under != TYPE_ULLONG)) {
        return under;
    }
    clang_visitChildren(definition, find_top_bit, &definition);
    return clang_Cursor_isNull(definition) || has_written_type(front, definition)
               ? under
               : with_sign[under];
}

static const struct type *enumeration_type(struct front *front, CXType type,
                                           struct refusal *refusal)
{
    CXCursor enumeration = clang_getTypeDeclaration(type);
    CXType integer = clang_getEnumDeclIntegerType(enumeration);
    const struct type *under = front_type(front, integer, refusal);

    return under != NULL ? front_basic(front, enumeration_kind(front, enumeration, under->kind),
                                       clang_isConstQualifiedType(type) != 0)
                         : NULL;
}

/* ---- all types ----------------------------------------------------------------------------------
 */

static const struct type *pointer_type(struct front *front, CXType type, struct refusal *refusal)
{
    const struct type *elem = front_type(front, clang_getPointeeType(type), refusal);
    struct type *result;

    if (elem == NULL) {
        return NULL;
    }
    result = arena_alloc(front->arena, sizeof(*result));
    *result = *front_pointer(front, elem);
    result->is_const = clang_isConstQualifiedType(type) != 0;
    return result;
}

const struct type *front_const(struct front *front, const struct type *type)
{
    struct type *copy = arena_alloc(front->arena, sizeof(*copy));

    *copy = *type;
    copy->is_const = true;
    if (type->kind == TYPE_ARRAY) {
        copy->elem = front_const(front, type->elem);
    }
    return copy;
}

/* A const array is an array of const elements, whichever of the two clang marks. */
static const struct type *array_type(struct front *front, CXType type, struct refusal *refusal)
{
    const struct type *elem = front_type(front, clang_getArrayElementType(type), refusal);
    struct type *result;

    if (elem == NULL) {
        return NULL;
    }
    if (clang_isConstQualifiedType(type) && !elem->is_const) {
        elem = front_const(front, elem);
    }
    result = arena_alloc(front->arena, sizeof(*result));
    result->kind = TYPE_ARRAY;
    result->is_const = elem->is_const;
    result->elem = elem;
    result->count = (long)clang_getArraySize(type);
    result->size = elem->size * (size_t)result->count;
    return result;
}

static const struct type *other_type(CXType type, struct refusal *refusal)
{
    switch (type.kind) {
    case CXType_LValueReference:
    case CXType_RValueReference:
        return refuse(refusal, "a reference", false);
    case CXType_VariableArray:
        return refuse(refusal, "an array of variable length", true);
    case CXType_IncompleteArray:
        return refuse(refusal, "an array of unknown length", true);
    case CXType_LongDouble:
        return refuse(refusal, "long double", true);
    case CXType_Complex:
        return refuse(refusal, "a complex number", true);
    case CXType_Vector:
    case CXType_ExtVector:
        return refuse(refusal, "a vector of the compiler's", true);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return refuse(refusal, "a pointer to a function", true);
    default:
        return refuse(refusal, "a type that generated code cannot name", true);
    }
}

/* Each level is a type of the program: what nobody writes by hand takes gigabytes. */
static bool is_deep(CXType type)
{
    int levels = 0;

    while ((type.kind == CXType_Pointer || type.kind == CXType_ConstantArray) &&
           levels <= TYPE_LEVELS) {
        type =
            clang_getCanonicalType(type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                                               : clang_getArrayElementType(type));
        levels++;
    }
    return levels > TYPE_LEVELS;
}

const struct type *front_type(struct front *front, CXType type, struct refusal *refusal)
{
    CXType canonical = clang_getCanonicalType(type);
    bool is_const = clang_isConstQualifiedType(canonical) != 0;

    if (clang_isVolatileQualifiedType(canonical)) {
        return refuse(refusal, "volatile", false);
    }
    for (size_t k = 0; k < sizeof(basic_kind) / sizeof(basic_kind[0]); k++) {
        if (canonical.kind == basic_kind[k].clang) {
            return front_basic(front, basic_kind[k].kind, is_const);
        }
    }
    if (is_deep(canonical)) {
        return refuse(refusal, "a type of more than 64 levels", false);
    }
    switch (canonical.kind) {
    case CXType_Enum:
        return enumeration_type(front, canonical, refusal);
    case CXType_Pointer:
        return pointer_type(front, canonical, refusal);
    case CXType_ConstantArray:
        return array_type(front, canonical, refusal);
    case CXType_Record:
        return record_type(front, canonical, refusal);
    default:
        return other_type(canonical, refusal);
    }
}

const struct type *body_type_of(struct body *body, CXCursor where, CXType type)
{
    struct refusal refusal = {0};
    const struct type *result = front_type(body->front, type, &refusal);

    if (result == NULL && refusal.everywhere) {
        body_refuse_everywhere(body, where, refusal.reason);
    } else if (result == NULL) {
        body_refuse(body, where, refusal.reason);
    }
    return result;
}

const struct type *body_type(struct body *body, CXCursor cursor)
{
    return body_type_of(body, cursor, clang_getCursorType(cursor));
}
