/* late.cpp: launches that the device has not got to yet, with CLEAVE_EMU_LATE=1.
 *
 * A launch is kept with its arguments. A question whether the stream is empty has one of them run;
 * all other calls that the order of the stream concerns have all of them run first. What the host
 * does behind a launch, before it waits for it, then comes before the launch. Graphs run at once,
 * behind what waits.
 */
#include <vector>
#include "emulator.h"

namespace cleave_emulator
{
namespace
{
/* Never destroyed: programs may end while launches wait. */
std::vector<launch> &waiting()
{
    static auto &launches = *new std::vector<launch>;
    return launches;
}
} // namespace

bool late_takes(const launch &now)
{
    if (!is_late()) {
        return false;
    }
    launch kept = now;
    kept.data = now.copy(now.data);
    waiting().push_back(kept);
    return true;
}

bool late_run_one()
{
    if (waiting().empty()) {
        return false;
    }
    const launch first = waiting().front();
    waiting().erase(waiting().begin());
    run_now(first);
    first.destroy(first.data);
    return true;
}

bool late_waits()
{
    return !waiting().empty();
}

void late_run()
{
    while (late_run_one()) {
    }
}
} // namespace cleave_emulator
