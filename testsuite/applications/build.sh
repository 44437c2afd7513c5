# shellcheck shell=sh
# build.sh: compiles applications by their own Makefiles. To be sourced, with SRC, CLEAVECC and CLEAVECXX set.
#
#   build_application NAME OUT OPTIMISE [FLAG...]   makes the program OUT of the application in a folder of its own, OUT.build;
#                                                   OPTIMISE replaces the Makefile's -O3, FLAGs are cleavecc's
#
# Compilers are called through a script that adds its flags last: they win over those of the Makefile.

build_application() {
    build_name=${1%%:*} build_out=$2 build_optimise=$3
    shift 3
    build_folder=$(awk -F '|' -v name="$build_name" '!/^#/ { gsub(/ /, "", $1); gsub(/ /, "", $2)
        if ($1 == name) print $2 }' "$SRC/testsuite/applications/applications.txt")
    [ -n "$build_folder" ] || {
        echo "build.sh: there is no application '$build_name'" >&2
        return 2
    }
    rm -rf "$build_out.build"
    mkdir -p "$build_out.build"
    for build_compiler in "$CLEAVECC" "$CLEAVECXX"; do
        build_wrapper=$build_out.build/$(basename "$build_compiler")
        printf '#!/bin/sh\nexec "%s" %s "$@" %s\n' "$build_compiler" "$*" "$build_optimise" >"$build_wrapper"
        chmod +x "$build_wrapper"
    done
    build_wrapper=$(cd "$build_out.build" && pwd)
    make -s -C "$build_out.build" -f "$SRC/examples/$build_folder/Makefile" \
        VPATH="$SRC/examples/$build_folder:$SRC/examples/common" CC="$build_wrapper/$(basename "$CLEAVECC")" \
        CXX="$build_wrapper/$(basename "$CLEAVECXX")" "$build_name" >"$build_out.log" 2>&1 || {
        cat "$build_out.log" >&2
        return 1
    }
    mv "$build_out.build/$build_name" "$build_out"
    rm -rf "$build_out.build"
}
