# faults.sh: each kernel of faults.cu and copy_faults.cu breaks one rule; in every order of threads the emulator ends the
# program with exit code 1 and a message that names kernel, block, thread and rule.
# Arguments: the programs built from them.
set -eu
faults=$1
copy_faults=$2

complain() {
    echo "$1" >&2
    exit 1
}

# expect NAME PATTERN: of the program $faults
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
conflict="$conflict (reads|writes|copies to|atomically adds to) without a barrier between"
outside='accesses shared memory at byte [0-9]+, [48] bytes long, outside its array'

for name in missing_barrier overwrite_while_read missing_colour_barrier use_before_staged \
    read_while_added same_byte other_type warp_barrier_for_block second_warp_barrier_missing \
    shuffle_for_barrier; do
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
expect two_exchanges 'waits at a (shuffle|ballot) .*, but thread [0-9]+ of its warp waits at another'
expect ballot_missing 'waits at a ballot .* only lanes 0x7fffffff do'
expect warp_barrier_missing 'waits at a warp barrier .* only lanes 0x0000000f do'
expect no_such_lane 'asks a shuffle for lane 32; a warp has lanes 0 to 31'

check_clean() {
    for order in ascending descending random:1; do
        CLEAVE_EMU_ORDER=$order "$faults" clean >out 2>&1 || complain "clean, $order: $(cat out)"
    done
}
check_clean

for order in sideways random: random:x; do
    status=0
    CLEAVE_EMU_ORDER=$order "$faults" clean >out 2>err || status=$?
    [ "$status" -eq 1 ] || complain "CLEAVE_EMU_ORDER=$order is accepted"
    grep -q "CLEAVE_EMU_ORDER=$order is not ascending, descending or random:SEED" err ||
        complain "CLEAVE_EMU_ORDER=$order: the message is: $(cat err)"
done

faults=$copy_faults
early='shared memory at byte [0-9]+, to which thread [0-9]+ copies asynchronously and has not waited'
expect copy_read_early "accesses $early"
expect copy_const_read_early "reads $early"
expect copy_added_early "atomically adds to $early"
expect copy_waited_late "accesses $early"
expect copy_without_barrier "(accesses $early|$conflict)"
expect copy_over_read "(accesses $early|$conflict)"
expect copy_twice "copies to $early"
expect copy_not_waited 'ends with an asynchronous copy under way to byte [0-9]+ of shared memory'
expect copy_to_odd_place 'copies to byte [0-9]+ of shared memory, which is not a multiple of 16'
expect copy_from_odd_place 'copies from address 0x[0-9a-f]+, which is not a multiple of 16'
expect copy_beyond_end 'accesses shared memory at byte 4096, 16 bytes long, outside its array'
check_clean
