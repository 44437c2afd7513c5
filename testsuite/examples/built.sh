#!/bin/sh
# built.sh NAME CHECKS REFUSED: the example NAME builds with a plain compiler without a warning. So it runs
# sequentially: its known values are reached in its own numbering and in a random one, with each of the options CHECKS
# (separated by '|'); the options REFUSED end it with 2 and a message. testsuite/applications/ has the rest.
set -eu
name=$1 checks=$2 refused=$3
example=$SRC/examples/$name
fail() {
    echo "built.sh: $name: $*" >&2
    exit 1
}
sanitizers=$("$CLEAVECC" --showme:link | tr ' ' '\n' | grep '^-fsanitize=' || true)
warnings="-O1 -Wall -Wextra -Werror -I$SRC/runtime/api -I$SRC/runtime $sanitizers"
for source in "$example"/*.c "$example"/*.cpp "$SRC"/examples/common/*.c; do
    case $source in
    *'*'*) continue ;; # no source of that language
    *.cpp) compiler="${CXX:-c++} -std=c++17" ;;
    *) compiler="${CC:-cc} -std=c11" ;;
    esac
    # shellcheck disable=SC2086 # words
    $compiler $warnings -c "$source" -o "plain_$(basename "$source").o" || fail "$source in a plain compiler"
done
# shellcheck disable=SC2086 # words
${CXX:-c++} $sanitizers plain_*.o -L"$BUILD/lib" -lcleave -lgomp -lm -o plain || fail "link by a plain compiler"
rm plain_*.o

reaches() { # reaches PROGRAM OPTION...: with the known values
    # shellcheck disable=SC2086 # words
    "$@" --check >out 2>err || {
        cat out err
        fail "$*"
    }
    grep -q '^CHECK PASSED' out || fail "$*: no verdict"
}
echo "$checks" | tr '|' '\n' >settings
while read -r options; do
    # shellcheck disable=SC2086 # words
    for order in '' --shuffle=7; do
        reaches ./plain $options $order
    done
done <settings

code=0
# shellcheck disable=SC2086 # words
./plain $refused >out 2>err || code=$?
[ $code -eq 2 ] && grep -q "^$name: " err || fail "$refused: exit code $code, $(cat err)"
