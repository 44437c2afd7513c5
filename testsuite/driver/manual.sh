#!/bin/sh
# manual.sh: the manual pages have all flags and variables, and man and mandoc have nothing to say of them.
set -eu
pages="$BUILD/share/man/man1/cleavecc.1 $BUILD/share/man/man7/cleave.7"
fail() {
    echo "manual.sh: $*" >&2
    exit 1
}
# shellcheck disable=SC2086 # a list of files
! grep -n '^@\|@version@' $pages || fail "holes that were not filled"
sed 's/\\-/-/g; s/\\f.//g' "$BUILD/share/man/man1/cleavecc.1" >compiler
sed 's/\\-/-/g; s/\\f.//g' "$BUILD/share/man/man7/cleave.7" >programs
"$CLEAVECC" --cleave-help | sed -nE 's/^  (-[^ =[]*).*/\1/p' >flags
[ "$(wc -l <flags)" -gt 15 ] || fail "--cleave-help has no flags: this test no longer understands it"
while read -r flag; do
    grep -q -e "^$flag" compiler || fail "cleavecc(1) lacks $flag"
done <flags
for name in BACKEND VERIFY PARTITION EMU_ORDER; do
    grep -q "^CLEAVE_$name = " programs || fail "cleave(7) lacks CLEAVE_$name"
done

checked=no
if command -v man >/dev/null && command -v groff >/dev/null; then
    checked=yes
    for page in $pages; do
        LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>said >formatted || fail "man: $(cat said)"
        [ -s formatted ] && [ ! -s said ] || fail "man --warnings $page: $(cat said)"
    done
fi
if command -v mandoc >/dev/null; then
    checked=yes
    # shellcheck disable=SC2086 # a list of files
    mandoc -T lint -W style $pages >said 2>&1 || fail "mandoc: $(cat said)"
fi
[ $checked = yes ] || exit 77
