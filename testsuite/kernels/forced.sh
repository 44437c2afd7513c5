# forced.sh: a schedule that is asked for is the one that runs, though another is predicted to be faster: the
# viscous flux in one to four parts, on OpenMP and on the emulated GPU, which agree with the reference.
set -e
"$CLEAVECC" --cleave-emit=all --cleave-arch=emu -O1 "-I$SRC/testsuite/kernels" \
    "$SRC/testsuite/kernels/hydra.c" -o program
CLEAVE_BACKEND=seq ./program >reference
for backend in openmp cuda; do
    for schedule in split split2 split3 split4; do
        CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule ./program --table >out
        grep -q "^vflux .* vflux_${schedule}_[a-z0-9_]* ($backend)" out || {
            echo "$backend: $schedule was asked for, and this ran:"
            grep '^vflux' out
            exit 1
        }
        sed '/^loop /,$d' out >result
        sh "$SRC/testsuite/kernels/same.sh" reference result 1e-12
    done
done
