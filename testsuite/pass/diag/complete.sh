# complete.sh: every id of pass/diag.def has a test in this folder.
set -e
for id in $(sed -n 's/^DIAG(\([a-z_]*\),.*/\1/p' "$SRC/pass/diag.def"); do
    if [ ! -f "$SRC/testsuite/pass/diag/$id.c" ] && [ ! -f "$SRC/testsuite/pass/diag/$id.cpp" ]; then
        echo "no test for '$id'" >&2
        exit 1
    fi
done
