#!/bin/sh
# Programs link the runtime statically: what it defines must not take names that programs may use.
set -eu
nm "$BUILD/lib/libcleave.a" 2>/dev/null | awk '$2 ~ /^[A-TV-Z]$/ { print $3 }' | sort -u >defined
grep -q '^op_init$' defined || { echo "nm finds no names in libcleave.a"; exit 1; }
if grep -vE '^(op_|OP_|cleave_|planner_|target_provide$|\.gomp_critical_user_cleave_|_?_?(asan|odr_asan|ubsan)|DW\.ref)' defined; then
    echo "these names of libcleave.a may be a program's, too"
    exit 1
fi

if [ -f "$BUILD/lib/libcleave_hdf5.a" ]; then
    nm "$BUILD/lib/libcleave_hdf5.a" 2>/dev/null | awk '$2 ~ /^[A-TV-Z]$/ { print $3 }' | sort -u >defined
    grep -q '^op_dump_to_hdf5$' defined || { echo "nm finds no names in libcleave_hdf5.a"; exit 1; }
    if grep -vE '^(op_|cleave_|_?_?(asan|odr_asan|ubsan)|DW\.ref)' defined; then
        echo "these names of libcleave_hdf5.a may be a program's, too"
        exit 1
    fi
fi

# libcleave_cuda.a: NVTX's own names are weak.
[ -f "$BUILD/lib/libcleave_cuda.a" ] || exit 0
nm "$BUILD/lib/libcleave_cuda.a" 2>/dev/null | awk '$2 ~ /^[A-TX-Z]$/ && $2 != "V" { print $3 }' | sort -u >defined
grep -q '^cleave_register_cuda$' defined || { echo "nm finds no names in libcleave_cuda.a"; exit 1; }
if grep -vE '^(cleave_|_?_?(asan|odr_asan|ubsan)|DW\.ref)' defined; then
    echo "these names of libcleave_cuda.a may be a program's, too"
    exit 1
fi
