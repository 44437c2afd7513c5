#!/bin/sh
# reciprocals.sh: bodies that divide less often differ from the sequential reference by rounding only, on
# every backend and in every schedule, where denominators are zero too; what is generated and said of it.
set -eu
source=$SRC/testsuite/endtoend/reciprocals.c

fail() {
    echo "reciprocals.sh: $*" >&2
    exit 1
}

$CLEAVECC $OPTIMISE -ffp-contract=off -Wall -Wextra --cleave-arch=emu --cleave-emit="$EMIT" --cleave-explain \
    --cleave-reciprocals=merged --cleave-keep=kept "$source" -o merged -lm 2>explained || fail "$(cat explained)"
$CLEAVECC $OPTIMISE -ffp-contract=off --cleave-arch=none --cleave-explain "$source" -o exact -lm 2>exact.explained
CLEAVE_RECIPROCALS=merged $CLEAVECC $OPTIMISE --cleave-arch=none --cleave-reciprocals=exact --cleave-explain \
    "$source" -o exact -lm 2>flag.explained
cmp exact.explained flag.explained || fail "the flag has not the last word"
! grep -q 'quotients' exact.explained || fail "quotients are merged without being asked for"

expect() { # expect FILE TEXT
    grep -qF -e "$2" "$1" || fail "$1 lacks '$2': $(cat "$1")"
}
quotients() { # quotients LOOP TEXT
    sed -n "/^loop $1 /,/^loop/s/^  quotients: //p" explained >line
    [ "$(cat line)" = "$2" ] || fail "$1: $(cat line)"
}
quotients flux '16 divisions, 3 roots as written; merged: 1 division, 0 roots, 3 reciprocal roots; owner: 3 divisions, 0 roots, 3 reciprocal roots'
quotients guarded '5 divisions, 1 root as written; merged: 3 divisions, 1 root'
quotients chosen '1 division, 1 root as written; merged: 0 divisions, 0 roots, 1 reciprocal root'
quotients singles '4 divisions, 2 roots as written; merged: 2 divisions, 1 root, 1 reciprocal root'
for loop in scale total; do # which add nothing through a map: their kernels are called as they are
    quotients $loop ''
done

# The text: one division for three reciprocals, and a reciprocal root for each root.
sed -n -e '/^static void flux_split_colour(/,/ double un = /s/^ *\(double .*\)/\1/p' kept/reciprocals.cleave.c |
    grep -v ' cleave_tmp\| cleave_dat' >text
cat >wanted <<'TEXT'
double square_3 = face[0] * face[0] + face[1] * face[1];
double reciprocal_0 = cleave_rsqrt(square_3);
double length = cleave_root(square_3, reciprocal_0);
double reciprocal_1 = cleave_rsqrt(q1[0]);
double s1 = cleave_root(q1[0], reciprocal_1);
double reciprocal_2 = cleave_rsqrt(q2[0]);
double s2 = cleave_root(q2[0], reciprocal_2);
double denominator_7 = s1 + s2;
double product_8 = q2[0] * denominator_7;
double reciprocal_9 = 1.0 / (q1[0] * product_8);
double reciprocal_4 = reciprocal_9 * product_8;
double u1 = q1[1] * reciprocal_4;
double v1 = q1[2] * reciprocal_4;
double reciprocal_10 = reciprocal_9 * q1[0];
double reciprocal_5 = reciprocal_10 * denominator_7;
double u2 = q2[1] * reciprocal_5;
double v2 = q2[2] * reciprocal_5;
double reciprocal_6 = reciprocal_10 * q2[0];
double w = s1 * reciprocal_6;
double n0 = face[0] * reciprocal_0;
double n1 = face[1] * reciprocal_0;
double un = (w * u1 + (1.0 - w) * u2) * n0 + (w * v1 + (1.0 - w) * v2) * n1;
TEXT
diff wanted text || fail "the text of flux is another"
for text in 'double root = cleave_root(' '= cleave_rsqrt(' 'float reciprocal_'; do
    expect kept/reciprocals.cleave.cu "$text"
done

CLEAVE_BACKEND=seq ./merged 200 | grep '^= ' >expected
run() { # run VARIABLE=value...
    env CLEAVE_VERIFY=1 "$@" ./merged 200 >out 2>err || fail "$*: $(cat err)"
    grep -q '18 calls of compiled loops agree with the reference' err || fail "$*: $(cat err)"
    grep '^= ' out | cmp - expected || fail "$*: another sum"
}
for backend in openmp cuda; do
    for schedule in $SCHEDULES; do
        run CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule
    done
done
run CLEAVE_BACKEND=cuda CLEAVE_SCHEDULE=owner CLEAVE_READS=direct
run CLEAVE_BACKEND=cuda CLEAVE_RACES=atomic CLEAVE_SCHEDULE=split

for value in = =yes =exact,merged =MERGED; do
    if $CLEAVECC "--cleave-reciprocals$value" -c "$source" -o bad.o 2>err; then
        fail "--cleave-reciprocals$value is accepted"
    fi
    expect err "'--cleave-reciprocals$value' is not valid; --cleave-reciprocals takes exact|merged"
done
if CLEAVE_RECIPROCALS=fast $CLEAVECC -c "$source" -o bad.o 2>err; then
    fail "CLEAVE_RECIPROCALS=fast is accepted"
fi
expect err 'CLEAVE_RECIPROCALS=fast, which is not valid; it takes exact|merged'
