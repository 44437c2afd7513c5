# golden.sh EMIT_FIXTURE FILECHECK: the CUDA text of the fixture's first three loops is as expected, per schedule
# and with structures of arrays; the OpenMP text is as the patterns say. To accept new text: build/bin/emit_fixture must be built, then
#   SRC=. sh testsuite/codegen/golden.sh build/bin/emit_fixture "" --update
set -eu
emit=$1 update=${3:-}
expected=$SRC/testsuite/codegen/expected
status=0
compare() { # compare NAME TARGET SCHEDULES
    made=$(mktemp)
    "$emit" "$2" "$3" c 3 > "$made"
    if ! diff -u "$expected/$1" "$made"; then
        if [ "$update" = --update ]; then
            cp "$made" "$expected/$1"
        else
            status=1
        fi
    fi
    rm -f "$made"
}

for schedule in fused split all; do
    compare cuda.$schedule.txt cuda $schedule
done
compare cuda.soa.txt cuda fused,split,owner,soa
[ $status -eq 0 ] || exit 1
[ -n "$update" ] || sh "$SRC/testsuite/codegen/patterns.sh" "${2:-}"
