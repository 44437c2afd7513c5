#!/bin/sh
# matrix.sh TABLE NAME PROGRAM SOA BACKENDS HOW: runs one application of TABLE (applications.txt) in every form and
# setting, compares its results with those of its sequential run, and prints a record of each:
#
#   NAME|BACKEND|SCHEDULE|RACES|READS|SETTING|VERDICT|DETAIL
#
#   PROGRAM    the application, compiled with the schedules that are to be run
#   SOA        the same with --cleave-soa=all, or - for none
#   BACKENDS   openmp, cuda, or both with a blank between; cuda is the emulator for programs that were compiled for it
#   HOW        full: every form in every setting; quick: each form once, the forms in turns
#
# The verdict is ok, FAIL (the detail says why), - where the program has no such form or the setting does not apply, or LATE
# for what had not begun at $MATRIX_UNTIL (seconds since 1970). Works in the current folder, and needs neither compiler
# nor repository. table.awk makes tables of records.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$1 name=$2 program=$3 soa=$4 backends=$5 how=$6
until=${MATRIX_UNTIL:-}
threads=${MATRIX_THREADS:-2}
results_are='^[^=]* = [^ ]*$' # lines NAME = VALUE
CLEAVE_PLAN_CACHE=off
CLEAVE_TUNE=off # each form runs by itself
export CLEAVE_PLAN_CACHE CLEAVE_TUNE

# field NUMBER: of the application's line, without the blanks around it
field() {
    awk -F '|' -v name="$name" -v n="$1" '!/^#/ { key = $1; gsub(/ /, "", key); if (key == name) {
        gsub(/^ +| +$/, "", $n); print $n } }' "$table"
}

small=$(field 3)
emulated=$(field 4)
[ "$emulated" != = ] || emulated=$small
tolerance=$(field 6)
[ -n "$tolerance" ] || {
    echo "matrix.sh: $table has no application '$name'" >&2
    exit 2
}

# record FORM SETTING VERDICT [DETAIL]: FORM is "BACKEND SCHEDULE RACES READS"
record() {
    # shellcheck disable=SC2086 # four words
    set -- "$2" "$3" "$(echo "${4:-}" | tr '\n|' '  ' | cut -c 1-300)" $1
    echo "$name|$4|$5|$6|$7|$1|$2|$3"
}

# execute PROGRAM OPTIONS [VARIABLE=value...]: its output in `out` and `err`; what is wrong in `said`.
execute() {
    executed=$1 options=$2
    shift 2
    said=
    # shellcheck disable=SC2086 # options are words
    env "$@" timeout "${MATRIX_TIMEOUT:-300}" "$executed" $options --verbose >out 2>err && return 0
    said="exit code $?: $(tail -n 2 err)"
    return 1
}

# The results of the sequential run, for the options of a backend: made once.
reference() {
    [ ! -e "$2" ] || return 0
    execute "$program" "$1" CLEAVE_BACKEND=seq || {
        record "seq - - -" natural FAIL "$said"
        exit 1
    }
    grep "$results_are" out >"$2" || {
        record "seq - - -" natural FAIL "it prints no line NAME = VALUE"
        exit 1
    }
}

# one_run PROGRAM EXTRA [VARIABLE=value...]: a run of the current form; leaves its results in `results`. Returns 0, 1 with the
# cause in `said`, or 2 when no loop ran in this form.
one_run() {
    run_program=$1 extra=$2
    shift 2
    [ "$schedule" = default ] || set -- "CLEAVE_SCHEDULE=$schedule" "$@"
    [ "$races" = - ] || set -- "CLEAVE_RACES=$races" "$@"
    [ "$reads" = - ] || set -- "CLEAVE_READS=$reads" "$@"
    execute "$run_program" "$run_options$extra" "CLEAVE_BACKEND=$backend" "OMP_NUM_THREADS=$threads" "$@" || return 1
    grep "$results_are" out >results || true
    wanted=$schedule status=0
    [ "$wanted" != default ] || wanted=-
    used=$(awk -v what=used -v backend="$backend" -v schedule="$wanted" -v races="$races" -v reads="$reads" \
        -f "$here/forms.awk" out) || status=$?
    case $status in
    0) ;;
    1) return 2 ;;
    3) said="runs sequentially: $used" && return 1 ;;
    4) said="no table of loops: the program has to call op_timing_output()" && return 1 ;;
    *) said="forms.awk: exit code $status" && return 1 ;;
    esac
    said=$(awk -v tolerance="$tolerance" -f "$here/compare.awk" "$sequential" results) || return 1
}

# same_bits WHAT [VARIABLE=value...]: a run whose results have the bits of the setting's first run.
same_bits() {
    what=$1
    shift
    one_run "$program" "" "$@" || return $?
    [ -e first ] || cp results first
    cmp -s first results && return 0
    said="$what changes bits: $(diff first results | grep '^[<>]' | head -n 2)"
    return 1
}

