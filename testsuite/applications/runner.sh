#!/bin/sh
# runner.sh: the matrix runner, on a program that stands in for an application and does what FAULT says: the runner
# finds every fault, in the cell of the table where it belongs, and nothing else.
set -eu
here=$SRC/testsuite/applications
fail() {
    echo "runner.sh: $*" >&2
    exit 1
}

cat >program <<'TEXT'
#!/bin/sh
if [ "${CLEAVE_VARIANT:-}" = list ]; then
    for form in fused_range_lanes fused_range split_colour direct; do echo "openmp flux flux_$form"; done
    for form in split_atomic split_gather_direct_c2_r64 split_ordered_c2_r64 fused_global_colour owner_staged_r128 owner; do
        echo "cuda flux flux_$form"
    done
    exit
fi
ran=${CLEAVE_SCHEDULE:-split}${CLEAVE_RACES:+_$CLEAVE_RACES}${CLEAVE_READS:+_$CLEAVE_READS}
what="$CLEAVE_BACKEND $ran $* ${CLEAVE_RENUMBER:-} ${CLEAVE_DETERMINISTIC:+threads=$OMP_NUM_THREADS} lanes=${CLEAVE_LANES:-}"
energy=1.5 count=12 variant=flux_$ran
[ "$CLEAVE_BACKEND" != seq ] || variant=sequential
case ${FAULT:-none}:$what in
all:cuda\ split_atomic*\ on\ *) energy=1.500001 ;;
all:cuda\ split_ordered*) energy=1.5000000000001 ;; # within the tolerance
all:openmp\ fused_range\ *--shuffle*\ on\ *) energy=nan ;;
all:openmp\ fused_range\ *--shuffle*) count= ;;
all:openmp\ fused_range\ *lanes=32) energy=1.5000000000001 ;;
all:openmp\ split_colour\ *threads=3*) energy=1.5000000000001 ;;
all:openmp\ split_colour\ *lanes=?*) variant= ;;
all:openmp\ split_colour\ *\ off\ *) variant=sequential ;;
all:cuda\ owner_staged\ *) variant=flux_owner ;;
all:cuda\ owner\ *) [ "${0%_soa}" = "$0" ] || { echo "a loop fails" >&2 && exit 3; } ;;
all:openmp*--n=16*check*) echo "16 is known" >&2 && exit 1 ;;
reference:seq*) exit 1 ;;
esac
[ "${FAULT:-none}${CLEAVE_VERIFY:-}$CLEAVE_BACKEND" != all1cuda ] || { echo "CLEAVE_VERIFY: 'flux' differs" >&2 && exit 1; }
echo "energy = $energy"
[ -z "$count" ] || echo "count = $count"
echo "total time = 1.2 s"
[ -n "$variant" ] || exit 0
echo "loop          count      time [s]        GB/s  plan time [s]  kernel     variant"
echo "flux       100      0.000147      78.318       0.000000  flux  $variant ($CLEAVE_BACKEND)"
echo "total                    0.023063       6.319       0.000124"
echo "times: wall time of each loop"
TEXT
chmod +x program
ln -s program program_soa
echo 'heat | heat | --n=4 | = | --n=8; --n=16 | 1e-10; late energy: 1e-3 | -' >table

# matrix FAULT HOW: writes the records and the table; sets `status` to table.awk's exit code.
matrix() {
    FAULT=$1 sh "$here/matrix.sh" table heat "$PWD/program" "$PWD/program_soa" "openmp cuda" "$2" >records || true
    status=0
    awk -f "$here/table.awk" records >shown || status=$?
}

matrix none full
[ $status -eq 0 ] || fail "without a fault: $(cat shown)"
cat >expected <<'TEXT'
heat
backend  schedule races     reads     natural renumbered   shuffled       both        soa  same-bits      lanes
openmp   default  -         -              ok         ok         ok         ok          -         ok         ok
openmp   fused    range     -              ok         ok         ok         ok          -         ok         ok
openmp   split    colour    -              ok         ok         ok         ok          -         ok         ok
cuda     default  -         -              ok         ok         ok         ok         ok         ok          -
cuda     split    atomic    -              ok         ok         ok         ok         ok          -          -
cuda     split    gather    direct         ok         ok         ok         ok         ok          -          -
cuda     split    ordered   staged         ok         ok         ok         ok         ok         ok          -
cuda     fused    global    -              ok         ok         ok         ok         ok         ok          -
cuda     owner    -         staged         ok         ok         ok         ok         ok         ok          -
cuda     owner    -         -              ok         ok         ok         ok         ok         ok          -
openmp   tuned: ok
openmp   verify: ok
openmp   check --n=8: ok
openmp   check --n=16: ok
cuda     tuned: ok
cuda     verify: ok
cuda     check --n=8: ok
cuda     check --n=16: ok
heat: 66 ok, 0 failed, 12 not possible (-), 0 not run for lack of time

