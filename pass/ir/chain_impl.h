/* chain_impl.h: the words of the text of chains, for chain_print.c and chain_read.c alone. */
#ifndef CLEAVE_CHAIN_IMPL_H
#define CLEAVE_CHAIN_IMPL_H

#include "pass/ir/chain.h"

/* By enum host_kind, enum effect_kind and enum step_kind. */
extern const char *const chain_host_word[HOST_VALUE + 1];
extern const char *const chain_effect_word[EFFECT_UNKNOWN + 1];
extern const char *const chain_step_word[STEP_LEAVE + 1];

/* Which steps have a word of the user's behind the first one, and which may have `always`. */
bool chain_step_has_word(enum step_kind kind);
bool chain_step_has_always(enum step_kind kind);
/* Which steps have steps inside, and which have effects. */
bool chain_step_has_inside(enum step_kind kind);
bool chain_step_has_effects(enum step_kind kind);

#endif
