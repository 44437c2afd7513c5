#!/bin/sh
# A compilation that is ended from outside leaves nothing behind and ends by the same signal.
set -eu
. "$SRC/testsuite/driver/common.sh"

cat >slow <<'EOF'
#!/bin/sh
echo "$$" >slow.pid
: >half.o
exec sleep 20
EOF
chmod +x slow
CLEAVE_CC=./slow "$CLEAVECC" -c ring.c -o half.o 2>err &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ ! -s slow.pid ] || break
    sleep 0.2
done
[ -s slow.pid ] || fail "the host compiler was not started" err
kill -TERM $pid
status=0
wait $pid || status=$?
[ $status -eq 143 ] || fail "exit status $status" err
[ ! -e half.o ] || fail "half an object is left"
left_over