TEXT
diff expected shown || fail "without a fault the table is another one"
matrix none quick
[ $status -eq 0 ] || fail "quick: $(cat shown)"
grep -q '|FAIL|' records && fail "quick: $(cat records)"
[ "$(grep -c '|ok|' records)" -ge 12 ] || fail "quick runs nearly nothing: $(cat records)"

matrix all full
[ $status -eq 1 ] || fail "with faults: exit code $status: $(cat shown)"
cat >expected <<'TEXT'
heat
backend  schedule races     reads     natural renumbered   shuffled       both        soa  same-bits      lanes
openmp   default  -         -              ok         ok         ok         ok          -         ok         ok
openmp   fused    range     -              ok         ok       FAIL       FAIL          -         ok       FAIL
openmp   split    colour    -            FAIL         ok       FAIL         ok          -       FAIL       FAIL
cuda     default  -         -              ok         ok         ok         ok         ok         ok          -
cuda     split    atomic    -              ok       FAIL         ok       FAIL         ok          -          -
cuda     split    gather    direct         ok         ok         ok         ok         ok          -          -
cuda     split    ordered   staged         ok         ok         ok         ok         ok         ok          -
cuda     fused    global    -              ok         ok         ok         ok         ok         ok          -
cuda     owner    -         staged          -          -          -          -          -          -          -
cuda     owner    -         -              ok         ok         ok         ok       FAIL         ok          -
openmp   tuned: ok
openmp   verify: ok
openmp   check --n=8: ok
openmp   check --n=16: FAIL
cuda     tuned: ok
cuda     verify: FAIL
cuda     check --n=8: ok
cuda     check --n=16: ok
  FAIL: openmp fused range -, shuffled: 1 results, sequentially 2
  FAIL: openmp fused range -, both: energy = nan, sequentially 1.5: no numbers to compare
  FAIL: openmp fused range -, lanes: CLEAVE_LANES=32 changes bits: < energy = 1.5 > energy = 1.5000000000001
  FAIL: openmp split colour -, natural: runs sequentially: flux
  FAIL: openmp split colour -, shuffled: runs sequentially: flux
  FAIL: openmp split colour -, same-bits: another run with 3 threads changes bits: < energy = 1.5 > energy = 1.5000000000001
  FAIL: openmp split colour -, lanes: no table of loops: the program has to call op_timing_output()
  FAIL: openmp check - -, --n=16: exit code 1: 16 is known
  FAIL: cuda split atomic -, renumbered: energy = 1.500001, sequentially 1.5: differs by 1e-06, allowed are 1.5e-10
  FAIL: cuda split atomic -, both: energy = 1.500001, sequentially 1.5: differs by 1e-06, allowed are 1.5e-10
  FAIL: cuda owner - -, soa: exit code 3: a loop fails
  FAIL: cuda verify - -, : exit code 1: CLEAVE_VERIFY: 'flux' differs
heat: 48 ok, 12 failed, 18 not possible (-), 0 not run for lack of time

TEXT
sed 's/ *$//' shown | diff expected - || fail "with faults the table is another one"
matrix reference quick
[ $status -eq 1 ] && grep -q 'FAIL: seq - - -, natural: exit code 1' shown || fail "a sequential run that fails: $(cat shown)"

MATRIX_UNTIL=1 && export MATRIX_UNTIL
matrix none full
unset MATRIX_UNTIL
[ $status -eq 1 ] || fail "a matrix that was not run passes: $(cat shown)"
grep -qx 'heat: 0 ok, 0 failed, 0 not possible (-), 78 not run for lack of time' shown || fail "$(cat shown)"
code=0
sh "$here/matrix.sh" table cold ./program - openmp full >records 2>err || code=$?
[ $code -eq 2 ] || fail "an unknown application: exit code $code"

# Tolerances: exceptions are absolute, and go by the beginning of a name.
printf 'late energy = 0\nenergy = 2\n' >reference
printf 'late energy = 0.0009\nenergy = 2.0000000001\n' >close
printf 'late energy = 0.0011\nenergy = 2\n' >far
compare() {
    awk -v tolerance="$1" -f "$here/compare.awk" reference "$2" >said
}
compare '1e-10; late energy: 1e-3' close || fail "$(cat said)"
! compare '1e-10; late energy: 1e-3' far || fail "an exception is not limited"
! compare 1e-10 close || fail "a reference of 0 has no limit"
! compare '1e-10; late energy' close || fail "an exception without a number passes"
! compare tiny close || fail "a tolerance that is no number passes"
