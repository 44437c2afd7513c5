/* chain_stmt.c: statements of host code to steps.
 *
 * In: a statement of a function body. Out: steps on walk->draft. Control that the front end does
 * not know (OpenMP regions, what libclang has no cursor for) is a repetition of unknown code with
 * all that is inside: any number of times, in an order that the text may not show.
 */
#include "pass/frontend/chain.h"

#include <string.h>

/* ---- what has no known form
 * ---------------------------------------------------------------------- */

/* Whether a step of one of these kinds is open around the step at hand. */
static bool is_inside(const struct chain_walk *walk, enum step_kind kind, enum step_kind other)
{
    for (int s = walk->around; s >= 0; s = walk->draft->step[s].step.parent) {
        if (walk->draft->step[s].step.kind == kind || walk->draft->step[s].step.kind == other) {
            return true;
        }
    }
    return false;
}

static bool has_jump(const struct draft *draft, int from, enum step_kind jump)
{
    for (int s = from; s < draft->steps; s++) {
        if (draft->step[s].step.kind == jump) {
            return true;
        }
    }
    return false;
}

/* A jump that may be taken. */
static void optional_jump(struct chain_walk *walk, enum step_kind jump, CXCursor where)
{
    int choice = chain_begin(walk, STEP_CHOICE, where, "if");
    int branch = chain_begin(walk, STEP_BRANCH, where, NULL);

    chain_add(walk, jump, where, NULL);
    chain_end(walk, branch);
    chain_end(walk, choice);
}

/* A break or a continue inside may be one of the repetition around the statement: then it may come
 * to that behind it. */
static void unknown_control(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    int step = chain_begin(walk, STEP_REPEAT, statement, "control that is not known");
    bool outer = walk->continues;
    bool breaks;
    bool continues;

    walk->continues = false;
    chain_do(walk, DOES_UNKNOWN, "control that is not known", statement);
    for (int c = 0; c < children.count; c++) {
        chain_stmt(walk, children.child[c]);
    }
    continues = walk->continues && step >= 0;
    breaks = step >= 0 && has_jump(walk->draft, step, STEP_BREAK);
    if (continues) {
        chain_add(walk, STEP_NEXT, statement, NULL);
    }
    chain_end(walk, step);
    if (breaks && is_inside(walk, STEP_REPEAT, STEP_SWITCH)) {
        optional_jump(walk, STEP_BREAK, statement);
    }
    walk->continues = outer;
    if (continues && is_inside(walk, STEP_REPEAT, STEP_REPEAT)) {
        optional_jump(walk, STEP_CONTINUE, statement);
        walk->continues = true;
    }
}

/* The text of a statement up to its part `child`, such as "switch (n = 2; "; NULL: not known, as
 * inside of a macro. */
static const char *text_before(struct front *front, CXCursor statement, CXCursor child)
{
    CXSourceLocation from = clang_getRangeStart(clang_getCursorExtent(statement));
    CXSourceLocation to = clang_getRangeStart(clang_getCursorExtent(child));
    CXFile file;
    CXFile other;
    unsigned first;
    unsigned last;
    size_t size = 0;
    const char *contents;

    clang_getFileLocation(from, &file, NULL, NULL, &first);
    clang_getFileLocation(to, &other, NULL, NULL, &last);
    contents = file != NULL ? clang_getFileContents(front->unit, file, &size) : NULL;
    if (contents == NULL || !clang_File_isEqual(file, other) || last <= first || last > size) {
        return NULL;
    }
    return arena_text_part(front->arena, contents + first, last - first);
}

/* Whether nothing stands between the keyword and the part. */
static bool comes_first(struct chain_walk *walk, CXCursor statement, CXCursor part)
{
    const char *text = walk->front->program->language == LANGUAGE_C
                           ? ""
                           : text_before(walk->front, statement, part);

    return text != NULL && strchr(text, ';') == NULL;
}

/* ---- declarations
 * -------------------------------------------------------------------------------- */

static void declare_variable(struct chain_walk *walk, CXCursor variable)
{
    struct children children = front_children(walk->front, variable);
    CXType type = clang_getCursorType(variable);
    bool is_reference = front_is_reference(type);
    bool has_value = false;

    for (int c = 0; c < children.count; c++) {
        if (clang_isExpression(clang_getCursorKind(children.child[c]))) {
            chain_expr(walk, children.child[c],
                       is_reference ? DOES_READ | DOES_ADDRESS : DOES_READ);
            has_value = true;
        }
    }
    if (has_value && !is_reference) {
        struct host_place place = {
            .kind = PLACE_VARIABLE, .base = clang_getCanonicalCursor(variable), .path = ""};

        chain_touch_place(walk, place, DOES_WRITE, type, NULL, variable);
    }
}

