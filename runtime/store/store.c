/* store.c: the store of a program, as its settings have it. */
#include "runtime/store/store.h"

/* Prints each note once, but every file that is refused. */
static void take_note(enum cleave_store_note about, const char *text)
{
    static int told[STORE_NOTES];
    if (about == STORE_NOTE_REFUSED || !__atomic_exchange_n(&told[about], 1, __ATOMIC_RELAXED)) {
        cleave_note("%s", text);
    }
}

struct cleave_store cleave_store(void)
{
    return (struct cleave_store){.folder = cleave_settings.cache_folder,
                                 .bytes = cleave_settings.cache_bytes,
                                 .note = take_note};
}

void cleave_store_need(void)
{
    static int told;
    if (!cleave_settings.cache_off && cleave_settings.cache_folder == NULL &&
        !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED)) {
        cleave_note("no folder to keep plans and other files in (HOME is not set): they are made "
                    "again in every run; set CLEAVE_PLAN_CACHE to a folder, or to off");
    }
}

void *cleave_store_read(enum cleave_kind kind, const struct store_key *key, size_t *bytes)
{
    const struct cleave_store store = cleave_store();
    struct cleave_entry entry;
    cleave_store_need();
    if (cleave_entry_open(&store, kind, key, &entry) != 0) {
        return NULL;
    }
    void *data = malloc((size_t)entry.bytes + 1);
    *bytes = (size_t)entry.bytes;
    if (data != NULL && cleave_entry_take(&entry, data, *bytes) == 0) {
        cleave_entry_is_whole(&entry);
    }
    if (cleave_entry_end(&entry) != 0) {
        free(data);
        data = NULL;
    }
    return data;
}

int cleave_store_write(enum cleave_kind kind, const struct store_key *key, const void *data,
                       size_t bytes)
{
    const struct cleave_store store = cleave_store();
    const struct cleave_piece piece = {data, bytes};
    cleave_store_need();
    return cleave_entry_write(&store, kind, key, &piece, 1);
}
