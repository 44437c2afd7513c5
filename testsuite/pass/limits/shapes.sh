#!/bin/sh
# Deep and long programs: cleavecc reads each, in bounded time and memory, or says where and why it leaves a
# body whole. By hand, all shapes in another size: SIZE=4000 testsuite/run.sh . build $PWD/testsuite/pass/limits/shapes.sh
set -eu
here=$SRC/testsuite/pass/limits
size=${SIZE:-1000}
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

fail() {
    echo "failed: $1"
    cut -c 1-300 err | head -n 5
    exit 1
}

write() { # write SHAPE SIZE: into $file, and $compiler for it
    file=$1.c compiler=$CLEAVECC
    case $1 in templates) file=$1.cpp compiler=$CLEAVECXX ;; esac
    sh "$here/shape" "$1" "$2" >"$file"
}

# Within 4 GiB and 20 s of the processor, which no shape comes near to.
bounded() {
    (ulimit -v 4194304 && ulimit -t 20 && exec "$@") >out 2>err
}

analyse() { # analyse SHAPE SIZE
    write "$1" "$2"
    bounded "$compiler" --cleave-arch=none '-###' -c "$file" || fail "$1 of $2"
    ! grep -q 'cleavecc crashed' err || fail "$1 of $2 crashes cleavecc"
    grep -q cleave_unit err || grep -q -e '-DCLEAVE_UNIT' err || grep -q 'runs sequentially' err ||
        fail "the loop of $1 of $2 is lost"
}

for shape in $(sh "$here/shape"); do
    case $shape in
    templates) analyse $shape 800 ;; # the host compiler's limit is 900
    kernels | loops) analyse $shape $((size / 4)) ;;
    *) analyse "$shape" "$size" ;;
    esac
done

says() { # says SHAPE SIZE TEXT: a note with file and line
    analyse "$1" "$2"
    grep -q "^$file:[0-9]*:[0-9]*: .*$3" err || fail "$1 of $2 does not say '$3'"
}
says elseifs 600 'is not split into stages: its conditions are nested more than 100 deep'
says diamond 40 'is not split into stages: its body comes to more than 20000 values'
says chain 100 'is not split into stages: calls are nested more than 64 deep'
says pointers 100 'is not analysed: a type of more than 64 levels'
says indirect_dim 1000000000 "the components of argument 2, 'node', are 1000000000"
says global_dim 1000000000 "the components of argument 3, 'total', are 1000000000"
says map_index 1000000000 "the map index of argument 2, 'node', is 1000000000"

# Through the compilers, with the sequential result.
for shape in 'sum 4000' 'casts 1000' 'parentheses 300' 'elseifs 400' 'ternaries 300' 'chain 100'; do
    write ${shape% *} ${shape#* }
    bounded "$compiler" --cleave-arch=none --cleave-emit=fused -O0 "$file" -o program || fail "$shape: no program"
    CLEAVE_BACKEND=seq ./program >expected 2>err || fail "$shape: seq"
    CLEAVE_BACKEND=openmp ./program >out 2>err || fail "$shape: openmp"
    cmp expected out || fail "$shape: another result"
    ! grep -q . err || fail "$shape: runs sequentially"
done
ls -A tmp | grep . && fail "temporary files are left"
exit 0
