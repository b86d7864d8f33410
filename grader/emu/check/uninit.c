// Keeps, per word of shared memory, which bytes the running block wrote; a new block needs no
// clearing.
#include "emu/check/uninit.h"

#include <string.h>

#include "emu/check/access_finding.h"
#include "emu/memory/memory.h"
#include "emu/check/padding.h"
#include "emu/memory/vault.h"

#define STAMP_BLOCK 16u  // one step of the block number
#define STAMP_BYTES 15u  // one bit for each byte written

enum status uninit_new(struct uninit **ret_uninit, struct error *err) {
    void *memory = NULL;
    enum status status = vault_new(sizeof(struct uninit), &memory, err);
    if (!status) {
        *ret_uninit = memory;
        (*ret_uninit)->last_stamp = STAMP_BYTES;
    }
    return status;
}

void uninit_free(struct uninit *uninit) {
    if (uninit) {
        vault_free(uninit->stamp);
        vault_free(uninit);
    }
}

enum status uninit_launch_begin(struct uninit *uninit, const struct launch_shape *shape,
                                struct findings *findings, struct error *err) {
    struct shared_map map = shared_map_of(shape->shared);
    uint64_t words = map.bytes / 4;
    if (words > uninit->words_max) {
        void *stamp = NULL;
        enum status status = vault_new(words * sizeof *uninit->stamp, &stamp, err);
        if (status) {
            return status;
        }
        vault_free(uninit->stamp);
        uninit->stamp = stamp;
        uninit->words_max = words;
    }
    uninit->map = map;
    uninit->shape = shape;
    uninit->findings = findings;
    return STATUS_OK;
}

void uninit_block_begin(struct uninit *uninit, const struct block_place *place) {
    uninit->place = *place;
    uninit->last_stamp += STAMP_BLOCK;
    if (uninit->last_stamp < STAMP_BLOCK && uninit->words_max > 0) {  // the block number overflowed
        memset(uninit->stamp, 0, uninit->words_max * sizeof *uninit->stamp);
        uninit->last_stamp += STAMP_BLOCK;
    }
    uninit->block_stamp = uninit->last_stamp;
}

void uninit_block_end(struct uninit *uninit) {
    (void)uninit;
}

void uninit_launch_end(struct uninit *uninit) {
    uninit->shape = NULL;
    uninit->findings = NULL;
}

static void report_shared(struct uninit *uninit, const struct access *access, int64_t offset) {
    struct finding finding = access_finding(FINDING_UNINITIALIZED, &uninit->place, access);
    finding.offset = offset;
    if (findings_repeat(uninit->findings, &finding)) {
        return;
    }
    findings_thread(uninit->shape->block, access->thread, finding.thread);
    findings_add(uninit->findings, &finding);
}

static bool is_padding(const struct uninit *uninit, const struct access *access, uint32_t missing) {
    if (!uninit->padding) {
        return false;
    }
    uint32_t element_bytes = uninit->shape->shared->array[access->array].element_bytes;
    return padding_covers(uninit->padding, element_bytes, access, missing);
}

// The bytes that an access reads and no thread has written.  They are forgiven if they are padding,
// or were stored without a callback: a struct that a call returns.
static uint32_t missing_bytes(const struct uninit *uninit, const struct access *access,
                              bool *ret_forgiven) {
    uint64_t first = uninit->map.start[access->array] + (uint64_t)access->offset;
    const uint8_t *memory = (const uint8_t *)(uintptr_t)access->address;
    uint32_t missing = 0;
    bool forgiven = false;
    for (uint32_t i = 0; access->kind != ACCESS_WRITE && i < access->bytes; i++) {
        uint32_t stamp = uninit->stamp[(first + i) / 4];
        bool is_ours = (stamp | STAMP_BYTES) == uninit->block_stamp;
        if (!is_ours || !(stamp & 1u << (first + i) % 4)) {
            missing |= 1u << i;
            forgiven = forgiven || (uninit->sees_memory && memory[i] != SHARED_JUNK);
        }
    }
    *ret_forgiven = forgiven || (missing && is_padding(uninit, access, missing));
    return missing;
}

uint32_t uninit_missing(const struct uninit *uninit, const struct access *access) {
    bool forgiven = false;
    uint32_t missing = missing_bytes(uninit, access, &forgiven);
    return forgiven ? 0 : missing;
}

bool uninit_examine(struct uninit *uninit, const struct access *access) {
    uint64_t first = uninit->map.start[access->array] + (uint64_t)access->offset;
    bool forgiven = false;
    uint32_t missing = missing_bytes(uninit, access, &forgiven);
    for (uint32_t i = 0; access->kind != ACCESS_READ && i < access->bytes; i++) {
        uint32_t *stamp = &uninit->stamp[(first + i) / 4];
        bool is_ours = (*stamp | STAMP_BYTES) == uninit->block_stamp;
        *stamp = (is_ours ? *stamp : uninit->block_stamp & ~STAMP_BYTES) | 1u << (first + i) % 4;
    }
    if (missing && !forgiven) {
        report_shared(uninit, access, access->offset + __builtin_ctz(missing));
    }
    return missing == 0;
}
