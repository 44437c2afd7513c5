# sides.sh: where both sides of an edge are alike, a point takes the place of the first one, with the same results; where
# they are not, or where -ffp-contract=off wants sums as they are written, it knows its side.
set -eu
here=$SRC/testsuite/codegen

fail() {
    echo "sides.sh: $1" >&2
    shift
    cat "$@" >&2
    exit 1
}

# kernel NAME: the text of a loop's kernel whose items name what they read.
kernel() {
    sed -n "/^$1_owner_named_1(/,/^}/p" kept/sides.cleave.cu
}

# knows NAME...: the kernels that choose records or values by the side.
knows() {
    for name in "$@"; do
        [ -n "$(kernel "$name")" ] || fail "there is no kernel $name"
        if kernel "$name" | grep -qE 'cleave_choose|cleave_sign_|switch'; then
            echo "$name"
        fi
    done
}

build() { # build FLAG...
    "$CLEAVECC" -O1 --cleave-arch=emu --cleave-emit=owner,comparisons --cleave-keep=kept "$@" "$here/sides.c" -o sides
}

gives() { # gives VARIABLE=value...: what the program prints by backend seq
    env "$@" CLEAVE_CHECK_PLAN=1 CLEAVE_REPORT=1 ./sides >out 2>err || fail "$*: exit code not 0" err
    cmp -s seq out || fail "$*: other results" out
    [ "$(grep -c '_owner_named (cuda)' err)" -eq 4 ] || fail "$*: not all loops run by items that name what they read" err
}

build
CLEAVE_BACKEND=seq ./sides >seq
[ "$(grep -vc '^0x0p+0 0x0p+0$' seq)" -gt 140 ] || fail "most cells have no sums" seq
gives CLEAVE_VARIANT='*_owner_named'
gives CLEAVE_VARIANT='*_owner_named' CLEAVE_EMU_ORDER=descending CLEAVE_RENUMBER=on
gives CLEAVE_VARIANT='*_owner_named' CLEAVE_VERIFY=1
[ "$(knows flux pull push)" = push ] || fail "these kernels know their side: $(knows flux pull push)"
kernel flux | grep -q 'cleave_column == 0 ? cleave_now.word\[1\] : cleave_now.word\[2\]' || fail "ends keep their places"

build -ffp-contract=off
gives CLEAVE_VARIANT='*_owner_named'
[ "$(knows flux pull push | tr '\n' ' ')" = "flux pull push " ] || fail "sums are not as they are written"
