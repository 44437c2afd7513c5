#!/bin/sh
# scripts.sh: the usage of ./demo and ./check, and what they say where they may not install packages.
set -eu
status=0
wrong() {
    echo "$*" >&2
    status=1
}

for script in demo check; do
    (cd / && "$SRC/$script" --help) | grep -q "^usage: ./$script" || wrong "$script --help: no usage"
    code=0
    "$SRC/$script" --nonsense >out 2>err || code=$?
    [ $code -eq 2 ] || wrong "$script --nonsense: exit code $code"
    grep -q "^usage: ./$script" err || wrong "$script --nonsense: no usage"
done

"$SRC/check" --help | grep -q '^ *--full ' || wrong "check --help does not mention --full"
for words in '--full --nonsense' '--no-sanitize --fast'; do
    code=0
    # shellcheck disable=SC2086 # words
    "$SRC/check" $words >out 2>err || code=$?
    [ $code -eq 2 ] || wrong "check $words: exit code $code"
done

# A machine without any of the packages, and a user who is not root.
mkdir bin
for tool in sh dirname cat date tr grep ls; do
    ln -s "$(command -v $tool)" bin/
done
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\nexit 1\n' >bin/apt-get
chmod +x bin/id bin/apt-get
for script in demo check .ci/run; do
    code=0
    PATH=$PWD/bin "$SRC/$script" >out 2>err </dev/null || code=$?
    [ $code -eq 1 ] || wrong "$script without packages: exit code $code"
    grep -q 'sudo apt-get update && sudo apt-get install -y cmake make gcc g++ binutils' err ||
        wrong "$script without packages: no command to run: $(cat err)"
done
exit $status
