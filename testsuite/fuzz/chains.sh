#!/bin/sh
# Fixed random chains of loops, which share dats, with the host in between: groups of them run as one kernel, and the
# program prints what it does without groups and sequentially. Hundreds of others find what is rare
# (testsuite/README.md).
set -eu
case $FULL:$SANITIZED in
yes:*) count=90 ;;
*) count=30 ;;
esac
sh "$SRC/testsuite/fuzz/run" --chains --build "$BUILD" --seed 1 --count $count --batch $((count / 2)) \
    --backends cuda >out || { cat out; exit 1; }
cat out
# A test without groups would pass, too.
launches=$(sed -n 's/.* calls ran in \([0-9]*\) launches of groups.*/\1/p' out)
[ "${launches:-0}" -ge $((count * 2)) ] || { echo "only ${launches:-0} launches of groups"; exit 1; }
