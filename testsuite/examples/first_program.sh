#!/bin/sh
# first_program.sh: the program in README.md compiles, runs and prints what the README shows; with a wrong
# descriptor it gets the message that the README shows.
set -eu
readme=$SRC/README.md
[ "$(wc -c <"$readme")" -le 8192 ] || { echo "README.md is longer than 8 KB" >&2; exit 1; }
sed -n '/^```c$/,/^```$/p' "$readme" | sed '1d;$d' >heat.c
grep -q op_par_loop heat.c

export CLEAVE_ARCH=none
export ASAN_OPTIONS=detect_leaks=0 # a first program need not free at its end
"$CLEAVECC" -O1 -Wall -Wextra -Werror heat.c -o heat
sed -n 's/^    \(node 0: .*\)/\1/p' "$readme" >shown
CLEAVE_BACKEND=seq ./heat | diff shown -
CLEAVE_BACKEND=openmp CLEAVE_VERIFY=1 ./heat 2>said | diff shown -
grep -q 'note: CLEAVE_VERIFY: 200 calls .* agree' said
grep -q 'note: CLEAVE_VERIFY: 100 sequences of loops in tiles give the bits' said
[ "$(wc -l <said)" -eq 2 ]

sed 's/op_arg_dat(t, -1, OP_ID, 1, "double", OP_RW)/op_arg_dat(t, -1, OP_ID, 1, "double", OP_READ)/' heat.c >wrong.c
mkdir wrong && mv wrong.c wrong/heat.c && cd wrong
if "$CLEAVECC" -c heat.c 2>said; then
    exit 1
fi
sed -n '/^    heat\.c:.* error: /,/note: declare/s/^    //p' "$readme" >shown
[ -s shown ]
head -n "$(wc -l <shown)" said | diff shown -
