#!/bin/sh
# Cuts that the search finds in real kernels, from their source on: which there are, and the most that a
# stage stages then.
set -eu
"$BUILD/bin/split_dump" "$SRC/testsuite/splitter/partition_kernels.c" --stages >stages.txt

# line LOOP SCHEDULE: what is said about it.
line() {
    awk -v loop="$1" -v schedule="$2:" \
        '$1 == "loop" { here = $2 == loop } here && $1 == schedule { print; exit }' stages.txt
}

# at_most LOOP SCHEDULE BYTES: it is possible, and its stages stage no more than that at a time.
at_most() {
    bytes=$(line "$1" "$2" | sed -n 's/.*at most \([0-9]*\) bytes per point.*/\1/p')
    if [ -z "$bytes" ] || [ "$bytes" -gt "$3" ]; then
        echo "$1, $2: at most $3 bytes per point expected: $(line "$1" "$2")"
        exit 1
    fi
}

# impossible LOOP SCHEDULE: and the reason names the bytes that one stage stages.
impossible() {
    case $(line "$1" "$2") in
    *"not possible: cut in "*", the body would "*"$3"*) ;;
    *)
        echo "$1, $2: not possible, with $3 bytes, expected: $(line "$1" "$2")"
        exit 1
        ;;
    esac
}

at_most vflux split 356
at_most vflux split2 270
at_most vflux split3 160
at_most vflux split4 150
at_most edgecon split2 192
for cuts in 2 3 4; do
    impossible res_calc "split$cuts" 56
done
