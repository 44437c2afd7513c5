# texts.sh: cleavecc makes all the text of programs that other tests compile and run: it finds no mistake of
# its own and ends as it should. A test of the sanitized build: what g++ and nvcc make of the text is the
# default build's affair.
set -eu
# shellcheck source=testsuite/text.sh
. "$SRC/testsuite/text.sh"

generate() { # generate SOURCE FLAG...
    source=$1
    shift
    generate_text kept "$SRC/testsuite/$source" -O1 --cleave-emit=exhaustive "$@" -I"$SRC" -I"$SRC/testsuite" \
        -I"$SRC/testsuite/codegen/programs"
    name=$(basename "${source%.*}")
    for text in "kept/$name.cleave.cu" "kept/$name.cleave.${source##*.}"; do
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
for name in arrays hydra mgcfd scatter volna; do
    generate kernels/$name.c
done
for name in aero/aero jac/jac_mixed lulesh/grouped lulesh/separate; do
    generate ../examples/$name.c
done
generate ../examples/reduction/reduction.cpp
generate ../examples/miniaero/miniaero.cpp --cleave-soa=auto
generate bench/gpu_bench_hydra.c --cleave-reciprocals=merged
generate bench/gpu_bench_airfoil.c --cleave-soa=all
