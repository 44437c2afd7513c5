#!/bin/sh
# Runs one test script: run.sh SOURCE_DIR BUILD_DIR SCRIPT [args...]
# The script is run in a fresh temporary directory, kept when it fails and KEEP_TESTS is set.
set -eu
SRC=$1 BUILD=$2 script=$3
shift 3
# make and lists of flags cannot hold a folder with spaces: tests then reach theirs through links.
links=
case $SRC$BUILD in
*[[:space:]]*)
    links=$(mktemp -d /tmp/cleave-links.XXXXXX)
    ln -s "$SRC" "$links/source"
    ln -s "$BUILD" "$links/build"
    SRC=$links/source BUILD=$links/build
    ;;
esac
CLEAVECC=$BUILD/bin/cleavecc CLEAVECXX=$BUILD/bin/cleavec++
CLEAVE_PLAN_CACHE=off   # a test that means it sets a folder of its own
CLEAVE_GRAPH=on         # launches wait in the queue and become graphs, whatever that gains
CLEAVE_TUNE=off         # likewise: which variant runs would depend on the clock
CLEAVE_CHECK_PLAN=1     # whatever plan a test makes is validated
OMP_WAIT_POLICY=passive # tests share the cores
SANITIZED=${SANITIZED:-} # yes: so were cleave's libraries and programs built
FULL=${FULL:-}           # yes: everything, however long it takes
# Schedules of programs whose subject is something else: each way in which races are resolved and stages pass on
# what they compute. split2 to split4 and loops are made of the same parts.
SCHEDULES="fused split ${FULL:+split2 split3 split4 loops }twopass owner"
EMIT=${FULL:+all} # the value of --cleave-emit for them
EMIT=${EMIT:-fused,split,twopass,owner,comparisons}
# How programs with many variants are compiled: -O1 takes g++ two to three times as long. testsuite/kernels and
# airfoil are always optimised, lest what compilers may assume of the text goes untested.
OPTIMISE=-O0
[ -z "$FULL" ] || OPTIMISE=-O1
export SANITIZED FULL SCHEDULES EMIT OPTIMISE
export SRC BUILD CLEAVECC CLEAVECXX CLEAVE_PLAN_CACHE CLEAVE_GRAPH CLEAVE_TUNE CLEAVE_CHECK_PLAN OMP_WAIT_POLICY
work=$(mktemp -d "${TMPDIR:-/tmp}/cleave-test.XXXXXX")
cd "$work"
status=0
sh -e "$script" "$@" || status=$?
cd /
if [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ -n "${KEEP_TESTS:-}" ]; then
    echo "kept: $work" >&2
else
    rm -rf "$work" ${links:+"$links"}
fi
exit "$status"