static void declare(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);

    for (int c = 0; c < children.count; c++) {
        enum CXCursorKind kind = clang_getCursorKind(children.child[c]);

        if (kind == CXCursor_VarDecl) {
            declare_variable(walk, children.child[c]);
        } else if (clang_isExpression(kind)) {
            chain_expr(walk, children.child[c], DOES_READ);
        } else if (kind == CXCursor_UnexposedDecl) { /* auto [a, b] = ... */
            chain_do(walk, DOES_UNKNOWN, "a structured binding", children.child[c]);
        }
    }
}

/* A class of the user's, whose destructor runs at the end of the block. */
static bool has_destructor(CXCursor variable)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));

    while (type.kind == CXType_ConstantArray) {
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    }
    return type.kind == CXType_Record && !clang_isPODType(type) &&
           !front_in_system(clang_getTypeDeclaration(type));
}

static bool declares_destructor(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);

    for (int c = 0; c < children.count; c++) {
        if (clang_getCursorKind(children.child[c]) == CXCursor_VarDecl &&
            has_destructor(children.child[c])) {
            return true;
        }
    }
    return false;
}

static void block(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    bool destroys = false;

    for (int c = 0; c < children.count; c++) {
        chain_stmt(walk, children.child[c]);
        destroys = destroys || (walk->front->program->language == LANGUAGE_CXX &&
                                clang_getCursorKind(children.child[c]) == CXCursor_DeclStmt &&
                                declares_destructor(walk, children.child[c]));
    }
    if (destroys) {
        walk->loc = (struct loc){NULL, 0, 0};
        chain_do(walk, DOES_UNKNOWN, "a destructor", statement);
        walk->code = -1;
    }
}

/* ---- choices
 * ------------------------------------------------------------------------------------- */

static void branch(struct chain_walk *walk, CXCursor statement)
{
    int step = chain_begin(walk, STEP_BRANCH, statement, NULL);

    chain_stmt(walk, statement);
    chain_end(walk, step);
}

static bool is_declaration(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_DeclStmt ||
           clang_getCursorKind(cursor) == CXCursor_VarDecl;
}

static void if_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    int first = 0;
    int step;

    while (first < children.count && is_declaration(children.child[first])) {
        chain_stmt(walk, children.child[first++]); /* if (start; ...) or if (type name = value) */
    }
    if (children.count - first < 2 || children.count - first > 3 ||
        (first == 0 && children.count == 3 &&
         !comes_first(walk, statement, children.child[first]))) {
        unknown_control(walk, statement);
        return;
    }
    chain_expr(walk, children.child[first], DOES_READ);
    step = chain_begin(walk, STEP_CHOICE, statement, "if");
    if (step >= 0) {
        walk->draft->step[step].step.always = children.count - first == 3;
    }
    for (int c = first + 1; c < children.count; c++) {
        branch(walk, children.child[c]);
    }
    chain_end(walk, step);
}

static bool is_case(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_CaseStmt ||
           clang_getCursorKind(cursor) == CXCursor_DefaultStmt;
}

/* The statement that a case labels, through further cases; *is_default is set where one is default.
 */
static CXCursor labelled(struct front *front, CXCursor label, bool *is_default)
{
    while (is_case(label)) {
        struct children children = front_children(front, label);

        *is_default = *is_default || clang_getCursorKind(label) == CXCursor_DefaultStmt;
        label = children.count > 0 ? children.child[children.count - 1] : clang_getNullCursor();
    }
    return label;
}

static bool switch_body(struct chain_walk *walk, CXCursor body)
{
    struct children children = front_children(walk->front, body);
    bool has_default = false;
    int step = -1;

    for (int c = 0; c < children.count; c++) {
        CXCursor statement = children.child[c];

        if (is_case(statement) || c == 0) {
            chain_end(walk, step);
            step = chain_begin(walk, STEP_BRANCH, statement, NULL);
        }
        statement = labelled(walk->front, statement, &has_default);
        if (!clang_Cursor_isNull(statement)) {
            chain_stmt(walk, statement);
        }
    }
    chain_end(walk, step);
    return has_default;
}

static void switch_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    int last = children.count - 1;
    bool always;
    int step;

    if (children.count < 2 || clang_getCursorKind(children.child[last]) != CXCursor_CompoundStmt ||
        !comes_first(walk, statement, children.child[0])) {
        unknown_control(walk, statement);
        return;
    }
    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children.child[c]);
    }
    step = chain_begin(walk, STEP_SWITCH, statement, "switch");
    always = switch_body(walk, children.child[last]);
    if (step >= 0) {
        walk->draft->step[step].step.always = always;
    }
    chain_end(walk, step);
}

