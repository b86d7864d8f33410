// Reports accesses outside their array and writes to an input.
#include "emu/check/bounds.h"

#include "emu/check/access_finding.h"

static bool is_dynamic(const struct launch_shape *shape, const struct access *access) {
    return access->space == SPACE_SHARED && shape->shared && access->array < shape->shared->count &&
           shape->shared->array[access->array].is_dynamic;
}

void bounds_report(struct findings *findings, const struct launch_shape *shape,
                   const struct block_place *place, const struct access *access) {
    enum finding_kind kind = access->in_bounds ? FINDING_INPUT_WRITTEN : FINDING_OUT_OF_BOUNDS;
    struct finding finding = access_finding(kind, place, access);
    finding.flags = is_dynamic(shape, access) ? FINDING_DYNAMIC_SHARED : 0;
    findings_thread(shape->block, access->thread, finding.thread);
    findings_add(findings, &finding);
}

void bounds_index(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, uint32_t thread, uint64_t pc, int64_t index,
                  uint64_t extent) {
    struct finding finding = {
        .kind = FINDING_OUT_OF_BOUNDS,
        .severity = SEVERITY_ERROR,
        .flags = FINDING_INNER_ROW,
        .pc = pc,
        .space = SPACE_NONE,
        .array = ARRAY_NONE,
        .offset = index,
        .array_bytes = extent,
        .block = {place->index[0], place->index[1], place->index[2]},
    };
    findings_thread(shape->block, thread, finding.thread);
    findings_add(findings, &finding);
}

void bounds_local(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, uint32_t thread, uint64_t pc,
                  enum access_kind kind) {
    struct finding finding = {
        .kind = FINDING_OUT_OF_BOUNDS,
        .severity = SEVERITY_ERROR,
        .flags = FINDING_LOCAL,
        .pc = pc,
        .space = SPACE_NONE,
        .access = kind,
        .array = ARRAY_NONE,
        .block = {place->index[0], place->index[1], place->index[2]},
    };
    findings_thread(shape->block, thread, finding.thread);
    findings_add(findings, &finding);
}
