#!/bin/bash
# Compares our time of a launch with Nsight Compute's gpu__time_duration for the same kernel at the
# clocks that the GPU chooses by itself.  On a machine with a GPU and ncu, after `make check-gpu`:
#
#   tests/gpu/compare_ncu.sh            one line a kernel and size: ours, ncu's, difference
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build/gpu_check "$PWD/build" "$PWD/grader/include" "$PWD/reference" times |
    grep '^time' >"$work/ours"
echo "kernel n ours_us ncu_us difference_us difference_percent"
while read -r _ name n ours_ms; do
    ncu --clock-control none --metrics gpu__time_duration.sum --csv --print-units base \
        -k "matmul_$name" build/tilegrade-bench --launches 11 "$n" >"$work/ncu" 2>&1 ||
        { cat "$work/ncu"; exit 1; }
    ncu_ns=$(grep gpu__time_duration "$work/ncu" | sed 's/.*,"\([0-9.,]*\)"$/\1/; s/,//g' |
        sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    awk -v name="$name" -v n="$n" -v ours="$ours_ms" -v ncu="$ncu_ns" 'BEGIN {
        a = ours * 1000; b = ncu / 1000
        printf "%s %d %.2f %.2f %+.2f %+.2f%%\n", name, n, a, b, a - b, 100 * (a - b) / b }'
done <"$work/ours"
