/* kept_group.c: in which way the loops of a group are fastest, in the store: a line of text. The
 * key has the version of cleave; FORMAT is this text's. */
#include "runtime/tune/turns.h"

#define FORMAT "cleave group 2\n%d\n"

struct store_key cleave_tune_group_key(const char *kernel, const char *signature, int members,
                                       struct cleave_call *const *call,
                                       const struct cleave_choice *const *choice)
{
    struct store_key key = {{0, 0}};
    cleave_store_hash(&key, kernel, strlen(kernel) + 1);
    cleave_store_hash(&key, signature, strlen(signature) + 1);
    for (int m = 0; m < members; m++) {
        const struct store_key own = cleave_tune_key(call[m], choice[m]);
        const char *variant = choice[m]->variant->name;
        cleave_store_hash(&key, own.word, sizeof own.word);
        cleave_store_hash(&key, variant, strlen(variant) + 1);
        cleave_store_hash(&key, &choice[m]->block_size, sizeof choice[m]->block_size);
    }
    return key;
}

int cleave_tune_group_read(const struct store_key *key, int *way)
{
    size_t bytes;
    char *text = cleave_store_read(CLEAVE_KEPT_TUNED, key, &bytes);
    const int is_known =
        text != NULL && bytes > 0 && text[bytes - 1] == '\0' && sscanf(text, FORMAT, way) == 1;
    free(text);
    return is_known;
}

void cleave_tune_group_keep(const struct store_key *key, int way)
{
    char text[sizeof FORMAT + 16];
    const int length = snprintf(text, sizeof text, FORMAT, way);
    cleave_store_write(CLEAVE_KEPT_TUNED, key, text, (size_t)length + 1);
}
