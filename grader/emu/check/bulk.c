// Idea: a map tells for each word of shared memory which copy last filled it, and which last read
// it.  Times grow over all blocks of a launch, so nothing is cleared between blocks.
#include "emu/check/bulk.h"

#include <string.h>

#include "emu/memory/vault.h"

#define WORD_BYTES 4

enum status bulk_new(struct bulk **ret_bulk, struct error *err) {
    void *memory = NULL;
    enum status status = vault_new(sizeof(struct bulk), &memory, err);
    *ret_bulk = memory;
    return status;
}

void bulk_free(struct bulk *bulk) {
    if (bulk) {
        vault_free(bulk->filled);
        vault_free(bulk->read);
        vault_free(bulk);
    }
}

static enum status words_new(struct bulk_word **words, uint64_t count, struct error *err) {
    void *memory = NULL;
    enum status status = vault_new(count * sizeof **words, &memory, err);
    if (!status) {
        vault_free(*words);
        *words = memory;
    }
    return status;
}

enum status bulk_launch_begin(struct bulk *bulk, const struct launch_shape *shape,
                              struct findings *findings, struct error *err) {
    bulk->map = shared_map_of(shape->shared);
    uint64_t words = bulk->map.bytes / WORD_BYTES;
    if (words > bulk->word_max) {
        enum status status = words_new(&bulk->filled, words, err);
        status = status ? status : words_new(&bulk->read, words, err);
        bulk->word_max = status ? 0 : words;
        if (status) {
            return status;
        }
    } else if (words > 0) {
        memset(bulk->filled, 0, words * sizeof *bulk->filled);
        memset(bulk->read, 0, words * sizeof *bulk->read);
    }
    bulk->time = 0;
    bulk->shape = shape;
    bulk->findings = findings;
    return STATUS_OK;
}

void bulk_block_begin(struct bulk *bulk, const struct block_place *place) {
    bulk->place = place;
    bulk->block_time = bulk->time;
    bulk->store_count = 0;
    bulk->stored = 0;
    for (uint32_t i = 0; i < bulk->shape->thread_count; i++) {
        bulk->groups[i].count = 0;
        bulk->groups[i].copy.time = bulk->time;
    }
}

void bulk_launch_end(struct bulk *bulk) {
    bulk->shape = NULL;
    bulk->findings = NULL;
}

static uint64_t word_of(const struct bulk *bulk, const struct access *access) {
    return (bulk->map.start[access->array] + (uint64_t)access->offset) / WORD_BYTES;
}

void bulk_begin(struct bulk *bulk, const struct access *part, uint32_t agent) {
    struct bulk_word *words = part->kind == ACCESS_WRITE ? bulk->filled : bulk->read;
    struct bulk_word copy = {.pc = part->pc,
                             .time = ++bulk->time,
                             .agent = bulk->first_agent + agent,
                             .thread = part->thread,
                             .block = (uint32_t)bulk->place->linear};
    uint64_t first = word_of(bulk, part);
    for (uint64_t i = 0; i < part->bytes / WORD_BYTES; i++) {
        copy.before_agent = words[first + i].before_agent;
        copy.before_time = words[first + i].before_time;
        words[first + i] = copy;
    }
    if (part->kind == ACCESS_READ) {
        struct bulk_groups *groups = &bulk->groups[part->thread];
        groups->last = access_copy(part);
        groups->last.bytes = WORD_BYTES;  // where it begins
        groups->copy = copy;
    }
}

// Rows of a box come in pieces.
void bulk_stores(struct bulk *bulk, const struct access *part) {
    const struct bulk_word copy = {.pc = part->pc,
                                   .time = bulk->time + 1,
                                   .agent = bulk->first_agent + BULK_AGENT_STORES + part->thread,
                                   .thread = part->thread,
                                   .block = (uint32_t)bulk->place->linear};
    struct bulk_store *last = &bulk->store[(bulk->store_count - 1) % BULK_STORES_MAX];
    if (bulk->store_count > 0 && last->copy.time == copy.time && last->end == part->address) {
        last->end += part->bytes;
        return;
    }
    bulk->stored |= 1ull << part->array;
    bulk->store[bulk->store_count++ % BULK_STORES_MAX] = (struct bulk_store){
        .address = part->address, .end = part->address + part->bytes, .copy = copy};
}

void bulk_commit(struct bulk *bulk, uint32_t thread) {
    struct bulk_groups *groups = &bulk->groups[thread];
    groups->time[groups->count++ % BULK_GROUPS_MAX] = bulk->time;
}

void bulk_wait(struct bulk *bulk, struct follow *follow, uint32_t thread, uint32_t prior,
               bool reads_only) {
    const struct bulk_groups *groups = &bulk->groups[thread];
    if (prior < groups->count && prior < BULK_GROUPS_MAX) {
        uint32_t time = groups->time[(groups->count - 1 - prior) % BULK_GROUPS_MAX];
        follow_learn_agent(follow, thread, bulk->first_agent + BULK_AGENT_GROUPS + thread,
                           time + 1);
        if (!reads_only) {
            follow_learn_agent(follow, thread, bulk->first_agent + BULK_AGENT_STORES + thread,
                               time + 1);
        }
    }
}

