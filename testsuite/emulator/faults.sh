# faults.sh: each kernel of faults.cu breaks one rule; in every order of threads the emulator ends the
# program with exit code 1 and a message that names kernel, block, thread and rule.
# Argument: the program built from faults.cu.
set -eu
faults=$1

complain() {
    echo "$1" >&2
    exit 1
}

# expect NAME PATTERN
expect() {
    for order in ascending descending random:1 random:2; do
        status=0
        CLEAVE_EMU_ORDER=$order "$faults" "$1" >out 2>err || status=$?
        [ "$status" -eq 1 ] || complain "$1, $order: exit code $status, expected 1: $(cat out err)"
        grep -Eq "^cleave emulator: error: kernel '$1', block [0-2]: thread [0-9]+ $2" err ||
            complain "$1, $order: the message is: $(cat err)"
    done
}

conflict='(reads|writes|atomically adds to) shared memory at byte [0-9]+, which thread [0-9]+'
conflict="$conflict (reads|writes|atomically adds to) without a barrier between"
outside='accesses shared memory at byte [0-9]+, [48] bytes long, outside its array'

for name in missing_barrier overwrite_while_read missing_colour_barrier use_before_staged \
    read_while_added same_byte other_type; do
    expect $name "$conflict"
done
expect beyond_end "$outside"
expect before_begin "$outside"
expect add_beyond_end "$outside"
expect misaligned 'places an array of 8-byte aligned elements at byte 4'
expect barrier_not_reached 'waits at a divergent barrier \(faults.cu:[0-9]+\): thread 40 has ended'
expect two_barriers 'waits at a divergent barrier \(faults.cu:[0-9]+\): thread 32 waits at another'
expect lanes_missing 'waits at a shuffle .* do not reach; only lanes 0x0000ffff do'
expect lanes_at_barrier 'waits at a shuffle .* only lanes 0x000000ff do'
expect two_shuffles 'waits at a shuffle \(faults.cu:[0-9]+\), but thread [0-9]+ of its warp waits at'

for order in ascending descending random:1; do
    CLEAVE_EMU_ORDER=$order "$faults" clean >out 2>&1 || complain "clean, $order: $(cat out)"
done

for order in sideways random: random:x; do
    status=0
    CLEAVE_EMU_ORDER=$order "$faults" clean >out 2>err || status=$?
    [ "$status" -eq 1 ] || complain "CLEAVE_EMU_ORDER=$order is accepted"
    grep -q "CLEAVE_EMU_ORDER=$order is not ascending, descending or random:SEED" err ||
        complain "CLEAVE_EMU_ORDER=$order: the message is: $(cat err)"
done
