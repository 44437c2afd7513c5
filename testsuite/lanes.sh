# lanes.sh: to be sourced by scripts that run programs on the CPU.
#
#   lanes_agree COMMAND...   the command prints the same bits whatever the number of elements that a core computes at
#                            once and the number of threads, with CLEAVE_DETERMINISTIC=1 and without it. Widths that
#                            this machine lacks, or the program, are skipped.
lanes_agree() {
    CLEAVE_BACKEND=openmp OMP_NUM_THREADS=1 CLEAVE_LANES=off "$@" >lanes_off 2>/dev/null
    # width, threads, deterministic mode, which ignores CLEAVE_BLOCK_SIZE
    lanes_settings='16:2:0 32:1:0 32:7:0 64:3:0'
    [ -n "${CLEAVE_BLOCK_SIZE:-}" ] || lanes_settings="$lanes_settings off:2:1 auto:2:1"
    for lanes_how in $lanes_settings; do
        lanes_width=${lanes_how%%:*} lanes_fixed=${lanes_how##*:} lanes_threads=${lanes_how#*:}
        lanes_threads=${lanes_threads%:*}
        if CLEAVE_BACKEND=openmp OMP_NUM_THREADS=$lanes_threads CLEAVE_LANES=$lanes_width \
            CLEAVE_DETERMINISTIC=$lanes_fixed "$@" >lanes_on 2>lanes_said; then
            cmp -s lanes_off lanes_on || {
                echo "$*: CLEAVE_LANES=$lanes_width on $lanes_threads threads (CLEAVE_DETERMINISTIC=$lanes_fixed)" \
                    "and CLEAVE_LANES=off on one differ:"
                diff lanes_off lanes_on | head -n 6
                return 1
            }
        elif ! grep -qE 'this machine has no registers of|is not compiled for registers of' lanes_said; then
            cat lanes_said
            return 1
        fi
    done
}
