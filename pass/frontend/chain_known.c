/* chain_known.c: what library functions do to the variables of a program, by their names.
 *
 * In: a function without a body that the front end could walk. Out: a row that says what it does,
 * or nothing: then it may do anything. A row may claim too much, never too little. Functions that
 * call functions of the user's (qsort, std::for_each) or wait for other threads have no row.
 */
#include "pass/frontend/chain.h"

#include <string.h>

/* OP2's interface. op_arg_ functions outside of a loop keep the address; inside, chain_call.c reads
 * them. */
static const struct known_function op2[] = {
    {"op_arg_dat", "aaaaaa", 0, NULL, false},
    {"op_opt_arg_dat", "aaaaaaa", 0, NULL, false},
    {"op_arg_gbl", "aaaa", 0, NULL, false},
    {"op_opt_arg_gbl", "aaaaa", 0, NULL, false},
    {"op_arg_idx", "..", 0, NULL, false},
    {"cleave_parse_const", "r.rk", 0, NULL, false},
    {"op_init", ".r.", 0, NULL, false},
    {"op_init_soa", ".r..", 0, NULL, false},
    {"op_exit", "", DOES_LOOK_ALL, NULL, false},
    {"op_decl_set", ".r", 0, NULL, false},
    {"op_decl_map", "...rr", 0, NULL, false},
    {"op_decl_map_long", "...rr", 0, NULL, false},
    {"op_decl_dat", "..rrr", 0, NULL, false},
    {"op_decl_dat_char", "..r.rr", 0, NULL, false},
    {"op_decl_dat_temp", "..r.r", 0, NULL, false},
    {"op_decl_dat_temp_char", "..r.r", 0, NULL, false},
    {"op_decl_dat_overlay", ".e", 0, NULL, false},
    {"op_free_dat_temp", "e", 0, NULL, false},
    {"op_free_dat_temp_char", "e", 0, NULL, false},
    {"op_decl_const_char", ".r.kr", 0, NULL, false},
    {"op_get_size", ".", 0, NULL, false},
    {"op_get_global_set_offset", ".", 0, NULL, false},
    {"op_size_of_set", "r", 0, NULL, false},
    {"op_fetch_data", "lw", 0, NULL, false},
    {"op_fetch_data_char", "lw", 0, NULL, false},
    {"op_fetch_data_idx", "lw..", 0, NULL, false},
    {"op_fetch_data_idx_char", "lw..", 0, NULL, false},
    {"op_get_data", "l", 0, NULL, false},
    {"op_put_data", "c", 0, NULL, false},
    {"op_download_dat", "l", 0, NULL, false},
    {"op_upload_dat", "c", 0, NULL, false},
    {"op_fetch_data_file_char", "l", 0, NULL, false},
    {"op_dump_dat", "l", 0, NULL, false},
    {"op_print_dat_to_txtfile", "lr", 0, NULL, false},
    {"op_print_dat_to_binfile", "lr", 0, NULL, false},
    {"op_fetch_data_hdf5_file", "lr", 0, NULL, false},
    {"op_dump_to_hdf5", "r", DOES_LOOK_ALL, NULL, false},
    {"op_decl_set_hdf5", "rr", 0, NULL, false},
    {"op_decl_map_hdf5", "...rr", 0, NULL, false},
    {"op_decl_dat_hdf5", "..rrr", 0, NULL, false},
    {"op_get_const_hdf5", "r.rwr", 0, NULL, false},
    {"op_partition", "rr...", DOES_ORDER, NULL, false},
    {"op_renumber", ".", DOES_ORDER, NULL, false},
    {"op_disable_device_execution", ".", DOES_ORDER, NULL, false},
    {"op_printf", "r", 0, NULL, false},
    {"op_print", "r", 0, NULL, false},
    {"op_is_root", "", 0, NULL, false},
    {"op_rank", "w", 0, NULL, false},
    {"op_malloc", ".", 0, NULL, false},
    {"op_calloc", "..", 0, NULL, false},
    {"op_realloc", "..", 0, NULL, false},
    {"op_free", ".", 0, NULL, false},
    {"op_timers", "w", DOES_CLOCK, NULL, false},
    {"op_timers_core", "w", DOES_CLOCK, NULL, false},
    {"op_timing_output", "", DOES_CLOCK, NULL, false},
    {"op_timing_output_2_file", "r", DOES_CLOCK, NULL, false},
    {"op_timings_to_csv", "r", DOES_CLOCK, NULL, false},
    {"op_diagnostic_output", "", DOES_CLOCK, NULL, false},
    {"op_profile_start", "r", DOES_CLOCK, NULL, false},
    {"op_profile_enter", "r", DOES_CLOCK, NULL, false},
    {"op_profile_enter_kernel", "r", DOES_CLOCK, NULL, false},
    {"op_profile_next", "r", DOES_CLOCK, NULL, false},
    {"op_profile_exit", "", DOES_CLOCK, NULL, false},
    {"op_profile_end", "", DOES_CLOCK, NULL, false},
    {"op_profile_finish", "", DOES_CLOCK, NULL, false},
    {"op_profile_output", "", DOES_CLOCK, NULL, false},
    {"op_compute_moment", ".w", 0, NULL, false},
    {"op_compute_moment_across_times", "r..w", 0, NULL, false},
};

