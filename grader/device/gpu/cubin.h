// What a cubin holds: its entry points and its variables in GPU memory.  A cubin is made from a
// student's file, so every offset in it is checked.
#ifndef DEVICE_GPU_CUBIN_H
#define DEVICE_GPU_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define CUBIN_SYMBOLS_MAX   64    // entry points kept; the rest are counted
#define CUBIN_VARIABLES_MAX 4096  // variables kept, likewise; <cooperative_groups.h> brings 1100
#define CUBIN_NAME_MAX      256   // bytes of a (mangled) name kept, with the final NUL

struct cubin_variable {
    char name[CUBIN_NAME_MAX];
    uint64_t bytes;
    bool initialised;  // has values in the file: may be a constant table or the text of a printf
};

struct cubin {
    int entry_count;  // all, also those not kept
    char entry[CUBIN_SYMBOLS_MAX][CUBIN_NAME_MAX];
    int variable_count;
    struct cubin_variable variable[CUBIN_VARIABLES_MAX];
};

// Reads the symbols.  Errors: STATUS_BAD_DATA: not a cubin.
// Source: ELF-64 object file format; sections .nv.global and .nv.global.init hold variables in GPU
// memory, and bit 0x10 of st_other marks an entry point (CUDA Binary Utilities; seen in cubins
// of 11.2 to 13.0).
enum status cubin_read(const void *bytes, size_t count, struct cubin *ret_cubin, struct error *err);

bool cubin_has_entry(const struct cubin *cubin, const char *name);

// The plain name inside a C++ mangled one: "matmul_tiled" of "_Z12matmul_tiledPfS_S_iii", "n" of
// "_ZZ5otherPfE1n". A name that is not mangled is its own.
void cubin_plain_name(const char *name, char plain[CUBIN_NAME_MAX]);

#endif
