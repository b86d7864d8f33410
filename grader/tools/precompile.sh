#!/bin/bash
# precompile.sh INSPECTOR FOLDER: compiles two headers to forms that g++ reads faster: the shim,
# without and with tensor cores and for programs, and that of an expected.c.  They are kept in
# FOLDER below the paths of the headers, because they hold these paths: a course that is moved has
# none until it is built again, and its kernels compile more slowly.
#
# The folder appears as a whole at the end, so that no other build reads a part of it.
set -eu
shim=$PWD/grader/emu/shim/cuda_emu.h
include=$PWD/grader/include
mapfile -t flags < <("$1" flags)
new=$2.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new$shim.gch" "$new$include/expected"
header() {  # FLAGS RESULT HEADER
    # shellcheck disable=SC2086  # the flags are words
    g++ ${1/#-x c++/-x c++-header} -o "$2" "$3"
}
for cores in '' -DTILEGRADE_TENSOR_CORES; do
    header "${flags[*]:0:3} $cores" "$new$shim.gch/x$cores" "$shim"
done
header "${flags[4]}" "$new$shim.gch/program" "$shim"
header "${flags[3]} -DNUMBER_BITS=24 -I$include" "$new$include/expected/main.h.gch" \
    "$include/expected/main.h"
touch "$new/made"
rm -rf "$2"
mv "$new" "$2"
