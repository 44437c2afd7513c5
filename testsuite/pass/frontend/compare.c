/* compare.c: runs every kernel as written and as printed on the same inputs; the results must agree
 * bit for bit. */
#include <stdio.h>
#include <string.h>

#include "kernels.h"

struct data {
    double a[4];
    int n[4];
    double b[8];
    int m[8];
};

static void fill(struct data *data, int round)
{
    for (int i = 0; i < 4; i++) {
        data->a[i] = (i + 1) * 1.37 - round * (i % 2 ? 0.91 : -0.53);
        data->n[i] = (round * 7 + i * 3) % 9 - (i == 2 ? 2 : 0);
    }
    for (int i = 0; i < 8; i++) {
        data->b[i] = 0.1 * i - round;
        data->m[i] = i * 13 + round;
    }
}

static const struct kernel_entry *find(const struct kernel_entry *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->name != NULL ? list : NULL;
}

static int differs(const struct kernel_entry *one, const struct kernel_entry *other, int round)
{
    struct data x;
    struct data y;

    memset(&x, 0, sizeof(x));
    memset(&y, 0, sizeof(y));
    fill(&x, round);
    fill(&y, round);
    one->function(x.a, x.n, x.b, x.m);
    other->function(y.a, y.n, y.b, y.m);
    if (memcmp(&x, &y, sizeof(x)) == 0) {
        return 0;
    }
    for (int i = 0; i < 8; i++) {
        if (memcmp(&x.b[i], &y.b[i], sizeof(double)) != 0) {
            fprintf(stderr, "%s, round %d: b[%d] is %a, was %a\n", one->name, round, i, y.b[i],
                    x.b[i]);
        }
        if (x.m[i] != y.m[i]) {
            fprintf(stderr, "%s, round %d: m[%d] is %d, was %d\n", one->name, round, i, y.m[i],
                    x.m[i]);
        }
    }
    return 1;
}

int main(void)
{
    int failed = 0;
    int count = 0;

    for (const struct kernel_entry *one = written; one->name != NULL; one++) {
        const struct kernel_entry *other = find(printed, one->name);

        if (other == NULL) {
            fprintf(stderr, "%s was not printed\n", one->name);
            failed++;
            continue;
        }
        for (int round = 0; round < 12; round++) {
            failed += differs(one, other, round);
            count++;
        }
    }
    printf("%d comparisons, %d failed\n", count, failed);
    return failed != 0;
}
