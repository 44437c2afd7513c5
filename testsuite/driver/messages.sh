#!/bin/sh
# Messages as gcc has them: -Werror, -w, -Wno-..., -fsyntax-only, colours, JSON and SARIF.
set -eu
. "$SRC/testsuite/driver/common.sh"

cat >said.c <<'EOF'
#include "op_seq.h"
static void halve(double *res) { res[0] = res[0] / 2; }
static void zero(double *x) { x[0] = 0; }
static void wrong(const double *x, double *y) { *y = *x; }
void run(op_set cells, op_dat res, int dim)
{
    op_par_loop(halve, "halve", cells, op_arg_dat(res, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(zero, "zero", cells, op_arg_dat(res, -1, OP_ID, dim, "double", OP_WRITE));
#ifdef WRONG
    op_par_loop(wrong, "wrong", cells, op_arg_dat(res, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(res, -1, OP_ID, 1, "double", OP_READ));
#endif
}
EOF
says() { # says CODE TEXT FLAGS...: -c exits with the code, leaves an object only with 0, and says the text
    code=$1
    text=$2
    shift 2
    rm -f said.o
    status=0
    "$CLEAVECC" "$@" -c said.c >out 2>err || status=$?
    [ $status -eq "$code" ] || fail "$*: exit code $status, not $code" err
    [ $status -eq 0 ] || [ ! -e said.o ] || fail "$*: an object after an error"
    [ -z "$text" ] || grep -q -e "$text" err || fail "$*: does not say '$text'" err
    grep . out && fail "$*: something on stdout"
    return 0
}
lacks() { # lacks TEXT: the last command did not say it
    grep -e "$1" err && fail "says '$1'" err
    return 0
}
says 0 "^said.c:2:.*: warning: 'halve' reads or .* OP_RW \[-Wcleave-inc-direct\]$" -Wall
grep -q "^said.c:8:5: note: loop 'zero' .*\[-Wcleave-sequential\]$" err || fail "no name behind a note" err
says 1 "error: 'halve' .*\[-Werror=cleave-inc-direct\]$" -Werror
grep -qx 'cleavecc: all warnings being treated as errors' err || fail "-Werror is not said" err
says 0 "warning: 'halve'" -Werror -Wno-error
says 0 "warning: 'halve'" -Werror -Wno-error=cleave-inc-direct
says 0 "note: loop" -Werror -Wno-cleave-inc-direct
lacks halve
says 1 "error: loop 'zero' .*\[-Werror=cleave-sequential\]$" -Werror=cleave-sequential
says 0 '' -w -Werror
lacks .
says 0 '' -Wno-cleave
lacks .
says 1 "error: 'wrong' writes 'y'.*\[-Wcleave-read-written\]$" -DWRONG -w
says 0 "warning: 'wrong' writes 'y'" -DWRONG -Wno-error=cleave-read-written
says 1 "\[-Werror=cleave\|error: 'wrong'" -DWRONG --cleave-access=warn -Werror
says 2 "'-Wno-cleave-inc_direct' names no message" -Wno-cleave-inc_direct
says 2 "'-Wno-cleave-recursion': this is always an error" -Wno-cleave-recursion

# -fsyntax-only says all of it, too, and makes nothing.
"$CLEAVECC" -fsyntax-only said.c -o said.o 2>err || fail "-fsyntax-only" err
grep -q "warning: 'halve'" err && [ ! -e said.o ] || fail "-fsyntax-only does not check loops" err
"$CLEAVECC" -fsyntax-only -Werror said.c 2>err && fail "-fsyntax-only -Werror"
"$CLEAVECC" -fsyntax-only -Dcells=others -DWRONG=others said.c plain.c 2>err && fail "-fsyntax-only of wrong code"

escape=$(printf '\033')
says 0 "^$escape\[01m$escape\[Ksaid.c:2:.*$escape\[01;35m$escape\[Kwarning: " -fdiagnostics-color
for flags in "" "-fdiagnostics-color -fno-diagnostics-color" "-fdiagnostics-color=always -fdiagnostics-color=auto"; do
    # shellcheck disable=SC2086 # several words or none
    says 0 "^said.c:2:.* warning: " $flags
    lacks "$escape"
done

# JSON as gcc writes it: one line, beside gcc's own; a reader of it where there is one.
json() { # json FILE EXPRESSION: a condition about `d`, the JSON of the file
    ! command -v python3 >/dev/null ||
        python3 -c "import json, sys
d = json.load(open(sys.argv[1]))
assert $2, d" "$1" || fail "not $2" "$1"
}
says 0 '^\[{"kind": "note"' -fdiagnostics-format=json
sed -n '/cleave/p' err >ours.json
[ "$(wc -l <ours.json)" -eq 1 ] || fail "not one line" err
json ours.json "[m['option'] for m in d] == ['-Wcleave-sequential', '-Wcleave-inc-direct']"
json ours.json "d[1]['locations'][0]['caret']['line'] == 2 and d[1]['children'][0]['message'] == 'declare it OP_RW'"
says 1 '"option": "-Werror=cleave-inc-direct"' -fdiagnostics-format=json -Werror
"$CLEAVECC" -fdiagnostics-format=json -c ring.c 2>err && ! grep cleave err || fail "JSON without messages" err
# In a file, also where the host compiler has no such format: that is said.
says 0 '' -fdiagnostics-format=sarif-file -o said.o
grep -q "note: .* does not know -fdiagnostics-format=sarif-file" err || [ ! -s err ] || fail "sarif-file" err
lacks halve
json said.o.cleave.sarif "d['version'] == '2.1.0' and d['runs'][0]['results'][1]['ruleId'] == '-Wcleave-inc-direct'"
json said.o.cleave.sarif "d['runs'][0]['results'][0]['locations'][0]['physicalLocation']['region']['startLine'] == 8"
says 0 '"version": "2.1.0"' -fdiagnostics-format=sarif-stderr
left_over