/* C's library and what stands beside it. */
static const struct known_function c_library[] = {
    {"printf", "r", 0, NULL, false},
    {"puts", "r", 0, NULL, false},
    {"putchar", ".", 0, NULL, false},
    {"perror", "r", 0, NULL, false},
    {"fprintf", ".r", 0, NULL, false},
    {"fputs", "r.", 0, NULL, false},
    {"fputc", "..", 0, NULL, false},
    {"fopen", "rr", 0, NULL, false},
    {"fclose", ".", 0, NULL, false},
    {"fflush", ".", 0, NULL, false},
    {"feof", ".", 0, NULL, false},
    {"fread", "w...", 0, NULL, false},
    {"fwrite", "r...", 0, NULL, false},
    {"fgets", "w..", 0, NULL, false},
    {"fscanf", ".w", 0, NULL, false},
    {"scanf", "rw", 0, NULL, false},
    {"sscanf", "rrw", 0, NULL, false},
    {"sprintf", "wr", 0, NULL, false},
    {"snprintf", "w.r", 0, NULL, false},
    {"malloc", ".", 0, NULL, false},
    {"calloc", "..", 0, NULL, false},
    {"realloc", "..", 0, NULL, false},
    {"free", ".", 0, NULL, false},
    {"memcpy", "wr.", 0, NULL, false},
    {"memmove", "wr.", 0, NULL, false},
    {"memset", "w..", 0, NULL, false},
    {"memcmp", "rr.", 0, NULL, false},
    {"strcmp", "rr", 0, NULL, false},
    {"strncmp", "rr.", 0, NULL, false},
    {"strlen", "r", 0, NULL, false},
    {"strcpy", "wr", 0, NULL, false},
    {"atoi", "r", 0, NULL, false},
    {"atol", "r", 0, NULL, false},
    {"atof", "r", 0, NULL, false},
    {"getenv", "r", 0, NULL, false},
    {"abs", ".", 0, NULL, false},
    {"labs", ".", 0, NULL, false},
    {"fabs", ".", 0, NULL, false},
    {"rand", "", 0, NULL, false},
    {"srand", ".", 0, NULL, false},
    {"time", "w", DOES_CLOCK, NULL, false},
    {"clock", "", DOES_CLOCK, NULL, false},
    {"gettimeofday", "w", DOES_CLOCK, NULL, false},
    {"clock_gettime", ".w", DOES_CLOCK, NULL, false},
    {"omp_get_wtime", "", DOES_CLOCK, NULL, false},
    {"omp_get_max_threads", "", 0, NULL, false},
    {"omp_get_thread_num", "", 0, NULL, false},
    {"exit", ".", DOES_UNKNOWN, "exit", false},
    {"_Exit", ".", 0, "exit", false},
    {"abort", "", 0, "abort", false},
    {"__assert_fail", "rr.r", 0, "abort", false},
    {"__builtin_unreachable", "", 0, "abort", false},
    {"longjmp", "..", 0, "longjmp", false},
    {"siglongjmp", "..", 0, "longjmp", false},
    {"_longjmp", "..", 0, "longjmp", false},
    {"setjmp", "a", 0, NULL, true},
    {"_setjmp", "a", 0, NULL, true},
    {"sigsetjmp", "a.", 0, NULL, true},
    {"__sigsetjmp", "a.", 0, NULL, true},
    {"expect", "..", 0, NULL, false}, /* __builtin_ */
};

