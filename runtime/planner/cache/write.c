/* write.c: numberings are kept. */
#include "runtime/planner/cache/cache.h"
#include "runtime/planner/number/number.h"

void planner_cache_write(const struct planner *planner, const struct store_key *key,
                         const struct plan_numbering *numbering)
{
    struct cache_header header = {.version = CACHE_VERSION,
                                  .elements = numbering->elements,
                                  .blocks = numbering->blocks,
                                  .block_size = numbering->block_size,
                                  .start = numbering->method.start,
                                  .improve = numbering->method.improve};
    struct cleave_piece piece[1 + NUMBERING_ARRAYS] = {{&header, sizeof header}};
    PLANNER_THREADS(planner);
    for (int a = 0; a < NUMBERING_ARRAYS; a++) {
        piece[1 + a] = (struct cleave_piece){planner_numbering_array(numbering, a),
                                             planner_numbering_bytes(numbering, a)};
    }
    cleave_entry_write(&planner->store, CLEAVE_KEPT_PLANS, key, piece, 1 + NUMBERING_ARRAYS);
}
