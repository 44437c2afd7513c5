# replay.sh CASE.c: the graphs of a case's kernels do what the kernels do: each is printed as C, before
# and after merging, and as the stages of each schedule, and runs beside the kernel on random data. Lines "EXPECT: text" of the case must
# be in the dump of its graphs. Of the case refused.c no kernel has a graph;
# of unjoined.c no group has a joined loop.
set -e
case=$SRC/testsuite/splitter/cases/$1
if [ "$1" = unjoined.c ]; then # the groups are refused, which makes it fail
    ! "$BUILD/bin/replay_dump" --graph "$case" 2>graph.txt >&2
else
    "$BUILD/bin/replay_dump" --graph "$case" >graph.txt
fi
grep 'EXPECT: ' "$case" | sed 's/.*EXPECT: //; s/ *\*\/$//' >expected.txt || true
while IFS= read -r line; do
    grep -qF -- "$line" graph.txt || { echo "not in the graphs: $line"; cat graph.txt; exit 1; }
done <expected.txt
[ "$1" != unjoined.c ] || exit 0
if [ "$1" = refused.c ]; then
    ! grep computes graph.txt
    exit
fi
# 0 is fused, 1 to 4 split, then loops, two-pass and owner gather
schedules="--schedule=0 --schedule=1 --schedule=2 --schedule=3 --schedule=4 --schedule=5 --schedule=7"
for flag in "" --raw $schedules; do
    "$BUILD/bin/replay_dump" $flag "$case" >"replay.${1##*.}"
    [ -z "$SANITIZED" ] || [ -n "$FULL" ] || continue # what is printed is not sanitized
    case $1 in
    *.c) compiler="cc -std=gnu11" ;;
    *) compiler="c++ -std=gnu++17" ;;
    esac
    $compiler ${FULL:+-O1} -w -ffp-contract=off -I"$SRC/runtime/api" -I"$SRC/runtime" "replay.${1##*.}" -o replay -lm \
        -ffunction-sections -fdata-sections -Wl,--gc-sections
    ./replay || { echo "differs $flag"; exit 1; }
done
