/* chain_call.c: calls of host code to steps: loops, functions with chains, and the touches of all
 * others.
 *
 * In: a call. Out: the touches of its arguments, then a STEP_LOOP or STEP_CALL, or what the called
 * function does: by its body where it is visible, by its name where chain_known.c has it, and else
 * anything.
 */
#include "pass/frontend/chain.h"

#include <string.h>

enum {
    LOOP_KERNEL = 1,
    LOOP_SET = 3,
    LOOP_ARG = 4
}; /* of cleave_parse_loop: text, kernel, name, set */

/* ---- arguments
 * ----------------------------------------------------------------------------------- */

static CXType type_of(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

static bool is_pointer_or_array(CXType type)
{
    return type.kind == CXType_Pointer || type.kind == CXType_ConstantArray ||
           type.kind == CXType_VariableArray || type.kind == CXType_IncompleteArray;
}

static bool is_method(CXCursor function)
{
    enum CXCursorKind kind = clang_getCursorKind(function);

    return (kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction) &&
           !clang_CXXMethod_isStatic(function);
}

/* The object of a member function call, stored in `passed` if the call shows it. Returns how many
 * arguments stand for it: 1 for an operator, else 0. */
static int read_object(struct chain_walk *walk, CXCursor call, CXCursor function,
                       struct passed *passed)
{
    struct front *front = walk->front;
    struct children children = front_children(front, call);
    CXCursor member;
    struct children parts;

    if (clang_Cursor_getNumArguments(call) > clang_Cursor_getNumArguments(function)) {
        CXCursor object = clang_Cursor_getArgument(call, 0);

        passed->object = host_place_of(front, object);
        passed->has_object = true;
        chain_expr(walk, object, DOES_ADDRESS);
        return 1;
    }
    member =
        children.count > 0 ? front_strip_casts(front, children.child[0]) : clang_getNullCursor();
    if (clang_getCursorKind(member) != CXCursor_MemberRefExpr) {
        return 0;
    }
    parts = front_children(front, member);
    passed->has_object = true;
    if (parts.count == 0 || !clang_isExpression(clang_getCursorKind(parts.child[0]))) {
        passed->object = (struct host_place){
            .kind = PLACE_THIS, .base = clang_getNullCursor(), .path = "*", .derefs = true};
    } else if (type_of(parts.child[0]).kind == CXType_Pointer) {
        passed->object = host_pointee(front, parts.child[0]);
        chain_expr(walk, parts.child[0], DOES_READ);
    } else {
        passed->object = host_place_of(front, parts.child[0]);
        chain_expr(walk, parts.child[0], DOES_ADDRESS);
    }
    return 0;
}

static bool passes_reference(CXCursor function, int param)
{
    return front_is_reference(clang_getArgType(clang_getCursorType(function), (unsigned)param));
}

/* Whether the parameter is a reference to an object that the function may not write. */
static bool passes_const(CXCursor function, int param)
{
    return clang_isConstQualifiedType(clang_getNonReferenceType(
        clang_getArgType(clang_getCursorType(function), (unsigned)param)));
}

/* Evaluates a pointer that is only followed: its address is not kept. */
static void followed_pointer(struct chain_walk *walk, CXCursor pointer)
{
    CXCursor inner = front_strip_casts(walk->front, pointer);
    struct children children = front_children(walk->front, inner);

    if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf && children.count == 1) {
        chain_expr_inner(walk, children.child[0]);
    } else if (type_of(inner).kind == CXType_Pointer) {
        chain_expr(walk, inner, DOES_READ);
    } else {
        chain_expr_inner(walk, inner);
    }
}

static CXType pointed_type(CXCursor pointer)
{
    CXType type = type_of(pointer);

    return type.kind == CXType_Pointer ? clang_getPointeeType(type)
           : is_pointer_or_array(type) ? clang_getArrayElementType(type)
                                       : type;
}

/* Reads or writes the object that a pointer points to; a value of another type is only
 * evaluated. */
static void through(struct chain_walk *walk, CXCursor argument, unsigned does, const char *by)
{
    CXCursor inner = front_strip_casts(walk->front, argument);
    bool follows = is_pointer_or_array(type_of(inner));

    if (clang_getCursorKind(inner) == CXCursor_StringLiteral) {
        return;
    }
    if (!follows || front_is_null(walk->front, inner)) {
        chain_expr(walk, argument, DOES_READ);
        return;
    }
    followed_pointer(walk, argument);
    chain_touch_place(walk, host_pointee(walk->front, inner), does, pointed_type(inner), by,
                      argument);
}

