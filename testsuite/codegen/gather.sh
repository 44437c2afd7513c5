# gather.sh: groups that gather give on the emulated GPU what their loops give one by one, in each form of their kernels,
# where the mesh is numbered anew, and where memory for second buffers is missing; CLEAVE_DETERMINISTIC=1 keeps the loops
# apart. Groups that would be wrong are refused, with reasons.
set -e
here=$SRC/testsuite/codegen

fail() {
    echo "gather.sh: $1" >&2
    shift
    cat "$@" >&2
    exit 1
}

"$CLEAVECC" -O1 -ffp-contract=off --cleave-arch=emu --cleave-emit=owner,comparisons --cleave-fuse=gather "$here/gather.c" -o gather -lm

# gives EXPECTED NUMBER VARIABLE=value...: the program prints what EXPECTED has, and so many rows of members say that they
# ran in a group.
gives() {
    expected=$1 number=$2
    shift 2
    env "$@" CLEAVE_REPORT=1 ./gather >out 2>err || fail "$*: exit code not 0" err
    cmp -s "$expected" out || fail "$*: other results" out
    [ "$(grep -c '  in [a-z]*+' err)" -eq "$number" ] || fail "$*: not $number loops in groups" err
}

CLEAVE_BACKEND=seq ./gather >seq
gives seq 0 CLEAVE_FUSE=off
gives seq 8 CLEAVE_VARIANT='*_owner_r64' CLEAVE_CHECK_PLAN=1
gives seq 8 CLEAVE_VARIANT='*_owner_named_r64' CLEAVE_CHECK_PLAN=1
[ "$(grep -c '+.*_owner_named_r64 (cuda)' err)" -eq 2 ] || fail "not all groups have items that name what elements read" err
gives seq 8 CLEAVE_VARIANT='*_owner_named' CLEAVE_EMU_ORDER=descending CLEAVE_RENUMBER=on CLEAVE_CHECK_PLAN=1
gives seq 8 CLEAVE_VARIANT='*_owner_batch_r80' CLEAVE_EMU_ORDER=descending
grep -q '_owner_batch_r80 (cuda)' err || fail "no group loads its elements in batches" err
gives seq 8 CLEAVE_VARIANT='*_owner_own_r64'
grep -q '_owner_own_r64 (cuda)' err || fail "no group keeps its points' own records" err
gives seq 8 CLEAVE_VARIANT='*_owner_staged_r128' CLEAVE_EMU_ORDER=random:1
gives seq 8 CLEAVE_VARIANT='*_owner_staged_items_r128' CLEAVE_RENUMBER=on CLEAVE_BLOCK_SIZE=40 CLEAVE_CHECK_PLAN=1
gives seq 2 CLEAVE_EMU_MEMORY=400000
gives seq 0 CLEAVE_VERIFY=1
grep -q 'CLEAVE_VERIFY: 12 groups of loops that run as one kernel agree' err || fail "CLEAVE_VERIFY: other groups" err
CLEAVE_DETERMINISTIC=1 CLEAVE_FUSE=off ./gather >deterministic
gives deterministic 0 CLEAVE_DETERMINISTIC=1

# compiles LOOP PARAMETERS ARGUMENTS: a program that calls the loop, and `next` behind it; its groups are in `out`.
compiles() {
    {
        echo '#include "op_seq.h"'
        echo 'op_set nodes, edges, rims; op_map map, map2, rim, rim2; op_dat q, r, s, e, t; double sum;'
        echo 'static void flux(const double *a, double *b) { *b += *a; }'
        echo 'static void both(const double *a, double *b, double *c) { *b += *a; *c = 1.0; }'
        echo 'static void mid(const double *a, double *b, double *c) { *b += *a; *c = *c < *a ? *c : *a; }'
        echo 'static void two(const double *a, double *b, double *c) { *b += *a; *c -= *a; }'
        echo 'static void count(const int *n, double *b) { *b += 0.5 * *n; }'
        echo "static void next($2) { *a += 1.0; }"
        echo 'int main(void) { for (int i = 0; i < 9; i++) {'
        echo "op_par_loop($1);"
        echo "op_par_loop(next, \"next\", nodes, $3); } return 0; }"
    } >refused.c
    "$CLEAVECC" --cleave-arch=emu --cleave-fuse=gather --cleave-dump=groups -fsyntax-only refused.c >out 2>&1 ||
        fail "refused.c is not compiled" out
}

# refuses TEXT LOOP PARAMETERS ARGUMENTS: behind the loop, `next` is in no group, because of the TEXT.
refuses() {
    text=$1
    shift
    compiles "$@"
    if grep -q gather out; then
        fail "'$text': there is a group" out refused.c
    fi
    grep -q "$text" out || fail "'$text' is not said" out
}

# precedes TEXT LOOP ARGUMENTS: between `flux` and `next`, the loop is launched before them, because of the TEXT.
precedes() {
    compiles "flux, \"flux\", edges, $q, $r); op_par_loop($2, \"$2\", rims, $3" 'double *a' "$own"
    grep -q 'flux+next" gather' out || fail "'$1': there is no group" out
    grep -q "refusal.*$1" out || fail "'$1' is not said" out
}

q='op_arg_dat(q, 1, map, 1, "double", OP_READ)'
r='op_arg_dat(r, 0, map, 1, "double", OP_INC)'
own='op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW)'
refuses "'next' reads 'r' through 'map2', and 'flux' modifies it" "flux, \"flux\", edges, $q, $r" 'double *a, const double *b, const double *c' \
    "op_arg_dat(s, -1, OP_ID, 1, \"double\", OP_RW), op_arg_dat(r, -1, OP_ID, 1, \"double\", OP_READ), op_arg_dat(r, 0, map2, 1, \"double\", OP_READ)"
refuses "'next' modifies 's' through 'map2'" "flux, \"flux\", edges, $q, $r" 'double *a, double *b' \
    "$own, op_arg_dat(s, 0, map2, 1, \"double\", OP_INC)"
refuses "'next' has the numbers of elements" "flux, \"flux\", edges, $q, $r" 'double *a, const int *n' "$own, op_arg_idx(-1, OP_ID)"
refuses "over 'edges', and 'next' over 'nodes'" "both, \"both\", edges, $q, $r, op_arg_dat(e, -1, OP_ID, 1, \"double\", OP_WRITE)" \
    'double *a' "$own"
refuses "over 'edges', and 'next' over 'nodes'" "flux, \"flux\", edges, $q, $r" 'double *a' \
    'op_arg_dat(s, -1, OP_ID, 1, "double", OP_RW)'

i='op_arg_dat(r, 0, rim, 1, "double", OP_INC)'
precedes "'mid' lowers 't'" mid "op_arg_dat(s, -1, OP_ID, 1, \"double\", OP_READ), $i, op_arg_dat(t, 0, rim, 1, \"double\", OP_MIN)"
precedes "'two' increments 2 points, and 'flux', before it, 1" two \
    "op_arg_dat(s, -1, OP_ID, 1, \"double\", OP_READ), $i, op_arg_dat(r, 1, rim, 1, \"double\", OP_INC)"
precedes "'two' increments through several maps" two \
    "op_arg_dat(s, -1, OP_ID, 1, \"double\", OP_READ), $i, op_arg_dat(r, 0, rim2, 1, \"double\", OP_INC)"
precedes "'count' has the numbers of elements" count "op_arg_idx(-1, OP_ID), $i"
