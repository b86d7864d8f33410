// Idea: maps tell for each word of shared memory which asynchronous copy fills it, and which bulk
// copy last filled it and last read it.
#include "emu/check/copy_checks.h"

#include <string.h>

#include "emu/memory/vault.h"

#define WORD_BYTES 4

enum status async_launch_begin(void *observer, const struct launch_shape *shape,
                               struct findings *findings, struct error *err) {
    struct async *async = observer;
    async->map = shared_map_of(shape->shared);
    uint64_t words = async->map.bytes / WORD_BYTES;
    enum status status = vault_need(
        &async->copy, (uint64_t)THREADS_MAX * ASYNC_COPIES_MAX * sizeof *async->copy, err);
    status = status ? status : vault_need(&async->owner, words * sizeof *async->owner, err);
    if (status) {
        return status;
    }
    if (words > 0) {
        memset(async->owner, 0, words * sizeof *async->owner);
    }
    async->count = 0;
    async->time = 0;
    async->barrier = 0;
    memset(async->warp_barrier, 0, sizeof async->warp_barrier);
    memset(async->queue, 0, sizeof async->queue);
    async->shape = shape;
    async->findings = findings;
    return STATUS_OK;
}

static struct async_copy *oldest(struct async *async, uint32_t thread) {
    uint32_t slot = async->queue[thread].first % ASYNC_COPIES_MAX;
    return &async->copy[(size_t)thread * ASYNC_COPIES_MAX + slot];
}

static void drop_oldest(struct async *async, uint32_t thread) {
    const struct async_copy *copy = oldest(async, thread);
    uint32_t owner = 1 + (uint32_t)(copy - async->copy);
    for (uint32_t i = 0; i < copy->bytes / WORD_BYTES; i++) {
        uint32_t *word = &async->owner[copy->word + i];
        *word = *word == owner ? 0 : *word;
    }
    async->queue[thread].first++;
    async->queue[thread].count--;
    async->count--;
}

// Copies that the last block did not wait for do not matter: no thread can read them any more.
void async_block_begin(void *observer, const struct block_place *place) {
    struct async *async = observer;
    async->place = *place;
    for (uint32_t i = 0; i < async->shape->thread_count; i++) {
        while (async->count > 0 && async->queue[i].count > 0) {
            drop_oldest(async, i);
        }
        async->queue[i] = (struct async_queue){.first = 0};
    }
}

void async_barrier(struct async *async) {
    async->barrier = async->time;
}

void async_warp_sync(struct async *async, uint32_t warp) {
    async->warp_barrier[warp] = async->time;
}

void async_begin(struct async *async, const struct access *to) {
    struct async_queue *queue = &async->queue[to->thread];
    if (queue->count == ASYNC_COPIES_MAX) {
        drop_oldest(async, to->thread);
    }
    uint32_t slot = (queue->first + queue->count) % ASYNC_COPIES_MAX;
    uint32_t number = to->thread * ASYNC_COPIES_MAX + slot;
    struct async_copy *copy = &async->copy[number];
    *copy = (struct async_copy){
        .address = to->address,
        .pc = to->pc,
        .word = (async->map.start[to->array] + (uint64_t)to->offset) / WORD_BYTES,
        .bytes = to->bytes,
        .group = queue->group,
        .time = ++async->time,
    };
    for (uint32_t i = 0; i < copy->bytes / WORD_BYTES; i++) {
        async->owner[copy->word + i] = 1 + number;
    }
    queue->count++;
    async->count++;
}

void async_commit(struct async *async, uint32_t thread) {
    async->queue[thread].group++;
}

bool async_finish(struct async *async, uint32_t thread, uint64_t prior,
                  struct async_copy *ret_copy) {
    const struct async_queue *queue = &async->queue[thread];
    if (queue->count == 0 || prior >= queue->group ||
        oldest(async, thread)->group >= queue->group - prior) {
        return false;
    }
    *ret_copy = *oldest(async, thread);
    drop_oldest(async, thread);
    return true;
}

// True if the access follows the call for the copy in every order of the threads.
static bool is_later(const struct async *async, uint32_t number, const struct access *access) {
    uint32_t thread = number / ASYNC_COPIES_MAX;
    uint32_t warp = access->thread / WARP_LANES;
    uint64_t time = async->copy[number].time;
    return thread == access->thread || time <= async->barrier ||
           (thread / WARP_LANES == warp && time <= async->warp_barrier[warp]);
}