# Results with CLEAVE_DETERMINISTIC=1 have the same bits in every run, for any number of threads and all block sizes.
bits_of_runs() {
    case $races in
    atomic | gather | transpose) return 2 ;; # errors in this mode
    esac
    same_bits "" CLEAVE_DETERMINISTIC=1 || return $?
    same_bits "another run with 3 threads" CLEAVE_DETERMINISTIC=1 OMP_NUM_THREADS=3 || return $?
    [ "$how" = full ] || return 0
    same_bits "one thread" CLEAVE_DETERMINISTIC=1 OMP_NUM_THREADS=1 || return $?
    same_bits "CLEAVE_BLOCK_SIZE=64" CLEAVE_DETERMINISTIC=1 CLEAVE_BLOCK_SIZE=64 || return $?
}

# Every width of lanes gives the bits of one element at a time. Widths that the machine lacks, or the program, are left out.
bits_of_lanes() {
    [ "$backend" = openmp ] || return 2
    same_bits "" CLEAVE_LANES=off || return $?
    for width in auto 16 32 64; do
        same_bits "CLEAVE_LANES=$width" "CLEAVE_LANES=$width" || {
            status=$?
            grep -qE 'this machine has no registers of|is not compiled for registers of' err || return $status
        }
    done
}

# run_setting SETTING: returns as one_run does.
run_setting() {
    rm -f first
    case $1 in
    natural) one_run "$program" "" CLEAVE_RENUMBER=off ;;
    renumbered) one_run "$program" "" CLEAVE_RENUMBER=on ;;
    shuffled) one_run "$program" " --shuffle=7" CLEAVE_RENUMBER=off ;;
    both) one_run "$program" " --shuffle=7" CLEAVE_RENUMBER=on ;;
    soa)
        [ "$backend" = cuda ] && [ "$soa" != - ] || return 2
        one_run "$soa" ""
        ;;
    same-bits) bits_of_runs ;;
    lanes) bits_of_lanes ;;
    esac
}

is_late() {
    [ -n "$until" ] && [ "$(date +%s)" -ge "$until" ]
}

settings="natural renumbered shuffled both soa same-bits lanes"

# Which settings of the n-th form are run: in turns, and each of them with the default form.
settings_of() {
    if [ "$how" = full ]; then
        echo "$settings"
    elif [ "$backend" = openmp ]; then
        [ "$1" -gt 0 ] && echo "$settings" | cut -d ' ' -f $((1 + ($1 - 1) % 4)) || echo "both same-bits lanes"
    else
        case $1 in
        0) echo both same-bits ;;
        *) echo "natural shuffled renumbered both" | cut -d ' ' -f "$1" ;;
        esac
    fi
}

# The forms of a backend: all, or for a quick run on the emulator those that have least in common.
forms_of() {
    CLEAVE_VARIANT=list "$program" >listed 2>err || return 0
    awk -v what=list -v backend="$backend" -f "$here/forms.awk" listed |
        if [ "$how" = quick ] && [ "$backend" = cuda ]; then
            grep -E '^(fused atomic|split transpose|split gather|owner) ' | awk '!seen[$1, $2]++'
        else
            cat
        fi
}

run_form() {
    for setting in $(settings_of "$1"); do
        form="$backend $schedule $races $reads" status=0
        if is_late; then
            record "$form" "$setting" LATE "the time was over"
            continue
        fi
        run_setting "$setting" || status=$?
        case $status in
        0) record "$form" "$setting" ok ;;
        2) record "$form" "$setting" - ;;
        *) record "$form" "$setting" FAIL "$said" ;;
        esac
    done
}

# checked WHAT DETAIL COMMAND...: a record of one run that is compared by the program itself, or by the runtime.
checked() {
    what=$1 detail=$2
    shift 2
    if is_late; then
        record "$backend $what - -" "$detail" LATE "the time was over"
    elif execute "$@"; then
        record "$backend $what - -" "$detail" ok
    else
        record "$backend $what - -" "$detail" FAIL "$said"
    fi
}

# tuned: a record of a run whose calls try all variants and block sizes in turns.
tuned() {
    if is_late; then
        record "$backend tuned - -" "" LATE "the time was over"
    elif one_run "$program" "" CLEAVE_TUNE=full; then
        record "$backend tuned - -" "" ok
    else
        record "$backend tuned - -" "" FAIL "$said"
    fi
}

for backend in $backends; do
    sequential=$PWD/$name.$backend.seq run_options=$small
    [ "$backend" = openmp ] || [ -z "${MATRIX_EMULATED:-}" ] || run_options=$emulated
    rm -f "$sequential"
    reference "$run_options" "$sequential"
    forms_of >forms.$backend
    schedule=default races=- reads=- number=0
    run_form 0
    while read -r schedule races reads; do
        number=$((number + 1))
        run_form $number
    done <forms.$backend
    schedule=default races=- reads=-
    tuned
    [ "$backend" = cuda ] && [ "$how" = quick ] ||
        checked verify "" "$program" "$run_options" "CLEAVE_BACKEND=$backend" CLEAVE_VERIFY=1
    [ "$backend" = openmp ] || [ -z "${MATRIX_EMULATED:-}" ] || continue
    field 5 | tr ';' '\n' >checks
    while read -r options <&3; do
        [ -n "$options" ] || continue
        checked check "$options" "$program" "$options --check" "CLEAVE_BACKEND=$backend"
    done 3<checks
done
