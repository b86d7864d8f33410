#!/bin/bash
# measure.sh [SIZE…]: times the kernels that the estimate is compared with, on a machine with a GPU,
# and prints one line of JSON for each kernel and size (default: 4096).
#
# The figures of tests/unit/estimate_data.h and lessons/speed.md were made with it; the counts next
# to them are from a grade without a GPU at 256x256x256.  ARCHITECTURE names the GPU (default:
# sm_90).
set -euo pipefail
cd "$(dirname "$0")/../.."
make build/tilegrade-nvrtc build/tilegrade-gpu-once >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in reference/*.cu tests/bench/kernels/*.cu; do
    name=$(basename "$file" .cu)
    mkdir -p "$work/$name"
    cp "$file" "$work/$name/submission.cu"
    (cd "$work/$name" && "$OLDPWD/build/tilegrade-nvrtc" submission.cu "matmul_$name" \
        "${ARCHITECTURE:-sm_90}" kernel.cubin "$OLDPWD/grader/include")
    for size in "${@:-4096}"; do
        printf '%s %s ' "$name" "$size"
        build/tilegrade-gpu-once "$work/$name/kernel.cubin" "matmul_$name" 0 "$size" 6
    done
done
