# programs.sh: whole programs whose loops use the types, shapes, bodies and names that generated code
# must get right. What they print has to be the same, bit for bit, on each backend and with each
# schedule and race resolution; the loops that run sequentially are those that the program's first
# comment names; compilers say nothing about generated code, which names no CUDA of its own.
set -eu
programs=$SRC/testsuite/codegen/programs
nvcc=${1:-}

build() { # build FILE LANGUAGE
    case $2 in
    c) compiler=$CLEAVECC ;;
    c++) compiler="$CLEAVECXX -x c++" ;;
    esac
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -O0 -ffp-contract=off --cleave-arch=emu --cleave-emit=all \
        --cleave-keep="$name" \
        "$programs/$1" -x none -o "$name.run" 2>"$name.build" || { cat "$name.build"; exit 1; }
    if grep -E 'warning:|error:' "$name.build"; then
        echo "$name: a compiler complains"
        exit 1
    fi
}

run() { # run ENV...
    env CLEAVE_CHECK_PLAN=1 "$@" "./$name.run" >"$name.out" 2>"$name.err" ||
        { echo "$name, $*: failed"; cat "$name.err"; exit 1; }
    diff "$name.ref" "$name.out" || { echo "$name, $*: differs from the reference"; exit 1; }
    sed -n 's/.*\(runs sequentially: .*\)/\1/p' "$name.err" | sort -u | diff "$name.expected" - ||
        { echo "$name, $*: other loops than expected run sequentially"; exit 1; }
    if grep -E 'warning|error' "$name.err"; then
        echo "$name, $*: unexpected message"
        exit 1
    fi
}

check_text() { # check_text [nvcc]
    if grep -nE '<<<|asm|__shared__|__global__|__device__|__constant__|__syncthreads|__shfl|atomic[A-Z]|(threadIdx|blockIdx|blockDim|gridDim)\.' \
        "$name"/*.cleave.cu; then
        echo "$name: CUDA of its own"
        exit 1
    fi
    for text in "$name"/*.cleave.c "$name"/*.cleave.cpp; do
        case $text in
        *.c) compiler=${CC:-cc} ;;
        *.cpp) compiler=${CXX:-c++} ;;
        esac
        # Text that was taken whole begins with the typedefs in sight, used or not.
        [ ! -f "$text" ] || "$compiler" -Wall -Wextra -Werror -Wno-unused-local-typedefs -fopenmp \
            -fsyntax-only -I"$SRC/runtime" "$text"
    done
    if [ -n "$1" ] && [ -n "$nvcc" ]; then
        "$nvcc" -arch=sm_90 -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror \
            -I"$SRC/runtime" -c "$name"/*.cleave.cu -o "$name.o"
    fi
}

check() { # check FILE LANGUAGE [nvcc]
    name=$1.$2
    build "$1" "$2"
    sed -n 's|^ \* \(runs sequentially: .*\)|\1|p' "$programs/$1" | sort -u >"$name.expected"
    CLEAVE_BACKEND=seq "./$name.run" >"$name.ref"
    for schedule in fused split split2 split3 split4 loops twopass owner; do
        run CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule
        run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=atomic
    done
    for schedule in fused split split2 split3 split4 loops; do # where colours resolve races
        run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=colour
    done
    for schedule in split split2 split3 split4; do
        run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=gather
    done
    run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_RACES=gather CLEAVE_READS=direct
    run CLEAVE_BACKEND=openmp CLEAVE_BLOCK_SIZE=1
    run CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=1 CLEAVE_RACES=colour
    run CLEAVE_BACKEND=cuda CLEAVE_BLOCK_SIZE=40 CLEAVE_EMU_ORDER=random:1 CLEAVE_RACES=colour
    check_text "${3:-}"
    echo "$name: $(grep -c '^=' "$name.ref") results equal everywhere"
}

check types.c c
check stages.c c nvcc
check stages.c c++
check shapes.c c
check records.c c nvcc
stored=$(sed -n 's/.*cleave_store(cleave_dat_\([a-z]*\) .*/\1/p' records.c.c/*.cleave.cu | xargs)
[ "$stored" = "both three single number flag both from to mean" ] ||
    { echo "records.c: whole records are stored of: $stored"; exit 1; }
check bodies.c c
check whole.c c nvcc
check whole.c c++
check names.c c nvcc
check language.cpp c++ nvcc
check limits.c c nvcc
grep -q "note: loop '.*' (.*) runs on the CPU: " limits.c.c.err || { cat limits.c.c.err; echo "limits.c: a loop without CUDA variants is not named"; exit 1; }
