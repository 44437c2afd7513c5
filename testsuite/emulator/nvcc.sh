# nvcc.sh: the device headers compile with nvcc for sm_90, everything in them instantiated, and without
# warnings. Argument: nvcc; the test is skipped without it.
set -eu
nvcc=${1:-}
[ -n "$nvcc" ] && [ -x "$nvcc" ] || exit 77
for name in primitives faults; do
    "$nvcc" -std=c++17 -arch=sm_90 -Xcompiler -Wall,-Wextra -I"$SRC/runtime" -I"$SRC/testsuite" \
        -c "$SRC/testsuite/emulator/$name.cu" -o $name.o >log 2>&1 || {
        cat log >&2
        exit 1
    }
    if [ -s log ]; then
        cat log >&2
        exit 1
    fi
done
