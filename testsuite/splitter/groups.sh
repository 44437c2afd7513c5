# groups.sh: which loops of cases/groups.c and of the applications run as one kernel, and why others do not. Loops
# over different sets, of which applications have many, are left out for these. To accept new text:
#   SRC=. sh testsuite/splitter/groups.sh build/bin/split_dump --update
set -eu
dump=$1
expected=$SRC/testsuite/splitter/groups.expected
made=$(mktemp)

# What --cleave-explain says of the groups of a source; sums of the cost model are left out.
say() {
    file=$1
    shift
    "$dump" "$file" --fuse --explain "$@" | sed -n '/^groups: /,/^$/p' |
        sed -e "s|([^ ]*/\([a-z_]*\.[a-z]*:[0-9]*)\)|(\1|" -e 's/would take [0-9.]* of/would take T of/'
}

{
    say "$SRC/testsuite/splitter/cases/groups.c"
    for source in airfoil/airfoil.c aero/aero.c bookleaf/bookleaf.c hydra/hydra.c jac/jac_double.c lulesh/separate.c \
        onera/onera_double.c volna/volna.c mgcfd/mgcfd.cpp miniaero/miniaero.cpp; do
        case $source in *.cpp) standard=-std=c++17 ;; *) standard=-std=gnu11 ;; esac
        echo "$source"
        say "$SRC/examples/$source" $standard "-I$SRC/examples/common" | grep -v 'the order of loops over different sets'
    done
} >"$made"
if ! diff -u "$expected" "$made"; then
    if [ "${2:-}" = --update ]; then
        cp "$made" "$expected"
    else
        exit 1
    fi
fi

# The loops over edges and over boundary edges gather for the update of cells.
"$dump" "$SRC/examples/airfoil/airfoil.c" --gather --groups "-I$SRC/examples/common" >"$made"
grep -q '^group . "res_calc+bres_calc+update" gather ' "$made" || {
    cat "$made"
    exit 1
}

# Each function calls the one before twice: 2 to the power of 40 calls of the loops at the end. It ends soon, and finds
# the group.
{
    echo '#include "op_seq.h"'
    echo 'op_set cells; op_dat a; double *x;'
    echo 'static void change(double *x) { x[0] *= 2.0; }'
    echo 'static void f0(op_dat d) {'
    for n in 1 2; do
        echo "op_par_loop(change, \"c$n\", cells, op_arg_dat(d, -1, OP_ID, 1, \"double\", OP_RW));"
    done
    echo 'op_fetch_data(d, x); }'
    for n in $(seq 1 40); do
        echo "static void f$n(op_dat d) { f$((n - 1))(d); f$((n - 1))(d); }"
    done
    echo 'void all(void) { f40(a); }'
} >"$made.c"
timeout 20 "$dump" "$made.c" --fuse --groups >"$made" || {
    echo "many calls: status $?"
    exit 1
}
grep -q '^group 0 "c1+c2" ' "$made" || {
    cat "$made"
    exit 1
}
rm -f "$made" "$made.c"
