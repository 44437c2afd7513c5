/* plain.c: nothing of OP2 in it; valid C11 and C++17. */
#include <stdio.h>

int main(void)
{
    printf("plain " __FILE__ "\n");
    return 0;
}
