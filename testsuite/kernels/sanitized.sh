# sanitized.sh PROGRAM: a kernel program whose generated text is sanitized, too, in lanes and without: the address and
# undefined behaviour sanitizers find nothing, and both compute the same bits.
set -eu
program=$1
cleavecc=$BUILD/bin/cleavecc
printf '#include <stdlib.h>\nint main(void) { return 0; }\n' >empty.c
if ! "${CC:-cc}" -fsanitize=address,undefined empty.c -o empty 2>err || ! ./empty; then
    echo "the compiler has no sanitizers"
    exit 77
fi
"$cleavecc" --cleave-arch=none --cleave-emit=fused -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
    "-I$SRC/testsuite/kernels" "$SRC/testsuite/kernels/$program" -o program 2>notes
CLEAVE_VARIANT=list ./program >list
grep -q '_lanes$' list || { echo "$program: no loop has lanes:" && cat list notes && exit 1; } >&2
for size in 32 256; do
    for lanes in off 16; do
        CLEAVE_BACKEND=openmp OMP_NUM_THREADS=3 CLEAVE_BLOCK_SIZE=$size CLEAVE_LANES=$lanes ./program >$lanes
    done
    cmp off 16
done
# Other widths have not been compiled.
if CLEAVE_BACKEND=openmp CLEAVE_LANES=32 ./program >out 2>&1; then
    echo "$program: CLEAVE_LANES=32 is not refused" >&2
    exit 1
fi
grep -qE 'is not compiled for registers of 32 bytes|this machine has no registers of 32' out