bool bulk_has_filled(const struct bulk *bulk, const struct access *word) {
    return bulk->filled[word_of(bulk, word)].time > bulk->block_time;
}

static struct finding finding_of(const struct bulk *bulk, const struct bulk_word *copy,
                                 enum access_kind copy_kind, const struct access *access) {
    struct finding finding = {
        .kind = FINDING_RACE,
        .severity = SEVERITY_ERROR,
        .flags = FINDING_UNDER_WAY | FINDING_BULK,
        .space = access->space,
        .array = access->array,
        .pc = copy->pc,
        .other_pc = access->pc,
        .offset = access->offset,
        .array_bytes = access->array_bytes,
        .access = copy_kind,
        .other_access = access->kind,
        .access_bytes = access->bytes,
    };
    const uint32_t *grid = bulk->shape->grid;
    finding.block[0] = copy->block % grid[0];
    finding.block[1] = copy->block / grid[0] % grid[1];
    finding.block[2] = copy->block / grid[0] / grid[1];
    memcpy(finding.other_block, bulk->place->index, sizeof finding.other_block);
    findings_thread(bulk->shape->block, copy->thread, finding.thread);
    findings_thread(bulk->shape->block, access->thread, finding.other_thread);
    return finding;
}

// True if the thread has waited for an earlier copy to the same word: then its read may be for what
// that one brought, and come too late instead of too early.
static bool is_refilled(const struct bulk *bulk, const struct follow *follow,
                        const struct bulk_word *copy, uint32_t thread) {
    return copy->before_time > bulk->block_time &&
           follow_knows_agent(follow, thread, copy->before_agent, copy->before_time);
}

static void report_bulk(struct bulk *bulk, const struct follow *follow,
                        const struct bulk_word *copy, enum access_kind copy_kind, uint64_t word,
                        const struct access *access) {
    struct finding finding = finding_of(bulk, copy, copy_kind, access);
    if (copy_kind == ACCESS_WRITE && access->kind == ACCESS_READ &&
        is_refilled(bulk, follow, copy, access->thread)) {
        finding.detail = RACE_REFILLED;
    }
    finding.offset = (int64_t)(word * WORD_BYTES - bulk->map.start[access->array]);
    findings_add(bulk->findings, &finding);
}

static bool is_unknown(const struct bulk *bulk, const struct follow *follow,
                       const struct bulk_word *copy, uint32_t thread) {
    return copy->time > bulk->block_time &&
           !follow_knows_agent(follow, thread, copy->agent, copy->time);
}

// A thread stores to the word, perhaps as its next copy (which begins after this).
static void forget_copy(struct bulk_word *word) {
    if (word->time > 0) {
        word->before_agent = word->agent;
        word->before_time = word->time;
    }
    word->time = 0;
}

bool bulk_access(struct bulk *bulk, const struct follow *follow, const struct access *access) {
    uint64_t first = word_of(bulk, access);
    uint64_t last =
        (bulk->map.start[access->array] + (uint64_t)access->offset + access->bytes - 1) /
        WORD_BYTES;
    if (bulk->time == bulk->block_time) {
        return false;
    }
    for (uint64_t word = first; word <= last; word++) {
        if (is_unknown(bulk, follow, &bulk->filled[word], access->thread)) {
            report_bulk(bulk, follow, &bulk->filled[word], ACCESS_WRITE, word, access);
            return true;
        }
        if (access->kind == ACCESS_READ) {
            continue;
        }
        if (is_unknown(bulk, follow, &bulk->read[word], access->thread)) {
            report_bulk(bulk, follow, &bulk->read[word], ACCESS_READ, word, access);
            return true;
        }
        forget_copy(&bulk->filled[word]);
    }
    return false;
}

bool bulk_examine_global(struct bulk *bulk, const struct follow *follow,
                         const struct access *access) {
    uint64_t kept = bulk->store_count < BULK_STORES_MAX ? bulk->store_count : BULK_STORES_MAX;
    for (uint64_t i = 0; i < kept; i++) {
        const struct bulk_store *store = &bulk->store[i];
        if (store->address < access->address + access->bytes && access->address < store->end &&
            store->copy.block == bulk->place->linear &&
            is_unknown(bulk, follow, &store->copy, access->thread)) {
            struct finding finding = finding_of(bulk, &store->copy, ACCESS_WRITE, access);
            findings_add(bulk->findings, &finding);
            return true;
        }
    }
    return false;
}

void bulk_block_end(struct bulk *bulk, const struct follow *follow) {
    for (uint32_t i = 0; i < bulk->shape->thread_count; i++) {
        const struct bulk_groups *groups = &bulk->groups[i];
        if (is_unknown(bulk, follow, &groups->copy, i)) {
            struct finding finding = finding_of(bulk, &groups->copy, ACCESS_READ, &groups->last);
            finding.detail = RACE_AT_END;
            finding.other_pc = 0;
            finding.other_access = ACCESS_NONE;
            findings_add(bulk->findings, &finding);
        }
    }
}
