# forced.sh: a schedule that is asked for is the one that runs, though another is predicted to be faster: the
# viscous flux of the program in one to four parts, and loops that add many components in slices. Sourced by
# run.sh.
for backend in openmp cuda; do
    for schedule in split split2 split3 split4; do
        CLEAVE_BACKEND=$backend CLEAVE_SCHEDULE=$schedule ./program --table >out
        grep -q "^vflux .* vflux_${schedule}_[a-z0-9_]* ($backend)" out || {
            echo "$backend: $schedule was asked for, and this ran:"
            grep '^vflux' out
            exit 1
        }
    done
done
CLEAVE_BACKEND=cuda CLEAVE_VARIANT='*_slices2_*' ./program --table >out
for loop in edgecon accu; do
    grep -q "^$loop .* ${loop}_split_slices2_[a-z0-9_]* (cuda)" out || {
        echo "cuda: slices were asked for, and this ran:"
        grep "^$loop" out
        exit 1
    }
done
