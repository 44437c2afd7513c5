# Trees printed as C mean what they meant, in C11 and in C++17.
"$BUILD/bin/ir_roundtrip" > trees.c
cp trees.c trees.cpp
gcc -std=c11 -O0 -Werror=parentheses -Wno-all trees.c -o c11
g++ -std=c++17 -O0 -Wno-all -Wno-narrowing trees.cpp -o cxx17
./c11
./cxx17
