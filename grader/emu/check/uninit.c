// Keeps, per word, which bytes were written: of shared memory by the running block, so that a new
// block needs no clearing; of the workspace since the product began.
#include "emu/check/uninit.h"

#include <string.h>

#include "emu/check/address_checks.h"
#include "emu/memory/kernel_memory.h"
#include "emu/memory/vault.h"

#define COPY_STEP 4  // bytes between the places in a type where a part of an unknown copy may start

// True if the missing bytes are padding, for an access that begins at this byte of the type.
static bool covers(const uint8_t *is_padding, uint32_t missing) {
    for (uint32_t i = 0; missing >> i != 0; i++) {
        if ((missing >> i & 1) && !is_padding[i]) {
            return false;
        }
    }
    return true;
}

// The same for a part of a copy of unknown size: true if any possible start fits.
static bool anywhere_covers(const uint8_t *is_padding, uint32_t type_bytes,
                            const struct access *access, uint32_t missing) {
    for (uint32_t at = 0; at + access->bytes <= type_bytes; at += COPY_STEP) {
        if (covers(is_padding + at, missing)) {
            return true;
        }
    }
    return false;
}

static bool type_covers(const uint8_t *is_padding, uint32_t type_bytes, const struct access *access,
                        uint32_t missing) {
    // A load of one member has the member's size.  If a struct is loaded in one piece, some byte of
    // it has been written.
    bool all = missing == (1u << access->bytes) - 1;
    uint32_t whole = access->copy_bytes > 0 ? access->copy_bytes : all ? 0 : access->bytes;
    return type_bytes == whole && covers(is_padding + access->copy_at, missing);
}

// Returns true if some type has this many bytes.  *ret_covers: true if `missing` are padding of
// such a type, at the place of the access in an array of its elements.
static bool element_covers(const uint8_t *types, uint32_t element_bytes,
                           const struct access *access, uint32_t missing, bool *ret_covers) {
    const uint8_t *at = types;
    uint32_t bytes = 0;
    uint32_t place = element_bytes > 0 ? (uint32_t)(access->offset % element_bytes) : 0;
    bool found = false;
    bool does = false;
    while ((bytes = at[0] | (uint32_t)at[1] << 8) > 0) {
        bool fits = bytes == element_bytes && place + access->bytes <= bytes;
        found = found || fits;
        does = does || (fits && covers(at + 2 + place, missing));
        at += 2 + bytes;
    }
    *ret_covers = does;
    return found;
}

// True if `missing` (a bit per byte of the access) are padding in a copy of some type.
// element_bytes: of the array that the access is in, 0 if it is not known.
static bool padding_covers(const uint8_t *types, uint32_t element_bytes,
                           const struct access *access, uint32_t missing) {
    const uint8_t *at = types;
    uint32_t bytes = 0;
    bool unknown = access->copy_bytes == COPY_OF_UNKNOWN;
    bool does = false;
    if (types && unknown && element_covers(types, element_bytes, access, missing, &does)) {
        return does;
    }
    while (at && (bytes = at[0] | (uint32_t)at[1] << 8) > 0) {
        does = unknown ? anywhere_covers(at + 2, bytes, access, missing)
                       : type_covers(at + 2, bytes, access, missing);
        if (does) {
            return true;
        }
        at += 2 + bytes;
    }
    return false;
}

#define STAMP_BLOCK 16u  // one step of the block number
#define STAMP_BYTES 15u  // a bit for each written byte

enum status uninit_launch_begin(void *observer, const struct launch_shape *shape,
                                struct findings *findings, struct error *err) {
    struct uninit *uninit = observer;
    uninit->map = shared_map_of(shape->shared);
    uninit->last_stamp |= STAMP_BYTES;
    uninit->shape = shape;
    uninit->findings = findings;
    return vault_need(&uninit->stamp, uninit->map.bytes / 4 * sizeof *uninit->stamp, err);
}

void uninit_block_begin(void *observer, const struct block_place *place) {
    struct uninit *uninit = observer;
    uninit->place = *place;
    uninit->last_stamp += STAMP_BLOCK;
    if (uninit->last_stamp < STAMP_BLOCK && uninit->stamp) {  // the block number overflowed
        vault_clear(uninit->stamp);
        uninit->last_stamp += STAMP_BLOCK;
    }
    uninit->block_stamp = uninit->last_stamp;
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
// or were stored without a callback, as a struct that a call returns is.
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

enum status workspace_begin(struct workspace *workspace, uint64_t bytes, struct error *err) {
    uint64_t words = (bytes + WORKSPACE_WORD_BYTES - 1) / WORKSPACE_WORD_BYTES;
    enum status status = vault_need(&workspace->written, words * sizeof *workspace->written, err);
    if (!status && words > 0) {
        memset(workspace->written, 0, words);
    }
    workspace->words = status ? 0 : words;
    return status;
}

void workspace_launch_begin(struct workspace *workspace) {
    for (uint64_t i = 0; i < workspace->words; i++) {
        workspace->written[i] &= WORKSPACE_WRITTEN;
    }
}

static void report_workspace(struct findings *findings, const struct launch_shape *shape,
                             const struct block_place *place, const struct access *access,
                             int64_t offset) {
    struct finding finding = access_finding(FINDING_UNINITIALIZED, place, access);
    finding.offset = offset;
    findings_thread(shape->block, access->thread, finding.thread);
    findings_add(findings, &finding);
}

// Names this store in findings about reads that it should have preceded.
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
    bool forgiven = false;  // stored without a callback, as a struct that a call returns is
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
