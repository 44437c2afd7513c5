# ahead.sh: loops that groups compute ahead of their calls, on the emulated GPU: the program's results are those of the
# sequential loops, whatever happens before the calls, and the report counts what was taken over and what was dropped.
# Loops that must not run ahead of their calls are refused, with reasons.
set -e
here=$SRC/testsuite/codegen

fail() {
    echo "ahead.sh: $1" >&2
    shift
    cat "$@" >&2
    exit 1
}

"$CLEAVECC" -O1 -ffp-contract=off --cleave-arch=emu --cleave-emit=owner --cleave-fuse=gather --cleave-explain "$here/ahead.c" \
    -o ahead -lm 2>explained
grep -q "flux+rim+update|area.*'area' is run ahead of its call" explained || fail "the group is not explained" explained

# gives STEPS COUNTS VARIABLE=value...: the results are the sequential ones, and the report has the counts: "7 6 0" are 7
# launches that computed the loop ahead, of which 6 were taken over and 0 dropped.
gives() {
    steps=$1 counts=$2
    shift 2
    CLEAVE_BACKEND=seq ./ahead "$steps" >seq
    env CLEAVE_TUNE=off CLEAVE_REPORT=1 "$@" ./ahead "$steps" >out 2>err || fail "$steps $*: exit code not 0" err
    cmp -s seq out || fail "$steps $*: other results" seq out
    found=$(sed -n 's/^groups: \([0-9]*\) launches computed .* which \([0-9]*\) .* and \([0-9]*\) dropped$/\1 \2 \3/p' err)
    [ "$found" = "$counts" ] || fail "$steps $*: '$found' and not '$counts'" err
}

gives nnnn '6 5 0'
grep -q '^area  *5 .*  ahead in flux+rim+update|area (cuda)' err || fail "the calls of 'area' are not shown" err
gives nnsfnn '10 9 0' CLEAVE_VARIANT='*_owner_staged_r128' CLEAVE_EMU_ORDER=random:1
gives nnpn '6 4 1'
gives nnlnwncn '14 10 3' CLEAVE_RENUMBER=on
gives nnonxn '10 6 3'
gives nntn '5 4 0'
gives nnLLnnn '4 1 3'
gives nnnnPnnCnfnn '22 17 4' CLEAVE_GRAPH=on
gives nnnn '' CLEAVE_FUSE=off
gives nnnn '' CLEAVE_FUSE=called
grep -q ' in flux+rim+update (cuda)' err || fail "no group runs with CLEAVE_FUSE=called" err
gives nnn '' CLEAVE_VERIFY=1
grep -q 'CLEAVE_VERIFY: no loop was computed ahead' err || fail "CLEAVE_VERIFY does not say what it leaves out" err
for memory in 120000 135000 150000; do # for no group, for one without the loop ahead, and for all
    CLEAVE_EMU_MEMORY=$memory CLEAVE_TUNE=off ./ahead nnn >out 2>err || fail "$memory bytes: exit code not 0" err
    cmp -s seq out || fail "$memory bytes: other results" seq out
done
CLEAVE_DETERMINISTIC=1 CLEAVE_FUSE=off ./ahead nnln >apart
CLEAVE_DETERMINISTIC=1 ./ahead nnln >out
cmp -s apart out || fail "CLEAVE_DETERMINISTIC=1: other bits" apart out

# refuses TEXT KERNEL ARGUMENTS...: behind `flux` and `update`, which reduces, the loop does not run ahead of its call, because
# of the TEXT.
refuses() {
    {
        echo '#include "op_seq.h"'
        echo 'op_set nodes, edges; op_map map; op_dat q, r, s; double sum, dt;'
        echo 'static void flux(const double *a, double *b) { *b += *a; }'
        echo 'static void update(double *b, double *sum) { *sum += *b; *b = 0.0; }'
        echo "static void next($2"
        echo 'int main(void) { for (int i = 0; i < 9; i++) {'
        echo 'op_par_loop(flux, "flux", edges, op_arg_dat(q, 1, map, 1, "double", OP_READ),'
        echo 'op_arg_dat(r, 0, map, 1, "double", OP_INC));'
        echo 'op_par_loop(update, "update", nodes, op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW),'
        echo 'op_arg_gbl(&sum, 1, "double", OP_INC));'
        echo "op_par_loop(next, \"next\", nodes, $3); } return 0; }"
    } >refused.c
    "$CLEAVECC" --cleave-arch=emu --cleave-fuse=gather --cleave-dump=groups -c refused.c -o refused.o >out 2>&1 ||
        fail "refused.c is not compiled" out
    if grep -q '^  member next ahead' out; then
        fail "'$1': a loop runs ahead" out refused.c
    fi
    grep -q "$1" out || fail "'$1' is not said" out
}

own='op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW)'
refuses "'next' gets '&dt' by op_arg_gbl, whose value is known when it is called" 'double *a, const double *dt) { *a += *dt; }' \
    "$own, op_arg_gbl(&dt, 1, \"double\", OP_READ)"
refuses "'next' reduces into '&sum'" 'double *a, double *sum) { *sum += *a; *a = 1.0; }' \
    "$own, op_arg_gbl(&sum, 1, \"double\", OP_INC)"
refuses "'flux' and 'next' both modify 'r'" 'double *a) { *a += 1.0; }' 'op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW)'
refuses "'next' has loops, quotients of integers" 'double *a) { while (*a > 1e-9) { *a *= *a - 0.5; } }' "$own"
