# openmp.sh: generated OpenMP, as C and as C++, compiles without warnings and computes what plain loops
# do, with every variant, on one thread and on three, and under the sanitizers.
set -eu
emit=$1
runtime=$SRC/runtime/api
checks="-g -O1 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=undefined"
strict="-Wall -Wextra -Werror -I$runtime -I$SRC/runtime"
"$emit" openmp all c > mesh.c
"$emit" openmp all c++ > mesh.cpp
gcc -std=c11 $strict $checks -c mesh.c -o mesh_c.o
g++ -std=c++17 $strict $checks -c mesh.cpp -o mesh_cxx.o
gcc -std=c11 -D_GNU_SOURCE $strict $checks -I"$SRC" -c "$SRC"/testsuite/codegen/run_mesh*.c
for unit in c cxx; do
    nm mesh_$unit.o | grep -q ' R cleave_unit_openmp$'
    gcc $checks run_mesh*.o mesh_$unit.o -L"$BUILD/lib" -lcleave -ldl -lm -lstdc++ -o run_$unit
    OMP_NUM_THREADS=3 ASAN_OPTIONS=detect_leaks=0 ./run_$unit > run.txt || { cat run.txt; exit 1; }
done
