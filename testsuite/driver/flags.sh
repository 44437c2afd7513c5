#!/bin/sh
# Tests which flags reach which compiler, with -###, which runs nothing.
set -eu
. "$SRC/testsuite/driver/common.sh"

commands() { # commands FLAGS...: what would be run, one command per line in `out`
    "$CLEAVECC" "-###" "$@" 2>out || fail "-### fails" out
}
has() { # has LINE TEXT: line number LINE has the word TEXT
    sed -n "$1p" out | grep -q -e " $2\( \|\$\)" || fail "command $1 lacks $2" out
}
has_not() {
    sed -n "$1p" out | grep -q -e " $2" && fail "command $1 has $2" out
    return 0
}

commands -O2 -g -Wall -Wno-unused -DX=1 -Iinc -fPIC -march=x86-64 -flto -std=c11 -MD -c ring.c -o r.o
[ "$(grep -c '^ ' out)" -eq 4 ] || fail "not four commands" out
grep -q 'note: files with loops are compiled without -flto' out || fail "no note about -flto" out
sed -i '/note/d' out
for flag in -O2 -g -Wall -DX=1 -Iinc -fPIC -flto -fno-lto -std=c11 -MD '-o r.o'; do has 1 "$flag"; done
sed -n 1p out | grep -q 'DCLEAVE_UNIT="[0-9a-f]*"' || fail "no id of the unit" out
for flag in -O2 -g -fPIC -march=x86-64 -fopenmp -std=gnu11; do has 2 "$flag"; done
for flag in -W -DX -Iinc -flto -std=c11 -M; do has_not 2 "$flag"; done
# Behind the user's: variants with lanes have the bits of those without.
has_not 1 -ffp-contract=off
commands -O2 -ffp-contract=fast -c ring.c -o r.o
has 2 '-ffp-contract=fast.*-ffp-contract=off'
# A parameter of gcc's, with which vectors compile faster: for compilers that certainly are gcc.
mkdir links
touch links/clang-99 links/ccache links/gcc-99
chmod +x links/*
ln -s clang-99 links/cc-clang
ln -s ccache links/g++
ln -s gcc-99 links/cc-gcc
for host in gcc links/g++ "$PWD/links/cc-gcc" 'ccache gcc -B/opt/clang'; do
    commands --cleave-host="$host" -c ring.c -o r.o
    has 2 --param=max-combine-insns=2
done
for host in clang-99 links/cc-clang mpicc nvc icx 'ccache clang++ -B/opt/gcc'; do
    commands --cleave-host="$host" -c ring.c -o r.o
    has_not 2 --param
done
has 3 -r
has 3 '-o r.o.[0-9a-f]*.tmp r.o'
has_not 3 -O2
has 4 --localize-symbol=cleave_unit_key
has 4 'r.o.[0-9a-f]*.tmp'
[ ! -e r.o ] || fail "-### compiles"

commands -O1 ring.c plain.c -L/nowhere -lm -o app
for flag in -lm -L/nowhere '-o app'; do has_not 1 "$flag"; has 5 "$flag"; done
has 5 -lcleave
has 5 plain.c
has_not 5 ring.c
has_not 5 "'-###'"
commands -r -nostdlib ring.c -o whole.o
has_not 5 -lcleave

# With a stand-in for nvcc, where cleave was built with CUDA.
[ -f "$BUILD/lib/libcleave_cuda.a" ] || exit 0
printf '#!/bin/sh\n[ "$1" = --list-gpu-code ] && printf "%%s\\n" sm_75 sm_80 sm_90 sm_100\n' >nvcc
chmod +x nvcc
CLEAVE_NVCC=$PWD/nvcc
export CLEAVE_NVCC
commands --cleave-arch=sm_80,sm_90a -O0 -g -fPIC -ffp-contract=off -Wall -fopenmp -flto=2 -c ring.c
sed -i '/note/d' out
sed -n 3p out | grep -q "^ $PWD/nvcc " || fail "not nvcc" out
for flag in -O3 -std=c++17 --generate-code=arch=compute_80,code=sm_80 -lineinfo --fmad=false \
    --generate-code=arch=compute_90a,code=sm_90a --generate-code=arch=compute_80,code=compute_80 \
    '-Xcompiler -fPIC'; do
    has 3 "$flag"
done
for flag in -W -O0 -flto -ccbin -rdc -fopenmp; do has_not 3 "$flag"; done
commands --cleave-arch=sm_90 -ffast-math --cleave-host=/usr/bin/cc -c ring.c
has 3 --use_fast_math
has 3 -ccbin=/usr/bin/cc

# The GPUs of this machine, which a stand-in for NVIDIA's libraries tells of: FAKE_GPUS="80 90".
cat >nvml.c <<'EOF'
#include <stdlib.h>
#include <string.h>
static const char *gpus(void) { const char *text = getenv("FAKE_GPUS"); return text ? text : ""; }
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = ((unsigned)strlen(gpus()) + 1) / 3; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)(gpus() + 3 * i); return 0; }
int nvmlDeviceGetCudaComputeCapability(void *d, int *major, int *minor)
{
    int number = atoi(d);
    *major = number / 10;
    *minor = number % 10;
    return 0;
}
EOF
mkdir gpus
"$HOST_CC" -shared -fPIC nvml.c -o gpus/libnvidia-ml.so.1
echo 'int nothing;' | "$HOST_CC" -shared -fPIC -xc - -o gpus/libcuda.so.1
codes() { # codes GPUS FLAGS...: what nvcc is asked for, "sm_80 compute_80 "
    gpus=$1
    shift
    FAKE_GPUS=$gpus LD_LIBRARY_PATH=$PWD/gpus "$CLEAVECC" "-###" "$@" -c ring.c 2>err || return
    tr ' ' '\n' <err | sed -n 's/^--generate-code=arch=.*,code=//p' | tr '\n' ' '
}
no_codes() { # no_codes TEXT GPUS FLAGS...: refused with the text
    text=$1
    shift
    codes "$@" >out && fail "$* is not refused" out
    grep -q "$text" err || fail "$*: does not say '$text'" err
}
unset CLEAVE_ARCH
[ "$(codes '')" = 'compute_80 ' ] || fail "without a GPU" err
[ "$(codes '90 90')" = 'sm_90 compute_90 ' ] || fail "the default is not this machine's GPU" err
[ "$(codes '90 80 90' --cleave-arch=native)" = 'sm_90 sm_80 compute_80 ' ] || fail "two kinds" err
[ "$(codes 89)" = 'sm_80 compute_80 ' ] || fail "a GPU between those of nvcc's" err
[ "$(codes '' --cleave-arch=sm_90,sm_90,sm_100f)" = 'sm_90 sm_100f compute_90 ' ] || fail "several" err
[ "$(codes 90 --cleave-arch=native,sm_75)" = 'sm_90 sm_75 compute_75 ' ] || fail "native and others" err
no_codes 'native finds no GPU' '' --cleave-arch=native
no_codes "sm_70, which nvcc .* no longer compiles for; .*knows sm_75, sm_80" '90 70' --cleave-arch=native
for name in sm_85 sm_80a sm_90f; do
    no_codes "does not compile for '$name' of --cleave-arch; it knows sm_75, sm_80, sm_90" '' --cleave-arch=$name
done
CLEAVE_ARCH=none
export CLEAVE_ARCH

# nvcc that fails: said, and no output. Its temporary files have a folder also where TMPDIR is none.
printf '#!/bin/sh\necho "files in $TMPDIR" >&2\nexit 1\n' >nvcc
TMPDIR=/no/folder "$CLEAVECC" --cleave-arch=sm_90 -c ring.c 2>err && fail "nvcc's failure is lost"
grep -q '^files in /tmp/cleave-' err || fail "nvcc gets a TMPDIR that does not exist" err
grep -q 'CUDA compiler could not compile' err || fail "nvcc's failure is not said" err
[ ! -e ring.o ] || fail "an output without its CUDA half"

# No nvcc: one note, and the rest works.
CLEAVE_NVCC=/no/nvcc "$CLEAVECC" --cleave-arch=sm_90 -c ring.c second.c 2>err || fail "no nvcc" err
[ "$(grep -c 'note: nvcc is not found' err)" -eq 1 ] || fail "not one note" err
left_over
