# chains.sh NAME: the chains of cases/NAME are those that its comments show. A comment that begins with
# CHAIN shows one, line by line, behind " * "; chains without a comment may be anything.
set -e
here=$SRC/testsuite/pass/frontend/cases
case $1 in *.cpp) standard=-std=c++17 ;; *) standard=-std=gnu11 ;; esac
"$BUILD/bin/chain_dump" "$here/$1" $standard "-I$SRC/runtime/api" >dump 2>messages || {
    cat messages
    exit 1
}
awk '
    FILENAME == ARGV[1] && /^chain / { name = $2 }
    FILENAME == ARGV[1] { shown[name] = shown[name] $0 "\n"; next }
    /^\/\* CHAIN / {
        inside = 1
        name = $3
        wanted = "chain " substr($0, 10) "\n"
        sub(/ \*\/\n$/, "\n", wanted)
        checked++
    }
    inside && /^ \* / { wanted = wanted substr($0, 4) "\n" }
    inside && /\*\/$/ {
        inside = 0
        if (shown[name] != wanted) {
            printf "expected:\n%sis:\n%s\n", wanted, shown[name]
            failed++
        }
    }
    END {
        printf "%d chains checked, %d differ\n", checked, failed
        exit failed > 0 || checked == 0
    }
' dump "$here/$1"
