/* known.h: the values that are known for the miniaero example. */
#ifndef MINIAERO_KNOWN_H
#define MINIAERO_KNOWN_H

#include "../common/run.h"

extern const reference known_values[];
extern const int known_value_count;

#endif
