# structure.sh: what the splitter finds in the kernels of the examples and of this folder: how many values cross to
# the updates, what they are shared by, which parts there are, and the bytes that each stage stages for a point.
dump() { # FILE: graphs and stages of all its loops
    "$BUILD/bin/split_dump" "$SRC/$1" --graph --stages >dump 2>notes
}
bad=0
loop() { # NAME: the part of the dump about one loop
    name=$1
    awk -v name="$1" '/^(graph|loop) /{ on = $2 == name } on' dump >part
    test -s part
}
has() { # PATTERN: extended regular expression, spaces stand for any blanks
    pattern=$(printf '%s' "$1" | sed 's/  */ +/g')
    tr '\n' ' ' <part | grep -Eq "$pattern" || {
        echo "$name: not found: $1" >&2
        bad=1
    }
}
bytes() { # SCHEDULE BYTES...: what its stages stage for a point
    schedule=$1
    shift
    found=$(awk -v schedule="$schedule:" '
        /^  [a-z0-9]+:/ { on = $1 == schedule }
        on && /^ +stage [0-9]+: .* bytes per point/ { sub(/.*; /, ""); printf "%s ", $1 }' part)
    test "$found" = "$* " || {
        echo "$name, $schedule: stages $found bytes per point, not $*" >&2
        bad=1
    }
}
largest_below() { # SCHEDULE BYTES: the largest stage stages less than BYTES
    awk -v schedule="$1:" -v limit="$2" '
        /^  [a-z0-9]+:/ { on = $1 == schedule }
        on && /^ +stage [0-9]+: .* bytes per point/ { sub(/.*; /, ""); n++; bad = bad || $1 >= limit }
        END { exit n == 0 || bad }' part || {
        echo "$name: $1 does not stay below $2 bytes per point" >&2
        bad=1
    }
}

dump examples/airfoil/airfoil.c
loop res_calc
has 'tmp\(e\) takes 4 values \(32 bytes\) for 8 increments'

dump examples/hydra/hydra.c
loop edgecon
has 'tmp\(e\) takes 24 values \(192 bytes\) for 48 increments'
has 'grad2\[17\] -= [a-z_0-9]+, as grad1\[17\]'
has 'lap2\[5\] -= [a-z_0-9]+, as lap1\[5\]'
has 'in 2 parts that can be computed apart part 1: 36 increments of grad\[0\.\.17\] by 18 values; reads q, S part 2: 12 increments of lap\[0\.\.5\] by 6 values; reads x, q'
bytes fused 264
bytes split 72 192 192
loop accu
has 'tmp\(e\) takes 26 values \(208 bytes\) for 52 increments'
has 'B2\[24\] \+= [a-z_0-9]+, as B1\[24\]'
has 't2\[0\] \+= [a-z_0-9]+, as t1\[0\]'
bytes fused 340
bytes split 132 208 208
loop iflux
has 'tmp\(e\) takes 6 values \(48 bytes\) for 12 increments'
bytes fused 164
bytes split 116 48 48
loop vflux
has 'tmp\(e\) takes 6 values \(48 bytes\) for 12 increments'
has 'sums whose terms read different data'
has 'rvis1\[1\]: a term from w, grad, mu, S \+ a term from q \+ a term from lap'
bytes fused 404
bytes split 356 48 48
largest_below split2 356
largest_below split3 356
largest_below split4 356

# The forces of hexahedra, with three components in a dat and with a dat for each.
for form in grouped separate; do
    dump "examples/lulesh/$form.c"
    loop integrate_stress
    has 'tmp\(e\) takes 24 values \(192 bytes\) for 24 increments'
    has 'in 3 parts that can be computed apart'
    for part in 1 2 3; do
        has "part $part: 8 increments of p_f\[$((part - 1))\](\[0\])? by 8 values"
    done
done

dump examples/mgcfd/mgcfd.cpp
loop compute_flux_edge
has 'tmp\(e\) takes 5 values \(40 bytes\) for 10 increments'
has 'fluxes_b\[4\] \+= [a-z_0-9]+, as fluxes_a\[4\]'
dump testsuite/kernels/mgcfd.c
loop compute_flux_twice
has 'tmp\(e\) takes 10 values \(80 bytes\) for 10 increments'
has "note: what is added to 'fluxes_a\[0\]' .* and to 'fluxes_b\[0\]' .* has the same form, but is not the same up to its sign as it is written"

dump testsuite/kernels/volna.c
loop space_discretization
has 'tmp\(e\) takes 6 values \(24 bytes\) for 6 increments'
has 'right\[2\] \+= [a-z_0-9]+ '

dump testsuite/kernels/scatter.c
loop getacc_scatter
has 'split: splitting saves no shared memory: .* fused and split both stage 32 bytes per point, and the contributions would take 32 bytes'
loop flux_sum
has 'split: splitting saves no shared memory: .* fused and split both stage 40 bytes per point, and the contributions would take 0 bytes'
loop local_maximum
has 'pmax0\[0\] max= '
has 'pmax1\[0\] max= '

loop local_maximum
(bad=0; bytes fused 17 2>/dev/null; exit $bad) && { echo "a wrong number of bytes passes" >&2; exit 1; }
exit $bad
