#!/bin/sh
# Equal builds give equal objects, with nothing of temporary folders in them; variants register; what
# --cleave-keep, --cleave-dump and --cleave-time give.
set -eu
. "$SRC/testsuite/driver/common.sh"

twice() { # twice FLAGS...: compiles ring.c twice, in different temporary folders unless CUDA is asked for
    "$CLEAVECC" "$@" -O1 -g -c ring.c -o once.o 2>err || fail "$*" err
    cp once.o first.o
    mkdir -p "other/tmp"
    TMPDIR=$other "$CLEAVECC" "$@" -O1 -g -c ring.c -o once.o 2>err || fail "$*" err
    cmp first.o once.o || fail "two equal builds differ: $*"
    grep -q . err && fail "generated code has warnings: $*" err
    nm once.o >symbols
    grep -q ' r cleave_unit_openmp$' symbols || fail "no registration: $*" symbols
    strings once.o | grep "$TMPDIR" && fail "the temporary folder is in the object"
    return 0
}
other=$PWD/other/tmp
twice
command -v strings >/dev/null || exit 77
if [ -f "$BUILD/lib/libcleave_emulator.a" ]; then
    twice --cleave-arch=emu
    grep -q ' r cleave_unit_cuda$' symbols || fail "no CUDA registration" symbols
fi
if "$CLEAVECC" --cleave-version | grep -q '^CUDA compiler: /'; then
    other=$TMPDIR # nvcc writes the folder's name into objects; it is the same in equal builds
    "$CLEAVECC" --cleave-arch=sm_90 -O1 -g -c ring.c -o once.o >out 2>&1 || fail "nvcc" out
    grep -q . out && fail "generated CUDA has warnings" out
    cp once.o first.o
    "$CLEAVECC" --cleave-arch=sm_90 -O1 -g -c ring.c -o once.o
    cmp first.o once.o || fail "two equal builds with nvcc differ"
    nm once.o | grep -q ' r cleave_unit_cuda$' || fail "no CUDA registration"
fi

"$CLEAVECC" --cleave-keep=kept/here -c ring.c -o kept.o 2>err || fail "keep" err
[ "$(ls kept/here)" = ring.cleave.c ] || fail "not the generated file alone is kept"
"$HOST_CC" -Wall -Wextra -Werror -fopenmp -I "$INCLUDE" -c kept/here/ring.cleave.c -o x.o 2>err ||
    fail "the kept file gives warnings" err
CLEAVE_KEEP=1 "$CLEAVECC" -c ring.c -o kept.o
[ -f ring.cleave.c ] || fail "CLEAVE_KEEP=1 does not keep here"
"$CLEAVECXX" --cleave-keep=kept/twin -c ring.c -o kept.o
[ -f kept/twin/ring.cleave.cpp ] || fail "C++: not ring.cleave.cpp"

"$CLEAVECC" --cleave-dump=loops,chains -c ring.c -o x.o >out 2>err
grep -q share err || fail "--cleave-dump=loops" err
grep -q '^chain 0 "' err || fail "--cleave-dump=chains" err
grep -q . out && fail "a dump on stdout" out
"$CLEAVECC" --cleave-dump=stages -c ring.c -o x.o 2>err
grep -qi 'contribution' err || fail "--cleave-dump=stages" err
"$CLEAVECC" --cleave-dump=graph -c ring.c -o x.o 2>err
grep -q 'tmp(e) takes' err || fail "--cleave-dump=graph" err
"$CLEAVECC" --cleave-dump=dot -c ring.c -o x.o 2>err
grep -q '^digraph' err || fail "--cleave-dump=dot" err
"$CLEAVECC" --cleave-explain -c ring.c -o x.o 2>err
grep -q 'preferred: ' err || fail "--cleave-explain" err
grep -q '^chain main ' err || fail "--cleave-explain does not show chains" err
CLEAVE_EXPLAIN=1 "$CLEAVECC" -c ring.c -o x.o 2>err.variable
cmp err err.variable || fail "CLEAVE_EXPLAIN" err.variable

