#!/bin/sh
# airfoil.sh PART: the airfoil example on the small mesh (20,30), built and run in every way. The rms
# must agree with the published values, and with every other run of the part, to 1e-10 relative.
#   c, cpp    through cleavecc and cleavec++, both schedules: seq and openmp, both ways out of races
#   plain     with cc and c++, without any pass
#   emulator  CUDA code on the CPU, both schedules, both ways out of races
#   verify    every variant of every loop compared with the sequential reference, value by value
#   shuffled  a mesh that is numbered at random, in the runtime's own order of it
#   mesh      mesh files: written and read again, missing, damaged
#   make      the example's Makefile, and that exactly the right files are built again
set -eu
example=$SRC/examples/airfoil
# More threads than some machines have cores: they must not wait actively for one another.
OMP_NUM_THREADS=4
OMP_WAIT_POLICY=passive
export OMP_NUM_THREADS OMP_WAIT_POLICY

fail() {
    echo "airfoil.sh: $*" >&2
    exit 1
}

# Objects that both programs share, compiled once, without cleave.
common_objects() {
    shared=
    for file in "$example/mesh.c" "$example/mesh_file.c" "$example/setup.c" "$SRC"/examples/common/*.c; do
        object=shared_$(basename "$file").o
        ${CC:-cc} -O2 -c "$file" -o "$object"
        shared="$shared $object"
    done
}

# compile NAME SOURCE COMPILER [flag...]: makes the program NAME; nothing may be said on the way.
compile() {
    name=$1 source=$2
    shift 2
    # shellcheck disable=SC2086 # a list of files
    "$@" -O3 "$example/$source" $shared -o "$name" -lm >"$name.err" 2>&1 || {
        cat "$name.err" >&2
        fail "$* could not compile $source"
    }
    [ ! -s "$name.err" ] || {
        cat "$name.err" >&2
        fail "$* says something about $source"
    }
}

# libraries built with sanitizers need them in the program too
sanitizers=$("$CLEAVECC" --showme:link | tr ' ' '\n' | grep '^-fsanitize=' || true)

compile_plain() {
    name=$1 source=$2
    shift 2
    # shellcheck disable=SC2086 # one flag or none
    "$@" $sanitizers -O3 -Wall -Wextra -Werror -I"$SRC/runtime/api" -I"$SRC/runtime" "$example/$source" $shared \
        -L"$BUILD/lib" -lcleave -lgomp -lm -o "$name" || fail "$* could not compile $source"
}

# The published rms after a number of iterations.
published() {
    case $1 in
    100) echo 2.074220547521027e-4 ;;
    1000) echo 8.941029039819376e-8 ;;
    esac
}

# agree VALUE OTHER: to 1e-10 relative.
agree() {
    awk -v a="$1" -v b="$2" 'BEGIN { d = a / b - 1; exit !(d < 1e-10 && d > -1e-10) }'
}

# ran_on BACKEND: every loop of the table in `out` ran there, by itself or in a group (which is another row).
ran_on() {
    awk -v end="($1)" '/^(save_soln|adt_calc|res_calc|bres_calc|update) / { loops += !seen[$1]++
        other += substr($0, length($0) - length(end) + 1) != end }
        END { exit !(loops == 5 && other == 0) }' out
}

# run NAME ITERATIONS [VARIABLE=value...]: runs the program, with the options in `options`, and checks its
# rms against the published value and against the first run of as many iterations.
options=
run() {
    name=$1 iterations=$2
    shift 2
    what="$name, $iterations iterations, $*"
    # shellcheck disable=SC2086 # words
    env "$@" "./$name" --cells=20,30 --iterations="$iterations" --check --verbose $options >out 2>err || {
        cat out err >&2
        fail "$what: exit code not 0"
    }
    case " $* " in
    *BACKEND=[a-z]*) ran_on "$(echo " $*" | sed 's/.* CLEAVE_BACKEND=\([a-z]*\).*/\1/')" || {
        cat out err >&2
        fail "$what: a loop did not run on that backend"
    } ;;
    esac
    grep -q '^CHECK PASSED: ' out || fail "$what: not PASSED"
    rms=$(sed -n "s/^rms after $iterations = //p" out)
    agree "$rms" "$(published "$iterations")" || fail "$what: rms $rms"
    [ -e "first.$iterations" ] || echo "$rms" >"first.$iterations"
    agree "$rms" "$(cat "first.$iterations")" || fail "$what: rms $rms, first run $(cat "first.$iterations")"
    echo "ok: $what: $rms"
}

# variants SOURCE COMPILER: both schedules on the host.
variants() {
    source=$1 compiler=$2
    common_objects
    for emit in fused split; do
        compile "airfoil_$emit" "$source" "$compiler" --cleave-arch=none --cleave-emit=$emit
        run "airfoil_$emit" 100 CLEAVE_BACKEND=seq
        run "airfoil_$emit" 1000 CLEAVE_BACKEND=openmp CLEAVE_CHECK_PLAN=1
        for races in colour atomic; do
            run "airfoil_$emit" 100 CLEAVE_BACKEND=openmp CLEAVE_RACES=$races
        done
    done
    run airfoil_fused 1000 CLEAVE_BACKEND=seq
}

