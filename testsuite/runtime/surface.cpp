/* surface.cpp: surface.c as C++, with what only C++ has. */
#include "surface.c"
