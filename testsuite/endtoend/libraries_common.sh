# libraries_common.sh: sourced by libraries.sh and opened.sh: libraries whose sources have one relative
# path, one kernel name and one text of the call.
here=$SRC/testsuite/endtoend
# Each library may hold a copy of the runtime; which one serves is what these tests are about.
ASAN_OPTIONS=detect_odr_violation=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

fail() { # fail MESSAGE FILE...
    echo "failed: $1"
    shift
    [ $# -eq 0 ] || cat "$@"
    exit 1
}

library() { # library FOLDER FUNCTION BODY: writes FOLDER/source.c
    mkdir -p "$1"
    cat >"$1/source.c" <<END
#include "op_seq.h"
static double scale;
static void fill(double *out) { *out = $3; }
#ifdef __cplusplus
extern "C"
#endif
void $2(op_set cells, op_dat out, double value);
void $2(op_set cells, op_dat out, double value)
{
    scale = value;
    op_decl_const(1, "double", &scale);
    op_par_loop(fill, "fill", cells, op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
}
END
}

compile() { # compile FOLDER FLAGS...: there, with paths that do not tell the folders apart
    (cd "$1" && shift && $CLEAVECC --cleave-emit=fused "-ffile-prefix-map=$PWD=." -c source.c "$@")
}
