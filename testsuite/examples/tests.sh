#!/bin/sh
# tests.sh: which tests there are: none of ours in a project that adds cleave as a part of itself; with
# CLEAVE_FULL_TESTS all that there are without it, and more.
set -eu
fail() {
    echo "tests.sh: $*" >&2
    exit 1
}

names() { # names FOLDER: of the tests of a build, sorted
    ctest --test-dir "$1" -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort
}

configure() { # configure SOURCE FOLDER OPTION...
    source=$1 folder=$2
    shift 2
    cmake -S "$source" -B "$folder" "$@" >log 2>&1 || { cat log; fail "$source cannot be configured"; }
}

mkdir user
cat >user/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
include(CTest)
add_test(NAME users COMMAND true)
add_subdirectory("$SRC" cleave)
if(NOT TARGET cleavecc OR NOT TARGET cleave)
  message(FATAL_ERROR "cleave's targets are missing")
endif()
END
configure user part
[ "$(names part)" = users ] || fail "a user's project has these tests: $(names part)"

configure "$SRC" some -DCLEAVE_FULL_TESTS=OFF
configure "$SRC" all -DCLEAVE_FULL_TESTS=ON
names some >some.names
names all >all.names
[ "$(wc -l <some.names)" -gt 100 ] || fail "only these tests: $(cat some.names)"
comm -23 some.names all.names >lost
[ ! -s lost ] || fail "CLEAVE_FULL_TESTS loses tests: $(cat lost)"
! cmp -s some.names all.names || fail "CLEAVE_FULL_TESTS adds nothing"
