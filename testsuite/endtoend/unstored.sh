#!/bin/sh
# unstored.sh: values that a group of loops passes on and does not store are there for whoever looks at them, however: with the bits
# that they have when every loop runs by itself.
set -eu
fail() {
    echo "unstored.sh: $*" >&2
    exit 1
}
$CLEAVECC -O1 -ffp-contract=off --cleave-arch=emu --cleave-fuse=auto --cleave-dump=groups --cleave-keep=kept \
    "$SRC/testsuite/endtoend/unstored.c" -o unstored -lm 2>said || fail "$(cat said)"
grep -q '"change+make+spread+use" set' said || fail "no group: $(cat said)"
for dat in made flag wide; do
    grep -q "if ((cleave_zeros_$dat & CLEAVE_ZEROS_LEAVE) == 0)" kept/unstored.cleave.cu || fail "$dat is always stored"
done
! grep -q 'cleave_zeros_total' kept/unstored.cleave.cu || fail "what the last loop stores can be left out"

# run MODE SETTINGS: the values are those of the sequential reference; $left and $later are counts of the report.
run() {
    mode=$1
    shift
    env "$@" ./unstored "$mode" >all 2>err || fail "$mode $*: $(cat err)"
    grep '^= ' all >got
    cmp -s got "expected.$mode" || fail "$mode $*: other values"
    set -- $(sed -n 's/^buffers: values were not stored \([0-9]*\) times, .* later \([0-9]*\) times$/\1 \2/p' all)
    left=${1:-0} later=${2:-0}
}
for mode in none last fetch loop pointer put constant changed kept partition temporary fork; do
    CLEAVE_BACKEND=seq ./unstored $mode 2>/dev/null | grep '^= ' >expected.$mode
    [ "$(wc -l <expected.$mode)" -gt 1000 ] || fail "$mode: few values"
    for order in ascending descending; do
        run $mode CLEAVE_TUNE=off CLEAVE_PLAN=wait CLEAVE_EMU_ORDER=$order
        echo "$mode: $left $later" >>counts
    done
    [ "$left" -gt 0 ] || fail "$mode: all was stored"
    run $mode CLEAVE_FUSE=off
    [ "$left" -eq 0 ] || fail "$mode: not stored with CLEAVE_FUSE=off"
done
run fetch CLEAVE_FUSE=called
[ "$left" -eq 0 ] || fail "not stored with CLEAVE_FUSE=called"
run fetch CLEAVE_DETERMINISTIC=1
[ "$left" -gt 0 ] && [ "$later" -gt 0 ] || fail "all was stored with CLEAVE_DETERMINISTIC=1"
for mode in fetch changed; do
    run $mode CLEAVE_VERIFY=1
    grep -q 'calls of compiled loops agree' err || fail "$(cat err)"
done
# Whoever asks for nothing has nothing computed again.
run none CLEAVE_TUNE=off
[ "$later" -eq 0 ] || fail "computed though nobody asks"
if command -v python3 >/dev/null; then
    run fetch CLEAVE_TUNE=off CLEAVE_REPORT=report.json
    python3 - report.json "$left" "$later" <<'END' || fail "other counts in the report"
import json, sys
buffers = json.load(open(sys.argv[1]))["buffers"]
sys.exit(buffers["values_not_stored"] != int(sys.argv[2]) or buffers["values_computed_later"] != int(sys.argv[3])
         or not buffers["not_stored_bytes"] > 0)
END
fi
