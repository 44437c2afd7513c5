#!/bin/sh
# emit.sh: which variants the levels of --cleave-emit compile: fast has one of each loop and back end, which
# runs everywhere; auto leaves out kernels that differ in their parameters alone; candidates has them.
set -eu
. "$SRC/testsuite/driver/common.sh"
[ -f "$BUILD/lib/libcleave_emulator.a" ] || exit 77

cat >many.c <<'EOF'
#include "op_seq.h"

static void flux(const double *a, const double *b, double *left, double *right)
{
    for (int k = 0; k < 6; k++) {
        left[k] += a[k] * b[k];
        right[k] -= a[k] * b[k];
    }
}

static void scale(double *q) { q[0] *= 0.5; }

static void norm(const double *q, double *sum) { *sum += q[0] * q[0]; }

int main(int argc, char **argv)
{
    static int map[80];
    static double x[240], r[240], sum;
    for (int i = 0; i < 80; i++) {
        map[i] = (i + 1) / 2 % 40;
    }
    for (int i = 0; i < 240; i++) {
        x[i] = i % 7;
    }
    op_init(argc, argv, 1);
    op_set edges = op_decl_set(40, "edges"), points = op_decl_set(40, "points");
    op_map ends = op_decl_map(edges, points, 2, map, "ends");
    op_dat p = op_decl_dat(points, 6, "double", x, "p"), q = op_decl_dat(points, 6, "double", r, "q");
    op_par_loop(flux, "flux", edges, op_arg_dat(p, 0, ends, 6, "double", OP_READ),
                op_arg_dat(p, 1, ends, 6, "double", OP_READ), op_arg_dat(q, 0, ends, 6, "double", OP_INC),
                op_arg_dat(q, 1, ends, 6, "double", OP_INC));
    op_par_loop(scale, "scale", points, op_arg_dat(q, -1, OP_ID, 6, "double", OP_RW));
    op_par_loop(norm, "norm", points, op_arg_dat(q, -1, OP_ID, 6, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    op_printf("sum %g\n", sum);
    op_exit();
    return 0;
}
EOF
"$CLEAVECC" --cleave-arch=emu --cleave-emit=fast many.c -o many || fail "fast"
CLEAVE_VARIANT=list ./many >variants
sort -u variants >different
printf '%s\n' 'cuda flux flux_fused_atomic' 'cuda norm norm_direct' 'cuda scale scale_direct' \
    'cuda scale+norm group0_scale_norm_direct' \
    'openmp flux flux_fused_range' 'openmp norm norm_direct' 'openmp scale scale_direct' | diff - different ||
    fail "fast has other variants" variants
CLEAVE_BACKEND=seq ./many >expected
grep -q '^sum [1-9]' expected || fail "no sum" expected
for setting in CLEAVE_VERIFY=1 CLEAVE_DETERMINISTIC=1 CLEAVE_RACES=colour CLEAVE_SCHEDULE=split; do
    for backend in openmp cuda; do
        env CLEAVE_BACKEND=$backend $setting ./many >out 2>err || fail "fast, $backend, $setting" err
        diff expected out || fail "fast, $backend, $setting: differs" err
    done
done
CLEAVE_BACKEND=cuda CLEAVE_DETERMINISTIC=1 ./many 2>err >out
grep -q "'flux' .*no variant that was compiled for .* adds in a fixed order, as CLEAVE_DETERMINISTIC=1" err ||
    fail "CLEAVE_DETERMINISTIC=1 says nothing" err

# The text alone, by compilers that make empty objects.
cat >empty <<'EOF'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec "${CC:-cc}" -x c -c /dev/null -o "$2"
EOF
chmod +x empty
kernels() { # kernels EMIT: rows of gathering kernels, which differ in their parameters
    CLEAVE_CC=./empty CLEAVE_CXX=./empty "$CLEAVECC" --cleave-arch=emu --cleave-emit="$1" --cleave-keep=kept \
        -c many.c 2>err && fail "an empty object passes"
    grep -c '^ *[a-z_]*, flux_split_gather_\(direct_\)\?run<' kept/many.cleave.cu || true
}
# Elements that only add gather in one way, with one set of parameters.
[ "$(kernels auto)" -eq 1 ] || fail "auto has $(kernels auto) kernels that gather" kept/many.cleave.cu
grep -q '"flux_split_gather_c2_r72"' kept/many.further.cu || fail "auto carries no text of candidates" kept/many.further.cu
rm kept/many.further.cu
[ "$(kernels auto,candidates)" -gt 6 ] || fail "candidates has $(kernels auto,candidates) of them"
for level in auto,candidates fast fused; do
    kernels $level >/dev/null
    [ ! -e kept/many.further.cu ] || fail "$level carries a text of further variants"
done
for wrong in fast,split fastest candidate; do
    "$CLEAVECC" --cleave-emit=$wrong -c many.c 2>err && fail "--cleave-emit=$wrong is accepted"
    grep -q "'--cleave-emit=$wrong' is not valid; --cleave-emit takes auto|fast|all" err || fail "$wrong" err
done
left_over
