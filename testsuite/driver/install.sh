#!/bin/sh
# An installed cleavecc, moved to another prefix, finds its files; the emulator stays in the build tree.
# Users' build systems find it by find_package and pkg-config; uninstalling removes all of it.
set -eu
. "$SRC/testsuite/driver/common.sh"

cp "$BUILD/install_manifest.txt" manifest.old 2>/dev/null || true
cmake --install "$BUILD" --prefix "$PWD/first" >install.out 2>&1 || fail "cmake --install" install.out
sed "s,^$PWD/first,$PWD/a prefix," "$BUILD/install_manifest.txt" >manifest
mv manifest.old "$BUILD/install_manifest.txt" 2>/dev/null || rm "$BUILD/install_manifest.txt"
mv first "a prefix"
prefix="$PWD/a prefix"
for compiler in cleavecc cleavec++; do
    "$prefix/bin/$compiler" -O1 ring.c -o app 2>err || fail "$compiler" err
    check_ring ./app
done
"$prefix/bin/cleavecc" --cleave-version >out
grep -qx "headers: $prefix/include/cleave" out || fail "headers elsewhere" out
ln -s "a prefix/bin/cleavecc" linked
./linked -O1 ring.c -o app 2>err || fail "through a link" err
status=0
./linked --cleave-arch=emu -c ring.c 2>err || status=$?
[ $status -eq 1 ] && grep -q "only from cleave's build tree" err || fail "the emulator, installed" err
cmp "$SRC/LICENSE" "$prefix/share/doc/cleave/LICENSE" || fail "no LICENSE"
for page in $(grep -oE '`[a-z/]+/README.md`' "$SRC/README.md" "$SRC/CHANGELOG.md" -h | tr -d '`' | grep -v '^\(examples\|testsuite\)/' | sort -u); do
    [ -f "$prefix/share/doc/cleave/$page" ] || fail "README.md or CHANGELOG.md name $page, which is not installed"
done
if command -v man >/dev/null; then
    man -M "$prefix/share/man" -w 1 cleavec++ >out 2>&1 && man -M "$prefix/share/man" -w 7 cleave >>out 2>&1 ||
        fail "no manual pages" out
fi

# The version as a program sees it.
cat >api.c <<'END'
#include "op_seq.h"
int main(int argc, char **argv)
{
    op_init(argc, argv, 0);
    printf("%s %d.%d.%d %d\n", CLEAVE_VERSION, CLEAVE_VERSION_MAJOR, CLEAVE_VERSION_MINOR,
           CLEAVE_VERSION_PATCH, CLEAVE_VERSION_NUMBER >= 100);
    op_exit();
    return 0;
}
END
version=$("$prefix/bin/cleavecc" --cleave-version | sed -n 's/^cleave //p')

# find_package: each target through cleavecc with flags of its own, by Ninja and by make.
if command -v cmake >/dev/null; then
    unset CLEAVE_ARCH
    mkdir project
    cp ring.c ring.h second.c plain.c api.c project
    cp ring.c project/twin.cpp
    cp "$here/project.txt" project/CMakeLists.txt
    for generator in Ninja "Unix Makefiles"; do
        [ "$generator" != Ninja ] || command -v ninja >/dev/null || continue
        build=build-${generator%% *}
        cmake -G "$generator" -S project -B "$build" -DCMAKE_PREFIX_PATH="$prefix" \
            -DCMAKE_C_COMPILER="$HOST_CC" -DCMAKE_CXX_COMPILER="$HOST_CXX" >cmake.out 2>&1 ||
            fail "find_package" cmake.out
    done
    # shellcheck disable=SC2154 # one of the two was made
    cmake --build "$build" --target app 2>&1 >build.out || fail "building by make" build.out
    [ ! -d build-Ninja ] || cmake --build build-Ninja >build.out 2>&1 || fail "building" build.out
    check_ring "$build/app"
    grep -qx 'second 135' run.out || fail "the library's loop" run.out
    if [ -d build-Ninja ]; then
        check_ring build-Ninja/twin
        CLEAVE_VARIANT=list build-Ninja/app >variants
        grep -q split variants || fail "EMIT of the program" variants
        [ "$(build-Ninja/api)" = "$version $version 1" ] || fail "the version's macros"
        [ -n "$SANITIZED" ] || ! ldd build-Ninja/api | grep -q 'hdf5\|stdc++' || fail "a plain program needs more than it uses"
    fi
    # Tools that read the commands see the user's compiler, with the folder of our headers.
    "$HOST_CC" -fsyntax-only -isystem "$prefix/include/cleave" project/ring.c
    commands=$build/compile_commands.json
    grep -q "command.*include/cleave.*ring.c" "$commands" && ! grep -q -e --cleave- "$commands" ||
        fail "compile_commands.json" "$commands"
    wrong() { # wrong ARGUMENTS TEXT
        cmake -DWRONG="$1" "$build" >cmake.out 2>&1 && fail "cleave_target($1): accepted"
        tr -s '\n ' ' ' <cmake.out | grep -q "$2" || fail "cleave_target($1)" cmake.out
    }
    wrong "nothing" "cleave_target: there is no target 'nothing'"
    wrong "api;EMITS;fused" "'EMITS;fused' is none of EMIT, ARCH and FLAGS"
    wrong "api;FLAGS;-O3" "'-O3' is no flag of cleavecc's"
    wrong "app" "'app' is one already"
    wrong "cleave::runtime" "'cleave::runtime' has no sources"
