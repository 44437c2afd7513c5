# programs.sh PROGRAM LANGUAGE [NVCC]: a program whose loops use the types, shapes, bodies and names that
# generated code must get right. What it prints has to be the same, bit for bit, on each backend and with
# each schedule and race resolution; the loops that run sequentially are those that its first comment
# names; compilers say nothing about generated code, which names no CUDA of its own.
# stages.c is about the schedules; the others have few of them, but with FULL. What sanitizers can find is in
# cleavecc and in the runtime: where they are built with them, all text is generated, and with FULL a few schedules
# are compiled and run, too; nvcc reads none.
set -eu
# shellcheck source=testsuite/text.sh
. "$SRC/testsuite/text.sh"
program=$1 language=$2 nvcc=${3:-}
programs=$SRC/testsuite/codegen/programs
schedules=$SCHEDULES emit=$EMIT
case $SANITIZED$program in
yes*) schedules="fused split twopass owner" emit=fused,split,twopass,owner ;;
stages.c) schedules="fused split split2 split3 split4 loops twopass owner" emit=all ;;
esac
case $language in
c) compiler=$CLEAVECC ;;
c++) compiler="$CLEAVECXX -x c++" ;;
esac

with_schedules() { # with_schedules NAME...: those of them that are compiled
    for schedule in "$@"; do
        case " $schedules " in *" $schedule "*) echo "$schedule" ;; esac
    done
}

build() {
    # shellcheck disable=SC2086 # words
    $compiler -Wall -Wextra -O0 -ffp-contract=off --cleave-arch=emu --cleave-emit=$emit \
        --cleave-keep=kept "$programs/$program" -x none -o run 2>build.log || { cat build.log; exit 1; }
    if grep -E 'warning:|error:' build.log; then
        echo "$program: a compiler complains"
        exit 1
    fi
}

# The text of a level.
generate() { # generate EMIT
    flags=
    [ "$language" = c ] || flags="-x c++"
    # shellcheck disable=SC2086 # words
    generate_text all "$programs/$program" --cleave-emit="$1" $flags
    [ -s all/"${program%.*}".cleave.cu ] || { echo "$program: no text"; exit 1; }
}

run() { # run ENV...
    env CLEAVE_CHECK_PLAN=1 "$@" ./run >out 2>err || { echo "$program, $*: failed"; cat err; exit 1; }
    diff reference out || { echo "$program, $*: differs from the reference"; exit 1; }
    sed -n 's/.*\(runs sequentially: .*\)/\1/p' err | sort -u | diff expected - ||
        { echo "$program, $*: other loops than expected run sequentially"; exit 1; }
    if grep -E 'warning|error' err; then
        echo "$program, $*: unexpected message"
        exit 1
    fi
}

check_text() {
    if grep -nE '<<<|asm|__shared__|__global__|__device__|__constant__|__syncthreads|__shfl|atomic[A-Z]|\b(threadIdx|blockIdx|blockDim|gridDim)\.' \
        kept/*.cleave.cu; then
        echo "$program: CUDA of its own"
        exit 1
    fi
    for text in kept/*.cleave.c kept/*.cleave.cpp; do
        case $text in
        *.c) host=${CC:-cc} ;;
        *.cpp) host=${CXX:-c++} ;;
        esac
        # Text that was taken whole begins with the typedefs in sight, used or not.
        [ ! -f "$text" ] || "$host" -Wall -Wextra -Werror -Wno-unused-local-typedefs -fopenmp \
            -fsyntax-only -I"$SRC/runtime/api" -I"$SRC/runtime" "$text"
    done
}

# Without optimisation, which takes most of nvcc's time and says nothing about the text.
check_device_text() {
    "$nvcc" -arch=sm_90 -std=c++17 -Xcicc -O0 -Xptxas -O0 -Werror all-warnings \
        -Xcompiler -Wall,-Wextra,-Werror -I"$SRC/runtime/api" -I"$SRC/runtime" -c kept/*.cleave.cu -o device.o
}

if [ -n "$SANITIZED" ]; then
    case $program in
    bodies.c | limits.c) generate $emit ;; # with all, their long sums take cleavecc minutes here
    *) generate exhaustive ;;
    esac
    [ -n "$FULL" ] || exit 0
fi
build
sed -n 's|^ \* \(runs sequentially: .*\)|\1|p' "$programs/$program" | sort -u >expected
CLEAVE_BACKEND=seq ./run >reference
for schedule in $schedules; do
    run CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE="$schedule"
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE="$schedule" CLEAVE_RACES=atomic
done
for schedule in $(with_schedules fused split split2 split3 split4 loops); do # where colours resolve races
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE="$schedule" CLEAVE_RACES=colour
done
for schedule in $(with_schedules split split2 split3 split4); do
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE="$schedule" CLEAVE_RACES=gather
done
run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_READS=direct
run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=ordered
run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=fused CLEAVE_RACES=global
for schedule in $(with_schedules loops); do
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE="$schedule" CLEAVE_RACES=global
done
run CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=1
run CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=1 CLEAVE_RACES=colour
run CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=40 CLEAVE_EMU_ORDER=random:1 CLEAVE_RACES=colour
check_text
if [ -z "$SANITIZED" ] && [ -n "$nvcc" ]; then
    check_device_text
fi
case $program in
limits.c)
    grep -q "note: loop '.*' (.*) runs on the CPU: " err ||
        { cat err; echo "limits.c: a loop without CUDA variants is not named"; exit 1; }
    ;;
records.c)
    stored=$(sed -n 's/.*cleave_store(cleave_dat_\([a-z]*\) .*/\1/p' kept/*.cleave.cu | xargs)
    [ "$stored" = "both three single flag single number flag both from to mean" ] ||
        { echo "records.c: whole records are stored of: $stored"; exit 1; }
    rows=$(sed -n 's/.*cleave_rows_store(cleave_area, cleave_dat_\([a-z]*\) .*/\1/p' kept/*.cleave.cu | xargs)
    [ "$rows" = "three number" ] || { echo "records.c: warps store records of: $rows"; exit 1; }
    ;;
esac
echo "$program: $(grep -c '^=' reference) results equal everywhere"
