# gate.sh: values of dats are reached through memory.c alone (cleave_dat_current, cleave_dat_on_device, cleave_dat_blank): a
# dat may be zero without a copy that holds the zeros, and two dats may share a buffer. Other files that name copies of dats
# directly are listed here, with their reason.
set -e

# memory.c     the gate
# spare.c      who owns a buffer
# order_adopt.c  moves copies that are current, after cleave_dat_unshare()
# dat_copies.c reads copies that its caller has made current
# unstored.c   has values computed again, in the places that they had or beside them
# watch.c, overlay.c  look at COPY_USER, where the program may write
allowed='^runtime/mesh/(memory|spare|order_adopt|dat_copies|unstored|watch|overlay)\.c$'

found=$(cd "$SRC" && grep -lE '(->|\.)(own|current)\[(COPY_|copy|really)|->zero = ' runtime/*/*.c | grep -vE "$allowed" || true)
if [ -n "$found" ]; then
    echo "gate.sh: these files reach copies of dats without runtime/mesh/memory.c: $found" >&2
    exit 1
fi
[ "$(cd "$SRC" && grep -lE -- '->zero (&|\|)?= |->zero = ' runtime/*/*.c)" = runtime/mesh/memory.c ]
