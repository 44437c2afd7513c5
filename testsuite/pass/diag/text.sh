# text.sh NAME: what the compiler says of NAME (in this folder) is NAME.err, to the letter.
# With CLEAVE_UPDATE set, writes it.
set -e
here=$SRC/testsuite/pass/diag
err=$PWD/err
cd "$here"
"$BUILD/bin/front_dump" "$1" "-I$SRC/runtime/api" >/dev/null 2>"$err" || true
[ -z "${CLEAVE_UPDATE:-}" ] || cp "$err" "$1.err"
diff -u "$1.err" "$err"
[ -s "$err" ]
