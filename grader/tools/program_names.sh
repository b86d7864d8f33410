#!/bin/bash
# program_names.sh ARCHIVE: prints the symbols of a whole program that objcopy renames, "old new".
# Functions that host and device share become those of emu/host/host_library.c.  The own names of
# the machine get a prefix, so that a program may use them for something else.
set -eu
nm -g --defined-only "$1" 2>/dev/null |
    awk 'NF == 3 && $3 !~ /^(emu_|__|cuda|_Z|main$|pthread_create$)/ {print $3, "program." $3}' |
    sort -u
for name in printf puts putchar clock malloc calloc realloc free; do
    echo "$name emu_program_$name"
done
echo "__assert_fail emu_program_assert_fail"
echo "emu_memcpy emu_program_memcpy"
echo "emu_memset emu_program_memset"
