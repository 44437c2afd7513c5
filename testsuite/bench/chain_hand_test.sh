# chain_hand_test.sh PROGRAM...: the fused kernels give on the emulator what loops one by one give, in both
# precisions and in any order of the mesh, and a wrong value is found.
set -e
fail() {
    echo "chain_hand_test.sh: $1" >&2
    cat out >&2
    exit 1
}

passes() { # passes PROGRAM OPTION...
    "$@" --calls=1 --iterations=1 >out 2>&1 || fail "$*: exit code not 0"
    [ "$(grep -c -e ' ok$' -e ' not checked$' out)" -eq "$(wc -l <out)" ] && [ "$(wc -l <out)" -ge 2 ] || fail "$*: rows are missing"
}

refuses() { # refuses CODE TEXT PROGRAM OPTION...
    code=$1 text=$2 status=0
    shift 2
    "$@" >out 2>&1 || status=$?
    [ $status -eq "$code" ] && grep -q -e "$text" out || fail "$*: exit code $status, or no '$text'"
}

passes "$1" --cells=20,30 --size=0 --only='F3 slices' # whose residuals are known
passes "$1" --cells=20,30 --size=0 --only=' b64'
passes "$1" --cells=4,5 --size=9 --order=shuffled
passes "$1" --cells=4,5 --size=0 --wait
for program; do
    passes "$program" --cells=4,5 --size=13 --order=rcm
    refuses 1 WRONG "$program" --cells=4,3 --size=9 --fault --calls=1 --iterations=1
    ! grep -q ' ok$' out || fail "$program: a wrong value is not found"
done
passes_one=$("$1" --cells=4,5 --size=0 --only='F3 slices' --calls=1 --iterations=1 | grep -c 'F3 slices')
[ "$passes_one" -eq 2 ] || fail "--only='F3 slices' measures $passes_one forms"
refuses 2 'order=heat: natural, shuffled, or one of' "$1" --order=heat
refuses 2 'calls=0. is not understood' "$1" --calls=0
