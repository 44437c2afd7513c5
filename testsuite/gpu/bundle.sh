#!/bin/sh
# bundle.sh [--bench | --applications[=NAME,...]] [BUILD_DIR [OUT_DIR]]: makes a folder of programs that run on a machine with a GPU and a
# CUDA driver, without libclang, METIS or this repository.
#
# It compiles the airfoil example, the feature program, that of layouts, the application kernels and the
# benchmarks of single loops with cleavecc for sm_90 (needs nvcc here), all of them in every schedule, and takes
# METIS's library along when it is installed, so that plans are the same on both machines. With --bench only the benchmarks;
# the build folder then needs the targets cleavecc, cleave_cuda and cleave_gpu_bench. With --applications only those of
# testsuite/applications: in all schedules, the same with --cleave-soa=all, and as users compile them (NAME, NAME_soa, NAME_auto).
# Afterwards, on the GPU machine: sh OUT_DIR/run.sh [quick], sh OUT_DIR/gpu_bench.sh (--help),
# sh OUT_DIR/applications/gpu_matrix.sh (--help), sh OUT_DIR/applications/gpu_times.sh (--help)
set -eu
parts='programs benchmarks applications' only=
case ${1:-} in
--bench) parts=benchmarks && shift ;;
--applications) parts=applications && shift ;;
--applications=?*) parts=applications only=${1#*=} && shift ;;
-*) echo "bundle.sh: '$1' is not understood" >&2 && exit 2 ;;
esac
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$top/build}" && pwd)
out=${2:-$build/gpu}
command -v nvcc >/dev/null 2>&1 || [ -x /usr/local/cuda/bin/nvcc ] ||
    { echo "bundle.sh: nvcc is needed to build the GPU programs" >&2; exit 1; }

mkdir -p "$out/lib" "$out/generated"
out=$(cd "$out" && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)

