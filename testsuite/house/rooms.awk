# rooms.awk: checks the includes of C files against rooms.txt, which is read first.
# Variables: top, the repository. Prints each include that the table does not allow.

function room_of(path,    best, r) {
    best = ""
    for (r in may) {
        if (index(path, r) == 1 && length(r) > length(best)) {
            best = r
        }
    }
    return best
}

function exists(path,    line, found) {
    found = (getline line < (top "/" path)) >= 0
    close(top "/" path)
    return found
}

# The file that an include means, from the top; "" when it is not ours.
function meant(name, from,    folder, c, candidates, n) {
    folder = from
    sub(/\/[^\/]*$/, "", folder)
    n = split(name " " folder "/" name " runtime/api/" name " runtime/" name, candidates, " ")
    for (c = 1; c <= n; c++) {
        if (exists(candidates[c])) {
            return candidates[c]
        }
    }
    return ""
}

FNR == NR {
    sub(/#.*/, "")
    if (NF == 0) {
        next
    }
    if ($1 in may) {
        print "rooms.txt:" FNR ": room '" $1 "' stands there twice"
    }
    may[$1] = " " $1 " "
    for (f = 2; f <= NF; f++) {
        if (!($f in may)) {
            print "rooms.txt:" FNR ": '" $1 "' may include '" $f "', which is no room above it"
        }
        may[$1] = may[$1] $f " "
    }
    next
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    from = substr(FILENAME, length(top) + 2)
    name = $0
    sub(/^[^"]*"/, "", name)
    sub(/".*/, "", name)
    to = meant(name, from)
    if (to == "") {
        next
    }
    room = room_of(from)
    if (room == "") {
        print from ": belongs to no room of rooms.txt"
    } else if (index(may[room], " " room_of(to) " ") == 0) {
        print from ":" FNR ": " room " may not include " to " (" room_of(to) ")"
    }
}
