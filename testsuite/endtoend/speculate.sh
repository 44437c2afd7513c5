#!/bin/sh
# speculate.sh: a group that starts before its calls, while the host waits for a reduction, changes no result: whatever the program does
# instead of calling its loops, and when it calls them with other values.
set -eu
fail() {
    echo "speculate.sh: $*" >&2
    exit 1
}
$CLEAVECC -O1 -ffp-contract=off --cleave-arch=emu --cleave-dump=groups "$SRC/testsuite/endtoend/speculate.c" \
    "$SRC/testsuite/endtoend/speculate_host.c" -o speculate -lm 2>said || fail "$(cat said)"
grep -q '"flux+step|speed" gather' said || fail "no group that gathers: $(cat said)"

# run SEED PERCENT SETTINGS: the values are those of the sequential reference. $started and $vain are counts of the table.
run() {
    seed=$1 percent=$2
    shift 2
    CLEAVE_BACKEND=seq ./speculate "$seed" "$percent" 2>/dev/null | grep '^= ' >expected
    [ "$(wc -l <expected)" -gt 1500 ] || fail "$seed $percent: few values"
    env CLEAVE_TUNE=off CLEAVE_PLAN=wait CLEAVE_PLAN_CACHE=off "$@" ./speculate "$seed" "$percent" >out 2>err ||
        fail "$seed $percent $*: $(cat err)"
    grep '^= ' out | cmp -s - expected || fail "$seed $percent $*: other values"
    set -- $(sed -n 's/^groups: \([0-9]*\) launches started before .* \([0-9]*\) in vain$/\1 \2/p' out)
    started=${1:-0} vain=${2:-0}
}
# 120 half steps that come as expected: calls that are timed are the only ones that are not taken.
run 1 0 CLEAVE_FUSE=auto CLEAVE_REPORT=report.json
[ "$started" -ge 95 ] && [ "$vain" -le 10 ] || fail "$started started, $vain in vain"
if command -v python3 >/dev/null; then
    python3 - report.json "$started" "$vain" <<'END' || fail "other counts in the report"
import json, sys
groups = json.load(open(sys.argv[1]))["groups"]
sys.exit(groups["speculative"] != int(sys.argv[2]) or groups["speculative"] - groups["confirmed"] != int(sys.argv[3]))
END
fi
for setting in CLEAVE_EARLY=off CLEAVE_FUSE=called CLEAVE_FUSE=off CLEAVE_VERIFY=1; do
    run 1 0 $setting
    [ "$started" -eq 0 ] || fail "started early with $setting"
done
# After wrong guesses it takes longer until the next one.
run 3 60 CLEAVE_FUSE=auto
[ "$started" -le 30 ] || fail "$started started though $vain were in vain"
# With CLEAVE_FUSE=on nothing stops it.
all=0
for seed in 1 2 3 4 5 6 7 8; do
    run $seed 50 CLEAVE_FUSE=on CLEAVE_EMU_ORDER=random:$seed CLEAVE_EMU_LATE=$((seed % 2))
    all=$((all + vain))
    [ $((started - vain)) -ge 10 ] || fail "seed $seed: $started started, $vain in vain"
done
[ $all -ge 100 ] || fail "only $all wrong guesses"
run 9 30 CLEAVE_FUSE=on CLEAVE_BLOCK_SIZE=32 CLEAVE_RENUMBER=on
# A kernel that may not end on data that the program never gives it is not started early.
$CLEAVECC -O1 --cleave-arch=emu --cleave-dump=groups "$SRC/testsuite/endtoend/endless.c" -o endless -lm 2>said || fail "$(cat said)"
grep -q '"flux+step" gather' said || fail "endless: no group that gathers: $(cat said)"
CLEAVE_BACKEND=seq ./endless 2>/dev/null | grep '^= ' >expected
CLEAVE_TUNE=off CLEAVE_PLAN=wait CLEAVE_PLAN_CACHE=off CLEAVE_FUSE=on timeout 60 ./endless >out 2>err || fail "endless: $(cat err)"
grep '^= ' out | cmp -s - expected || fail "endless: other values"
grep -q '^groups: .* in 3. launches' out || fail "endless: no group has run: $(cat out)"
# Memory that the expected launch had, and that is another's or gone by then.
$CLEAVECC -O1 -ffp-contract=off --cleave-arch=emu "$SRC/testsuite/endtoend/speculate.c" \
    "$SRC/testsuite/endtoend/speculate_memory.c" -o memory -lm 2>said || fail "$(cat said)"
for what in partials ahead calls; do
    CLEAVE_BACKEND=seq ./memory $what 2>/dev/null | grep '^= ' >expected
    for setting in auto on; do
        CLEAVE_TUNE=off CLEAVE_PLAN=wait CLEAVE_PLAN_CACHE=off CLEAVE_FUSE=$setting ./memory $what >out 2>err ||
            fail "$what $setting: $(cat err)"
        grep '^= ' out | cmp -s - expected || fail "$what $setting: other values"
        grep -q 'launches started before' out || fail "$what $setting: nothing started early"
    done
done
