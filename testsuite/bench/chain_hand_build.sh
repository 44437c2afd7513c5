# chain_hand_build.sh SOURCE_DIR BUILD_DIR NVCC OUT_DIR [flag...]: compiles chain_hand and chain_hand_float for sm_90.
# The flags are nvcc's. Needs the build's target cleave.
set -eu
source=$1 build=$2 nvcc=$3 out=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include="-I$source -I$source/runtime -I$source/runtime/api -I$source/testsuite"
for file in testsuite/bench/chain_hand_mesh examples/airfoil/mesh examples/common/c_grid examples/common/permute; do
    # shellcheck disable=SC2086 # $include is several words
    cc -std=gnu11 -O2 -Wall -Wextra $include -c "$source/$file.c" -o "$work/$(basename "$file").o"
done
for precision in '' _float; do
    define=
    [ -z "$precision" ] || define=-DCHAIN_HAND_FLOAT
    # shellcheck disable=SC2086
    "$nvcc" -std=c++17 -O3 -arch=sm_90 $define "$@" $include "$source"/testsuite/bench/chain_hand*.cu "$work"/*.o \
        "$build/lib/libcleave.a" -Xcompiler -fopenmp -ldl -lz -lm -o "$out/chain_hand$precision"
done
