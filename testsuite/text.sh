# shellcheck shell=sh
# text.sh: what cleavecc generates, without the time of the compilers that would read it. Sourced by tests. The text for
# the emulator is the one for GPUs.
#
#   generate_text FOLDER SOURCE [FLAG...]   keeps the text of SOURCE, for CUDA and for OpenMP, in FOLDER; what
#                                           cleavecc says is in generate_text.log
#
# The compilers make empty objects. Their joined object lacks what cleavecc looks for in the end: of all errors,
# this one alone is expected.
cat >empty_compiler <<'TEXT'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec cp "$0.o" "$2"
TEXT
chmod +x empty_compiler
"${CC:-cc}" -x c -c /dev/null -o empty_compiler.o

generate_text() {
    text_folder=$1 text_source=$2
    shift 2
    case $text_source in
    *.cpp) text_compiler=$CLEAVECXX ;;
    *) text_compiler=$CLEAVECC ;;
    esac
    text_status=0
    CLEAVE_NVCC=$PWD/empty_compiler CLEAVE_CC=$PWD/empty_compiler CLEAVE_CXX=$PWD/empty_compiler \
        $text_compiler --cleave-arch=emu --cleave-keep="$text_folder" "$@" -c "$text_source" \
        -o generate_text.o 2>generate_text.log || text_status=$?
    if [ $text_status -ne 1 ] || ! grep -q "'generate_text.o' was joined, but it lacks" generate_text.log; then
        echo "$text_source: exit code $text_status" >&2
        cat generate_text.log >&2
        return 1
    fi
}
