# joins.sh: what a group reduces in so many blocks that several blocks join it is what its loops reduce one by one.
set -eu
$CLEAVECC -O1 --cleave-arch=emu --cleave-emit=owner --cleave-fuse=gather "$SRC/testsuite/endtoend/joins.c" -o joins

CLEAVE_BACKEND=seq ./joins >seq.out
CLEAVE_REPORT=1 CLEAVE_FUSE=on CLEAVE_BLOCK_SIZE=32 CLEAVE_VARIANT='*_owner_named_r64' ./joins >cuda.out 2>err || { cat err; exit 1; }
diff seq.out cuda.out
grep -q '^flux+update .*_owner_named_r64 (cuda)' err || { echo "no group runs:"; cat err; exit 1; }
