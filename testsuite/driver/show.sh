#!/bin/sh
# --showme and its kind: what is added, on stdout, and enough for the host compiler alone.
set -eu
. "$SRC/testsuite/driver/common.sh"

"$CLEAVECC" --showme:compile >compile.out
"$CLEAVECC" --showme:link >link.out
"$CLEAVECC" --showme -O2 ring.c -o app >all.out
[ ! -e app ] || fail "--showme compiles"
grep -qF -- "-I$INCLUDE" compile.out || fail "no include path" compile.out
grep -q -- '-lcleave' link.out || fail "no library" link.out
grep -q "^ $HOST_CC .*-O2 ring.c -o app .*-lcleave" all.out || fail "not the whole command" all.out
[ "$("$CLEAVECC" --showme:incdirs)" = "$INCLUDE" ] || fail "--showme:incdirs"
"$CLEAVECC" --showme:libdirs | tr ' ' '\n' | grep -qx "$BUILD/lib" || fail "--showme:libdirs"
"$CLEAVECC" -showme:libs | tr ' ' '\n' | grep -qx cleave || fail "-showme:libs"
[ "$("$CLEAVECC" --showme:command)" = " $HOST_CC" ] || fail "--showme:command"
"$CLEAVECXX" --showme:version | grep -q '^cleavecc: cleave [0-9.]* (Language: C++)$' || fail "--showme:version"
# The host compiler with these words builds the sequential program.
eval "\"\$HOST_CC\" $(cat compile.out) ring.c -o app $(cat link.out)"
CLEAVE_BACKEND=seq ./app 2>/dev/null | grep -qx 'sum 90' || fail "the sequential program"

"$CLEAVECC" --cleave-help >help.out
for flag in emit arch access alias keep dump explain host time verbose help version; do
    grep -q -e "--cleave-$flag" help.out || fail "--cleave-help without --cleave-$flag" help.out
done
"$CLEAVECC" --cleave-version | grep -q '^cleave [0-9]' || fail "--cleave-version"
"$CLEAVECC" --cleave-verbose -c ring.c 2>err
[ "$(grep -c '^ ' err)" -eq 4 ] || fail "--cleave-verbose does not show four commands" err
# The commands as shown, run by a shell, make the same object.
CLEAVE_VERBOSE=1 "$CLEAVECC" -c plain.c 2>err
cp plain.o before.o
sh err
same "the command that is shown" before.o plain.o
