# warn.sh: with --cleave-access=warn access errors are warnings, and the loop runs sequentially.
set -e
here=$SRC/testsuite/pass/diag
cd "$here"
"$BUILD/bin/front_dump" read_written.c "-I$SRC/runtime/api" --warn >/dev/null 2>"$OLDPWD/err"
grep -q "read_written.c:5:[0-9]*: warning: 'add' writes 'q'" "$OLDPWD/err"
grep -q "loop 'add' runs sequentially: its access errors were accepted" "$OLDPWD/err"
for case in extremum_assigned:assigned global_written:add; do
    "$BUILD/bin/front_dump" "${case%:*}.c" "-I$SRC/runtime/api" --warn >/dev/null 2>"$OLDPWD/err"
    grep -q "loop '${case#*:}' runs sequentially: its access errors were accepted" "$OLDPWD/err"
done
# Functions in another file: a warning, or a note if no device code is compiled; neither names devices.
for case in calls_elsewhere:outside no_body:; do
    for how in warn:warning host:note; do
        "$BUILD/bin/front_dump" "${case%:*}.c" "-I$SRC/runtime/api" "--${how%:*}" >"$OLDPWD/out" 2>"$OLDPWD/err"
        grep -q "${how#*:}: '*${case#*:}.* is not visible here" "$OLDPWD/err"
        grep -q 'note: put .* into a header that this file includes' "$OLDPWD/err"
        grep -q "note: loop '.*' runs sequentially: it.* is not visible" "$OLDPWD/err"
        if grep -q device "$OLDPWD/err"; then exit 1; fi
        grep -q '^check: ok' "$OLDPWD/out"
    done
done
