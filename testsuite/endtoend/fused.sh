#!/bin/sh
# fused.sh [NVCC]: loops that run as one kernel give the values that they give one by one, to the last bit where
# nothing is rounded otherwise; CLEAVE_VERIFY=1 agrees. Without --cleave-fuse nothing that is generated has groups.
set -eu
fail() {
    echo "fused.sh: $*" >&2
    exit 1
}
source=$SRC/testsuite/endtoend/fused.c
$CLEAVECC -O1 -ffp-contract=off --cleave-arch=emu --cleave-fuse=auto --cleave-dump=groups --cleave-keep=kept \
    "$source" -o fused -lm 2>said || fail "$(cat said)"
for group in left+right copy+change single+mixed+change+copy+relax+limit; do
    grep -q "^group . \"$group\" set loop group" said || fail "no group $group: $(cat said)"
done
! grep -q group kept/fused.cleave.c || fail "the CPU has joined loops"
CLEAVE_BACKEND=seq ./fused >expected 2>/dev/null
values() { grep -E '^(turn|[a-z]+\[)' "$1"; }
values expected >values.expected
[ "$(wc -l <values.expected)" -gt 10000 ] || fail "few values"
# run SETTINGS LINE: the values are those of the sequential reference, and the table says LINE.
run() {
    env $1 ./fused >got 2>err || fail "$1: $(cat err)"
    values got | cmp -s - values.expected || fail "$1: other values"
    grep '^groups: ' got >line || echo none >line
    grep -q "^$2" line || fail "$1: $(cat line)"
}
run CLEAVE_FUSE=off none
run CLEAVE_FUSE=auto 'groups: 30 calls of loops ran in 9 launches'
grep -q '^single+mixed+change+copy+relax+limit  *3 ' got || fail "no row of the group: $(tail -30 got)"
# The page of a report gives the time of a group once, in its own row, and the table has the calls of its members.
if command -v python3 >/dev/null; then
    CLEAVE_REPORT=report.json,report.html ./fused >got 2>&1
    grep -q '"variant": "in single+mixed+change+copy+relax+limit"' report.json || fail "no member in the report"
    python3 "$SRC/testsuite/endtoend/report_page.py" report.html report.json "$SRC/runtime/report/report.schema.json" >page 2>&1 ||
        fail "the page: $(cat page)"
fi
# left and right add to one point in another order, and limit adds up a global in other parts, though integers do not show it.
run CLEAVE_DETERMINISTIC=1 'groups: 2 calls of loops ran in 1 launches'
CLEAVE_VERIFY=1 ./fused >got 2>err
values got | cmp -s - values.expected || fail "CLEAVE_VERIFY=1: other values"
grep -q 'CLEAVE_VERIFY: 42 calls of compiled loops agree' err || fail "$(cat err)"

# Without groups, the joined loops are all that is missing, and on the CPU the table of calls that may run tile by tile.
$CLEAVECC -O1 --cleave-arch=emu --cleave-fuse=off --cleave-keep=single -c "$source" -o single.o
sed 's/"[0-9a-f]\{16\}"//' single/fused.cleave.c >single.text
sed -e '/^static const struct cleave_tiled /,/^};/d' -e 's/[0-9]*, cleave_tiled_all/0, NULL/' -e 's/"[0-9a-f]\{16\}"//' kept/fused.cleave.c | cmp - single.text || fail "groups change the CPU's text"
! grep -qE 'group[0-9]|cleave_stored' single/fused.cleave.cu || fail "groups without --cleave-fuse"

[ -n "${1:-}" ] || exit 0
"$1" -arch=sm_90 -std=c++17 -Werror all-warnings -I"$SRC/runtime/api" -I"$SRC/runtime" -ptx kept/fused.cleave.cu -o fused.ptx ||
    fail "nvcc does not take the text"
[ "$(grep -c 'add.rn.f64 .*0d8000000000000000' fused.ptx)" -ge 2 ] || fail "values pass between members unrounded"
