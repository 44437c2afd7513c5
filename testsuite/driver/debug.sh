#!/bin/sh
# Debuggers, coverage and sanitizers find the user's kernels in the OpenMP variants of loops.
set -eu
. "$SRC/testsuite/driver/common.sh"

# With -g the statements of a kernel have the user's lines, the rest those of the generated file. What is
# optimised little calls kernels whole.
"$CLEAVECC" -O0 -g --cleave-keep=kept -c ring.c -o ring.o
readelf --debug-dump=decodedline ring.o | sed -n '/^CU:.*ring.cleave.c\|^ring.cleave.c:/,$p' >lines
line=$(grep -n 'left += RING_FACTOR' ring.h | cut -d : -f 1)
grep -q "^ring.h  *$line  *0x" lines || fail "the kernel in the generated file has no line of ring.h" lines
call=$(grep -n 'share_body(cleave_dat' kept/ring.cleave.c | cut -d : -f 1)
grep -q "^ring.cleave.c  *$call  *0x" lines || fail "line $call of the generated file is not there" lines
"$CLEAVECC" ring.o -o ring
check_ring ./ring
CLEAVE_VARIANT=list ./ring >variants
! grep -q split variants || fail "-O0: other forms than whole kernels" variants
"$CLEAVECC" -O0 --cleave-emit=split ring.c -o ring && CLEAVE_VARIANT=list ./ring >variants
grep -q split variants || fail "-O0: --cleave-emit is not heeded" variants
if command -v gdb >/dev/null && gdb -batch -ex run true >/dev/null 2>&1; then
    "$CLEAVECC" ring.o -o ring
    CLEAVE_BACKEND=openmp gdb -batch -ex "break ring.h:$line" -ex run -ex bt ./ring >gdb.out 2>&1 || true
    ! grep -q 'exited normally\|hit Breakpoint' gdb.out || # processes may not be traced everywhere
        grep -q "hit Breakpoint.*share_body.*ring.h:$line\$" gdb.out || fail "the breakpoint" gdb.out
fi

# Coverage: calls in parallel loops are counted, for objects that are compiled alone.
mkdir objects
"$CLEAVECC" --coverage -c ring.c -o objects/ring.o
"$CLEAVECC" --coverage objects/ring.o -o covered
check_ring ./covered
[ "$(ls objects)" = "$(printf 'ring.%s\n' cleave.gcda cleave.gcno gcda gcno o)" ] || fail "files" objects
if "$HOST_CC" --version | grep -q 'Free Software' && command -v gcov >/dev/null; then
    gcov -o objects objects/ring.cleave.gcno >gcov.out 2>&1 || fail "gcov" gcov.out
    grep -q "^ *10: *$line:" ring.h.gcov || fail "line $line is not counted 10 times" ring.h.gcov
fi
touch objects/ring.cleave.o
"$CLEAVECC" --coverage -c ring.c -o objects/ring.o 2>err && fail "a file of the user's is replaced"
grep -q "'objects/ring.cleave.o' exists" err || fail "not said: the name is taken" err
"$CLEAVECC" --coverage ring.c -o covered 2>err || fail "--coverage in one command" err
grep -q 'warning: --coverage in a command that links.*Wcleave-linked-coverage' err ||
    fail "--coverage in one command: no warning" err

# Sanitizers name the user's lines. (Those of a sanitized libcleave do not go with others.)
if [ -n "$SANITIZED" ]; then
    rm -f ./*.gcda ./*.gcno
    left_over
    exit 0
fi
sed 's/\*right += \*amount;/right[1 << 20] += *amount;/' ring.h >wrong.h
sed 's/"ring.h"/"wrong.h"/' ring.c >wrong.c
wrong=$(grep -n '1 << 20' wrong.h | cut -d : -f 1)
if "$CLEAVECC" -O1 -g -fsanitize=address wrong.c -o wrong 2>err; then
    CLEAVE_BACKEND=openmp ./wrong >out 2>&1 && fail "no report by AddressSanitizer"
    grep -q "share_body.*wrong.h:$wrong\$" out || fail "AddressSanitizer names another line" out
fi
echo 'int main(void) { return 0; }' >empty.c
if "$HOST_CC" -fsanitize=thread empty.c -o empty 2>err && ./empty 2>err; then
    "$CLEAVECC" -O1 -g -fsanitize=thread ring.c -o threads
    TSAN_OPTIONS="suppressions=$SRC/runtime/tsan.supp" OMP_NUM_THREADS=2 check_ring ./threads
fi
rm -f ./*.gcda ./*.gcno
left_over
