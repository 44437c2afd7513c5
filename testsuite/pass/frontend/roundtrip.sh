# roundtrip.sh c|c++: every kernel of kernels.c or kernels.cpp, printed back from its tree or text,
# computes the same bits as the original. What is printed of C is C++ too.
set -e
here=$SRC/testsuite/pass/frontend
case $1 in
c) compiler=${CC:-cc} source=kernels.c printed=printed.c standard=-std=gnu11 ;;
*) compiler=${CXX:-c++} source=kernels.cpp printed=printed.cpp standard=-std=c++17 ;;
esac
"$BUILD/bin/print_back" "$here/$source" "$1" "$standard" "-I$SRC/runtime/api" >"$printed"
flags="$standard -O0 -ffp-contract=off -w -I$here -I$SRC"
$compiler $flags -c "$printed" -o printed.o
$compiler $flags -c "$here/$source" -o written.o
${CC:-cc} -I"$here" -c "$here/compare.c" -o compare.o
$compiler compare.o printed.o written.o -lm -o compare
./compare
[ "$1" != c ] || ${CXX:-c++} -x c++ -std=c++17 -fsyntax-only -w "-I$here" "-I$SRC" "$printed"
