/* lanes_piece.c: records are moved in pieces of four, two and one component
 * (runtime/lanes/pieces.h): the calls for a whole record, or for a part of one.
 */
#include "codegen/lanes/lanes_impl.h"

bool lanes_is_narrow(const struct type *type)
{
    return type->size < 4;
}

int lanes_piece(const struct type *type, int components)
{
    if (lanes_is_narrow(type)) {
        return 1;
    }
    return components >= 4 ? 4 : components >= 2 ? 2 : 1;
}

bool lanes_is_contiguous(const struct lane_data *data)
{
    return data->kind == LANE_ROW && data->dim == 1 && !lanes_is_narrow(data->type);
}

const char *lanes_behind(struct lanes *lanes, const char *name, int components)
{
    return components == 0 ? name : lanes_format(lanes, "%s + %d", name, components);
}

void lanes_print_turn(struct lanes *lanes, const struct type *type, const char *turned,
                      const char *values, int count)
{
    int piece;
    for (int c = 0; c < count; c += piece) {
        piece = lanes_piece(type, count - c);
        if (piece > 1) {
            lanes_line(lanes, "CLEAVE_TURN%d(%s, %s, %s);", piece, lanes_move_word(type),
                       lanes_behind(lanes, turned, c), lanes_behind(lanes, values, c));
        }
    }
}

void lanes_print_put(struct lanes *lanes, const struct type *type, const char *how,
                     const char *record, const char *turned, int count, const char *end)
{
    int piece;
    for (int c = 0; c < count; c += piece) {
        piece = lanes_piece(type, count - c);
        lanes_line(lanes, "CLEAVE_PUT%d(%s, %s, %s, %s, cleave_l)%s", piece, lanes_move_word(type),
                   how, lanes_behind(lanes, record, c), lanes_behind(lanes, turned, c),
                   c + piece < count ? ";" : end);
    }
}
