#!/bin/sh
# layouts.sh: what --cleave-soa=auto chooses for dats that loops use in one way each, what it says of that,
# and that the kernels of all loops which name a dat have it so.
set -eu
source=$SRC/testsuite/codegen/layouts.c

fail() {
    echo "layouts.sh: $*" >&2
    exit 1
}

$CLEAVECC --cleave-arch=emu --cleave-emit=fused --cleave-soa=auto --cleave-explain --cleave-keep=kept \
    -c "$source" -o layouts.o 2>explained || fail "$(cat explained)"
sed -n '/^layouts on the GPU/,/^how loops run/s/^  \([a-z]\)/\1/p' explained >chosen
while read -r name bytes choice; do
    grep -q "^$name ($bytes) .*  $choice" chosen || fail "$name of $bytes is not '$choice': $(cat chosen)"
done <<'TEXT'
three_arrays 3.x.8.bytes SoA: its direct accesses outweigh those through maps\|SoA: loops access it directly
four_arrays 4.x.8.bytes SoA: loops access it directly
eight_arrays 8.x.4.bytes SoA: loops access it directly
five_arrays 5.x.8.bytes SoA: loops access it directly, by component or in long records
two_of_eight_arrays 8.x.8.bytes SoA: loops access it directly
two_structures 2.x.8.bytes AoS: the difference is small
read_structures 5.x.8.bytes AoS: whole records are accessed through maps
first_of_six_structures 6.x.8.bytes AoS: the difference is small
added_structures 5.x.8.bytes AoS: whole records
often_arrays 3.x.8.bytes SoA: its direct accesses outweigh those through maps
seldom_structures 3.x.8.bytes AoS:
declared_arrays 4.x.8.bytes SoA: an argument's type says ":soa"
optional_structures 5.x.8.bytes AoS: loop 'perhaps' needs whole records of it
named_twice 2.x.8.bytes AoS: the difference is small
named_twice 3.x.8.bytes SoA: loops access it directly
TEXT
[ "$(wc -l <chosen)" -eq 15 ] || fail "other dats are listed: $(cat chosen)"

# The costs: sectors of 32 bytes for each record.
costs() { # costs NAME STRUCTURES ARRAYS
    grep -q "^$1 ([^)]*) *$2 *$3  " chosen || fail "$1 costs something else: $(grep "^$1 " chosen)"
}
costs four_arrays 2.00 1.00
costs eight_arrays 2.00 1.00
costs two_structures 0.50 0.50
costs five_arrays 10.00 2.50
costs two_of_eight_arrays 2.00 0.50
costs first_of_six_structures 2.00 2.00
costs added_structures 8.00 20.00
costs optional_structures 6.00 1.50

layout() { # layout LOOP FLAGS: 1 for each argument that is a structure of arrays
    grep -qF "unsigned char ${1}_soa[] = {$2};" kept/layouts.cleave.cu || fail "the layout of $1 is not $2"
}
layout whole_records '1, 1, 1, 1'
layout few_components '1, 0'
layout opaque '1, 0'
layout through_map '0, 0, 1, 0'
layout in_place '1, 0'
layout gather '1, 0, 0'
layout said '1, 0'
layout said_2 '1, 0'
layout triples '1, 0'
! grep -q '\(perhaps\|certainly\|pairs\)_soa' kept/layouts.cleave.cu || fail "a dat is a structure of arrays"

# OP2's word for all, after which our own flag counts.
cat >word.c <<'TEXT'
#include "op_seq.h"
static void twice(double *a) { a[0] *= 2.0; a[1] *= 2.0; }
void loop(op_set set, op_dat dat);
void loop(op_set set, op_dat dat) { op_par_loop(twice, "twice", set, op_arg_dat(dat, -1, OP_ID, 2, "double", OP_RW)); }
TEXT
for try in '1 --cleave-arch=emu 1' '0 --cleave-arch=emu 0' '1 --cleave-soa=declared 0'; do
    # shellcheck disable=SC2086 # words
    set -- $try
    OP_AUTO_SOA=$1 $CLEAVECC --cleave-arch=emu --cleave-emit=fused "$2" --cleave-keep=kept_word -c word.c -o word.o 2>err ||
        fail "$(cat err)"
    [ "$(grep -c 'unsigned char twice_soa\[\] = {1};' kept_word/word.cleave.cu)" = "$3" ] ||
        fail "OP_AUTO_SOA=$1 $2 compiles $(grep soa kept_word/word.cleave.cu)"
done

# Nothing is chosen, and nothing said, without being asked for.
$CLEAVECC --cleave-arch=none --cleave-explain -c "$source" -o layouts.o 2>explained
! grep -q '^layouts on the GPU' explained || fail "layouts are chosen without being asked for"
for value in = =automatic =auto,all; do
    if $CLEAVECC "--cleave-soa$value" -c "$source" -o bad.o 2>err; then
        fail "--cleave-soa$value is accepted"
    fi
    grep -qF "'--cleave-soa$value' is not valid; --cleave-soa takes declared|all|auto" err || fail "$(cat err)"
done
