#!/bin/sh
# common.sh: what examples/common does with command lines and results, as C and as C++: options of each kind, their
# errors, verdicts of --check that pass and that fail.
set -eu
common=$SRC/examples/common
fail() {
    echo "common.sh: $*" >&2
    exit 1
}
for compiler in "${CC:-cc} -std=c11" "${CXX:-c++} -x c++ -std=c++17"; do
    # shellcheck disable=SC2086 # words
    $compiler -Wall -Wextra -Werror -I"$common" "$SRC/testsuite/examples/common_run.c" "$common/run.c" \
        "$common/permute.c" "$common/output.c" "$common/output_hdf5.c" -o program -lm || fail "$compiler"
    [ -e program_c ] || mv program program_c
done

# prints TEXT [ARGUMENT...]: the program ends with 0 and prints the line.
prints() {
    text=$1
    shift
    ./program_c "$@" >out 2>err || fail "$*: exit code $?: $(cat err)"
    grep -qxF -- "$text" out || fail "$*: not '$text', but: $(cat out)"
}

# refuses STATUS TEXT [ARGUMENT...]: the program ends with STATUS, and says TEXT as a line of its errors.
refuses() {
    status=$1 text=$2 code=0
    shift 2
    ./program_c "$@" >out 2>err || code=$?
    [ $code -eq "$status" ] || fail "$*: exit code $code: $(cat out err)"
    grep -qxF -- "program: $text" err || fail "$*: not '$text', but: $(cat err)"
}

prints 'given: n 8 sizes 3,4 flag 0 length 0.5 mode fast mesh none shuffle 0 output none'
prints 'given: n 8 sizes 7,9 flag 1 length -2e-05 mode slow mesh a=b shuffle 7 output none' \
    --sizes=7,9 --flag --length=-2e-5 --mode=slow --mesh=a=b --shuffle=7 OP_BLOCK_SIZE=64
prints 'given: n 8 sizes 3,4 flag 0 length 0.5 mode fast mesh none shuffle 0 output x.vtu' OP_ --output=x.vtu
prints 'third = 0.3333333333'
prints 'third = 0.33333333333333331' --verbose
./program --verbose --sizes=7,9 >cpp 2>/dev/null
./program_c --verbose --sizes=7,9 2>/dev/null | grep -v steps >c
grep -v steps cpp | cmp - c || fail "C and C++ differ"
grep -q '^3 steps in [0-9.]* us: [0-9.]* us each, the first [0-9.]* us$' cpp || fail "no time: $(cat cpp)"
prints '  --sizes=N,N        cells in x and y (default 3,4)' --n=77 --help
prints '  --mode=WORD        how (default fast)' --help
prints '                     WORD is one of: fast slow' --help
./program_c --help | grep -q -e '--output' && fail "--output is shown without being there"

refuses 2 "'--cells=3' is not an option; program --help lists all options" --cells=3
refuses 2 "'3' is not an option; program --help lists all options" 3
refuses 2 "'--output=x.vtu' is not an option; program --help lists all options" --output=x.vtu
refuses 2 "'--sizesx=1,2' is not an option; program --help lists all options" --sizesx=1,2
refuses 2 "'--n' needs a value: --n=..." --n 3
refuses 2 "'--flag=1': --flag takes no value" --flag=1
for value in '' 0 -3 1.5 3x 2147483648 99999999999999999999; do
    refuses 2 "'--n=$value': --n needs a whole number from 1 to 2147483647" --n="$value"
done
for value in '' 3 3, ,3 3,4,5 3,0 '3, x' 3,4x; do
    refuses 2 "'--sizes=$value': --sizes needs 2 whole numbers from 1 to 2147483647 with commas between" \
        --sizes="$value"
done
for value in '' x nan inf 1e999 1,5; do
    refuses 2 "'--length=$value': --length needs a number" --length="$value"
done
for value in '' fas faster 'fast slow'; do
    refuses 2 "'--mode=$value': --mode needs one of these words: fast slow" --mode="$value"
done
refuses 2 "'--mesh=': --mesh needs the name of a file" --mesh=
refuses 2 '--shuffle needs a whole number from 1 to 1000000000' --shuffle=1000000001
refuses 2 '--output=x.txt: the name must end in .vtu (VTK XML) or .vtkhdf' OP_ --output=x.txt
refuses 1 'no memory for 77' --n=77
refuses 2 'too large: 78' --n=78

# Verdicts: what this run did not compute is not missed; one value that is wrong, or no number, is.
prints 'CHECK PASSED: 2 of 2 known values (1 more are known, which this run did not compute)' --check
refuses 1 "'third' is 0.33333333333333331, but 0.29999999999999999 is known for n=9 mode=fast: differs by 0.0333, allowed are 3e-13" \
    --n=9 --check
grep -qx 'CHECK FAILED: 1 of 2 known values' out || fail "verdict: $(cat out)"
refuses 1 "'root' is -nan, but 1 is known for n=10 mode=fast: differs by nan, allowed are 2e+09" --n=10 --check
code=0
./program_c --n=11 --check >out || code=$?
[ $code -eq 1 ] || fail "no value is known: exit code $code"
grep -qx 'CHECK FAILED: no value is known for n=11 mode=fast' out || fail "verdict: $(cat out)"
prints 'third = 0.3333333333' --n=9 # without --check nothing is compared
! ./program_c --n=79 >out 2>err || fail "a .vtkhdf file without HDF5 is not refused"
grep -q "cannot write 'x.vtkhdf': this program was built without HDF5" err || fail "$(cat err)"