static void report_async(struct async *async, uint32_t number, uint64_t word,
                         const struct access *access) {
    const struct async_copy *copy = &async->copy[number];
    struct finding finding = {
        .kind = FINDING_RACE,
        .severity = SEVERITY_ERROR,
        .parties = PARTIES_COPY,
        .space = access->space,
        .array = access->array,
        .pc = copy->pc,
        .other_pc = access->pc,
        .offset = (int64_t)(word * WORD_BYTES - async->map.start[access->array]),
        .array_bytes = access->array_bytes,
        .access = ACCESS_WRITE,
        .other_access = access->kind,
        .access_bytes = access->bytes,
    };
    memcpy(finding.block, async->place.index, sizeof finding.block);
    memcpy(finding.other_block, async->place.index, sizeof finding.other_block);
    if (copy->group == async->queue[number / ASYNC_COPIES_MAX].group) {
        finding.detail = RACE_LACKS_COMMIT;
    }
    findings_thread(async->shape->block, number / ASYNC_COPIES_MAX, finding.thread);
    findings_thread(async->shape->block, access->thread, finding.other_thread);
    findings_add(async->findings, &finding);
}

bool async_examine(struct async *async, const struct access *access) {
    uint64_t first = async->map.start[access->array] + (uint64_t)access->offset;
    uint64_t last = first + access->bytes - 1;
    for (uint64_t word = first / WORD_BYTES; word <= last / WORD_BYTES; word++) {
        if (async->owner[word] != 0 && is_later(async, async->owner[word] - 1, access)) {
            report_async(async, async->owner[word] - 1, word, access);
            return true;
        }
    }
    return false;
}

enum status bulk_launch_begin(void *observer, const struct launch_shape *shape,
                              struct findings *findings, struct error *err) {
    struct bulk *bulk = observer;
    bulk->map = shared_map_of(shape->shared);
    uint64_t words = bulk->map.bytes / WORD_BYTES;
    enum status status = vault_need(&bulk->filled, words * sizeof *bulk->filled, err);
    status = status ? status : vault_need(&bulk->read, words * sizeof *bulk->read, err);
    if (status) {
        return status;
    }
    if (words > 0) {
        memset(bulk->filled, 0, words * sizeof *bulk->filled);
        memset(bulk->read, 0, words * sizeof *bulk->read);
    }
    bulk->time = 0;
    bulk->shape = shape;
    bulk->findings = findings;
    return STATUS_OK;
}

void bulk_block_begin(void *observer, const struct block_place *place) {
    struct bulk *bulk = observer;
    bulk->place = place;
    bulk->block_time = bulk->time;
    bulk->store_count = 0;
    bulk->stored = 0;
    for (uint32_t i = 0; i < bulk->shape->thread_count; i++) {
        bulk->groups[i].count = 0;
        bulk->groups[i].copy.time = bulk->time;
    }
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

// Each row of a box is copied in pieces.
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
        .parties = PARTIES_BULK,
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

// True if the thread has waited for an earlier copy to the same word. The read may then be meant
// for the data of that copy, and be too late instead of too early.
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

// A thread stores to the word; the store may also be its next copy, which begins after this one.
static void forget_copy(struct bulk_word *word) {
    if (word->time > 0) {
        word->before_agent = word->agent;
        word->before_time = word->time;
    }
    word->time = 0;
}

// The same for words in a row.  Most are of a copy that is known already: *known, time 0 at first.
static bool is_new_unknown(const struct bulk *bulk, const struct follow *follow,
                           const struct bulk_word *copy, struct bulk_word *known, uint32_t thread) {
    const bool is_known = known->agent == copy->agent && known->time >= copy->time;
    const bool is = !is_known && is_unknown(bulk, follow, copy, thread);
    *known = !is && !is_known && copy->time > bulk->block_time ? *copy : *known;
    return is;
}

bool bulk_access(struct bulk *bulk, const struct follow *follow, const struct access *access) {
    uint64_t first = word_of(bulk, access);
    uint64_t last =
        (bulk->map.start[access->array] + (uint64_t)access->offset + access->bytes - 1) /
        WORD_BYTES;
    struct bulk_word known[2] = {{.time = 0}, {.time = 0}};
    if (bulk->time == bulk->block_time) {
        return false;
    }
    for (uint64_t word = first; word <= last; word++) {
        if (is_new_unknown(bulk, follow, &bulk->filled[word], &known[0], access->thread)) {
            report_bulk(bulk, follow, &bulk->filled[word], ACCESS_WRITE, word, access);
            return true;
        }
        if (access->kind == ACCESS_READ) {
            continue;
        }
        if (is_new_unknown(bulk, follow, &bulk->read[word], &known[1], access->thread)) {
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

void bulk_block_end(void *observer) {
    const struct bulk *bulk = observer;
    const struct follow *follow = bulk->shape->follow;
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
