#!/bin/sh
# beside.sh: sums, minima, maxima and data that is worked on in place, in one loop: every variant of
# the emulated GPU and of OpenMP gives the results of the sequential reference, and each schedule and
# race resolution that can have them is there.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit=all -O0 -I"$SRC/testsuite/codegen/programs" \
    "$SRC/testsuite/endtoend/beside.c" -o beside 2>notes
if grep -E 'error|warning|sequentially|whole' notes; then
    echo "a loop is not taken apart"
    exit 1
fi
CLEAVE_BACKEND=seq ./beside >expected
test "$(grep -c '^= ' expected)" = 9
CLEAVE_VARIANT=list ./beside >variants

for loop in sums_beside_extrema floats many; do
    for form in fused_colour fused_atomic fused_global_colour split_colour split_atomic split_gather_c2_r64 \
        split_gather_direct_c2_r64 split_ordered_c2_r72 split_transpose split_transpose_merge loops_colour \
        loops_atomic loops_global_colour twopass owner owner_staged_r128; do
        grep -q "^cuda $loop ${loop}_$form$" variants || { echo "no variant ${loop}_$form"; exit 1; }
    done
done
for loop in sums_beside_extrema floats many; do # none of few components
    slices=$(grep -c "^cuda $loop ${loop}_split_slices2_c2_r64$" variants) || true
    case $loop in
    floats) [ "$slices" = 0 ] ;;
    *) [ "$slices" = 1 ] ;;
    esac || { echo "$loop: $slices variants in slices"; exit 1; }
done
for form in fused_colour fused_global_colour; do
    grep -q "^cuda sums_in_place sums_in_place_$form$" variants ||
        { echo "no variant sums_in_place_$form"; exit 1; }
done

while read -r backend loop variant; do
    for size in 7 32; do
        env CLEAVE_BACKEND="$backend" CLEAVE_VARIANT="$variant" CLEAVE_BLOCK_SIZE=$size \
            CLEAVE_CHECK_PLAN=1 CLEAVE_EMU_ORDER=random:$size ./beside >out 2>err ||
            { echo "$variant on $backend fails"; cat err; exit 1; }
        diff expected out || { echo "$variant on $backend, blocks of $size: differs"; exit 1; }
    done
done <variants
echo "$(wc -l <variants) variants"
