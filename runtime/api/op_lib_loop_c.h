/* op_lib_loop_c.h: op_par_loop and the type checks for C11, included by op_lib_loop.h.
 *
 * The kernel is called directly, with void pointers that convert to whatever it takes, so a wrong
 * number of parameters is the compiler's error. The preprocessor counts the arguments: CLEAVE_COUNT
 * names how many there are, CLEAVE_POINTERS_n lists that many pointers.
 */
#ifndef CLEAVE_OP_LIB_LOOP_C_H
#define CLEAVE_OP_LIB_LOOP_C_H

/* The last element of the array is no argument: it makes room for loops without any. */
#define op_par_loop(...)                                                                           \
    CLEAVE_LOOP(CLEAVE_COUNT(__VA_ARGS__), #__VA_ARGS__, __VA_ARGS__, cleave_arg_none())
#define CLEAVE_LOOP(...) CLEAVE_LOOP_COUNTED(__VA_ARGS__)
#define CLEAVE_LOOP_COUNTED(count, site_text, kernel, name, set, ...)                              \
    do {                                                                                           \
        static struct cleave_site cleave_site = {site_text, CLEAVE_UNIT_KEY, __FILE__, __LINE__,   \
                                                 0};                                               \
        const op_arg cleave_args[] = {__VA_ARGS__};                                                \
        struct cleave_run cleave_run;                                                              \
        cleave_loop_begin(&cleave_run, &cleave_site, name, set, count, cleave_args);               \
        while (cleave_loop_next(&cleave_run, count)) {                                             \
            (void)(kernel)(CLEAVE_POINTERS_##count);                                               \
        }                                                                                          \
        cleave_loop_end(&cleave_run);                                                              \
    } while (0)

/* "" for pointers whose type is not one of OP2's: they are not checked. */
#define CLEAVE_TYPE_NAME(pointer)                                                                  \
    _Generic((pointer),                                                                            \
        double *: "double",                                                                        \
        const double *: "double",                                                                  \
        float *: "float",                                                                          \
        const float *: "float",                                                                    \
        int *: "int",                                                                              \
        const int *: "int",                                                                        \
        unsigned int *: "uint",                                                                    \
        const unsigned int *: "uint",                                                              \
        long *: "long",                                                                            \
        const long *: "long",                                                                      \
        long long *: "ll",                                                                         \
        const long long *: "ll",                                                                   \
        unsigned long long *: "ull",                                                               \
        const unsigned long long *: "ull",                                                         \
        _Bool *: "bool",                                                                           \
        const _Bool *: "bool",                                                                     \
        default: "")

#define op_decl_dat(set, dim, type, data, name)                                                    \
    cleave_decl_dat(set, dim, type, CLEAVE_TYPE_NAME(data), data, name)
#define op_decl_dat_temp(set, dim, type, data, name)                                               \
    cleave_decl_dat_temp(set, dim, type, CLEAVE_TYPE_NAME(data), name)
#define op_decl_const(dim, type, data)                                                             \
    cleave_decl_const(CLEAVE_UNIT_KEY, #data, dim, type, CLEAVE_TYPE_NAME(data), data)

/* How many arguments follow the kernel, the name and the set: 0 to 80. */
#define CLEAVE_COUNT(...)                                                                          \
    CLEAVE_PICK(__VA_ARGS__, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64,   \
                63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44,    \
                43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24,    \
                23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, \
                0, 0)
#define CLEAVE_PICK(kernel, name, set, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13,     \
                    a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28,     \
                    a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43,     \
                    a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58,     \
                    a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72, a73,     \
                    a74, a75, a76, a77, a78, a79, a80, count, ...)                                 \
    count

#define CLEAVE_POINTERS_0
#define CLEAVE_POINTERS_1 cleave_run.pointer[0]
#define CLEAVE_POINTERS_2 CLEAVE_POINTERS_1, cleave_run.pointer[1]
#define CLEAVE_POINTERS_3 CLEAVE_POINTERS_2, cleave_run.pointer[2]
#define CLEAVE_POINTERS_4 CLEAVE_POINTERS_3, cleave_run.pointer[3]
#define CLEAVE_POINTERS_5 CLEAVE_POINTERS_4, cleave_run.pointer[4]
#define CLEAVE_POINTERS_6 CLEAVE_POINTERS_5, cleave_run.pointer[5]
#define CLEAVE_POINTERS_7 CLEAVE_POINTERS_6, cleave_run.pointer[6]
#define CLEAVE_POINTERS_8 CLEAVE_POINTERS_7, cleave_run.pointer[7]
#define CLEAVE_POINTERS_9 CLEAVE_POINTERS_8, cleave_run.pointer[8]
#define CLEAVE_POINTERS_10 CLEAVE_POINTERS_9, cleave_run.pointer[9]
#define CLEAVE_POINTERS_11 CLEAVE_POINTERS_10, cleave_run.pointer[10]
#define CLEAVE_POINTERS_12 CLEAVE_POINTERS_11, cleave_run.pointer[11]
#define CLEAVE_POINTERS_13 CLEAVE_POINTERS_12, cleave_run.pointer[12]
#define CLEAVE_POINTERS_14 CLEAVE_POINTERS_13, cleave_run.pointer[13]
#define CLEAVE_POINTERS_15 CLEAVE_POINTERS_14, cleave_run.pointer[14]
#define CLEAVE_POINTERS_16 CLEAVE_POINTERS_15, cleave_run.pointer[15]
#define CLEAVE_POINTERS_17 CLEAVE_POINTERS_16, cleave_run.pointer[16]
#define CLEAVE_POINTERS_18 CLEAVE_POINTERS_17, cleave_run.pointer[17]
#define CLEAVE_POINTERS_19 CLEAVE_POINTERS_18, cleave_run.pointer[18]
#define CLEAVE_POINTERS_20 CLEAVE_POINTERS_19, cleave_run.pointer[19]
#define CLEAVE_POINTERS_21 CLEAVE_POINTERS_20, cleave_run.pointer[20]
#define CLEAVE_POINTERS_22 CLEAVE_POINTERS_21, cleave_run.pointer[21]
#define CLEAVE_POINTERS_23 CLEAVE_POINTERS_22, cleave_run.pointer[22]
#define CLEAVE_POINTERS_24 CLEAVE_POINTERS_23, cleave_run.pointer[23]
#define CLEAVE_POINTERS_25 CLEAVE_POINTERS_24, cleave_run.pointer[24]
#define CLEAVE_POINTERS_26 CLEAVE_POINTERS_25, cleave_run.pointer[25]
#define CLEAVE_POINTERS_27 CLEAVE_POINTERS_26, cleave_run.pointer[26]
#define CLEAVE_POINTERS_28 CLEAVE_POINTERS_27, cleave_run.pointer[27]
#define CLEAVE_POINTERS_29 CLEAVE_POINTERS_28, cleave_run.pointer[28]
#define CLEAVE_POINTERS_30 CLEAVE_POINTERS_29, cleave_run.pointer[29]
#define CLEAVE_POINTERS_31 CLEAVE_POINTERS_30, cleave_run.pointer[30]
#define CLEAVE_POINTERS_32 CLEAVE_POINTERS_31, cleave_run.pointer[31]
#define CLEAVE_POINTERS_33 CLEAVE_POINTERS_32, cleave_run.pointer[32]
#define CLEAVE_POINTERS_34 CLEAVE_POINTERS_33, cleave_run.pointer[33]
#define CLEAVE_POINTERS_35 CLEAVE_POINTERS_34, cleave_run.pointer[34]
#define CLEAVE_POINTERS_36 CLEAVE_POINTERS_35, cleave_run.pointer[35]
#define CLEAVE_POINTERS_37 CLEAVE_POINTERS_36, cleave_run.pointer[36]
#define CLEAVE_POINTERS_38 CLEAVE_POINTERS_37, cleave_run.pointer[37]
#define CLEAVE_POINTERS_39 CLEAVE_POINTERS_38, cleave_run.pointer[38]
#define CLEAVE_POINTERS_40 CLEAVE_POINTERS_39, cleave_run.pointer[39]
#define CLEAVE_POINTERS_41 CLEAVE_POINTERS_40, cleave_run.pointer[40]
#define CLEAVE_POINTERS_42 CLEAVE_POINTERS_41, cleave_run.pointer[41]
#define CLEAVE_POINTERS_43 CLEAVE_POINTERS_42, cleave_run.pointer[42]
#define CLEAVE_POINTERS_44 CLEAVE_POINTERS_43, cleave_run.pointer[43]
#define CLEAVE_POINTERS_45 CLEAVE_POINTERS_44, cleave_run.pointer[44]
#define CLEAVE_POINTERS_46 CLEAVE_POINTERS_45, cleave_run.pointer[45]
#define CLEAVE_POINTERS_47 CLEAVE_POINTERS_46, cleave_run.pointer[46]
#define CLEAVE_POINTERS_48 CLEAVE_POINTERS_47, cleave_run.pointer[47]
#define CLEAVE_POINTERS_49 CLEAVE_POINTERS_48, cleave_run.pointer[48]
#define CLEAVE_POINTERS_50 CLEAVE_POINTERS_49, cleave_run.pointer[49]
#define CLEAVE_POINTERS_51 CLEAVE_POINTERS_50, cleave_run.pointer[50]
#define CLEAVE_POINTERS_52 CLEAVE_POINTERS_51, cleave_run.pointer[51]
#define CLEAVE_POINTERS_53 CLEAVE_POINTERS_52, cleave_run.pointer[52]
#define CLEAVE_POINTERS_54 CLEAVE_POINTERS_53, cleave_run.pointer[53]
#define CLEAVE_POINTERS_55 CLEAVE_POINTERS_54, cleave_run.pointer[54]
#define CLEAVE_POINTERS_56 CLEAVE_POINTERS_55, cleave_run.pointer[55]
#define CLEAVE_POINTERS_57 CLEAVE_POINTERS_56, cleave_run.pointer[56]
#define CLEAVE_POINTERS_58 CLEAVE_POINTERS_57, cleave_run.pointer[57]
#define CLEAVE_POINTERS_59 CLEAVE_POINTERS_58, cleave_run.pointer[58]
#define CLEAVE_POINTERS_60 CLEAVE_POINTERS_59, cleave_run.pointer[59]
#define CLEAVE_POINTERS_61 CLEAVE_POINTERS_60, cleave_run.pointer[60]
#define CLEAVE_POINTERS_62 CLEAVE_POINTERS_61, cleave_run.pointer[61]
#define CLEAVE_POINTERS_63 CLEAVE_POINTERS_62, cleave_run.pointer[62]
#define CLEAVE_POINTERS_64 CLEAVE_POINTERS_63, cleave_run.pointer[63]
#define CLEAVE_POINTERS_65 CLEAVE_POINTERS_64, cleave_run.pointer[64]
#define CLEAVE_POINTERS_66 CLEAVE_POINTERS_65, cleave_run.pointer[65]
#define CLEAVE_POINTERS_67 CLEAVE_POINTERS_66, cleave_run.pointer[66]
#define CLEAVE_POINTERS_68 CLEAVE_POINTERS_67, cleave_run.pointer[67]
#define CLEAVE_POINTERS_69 CLEAVE_POINTERS_68, cleave_run.pointer[68]
#define CLEAVE_POINTERS_70 CLEAVE_POINTERS_69, cleave_run.pointer[69]
#define CLEAVE_POINTERS_71 CLEAVE_POINTERS_70, cleave_run.pointer[70]
#define CLEAVE_POINTERS_72 CLEAVE_POINTERS_71, cleave_run.pointer[71]
#define CLEAVE_POINTERS_73 CLEAVE_POINTERS_72, cleave_run.pointer[72]
#define CLEAVE_POINTERS_74 CLEAVE_POINTERS_73, cleave_run.pointer[73]
#define CLEAVE_POINTERS_75 CLEAVE_POINTERS_74, cleave_run.pointer[74]
#define CLEAVE_POINTERS_76 CLEAVE_POINTERS_75, cleave_run.pointer[75]
#define CLEAVE_POINTERS_77 CLEAVE_POINTERS_76, cleave_run.pointer[76]
#define CLEAVE_POINTERS_78 CLEAVE_POINTERS_77, cleave_run.pointer[77]
#define CLEAVE_POINTERS_79 CLEAVE_POINTERS_78, cleave_run.pointer[78]
#define CLEAVE_POINTERS_80 CLEAVE_POINTERS_79, cleave_run.pointer[79]

#endif
