# explain.sh: what --cleave-explain and --cleave-dump=graph say of airfoil, but for the table of
# predicted times, which are the cost model's; graph: of res_calc alone. To accept new text:
#   SRC=. sh testsuite/splitter/explain.sh build/bin/split_dump --update
set -eu
dump=$1
expected=$SRC/testsuite/splitter/explain.expected
made=$(mktemp)
"$dump" "$SRC/examples/airfoil/airfoil.c" --explain --graph |
    awk '/^  schedule /      { skip = 1 }
         /^  what each /     { skip = 0 }
         /^  preferred: /    { skip = 1 }
         /^$/ || /^[a-z]/    { skip = 0 }
         /^graph /           { other = $2 != "res_calc" }
         /^loop /            { other = 0 }
         !skip && !other' |
    sed -e "s|(/.*/\([a-z_.]*\):[0-9]*)|(\1)|" > "$made"
status=0
if ! diff -u "$expected" "$made"; then
    if [ "${2:-}" = --update ]; then
        cp "$made" "$expected"
    else
        status=1
    fi
fi
rm -f "$made"
exit $status
