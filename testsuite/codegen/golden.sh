# golden.sh: the generated text of the fixture's first three loops is as expected, per target and
# schedule. To accept new text: build/bin/emit_fixture must be built, then
#   SRC=. sh testsuite/codegen/golden.sh build/bin/emit_fixture --update
set -eu
emit=$1
expected=$SRC/testsuite/codegen/expected
status=0
for target in openmp cuda; do
    for schedule in fused split all; do
        name=$target.$schedule.txt
        made=$(mktemp)
        "$emit" $target $schedule c 3 > "$made"
        if ! diff -u "$expected/$name" "$made"; then
            if [ "${2:-}" = --update ]; then
                cp "$made" "$expected/$name"
            else
                status=1
            fi
        fi
        rm -f "$made"
    done
done
exit $status
