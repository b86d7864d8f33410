// Idea: a map tells for each word of shared memory which copy fills it.  It contains only copies
// that are under way.
#include "emu/check/async.h"

#include <string.h>

#include "emu/memory/vault.h"

#define WORD_BYTES 4

enum status async_new(struct async **ret_async, struct error *err) {
    void *memory = NULL;
    void *copy = NULL;
    enum status status = vault_new(sizeof(struct async), &memory, err);
    if (!status) {
        status = vault_new((uint64_t)THREADS_MAX * ASYNC_COPIES_MAX * sizeof(struct async_copy),
                           &copy, err);
    }
    if (status) {
        vault_free(memory);
        return status;
    }
    *ret_async = memory;
    (*ret_async)->copy = copy;
    return STATUS_OK;
}

void async_free(struct async *async) {
    if (async) {
        vault_free(async->owner);
        vault_free(async->copy);
        vault_free(async);
    }
}

enum status async_launch_begin(struct async *async, const struct launch_shape *shape,
                               struct findings *findings, struct error *err) {
    async->map = shared_map_of(shape->shared);
    uint64_t words = async->map.bytes / WORD_BYTES;
    if (words > async->word_max) {
        void *owner = NULL;
        enum status status = vault_new(words * sizeof *async->owner, &owner, err);
        if (status) {
            return status;
        }
        vault_free(async->owner);
        async->owner = owner;
        async->word_max = words;
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

// Copies that the last block left under way do not matter: no thread can read them any more.
void async_block_begin(struct async *async, const struct block_place *place) {
    async->place = *place;
    for (uint32_t i = 0; i < async->shape->thread_count; i++) {
        while (async->count > 0 && async->queue[i].count > 0) {
            drop_oldest(async, i);
        }
        async->queue[i] = (struct async_queue){.first = 0};
    }
}

void async_launch_end(struct async *async) {
    async->shape = NULL;
    async->findings = NULL;
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
        .flags = FINDING_UNDER_WAY,
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
