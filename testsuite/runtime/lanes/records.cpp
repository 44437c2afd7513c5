/* records.cpp: records.c in C++, for fewer types. */
#ifndef TEST_FEW
#define TEST_FEW
#endif
#include "records.c"
