#!/bin/sh
# application.sh NAME: builds an application of applications.txt, and runs it on the processors and on the emulator in the
# forms and settings of matrix.sh: each form once, or with FULL all of them; then those of its lines NAME:WORD. Prints the
# tables.
set -eu
here=$SRC/testsuite/applications
name=$1
. "$here/build.sh"
emit=fused,split,owner soa=- how=quick
[ -z "$FULL" ] || emit=all,candidates how=full
build_application "$name" "$PWD/$name" -O1 --cleave-arch=emu --cleave-emit=$emit --cleave-fuse=auto
if [ -n "$FULL" ]; then
    soa=$PWD/${name}_soa
    build_application "$name" "$soa" -O1 --cleave-arch=emu --cleave-emit=$emit --cleave-fuse=auto --cleave-soa=all
fi
MATRIX_EMULATED=yes
export MATRIX_EMULATED
awk -F '|' -v name="$name" '{ row = $1; gsub(/ /, "", row); split(row, word, ":") } word[1] == name { print row }' \
    "$here/applications.txt" >rows
while read -r row; do
    sh "$here/matrix.sh" "$here/applications.txt" "$row" "$PWD/$name" $soa "openmp cuda" $how || true
done <rows >records
awk -f "$here/table.awk" records
