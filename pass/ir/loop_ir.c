/* loop_ir.c: names of the loop IR, and questions about stages, that every station needs.
 *
 * Types and trees are in tree.c, printing in loop_ir_print.c, checking in loop_ir_check.c, trees as
 * C in print_c.c.
 */
#include "pass/ir/loop_ir.h"

const char *access_name(enum access access)
{
    static const char *const name[] = {
#define CLEAVE_ACCESS(name, letter, meaning) "OP_" #name,
#include "runtime/api/cleave_words.def"
    };

    return name[access];
}

char access_letter(enum access access)
{
    static const char letters[] = {
#define CLEAVE_ACCESS(name, letter, meaning) letter,
#include "runtime/api/cleave_words.def"
    };

    return letters[access];
}

/* ---- schedules ------------------------------------------------------------------------------- */

bool args_share_group(const struct loop *loop, int a, int b)
{
    const struct arg *x = &loop->arg[a];
    const struct arg *y = &loop->arg[b];
    return a == b ||
           (x->kind == ARG_DAT && y->kind == ARG_DAT && x->is_indirect && y->is_indirect &&
            x->dat == y->dat && x->map == y->map && !x->is_optional && !y->is_optional);
}

const struct transfer *stage_transfer(const struct loop *loop, const struct stage *stage,
                                      enum transfer_kind kind, int arg)
{
    for (int t = 0; t < stage->transfers; t++) {
        const struct transfer *transfer = &stage->transfer[t];
        if (transfer->kind == kind && args_share_group(loop, transfer->arg, arg)) {
            return transfer;
        }
    }
    return NULL;
}

int arg_payload(const struct arg *arg)
{
    return arg->dim - arg->flags;
}

int transfer_slot(const struct transfer *transfer, int component)
{
    for (int i = 0; i < transfer->components; i++) {
        if (transfer->component[i] == component) {
            return i;
        }
    }
    return -1;
}

const struct schedule_form schedule_forms[SCHEDULES] = {
#define CLEAVE_SCHEDULE(place, kind, cuts, word, meaning) {SCHEDULE_##kind, cuts, word},
#include "runtime/api/cleave_words.def"
};
_Static_assert(AT_LOOPS == AT_SPLIT + MAX_CUTS, "split schedules stand side by side");

const char *schedule_word(const struct schedule *schedule)
{
    for (int s = 0; s < SCHEDULES; s++) {
        const struct schedule_form *form = &schedule_forms[s];
        if (form->kind == schedule->kind && form->cuts == schedule->cuts) {
            return form->word;
        }
    }
    return "";
}
