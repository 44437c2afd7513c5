#!/bin/sh
# compile_bench.sh: what cleavecc takes to compile many loops: a program of ordinary loops over edges, cells and
# points of a mesh is generated and compiled file by file. --help lists the options.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

usage() {
    cat <<'TEXT'
usage: compile_bench.sh [option...]
  --files N     source files (30)
  --loops N     loops in each: a tenth of all reduce, two fifths add through a map (5)
  --build DIR   build tree with cleavecc (build)
  --flags FLAGS of cleavecc ("-O2 --cleave-arch=sm_90")
  --keep DIR    generate the sources there, and keep them
  --generate    do not compile
Prints the processor's seconds, children included, and the seconds that passed; exit code 0 when all compiled.
TEXT
}

files=30 loops=5 build=$here/../../build flags='-O2 --cleave-arch=sm_90' keep='' compile=yes
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit 0 ;;
    --generate) compile= && shift && continue ;;
    esac
    [ $# -ge 2 ] || { usage >&2 && exit 2; }
    case $1 in
    --files) files=$2 ;;
    --loops) loops=$2 ;;
    --build) build=$2 ;;
    --flags) flags=$2 ;;
    --keep) keep=$2 ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift 2
done
for number in "$files" "$loops"; do
    case $number in
    '' | *[!0-9]* | 0*) echo "compile_bench.sh: '$number' is no number above 0" >&2 && exit 2 ;;
    esac
done
build=$(CDPATH='' cd -- "$build" && pwd -P)
work=$keep
if [ -z "$keep" ]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/cleave-compile.XXXXXX")
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
cd "$work"

# One file: kernels of five kinds in turn, each with numbers of its own, and a function that calls them.
write_file() { # write_file NUMBER
    awk -v file="$1" -v loops="$loops" '
function kernel(n, kind, a, b) {
    a = 1 + n % 7; b = 0.5 + n / 16
    if (kind == 0) printf "static void flux_%d(const double *xl, const double *xr, const double *ql, const double *qr, double *rl, double *rr)\n{\n    double dx = xl[0] - xr[0], dy = xl[1] - xr[1];\n    double ri = 1.0 / ql[0], p1 = gm1 * (ql[3] - 0.5 * ri * (ql[1] * ql[1] + ql[2] * ql[2]));\n    double v1 = ri * (ql[1] * dy - ql[2] * dx);\n    ri = 1.0 / qr[0];\n    double p2 = gm1 * (qr[3] - 0.5 * ri * (qr[1] * qr[1] + qr[2] * qr[2]));\n    double v2 = ri * (qr[1] * dy - qr[2] * dx), mu = %.4f * (p1 + p2) * eps;\n    for (int k = 0; k < 4; k++) {\n        double f = 0.5 * (v1 * ql[k] + v2 * qr[k]) + mu * (ql[k] - qr[k]);\n        rl[k] += f;\n        rr[k] -= f;\n    }\n}\n", n, b
    if (kind == 1) printf "static void area_%d(const double *a, const double *b, const double *c, const double *d, const double *q, double *adt)\n{\n    double ri = 1.0 / q[0], u = ri * q[1], v = ri * q[2];\n    double s = sqrt(gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));\n    double sum = fabs(u * (b[1] - a[1]) - v * (b[0] - a[0])) + fabs(u * (d[1] - c[1]) - v * (d[0] - c[0]));\n    adt[0] = (sum + s * %.4f) / eps;\n}\n", n, b
    if (kind == 2) printf "static void step_%d(const double *old, double *q, double *r, const double *adt, double *rms)\n{\n    double scale = 1.0 / adt[0];\n    for (int k = 0; k < 4; k++) {\n        double change = scale * r[k];\n        q[k] = old[k] - %.4f * change;\n        r[k] = 0.0;\n        *rms += change * change;\n    }\n}\n", n, b
    if (kind == 3) printf "static void gradient_%d(const double *xl, const double *xr, const double *ql, const double *qr, double *gl, double *gr)\n{\n    for (int k = 0; k < 4; k++) {\n        double mean = %.4f * (ql[k] + qr[k]);\n        for (int d = 0; d < 2; d++) {\n            gl[2 * k + d] += mean * (xl[d] - xr[d]);\n            gr[2 * k + d] -= mean * (xl[d] - xr[d]);\n        }\n    }\n}\n", n, b
    if (kind == 4) printf "static void copy_%d(const double *q, double *old)\n{\n    for (int k = 0; k < 4; k++) {\n        old[k] = %.4f * q[k];\n    }\n}\n", n, b
}
function call(n, kind) {
    if (kind == 0) printf "    op_par_loop(flux_%d, \"flux_%d\", m->edges, R(x, 0, e2p, 2), R(x, 1, e2p, 2), R(q, 0, e2c, 4), R(q, 1, e2c, 4), A(r, 0, e2c, 4), A(r, 1, e2c, 4));\n", n, n
    if (kind == 1) printf "    op_par_loop(area_%d, \"area_%d\", m->cells, R(x, 0, c2p, 2), R(x, 1, c2p, 2), R(x, 2, c2p, 2), R(x, 3, c2p, 2), D(q, 4, OP_READ), D(adt, 1, OP_WRITE));\n", n, n
    if (kind == 2) printf "    op_par_loop(step_%d, \"step_%d\", m->cells, D(old, 4, OP_READ), D(q, 4, OP_WRITE), D(r, 4, OP_RW), D(adt, 1, OP_READ), op_arg_gbl(&m->rms, 1, \"double\", OP_INC));\n", n, n
    if (kind == 3) printf "    op_par_loop(gradient_%d, \"gradient_%d\", m->edges, R(x, 0, e2p, 2), R(x, 1, e2p, 2), R(q, 0, e2c, 4), R(q, 1, e2c, 4), A(g, 0, e2c, 8), A(g, 1, e2c, 8));\n", n, n
    if (kind == 4) printf "    op_par_loop(copy_%d, \"copy_%d\", m->cells, D(q, 4, OP_READ), D(old, 4, OP_WRITE));\n", n, n
}
BEGIN {
    print "#include \"mesh.h\"\n"
    for (l = 0; l < loops; l++) { kernel(file * loops + l, l % 5); print "" }
    printf "void part_%d(struct mesh *m)\n{\n", file
    for (l = 0; l < loops; l++) call(file * loops + l, l % 5)
    print "}"
}' >"part_$1.c"
}

