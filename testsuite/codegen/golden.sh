# golden.sh: the generated text of the fixture's first three loops is as expected, per target and
# schedule, and with structures of arrays. To accept new text: build/bin/emit_fixture must be built, then
#   SRC=. sh testsuite/codegen/golden.sh build/bin/emit_fixture --update
set -eu
emit=$1 update=${2:-}
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

for target in openmp cuda; do
    for schedule in fused split all; do
        compare $target.$schedule.txt $target $schedule
    done
done
compare cuda.soa.txt cuda fused,split,owner,soa
exit $status
