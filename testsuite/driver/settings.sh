#!/bin/sh
# settings.sh: settings.def is the only list: one file each of cleavecc and of the runtime calls getenv; code uses
# every row; and no word list stands anywhere else.
set -eu
table=$SRC/runtime/api/settings.def
status=0
wrong() {
    echo "settings.sh: $*" >&2
    status=1
}
sources() { # sources FOLDER...: their C, CUDA and templates
    for folder; do
        find "$SRC/$folder" -name '*.[ch]' -o -name '*.cpp' -o -name '*.cuh' -o -name '*.tpl'
    done
}
readers=$(sources pass splitter codegen runtime | xargs grep -lE '\<(secure_)?getenv\(' | sed "s,^$SRC/,," | sort)
[ "$(echo $readers)" = "pass/driver/environment.c runtime/base/variables.c" ] || wrong "getenv is called in $readers"

used() { # used PATTERN FOLDER: whether code there has it
    sources "$2" | grep -v 'settings\.def' | xargs grep -qE "$1"
}
rows() { # rows MACRO: the arguments of its rows, up to the first text
    sed -nE "s/^($1)\\(([^\")]*).*/\\2/p" "$table" | tr -d ','
}
count=0
for name in $(rows 'RUN_OWN|RUN_OUTSIDE'); do
    used "\\<VARIABLE_$name\\>" runtime || wrong "no program reads $name"
    count=$((count + 1))
done
rows 'RUN_CHOICE|RUN_TEXT|RUN_NUMBER' | while read -r field name rest; do
    used "(cleave_settings\\.|set->)$field\\>|VARIABLE_$name\\>" runtime || echo "$name ${rest:+(...)}"
done >unused
[ ! -s unused ] || wrong "programs read these and do not use them: $(cat unused)"
for name in $(rows 'COMPILE_VARIABLE|COMPILE_OUTSIDE'); do
    used "\\<VARIABLE_$name\\>" pass || wrong "cleavecc does not read $name"
    count=$((count + 1))
done
rows '[A-Z]+_FLAG' | grep '^[a-z]' | while read -r field rest; do
    used "settings(->|\\.)$field\\>|set_$field\\(" pass || echo "$field ${rest:+(...)}"
done >unused
[ ! -s unused ] || wrong "cleavecc reads these flags and does not use them: $(cat unused)"
for name in $(rows EMULATOR_VARIABLE); do
    used "\"CLEAVE_$name\"" testsuite/emulator || wrong "the emulator does not read CLEAVE_$name"
    count=$((count + 1))
done
[ $count -gt 25 ] || wrong "the table has few rows: this test no longer understands it"
sources testsuite/emulator | xargs grep -ohE '"CLEAVE_[A-Z_]+"' | tr -d '"' | sort -u | while read -r name; do
    grep -q "^EMULATOR_VARIABLE(${name#CLEAVE_}," "$table" || echo "$name"
done >unknown
[ ! -s unknown ] || wrong "the emulator reads variables that the table lacks: $(cat unknown)"

# The planner's page describes every method.
sed -nE 's/^METHOD\([^"]*"([a-z-]+)".*/\1/p' "$SRC/runtime/planner/methods.def" >methods
[ -s methods ] || wrong "no methods: this test no longer understands methods.def"
while read -r name; do
    grep -q "^|.*\`$name\`" "$SRC/runtime/planner/README.md" || wrong "the planner's page lacks the method $name"
done <methods

# Words that stand in nothing but a list of words.
sources pass splitter codegen runtime |
    xargs grep -nE '"(RWBI[A-Za-z]*|OP_RW|split3|twopass|transpose|colour|exhaustive|comparisons|merged|reject|metis-weighted)"' >lists || true
[ ! -s lists ] || wrong "words outside of the tables: $(cat lists)"
exit $status
