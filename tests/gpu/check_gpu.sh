#!/bin/bash
# Checks the GPU device on a machine with a GPU.  If the programs were built elsewhere and copied
# here, a folder of shared libraries next to them can be named.
#
#   tests/gpu/check_gpu.sh pack         builds build/gpu_check and what it needs (no GPU needed)
#   tests/gpu/check_gpu.sh [LIBRARIES] [PART]
#                                       runs it; prints one table and how many rows are wrong,
#                                       and, where no part is named, the attacks on a GPU
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "${1:-}" = pack ]; then
    make build/tilegrade-nvrtc build/tilegrade-gpu-worker build/gpu_check
    exit 0
fi
if [ -n "${1:-}" ]; then
    export LD_LIBRARY_PATH="$PWD/$1:${LD_LIBRARY_PATH:-}"
fi
code=0
build/gpu_check "$PWD/build" "$PWD/grader/include" "$PWD/reference" ${2:+"$2"} || code=$?
if [ -z "${2:-}" ]; then
    /usr/bin/env python3 tests/attacks/run.py build --gpu || code=$?
    # Tensor cores, tensor maps, clusters, mbarriers and bulk copies, on a card that has them all.
    if nvidia-smi --query-gpu=compute_cap --format=csv,noheader | grep -q '^9\.'; then
        folder=$(mktemp -d)
        for pair in tensor_core:tests/right/tensor_core/hopper tiled:tests/gpu/bulk \
            tiled:tests/right/tiled/tensor_copies tensor_pipeline:reference/tensor_pipeline \
            tensor_mma:reference/tensor_mma warp_specialized:reference/warp_specialized; do
            cp "${pair#*:}.cu" "$folder/${pair%:*}.cu"
            build/tilegrade grade --exercise "${pair%:*}" --submission "$folder" --out "$folder" \
                --device gpu || code=$?
        done
        rm -rf "$folder"
    fi
fi
exit $code
