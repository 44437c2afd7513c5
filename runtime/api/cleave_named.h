/* cleave_named.h: entries, and items that name what their elements read: the part of cleave_gen.h
 * about the entry_ and named_ arrays of cleave_plan.def. */
#ifndef CLEAVE_NAMED_H
#define CLEAVE_NAMED_H

#include <stddef.h>

#define CLEAVE_ENTRY_CHUNK 32 /* consecutive points of one entry_start */
#define CLEAVE_NAMED_LANES 32 /* consecutive points of one named_start */
#define CLEAVE_NAMED_WORDS 4  /* ints of an item of CLEAVE_PLAN_NAMED, at most */

/* CLEAVE_PART_ bits. Items of cleave_plan_list.named_item have the element's number. */
#define CLEAVE_PART_NUMBERED 32u
/* Items have the points that the elements name through this list of
 * the loop, which modifies nothing through it. */
#define CLEAVE_PART_NAMES(list) (1u << (16 + (list)))

/* Where word number `word` of a lane's item in a row stands in cleave_plan_list.named_item: an even
 * number of words of a lane follow one another, so that one load takes 2 or 4 of them; of an odd
 * number, each word of all lanes lies side by side. */
#define CLEAVE_NAMED_AT(words, row, lane, word)                                                    \
    ((size_t)(row) * (size_t)((words) * CLEAVE_NAMED_LANES) +                                      \
     (size_t)((words) % 2 == 0 ? (lane) * (words) + (word)                                         \
                               : (word) * CLEAVE_NAMED_LANES + (lane)))

#endif
