# nvcc.sh: generated CUDA of every schedule compiles for sm_90 without warnings, shows kernels by their own names, and
# waits for the launch before it where it accesses memory.
set -eu
emit=$1
[ -n "${2:-}" ] || { echo "nvcc not found"; exit 77; }
"$emit" cuda all c > mesh.cu
"$2" -arch=sm_90 -std=c++17 -keep -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror \
    -I"$SRC/runtime/api" -I"$SRC/runtime" -c mesh.cu -o mesh.o
nm mesh.o | grep -q ' R cleave_unit_cuda$'
nm -C mesh.o > symbols
for kernel in save_soln_direct res_calc_fused_colour res_calc_fused_atomic res_calc_split_colour \
    res_calc_split_atomic res_calc_split2_colour res_calc_split2_atomic res_calc_loops_1 \
    res_calc_loops_colour_3 res_calc_loops_atomic_3 res_calc_twopass_1 res_calc_twopass_2 \
    res_calc_owner_1 corners_owner_1 corners_owner_2 touch_fused_colour peak_twopass_3; do
    grep -q "$kernel(" symbols || { echo "no kernel $kernel"; exit 1; }
done
! grep -nE '<<<|__shared__|threadIdx|blockIdx|__syncthreads|atomic[A-Z]|asm' mesh.cu
# Each kernel waits once, before the first access to global memory.
awk '/^\.(visible |weak )?\.?entry|\.entry / { kernel = $0; kernels++; waited = 0 }
    /griddepcontrol\.wait/ { waited++; waits++ }
    /(ld|st|red|atom)[a-z.]*\.global|cp\.async/ && !waited { print "accesses memory early: " kernel; early = 1 }
    END { if (early || kernels == 0 || waits != kernels) { print kernels " kernels, " waits " waits"; exit 1 } }' mesh.ptx
