/* bits/specfun.h: the special functions of C++17's <cmath>, for cleave's parse only.
 *
 * libstdc++ defines them in full in a header of this name, which takes a compiler longer to read
 * than many a program. No kernel can call them, so the parse needs their declarations only. */
#ifndef CLEAVE_PARSE_SPECFUN_H
#define CLEAVE_PARSE_SPECFUN_H

#pragma GCC system_header

#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>
#include <ext/type_traits.h>

/* The parameters are a macro of the floating type. */
#define CLEAVE_SPECIAL(name, ...)                                                                  \
    CLEAVE_SPECIAL_FOR(name##f, float, __VA_ARGS__)                                                \
    CLEAVE_SPECIAL_FOR(name##l, long double, __VA_ARGS__)                                          \
    CLEAVE_SPECIAL_FOR(name, float, __VA_ARGS__)                                                   \
    CLEAVE_SPECIAL_FOR(name, long double, __VA_ARGS__)
#define CLEAVE_SPECIAL_FOR(name, type, params, ...) type name(params(type));

#define CLEAVE_T(T) T x
#define CLEAVE_T_T(T) T x, T y
#define CLEAVE_T_T_T(T) T x, T y, T z
#define CLEAVE_N_T(T) unsigned int n, T x
#define CLEAVE_N_N_T(T) unsigned int n, unsigned int m, T x

/* Arguments of other types: the result is what libstdc++ promotes them to. */
#define CLEAVE_SPECIAL_1(name)                                                                     \
    CLEAVE_SPECIAL(name, CLEAVE_T)                                                                 \
    template <class A> typename __gnu_cxx::__promote<A>::__type name(A x);
#define CLEAVE_SPECIAL_2(name)                                                                     \
    CLEAVE_SPECIAL(name, CLEAVE_T_T)                                                               \
    template <class A, class B> typename __gnu_cxx::__promote_2<A, B>::__type name(A x, B y);
#define CLEAVE_SPECIAL_3(name)                                                                     \
    CLEAVE_SPECIAL(name, CLEAVE_T_T_T)                                                             \
    template <class A, class B, class C>                                                           \
    typename __gnu_cxx::__promote_3<A, B, C>::__type name(A x, B y, C z);
#define CLEAVE_SPECIAL_N(name)                                                                     \
    CLEAVE_SPECIAL(name, CLEAVE_N_T)                                                               \
    template <class A> typename __gnu_cxx::__promote<A>::__type name(unsigned int n, A x);
#define CLEAVE_SPECIAL_N_N(name)                                                                   \
    CLEAVE_SPECIAL(name, CLEAVE_N_N_T)                                                             \
    template <class A>                                                                             \
    typename __gnu_cxx::__promote<A>::__type name(unsigned int n, unsigned int m, A x);

namespace std
{
CLEAVE_SPECIAL_N_N(assoc_laguerre)
CLEAVE_SPECIAL_N_N(assoc_legendre)
CLEAVE_SPECIAL_2(beta)
CLEAVE_SPECIAL_1(comp_ellint_1)
CLEAVE_SPECIAL_1(comp_ellint_2)
CLEAVE_SPECIAL_2(comp_ellint_3)
CLEAVE_SPECIAL_2(cyl_bessel_i)
CLEAVE_SPECIAL_2(cyl_bessel_j)
CLEAVE_SPECIAL_2(cyl_bessel_k)
CLEAVE_SPECIAL_2(cyl_neumann)
CLEAVE_SPECIAL_2(ellint_1)
CLEAVE_SPECIAL_2(ellint_2)
CLEAVE_SPECIAL_3(ellint_3)
CLEAVE_SPECIAL_1(expint)
CLEAVE_SPECIAL_N(hermite)
CLEAVE_SPECIAL_N(laguerre)
CLEAVE_SPECIAL_N(legendre)
CLEAVE_SPECIAL_1(riemann_zeta)
CLEAVE_SPECIAL_N(sph_bessel)
CLEAVE_SPECIAL_N_N(sph_legendre)
CLEAVE_SPECIAL_N(sph_neumann)
} // namespace std

#undef CLEAVE_SPECIAL_N_N
#undef CLEAVE_SPECIAL_N
#undef CLEAVE_SPECIAL_3
#undef CLEAVE_SPECIAL_2
#undef CLEAVE_SPECIAL_1
#undef CLEAVE_N_N_T
#undef CLEAVE_N_T
#undef CLEAVE_T_T_T
#undef CLEAVE_T_T
#undef CLEAVE_T
#undef CLEAVE_SPECIAL_FOR
#undef CLEAVE_SPECIAL

#endif
