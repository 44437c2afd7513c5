# format.sh: the product's sources are as clang-format 19 has them. .ci/setup.sh installs it from PyPI, always in one
# version; the test is skipped where it could not.
set -eu
tool=
for candidate in "$BUILD/format/bin/clang-format" clang-format-19; do
    if [ -z "$tool" ] && "$candidate" --version 2>/dev/null | grep -q 'version 19\.'; then
        tool=$candidate
    fi
done
[ -n "$tool" ] || {
    echo "clang-format 19 is not there: ./check installs it" >&2
    exit 77
}
cp "$SRC/.clang-format" .
printf 'int  f( void ) { return 1; }\n' >wrong.c
! "$tool" --dry-run -Werror wrong.c 2>/dev/null || {
    echo "clang-format finds nothing wrong in a text that is: this test no longer checks anything" >&2
    exit 1
}
find "$SRC/pass" "$SRC/splitter" "$SRC/codegen" "$SRC/runtime" -name '*.[ch]' -o -name '*.cuh' >files
[ "$(wc -l <files)" -gt 300 ] || {
    echo "few files were found: this test no longer understands the folders" >&2
    exit 1
}
xargs "$tool" --dry-run -Werror <files 2>said || {
    echo "not as clang-format has them; run clang-format-19 -i on:" >&2
    grep 'error:' said | cut -d: -f1 | sort -u | sed "s#^$SRC/##" >&2
    exit 1
}
