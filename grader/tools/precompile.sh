#!/bin/bash
# precompile.sh INSPECTOR FOLDER: compiles two headers to forms that g++ reads faster: the shim,
# without and with tensor cores and for programs, and that of an expected.c.  They are kept in
# FOLDER below the paths of the headers, because they hold these paths: a course that is moved has
# none until it is built again, and its kernels compile more slowly.
set -eu
shim=$PWD/grader/emu/shim/cuda_emu.h
include=$PWD/grader/include
mapfile -t flags < <("$1" flags)
rm -rf "$2"
mkdir -p "$2$shim.gch" "$2$include/expected"
header() {  # FLAGS RESULT HEADER
    # shellcheck disable=SC2086  # the flags are words
    g++ ${1/#-x c++/-x c++-header} -o "$2" "$3"
}
for cores in '' -DTILEGRADE_TENSOR_CORES; do
    header "${flags[*]:0:3} $cores" "$2$shim.gch/x$cores" "$shim"
done
header "${flags[4]}" "$2$shim.gch/program" "$shim"
header "${flags[3]} -DNUMBER_BITS=24 -I$include" "$2$include/expected/main.h.gch" \
    "$include/expected/main.h"
touch "$2/made"
