/* pages.h: memory of dats in pages of their own (pages.c): zeros that cost nothing until somebody
 * writes them, and values whose pages can be protected. */
#ifndef CLEAVE_PAGES_H
#define CLEAVE_PAGES_H

#include <stddef.h>

/* 1: there is a device, and so many bytes of zeros are worth pages of their own, since the device
 * can do without a copy of them. */
int cleave_pages_pay(size_t bytes);
/* Returns zeroed memory, bytes > 0; cleave_pages_free() frees it. An error that names `what` ends
 * the program when there is not enough. */
void *cleave_pages_new(size_t bytes, const char *what);
/* Likewise, for memory that will be written as a whole. With a device it is in large pages where
 * the system has such: protecting a dat of 23 MB when it has been copied to the device (watch.c)
 * then takes less than 0.1 ms, not 0.5, on a virtual machine of two processors. */
void *cleave_pages_filled(size_t bytes, const char *what);
/* memory: from cleave_pages_new() with the same number of bytes, or NULL. */
void cleave_pages_free(void *memory, size_t bytes);
/* Replaces the pages at `to` by those at `from` in one step and unmaps `from`. Returns 0, or -1
 * with errno. */
int cleave_pages_move(void *from, void *to, size_t bytes);
/* 1: nobody has touched the memory from cleave_pages_new() yet, so that it is all zeros. 0:
 * somebody has, or the operating system does not tell. Takes about 8 microseconds for 20 MB. */
int cleave_pages_untouched(const void *memory, size_t bytes);
/* 1: the memory is small enough to be read for this check, and all zeros. */
int cleave_pages_small_zero(const char *memory, size_t bytes);

#endif
