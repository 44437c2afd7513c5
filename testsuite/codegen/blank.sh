# blank.sh: on the emulated GPU, programs without groups: a loop that leaves zeros does not store them, and points that
# gather do not read them; for all others the dat is filled. Values keep the bits that they have with CLEAVE_FUSE=off.
set -e
here=$SRC/testsuite/codegen

fail() {
    echo "blank.sh: $1" >&2
    shift
    [ $# -eq 0 ] || cat "$@" >&2
    exit 1
}

compile() { # compile PROGRAM FLAG... SOURCE...
    program=$1
    shift
    "$CLEAVECC" -O1 -ffp-contract=off -Wno-error=cleave-no-body -Wno-cleave-data-access --cleave-arch=emu \
        --cleave-fuse=off "$@" -o "$program" -lm 2>notes || fail "$program is not compiled" notes
}

# gives PROGRAM "WORDS" "SHARED LATER LEFT UNREAD MADE" VARIABLE=value...: with these words the program prints what it
# prints with CLEAVE_FUSE=off, and the report has these numbers.
gives() {
    program=$1 words=$2 expected=$3
    shift 3
    env "$@" CLEAVE_FUSE=off CLEAVE_REPORT=report.json "./$program" $words >off 2>err || fail "$program $words, $*: off" err
    ! grep -q '"zeros_not_stored": *[1-9]' report.json || fail "CLEAVE_FUSE=off: zeros are not stored"
    env "$@" CLEAVE_REPORT=report.json "./$program" $words >out 2>err || fail "$program $words, $*: exit code not 0" err
    cmp -s off out || fail "$program $words, $*: other results: $(diff off out | head -4)" err
    numbers=$(tr '\n' ' ' <report.json | sed 's/.*"copies_shared": *\([0-9]*\).*"copies_made_later": *\([0-9]*\).*"zeros_not_stored": *\([0-9]*\).*"zeros_not_read": *\([0-9]*\).*"zeros_written_later": *\([0-9]*\).*/\1 \2 \3 \4 \5/')
    [ "$numbers" = "$expected" ] || fail "$program $words, $*: the report has $numbers, not $expected"
}

# agrees PROGRAM "WORDS" VARIABLE=value...: it prints what it prints sequentially.
agrees() {
    program=$1 words=$2
    shift 2
    CLEAVE_BACKEND=seq "./$program" $words >seq
    env "$@" "./$program" $words >out 2>err || fail "$program $words, $*: exit code not 0" err
    cmp -s seq out || fail "$program $words, $*: other results: $(diff seq out | head -4)" err
}

unset CLEAVE_GRAPH
export CLEAVE_TUNE=off CLEAVE_PLAN=wait

# Five dats of several types and lengths, in six steps. Terms of -0.0 give +0.0, as where zeros are read.
compile blank --cleave-emit=comparisons,owner "$here/blank.c"
for variant in add_owner 'add_owner_staged_r*' 'add_owner_staged_items_r*' 'add_owner_batch_r*' add_owner_named; do
    gives blank "" "0 0 30 25 2" CLEAVE_VARIANT="$variant"
    agrees blank "" CLEAVE_VARIANT="$variant"
    gives blank "twice" "0 0 30 25 2" CLEAVE_VARIANT="$variant" CLEAVE_EMU_ORDER=random:3
    gives blank "fetch" "0 0 27 25 5" CLEAVE_VARIANT="$variant" CLEAVE_DETERMINISTIC=1
done
gives blank "" "0 0 30 25 2" CLEAVE_GRAPH=on
CLEAVE_VERIFY=1 ./blank "twice" >out 2>err || fail "CLEAVE_VERIFY=1: exit code not 0" err

# Other variants begin with zeros in memory: they are stored where they had to be filled three times in a row.
compile fused --cleave-emit=fused "$here/blank.c"
gives fused "" "0 0 15 0 15" CLEAVE_VARIANT=add_fused_colour

# As in groups, whatever comes between finds the zeros. A plain copy launches nothing.
compile zeros --cleave-emit=comparisons,owner "$here/zeros.c" "$here/zeros_other.c"
for variant in '*_owner' '*_owner_staged_r*' '*_owner_batch_r*' '*_owner_own_r64' '*_owner_named'; do
    gives zeros "" "8 0 16 15 1" CLEAVE_VARIANT="$variant"
    agrees zeros "" CLEAVE_VARIANT="$variant"
done
gives zeros "" "8 0 16 15 1" CLEAVE_GRAPH=on
gives zeros "" "8 1 16 15 1" CLEAVE_RENUMBER=on CLEAVE_EMU_ORDER=random:1
gives zeros "both write" "16 0 16 15 1" CLEAVE_FUSE_MEMORY=1
gives zeros "fetch" "8 0 3 15 3"
gives zeros "through" "8 0 3 15 3"
gives zeros "host" "8 0 3 15 3"
gives zeros "other" "8 0 3 0 3"
gives zeros "dirty" "8 0 16 13 3" CLEAVE_WATCH=off
gives zeros "clear" "8 0 32 16 1"
gives zeros "touch fork refill" "8 0 16 13 3"
