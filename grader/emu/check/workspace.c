// Keeps, per word of the workspace, which bytes were written since the product began.
#include "emu/check/workspace.h"

#include <string.h>

#include "emu/check/access_finding.h"
#include "emu/memory/memory.h"
#include "emu/memory/vault.h"

enum status workspace_begin(struct workspace *workspace, uint64_t bytes, struct error *err) {
    uint64_t words = (bytes + WORKSPACE_WORD_BYTES - 1) / WORKSPACE_WORD_BYTES;
    if (words > workspace->words_max) {
        void *written = NULL;
        enum status status = vault_new(words * sizeof *workspace->written, &written, err);
        if (status) {
            return status;
        }
        vault_free(workspace->written);
        workspace->written = written;
        workspace->words_max = words;
    } else if (words > 0) {
        memset(workspace->written, 0, words);
    }
    return STATUS_OK;
}

void workspace_launch_begin(struct workspace *workspace) {
    for (uint64_t i = 0; i < workspace->words_max; i++) {
        workspace->written[i] &= WORKSPACE_WRITTEN;
    }
}

void workspace_done(struct workspace *workspace) {
    vault_free(workspace->written);
    *workspace = (struct workspace){.written = NULL};
}

static void report_workspace(struct findings *findings, const struct launch_shape *shape,
                             const struct block_place *place, const struct access *access,
                             int64_t offset) {
    struct finding finding = access_finding(FINDING_UNINITIALIZED, place, access);
    finding.offset = offset;
    findings_thread(shape->block, access->thread, finding.thread);
    findings_add(findings, &finding);
}

// Names a store in the findings of what it should have come before.
static void stored_late(struct findings *findings, const struct launch_shape *shape,
                        const struct block_place *place, const struct access *access) {
    for (uint32_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->list[i];
        int64_t ahead = finding->offset - access->offset;
        if (finding->kind == FINDING_UNINITIALIZED && finding->space == SPACE_GLOBAL &&
            finding->array == ARRAY_WORKSPACE && finding->other_pc == 0 && ahead >= 0 &&
            ahead < (int64_t)access->bytes &&
            memcmp(finding->block, place->index, sizeof finding->block) != 0) {
            finding->flags |= FINDING_BETWEEN_BLOCKS;
            finding->other_pc = access->pc;
            finding->other_access = access->kind;
            memcpy(finding->other_block, place->index, sizeof finding->other_block);
            findings_thread(shape->block, access->thread, finding->other_thread);
        }
    }
}

void workspace_examine(struct workspace *workspace, struct findings *findings,
                       const struct launch_shape *shape, const struct block_place *place,
                       const struct access *access) {
    const uint8_t *memory = (const uint8_t *)(uintptr_t)access->address;
    int64_t missing = -1;   // the first byte of the access that was not written
    bool forgiven = false;  // by a store without a callback, of a struct that a call returns
    bool was_missed = false;
    for (uint32_t i = 0; i < access->bytes; i++) {
        uint64_t at = (uint64_t)access->offset + i;
        uint8_t *written = &workspace->written[at / WORKSPACE_WORD_BYTES];
        uint8_t bit = (uint8_t)(1u << at % WORKSPACE_WORD_BYTES);
        if (access->kind != ACCESS_WRITE && !(*written & bit)) {
            missing = missing < 0 ? (int64_t)i : missing;
            forgiven = forgiven || (workspace->sees_memory && memory[i] != SHARED_JUNK);
        }
        if (access->kind != ACCESS_READ) {
            was_missed |= *written & WORKSPACE_MISSED;
            *written = (uint8_t)((*written & WORKSPACE_WRITTEN) | bit);
        }
    }
    if (was_missed && access->kind == ACCESS_WRITE) {
        stored_late(findings, shape, place, access);
    }
    if (missing >= 0 && !forgiven) {
        report_workspace(findings, shape, place, access, access->offset + missing);
        if (access->kind == ACCESS_READ) {
            uint64_t word = (uint64_t)(access->offset + missing) / WORKSPACE_WORD_BYTES;
            workspace->written[word] |= WORKSPACE_MISSED;
        }
    }
}
