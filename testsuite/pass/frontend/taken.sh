# taken.sh c|c++: which functions of kernels.c or kernels.cpp are taken as text: the others are trees.
set -e
here=$SRC/testsuite/pass/frontend
case $1 in
c)
    source=kernels.c standard=-std=gnu11
    expected="jumps foreign lazy"
    ;;
*)
    source=kernels.cpp standard=-std=c++17
    expected="both references added exchanged both_ways"
    ;;
esac
"$BUILD/bin/front_dump" "$here/$source" "$standard" "-I$SRC/runtime/api" >out 2>err
found=$(sed -n 's/^function [^ ]* (\(.*\)) text$/\1/p' out | tr '\n' ' ')
[ "$found" = "$expected " ] || {
    echo "as text: $found, not $expected" >&2
    cat err >&2
    exit 1
}
grep -qx 'check: ok' out
