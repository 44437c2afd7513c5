/* background_text.c: what became of the order and the plans that were made while loops ran, for
 * reports. */
#include "runtime/base/timeline.h"
#include "runtime/mesh/order.h"

/* The words of enum cleave_background_order in reports. */
static const char *const background_order[] = {
    [BACKGROUND_NONE] = "none",           [BACKGROUND_ADOPTED] = "adopted",
    [BACKGROUND_NOT_READY] = "not ready", [BACKGROUND_NOT_REPAID] = "not repaid",
    [BACKGROUND_FAILED] = "failed",       [BACKGROUND_GIVEN_UP] = "given up"};

/* The order of loops that did not get one made in the background. */
static int ran_text(char *text, size_t capacity, const char *because)
{
    const long first = cleave_background.first_call;
    const int length =
        first > 0 ? snprintf(text, capacity,
                             "loops ran in a first order of the mesh from call %ld on: ", first)
                  : snprintf(text, capacity, "all loops ran in the program's order of the mesh: ");
    return length + snprintf(text + length, capacity - (size_t)length, "%s", because);
}

static int given_up_text(char *text, size_t capacity)
{
    return cleave_background.ratio > 0.0
               ? snprintf(text, capacity,
                          "the order of the mesh was given up: loops took %.3f of the time that "
                          "they take in the program's; later runs make none",
                          cleave_background.ratio)
               : snprintf(text, capacity,
                          "all loops ran in the program's order of the mesh: an earlier run found "
                          "them no faster in another");
}

static int adopted_text(char *text, size_t capacity)
{
    const struct cleave_order *order = &cleave_order;
    const struct cleave_background *background = &cleave_background;
    const int length =
        snprintf(text, capacity,
                 "no loop waited for the order of the mesh, which took %.4f s in the background; "
                 "adopted before call %ld, %.4f s after the first one, in %.4f s, in which %.1f MB "
                 "of dats moved on the device",
                 order->seconds, background->calls + 1, background->waited, order->adopt_seconds,
                 1e-6 * order->moved_bytes);
    return background->first_call == 0
               ? length
               : length + snprintf(text + length, capacity - (size_t)length,
                                   "; loops had a first order from call %ld on",
                                   background->first_call);
}

/* Returns the length of the text, or what snprintf() does if there is no room. */
static int order_text(char *text, size_t capacity)
{
    switch (cleave_background_order()) {
    case BACKGROUND_ADOPTED:
        return adopted_text(text, capacity);
    case BACKGROUND_GIVEN_UP:
        return given_up_text(text, capacity);
    case BACKGROUND_NOT_READY:
        return ran_text(text, capacity, "the program ended before the background had made another");
    case BACKGROUND_NOT_REPAID:
        return ran_text(text, capacity, "the program ended before a move to another could pay");
    case BACKGROUND_FAILED:
        return ran_text(text, capacity, "there was no memory to make another");
    default:
        return 0;
    }
}

int cleave_background_text(char *text, size_t capacity)
{
    const struct cleave_background *background = &cleave_background;
    int length = order_text(text, capacity);
    if (cleave_background_order() == BACKGROUND_ADOPTED && background->ratio > 0.0 &&
        (size_t)length < capacity) {
        length += snprintf(text + length, capacity - (size_t)length,
                           "; loops then took %.3f of the time before", background->ratio);
    }
    if (background->plans > 0 && length >= 0 && (size_t)length < capacity) {
        length += snprintf(text + length, capacity - (size_t)length,
                           "%s%d plan%s made in the background in %.4f s", length > 0 ? "; " : "",
                           background->plans, background->plans == 1 ? "" : "s",
                           background->plan_seconds);
    }
    if (cleave_timeline_first_loop() >= 0.0 && length > 0 && (size_t)length < capacity) {
        snprintf(text + length, capacity - (size_t)length,
                 "; the first loop started %.4f s after the last declaration",
                 cleave_timeline_first_loop());
    }
    return length > 0;
}

void cleave_background_json(struct cleave_json *json)
{
    const struct cleave_order *order = &cleave_order;
    const struct cleave_background *background = &cleave_background;
    cleave_json_object(json, "background");
    cleave_json_text(json, "order", background_order[cleave_background_order()]);
    cleave_json_integer(json, "calls", background->calls);
    cleave_json_number(json, "seconds", background->waited);
    cleave_json_number(json, "adopt_seconds", order->in_background ? order->adopt_seconds : 0.0);
    cleave_json_number(json, "moved_bytes", order->in_background ? order->moved_bytes : 0.0);
    cleave_json_integer(json, "first_order_call", background->first_call);
    cleave_json_integer(json, "plans", background->plans);
    cleave_json_number(json, "ratio", background->ratio > 0.0 ? background->ratio : NAN);
    cleave_json_number(json, "plan_seconds", background->plan_seconds);
    cleave_json_number(json, "spared_seconds", cleave_background_spared());
    cleave_json_number(json, "first_loop_seconds",
                       cleave_timeline_first_loop() >= 0.0 ? cleave_timeline_first_loop() : NAN);
    cleave_json_object_end(json);
}
