#!/bin/sh
# readme.sh: what the pages (README.md in each folder, CONTRIBUTING.md) say is there, is there: files and
# folders, environment variables, flags of cleavecc and diagnostics; and none of the latter three is left out.
set -eu
status=0
wrong() {
    echo "pages: $*" >&2
    status=1
}
(cd "$SRC" && find . -path './build*' -prune -o -path './.git' -prune -o -name README.md -print) |
    sed 's#^\./##' | sort >pages
echo CONTRIBUTING.md >>pages
grep -qx pass/driver/README.md pages || wrong "pages are not found: this test no longer understands where they are"
while read -r page; do
    cat "$SRC/$page"
done <pages >text
readme=text

# Files: every word in backquotes with a slash or a known suffix, from the top or from the page's folder.
# shellcheck disable=SC2016 # backquotes of the pages
while read -r page; do
    grep -o '`[^` ]*`' "$SRC/$page" | tr -d '`' |
        grep -E '^[A-Za-z0-9_.*][A-Za-z0-9_.*-]*(/[A-Za-z0-9_.*-]*)+$|^[A-Za-z_]+\.(md|txt|json)$' |
        sed "s#^#$(dirname "$page") #"
done <pages | sort -u >named
[ -s named ] || wrong "the pages name no files: this test no longer understands them"
while read -r folder name; do
    case $name in
    build/* | build-sanitize/* | *NAME*) continue ;;
    esac
    found=no
    for path in "$SRC"/$name "$SRC/$folder"/$name; do
        [ ! -e "$path" ] || found=yes
    done
    [ $found = yes ] || wrong "a page of '$folder': '$name' does not exist"
done <named

# Environment variables: those in the pages occur in the sources, those that are read are in them.
sources="$SRC/pass $SRC/splitter $SRC/codegen $SRC/runtime $SRC/testsuite $SRC/CMakeLists.txt"
grep -o 'CLEAVE_[A-Z][A-Z0-9_]*' "$readme" | sort -u >variables
while read -r name; do
    # shellcheck disable=SC2086 # a list of folders
    grep -rqw "$name" $sources || wrong "variable $name occurs nowhere in the sources"
done <variables
# shellcheck disable=SC2016 # the ends of a pattern
sed -nE 's/^([A-Z]+_FLAG|RUN_[A-Z]+)\([a-z_]+, ([A-Z0-9_]+),.*/CLEAVE_\2/p
         s/^(RUN_OWN|COMPILE_VARIABLE|EMULATOR_VARIABLE)\(([A-Z0-9_]+),.*/CLEAVE_\2/p' \
    "$SRC/runtime/api/settings.def" >known_variables
{
    grep -rhoE --include='*.c' --include='*.cpp' '"CLEAVE_[A-Z0-9_]+"' "$SRC/pass" "$SRC/runtime" \
        "$SRC/testsuite/emulator" | tr -d '"'
    cat known_variables
} | grep -v '^CLEAVE_$' | sort -u >read_variables
# A program warns of variables that it does not know: it has to know all of these, but for the macros of headers.
grep -rhoE 'CLEAVE_[A-Z0-9_]+' "$SRC/runtime/lanes" --include='*.h' | sort -u >macros
grep -vxFf macros variables | grep -v '^CLEAVE_\(UNIT\|PARSE\|BENCH_EMIT\|FULL_TESTS\|VERSION.*\)$' | while read -r name; do
    grep -qx "$name" known_variables || echo "$name"
done >unknown_variables
[ ! -s unknown_variables ] || wrong "variables that settings.def does not list: $(cat unknown_variables)"
while read -r name; do
    grep -qx "$name" variables || wrong "variable $name is not mentioned"
done <read_variables

# Flags of cleavecc.
grep -o -e '--cleave-[a-z][a-z]*' "$readme" | sort -u >flags
"$CLEAVECC" --cleave-help 2>&1 | grep -o -e '--cleave-[a-z][a-z]*' | sort -u >known_flags
diff flags known_flags >difference || wrong "flags (<: in the pages, >: in cleavecc): $(cat difference)"

# Diagnostics, with their kinds.
sed -n -e 's/^DIAG(\([a-z_0-9]*\), DIAG_\([A-Z]*\),.*/\1 \2/p' "$SRC/pass/ir/diag.def" |
    sed -e 's/ACCESS$/error */' -e 's/ELSEWHERE$/error */' -e 's/ERROR$/error/' -e 's/WARNING$/warning/' \
        -e 's/NOTE$/note/' | sort >known_ids
# shellcheck disable=SC2016 # backquotes of the pages
sed -n 's/^| `\([a-z_0-9]*\)` | \(error\|error \*\|warning\|note\) |.*/\1 \2/p' "$SRC/pass/README.md" | sort >ids
[ -s ids ] || wrong "pass/README.md has no table of messages: this test no longer understands it"
diff ids known_ids >difference || wrong "diagnostics (<: in pass/README.md, >: in diag.def): $(cat difference)"

# Contents: a page with a list of contents names all of its headings, in order.
while read -r page; do
    sed -n 's/^- \[\(.*\)\](#[a-z0-9_-]*)$/\1/p' "$SRC/$page" >contents
    awk '/^```/ { code = !code } !code && sub(/^## /, "") { gsub(/`/, ""); print }' "$SRC/$page" >headings
    [ ! -s contents ] || diff contents headings >difference || wrong "$page, contents: $(cat difference)"
    [ -s contents ] || [ "$(wc -c <"$SRC/$page")" -le 8192 ] || wrong "$page has no list of contents"
done <pages
exit $status
