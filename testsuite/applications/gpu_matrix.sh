#!/bin/sh
# gpu_matrix.sh: runs the applications of a bundle (testsuite/gpu/bundle.sh) on this machine's GPU in every form and setting,
# and prints a table for each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'TEXT'
usage: gpu_matrix.sh [--only=NAME,...] [--part=K/N] [--jobs=J] [--limit=SECONDS] [--backends=WORDS] [--results=FOLDER]
Runs every form of every application that lies beside this script, in every setting, and compares the results with
those of the sequential run. The exit code is 1 when a run fails, or was not begun for lack of time.
  --only=NAME,...    these applications (all)
  --part=K/N         the K-th of N parts of them, for machines that are lent for some minutes (1/1)
  --jobs=J           applications that run at a time (8)
  --limit=SECONDS    nothing begins later; what was not begun counts as LATE (450)
  --backends=WORDS   cuda, openmp or "cuda openmp" (cuda)
  --results=FOLDER   keeps records there, one file for each application (results); `awk -f table.awk FOLDER/*.records`
                     makes one table of the files of several parts
TEXT
}

fail() {
    echo "gpu_matrix.sh: $*" >&2
    exit 2
}

only='' part=1/1 jobs=8 limit=450 backends=cuda results=results
for word; do
    case $word in
    --help) usage && exit 0 ;;
    --only=?*) only=${word#*=} ;;
    --part=?*/?*) part=${word#*=} ;;
    --jobs=?*) jobs=${word#*=} ;;
    --limit=?*) limit=${word#*=} ;;
    --backends=?*) backends=${word#*=} ;;
    --results=?*) results=${word#*=} ;;
    *) usage >&2 && fail "'$word' is not understood" ;;
    esac
done
for number in "$jobs" "$limit" "${part%/*}" "${part#*/}"; do
    case $number in
    *[!0-9]* | 0) fail "'$number' is not a whole number from 1 on" ;;
    esac
done
[ "${part%/*}" -le "${part#*/}" ] || fail "--part=$part: there are ${part#*/} parts"

# The applications that are asked for; a name that is none is an error.
known=$(awk -F '|' '/^[a-z]/ { gsub(/ /, "", $1); print $1 }' "$here/applications.txt")
chosen=$known
if [ -n "$only" ]; then
    chosen=$(echo "$only" | tr ',' '\n')
    for name in $chosen; do
        echo "$known" | grep -qx "$name" || fail "there is no application '$name', but $(echo "$known" | tr '\n' ' ')"
    done
fi
chosen=$(echo "$chosen" | awk -v k="${part%/*}" -v n="${part#*/}" 'NR % n == k % n')
mkdir -p "$results"
results=$(cd "$results" && pwd)
MATRIX_UNTIL=$(($(date +%s) + limit))
LD_LIBRARY_PATH=$here/lib:$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export MATRIX_UNTIL LD_LIBRARY_PATH here results backends

# The program of an application that is missing in the bundle is a failure, not an application less.
# shellcheck disable=SC2016 # the inner shell's own words
echo "$chosen" | xargs -P "$jobs" -I NAME sh -c '
    name=$1
    program=$here/${name%%:*}
    soa=${program}_soa
    [ -x "$soa" ] || soa=-
    mkdir -p "$results/$name"
    cd "$results/$name"
    if [ -x "$program" ]; then
        sh "$here/matrix.sh" "$here/applications.txt" "$name" "$program" "$soa" "$backends" full >"$results/$name.records" ||
            echo "$name|-|-|-|-|matrix.sh|FAIL|exit code $?" >>"$results/$name.records"
    else
        echo "$name|-|-|-|-|program|FAIL|it is not in the bundle" >"$results/$name.records"
    fi' sh NAME
# shellcheck disable=SC2086 # names without blanks
(cd "$results" && for name in $chosen; do cat "$name.records"; done) | awk -f "$here/table.awk"
