# warn.sh: with --cleave-access=warn access errors are warnings, and the loop runs sequentially.
set -e
here=$SRC/testsuite/pass/diag
cd "$here"
"$BUILD/bin/front_dump" read_written.c "-I$SRC/runtime" --warn >/dev/null 2>"$OLDPWD/err"
grep -q "read_written.c:5:[0-9]*: warning: 'add' writes 'q'" "$OLDPWD/err"
grep -q "loop 'add' runs sequentially: its access errors were accepted" "$OLDPWD/err"
for case in extremum_assigned:assigned global_written:add; do
    "$BUILD/bin/front_dump" "${case%:*}.c" "-I$SRC/runtime" --warn >/dev/null 2>"$OLDPWD/err"
    grep -q "loop '${case#*:}' runs sequentially: its access errors were accepted" "$OLDPWD/err"
done
