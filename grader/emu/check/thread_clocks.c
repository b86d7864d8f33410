// Clocks as sorted lists.  The entry of a block replaces the entries of its warps and threads with
// no greater epoch, which are omitted.
#include "emu/check/thread_clocks.h"

#include <assert.h>
#include <stdlib.h>

#include "emu/memory/vault.h"

#define SIZE_LEAST 64ull         // bytes of the smallest class
#define POOL_STEP  (1ull << 20)  // bytes of a vault

struct clock_entry {
    uint64_t who;
    uint32_t epoch;
};

struct clock {
    struct clock_pool *pool;
    struct clock *next;  // the next unused clock
    uint32_t size;       // class in the pool
    uint32_t uses;
    uint32_t count;
    struct clock_entry entry[];
};

// --- The pool ----------------------------------------------------------------

void clock_pool_clear(struct clock_pool *pool) {
    while (pool->newest) {
        void *older = *(void **)pool->newest;
        vault_free(pool->newest);
        pool->newest = older;
    }
    *pool = (struct clock_pool){.left = 0};
}

// Makes a vault with room for at least that many bytes.
static void pool_grow(struct clock_pool *pool, uint64_t bytes) {
    struct error err;
    void *memory = NULL;
    uint64_t room = bytes > POOL_STEP ? bytes : POOL_STEP;
    if (vault_need(&memory, SIZE_LEAST + room, &err)) {
        abort();  // the worker ends as when there is no memory for a stack
    }
    *(void **)memory = pool->newest;
    pool->newest = memory;
    pool->left = room;
}

// The memory of a vault is used from its end.
static struct clock *clock_new(struct clock_pool *pool, uint64_t count) {
    uint32_t size = 0;
    while (SIZE_LEAST << size < sizeof(struct clock) + count * sizeof(struct clock_entry)) {
        size++;
    }
    assert(size < CLOCK_CLASSES);
    struct clock *clock = pool->unused[size];
    if (clock) {
        pool->unused[size] = clock->next;
    } else {
        if (pool->left < SIZE_LEAST << size) {
            pool_grow(pool, SIZE_LEAST << size);
        }
        pool->left -= SIZE_LEAST << size;
        clock = (struct clock *)(void *)((char *)pool->newest + SIZE_LEAST + pool->left);
    }
    *clock = (struct clock){.pool = pool, .size = size, .uses = 1};
    pool->changes++;
    return clock;
}

// --- Clocks ------------------------------------------------------------------

struct clock *clock_share(struct clock *clock) {
    if (clock) {
        clock->uses++;
    }
    return clock;
}

void clock_drop(struct clock **clock) {
    struct clock *dropped = *clock;
    if (dropped && --dropped->uses == 0) {
        dropped->next = dropped->pool->unused[dropped->size];
        dropped->pool->unused[dropped->size] = dropped;
    }
    *clock = NULL;
}

void clock_assign(struct clock **to, struct clock *from) {
    struct clock *kept = clock_share(from);
    clock_drop(to);
    *to = kept;
}

uint32_t clock_count(const struct clock *clock) {
    return clock ? clock->count : 0;
}

void clock_thread_at(const struct clock *clock, uint32_t index, uint64_t *ret_block,
                     uint32_t *ret_thread, uint32_t *ret_epoch) {
    const struct clock_entry *entry = &clock->entry[index];
    *ret_block = entry->who >> CLOCK_BLOCK_SHIFT;
    *ret_thread = (uint32_t)(entry->who - clock_of_thread(*ret_block, 0));
    *ret_epoch = entry->epoch;
}

// The place of an entry, or where it belongs.
static uint32_t place_of(const struct clock *clock, uint64_t who) {
    uint32_t low = 0;
    uint32_t high = clock_count(clock);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (clock->entry[middle].who < who) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t epoch_of(const struct clock *clock, uint64_t who) {
    uint32_t place = place_of(clock, who);
    bool found = place < clock_count(clock) && clock->entry[place].who == who;
    return found ? clock->entry[place].epoch : 0;
}

uint32_t clock_own_epoch(const struct clock *clock, uint64_t block, uint32_t thread) {
    return epoch_of(clock, clock_of_thread(block, thread));
}

static uint32_t epoch_find(const struct clock *clock, uint64_t block, uint32_t thread) {
    const uint64_t who[] = {clock_of_block(block), clock_of_warp(block, thread / WARP_LANES),
                            clock_of_thread(block, thread)};
    uint32_t latest = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t epoch = epoch_of(clock, who[i]);
        latest = epoch > latest ? epoch : latest;
    }
    return latest;
}