/* Touches the values of the dat whose handle is passed. */
static void handle(struct chain_walk *walk, CXCursor argument, unsigned does, const char *by)
{
    struct touch touch = {.place = host_place_of(walk->front, argument),
                          .does = does,
                          .by = by,
                          .loc = front_loc(walk->front, argument)};

    chain_expr_inner(walk, argument);
    chain_touch(walk, touch);
}

/* Effect of a function on the variable that a reference parameter stands for. */
static unsigned by_reference(char letter)
{
    switch (letter) {
    case 'w':
        return DOES_WRITE;
    case 'k':
        return DOES_WRITE | DOES_DECLARE;
    case 'b':
    case 'e':
        return DOES_READ | DOES_WRITE;
    case 'a':
        return DOES_READ | DOES_ADDRESS;
    default:
        return DOES_READ;
    }
}

static void known_argument(struct chain_walk *walk, CXCursor argument, char letter, const char *by)
{
    switch (letter) {
    case 'r':
        through(walk, argument, DOES_READ, by);
        break;
    case 'w':
        through(walk, argument, DOES_WRITE, by);
        break;
    case 'k':
        through(walk, argument, DOES_WRITE | DOES_DECLARE, by);
        break;
    case 'b':
        through(walk, argument, DOES_READ | DOES_WRITE, by);
        break;
    case 'l':
        handle(walk, argument, DOES_LOOK, by);
        break;
    case 'c':
        handle(walk, argument, DOES_CHANGE, by);
        break;
    case 'e':
        handle(walk, argument, DOES_LOOK | DOES_CHANGE, by);
        break;
    default:
        chain_expr(walk, argument, DOES_READ);
        break;
    }
}

static void known_arguments(struct chain_walk *walk, CXCursor call, CXCursor function,
                            const struct known_function *known, const char *name)
{
    int count = clang_Cursor_getNumArguments(call);
    int objects = count - clang_Cursor_getNumArguments(function);
    size_t letters = strlen(known->args);

    objects = objects < 0 || clang_Cursor_isVariadic(function) ? 0 : objects;
    for (int a = 0; a < count; a++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)a);
        size_t at = (size_t)a < letters ? (size_t)a : letters - 1;
        char letter = letters > 0 ? known->args[at] : '.';

        if (a < objects) {
            chain_expr(walk, argument, by_reference(letter));
        } else if (passes_reference(function, a - objects)) {
            chain_expr(walk, argument,
                       by_reference(passes_const(function, a - objects) ? 'r' : letter));
        } else {
            known_argument(walk, argument, letter, name);
        }
    }
}

static void known_call(struct chain_walk *walk, CXCursor call, CXCursor function,
                       const struct known_function *known, const char *name)
{
    const char *outer = walk->by;

    /* What the macro op_decl_const calls is not the user's name for it. */
    name = name != NULL && strcmp(name, "cleave_parse_const") == 0 ? "op_decl_const" : name;
    walk->by = name;
    if (is_method(function) &&
        clang_Cursor_getNumArguments(call) == clang_Cursor_getNumArguments(function)) {
        struct passed object = {0};

        read_object(walk, call, function, &object);
        chain_touch_place(walk, object.object,
                          clang_CXXMethod_isConst(function) ? DOES_READ : DOES_READ | DOES_WRITE,
                          clang_getCursorType(call), name, call);
    }
    known_arguments(walk, call, function, known, name);
    walk->by = outer;
    if (known->does != 0) {
        chain_do(walk, known->does, name, call);
    }
    if (known->is_label) {
        chain_add(walk, STEP_LABEL, call, name);
    }
    if (known->leaves != NULL && walk->draft->leads_to_loops) {
        chain_add(walk, STEP_LEAVE, call, known->leaves);
    } else if (known->leaves != NULL) {
        chain_do(walk, DOES_UNKNOWN, name, call);
    }
}

/* ---- loops
 * --------------------------------------------------------------------------------------- */

/* Only some parameters of op_arg_ calls are evaluated in a compiled loop: the data, the map and,
 * before the data, whether an optional argument is given. All others are constants. */
