// Judges by the size of the access: for the types of CUDA, size and alignment agree.
#include "emu/align.h"

void align_report(struct findings *findings, const struct launch_shape *shape,
                  const struct block_place *place, const struct access *access) {
    struct finding finding = {
        .kind = FINDING_MISALIGNED,
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
    findings_thread(shape->block, access->thread, finding.thread);
    findings_add(findings, &finding);
}
