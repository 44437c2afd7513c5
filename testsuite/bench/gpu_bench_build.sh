#!/bin/sh
# gpu_bench_build.sh SOURCE_DIR BUILD_DIR PROGRAM [flag...]: compiles gpu_bench_PROGRAM here with the
# build's cleavecc: hydra, airfoil, airfoil_float or lulesh. The flags, as --cleave-arch=sm_90, are
# cleavecc's or the host compiler's.
set -eu
source=$1 build=$2 program=$3
shift 3
here=$source/testsuite/bench
case $program in
airfoil_float) set -- "$@" -DGPU_BENCH_FLOAT ;;
esac
case $program in
airfoil*) set -- "$@" "$source/examples/airfoil/mesh.c" "$source/examples/common/c_grid.c" \
    "$source/examples/common/permute.c" ;;
esac
exec "$build/bin/cleavecc" -std=gnu11 -O3 -Wall -Wextra -I"$source" -I"$source/testsuite" "$@" \
    "$here/gpu_bench_${program%_float}.c" "$build/lib/libcleave_gpu_bench.a" \
    "$build/lib/libcleave_meshes.a" -lm -o "gpu_bench_$program"
