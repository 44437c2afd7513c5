# clang.sh: the test of values by clang, too. Without maytrap clang computes in lanes that are off, as it does in
# scalar code behind an if.
set -eu
clang=
for candidate in clang-19 clang-18 clang-17 clang-16 clang; do
    version=$("$candidate" -dumpversion 2>/dev/null || echo 0)
    if [ -z "$clang" ] && [ "${version%%.*}" -ge 16 ]; then
        clang=$candidate
    fi
done
[ -n "$clang" ] || {
    echo "clang 16 or newer is not there" >&2
    exit 77
}
"$clang" -O1 -Wall -Wextra -Werror -pedantic -D_GNU_SOURCE -ffp-contract=off -ffp-exception-behavior=maytrap \
    -I"$SRC/runtime" -I"$SRC/testsuite" "$SRC/testsuite/runtime/lanes/values.c" -o values -lm
./values