# Both schedules in one program, chosen when it runs; blocks of several sizes and kinds.
choices() {
    compile airfoil_all airfoil.c "$CLEAVECC" --cleave-arch=none --cleave-emit=all
    for schedule in fused split; do
        run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule CLEAVE_PARTITION=chunks \
            CLEAVE_BLOCK_SIZE=37
        run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule CLEAVE_PARTITION=metis
        run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_SCHEDULE=$schedule CLEAVE_ORDER=reverse
    done
}

# Linked with -static: METIS, a shared library, is left alone, and said so.
without_loader() {
    # shellcheck disable=SC2086 # a list of files
    "$CLEAVECC" --cleave-arch=none --cleave-emit=fused,split -O3 -static "$example/airfoil.c" $shared \
        -o airfoil_static -lm 2>err || fail "-static: $(cat err)"
    # Blocks are partitioned, which split has on the CPU; ranges of a small mesh have nothing to partition.
    run airfoil_static 100 CLEAVE_BACKEND=openmp CLEAVE_PARTITION=metis CLEAVE_SCHEDULE=split
    grep -q 'linked statically and cannot load METIS' err || fail "-static: METIS is not mentioned"
}

emulator() {
    common_objects
    for emit in fused split; do
        compile "airfoil_$emit" airfoil.c "$CLEAVECC" --cleave-arch=emu --cleave-fuse=auto --cleave-emit=$emit
        for races in colour atomic; do
            run "airfoil_$emit" 100 CLEAVE_BACKEND=cuda CLEAVE_RACES=$races CLEAVE_PARTITION=metis
        done
    done
    [ -n "$sanitizers" ] || run airfoil_split 1000 CLEAVE_BACKEND=cuda
    run airfoil_split 100 CLEAVE_BACKEND=cuda CLEAVE_EMU_ORDER=descending
    compile airfoil_cpp airfoil.cpp "$CLEAVECXX" --cleave-arch=emu --cleave-emit=all
    run airfoil_cpp 100 CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=split CLEAVE_EMU_ORDER=random:7
}

plain() {
    common_objects
    compile_plain airfoil_cc airfoil.c "${CC:-cc}" -std=c11
    compile_plain airfoil_cxx airfoil.cpp "${CXX:-c++}" -std=c++17
    for name in airfoil_cc airfoil_cxx; do
        run $name 100 CLEAVE_BACKEND=
        run $name 1000 CLEAVE_BACKEND=seq
    done
}

verify() {
    # No tolerance beyond rounding: variants may only add the increments of a value in another order. With n
    # of them that moves it by at most n units in the last place of the largest number in the sum, and n
    # is counted for each loop; the formula stands in runtime/exec/verify.c.
    CLEAVE_VERIFY_TOLERANCE=0
    export CLEAVE_VERIFY_TOLERANCE
    common_objects
    compile airfoil_all airfoil.c "$CLEAVECC" --cleave-arch=emu --cleave-emit=all
    for schedule in fused split split2 split3 split4 loops twopass owner; do
        for races in colour atomic; do
            run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 CLEAVE_SCHEDULE=$schedule \
                CLEAVE_RACES=$races
            CLEAVE_BACKEND=cuda CLEAVE_VERIFY=1 CLEAVE_SCHEDULE=$schedule CLEAVE_RACES=$races \
                ./airfoil_all --cells=20,30 --iterations=5 >out 2>err || {
                cat out err >&2
                fail "verified emulator run, $schedule, $races"
            }
        done
    done
}

# A random numbering changes the results' rounding alone, whatever the runtime makes of it. op_partition
# names the coordinates.
shuffled() {
    common_objects
    compile airfoil_all airfoil.c "$CLEAVECC" --cleave-arch=emu --cleave-emit=all
    run airfoil_all 100 CLEAVE_BACKEND=seq
    options=--shuffle=7
    run airfoil_all 100 CLEAVE_BACKEND=seq
    run airfoil_all 1000 CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_CHECK_PLAN=1
    for method in default hard chunks hilbert+refine metis; do
        run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_PARTITION=$method \
            CLEAVE_CHECK_PLAN=1 CLEAVE_BLOCK_SIZE=64
    done
    for schedule in fused split twopass owner; do
        run airfoil_all 100 CLEAVE_BACKEND=cuda CLEAVE_RENUMBER=on CLEAVE_SCHEDULE=$schedule
    done
    run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_RENUMBER=on CLEAVE_VERIFY=1
    run airfoil_all 100 CLEAVE_BACKEND=openmp CLEAVE_RACES=colour CLEAVE_RENUMBER=on # says what plans it makes
    grep -q "^mesh order: set 'edges' in .* (bands), 4 sets renumbered, coordinates not needed" out ||
        fail "the order is not shown: $(cat out)"
    reuse=$(sed -n '/^plan for loop .res_calc. /,/reuse/s/.*reuse \([0-9.]*\),.*/\1/p' out)
    awk -v r="$reuse" 'BEGIN { exit !(r > 2.5) }' || fail "res_calc's blocks reuse a point $reuse times"
    options=
}

