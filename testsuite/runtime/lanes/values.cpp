/* values.cpp: values.c in C++. */
#include "values.c"
