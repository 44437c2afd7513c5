/* many_args.cpp: many_args.c as C++. */
#include "many_args.c"
