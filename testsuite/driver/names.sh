#!/bin/sh
# Names that a shell, make or a compiler could take for something else: of sources, outputs, folders, macros
# and compilers. nvcc runs shells on its words, so only plain ones may reach it; each output lies where the
# host compiler would put it, and nothing else is written.
set -eu
. "$SRC/testsuite/driver/common.sh"
printf 'char kept;\n' >precious

# In nvcc's place: refuses words that a shell might change, and makes an object that registers.
cat >nvcc <<'EOF'
#!/bin/sh
[ "$1" != --list-gpu-code ] || { printf 'sm_80\nsm_90\n'; exit; }
for word in "$PWD" "$TMPDIR" "$@"; do
    case $word in
    --generate-code=*) ;;
    *[!A-Za-z0-9_./+=-]* | '') echo "not plain: $word" >&2 && exit 1 ;;
    esac
done
while [ $# -gt 1 ]; do
    case $1 in
    -ccbin=./host) ./host --version >/dev/null || exit 1 ;;
    -I*) [ -f "${1#-I}/op_seq.h" ] || { echo "no headers in $1" >&2 && exit 1; } ;;
    -c) file=$2 ;;
    -o) object=$2 ;;
    esac
    shift
done
case $file in [!A-Za-z0-9_]*) echo "not plain: $file" >&2 && exit 1 ;; esac
symbol=$(sed -n 's/.*\(cleave_unit_cuda[_0-9a-f]*\).*/\1/p' "$file" | head -n 1)
echo "char $symbol;" | cc -xc -c - -o "$object"
EOF
chmod +x nvcc
arch=none
if [ -f "$BUILD/lib/libcleave_cuda.a" ]; then
    arch=sm_90
    CLEAVE_NVCC=$PWD/nvcc
    export CLEAVE_NVCC
fi
CLEAVE_ARCH=$arch

sed '/^#include "ring.h"/d' ring.c >ring.in # the kernels come by -include
cc_ring() { # cc_ring COMPILER WORDS...: compiles without a word
    compiler=$1
    shift
    "$compiler" --cleave-emit=fused "$@" >out 2>err || fail "$*" out err
    cat out err | grep -q . && fail "says something: $*" out err
    return 0
}
nothing_else() { # no command ran, and no other file was written over
    find . -name 'injected*' | grep . && fail "a shell ran what stands in a name ($1)"
    [ "$(cat precious)" = 'char kept;' ] || fail "a file was written over ($1)"
    left_over
}

line='
'
evil='$(touch injected1)`touch injected2`;touch injected3;"'"'"'\,#&|*?[x] <>=%s$HOME'
long=$(printf '%0230d' 0)
n=0
for name in "a$evil" "a${line}b" -lead @at .dot '~tilde' "$long" 'ä' '*'; do
    n=$((n + 1))
    cp ring.in "./$name.c"
    cc_ring "$CLEAVECC" -include ring.h -c "./$name.c"
    [ -f "./$name.o" ] || fail "no $name.o"
    mv "./$name.o" object$n.o
    rm "./$name.c"
    nothing_else "$name"
done
CLEAVE_ARCH=none "$CLEAVECC" object1.o -o program
CLEAVE_BACKEND=openmp ./program 2>/dev/null | grep -qx 'sum 90' || fail "the program"

# Outputs. gcc takes the word behind -o for a name, whatever it begins with.
cp ring.in plain_name.c
for output in -oprecious "b$evil" -x.o "$long"; do
    for mode in -c ''; do
        # shellcheck disable=SC2086 # a word or none
        cc_ring "$CLEAVECC" -include ring.h $mode plain_name.c -o "$output"
        [ -f "./$output" ] || fail "no output '$output'"
        rm "./$output"
        nothing_else "-o $output"
    done
done
cc_ring "$CLEAVECC" -include ring.h -c plain_name.c -o @new
[ -f ./@new ] || fail "no output '@new'"

# Folders: of the source, of headers, of the output, of generated files, of temporary ones, the current one.
folder="d$evil$line"
mkdir "$folder" "$folder/tmp"
cp ring.h ring.in "$folder"
mv "$folder/ring.in" "$folder/ring.c"
first=$(printf %s "first$evil" | tr -d '"').h
printf '#include "ring.h"\n' >"$folder/$first"
(
    cd "$folder"
    TMPDIR=$PWD/tmp
    cc_ring "$CLEAVECC" -I "$PWD" -I"../$folder" -include "$first" "-DTEXT=\"'\$(touch injected)\"" \
        "-DF(x)=x \$(touch injected)" -MD -MF "dep$evil" -MT "target$evil" --cleave-keep="kept$evil" \
        -c "../$folder/ring.c" -o "./out$evil.o"
    for file in "out$evil.o" "dep$evil" "kept$evil/ring.cleave.c"; do
        [ -f "$file" ] || fail "an output is missing: $file"
    done
)
nothing_else "folders"
rm -r "$folder"

# libclang cannot include this one: said, and not compiled as a file without loops.
cp ring.h 'fir"st.h'
"$CLEAVECC" -include 'fir"st.h' -c plain_name.c -o object.o 2>err && fail "a header that cannot be read"
grep -q "cannot include a file .*: 'fir\"st.h'" err || fail "the header is not named" err

# cleave itself and the C++ compiler in such folders, and compilers of several words.
prefix="$PWD/p$evil"
mkdir -p "$prefix/bin" "$prefix/include" "$prefix/lib/cleave"
cp "$BUILD/bin/cleavecc" "$prefix/bin"
ln -s "$INCLUDE" "$prefix/include/cleave"
ln -s "$BUILD"/lib/*.a "$prefix/lib"
ln -s "$SRC/pass/frontend/parse_include" "$prefix/lib/cleave/parse_include"
ln -s "$HOST_CXX" "$prefix/bin/my c++"
CLEAVE_CXX="$prefix/bin/my c++" cc_ring "$prefix/bin/cleavecc" -c ring.c -o object.o
CLEAVE_CC="env 'A=a b' $HOST_CC" CLEAVE_CXX="env -u A $HOST_CXX" cc_ring "$CLEAVECC" -c ring.c -o object.o
CLEAVE_ARCH=none CLEAVE_CC="env $HOST_CC" cc_ring "$CLEAVECC" object.o -o program
status=0
CLEAVE_CC="env $CLEAVECC" "$CLEAVECC" -c ring.c 2>err || status=$?
[ $status -eq 1 ] && grep -q 'is cleavecc itself' err || fail "a launcher of cleavecc itself" err
rm -r "$prefix"
nothing_else "prefix"

# Two sources whose generated files would have one name.
mkdir x y
cp ring.c x/one.c
sed 's/int main/int other_main/' ring.c >y/one.c
cc_ring "$CLEAVECC" -I. -c x/one.c y/one.c --cleave-keep=both
[ -f both/one.cleave.c ] && [ -f both/one_2.cleave.c ] || fail "a kept file is lost"

# The real one.
[ $arch != none ] || exit 0
unset CLEAVE_NVCC
cp ring.c "a$evil.c"
cc_ring "$CLEAVECC" -c "a$evil.c" -o real.o
nothing_else "nvcc"