fi

# pkg-config: the folders follow the file.
if command -v pkg-config >/dev/null; then
    ln -s "a prefix" moved
    PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig:$(echo "$PWD"/moved/lib/*/pkgconfig)
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion cleave)" = "$version" ] || fail "pkg-config's version"
    # shellcheck disable=SC2046 # lists of flags
    "$HOST_CC" api.c $(pkg-config --cflags --libs cleave) ${SANITIZED:+-fsanitize=address,undefined} -o api
    [ "$(./api)" = "$version $version 1" ] || fail "pkg-config's flags"
    CLEAVE_ARCH=none "$(pkg-config --variable=cc cleave)" -O1 ring.c -o app || fail "pkg-config's cc"
fi

# Packages. (With Ninja's name cpack does not build first: all is built.)
if command -v cpack >/dev/null; then
    kinds=TGZ
    ! command -v dpkg-deb >/dev/null || kinds="TGZ;DEB"
    cpack -G "$kinds" -B packages --config "$BUILD/CPackConfig.cmake" -D CPACK_CMAKE_GENERATOR=Ninja \
        >cpack.out 2>&1 || fail "cpack" cpack.out
    tar -tzf packages/cleave-"$version"-*.tar.gz >out
    grep -q '^[^/]*/bin/cleavec++$' out && grep -q '/cleaveConfig.cmake$' out &&
        grep -q '/man1/cleavec++.1$' out || fail "the archive" out
    if [ "$kinds" != TGZ ]; then
        dpkg-deb -f packages/cleave_"$version"_*.deb Depends >out
        grep -q '\bg++.*libclang1-\|\bg++.*libclang-' out || fail "the package's dependencies" out
        dpkg-deb -c packages/cleave_"$version"_*.deb >out
        grep -q ' ./usr/bin/cleavecc$' out && grep -q ' ./usr/share/man/man7/cleave.7$' out || fail "the package" out
    fi
fi

# A launcher's errors.
status=0
./linked --cleave-launch -c ring.c 2>err || status=$?
[ $status -eq 2 ] && grep -q "stands before a compiler's command" err || fail "--cleave-launch" err

# Uninstalling leaves what others have put there.
mkdir -p "$prefix/include/other"
cmake -D MANIFEST="$PWD/manifest" -P "$SRC/cmake/uninstall.cmake" >out 2>&1 || fail "uninstall" out
(cd "$prefix" && find . -name '*cleave*' -o -type f) | grep . && fail "uninstall leaves these"
[ -d "$prefix/include/other" ] || fail "uninstall removes others' folders"
mkdir -p "$prefix/bin" && cp -P "$CLEAVECC" "$prefix/bin/cleavecc"
./linked -c ring.c 2>err && fail "no headers: success"
grep -q 'its headers are not in' err || fail "no headers: not said" err
left_over