# The page shows every loop of all sources of a build, whichever commands compile them, and what the text says; it appears
# whole, or stays as it was.
cp ring.c twin.c
echo 'int unrelated(void) { return 1; }' >plain.c
"$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -c ring.c twin.c 2>err.page || fail "--cleave-explain=page.html" err.page
grep -q 'preferred: ' err.page && fail "text besides the page" err.page
for part in '>ring.c</h2>' '>twin.c</h2>' 'preferred: ' 'chain main '; do
    grep -q -F "$part" page.html || fail "no $part in the page" page.html
done
[ "$(grep -c '</html>' page.html)" = 1 ] || fail "two ends of a page" page.html
! command -v python3 >/dev/null || python3 "$SRC/testsuite/endtoend/report_page.py" page.html || fail "the page" page.html
cp page.html before.html
"$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -c ring.c
cmp page.html before.html || fail "the section of a source was not replaced by itself"
rm page.html
for source in twin.c plain.c ring.c; do
    "$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -c $source &
done
wait
for part in '>ring.c</h2>' '>twin.c</h2>' '>plain.c</h2>' '<p>No loops: '; do
    grep -q -F "$part" page.html || fail "commands at the same time: no $part in the page" page.html
done
[ "$(grep -c '<section>' page.html)" = 3 ] || fail "commands at the same time: not three sections" page.html
"$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -c ring.c -o other.o
grep -q -F '>ring.c (other.o)</h2>' page.html || fail "a source that is compiled in two ways" page.html
! command -v python3 >/dev/null || python3 "$SRC/testsuite/endtoend/report_page.py" page.html || fail "the page of several commands" page.html
echo '<p>mine</p>' >page.html
"$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -c plain.c
grep -q 'No loops' page.html || fail "a page that is none of ours" page.html
grep -q 'mine' page.html && fail "a page that is none of ours is continued" page.html
"$CLEAVECC" --cleave-explain -c plain.c 2>err
grep -q '^plain.c: no loops: ' err || fail "--cleave-explain of a source without loops" err
"$CLEAVECC" --cleave-explain=none.html -c missing.c 2>/dev/null && fail "a missing source"
[ ! -e none.html ] || fail "a page about a missing source"
"$CLEAVECC" --cleave-explain=nowhere/page.html --cleave-arch=none -c ring.c 2>err && fail "a page in no folder" err
grep -q "^cleavecc: error: cannot write 'nowhere/page.html': No such file" err || fail "a page in no folder" err
cp page.html before.html
(
    trap '' XFSZ
    ulimit -f 4
    "$CLEAVECC" --cleave-explain=page.html --cleave-arch=none -fsyntax-only ring.c
) 2>err && fail "a page on a full disk" err
grep -q "^cleavecc: error: cannot write 'page.html': File too large" err || fail "a page on a full disk" err
cmp page.html before.html || fail "a page on a full disk has changed"
"$CLEAVECC" --cleave-explain=page.htm -c ring.c 2>err && fail "--cleave-explain=page.htm" err
grep -q "'--cleave-explain=page.htm' is not valid; --cleave-explain takes FILE.html" err || fail "--cleave-explain=page.htm" err
rm -f twin.c twin.o ring.o plain.c plain.o other.o page.html before.html

"$CLEAVECC" --cleave-time -c ring.c -o x.o 2>err
for step in 'front end' 'splitter and code generation' 'host compile' 'OpenMP compile' join; do
    grep -q "time: ring.c:.*$step [0-9.]* s" err || fail "--cleave-time without: $step" err
done
"$CLEAVECC" -c ring.c -o /dev/null 2>err || fail "-o /dev/null" err
[ -c /dev/null ] || fail "/dev/null is no device any more"
touch target.o
ln -s target.o link.o
"$CLEAVECC" -c ring.c -o link.o
[ -L link.o ] && nm target.o | grep -q cleave_unit || fail "an output that is a link"
left_over