static void loop_argument(struct chain_walk *walk, CXCursor argument, const struct loop *loop,
                          const struct arg *arg, struct draft_arg *draft)
{
    struct arg_parts parts = front_arg_parts(walk->front, argument);
    int count = clang_Cursor_isNull(parts.call) ? 0 : clang_Cursor_getNumArguments(parts.call);

    if (count == 0) {
        chain_expr(walk, argument, DOES_READ);
        chain_do(walk, DOES_UNKNOWN, "an argument that is no op_arg", argument);
        return;
    }
    for (int p = 0; p < count; p++) {
        CXCursor part = clang_Cursor_getArgument(parts.call, (unsigned)p);

        if (p == parts.data && parts.is_dat) {
            chain_expr_inner(walk, part);
            draft->data = host_place_of(walk->front, part);
            draft->has_data = arg->kind == ARG_DAT;
        } else if (p == parts.data) {
            followed_pointer(walk, part);
            draft->data = host_pointee(walk->front, part);
            draft->has_data = arg->kind == ARG_GLOBAL || arg->kind == ARG_INFO;
        } else if (p == parts.map) {
            chain_expr_inner(walk, part);
            draft->map = host_place_of(walk->front, part);
            draft->has_map = arg->is_indirect;
        } else if (p < parts.data || loop->sequential_reason != NULL) {
            chain_expr(walk, part, DOES_READ);
        }
    }
}

void chain_call_loop(struct chain_walk *walk, CXCursor call, int number)
{
    const struct loop *loop = &walk->front->program->loop[number];
    struct draft_arg *arg = arena_alloc(walk->front->arena, (size_t)loop->args * sizeof(*arg));
    CXCursor set = clang_Cursor_getArgument(call, LOOP_SET);
    struct draft_step *step;

    chain_expr(walk, clang_Cursor_getArgument(call, LOOP_KERNEL), DOES_READ);
    chain_expr_inner(walk, set);
    for (int a = 0; a < loop->args; a++) {
        loop_argument(walk, clang_Cursor_getArgument(call, (unsigned)(LOOP_ARG + a)), loop,
                      &loop->arg[a], &arg[a]);
    }
    step = chain_add(walk, STEP_LOOP, call, NULL);
    if (step == NULL) {
        chain_do(walk, DOES_UNKNOWN, "a loop", call);
        return;
    }
    step->step.loop = number;
    step->step.args = loop->args;
    step->set = host_place_of(walk->front, set);
    step->arg = arg;
}

/* ---- functions with a body
 * ----------------------------------------------------------------------- */

/* Evaluates an argument. libclang does not show all parts of a default argument, so it counts as
 * unknown code unless it is a constant. */
static void argument_expr(struct chain_walk *walk, CXCursor argument, unsigned does)
{
    unsigned long long bits;
    double value;

    if (front_is_default(argument) && !front_integer(argument, &bits) &&
        !front_number(argument, &value) && !front_is_null(walk->front, argument)) {
        chain_do(walk, DOES_UNKNOWN, "a default argument", argument);
    }
    chain_expr(walk, argument, does);
}

static struct passed read_passed(struct chain_walk *walk, CXCursor call, CXCursor function)
{
    struct passed passed = {0};
    int first = is_method(function) ? read_object(walk, call, function, &passed) : 0;
    int count = clang_Cursor_getNumArguments(call) - first;

    passed.count = count > 0 ? count : 0;
    passed.value = arena_alloc(walk->front->arena, (size_t)passed.count * sizeof(*passed.value));
    passed.pointee =
        arena_alloc(walk->front->arena, (size_t)passed.count * sizeof(*passed.pointee));
    for (int a = 0; a < passed.count; a++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)(first + a));

        passed.value[a] = host_place_of(walk->front, argument);
        passed.pointee[a] = host_pointee(walk->front, argument);
        argument_expr(walk, argument,
                      passes_reference(function, a) ? DOES_READ | DOES_ADDRESS : DOES_READ);
    }
    return passed;
}

/* Adds the effects of the callee's code on places that the caller sees. */
static void add_summary(struct chain_walk *walk, const struct draft *callee,
                        const struct passed *passed, const char *name, CXCursor call, bool on_step)
{
    for (int t = 0; t < callee->summary.count; t++) {
        struct touch touch = callee->summary.touch[t];

        if ((touch.does & DOES_NOWHERE) == 0 &&
            !chain_translate(walk->front, callee, passed, &touch.place, &touch.place)) {
            continue;
        }
        touch.by = name;
        touch.loc = front_loc(walk->front, call);
        if (on_step) {
            walk->code = walk->draft->steps - 1;
        }
        chain_touch(walk, touch);
    }
}

