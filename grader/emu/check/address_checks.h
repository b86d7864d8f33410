// Checkers that need only the address of an access.  Every access must be inside its array, and no
// thread may write to the inputs; the address must be a multiple of the size of the access, or of
// the alignment of a struct that is copied.
#ifndef EMU_CHECK_ADDRESS_CHECKS_H
#define EMU_CHECK_ADDRESS_CHECKS_H

#include "emu/memory/events.h"
#include "emu/wire/finding.h"

// An error of this kind.  The thread stays 0 here: findings_thread divides, which is too slow when
// millions of findings come and most are already known (findings_repeat).
static inline struct finding access_finding(enum finding_kind kind, const struct block_place *place,
                                            const struct access *access) {
    return (struct finding){
        .kind = kind,
        .severity = SEVERITY_ERROR,
        .pc = access->pc,
        .space = access->space,
        .array = access->array,
        .offset = access->offset,
        .array_bytes = access->array_bytes,
        .access = access->kind,
        .access_bytes = access->bytes,
        .block = {place->index[0], place->index[1], place->index[2]},
    };
}

// Reports what is wrong with an access.  Only for bounds_access.
void bounds_report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access);

// Reports FINDING_OUT_OF_BOUNDS for an access outside its array, and FINDING_INPUT_WRITTEN for one
// inside an input that writes; both are errors.
//
// Returns  true if the access is outside its array: the machine decides whether it may happen.
static inline bool bounds_access(struct findings *findings, const struct launch_shape *shape,
                                 const struct block_place *place, const struct access *access) {
    bool writes_input = access->kind != ACCESS_READ && access->space == SPACE_GLOBAL &&
                        memory_is_input(shape->inputs, access->array);
    if (__builtin_expect(!access->in_bounds || writes_input, 0)) {
        struct access copy = access_copy(access);
        bounds_report(findings, shape, place, &copy);
    }
    return !access->in_bounds;
}

// The sizes of a kernel file's structs, each with the least alignment that a struct of this size
// requires (more than 1); a size of 0 ends the list.  The inspector writes it
// (device/inspect/dwarf.c); a program without it has a null pointer here.
extern const uint64_t emu_alignment[] __attribute__((weak));

// Used by the functions below, not by callers.
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

// As align_access for a call that requires a multiple of `access->bytes`, regardless of the
// kernel's structs.
static inline bool align_call(struct findings *findings, const struct launch_shape *shape,
                              const struct block_place *place, const struct access *access,
                              enum misaligned what) {
    if ((access->address & (access->bytes - 1)) == 0) {
        return false;
    }
    align_report(findings, shape, place, access, what);
    return true;
}

// As align_access, for the first part of a copied struct.
static inline bool align_copy(struct findings *findings, const struct launch_shape *shape,
                              const struct block_place *place, const struct access *access) {
    if (access->copy_bytes == 0 || access->copy_at != 0 || (access->address & 15) == 0) {
        return false;
    }
    struct access copy = access_copy(access);
    return align_examine_copy(findings, shape, place, &copy);
}

#endif
