#!/bin/sh
# Fixed random chains of loops that share dats, with the host in between: groups of them run as one kernel, and the
# program prints what it does loop by loop. Thousands of others find what is rare (testsuite/README.md).
set -eu
check() { # check SEED COUNT [option...]
    seed=$1 count=$2
    shift 2
    sh "$SRC/testsuite/fuzz/run" --chains --build "$BUILD" --seed "$seed" --count "$count" \
        --batch $((count / 2)) --language c --backends cuda "$@" >out || { cat out; exit 1; }
    cat out
    # Without any group everything would agree, too.
    launches=$(sed -n 's/.* calls ran in \([0-9]*\) launches of groups.*/\1/p' out)
    [ "${launches:-0}" -ge "$count" ] || { echo "only ${launches:-0} launches of groups"; exit 1; }
    case $* in
    *gather*)
        gathers=$(sed -n 's/.* were compiled, \([0-9]*\) of which gather.*/\1/p' out)
        [ "${gathers:-0}" -ge $((count / 2)) ] || { echo "only ${gathers:-0} groups gather"; exit 1; }
        ;;
    esac
}

# On the CPU, chains run tile by tile on one to three threads. The compiler must not exchange arguments of fmax and fmin
# in one of a loop's two texts alone, for vectors and for single elements: C leaves the sign of a zero open.
check_tiles() { # check_tiles SEED COUNT
    sh "$SRC/testsuite/fuzz/run" --chains --build "$BUILD" --seed "$1" --count "$2" --batch $(($2 / 2)) --language c \
        --backends openmp --inexact --flags "$contracted -fno-builtin-fmax -fno-builtin-fmin -fno-builtin-fmaxf -fno-builtin-fminf" \
        >out || { cat out; exit 1; }
    cat out
    runs=$(sed -n 's/.* calls ran in \([0-9]*\) runs in tiles.*/\1/p' out)
    [ "${runs:-0}" -ge $((8 * $2)) ] || { echo "only ${runs:-0} runs in tiles"; exit 1; }
}

# Sums that are rounded have the same bits with and without groups where their order is fixed, whatever the
# compiler contracts.
contracted='-O1 -fexpensive-optimizations'
! grep -qw fma /proc/cpuinfo || contracted="$contracted -mfma"

check 1 12 --schedules fast
check 13 4 --schedules fast --fuse gather
check 1 8 --schedules fast --gathers --variations 3
check 50028 4 --schedules fast --gathers # 50031: zeros in a dat that got a second buffer
check 28 3 --schedules fast --passes --language c++ # 29: two loops of a group replace a dat
check 41046 8 --schedules fast --fuse gather --inexact --flags "$contracted"
check_tiles 51 6
check 31 6 # with all that CLEAVE_DETERMINISTIC=1 needs
[ -z "$FULL" ] || check 101 100
[ -z "$FULL" ] || check_tiles 301 100
[ -z "$FULL" ] || check 201 100 --inexact --fuse gather --flags "$contracted"
[ -z "$FULL" ] || check 301 64 --schedules fast --gathers --variations 8
[ -z "$FULL" ] || check 401 64 --schedules fast --gathers --variations 8 --inexact --flags "$contracted"
