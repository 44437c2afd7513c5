# case.sh NAME: what front_dump makes of cases/NAME is what NAME.out and NAME.err beside it say.
# With CLEAVE_UPDATE set, writes them.
set -e
here=$SRC/testsuite/pass/frontend/cases
out=$PWD/out err=$PWD/err
cd "$here"
"$BUILD/bin/front_dump" "$1" "-I$SRC/runtime/api" >"$out" 2>"$err" || true
if [ -n "${CLEAVE_UPDATE:-}" ]; then
    cp "$out" "$1.out"
    cp "$err" "$1.err"
fi
diff -u "$1.out" "$out"
diff -u "$1.err" "$err"