programs() {
    example=$top/examples/airfoil
    for emit in fused split all; do
        echo "airfoil --cleave-emit=$emit"
        (cd "$example" && "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 --cleave-emit=$emit \
            --cleave-keep="$out/generated/$emit" ./*.c ../common/*.c -o "$out/airfoil_$emit" -lm)
    done
    echo "features"
    here=$top/testsuite/endtoend
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=all "$here/features.c" \
        "$here/features_constants.c" -o "$out/features" -lm
    echo "work"
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=fused,split,owner \
        "$here/work.c" -o "$out/work" -lm
    echo "argmax"
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=fused,split,owner \
        -I"$top/testsuite/codegen/programs" "$here/argmax.c" -o "$out/argmax" -lm
    echo "nan"
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=fused,split,owner \
        -I"$top/testsuite/codegen/programs" "$here/nan.c" -o "$out/nan" -lm
    echo "soa"
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=all "$here/soa.c" \
        -o "$out/soa" -lm
    echo "copies"
    "$build/bin/cleavecc" -O1 -ffp-contract=off --cleave-arch=sm_90 --cleave-emit=owner,comparisons \
        "$here/copies.c" -o "$out/copies" -lm
    for program in airfoil_temporary airfoil_argmax; do
        echo "$program"
        "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 "$top/testsuite/programs/$program.c" \
            "$example/mesh.c" "$top/examples/common/c_grid.c" "$top/examples/common/permute.c" \
            -o "$out/$program" -lm
    done
    for forces in RW INC; do
        echo "lulesh, forces OP_$forces"
        "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 -DFORCES=OP_$forces "$top"/examples/lulesh/*.c \
            "$top"/examples/common/*.c -o "$out/lulesh_$forces" -lm
    done
    for program in inplace regions; do
        echo "$program"
        "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 "$top/testsuite/programs/$program.c" -o "$out/$program" -lm
    done
    echo "multigrid"
    "$build/bin/cleavec++" -O3 --cleave-arch=sm_90 "$top/testsuite/programs/multigrid.cpp" \
        -o "$out/multigrid" -lm
    for program in arrays.c hydra.c mgcfd.c scatter.c volna.c; do
        echo "kernels/$program"
        "$build/bin/cleavecc" -O1 --cleave-arch=sm_90 --cleave-emit=all -I"$top/testsuite/kernels" \
            "$top/testsuite/kernels/$program" -o "$out/kernels_${program%.*}" -lm
    done
    cp "$top/testsuite/kernels/same.sh" "$out/"
    # For another architecture than the GPU's: what the driver makes of PTX has to run.
    (cd "$top/examples/airfoil" && "$build/bin/cleavecc" -O3 --cleave-arch=sm_80 --cleave-emit=fused \
        ./*.c ../common/*.c -o "$out/airfoil_ptx" -lm)
    # The primitives' own tests: as sm_90 has them and, through PTX that the driver translates, as the oldest
    # architecture that this nvcc knows does.
    oldest=$("$nvcc" --list-gpu-arch | sed -n 's/^compute_//p' | sort -n | awk '$1 >= 70 { print; exit }')
    for program in primitives joins warps copies staged transposed rows; do
        for code in sm_90 "compute_$oldest"; do
            "$nvcc" -std=c++17 -O2 -gencode "arch=compute_${code#*_},code=$code" -I"$top/runtime/api" -I"$top/runtime" \
                -I"$top/testsuite" "$top/testsuite/emulator/$program.cu" -o "$out/${program}_$code"
        done
    done
    cp "$top/testsuite/gpu/run.sh" "$out/run.sh"
}

benchmarks() {
    for program in hydra airfoil airfoil_float lulesh; do
        echo "gpu_bench_$program"
        (cd "$out" && sh "$top/testsuite/bench/gpu_bench_build.sh" "$top" "$build" $program \
            --cleave-arch=sm_90 --cleave-emit="${CLEAVE_BENCH_EMIT:-all,candidates}" \
            --cleave-keep="$out/generated/bench_$program")
    done
    echo chain_hand
    sh "$top/testsuite/bench/chain_hand_build.sh" "$top" "$build" "$nvcc" "$out"
    echo gpu_launch
    "$build/bin/cleavecc" -std=gnu11 -O3 -Wall -Wextra --cleave-arch=sm_90 \
        "$top/testsuite/bench/gpu_launch.c" -lm -o "$out/gpu_launch"
    echo "deterministic, airfoil_auto"
    "$build/bin/cleavecc" -O2 --cleave-arch=sm_90 "-I$top/testsuite/endtoend" \
        "$top/testsuite/endtoend/deterministic.c" -lm -o "$out/deterministic"
    (cd "$top/examples/airfoil" &&
        "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 ./*.c ../common/*.c -o "$out/airfoil_auto" -lm)
    echo "promoted_inc, promoted_rw"
    "$build/bin/cleavecc" -O2 --cleave-arch=sm_90 -DACCESS=OP_INC -DREADS=OP_READ \
        "$top/testsuite/endtoend/promoted.c" -lm -o "$out/promoted_inc"
    "$build/bin/cleavecc" -O2 --cleave-arch=sm_90 -DACCESS=OP_RW -DREADS=OP_RW \
        "$top/testsuite/endtoend/promoted.c" -lm -o "$out/promoted_rw"
    echo onera # for papers/face_colouring.sh
    "$build/bin/cleavecc" -O3 --cleave-arch=sm_90 --cleave-emit="${CLEAVE_BENCH_EMIT:-all}" "$top"/examples/onera/*.c \
        "$top"/examples/common/*.c -o "$out/onera" -lm
    for script in gpu_bench.sh gpu_checks.sh gpu_ncu.sh; do
        cp "$top/testsuite/bench/$script" "$out/"
    done
    cp "$top"/testsuite/bench/papers/*.sh "$top"/testsuite/bench/papers/*.awk "$out/"
}

applications() {
    SRC=$top CLEAVECC=$build/bin/cleavecc CLEAVECXX=$build/bin/cleavec++ folder=$out/applications
    . "$top/testsuite/applications/build.sh"
    mkdir -p "$folder"
    names=$(sed -n 's/^\([a-z0-9_]*\) *|.*/\1/p' "$top/testsuite/applications/applications.txt")
    for name in $(echo "${only:-$names}" | tr ',' ' '); do
        echo "applications/$name"
        build_application "$name" "$folder/$name" -O1 --cleave-arch=sm_90 --cleave-emit=all
        build_application "$name" "$folder/${name}_soa" -O1 --cleave-arch=sm_90 --cleave-emit=all --cleave-soa=all
        build_application "$name" "$folder/${name}_auto" -O3 --cleave-arch=sm_90
        strip "$folder/$name" "$folder/${name}_soa" "$folder/${name}_auto"
    done
    for file in applications.txt matrix.sh gpu_matrix.sh gpu_times.sh forms.awk compare.awk table.awk times.awk \
        gpu_profile.sh profile.awk; do
        cp "$top/testsuite/applications/$file" "$folder/"
    done
}

for part in $parts; do
    $part
done
"$nvcc" -O2 -arch=sm_90 "$top/testsuite/gpu/copy.cu" -o "$out/copy"
[ "$parts" = applications ] || "$nvcc" -O3 -std=c++17 -arch=sm_90 "$top/testsuite/gpu/direct.cu" -o "$out/direct"
PATH=$PATH:/usr/sbin:/sbin # ldconfig's folder, for users who are not root
for library in libmetis.so.5 libscotch-7.0.so libscotcherr-7.0.so libgomp.so.1; do
    path=$(ldconfig -p | sed -n "s/.*$library .*=> //p" | head -n 1)
    [ -z "$path" ] || cp -L "$path" "$out/lib/"
done
du -sh "$out" | sed 's/\t/  /'
