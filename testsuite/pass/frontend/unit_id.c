/* unit_id.c: equal contents have equal ids, others do not. */
#include "pass/frontend/pass.h"

#include "check.h"

static void id_of(char id[17], const char *first, const char *second)
{
    const struct pass_text text[] = {{first, strlen(first)}, {second, strlen(second)}};

    pass_unit_id(id, text, 2);
}

int main(void)
{
    char first[17];
    char second[17];

    id_of(first, "int main", "(void)");
    id_of(second, "int main", "(void)");
    CHECK_TEXT(second, first);
    CHECK(strlen(first) == 16 && strspn(first, "0123456789abcdef") == 16);
    id_of(second, "int main(", "void)");
    CHECK(strcmp(first, second) != 0);
    id_of(second, "(void)", "int main");
    CHECK(strcmp(first, second) != 0);
    id_of(second, "int main(void)", "");
    CHECK(strcmp(first, second) != 0);
    pass_unit_id(second, NULL, 0);
    CHECK(strlen(second) == 16 && strcmp(first, second) != 0);
    return CHECK_RESULT();
}
