# texts.sh: cleavecc makes all the text of programs that other tests compile and run: it finds no mistake of
# its own and ends as it should. A test of the sanitized build: what g++ and nvcc make of the text is the
# default build's affair.
set -eu
cat >empty <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec "${CC:-cc}" -x c -c /dev/null -o "$2"
END
chmod +x empty
export CLEAVE_NVCC="$PWD/empty" CLEAVE_CC="$PWD/empty" CLEAVE_CXX="$PWD/empty"

generate() { # generate SOURCE FLAG...
    source=$1
    shift
    compiler=$CLEAVECC kind=c
    case $source in *.cpp) compiler=$CLEAVECXX kind=cpp ;; esac
    name=$(basename "${source%.*}")
    status=0
    "$compiler" -O1 --cleave-arch=sm_90 --cleave-emit=exhaustive --cleave-keep=kept "$@" -I"$SRC" \
        -I"$SRC/testsuite" -I"$SRC/testsuite/codegen/programs" -c "$SRC/testsuite/$source" -o made.o 2>log ||
        status=$?
    # The objects are empty: they lack what cleavecc looks for in the end.
    if [ $status -ne 1 ] || ! grep -q "'made.o' was joined, but it lacks" log; then
        echo "$source: exit code $status"
        cat log
        exit 1
    fi
    for text in "kept/$name.cleave.cu" "kept/$name.cleave.$kind"; do
        [ -s "$text" ] || { echo "$source: $text is empty"; exit 1; }
    done
}

for name in beside copies deterministic extrema hostile language owners reciprocals sums unusual; do
    generate endtoend/$name.c
done
for name in language unusual; do
    generate endtoend/$name.cpp
done
generate endtoend/ordered.c -DREAL=float '-DREAL_NAME="float"'
for name in aero arrays hydra lulesh mgcfd scatter volna; do
    generate kernels/$name.c
done
generate kernels/miniaero.cpp --cleave-soa=auto
generate bench/gpu_bench_hydra.c --cleave-reciprocals=merged
generate bench/gpu_bench_airfoil.c --cleave-soa=all
