# without.sh: files that say which vectors they do not need still have the others, and fewer names.
set -eu
cat >body.h <<'END'
static float CLEAVE_LANE_NAME(sum)(const float *p)
{
    const CLEAVE_V(f32) v = CLEAVE_ROW(f32, p);
    return v[0] + v[1];
}
END
for class in 8 4; do
    {
        echo "#define CLEAVE_LANES_WITHOUT_$class"
        echo "#define CLEAVE_LANES_WITHOUT_NARROW"
        echo "#include \"lanes/launch.h\""
        echo "#define CLEAVE_LANE_BYTES 16"
        echo "#include \"lanes/begin.h\""
        echo "#define CLEAVE_LANES CLEAVE_LANES_OF_$((12 - class))"
        echo "#include \"body.h\""
        echo "#include \"lanes/end.h\""
        echo "int main(void) { const float p[4] = {1, 2, 3, 4}; return sum_16(p) != 3; }"
    } >user.c
    "${CC:-cc}" -O1 -Wall -Wextra -Werror -I"$SRC/runtime" user.c -o user -lm
    ./user
    sed "s/CLEAVE_LANES_OF_$((12 - class))/CLEAVE_LANES_OF_$class/" user.c >wrong.c
    ! "${CC:-cc}" -I"$SRC/runtime" -fsyntax-only wrong.c 2>said || {
        echo "CLEAVE_LANES_WITHOUT_$class leaves out nothing" >&2
        exit 1
    }
done
