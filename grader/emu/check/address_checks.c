// Bounds: reports accesses outside their array and writes to an input.
//
// Alignment is judged by the size of the access: for the types of CUDA, size and alignment agree.
// For other structs, the list of the inspector has the alignment by size.
#include "emu/check/address_checks.h"

// Of a program: ends the launch if the array belongs to another device.  See emu/host/.
extern void host_foreign(const struct finding *outside) __attribute__((weak));

static bool is_dynamic(const struct launch_shape *shape, const struct access *access) {
    return access->space == SPACE_SHARED && shape->shared && access->array < shape->shared->count &&
           shape->shared->array[access->array].is_dynamic;
}

void bounds_report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access) {
    enum finding_kind kind = access->in_bounds ? FINDING_INPUT_WRITTEN : FINDING_OUT_OF_BOUNDS;
    struct finding finding = access_finding(kind, place, access);
    finding.detail = !access->in_bounds && is_dynamic(shape, access) ? OUTSIDE_DYNAMIC : 0;
    findings_thread(shape->block, access->thread, finding.thread);
    if (host_foreign) {
        host_foreign(&finding);
    }
    findings_add(findings, &finding);
}

#define PIECE_MAX 16  // the most bytes that a thread of a GPU moves in one instruction

static void report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access, uint32_t bytes,
                   enum misaligned what) {
    struct finding finding = access_finding(FINDING_MISALIGNED, place, access);
    finding.access_bytes = bytes;
    finding.detail = what;
    findings_thread(shape->block, access->thread, finding.thread);
    findings_add(findings, &finding);
}

void align_report(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct access *access,
                  enum misaligned what) {
    report(findings, shape, place, access, access->bytes, what);
}

// Returns 0 if the alignment is not known.
static uint64_t alignment_of(const struct launch_shape *shape, uint64_t bytes) {
    for (const uint64_t *type = shape->alignment; type && type[0] != 0; type += 2) {
        if (type[0] == bytes) {
            return type[1] < PIECE_MAX ? type[1] : PIECE_MAX;
        }
    }
    return 0;
}

bool align_examine(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access) {
    // gcc reports a struct of two doubles like a float4, whose alignment is twice as large.
    uint64_t of_structs = access->bytes == PIECE_MAX ? alignment_of(shape, PIECE_MAX) : 0;
    if (of_structs > 0 && access->address % of_structs == 0) {
        return false;
    }
    report(findings, shape, place, access, access->bytes, MISALIGNED_ACCESS);
    return true;
}

bool align_examine_copy(struct findings *findings, const struct launch_shape *shape,
                        const struct block_place *place, const struct access *access) {
    // A number in a packed struct may have this size too.
    bool may_be_number = access->copy_bytes <= 8;
    uint64_t alignment = may_be_number ? 0 : alignment_of(shape, access->copy_bytes);
    if (alignment == 0 || access->address % alignment == 0) {
        return false;
    }
    report(findings, shape, place, access, (uint32_t)alignment, MISALIGNED_ACCESS);
    return true;
}
