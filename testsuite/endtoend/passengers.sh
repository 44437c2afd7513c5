#!/bin/sh
# passengers.sh: loops that come between the members of a group and are launched before it: the values are those of
# the sequential reference, CLEAVE_VERIFY=1 agrees, and a loop that gets a dat of theirs under another name passes none.
set -eu
fail() {
    echo "passengers.sh: $*" >&2
    exit 1
}
$CLEAVECC -O0 --cleave-arch=emu --cleave-fuse=auto --cleave-dump=groups "$SRC/testsuite/endtoend/passengers.c" \
    -o passengers -lm 2>said || fail "$(cat said)"
for member in move add_some; do
    grep -q "^  member $member before" said || fail "$member is no passenger: $(cat said)"
done
values() { grep '^[a-z]*\[' "$1"; }
# run ARGUMENT SETTINGS LINE: the values are those of the sequential reference, and the table says LINE.
run() {
    CLEAVE_BACKEND=seq ./passengers $1 2>/dev/null | grep '^[a-z]*\[' >expected
    [ "$(wc -l <expected)" -eq 3000 ] || fail "$1: few values"
    env CLEAVE_TUNE=off $2 ./passengers $1 >got 2>err || fail "$1 $2: $(cat err)"
    values got | cmp -s - expected || fail "$1 $2: other values"
    grep '^groups: ' got >line || echo none >line
    grep -q "^$3" line || fail "$1 $2: $(cat line)"
}
run "" CLEAVE_FUSE=off none
run "" CLEAVE_FUSE=auto 'groups: 28 calls of loops ran in 14 launches'
run "" CLEAVE_DETERMINISTIC=1 'groups: 14 calls of loops ran in 7 launches'
run "" CLEAVE_VERIFY=1 none
grep -q 'CLEAVE_VERIFY: 16 groups of loops that run as one kernel agree' err || fail "$(cat err)"
run alias "CLEAVE_FUSE=auto OP_DIAGS=2" 'groups: 14 calls of loops ran in 7 launches'
grep -q "'take+mix' .* a loop between them depends on what they do" err || fail "$(cat err)"
