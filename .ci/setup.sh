# shellcheck shell=sh
# setup.sh: what ./demo and ./check share. Sourced, with `top` set to the repository's folder.
#
#   need_packages [tests]  installs what is missing from Debian, or says how to and stops; with `tests` also
#                          what only tests need
#   need_format FOLDER     puts clang-format, in the version that the sources were formatted with, into FOLDER
#   build PRESET FOLDER [OPTION...]   configures, with cmake's options, and builds a preset of CMakePresets.json
#   find_nvcc              succeeds where a CUDA compiler is
: "${top:?}"

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# How long since `since=$(date +%s)`: "12 s".
elapsed() {
    echo "$(($(date +%s) - since)) s"
}

has_command() {
    command -v "$1" >/dev/null 2>&1
}

has_metis() {
    for library in /usr/lib/*/libmetis.so.5 /usr/lib/libmetis.so.5 /usr/local/lib/libmetis.so.5; do
        [ ! -e "$library" ] || return 0
    done
    return 1
}

# Debian's names of what is not installed: missing_packages [tests].
missing_packages() {
    has_command cmake || echo cmake
    has_command make || echo make
    has_command gcc || echo gcc
    has_command g++ || echo g++
    has_command ld || echo binutils
    [ -e /usr/lib/llvm-19/include/clang-c/Index.h ] || echo libclang-19-dev
    [ -e /usr/include/xxhash.h ] || echo libxxhash-dev
    [ -e /usr/include/zlib.h ] || echo zlib1g-dev
    has_metis || echo libmetis5
    if [ "${1:-}" = tests ]; then
        has_command FileCheck-19 || has_command FileCheck || echo llvm-19-tools
        has_command h5cc || echo libhdf5-dev
        python3 -c "import ensurepip" 2>/dev/null || echo python3-venv
        python3 -c "import jsonschema" 2>/dev/null || echo python3-jsonschema
        has_command man || echo man-db
        has_command mandoc || echo mandoc
    fi
}

# How to become root: "" for root, "sudo", or failure. sudo may ask for a password only where there
# is someone to type it.
root_command() {
    if [ "$(id -u)" -eq 0 ]; then
        echo ""
    elif has_command sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        echo sudo
    else
        return 1
    fi
}

need_packages() {
    missing=$(missing_packages "$@" | tr '\n' ' ')
    missing=${missing% }
    [ -n "$missing" ] || return 0
    has_command apt-get || fail "these packages (Debian's names) are missing: $missing"
    root=$(root_command) || {
        echo "Some packages are missing, and only root can install them. Please run:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y $missing" >&2
        exit 1
    }
    say "installing $missing"
    since=$(date +%s)
    log=$(mktemp)
    # shellcheck disable=SC2086 # lists of words, meant to be split
    { $root apt-get update -q &&
        $root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
            $missing; } </dev/null >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: $missing"
    }
    rm -f "$log"
    say "installed in $(elapsed)"
}

# From PyPI; if that cannot be reached, the test of the format is skipped.
need_format() {
    "$top/$1/bin/clang-format" --version 2>/dev/null | grep -q ' 19\.1\.7' || {
        { python3 -m venv "$top/$1" && "$top/$1/bin/pip" install -q clang-format==19.1.7; } \
            </dev/null >/dev/null 2>&1 || say "clang-format cannot be installed from PyPI: formats are not checked"
    }
}

# Runs a command with its output in a log, which is shown when the command fails.
logged() {
    log=$1
    shift
    "$@" </dev/null >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        fail "'$*' failed; all of its output is in $log"
    }
}

# A build folder that was configured for another checkout starts afresh.
configure() {
    preset=$1 folder=$2
    shift 2
    if [ -e "$top/$folder/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$top/$folder/CMakeCache.txt"; then
        set -- --fresh "$@"
    fi
    (cd "$top" && logged "$top/$folder/configure.log" cmake --preset "$preset" "$@")
}

build() {
    mkdir -p "$top/$2" || fail "cannot create the folder $top/$2"
    say "building cleave in $2/"
    since=$(date +%s)
    configure "$@" || exit 1
    (cd "$top" && logged "$top/$2/build.log" cmake --build --preset "$1" -j "$(nproc)") || exit 1
    say "built in $(elapsed)"
}

find_nvcc() {
    for nvcc in "${CLEAVE_NVCC:-nvcc}" "${CUDA_PATH:-/nowhere}/bin/nvcc" \
        "${CUDA_HOME:-/nowhere}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
        ! has_command "$nvcc" || return 0
    done
    return 1
}
