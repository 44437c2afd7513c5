# complete.sh: every id of pass/ir/diag.def has a test in this folder, or in that of the driver, which names it.
set -e
for id in $(sed -n 's/^DIAG(\([a-z_]*\),.*/\1/p' "$SRC/pass/ir/diag.def"); do
    if [ ! -f "$SRC/testsuite/pass/diag/$id.c" ] && [ ! -f "$SRC/testsuite/pass/diag/$id.cpp" ] &&
        ! grep -q "Wcleave-$(echo "$id" | tr _ -)" "$SRC"/testsuite/driver/*.sh; then
        echo "no test for '$id'" >&2
        exit 1
    fi
done
