#!/bin/sh
# surface.sh: runtime/api/README.md and the headers agree on what there is of OP2's interface; a test calls
# each function that is there; each that is refused is an error of the compiler that says why; a field
# that is always null is a warning; and the page has the words from outside that settings.def has.
set -eu
page=$SRC/runtime/api/README.md
tests="$SRC/testsuite/runtime"
status=0
wrong() {
    echo "surface.sh: $*" >&2
    status=1
}

# Functions: | `name` | yes | ... |
sed -n 's/^| `\([A-Za-z0-9_]*\)` | \(yes\|refused\|no\) |.*/\1 \2/p' "$page" | sort >page
[ "$(wc -l <page)" -gt 100 ] || wrong "the page has no table of functions: this test no longer understands it"

# Functions in the headers: prototypes, templates and inline functions, and macros called like functions.
headers='op_seq.h op_lib_mpi.h op_mpi_core.h op_rt_support.h op_util.h op_profile.h op_profile_c.h op_hdf5.h'
for header in $headers; do
    echo "#include \"$header\""
done >all.cpp
g++ -E -dD -I"$SRC/runtime/api" -I"$SRC/runtime/hdf5" all.cpp >text
{
    awk -v runtime="$SRC/runtime/" '/^# [0-9]+ "/ { ours = index($3, runtime "api/op_") == 2 || index($3, runtime "hdf5/op_") == 2 } ours' text
} >ours
{
    grep -v '^ *#' ours | grep -oE '\b[A-Za-z0-9_]+\(' | tr -d '('
    grep -oE '^#define op_[a-z_0-9]+\(' ours | sed 's/#define //' | tr -d '('
} | grep -E '^op_|^(compare_sets|search_dat|check_map|deviceSync|getSetSizeFromOpArg|getHybridGPU|x[a-z]*alloc|compute_local_size|file_exist|linear_search|binary_search|min|removeDups)$' |
    sort -u >declared
grep -v ' no$' page | cut -d' ' -f1 >promised
diff promised declared >difference || wrong "functions (<: on the page, >: in the headers): $(cat difference)"

# Each that is there is called by a test.
grep ' yes$' page | cut -d' ' -f1 | while read -r name; do
    grep -qE "\b$name\(|\($name\)|printed\($name\)" "$tests"/surface.c "$tests"/api.c "$tests"/reports.c "$tests"/errors.c "$tests"/hdf5*.c ||
        echo "$name"
done >uncalled
[ ! -s uncalled ] || wrong "no test calls: $(cat uncalled)"

# Each that is refused says why.
grep ' refused$' page | cut -d' ' -f1 | while read -r name; do
    printf '#include "op_seq.h"\nint main(void) { %s(' "$name"
    case $name in
    op_mpi_halo_exchanges_cuda) printf '0, 0, 0' ;;
    op_mpi_*_cuda | op_timing_realloc_manytime) printf '0, 0' ;;
    op_mpi_put_data | op_timing_realloc) printf '0' ;;
    op_plan_core | op_plan_get_stage) printf '0, 0, 0, 0, 0, 0, 0, 0' ;;
    op_plan_get) printf '0, 0, 0, 0, 0, 0, 0' ;;
    op_plan_get_stage_upload) printf '0, 0, 0, 0, 0, 0, 0, 0, 0' ;;
    esac
    printf '); return 0; }\n'
done >refused.list
grep -c include refused.list >count
split -l 2 refused.list part.
for part in part.*; do
    mv "$part" "$part.c"
    if gcc -std=c11 -I"$SRC/runtime/api" -c "$part.c" -o refused.o 2>said; then
        wrong "compiles: $(tail -1 "$part.c")"
    fi
    grep -q 'declared with attribute error: not in cleave: ' said || wrong "$(tail -1 "$part.c"): $(cat said)"
done

# Fields that hold nothing.
cat >fields.c <<'END'
#include "op_seq.h"
int main(void)
{
    op_dat dat = 0;
    op_arg arg = op_arg_dat(dat, -1, OP_ID, 1, "double", OP_READ);
    return dat->data_d != 0 || arg.map_data_d != 0;
}
END
gcc -std=c11 -I"$SRC/runtime/api" -c fields.c -o fields.o 2>said
[ "$(grep -c 'cleave keeps device memory for itself' said)" -ge 2 ] || wrong "no warning of data_d: $(cat said)"

# Words: | `WORD` | where | ... |
sed -n 's/^| `\(-*[A-Za-z_]*\)` | \(argument\|environment\|both\|environment of cleavecc\) |.*/\1/p' "$page" | sort -u >page_words
sed -nE 's/^OP2_(WORD|ARGUMENT)\("?([^,"]*).*/\2/p' "$SRC/runtime/api/settings.def" | sort -u >words
diff page_words words >difference || wrong "words (<: on the page, >: in settings.def): $(cat difference)"
[ -s words ] || wrong "settings.def has no words: this test no longer understands it"
exit $status
