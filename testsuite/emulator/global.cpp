/* global.cpp: places of global memory that blocks change without atomics: in one launch each may
 * have one block only, as on a GPU they run at the same time. Places are stamped with the number of
 * the launch, so that none is cleared but when there are very many.
 */
#include <unordered_map>
#include "emulator.h"

namespace cleave_emulator
{
namespace
{
struct stamp {
    uint64_t launch;
    int block;
};

constexpr size_t MANY = 1 << 20;

uint64_t now;
std::unordered_map<const void *, stamp> stamps;
} // namespace

void global_begin_launch()
{
    now++;
    if (stamps.size() > MANY) {
        stamps.clear();
    }
}

void global_modify(const void *p)
{
    stamp &last = stamps[p];
    if (last.launch == now && last.block != here.block) {
        stop(here.thread,
             "changes global memory at %p, which block %d changes too, without atomics", p,
             last.block);
    }
    last = {now, here.block};
}
} // namespace cleave_emulator