static void visible_call(struct chain_walk *walk, CXCursor call, struct draft *callee,
                         const char *name)
{
    struct passed passed = read_passed(walk, call, callee->function);
    struct draft_step *step = NULL;

    if (callee->has_loops) {
        step = chain_add(walk, STEP_CALL, call, name);
        if (step == NULL) {
            chain_do(walk, DOES_UNKNOWN, name, call);
        } else {
            step->callee = callee;
            step->passed = passed;
        }
    }
    add_summary(walk, callee, &passed, name, call, step != NULL);
    walk->code = step != NULL ? -1 : walk->code;
}

/* ---- calls that are not known
 * -------------------------------------------------------------------- */

static void unknown_call(struct chain_walk *walk, CXCursor call, CXCursor function,
                         const char *name)
{
    struct children children = front_children(walk->front, call);

    for (int c = 0; c < children.count; c++) {
        if (clang_isExpression(clang_getCursorKind(children.child[c]))) {
            bool by_value = c > 0 && !clang_Cursor_isNull(function) &&
                            walk->front->program->language == LANGUAGE_C;

            chain_expr(walk, children.child[c], by_value ? DOES_READ : DOES_READ | DOES_ADDRESS);
        }
    }
    chain_do(walk, DOES_UNKNOWN, name, call);
}

/* A constructor call. A record that C could have is copied member by member. */
static void construct(struct chain_walk *walk, CXCursor call, CXCursor constructor)
{
    CXType type = type_of(call);
    const struct known_function *known =
        chain_known(walk->front, constructor, front_spelling(walk->front, constructor));

    if (type.kind == CXType_Record && clang_isPODType(type)) {
        known_call(walk, call, constructor, &(struct known_function){.args = "."}, NULL);
    } else if (known != NULL) {
        known_call(walk, call, constructor, known, NULL);
    } else {
        unknown_call(walk, call, constructor, "a constructor");
    }
}

/* a = b for records that C could have. */
static bool assigns_record(struct chain_walk *walk, CXCursor call, CXCursor function)
{
    CXCursor record = clang_getCursorSemanticParent(function);

    if (clang_getCursorKind(function) != CXCursor_CXXMethod ||
        strcmp(front_spelling(walk->front, function), "operator=") != 0 ||
        clang_Cursor_getNumArguments(call) != 2 || !clang_isPODType(clang_getCursorType(record))) {
        return false;
    }
    chain_expr(walk, clang_Cursor_getArgument(call, 1), DOES_READ);
    chain_expr(walk, clang_Cursor_getArgument(call, 0), DOES_WRITE);
    return true;
}

static bool is_function(CXCursor referenced)
{
    switch (clang_getCursorKind(referenced)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
        return true;
    default:
        return false;
    }
}

void chain_call(struct chain_walk *walk, CXCursor call, unsigned does)
{
    CXCursor referenced = clang_getCursorReferenced(call);
    const char *name = front_spelling(walk->front, referenced);
    int loop = strcmp(name, "cleave_parse_loop") == 0 ? chain_loop_of(walk, call) : -1;
    const struct known_function *known;
    struct draft *callee;
    CXCursor object;
    CXCursor subscript;

    if (host_element(walk->front, call, &object, &subscript)) {
        chain_expr_inner(walk, call);
        chain_touch_place(walk, host_place_of(walk->front, call), does, clang_getCursorType(call),
                          NULL, call);
        return;
    }
    if (front_is_reference(clang_getCursorResultType(referenced)) &&
        (does & ~(unsigned)DOES_READ)) {
        chain_touch_place(walk, host_somewhere(), does, clang_getCursorType(call), name, call);
    }
    if (loop >= 0) {
        chain_call_loop(walk, call, loop);
        return;
    }
    if (clang_getCursorKind(referenced) == CXCursor_Constructor) {
        construct(walk, call, referenced);
        return;
    }
    if (!is_function(referenced)) {
        unknown_call(walk, call, referenced, "a call through a pointer");
        return;
    }
    if (assigns_record(walk, call, referenced)) {
        return;
    }
    known = chain_known(walk->front, referenced, name);
    if (known != NULL) {
        known_call(walk, call, referenced, known, name);
        return;
    }
    callee = clang_CXXMethod_isVirtual(referenced) ? NULL : chain_callee(walk, referenced);
    if (callee != NULL) {
        visible_call(walk, call, callee, name);
    } else {
        unknown_call(walk, call, referenced, name);
    }
}
