# emulator.sh: generated CUDA computes under the emulator what plain loops do, with every variant and
# in three orders of threads; the emulator checks barriers and shared memory meanwhile.
set -eu
emit=$1
emulator=$SRC/testsuite/emulator
[ -f "$BUILD/lib/libcleave_emulator.a" ] || { echo "the emulator is not built"; exit 77; }
"$emit" cuda all c > mesh.cu
g++ -std=c++17 -Wall -Wextra -Werror -Wno-maybe-uninitialized -O1 -DCLEAVE_EMULATOR -I"$emulator" -I"$emulator/include" \
    -I"$SRC/runtime/api" -I"$SRC/runtime" -x c++ -c mesh.cu -o mesh.o
gcc -std=c11 -D_GNU_SOURCE -O1 -I"$SRC" -I"$SRC/runtime/api" -I"$SRC/runtime" -c "$SRC"/testsuite/codegen/run_mesh*.c
sanitize=
if nm "$BUILD/lib/libcleave_emulator.a" 2>/dev/null | grep -q __asan_init; then
    sanitize=-fsanitize=address,undefined
fi
# shellcheck disable=SC2086
g++ ./*.o $sanitize "$BUILD/lib/libcleave_emulator.a" -L"$BUILD/lib" -lcleave -fopenmp -ldl -lm -o run
for order in ascending descending random:7; do
    CLEAVE_EMU_ORDER=$order ./run > run.txt || { echo "order $order"; cat run.txt; exit 1; }
done
for variant in res_calc_fused_colour res_calc_fused_atomic res_calc_split_colour res_calc_split_atomic \
    res_calc_split_gather_c2_r64 res_calc_split_gather_direct_c2_r64 res_calc_split2_gather_c2_r64 \
    res_calc_split_ordered_c2_r72 corners_split_ordered_c2_r72 peak_split_ordered_c2_r72 \
    res_calc_split_gather_packed_c2_r64 res_calc_owner_staged_packed_r128 \
    res_calc_split_gather_bulk_c2_r64 \
    res_calc_split_transpose res_calc_split_transpose_merge peak_split_gather_c2_r64 \
    res_calc_split2_colour res_calc_split2_atomic res_calc_loops_colour res_calc_loops_atomic \
    res_calc_twopass res_calc_owner res_calc_owner_batch_r80 corners_owner_batch_r80 res_calc_owner_own_r64 res_calc_owner_staged_r128 corners_loops_atomic corners_owner \
    corners_owner_staged_r128 peak_owner_staged_r128 peak_owner_staged_items_r128 peak_fused_atomic \
    peak_split_colour peak_split_atomic peak_loops_atomic peak_twopass peak_owner \
    res_calc_fused_global_colour corners_fused_global_colour touch_fused_global_colour \
    res_calc_loops_global_colour peak_loops_global_colour \
    peak_fused_global_colour number_direct maybe_fused_global_colour; do
    grep -q "^ok   $variant, blocks of 100$" run.txt || { echo "$variant did not run"; exit 1; }
done
# Points that gather need not read zeros.
for variant in res_calc_owner res_calc_owner_batch_r80 res_calc_owner_own_r64 res_calc_owner_named_r64 \
    res_calc_owner_staged_r128 corners_owner corners_owner_staged_r128; do
    grep -q "^ok   $variant, blocks of 100, zeros not read$" run.txt || { echo "$variant does not begin with zeros"; exit 1; }
done