/* The handlers of exceptions: control comes to them from anywhere in the block. */
static void try_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    int step = -1;

    for (int c = 0; c < children.count; c++) {
        struct children parts;
        int inner;

        if (clang_getCursorKind(children.child[c]) != CXCursor_CXXCatchStmt) {
            chain_stmt(walk, children.child[c]);
            continue;
        }
        parts = front_children(walk->front, children.child[c]);
        step = step < 0 ? chain_begin(walk, STEP_CHOICE, children.child[c], "catch") : step;
        inner = chain_begin(walk, STEP_BRANCH, children.child[c], NULL);
        chain_add(walk, STEP_LABEL, children.child[c], "catch");
        if (parts.count > 0) {
            chain_stmt(walk, parts.child[parts.count - 1]);
        }
        chain_end(walk, inner);
    }
    chain_end(walk, step);
}

/* ---- jumps
 * --------------------------------------------------------------------------------------- */

static void return_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);

    for (int c = 0; c < children.count; c++) {
        chain_expr(walk, children.child[c], DOES_READ);
    }
    chain_add(walk, STEP_LEAVE, statement, "return");
}

static void label_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);

    chain_add(walk, STEP_LABEL, statement, front_spelling(walk->front, statement));
    for (int c = 0; c < children.count; c++) {
        chain_stmt(walk, children.child[c]);
    }
}

static void goto_statement(struct chain_walk *walk, CXCursor statement)
{
    struct children children = front_children(walk->front, statement);
    bool is_computed = clang_getCursorKind(statement) == CXCursor_IndirectGotoStmt;

    for (int c = 0; is_computed && c < children.count; c++) {
        chain_expr(walk, children.child[c], DOES_READ);
    }
    chain_add(walk, STEP_GOTO, statement,
              !is_computed && children.count == 1 ? front_spelling(walk->front, children.child[0])
                                                  : "*");
}

/* A case that is nested in another statement of its switch: the switch may jump to it. */
static void inner_case(struct chain_walk *walk, CXCursor statement)
{
    bool is_default = false;
    CXCursor inner = labelled(walk->front, statement, &is_default);

    chain_add(walk, STEP_LABEL, statement, "case");
    if (!clang_Cursor_isNull(inner)) {
        chain_stmt(walk, inner);
    }
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

static void other_statement(struct chain_walk *walk, CXCursor statement)
{
    enum CXCursorKind kind = clang_getCursorKind(statement);
    struct children children;

    if (clang_isExpression(kind)) {
        chain_expr(walk, statement, DOES_READ);
        return;
    }
    children = front_children(walk->front, statement);
    if (kind == CXCursor_UnexposedStmt && children.count == 1) { /* with an attribute */
        chain_stmt(walk, children.child[0]);
    } else if (clang_isStatement(kind)) {
        unknown_control(walk, statement);
    }
}

static void any_statement(struct chain_walk *walk, CXCursor statement)
{
    switch (clang_getCursorKind(statement)) {
    case CXCursor_IfStmt:
        if_statement(walk, statement);
        break;
    case CXCursor_SwitchStmt:
        switch_statement(walk, statement);
        break;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
        chain_repeat(walk, statement);
        break;
    case CXCursor_CXXTryStmt:
        try_statement(walk, statement);
        break;
    case CXCursor_ReturnStmt:
        return_statement(walk, statement);
        break;
    case CXCursor_BreakStmt:
        chain_add(walk, STEP_BREAK, statement, NULL);
        break;
    case CXCursor_ContinueStmt:
        walk->continues = true;
        chain_add(walk, STEP_CONTINUE, statement, NULL);
        break;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        goto_statement(walk, statement);
        break;
    case CXCursor_LabelStmt:
        label_statement(walk, statement);
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        inner_case(walk, statement);
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        chain_do(walk, DOES_UNKNOWN, "asm", statement);
        break;
    default:
        other_statement(walk, statement);
        break;
    }
}

void chain_stmt(struct chain_walk *walk, CXCursor statement)
{
    switch (clang_getCursorKind(statement)) {
    case CXCursor_CompoundStmt:
        block(walk, statement);
        return;
    case CXCursor_NullStmt:
        return;
    default:
        break;
    }
    walk->code = -1;
    walk->loc = front_loc(walk->front, statement);
    if (clang_getCursorKind(statement) == CXCursor_DeclStmt) {
        declare(walk, statement);
    } else if (clang_getCursorKind(statement) == CXCursor_VarDecl) {
        declare_variable(walk, statement);
    } else {
        any_statement(walk, statement);
    }
    walk->code = -1;
}
