#!/bin/sh
# Out of device memory: a message with the bytes and what they were for, no crash. Schedules that keep the
# contributions of all elements in memory say that it was these.
set -eu
$CLEAVECC --cleave-arch=emu --cleave-emit=fused,split,twopass,loops \
    -I"$SRC/testsuite/endtoend" "$SRC/testsuite/endtoend/features.c" \
    "$SRC/testsuite/endtoend/features_constants.c" -o features 2>compile.err || { cat compile.err; exit 1; }
for bytes in 100 5000 20000 40000; do
    status=0
    CLEAVE_BACKEND=cuda CLEAVE_EMU_MEMORY=$bytes ./features >out 2>err || status=$?
    if [ $status -eq 0 ] || [ $status -ge 128 ]; then
        echo "with $bytes bytes: exit code $status"
        cat err
        exit 1
    fi
    grep -q 'out of device memory' err || { cat err; echo "no message with $bytes bytes"; exit 1; }
    grep -Eq "'[a-z_]+'" err || { cat err; echo "the message names nothing"; exit 1; }
done
needed="[0-9]+ bytes are needed for the contributions of loop '[a-z_]+', [0-9]+ are available"
for schedule in twopass loops; do
    status=0
    CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=$schedule CLEAVE_EMU_MEMORY=70000 ./features >out 2>err ||
        status=$?
    if ! grep -Eq "$needed" err || [ $status -eq 0 ] || [ $status -ge 128 ]; then
        cat err
        echo "$schedule: exit code $status, or nothing is said of its contributions"
        exit 1
    fi
done
