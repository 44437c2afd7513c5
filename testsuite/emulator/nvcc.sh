# nvcc.sh: the device headers compile with nvcc, everything in them instantiated, and without warnings:
# for sm_90, and the primitives also for sm_80, which lacks bulk copies, and for the oldest architecture
# since Volta that this nvcc knows, which has no asynchronous copies. Programs that break rules use nothing that
# the others do not: they are left out without FULL. Unoptimised, which says all about the text, and takes half of
# the time. Argument: nvcc; the test is skipped without it.
set -eu
nvcc=${1:-}
[ -n "$nvcc" ] && [ -x "$nvcc" ] || exit 77
oldest=$("$nvcc" --list-gpu-code | sed -n 's/^sm_//p' | sort -n | awk '$1 >= 70 { print; exit }')
for source in "$SRC"/testsuite/emulator/*.cu; do
    code="-gencode arch=compute_90,code=sm_90"
    case $FULL$source in
    yes*) ;;
    *_faults.cu | */faults.cu) continue ;;
    esac
    case $source in
    */primitives.cu | */warps.cu | */copies.cu)
        for arch in 80 "$oldest"; do
            code="$code -gencode arch=compute_$arch,code=sm_$arch"
        done
        ;;
    esac
    # shellcheck disable=SC2086 # $code is several words
    "$nvcc" -std=c++17 -Xcicc -O0 -Xptxas -O0 $code -Xcompiler -Wall,-Wextra -I"$SRC/runtime/api" -I"$SRC/runtime" -I"$SRC/testsuite" \
        -c "$source" -o object.o >log 2>&1 || {
        cat log >&2
        exit 1
    }
    if [ -s log ]; then
        cat log >&2
        exit 1
    fi
done