uint32_t clock_epoch(const struct clock *clock, uint64_t block, uint32_t thread) {
    if (!clock) {
        return 0;
    }
    struct clock_pool *pool = clock->pool;
    const uint64_t who = clock_of_thread(block, thread);
    const uint64_t at = (who ^ (uint64_t)(uintptr_t)clock / SIZE_LEAST) % CLOCK_ANSWERS_MAX;
    if (pool->answer[at].clock != clock || pool->answer[at].who != who ||
        pool->answer[at].changes != pool->changes) {
        pool->answer[at].clock = clock;
        pool->answer[at].who = who;
        pool->answer[at].changes = pool->changes;
        pool->answer[at].epoch = epoch_find(clock, block, thread);
    }
    return pool->answer[at].epoch;
}

// The epoch of an entry's block, while the list is read from its start.
static uint32_t block_epoch(const struct clock_entry *entry, uint64_t *block, uint32_t epoch) {
    uint64_t of = entry->who >> CLOCK_BLOCK_SHIFT;
    if (entry->who == clock_of_block(of)) {
        *block = of;
        return entry->epoch;
    }
    return *block == of ? epoch : 0;
}

// True if `clock` knows all that `other` knows.
static bool covers(const struct clock *clock, const struct clock *other) {
    uint64_t block = UINT64_MAX;
    uint32_t of_block = 0;
    uint32_t i = 0;
    for (uint32_t j = 0; j < other->count; j++) {
        const struct clock_entry *wanted = &other->entry[j];
        while (i < clock->count && clock->entry[i].who <= wanted->who) {
            of_block = block_epoch(&clock->entry[i++], &block, of_block);
        }
        bool same = i > 0 && clock->entry[i - 1].who == wanted->who;
        bool by_block = block == wanted->who >> CLOCK_BLOCK_SHIFT && of_block >= wanted->epoch;
        if (!by_block && !(same && clock->entry[i - 1].epoch >= wanted->epoch)) {
            return false;
        }
    }
    return true;
}

static struct clock *merge(const struct clock *one, const struct clock *two) {
    struct clock *merged = clock_new(one->pool, (uint64_t)one->count + two->count);
    uint64_t block = UINT64_MAX;
    uint32_t of_block = 0;
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < one->count || j < two->count) {
        const struct clock_entry *left = i < one->count ? &one->entry[i] : NULL;
        const struct clock_entry *right = j < two->count ? &two->entry[j] : NULL;
        bool takes_left = left && (!right || left->who <= right->who);
        bool takes_right = right && (!left || right->who <= left->who);
        struct clock_entry entry = takes_left ? *left : *right;
        if (takes_left && takes_right && right->epoch > entry.epoch) {
            entry.epoch = right->epoch;
        }
        i += takes_left;
        j += takes_right;
        of_block = block_epoch(&entry, &block, of_block);
        bool is_block = entry.who == clock_of_block(entry.who >> CLOCK_BLOCK_SHIFT);
        if (is_block || entry.epoch > of_block) {
            merged->entry[merged->count++] = entry;
        }
    }
    return merged;
}

void clock_join(struct clock **clock, struct clock *other) {
    if (!other || other == *clock || (*clock && covers(*clock, other))) {
        return;
    }
    struct clock *joined =
        !*clock || covers(other, *clock) ? clock_share(other) : merge(*clock, other);
    clock_drop(clock);
    *clock = joined;
}

// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
void clock_join_again(struct clock_joins *joins, struct clock **clock, struct clock *other) {
    uint64_t both = (uint64_t)(uintptr_t)*clock ^ (uint64_t)(uintptr_t)other << 1;
    uint64_t at = both * 0x9e3779b97f4a7c15u >> 32 & (CLOCK_JOINS_MAX - 1);
    if (joins->at[at].joined && joins->at[at].one == *clock && joins->at[at].other == other) {
        clock_assign(clock, joins->at[at].joined);
        return;
    }
    clock_assign(&joins->at[at].one, *clock);
    clock_assign(&joins->at[at].other, other);
    clock_join(clock, other);
    clock_assign(&joins->at[at].joined, *clock);
}

void clock_learn(struct clock_pool *pool, struct clock **clock, uint64_t who, uint32_t epoch) {
    uint32_t known = epoch_of(*clock, who);
    if (known > 0 && (known >= epoch || (*clock)->uses == 1)) {
        struct clock_entry *entry = &(*clock)->entry[place_of(*clock, who)];
        entry->epoch = epoch > known ? epoch : known;
        pool->changes++;
        return;
    }
    struct clock *one = clock_new(pool, 1);
    one->entry[one->count++] = (struct clock_entry){.who = who, .epoch = epoch};
    clock_join(clock, one);
    clock_drop(&one);
}
