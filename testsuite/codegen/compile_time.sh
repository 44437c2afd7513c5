# compile_time.sh: the OpenMP text of airfoil with lanes takes a bounded multiple of the time, and makes a bounded
# multiple of the instructions, of the text that compiles fastest, which has one variant of each loop and no lanes. With
# gcc 12 both are 3 times as much; lanes of three widths, second copies of bodies and functions for all types and
# widths were 5.7 and 4.4 times.
set -eu
command -v gcc >/dev/null || { echo "gcc is not there"; exit 77; }
for emit in auto fast; do
    "$CLEAVECC" --cleave-arch=none --cleave-emit=$emit -O3 "--cleave-keep=$PWD/$emit" -c \
        "$SRC/examples/airfoil/airfoil.c" -o airfoil.o
done

# compile FOLDER: user seconds of the processor, and instructions, in `result`.
compile() {
    (
        gcc -O3 -std=gnu11 -fopenmp -ffp-contract=off "-I$BUILD/include/cleave" -S "$1/airfoil.cleave.c" -o "$1.s"
        times >times.txt # this shell's children
    )
    seconds=$(awk 'NR == 2 { split($1, part, /[ms]/); print 60 * part[1] + part[2] }' times.txt)
    result="$seconds $(grep -c '^	[a-z]' "$1.s")"
}

# The least of some rounds: tests share the processors.
for round in 1 2; do
    for emit in auto fast; do
        compile $emit
        echo "$emit $result"
    done
done >measured
awk '{ if (!($1 in seconds) || $2 < seconds[$1]) seconds[$1] = $2; count[$1] = $3 }
END {
    time = seconds["auto"] / (seconds["fast"] > 0 ? seconds["fast"] : 0.001)
    size = count["auto"] / count["fast"]
    printf "%.2f times as long, %.2f times as many instructions\n", time, size
    exit !(time < 4.5 && size < 4)
}' measured || { cat measured; exit 1; }
