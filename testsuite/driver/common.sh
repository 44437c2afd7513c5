# common.sh: sourced by the scripts of this folder. Copies the programs here, so that what is compiled
# has the same names everywhere; no GPU code unless a script asks for it.
here=$SRC/testsuite/driver
cp "$here"/*.c "$here"/*.h .
for variable in EMIT ARCH ACCESS ALIAS KEEP DUMP TIME HOST VERBOSE CC CXX NVCC; do
    unset "CLEAVE_$variable"
done
CLEAVE_ARCH=none
export CLEAVE_ARCH

fail() { # fail MESSAGE FILE...: the message, the files, the end
    echo "failed: $1"
    shift
    [ $# -eq 0 ] || cat "$@"
    exit 1
}

# The host compilers that this build of cleave stands for.
HOST_CC=$("$CLEAVECC" --cleave-version | sed -n 's/^host compiler: //p')
HOST_CXX=$("$CLEAVECXX" --cleave-version | sed -n 's/^host compiler: //p')
INCLUDE=$("$CLEAVECC" --cleave-version | sed -n 's/^headers: //p')

same() { # same NAME FILE1 FILE2
    cmp "$2" "$3" || fail "$1 differs from the host compiler's"
}

left_over() { # nothing of cleavecc's is left in TMPDIR or here
    ls -A "$TMPDIR" | grep . && fail "temporary files are left"
    ls -A | grep '\.tmp$' && fail "temporary files are left beside the output"
    return 0
}
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

check_ring() { # check_ring PROGRAM [ENV...]: right on each CPU backend, without a word
    program=$1
    shift
    for backend in seq openmp; do
        env CLEAVE_BACKEND=$backend "$@" "$program" >run.out 2>run.err ||
            fail "$program: cannot run on $backend" run.out run.err
        grep -qx 'sum 90' run.out || fail "$program: wrong on $backend" run.out run.err
        grep -q . run.err && fail "$program: says something on $backend" run.err
    done
    return 0
}
