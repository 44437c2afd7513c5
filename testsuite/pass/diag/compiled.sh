# compiled.sh NAME: what cleavecc says of NAME (in this folder), which only the stations behind the
# front end know, is NAME.err, to the letter. With CLEAVE_UPDATE set, writes it.
set -e
here=$SRC/testsuite/pass/diag
work=$PWD
cd "$here"
"$CLEAVECC" --cleave-arch=none -c "$1" -o "$work/out.o" 2>"$work/err"
[ -z "${CLEAVE_UPDATE:-}" ] || cp "$work/err" "$1.err"
diff -u "$1.err" "$work/err"
[ -s "$work/err" ]
