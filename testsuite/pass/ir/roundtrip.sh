# Trees printed as C mean what they meant, in C11 and in C++17, and compilers find their parentheses
# clear.
set -e
"$BUILD/bin/ir_roundtrip" > trees.c
cp trees.c trees.cpp
gcc -std=c11 -O0 -Werror=parentheses trees.c -o c11 2> warnings || { cat warnings; exit 1; }
g++ -std=c++17 -O0 -w trees.cpp -o cxx17
./c11
./cxx17
