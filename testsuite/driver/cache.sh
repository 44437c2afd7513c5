#!/bin/sh
# Compiler caches: settings of the environment are part of what `cleavecc -E` prints, so that none returns the
# object of other settings; a cache that may overlook them, and preprocessed text, are warned of.
set -eu
. "$SRC/testsuite/driver/common.sh"

# A cache as they all are: looks for the object by the words and the preprocessed text.
cat >mycache <<'EOF'
#!/bin/sh
"$1" -E ring.c >text.i || exit
key=$(echo "$@" | cat - text.i | cksum | tr ' ' -)
if [ -f "stored/$key" ]; then
    echo hit
else
    "$@" && cp ring.o "stored/$key"
fi
cp "stored/$key" ring.o
EOF
chmod +x mycache
mkdir stored
schedules() { # schedules FILE: the compiled variants
    strings "$1" | grep -E '^share_[a-z0-9]*(_|$)' | sort -u
}
compile() { # compile CACHE EMIT: by the variable, into ring.o and $2.found
    CLEAVE_EMIT=$2 "$1" "$CLEAVECC" -c ring.c -o ring.o >cache.out 2>err || fail "$1 $2" cache.out err
    schedules ring.o >"$2.found"
}
command -v strings >/dev/null || exit 77
compile ./mycache fused
grep -q "warning: 'mycache' has started cleavecc while the environment has CLEAVE_EMIT=fused and more: .*\[-Wcleave-cached-settings\]" err ||
    fail "no warning of a cache that nobody knows" err
cp fused.found expected
compile ./mycache split
cmp -s fused.found split.found && fail "a cache returns the object of other settings"
compile ./mycache fused
grep -qx hit cache.out || fail "equal settings are not equal to the cache" cache.out
same "the object from the cache" expected fused.found
(unset CLEAVE_ARCH && ./mycache "$CLEAVECC" --cleave-arch=none -DOTHER -c ring.c -o ring.o 2>err >out) || fail "flags" err
grep . err && fail "a warning without set variables"

# Everything that decides about objects changes the text; what does not leaves it.
text() { env "$@" "$CLEAVECC" -E ring.c | cksum; }
usual=$(text A=b)
[ "$(text A=b)" = "$usual" ] || fail "the text differs from run to run"
for setting in CLEAVE_EMIT=split CLEAVE_ACCESS=warn CLEAVE_ALIAS=accept CLEAVE_SOA=all CLEAVE_RECIPROCALS=merged CLEAVE_GROUPS=off \
    CLEAVE_ARCH=sm_90 "CLEAVE_CC=env $HOST_CC"; do
    [ "$(text "$setting")" != "$usual" ] || fail "$setting is not in the text"
done

# Text that is preprocessed already has no loops that cleavecc could read.
"$CLEAVECC" -E ring.c -o ring.i
"$CLEAVECXX" -E -x c++ ring.c -o ring.ii
for file in ring.i ring.ii; do
    "$CLEAVECC" -c $file -o pre.o 2>err || fail "$file" err
    grep -q "warning: '$file' is preprocessed, so its loops run sequentially.*\[-Wcleave-preprocessed\]" err || fail "$file: no warning" err
done
"$CLEAVECC" -E plain.c -o plain.i
"$CLEAVECC" -c plain.i 2>err && ! grep . err || fail "a warning of a file without loops" err

command -v ccache >/dev/null || exit 0
CCACHE_DIR=$PWD/ccache
CCACHE_COMPILERCHECK=content
unset CCACHE_SLOPPINESS CCACHE_NOHASHDIR CCACHE_BASEDIR
export CCACHE_DIR CCACHE_COMPILERCHECK
for mode in CCACHE_NODEPEND CCACHE_DEPEND; do # the latter does not preprocess where it can help it
    for emit in fused split fused; do
        CLEAVE_EMIT=$emit env $mode=1 ccache "$CLEAVECC" -MD -c ring.c -o ring.o 2>err || fail "ccache" err
        grep . err && fail "ccache: a message"
        schedules ring.o >found
        same "the object from ccache ($mode, $emit)" $emit.found found
    done
done
ccache -s | grep -q 'Hits: *[1-9]' || fail "ccache never finds an object" 
CCACHE_NOCPP2=1 CLEAVE_EMIT=split2 ccache "$CLEAVECC" -c ring.c -o ring.o 2>err
grep -q 'is preprocessed, so its loops run sequentially' err || fail "CCACHE_NOCPP2 loses loops without a word" err
CCACHE_SLOPPINESS=time_macros CLEAVE_EMIT=twopass ccache "$CLEAVECC" -c ring.c -o ring.o 2>err
grep -q "warning: 'ccache' has started cleavecc .*time_macros" err || fail "no warning of sloppiness" err
CLEAVE_CC="ccache $HOST_CC" "$CLEAVECC" ring.c -o ring || fail "ccache below cleavecc"
check_ring ./ring