# refuses STATUS MESSAGE [argument...]: the program ends with STATUS and says what is wrong.
refuses() {
    wanted=$1 message=$2 status=0
    shift 2
    ./airfoil_cc "$@" >out 2>err || status=$?
    [ $status -eq "$wanted" ] || fail "airfoil $*: exit code $status"
    grep -q -F -- "$message" err || {
        cat err >&2
        fail "airfoil $*: does not say '$message'"
    }
}

mesh() {
    common_objects
    compile_plain airfoil_cc airfoil.c "${CC:-cc}"
    run airfoil_cc 100 CLEAVE_BACKEND=seq
    grep '^rms after 100 = ' out >generated
    ./airfoil_cc --cells=20,30 --iterations=100 --verbose --write-mesh=grid.dat >/dev/null 2>&1
    ./airfoil_cc --mesh=grid.dat --iterations=100 --verbose 2>/dev/null | grep '^rms after 100 = ' >from_file
    cmp generated from_file || fail "the mesh read from a file gives another result"
    ! ./airfoil_cc --cells=20,30 --iterations=99 --check >out 2>err || fail "nothing is known, and --check passes"
    ./airfoil_cc --cells=20,30 --iterations=99 >out 2>err || fail "without --check: exit code $?"
    ./airfoil_cc --cells=20,30 --iterations=100 --check >out 2>err || fail "a known run fails with --check"

    refuses 2 'a mesh of 3 x 100000 x 100000 cells cannot be made: it is too large' --cells=100000,100000
    refuses 2 "--output=field.txt: the name must end in .vtu" --output=field.txt
    ./airfoil_cc --cells=20,30 --iterations=1 --shuffle=3 --output=field.vtu >out 2>err || fail "--output: $(cat err)"
    grep -q 'Name="mach"' field.vtu || fail "--output: no Mach number"

    refuses 1 "cannot open mesh file 'nowhere.dat': No such file or directory" --mesh=nowhere.dat
    refuses 1 "cannot create mesh file 'nowhere/grid.dat'" --write-mesh=nowhere/grid.dat --cells=2,2
    sed '2000s/.*/1 2 3 9999/' grid.dat >bad.dat
    refuses 1 'bad.dat:2000: cell 107: node 9999 is outside 0..1890' --mesh=bad.dat
    sed '7s/.*/1.0 x/' grid.dat >bad.dat
    refuses 1 "bad.dat:7: node 5: expected a coordinate, found 'x'" --mesh=bad.dat
    sed '$s/.$/7/' grid.dat >bad.dat
    refuses 1 'bad.dat:7362: boundary edge 139: kind 7 is outside 1..2' --mesh=bad.dat
    sed '1s/.*/1891 1800000 3530 140/' grid.dat >bad.dat
    refuses 1 'bad.dat:1: sizes' --mesh=bad.dat
    head -c 90000 grid.dat >bad.dat
    refuses 1 'the file ends here' --mesh=bad.dat
    : >bad.dat
    refuses 1 'the file ends here' --mesh=bad.dat
}

# rebuilt HEADER: the sources that make compiles again when the header has changed.
rebuilt() {
    touch "$1"
    make CC="$CLEAVECC" CXX="$CLEAVECXX" CFLAGS="-O1 -MMD" >log 2>&1 || {
        cat log >&2
        fail "make after a change of $1"
    }
    sed -n 's|.*[ /]\([a-z0-9_]*\.c\)$|\1|p' log | sort | tr '\n' ' '
}

with_make() {
    CLEAVE_ARCH=none
    export CLEAVE_ARCH
    mkdir airfoil common
    cp "$SRC"/examples/common/*.[ch] common/
    cp "$example"/*.c "$example"/*.h "$example/Makefile" airfoil/
    cd airfoil
    [ "$(rebuilt mesh.h)" = "airfoil.c c_grid.c mesh.c mesh_file.c output.c output_hdf5.c permute.c run.c setup.c " ] ||
        fail "first build: $(cat log)"
    cp airfoil airfoil_make
    run airfoil_make 100 CLEAVE_BACKEND=openmp
    [ "$(rebuilt res_calc.h)" = "airfoil.c " ] || fail "res_calc.h changed: $(cat log)"
    [ "$(rebuilt mesh.h)" = "airfoil.c mesh.c mesh_file.c setup.c " ] || fail "mesh.h: $(cat log)"
    [ "$(rebuilt ../common/run.h)" = "airfoil.c run.c setup.c " ] || fail "run.h changed: $(cat log)"
    "$CLEAVECC" -O1 ./*.c ../common/*.c -o airfoil_at_once -lm 2>err || fail "all sources at once: $(cat err)"
    run airfoil_at_once 100 CLEAVE_BACKEND=openmp
}

case $1 in
c)
    variants airfoil.c "$CLEAVECC"
    choices
    [ -n "$sanitizers" ] || without_loader # sanitizers cannot be linked statically
    ;;
cpp) variants airfoil.cpp "$CLEAVECXX" ;;
plain | emulator | verify | shuffled | mesh) "$1" ;;
make) with_make ;;
*) fail "unknown part '$1'" ;;
esac
