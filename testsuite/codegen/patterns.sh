# patterns.sh FILECHECK [NAME]: the text that cleavecc generates for each file of patterns/ is as the file's comments say,
# checked by LLVM's FileCheck. The first comment of a file has lines
#
#   RUN: TARGET=PREFIX[,PREFIX]... [FLAG...]   generate the text with these flags; patterns of PREFIX (PREFIX:,
#                                              PREFIX-NEXT:, ...) are for that of TARGET: openmp, cuda, or messages
#
# and among its patterns stand lines that prove them: the text fails the patterns when it was changed so.
#
#   MUTATE PREFIX COMMAND                      of sed -E
#
# Statements that were wrapped are one line each for patterns (statements.awk). One file alone:
#   sh testsuite/run.sh $PWD $PWD/build $PWD/testsuite/codegen/patterns.sh FileCheck-19 reductions
set -eu
filecheck=${1:-} only=${2:-}
[ -n "$filecheck" ] || { echo "FileCheck is not there: ./check installs it"; exit 77; }
# shellcheck source=testsuite/text.sh
. "$SRC/testsuite/text.sh"
failed=0 checked=0

wrong() {
    printf "%s\n" "$*" >&2
    failed=1
}

check() { # check TEXT PREFIX[,PREFIX]... [OPTION]
    "$filecheck" "${3:---dump-input-context=3}" --check-prefixes="$2" --input-file="$1" "$source"
}

# Each mutation changes the text, and is found.
mutate() { # mutate TEXT PREFIX[,PREFIX]...
    for prefix in $(echo "$2" | tr , ' '); do
        sed -n "s/^.*MUTATE $prefix //p" "$source"
    done >mutations
    while read -r mutation; do
        sed -E "$mutation" "$1" >mutated
        if cmp -s "$1" mutated; then
            wrong "$name: '$mutation' changes nothing"
        elif check mutated "$2" --dump-input=never 2>/dev/null; then
            wrong "$name: no pattern of $2 notices '$mutation'"
        fi
    done <mutations
}

run() { # run WORD...: the words of a RUN line
    pairs=
    while [ $# -gt 0 ]; do
        case $1 in -*) break ;; esac
        pairs="$pairs $1"
        shift
    done
    generate_text kept "$source" "$@" || { failed=1; return; }
    for pair in $pairs; do
        case ${pair%%=*} in
        openmp) made=kept/${name%.*}.cleave.${name##*.} ;;
        cuda) made=kept/${name%.*}.cleave.cu ;;
        messages) made=generate_text.log ;;
        *) wrong "$name: '$pair' is no target"; return ;;
        esac
        case $pair in
        messages=*) cp "$made" text ;;
        *) awk -f "$SRC/testsuite/codegen/statements.awk" "$made" >text ;;
        esac
        if check text "${pair#*=}"; then
            mutate text "${pair#*=}"
        else
            wrong "$name: the text for '${pair%%=*} $*' is not as the patterns of ${pair#*=} say"
        fi
        checked=$((checked + 1))
    done
}

for source in "$SRC/testsuite/codegen/patterns/"${only:-*}.c*; do
    name=$(basename "$source")
    grep -q 'MUTATE' "$source" || wrong "$name: nothing proves its patterns"
    sed -n 's/^.*RUN: *//p' "$source" >runs
    while read -r words <&3; do
        # shellcheck disable=SC2086 # words
        run $words
    done 3<runs
done
[ $checked -gt 0 ] || wrong "nothing was checked"
exit $failed
