# zeros.sh: on the emulated GPU, groups that gather neither store nor read the zeros that a loop leaves, and plain copies
# launch nothing; whatever comes between finds the values that loops one by one leave. What does not pay ends.
set -e
here=$SRC/testsuite/codegen

fail() {
    echo "zeros.sh: $1" >&2
    shift
    [ $# -eq 0 ] || cat "$@" >&2
    exit 1
}

"$CLEAVECC" -O1 -ffp-contract=off -Wno-error=cleave-no-body -Wno-cleave-data-access --cleave-arch=emu \
    --cleave-emit=owner --cleave-fuse=gather --cleave-keep=kept "$here/zeros.c" "$here/zeros_other.c" -o zeros -lm 2>notes || fail "zeros.c is not compiled" notes

# gives "WORDS" "SHARED LATER LEFT UNREAD MADE" VARIABLE=value...: with these words the program prints what it prints
# sequentially, and the report has these numbers.
gives() {
    words=$1 expected=$2
    shift 2
    CLEAVE_BACKEND=seq ./zeros $words >seq
    env "$@" CLEAVE_REPORT=report.json ./zeros $words >out 2>err || fail "$words, $*: exit code not 0" err
    cmp -s seq out || fail "$words, $*: other results: $(diff seq out | head -4)" err
    numbers=$(tr '\n' ' ' <report.json | sed 's/.*"copies_shared": *\([0-9]*\).*"copies_made_later": *\([0-9]*\).*"zeros_not_stored": *\([0-9]*\).*"zeros_not_read": *\([0-9]*\).*"zeros_written_later": *\([0-9]*\).*/\1 \2 \3 \4 \5/')
    [ "$numbers" = "$expected" ] || fail "$words, $*: the report has $numbers, not $expected"
}

# Seven of eight steps, and all stages but the first, whose data are moved, run in groups.
unset CLEAVE_GRAPH
export CLEAVE_TUNE=off CLEAVE_PLAN=wait
gives "" "8 0 16 15 1"
gives "" "8 0 16 15 1" CLEAVE_GRAPH=on CLEAVE_VARIANT='*_owner*'
gives "" "8 1 16 15 1" CLEAVE_RENUMBER=on CLEAVE_EMU_ORDER=random:1 # the mesh is ordered behind the first copy
gives "both write" "16 0 16 15 1" CLEAVE_FUSE_MEMORY=1
gives "fetch" "8 0 3 15 3"
# Zeros that were fetched in the first 16 stages are left out again later.
gives "fetch long" "30 0 46 59 4"
gives "through" "8 0 3 15 3"
gives "host" "8 0 3 15 3"
gives "other" "8 0 3 0 3"
gives "fetch keep other" "10 2 3 0 3"
gives "dirty" "8 0 16 13 3" CLEAVE_WATCH=off
gives "clear" "8 0 32 16 1"
gives "joined" "8 0 32 16 1"
gives "joined" "8 0 32 16 1" CLEAVE_GRAPH=on
gives "joined other" "8 0 32 16 16"
gives "spoil" "3 3 16 15 1"
OP_DIAGS=2 ./zeros spoil >out 2>err || fail "OP_DIAGS=2: exit code not 0" err
! grep -q "'save'.* ahead of its call is dropped" err || fail "a plain copy runs ahead of its call" err
[ "$(grep -c "dat 'u': a copy that shared its buffer is made for loop 'spoil'" err)" = 3 ] || fail "no note of copies" err
gives "touch fork refill" "8 0 16 13 3"

# A joined loop holds whole records that it only stores, even if those of its members are too many together.
[ "$(grep -c 'cleave_store(cleave_dat_[0-9]* .*, cleave_rec_w[0-8])' kept/zeros.cleave.cu)" = 18 ] ||
    fail "records are stored by component: $(grep 'cleave_store(cleave_dat_[0-9]* ' kept/zeros.cleave.cu)"

# Loops one by one leave a point's -0.0 as it is, too, if no element adds to it: gathered by points and in blocks.
CLEAVE_BACKEND=seq ./zeros >seq
grep -q ' -0\.0' seq || fail "no -0.0 is left" seq
for reads in direct staged; do
    CLEAVE_FUSE=off CLEAVE_REPORT=1 CLEAVE_READS=$reads ./zeros >out 2>err || fail "CLEAVE_FUSE=off, $reads: exit code not 0" err
    cmp -s seq out || fail "CLEAVE_FUSE=off, $reads: other results: $(diff seq out | head -4)" err
done
if grep '^buffers' err; then
    fail "CLEAVE_FUSE=off: something was not moved" err
fi

# Plain copies are made where there is no memory for a second buffer.
CLEAVE_BACKEND=seq ./zeros >seq
CLEAVE_EMU_MEMORY=180000 CLEAVE_REPORT=1 ./zeros >out 2>err || fail "little memory: exit code not 0" err
cmp -s seq out || fail "little memory: other results" err
grep -q '^save  *7 .*save_direct' err || fail "little memory: copies are not made" err

# The order of the mesh is adopted between the loops.
CLEAVE_PLAN=background CLEAVE_RENUMBER=on ./zeros >out 2>err || fail "in the background: exit code not 0" err
CLEAVE_BACKEND=seq ./zeros >seq
cmp -s seq out || fail "in the background: other results: $(diff seq out | head -4)"

# Groups are verified with zeros that are not read, and their loops keep the bits that they have alone.
CLEAVE_VERIFY=1 ./zeros "through" >out 2>err || fail "CLEAVE_VERIFY=1: exit code not 0" err
grep -q 'groups of loops that run as one kernel agree' err || fail "no group was verified" err
CLEAVE_DETERMINISTIC=1 CLEAVE_FUSE=off ./zeros both >seq
CLEAVE_DETERMINISTIC=1 ./zeros both >out 2>err
cmp -s seq out || fail "CLEAVE_DETERMINISTIC=1: other bits" err
