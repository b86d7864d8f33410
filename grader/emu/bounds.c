// Says what is wrong with an access outside its array, or into an input.
#include "emu/bounds.h"

static struct finding describe(const struct launch_shape *shape, const struct block_place *place,
                               uint32_t thread, uint64_t pc) {
    struct finding finding = {
        .kind = FINDING_OUT_OF_BOUNDS,
        .severity = SEVERITY_ERROR,
        .pc = pc,
        .block = {place->index[0], place->index[1], place->index[2]},
    };
    findings_thread(shape->block, thread, finding.thread);
    return finding;
}

static bool is_dynamic(const struct launch_shape *shape, const struct access *access) {
    return access->space == SPACE_SHARED && shape->shared && access->array < shape->shared->count &&
           shape->shared->array[access->array].is_dynamic;
}

void bounds_report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access) {
    struct finding finding = describe(shape, place, access->thread, access->pc);
    finding.space = access->space;
    finding.array = access->array;
    finding.offset = access->offset;
    finding.array_bytes = access->array_bytes;
    finding.access = access->kind;
    finding.access_bytes = access->bytes;
    finding.flags = is_dynamic(shape, access) ? FINDING_DYNAMIC_SHARED : 0;
    if (access->in_bounds) {
        finding.kind = FINDING_INPUT_WRITTEN;
    }
    findings_add(findings, &finding);
}

void bounds_index(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, uint32_t thread, uint64_t pc, int64_t index,
                  uint64_t extent) {
    struct finding finding = describe(shape, place, thread, pc);
    finding.flags = FINDING_INNER_ROW;
    finding.space = SPACE_NONE;
    finding.array = ARRAY_NONE;
    finding.offset = index;
    finding.array_bytes = extent;
    findings_add(findings, &finding);
}