/* Functions in namespace std, and operators there. Their parameters may be references. */
static const struct known_function cxx_library[] = {
    {"operator<<", ".r", 0, NULL, false}, {"endl", "r", 0, NULL, false},
    {"flush", "r", 0, NULL, false},       {"setprecision", ".", 0, NULL, false},
    {"setw", ".", 0, NULL, false},        {"scientific", "r", 0, NULL, false},
    {"fixed", "r", 0, NULL, false},       {"min", "r", 0, NULL, false},
    {"max", "r", 0, NULL, false},         {"abs", ".", 0, NULL, false},
    {"to_string", ".", 0, NULL, false},   {"swap", "b", 0, NULL, false},
};

/* Classes whose members touch nothing but the object and their arguments; of streams, nothing that
 * a loop could name. */
static const char *const cxx_stream[] = {"basic_ostream", "basic_ostringstream", "basic_ios",
                                         "ios_base"};
static const char *const cxx_class[] = {"basic_string", "vector",     "array", "complex",
                                        "duration",     "time_point", "pair",  "__normal_iterator"};

static const struct known_function of_stream = {"", "r", 0, NULL, false};
static const struct known_function of_class = {"", "b", 0, NULL, false};
static const struct known_function arithmetic = {"", ".", 0, NULL, false};

static const struct known_function *find(const struct known_function *row, size_t rows,
                                         const char *name)
{
    for (size_t r = 0; r < rows; r++) {
        if (strcmp(row[r].name, name) == 0) {
            return &row[r];
        }
    }
    return NULL;
}

/* With an argument that is no number, sincos and its kind write through a pointer. */
static bool is_arithmetic(CXCursor function)
{
    int count = clang_Cursor_getNumArguments(function);

    for (int a = 0; a < count; a++) {
        CXType type =
            clang_getCanonicalType(clang_getArgType(clang_getCursorType(function), (unsigned)a));

        if (type.kind < CXType_Bool || type.kind > CXType_LongDouble) {
            return false;
        }
    }
    return count > 0;
}

/* Arguments of a template that are classes of the user's have code of their own. */
static bool holds_users(CXType type)
{
    int count = clang_Type_getNumTemplateArguments(type);

    for (int a = 0; a < count; a++) {
        CXType part =
            clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, (unsigned)a));

        if (part.kind == CXType_Record && !clang_isPODType(part) &&
            !front_in_system(clang_getTypeDeclaration(part))) {
            return true;
        }
    }
    return false;
}

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        if (strcmp(list[n], name) == 0) {
            return true;
        }
    }
    return false;
}

static const struct known_function *in_class(struct front *front, CXCursor record)
{
    const char *name = front_spelling(front, record);

    if (is_one_of(name, cxx_stream, sizeof(cxx_stream) / sizeof(cxx_stream[0]))) {
        return &of_stream;
    }
    return is_one_of(name, cxx_class, sizeof(cxx_class) / sizeof(cxx_class[0])) &&
                   !holds_users(clang_getCursorType(record))
               ? &of_class
               : NULL;
}

/* The row of a library function: found by its C name, by its name in std, or because it computes a
 * number from numbers alone. */
static const struct known_function *in_library(struct front *front, CXCursor function,
                                               const char *name)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    const struct known_function *known;

    switch (clang_getCursorKind(parent)) {
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
        return in_class(front, parent);
    case CXCursor_Namespace:
        known = find(cxx_library, sizeof(cxx_library) / sizeof(cxx_library[0]), name);
        if (known != NULL) {
            return known;
        }
        break;
    default:
        break;
    }
    if (strncmp(name, "__builtin_", 10) == 0) {
        name = strcmp(name, "__builtin_unreachable") == 0 ? name : name + 10;
    }
    known = find(c_library, sizeof(c_library) / sizeof(c_library[0]), name);
    if (known == NULL && is_arithmetic(function) &&
        math_name(front, name, front_basic(front, TYPE_DOUBLE, false),
                  clang_Cursor_getNumArguments(function)) != NULL) {
        known = &arithmetic;
    }
    return known;
}

const struct known_function *chain_known(struct front *front, CXCursor referenced, const char *name)
{
    const struct known_function *known = find(op2, sizeof(op2) / sizeof(op2[0]), name);

    if (known != NULL && clang_getCursorKind(referenced) == CXCursor_FunctionDecl) {
        return known;
    }
    return front_in_system(referenced) || front_is_builtin(front, referenced)
               ? in_library(front, referenced, name)
               : NULL;
}
