# rounding.awk: kernels whose values differ by more than rounding, one per line.
# usage: awk -f rounding.awk REFERENCE OUTPUT, both printed with FUZZ_VALUES=1 by a program of inexact chains

function guilty(kernel) {
    if (!(kernel in said)) print kernel
    said[kernel] = 1
}

function size(x) {
    return x < 0 ? -x : x
}

$1 != "=" { next }
{ number = substr($2, 8) }
NR == FNR {
    what[++expected] = $2 " " $3
    kernel[expected] = number
    value[expected] = $4
    if ($3 == "tolerance") tolerance[number] = $4
    next
}
{ at++ }
at > expected || what[at] != $2 " " $3 { guilty(number); next }
$3 !~ /\]$/ { next } # a hash
value[at] ~ /nan/ || $4 ~ /nan/ {
    if (value[at] !~ /nan/ || $4 !~ /nan/) guilty(number)
    next
}
{
    difference = size(value[at] - $4)
    above = size(value[at])
    if (!(difference <= tolerance[number] * (above > 1 ? above : 1))) guilty(number)
}
END { if (at < expected) guilty(kernel[at + 1]) }
