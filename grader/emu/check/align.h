// Checker: the address of an access must be a multiple of its size, and that of a copied struct a
// multiple of its type's alignment.  Otherwise a GPU stops the kernel.
#ifndef EMU_CHECK_ALIGN_H
#define EMU_CHECK_ALIGN_H

#include "emu/memory/events.h"
#include "emu/wire/findings.h"

// The sizes of a kernel file's structs, each with the least alignment that a struct of this size
// requires (more than 1); a size of 0 ends the list.  The inspector writes it
// (device/inspect/dwarf.c); a program without it has a null pointer here.
extern const uint64_t emu_alignment[] __attribute__((weak));

// For the functions below; not for callers.
void align_report(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct access *access,
                  enum misaligned what);
bool align_examine(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access);
bool align_examine_copy(struct findings *findings, const struct launch_shape *shape,
                        const struct block_place *place, const struct access *access);

// Reports FINDING_MISALIGNED, an error, and returns true if the access is misaligned.  Call it for
// accesses whose type requires alignment to their size, not for copies of packed or byte-wise data.
static inline bool align_access(struct findings *findings, const struct launch_shape *shape,
                                const struct block_place *place, const struct access *access) {
    if (__builtin_expect((access->address & (access->bytes - 1)) == 0, 1)) {
        return false;
    }
    struct access copy = access_copy(access);
    return align_examine(findings, shape, place, &copy);
}

// The same for a call that requires a multiple of `access->bytes`, whatever structs the kernel has.
static inline bool align_call(struct findings *findings, const struct launch_shape *shape,
                              const struct block_place *place, const struct access *access,
                              enum misaligned what) {
    if ((access->address & (access->bytes - 1)) == 0) {
        return false;
    }
    align_report(findings, shape, place, access, what);
    return true;
}

// The same as align_access, for the first part of the copy of a struct.
static inline bool align_copy(struct findings *findings, const struct launch_shape *shape,
                              const struct block_place *place, const struct access *access) {
    if (access->copy_bytes == 0 || access->copy_at != 0 || (access->address & 15) == 0) {
        return false;
    }
    struct access copy = access_copy(access);
    return align_examine_copy(findings, shape, place, &copy);
}

#endif
