# nvcc.sh: generated CUDA compiles for sm_90 and shows kernels by their own names.
set -eu
emit=$1
[ -n "${2:-}" ] || { echo "nvcc not found"; exit 77; }
"$emit" cuda all c > mesh.cu
"$2" -arch=sm_90 -std=c++17 -I"$SRC/runtime" -c mesh.cu -o mesh.o
nm mesh.o | grep -q ' R cleave_unit_cuda_0123456789abcdef$'
for kernel in save_soln_direct res_calc_fused_colour res_calc_fused_atomic res_calc_split_colour \
    res_calc_split_atomic touch_fused_colour; do
    nm -C mesh.o | grep -q "$kernel(" || { echo "no kernel $kernel"; exit 1; }
done
! grep -nE '<<<|__shared__|threadIdx|blockIdx|__syncthreads|atomicAdd|asm' mesh.cu
