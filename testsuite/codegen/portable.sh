# portable.sh EMIT_FIXTURE NVCC: every variant compiles for the oldest architecture since Volta that this nvcc
# knows, for sm_80, and for the newest, and uses of the instructions that came with sm_80 and sm_90
# those that each has: asynchronous copies, bulk copies and their barriers, wide additions. ptxas
# would refuse the others.
# Unoptimised, which says all about instructions that are written in headers, and takes little time.
set -eu
emit=$1 nvcc=${2:-}
[ -n "$nvcc" ] && [ -x "$nvcc" ] || { echo "nvcc not found"; exit 77; }

# shellcheck source=testsuite/text.sh
. "$SRC/testsuite/text.sh"

compile() { # compile ARCHITECTURE SOURCE: makes code.ptx
    for step in "-ptx -Xcicc -O0 -o code.ptx $2" "-cubin -Xptxas -O0 -o code.cubin code.ptx"; do
        # shellcheck disable=SC2086 # words
        "$nvcc" -arch="sm_$1" -std=c++17 -Werror all-warnings -I"$SRC/runtime/api" -I"$SRC/runtime" $step >log 2>&1 ||
            { echo "$2 for sm_$1:"; cat log; exit 1; }
    done
}

# uses YES|NO ARCHITECTURE SOURCE INSTRUCTION...: code.ptx has them, or has none of them
uses() {
    wanted=$1 where="$3 for sm_$2"
    shift 3
    for instruction in "$@"; do
        found=NO
        ! grep -qE "^[[:space:]]*(@%p[0-9]+ )?$instruction" code.ptx || found=YES
        [ $found = "$wanted" ] || { echo "$where: $instruction: $found, not $wanted"; exit 1; }
    done
}

since_80='cp\.async\.c[ag]\.'
since_90='cp\.async\.bulk\. cp\.reduce\.async\. mbarrier\. fence\.proxy\. red\.global\.add\.v[24]\.f32'
oldest=$("$nvcc" --list-gpu-code | sed -n 's/^sm_//p' | sort -n | awk '$1 >= 70 { print; exit }')
newest=$("$nvcc" --list-gpu-code | sed -n 's/^sm_//p' | sort -n | tail -n 1)

mkdir kept
"$emit" cuda all c >kept/mesh.cleave.cu
cat >wide.c <<'END'
#include "op_seq.h"

static void flux(const float *a, const float *b, float *left, float *right)
{
    for (int k = 0; k < 4; k++) {
        left[k] += a[k] * b[k];
        right[k] -= a[k] * b[k];
    }
}

void loop(op_set edges, op_map ends, op_dat q, op_dat res)
{
    op_par_loop(flux, "flux", edges, op_arg_dat(q, 0, ends, 4, "float", OP_READ),
                op_arg_dat(q, 1, ends, 4, "float", OP_READ),
                op_arg_dat(res, 0, ends, 4, "float", OP_INC),
                op_arg_dat(res, 1, ends, 4, "float", OP_INC));
}
END
generate_text kept wide.c --cleave-emit=all
for name in mesh wide; do
    source=kept/$name.cleave.cu
    case $FULL$name in
    wide) others= ;; # mesh.cleave.cu has all that differs there
    *) others=yes ;;
    esac
    compile 90 "$source"
    case $name in
    mesh) uses YES 90 "$source" "$since_80" 'cp\.async\.bulk\.' 'mbarrier\.' 'cp\.reduce\.async\.' 'fence\.proxy\.' ;;
    wide) uses YES 90 "$source" "$since_80" 'red\.global\.add\.v[24]\.f32' ;;
    esac
    if [ -n "$others" ] && [ "$oldest" -lt 80 ]; then
        compile "$oldest" "$source"
        # shellcheck disable=SC2086 # words
        uses NO "$oldest" "$source" "$since_80" $since_90
    fi
    compile 80 "$source"
    uses YES 80 "$source" "$since_80"
    # shellcheck disable=SC2086 # words
    uses NO 80 "$source" $since_90
    [ -z "$others" ] || compile "$newest" "$source"
done
