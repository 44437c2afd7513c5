/* op_lib_loop_cpp.h: op_par_loop and the type checks for C++11 and later, included by
 * op_lib_loop.h.
 *
 * void pointers do not convert in C++, so a template takes the kernel's parameter types from its
 * address and casts to them. It is always inlined: then the kernel is, too.
 */
#ifndef CLEAVE_OP_LIB_LOOP_CPP_H
#define CLEAVE_OP_LIB_LOOP_CPP_H

#define op_par_loop(...)                                                                           \
    do {                                                                                           \
        static struct cleave_site cleave_call_site = {#__VA_ARGS__, CLEAVE_UNIT_KEY, __FILE__,     \
                                                      __LINE__, 0};                                \
        ::cleave::par_loop(&cleave_call_site, __VA_ARGS__);                                        \
    } while (0)

#define op_decl_const(dim, type, data) ::cleave::decl_const(CLEAVE_UNIT_KEY, #data, dim, type, data)

#ifdef __GNUC__
#define CLEAVE_INLINE inline __attribute__((always_inline))
#else
#define CLEAVE_INLINE inline
#endif

namespace cleave
{

/* OP2's name of a type; "" for others: they are not checked. */
template <class T> struct type_name {
    static const char *text()
    {
        return "";
    }
};
template <class T> struct type_name<const T> : type_name<T> {
};
template <> struct type_name<double> {
    static const char *text()
    {
        return "double";
    }
};
template <> struct type_name<float> {
    static const char *text()
    {
        return "float";
    }
};
template <> struct type_name<int> {
    static const char *text()
    {
        return "int";
    }
};
template <> struct type_name<unsigned int> {
    static const char *text()
    {
        return "uint";
    }
};
template <> struct type_name<long> {
    static const char *text()
    {
        return "long";
    }
};
template <> struct type_name<long long> {
    static const char *text()
    {
        return "ll";
    }
};
template <> struct type_name<unsigned long long> {
    static const char *text()
    {
        return "ull";
    }
};
template <> struct type_name<bool> {
    static const char *text()
    {
        return "bool";
    }
};

/* 0, 1, ... n-1 as a parameter pack (C++14 has it, C++11 does not). */
template <int... I> struct indices {
};
template <int N, int... I> struct indices_up_to : indices_up_to<N - 1, N - 1, I...> {
};
template <int... I> struct indices_up_to<0, I...> {
    typedef indices<I...> type;
};

/* A void pointer as a kernel's parameter: a pointer or a reference. */
template <class T> struct parameter {
    static_assert(sizeof(T) == 0, "op_par_loop: a kernel's parameters are pointers or references");
};
template <class T> struct parameter<T *> {
    static CLEAVE_INLINE T *from(void *pointer)
    {
        return static_cast<T *>(pointer);
    }
};
template <class T> struct parameter<T &> {
    static CLEAVE_INLINE T &from(void *pointer)
    {
        return *static_cast<T *>(pointer);
    }
};

template <class R, class... P, int... I>
CLEAVE_INLINE void call_kernel(R (*kernel)(P...), struct cleave_run &run, indices<I...>)
{
    (void)run;
    (void)kernel(parameter<P>::from(run.pointer[I])...);
}

/* Ends the loop when an exception leaves a kernel. */
struct ended_loop {
    struct cleave_run *run; /* NULL: it has ended */
    ~ended_loop()
    {
        if (run != nullptr) {
            cleave_loop_end(run);
        }
    }
};

/* The last element of the array is no argument: it makes room for loops without any. */
template <class R, class... P, class... A>
CLEAVE_INLINE void par_loop(struct cleave_site *site, R (*kernel)(P...), const char *name,
                            op_set set, A... arg)
{
    static_assert(
        sizeof...(P) == sizeof...(A),
        "op_par_loop: the kernel takes another number of parameters than the loop has arguments");
    static_assert(sizeof...(A) <= CLEAVE_MAX_ARGS, "op_par_loop: too many arguments");
    const op_arg args[] = {arg..., cleave_arg_none()};
    const int count = static_cast<int>(sizeof...(A));
    struct cleave_run run;
    cleave_loop_begin(&run, site, name, set, count, args);
    struct ended_loop ended = {&run};
    while (cleave_loop_next(&run, count)) {
        call_kernel(kernel, run, typename indices_up_to<sizeof...(P)>::type());
    }
    ended.run = nullptr;
    cleave_loop_end(&run);
}

/* Objects that can be called are no kernels: no other compiler could find their bodies. */
template <bool> struct if_object {
};
template <> struct if_object<true> {
    typedef void type;
};
template <class K, class... A>
typename if_object<__is_class(K)>::type par_loop(struct cleave_site *, const K &, const char *,
                                                 op_set, A...)
{
    static_assert(sizeof(K) == 0, "op_par_loop: the kernel is a lambda or another object; write it "
                                  "as a function of its own, and pass the function's name");
}

template <class T>
inline void decl_const(const struct ::cleave_unit_key *unit, const char *text, int dim,
                       const char *type, T *data)
{
    ::cleave_decl_const(unit, text, dim, type, type_name<T>::text(), data);
}

} // namespace cleave

/* Pointers of known types are checked; void pointers and null go to the functions of op_lib.h. */
template <class T>
inline op_dat op_decl_dat(op_set set, int dim, const char *type, T *data, const char *name)
{
    return cleave_decl_dat(set, dim, type, cleave::type_name<T>::text(), data, name);
}

template <class T>
inline op_dat op_decl_dat_temp(op_set set, int dim, const char *type, T *, const char *name)
{
    return cleave_decl_dat_temp(set, dim, type, cleave::type_name<T>::text(), name);
}

template <class T> inline op_arg op_arg_gbl(T *data, int dim, const char *type, op_access acc)
{
    return cleave_arg_gbl(0, 1, data, dim, type, cleave::type_name<T>::text(), acc);
}

template <class T>
inline op_arg op_opt_arg_gbl(int opt, T *data, int dim, const char *type, op_access acc)
{
    return cleave_arg_gbl(1, opt, data, dim, type, cleave::type_name<T>::text(), acc);
}

template <class T> inline op_arg op_arg_info(T *data, int dim, const char *type, int ref)
{
    return cleave_arg_info(data, dim, type, cleave::type_name<T>::text(), ref);
}

#endif
