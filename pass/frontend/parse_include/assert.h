/* assert.h: for cleave's parse only: devices have no form of it, so kernels are compiled as with
 * NDEBUG there. The compiler that makes the program's objects, and with them the sequential
 * reference, reads its own. May be included several times, as the library's. */
#undef assert
#define assert(...) ((void)0)

#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
