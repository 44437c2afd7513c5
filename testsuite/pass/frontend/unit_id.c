/* unit_id.c: equal builds have equal ids, others do not. */
#include "pass/pass.h"

#include "check.h"

int main(void)
{
    static const char *const one[] = {"-DA", "-O2"};
    static const char *const joined[] = {"-DA-O2"};
    char first[17];
    char second[17];

    pass_unit_id(first, "a.c", 2, one, "a.o");
    pass_unit_id(second, "a.c", 2, one, "a.o");
    CHECK_TEXT(second, first);
    CHECK(strlen(first) == 16 && strspn(first, "0123456789abcdef") == 16);
    pass_unit_id(second, "a.c", 1, joined, "a.o");
    CHECK(strcmp(first, second) != 0);
    pass_unit_id(second, "a.c", 2, one, "b.o");
    CHECK(strcmp(first, second) != 0);
    pass_unit_id(second, "b.c", 2, one, "a.o");
    CHECK(strcmp(first, second) != 0);
    pass_unit_id(second, "a.c", 0, NULL, NULL);
    CHECK(strcmp(first, second) != 0);
    return CHECK_RESULT();
}
