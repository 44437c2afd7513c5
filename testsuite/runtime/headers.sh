# The headers compile without a warning in every standard, at -O0 and -O2, in parse mode too; a kernel
# with a wrong number of parameters does not compile; the text of a call is the same in all compilers and
# in both modes.
set -eu
here=$SRC/testsuite/runtime
flags="-pedantic -Wall -Wextra -Werror -I$SRC/runtime/api -I$SRC/runtime/hdf5"
gnu_c=gcc gnu_cxx=g++
clang_c=$(command -v clang-19 || command -v clang || true)
clang_cxx=$(command -v clang++-19 || command -v clang++ || true)

user_of() {
    printf '#include "%s"\n#include "%s"\n' "$1" "$here/site.h"
    printf 'void (*keep)(op_set, op_map, op_dat, op_dat);\nint main(void) { keep = loops; return 0; }\n'
}

for header in op_lib_cpp.h op_lib_c.h op_profile.h op_hdf5.h op_util.h op_seq.h; do
    user_of $header > user.c
    cp user.c user.cpp
    $gnu_c $flags -std=c11 -fsyntax-only user.c
    $gnu_cxx $flags -std=c++11 -fsyntax-only user.cpp
done
for compiler in $gnu_c $clang_c; do
    for mode in -O0 -O2 -DCLEAVE_PARSE '-DCLEAVE_UNIT="id"'; do
        $compiler $flags $mode -std=c11 -c user.c -o user.o
        $compiler $flags $mode -std=gnu11 -c user.c -o user.o
    done
done
for compiler in $gnu_cxx $clang_cxx; do
    for standard in c++11 c++14 c++17; do
        $compiler $flags -O2 -std=$standard -c user.cpp -o user.o
    done
    $compiler $flags -DCLEAVE_PARSE -std=c++11 -c user.cpp -o user.o
done

# The strings of the calls, without the rest.
texts() {
    "$@" | grep -v '^#' | grep -o '"\(copy\|add\), \\"\([^"\\]\|\\.\)*"'
}
texts $gnu_c -E -I"$SRC/runtime/api" user.c > expected
[ "$(wc -l < expected)" -eq 2 ]
for compiler in $gnu_c $clang_c; do
    for mode in -UCLEAVE_PARSE -DCLEAVE_PARSE; do
        texts $compiler $mode -E -I"$SRC/runtime/api" user.c > actual
        cmp expected actual
    done
done
for compiler in $gnu_cxx $clang_cxx; do
    for mode in -UCLEAVE_PARSE -DCLEAVE_PARSE; do
        texts $compiler $mode -E -I"$SRC/runtime/api" user.cpp > actual
        cmp expected actual
    done
done

cat > wrong.c <<'END'
#include "op_seq.h"
static void copy(const double *from, double *to)
{
    *to = *from;
}
void loop(op_set set, op_dat a);
void loop(op_set set, op_dat a)
{
    op_par_loop(copy, "copy", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ));
}
END
cp wrong.c wrong.cpp
for compile in "$gnu_c -std=c11 -c wrong.c" "$gnu_cxx -std=c++11 -c wrong.cpp"; do
    if $compile -I"$SRC/runtime/api" -o wrong.o 2> said; then
        echo "a kernel with too many parameters compiles: $compile" >&2
        exit 1
    fi
done
grep -q "another number of parameters than the loop has arguments" said
