# faults.sh: each kernel of faults.cu, copy_faults.cu and bulk_faults.cu breaks one rule; in every order
# of threads the emulator ends the program with exit code 1 and a message that names kernel, block,
# thread and rule.
# Arguments: the programs built from them.
set -eu
faults=$1
copy_faults=$2
bulk_faults=$3

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

does='(reads|writes|atomically adds to|copies to|copies in bulk to|adds in bulk from)'
conflict="$does shared memory at byte [0-9]+, which thread [0-9]+ $does without a barrier between"
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
expect same_point 'changes global memory at 0x[0-9a-f]+, which block [0-2] changes too, without'

status=0
"$faults" graph_of_released >out 2>err || status=$?
[ "$status" -eq 1 ] && grep -q "a graph launches kernel 'copy_first' with a pointer to released memory" err ||
    complain "graph_of_released: exit code $status: $(cat out err)"

status=0
"$faults" partial_warp >out 2>err || status=$?
[ "$status" -eq 1 ] &&
    grep -Eq "kernel 'vote', block 0: thread (3[2-9]) is at a ballot in a warp of 8 lanes; blocks that use" err ||
    complain "partial_warp: exit code $status: $(cat out err)"

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
expect copy_group_read_early "accesses $early"
expect copy_not_committed "accesses $early"
expect copy_without_barrier "(accesses $early|$conflict)"
expect copy_over_read "(accesses $early|$conflict)"
expect copy_twice "copies to $early"
expect copy_not_waited 'ends with an asynchronous copy under way to byte [0-9]+ of shared memory'
expect copy_to_odd_place 'copies at byte [0-9]+ of shared memory, which is not a multiple of 16'
expect copy_from_odd_place 'copies at global address 0x[0-9a-f]+, which is not a multiple of 16'
expect copy_beyond_end 'accesses shared memory at byte 4096, 16 bytes long, outside its array'
check_clean

faults=$bulk_faults
place='shared memory at byte [0-9]+'
unfenced="copies in bulk at byte [0-9]+ of shared memory, which thread [0-9]+ writes before, without"
expect bulk_read_early "accesses $place, to which thread 0 copies in bulk, before the arrival was"
expect bulk_read_by_others "accesses $place, to which a bulk copy went, without waiting for its"
expect bulk_copied_twice "copies in bulk to $place, to which thread [01] copies in bulk, before"
waits='waits at the arrival at byte 0 \(bulk_faults.cu:[0-9]+\)'
expect bulk_too_few "$waits, which expects 1024 bytes and gets 512"
expect bulk_too_many "$waits, which expects 256 bytes and gets 512"
expect bulk_not_expected "$waits, for which nobody expects bytes"
expect bulk_not_waited 'initialised the arrival at byte 0, .* expects 512 bytes and gets 512'
expect arrival_expected_twice 'expects bytes at the arrival at byte 0 again before its phase was'
expect arrival_not_initialised 'uses an arrival at byte 8 of shared memory that nobody initialised'
expect arrival_without_barrier \
    'uses (the arrival at byte 0, which thread 40 initialises without|an arrival .* nobody init)'
expect arrival_initialised_twice 'initialises the arrival at byte 0 a second time'
expect arrival_misplaced 'initialises an arrival at byte 12, which is not a multiple of 8'
expect arrival_beyond_end 'accesses shared memory at byte 4096, 8 bytes long, outside its array'
expect arrival_overwritten "accesses $place, where an arrival object is"
expect arrival_second_phase_first 'waits for phase 1 of the arrival at byte 0 before phase 0'
expect arrival_third_phase 'waits for phase 2 of the arrival at byte 0: phases are 0 and 1 by turns'
expect arrival_phase_again "(accesses $place, to which thread 0 copies in bulk, before|$conflict)"
expect arrival_phase_too_many "$waits, for which nobody expects bytes"
expect bulk_unfenced "$unfenced"
expect bulk_fenced_late "$unfenced"
expect bulk_without_barrier "(accesses $place, to which thread 0 copies|$conflict)"
expect add_unfenced "$unfenced"
expect add_without_barrier "$conflict"
expect add_not_waited 'ends with a bulk addition under way from byte 0 of shared memory'
expect add_changed_early "(writes $place, from which thread 3 adds in bulk|$conflict)"
expect add_at_odd_place 'copies at global address 0x[0-9a-f]+, which is not a multiple of 16'
expect add_from_odd_place 'copies at byte 8 of shared memory, which is not a multiple of 16'
expect add_odd_size 'copies 24 bytes in bulk, which is not a multiple of 16'
expect add_four_at_odd_place 'adds 16 bytes at once at address .*, which is not a multiple of 16'
expect add_two_at_odd_place 'adds 8 bytes at once at address .*, which is not a multiple of 8'
expect add_four_to_shared 'adds 16 bytes at once to shared memory, byte 16'
expect bulk_to_odd_place 'copies at byte 24 of shared memory, which is not a multiple of 16'
expect bulk_from_odd_place 'copies at global address 0x[0-9a-f]+, which is not a multiple of 16'
expect bulk_odd_size 'copies 24 bytes in bulk, which is not a multiple of 16'
expect bulk_beyond_end 'accesses shared memory at byte 3616, 512 bytes long, outside its array'
check_clean