cat >mesh.h <<'TEXT'
#include <math.h>

#include "op_seq.h"

#define R(dat, index, map, dim) op_arg_dat(m->dat, index, m->map, dim, "double", OP_READ)
#define A(dat, index, map, dim) op_arg_dat(m->dat, index, m->map, dim, "double", OP_INC)
#define D(dat, dim, access) op_arg_dat(m->dat, -1, OP_ID, dim, "double", access)

struct mesh {
    op_set edges, cells;
    op_map e2p, e2c, c2p;
    op_dat x, q, r, adt, old, g;
    double rms;
};

static const double gm1 = 0.4, eps = 0.05;
TEXT

n=0
while [ $n -lt "$files" ]; do
    write_file $n
    n=$((n + 1))
done
[ -n "$compile" ] || exit 0

# Sets `processor` to the seconds that the processor spent for the children of this shell.
read_processor() {
    times >times.txt # not in a shell of its own, which has other children
    processor=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] } print sum }' times.txt)
}

start=$(date +%s)
read_processor
before=$processor
n=0
while [ $n -lt "$files" ]; do
    # shellcheck disable=SC2086 # words
    "$build/bin/cleavecc" $flags -c part_$n.c -o part_$n.o || exit 1
    n=$((n + 1))
done
read_processor
echo "$files $loops $before $processor $start $(date +%s)" | awk '{
    cpu = $4 - $3
    printf "%d loops in %d files: %.1f s of the processor, %.2f s a loop; %d s passed\n", $1 * $2, $1, cpu,
        cpu / ($1 * $2), $6 - $5 }'
echo "flags: $flags"
