#!/bin/bash
# precompile.sh INSPECTOR FOLDER: compiles the shim to a form that g++ reads faster, without and
# with tensor cores.  It is kept in FOLDER below the path of the shim, because it holds that path: a
# course that is moved has none until it is built again, and its kernels compile more slowly.
set -eu
shim=$PWD/grader/emu/shim/cuda_emu.h
flags=$("$1" flags)
rm -rf "$2"
mkdir -p "$2$shim.gch"
for cores in '' -DTILEGRADE_TENSOR_CORES; do
    # shellcheck disable=SC2086  # the flags are words
    g++ ${flags/#-x c++/-x c++-header} $cores -o "$2$shim.gch/x$cores" "$shim"
done
touch "$2/made"
