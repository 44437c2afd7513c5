# structure.sh: how the product is built: which rooms include which (rooms.txt), how long files and functions are,
# who reads the environment, and which files name a vendor. exceptions.txt has what may be otherwise, and why.
set -eu
here=$SRC/testsuite/house
failed=0

wrong() {
    printf '%s\n' "$*" >&2
    failed=1
}

find "$SRC/pass" "$SRC/splitter" "$SRC/codegen" "$SRC/runtime" -name '*.[ch]' -o -name '*.cuh' -o -name '*.def' |
    sort >files
[ "$(wc -l <files)" -gt 300 ] || wrong "few files were found: this test no longer understands the folders"

# report FILE: what it lists, but for lines that begin with a path of exceptions.txt.
report() {
    sed -n 's/^\([^ #][^ ]*\): .*/\1:/p' "$here/exceptions.txt" >excepted
    grep -vFf excepted "$1" >rest || true
    [ ! -s rest ] || wrong "$(cat rest)"
}

# The checks themselves see what they are for.
mkdir -p wrong/pass/ir wrong/pass/driver
printf '#include "pass/driver/driver.h"\nint f(void)\n{\n%s\n}\n' "$(seq -f '    f(); /* %g */' 70)" >wrong/pass/ir/a.c
: >wrong/pass/driver/driver.h
awk -v top="$PWD/wrong" -f "$here/rooms.awk" "$here/rooms.txt" "$PWD/wrong/pass/ir/a.c" >found
grep -q 'pass/ir may not include pass/driver/driver.h' found || wrong "an include upwards was not seen"
awk -v top="$PWD/wrong" -v most_lines=60 -v most_file=50 -f "$here/sizes.awk" "$PWD/wrong/pass/ir/a.c" >found
[ "$(wc -l <found)" -eq 2 ] || wrong "a long function or a long file was not seen: $(cat found)"

xargs awk -v top="$SRC" -f "$here/rooms.awk" "$here/rooms.txt" <files >found
report found
grep -v '\.def$' files | xargs awk -v top="$SRC" -v most_lines=60 -v most_file=500 -f "$here/sizes.awk" >found
report found

cd "$SRC"
xargs grep -nE '\b(secure_)?getenv *\(' <"$OLDPWD/files" | sed "s#^$SRC/##" |
    grep -vE '^(runtime/base/variables|pass/driver/environment)\.c:' >"$OLDPWD/found" || true
cd "$OLDPWD"
report found
grep -vE '/(runtime/(cuda|device)|codegen/cuda|pass/driver)/' files |
    xargs grep -nE '\b(CODEGEN_CUDA|CLEAVE_TARGET_CUDA|BACKEND_CUDA|cuda[A-Z][A-Za-z]*[(])' | sed "s#^$SRC/##" >found || true
report found
exit $failed
