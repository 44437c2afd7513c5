# explain.sh: what --cleave-explain and --cleave-dump=graph say of airfoil, but for the table of
# predicted times, which are the cost model's; graph: of res_calc alone. To accept new text:
#   SRC=. sh testsuite/splitter/explain.sh build/bin/split_dump --update
set -eu
dump=$1
expected=$SRC/testsuite/splitter/explain.expected
made=$(mktemp)
"$dump" "$SRC/examples/airfoil/airfoil.c" --explain --graph |
    awk '/^  schedule /      { skip = 1 }
         /^  stages, with /     { skip = 0 }
         /^  preferred: /    { skip = 1 }
         /^$/ || /^[a-z]/    { skip = 0 }
         /^graph /           { other = $2 != "res_calc" }
         /^loop /            { other = 0 }
         !skip && !other' |
    sed -e "s|([^ ]*/\([a-z_.]*\):[0-9]*)|(\1)|" > "$made"
status=0
if ! diff -u "$expected" "$made"; then
    if [ "${2:-}" = --update ]; then
        cp "$made" "$expected"
    else
        status=1
    fi
fi
# A loop that is not taken apart says why, above its table and beside the schedules that it lacks.
reason="the argument 'b' is optional, and may be missing"
"$dump" "$SRC/testsuite/splitter/cases/refused.c" --explain 2>"$made.notes" |
    awk '/^loop /{ other = $2 != "optional" } !other' >"$made"
if ! grep -qF "the kernel is called whole: $reason" "$made" ||
    ! tr -s ' \n' ' ' <"$made" | grep -qF "left out: the body could not be taken apart: $reason"; then
    echo "not explained: $reason"
    cat "$made"
    status=1
fi
# Long names widen their columns, and a loop that adds constants or its own data keeps no contributions.
"$dump" "$SRC/testsuite/kernels/volna.c" --explain "-I$SRC/testsuite/kernels" >"$made"
grep -q '^    contribution \{22\}4  ' "$made" &&
    grep -q '^    update through edgesToCells\[0\] \{3\}12  ' "$made" || {
    echo "columns do not stand below each other:"
    grep -E '^    (contribution|update)' "$made"
    status=1
}
"$dump" "$SRC/testsuite/kernels/scatter.c" --explain "-I$SRC/testsuite/kernels" >"$made"
grep -qx '  each element adds constants or its own data in 10 places' "$made" || {
    grep '^  each element' "$made"
    status=1
}
rm -f "$made" "$made.notes"
exit $status
