/* cxx_keyword.c: the words that C++ reserves and C11 leaves to the user. Text made from a C program
 * is also compiled as CUDA, where such a name has to be another (codegen/names.c) or the text to be
 * refused (clang/portable.c). */
#include "pass/ir/loop_ir.h"

#include <string.h>

static const char *const keyword[] = {
    "alignas",      "and",         "and_eq",     "bitand",    "bitor",     "catch",
    "char16_t",     "char32_t",    "class",      "co_await",  "co_return", "co_yield",
    "compl",        "concept",     "const_cast", "constexpr", "decltype",  "delete",
    "dynamic_cast", "explicit",    "export",     "friend",    "mutable",   "namespace",
    "new",          "noexcept",    "not",        "not_eq",    "nullptr",   "operator",
    "or",           "or_eq",       "private",    "protected", "public",    "reinterpret_cast",
    "requires",     "static_cast", "template",   "this",      "throw",     "try",
    "typeid",       "typename",    "using",      "virtual",   "xor",       "xor_eq",
};

bool is_cxx_keyword(const char *word, size_t length)
{
    for (size_t k = 0; k < sizeof(keyword) / sizeof(keyword[0]); k++) {
        if (strlen(keyword[k]) == length && memcmp(keyword[k], word, length) == 0) {
            return true;
        }
    }
    return false;
}
