#!/bin/sh
# Damaged sources and command lines harm nothing; and a compiler that does harm is found out.
set -eu
mutants() { # mutants BUILD [option...]
    build=$1
    shift
    sh "$SRC/testsuite/fuzz/mutants" --build "$build" "$@" >out 2>err
}

found() { # found KIND TEXT: the failure of the compiler `harm`, which `mutants` must report
    mkdir -p fake/bin
    ln -sf "$BUILD/bin/fuzz_mutate" fake/bin/fuzz_mutate
    {
        printf '#!/bin/sh\ncase $1 in --cleave-version | --showme:link) exec "%s" "$1" ;; esac\n' "$CLEAVECC"
        cat
    } >fake/bin/cleavecc
    chmod +x fake/bin/cleavecc
    cp fake/bin/cleavecc fake/bin/cleavec++
    mutants fake "--$1" 1 && { echo "'$2' is not found"; exit 1; }
    grep -q "$2" out || { cat out err; echo "not '$2'"; exit 1; }
}

found commands 'changes files that the host compiler does not: ./plain.c' <<'HARM'
rm plain.c
HARM
found commands 'leaves temporary files' <<'HARM'
touch "$TMPDIR/left"
HARM
found sources 'crashes' <<'HARM'
echo 'cleavecc crashed' >&2
HARM
found sources 'fails without a word' <<'HARM'
exit 1
HARM
found sources 'ends with code 1' <<'HARM'
kill -SEGV $$
HARM

mutants "$BUILD" --all --seed "${SEED:-1}" --sources 90 --commands 10 || { cat out err; exit 1; }
cat out
