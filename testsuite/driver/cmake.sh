#!/bin/sh
# cleavecc as CMake's compiler: identification, feature checks, a project in C and C++, strict flags.
set -eu
. "$SRC/testsuite/driver/common.sh"
command -v cmake >/dev/null || exit 77
generator="Unix Makefiles"
! command -v ninja >/dev/null || generator=Ninja

mkdir project
cp ring.c ring.h second.c plain.c project
cp ring.c project/twin.cpp
cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.18)
project(ring C CXX)
include(CheckCSourceCompiles)
include(CheckIncludeFile)
check_include_file(op_seq.h HAVE_OP)
check_c_source_compiles("#include <math.h>\nint main(void) { return (int)sqrt(0.0); }" HAVE_SQRT)
if(NOT HAVE_OP OR NOT HAVE_SQRT)
  message(FATAL_ERROR "a check that must succeed fails")
endif()
message(STATUS "identified as ${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}")
add_library(second STATIC second.c)
add_executable(app ring.c)
target_compile_definitions(app PRIVATE WITH_SECOND)
target_link_libraries(app second)
add_executable(twin twin.cpp)
add_executable(plain plain.c)
EOF
cmake -G "$generator" -S project -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$CLEAVECC" \
    -DCMAKE_CXX_COMPILER="$CLEAVECXX" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror -pedantic" \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror -pedantic" >cmake.out 2>&1 || fail "configuring" cmake.out
grep -q 'identified as \(GNU GNU\|Clang Clang\)' cmake.out || fail "not identified" cmake.out
cmake --build build -j 2 >build.out 2>&1 || fail "building" build.out
check_ring build/app
check_ring build/twin
build/plain >/dev/null || fail "plain"
cmake --build build >build.out 2>&1
grep -q 'Building' build.out && fail "built again for nothing" build.out
sleep 1
touch project/ring.h
cmake --build build >build.out 2>&1 || fail "building again" build.out
[ "$(grep -c 'Building' build.out)" -eq 3 ] || fail "not exactly the users of ring.h" build.out
left_over
