// The race checker against a slow one that forgets nothing, on random runs of small blocks.
//
// The slow one keeps every access with a vector clock (Mattern 1989) and compares all pairs.
#include "race_rig.h"

#define RUNS         10000
#define EVENTS       20
#define BLOCKS       3
#define THREADS      96
#define SHARED_WORDS 3
#define GLOBAL_WORDS 3
#define WORDS        (SHARED_WORDS + GLOBAL_WORDS)
#define ACCESSES_MAX (EVENTS * BLOCKS)

struct seen {
    uint32_t block;
    uint32_t thread;
    uint32_t word;
    uint32_t time;  // the clock of its thread
    enum access_kind kind;
};

static struct seen seen[ACCESSES_MAX];
static uint32_t seen_count;
static uint32_t clocks[THREADS][THREADS];  // [later][earlier]: what later knows of earlier
static bool is_racy[WORDS];
static uint64_t chance;

// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (SplitMix64).
static uint32_t draw(uint32_t below) {
    uint64_t z = chance += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % below);
}

static void slow_block(void) {
    memset(clocks, 0, sizeof clocks);
    for (uint32_t i = 0; i < THREADS; i++) {
        clocks[i][i] = 1;
    }
}

// All threads in the mask, counted from `first`, learn what any of them knew.
static void slow_join(uint32_t first, uint32_t count, uint32_t mask) {
    uint32_t known[THREADS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t u = 0; (mask >> i % 32 & 1) && u < THREADS; u++) {
            known[u] = clocks[first + i][u] > known[u] ? clocks[first + i][u] : known[u];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (mask >> i % 32 & 1) {
            memcpy(clocks[first + i], known, sizeof known);
            clocks[first + i][first + i]++;
        }
    }
}

static bool slow_ordered(const struct seen *earlier, const struct seen *later) {
    if (earlier->block != later->block) {
        return later->word < SHARED_WORDS;  // another block has its own shared memory
    }
    return clocks[later->thread][earlier->thread] >= earlier->time;
}

static void slow_access(struct seen now) {
    now.time = clocks[now.thread][now.thread];
    for (uint32_t i = 0; i < seen_count; i++) {
        bool writes = seen[i].kind != ACCESS_READ || now.kind != ACCESS_READ;
        bool atomics = seen[i].kind == ACCESS_ATOMIC && now.kind == ACCESS_ATOMIC;
        if (seen[i].word == now.word && writes && !atomics && !slow_ordered(&seen[i], &now)) {
            is_racy[now.word] = true;
        }
    }
    seen[seen_count++] = now;
}

static void both_access(uint32_t block, uint32_t thread, uint32_t word, enum access_kind kind) {
    static uint32_t value;
    bool shared = word < SHARED_WORDS;
    uint32_t array = shared ? RIG_TILE : ARRAY_C;
    int64_t offset = 4 * word;
    slow_access((struct seen){.block = block, .thread = thread, .word = word, .kind = kind});
    touch(shared ? SPACE_SHARED : SPACE_GLOBAL, array, offset, 4, kind, thread, 100 + word);
    value++;
    if (kind != ACCESS_READ) {
        memcpy(shared ? &rig.tile[array][offset] : &rig.global[array][offset], &value,
               sizeof value);
    }
}

// One event: mostly an access, by few threads so that they meet.
static void both_event(uint32_t block, bool partial_masks) {
    static const uint32_t few[] = {0, 1, 2, 31, 32, 33, 64, 95};
    uint32_t what = draw(20);
    if (what == 0) {
        slow_join(0, THREADS, 0xffffffffu);
        race_barrier(race);
    } else if (what < 4) {
        uint32_t warp = draw(3);
        uint32_t mask = partial_masks && draw(2) ? 0x80000000u | draw(8) : 0xffffffffu;
        slow_join(warp * 32, 32, mask);
        race_warp_sync(race, warp, mask);
    } else {
        enum access_kind kind = what < 14 ? ACCESS_READ : what < 17 ? ACCESS_WRITE : ACCESS_ATOMIC;
        both_access(block, few[draw(8)], draw(WORDS), kind);
    }
}

static void both_run(uint32_t run, bool partial_masks) {
    chance = run;
    seen_count = 0;
    memset(is_racy, 0, sizeof is_racy);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        slow_block();
        uint32_t events = draw(EVENTS);
        for (uint32_t i = 0; i < events; i++) {
            both_event(block, partial_masks);
        }
        next_block(block + 1, 0);
    }
    race_block_end(race);
}

static bool is_found(uint32_t word) {
    for (uint32_t i = 0; i < rig.findings.count; i++) {
        if (rig.findings.list[i].pc == 100 + word) {
            return true;
        }
    }
    return false;
}

// Starts the next launch on the same shadow, as a worker does.
static void relaunch(void) {
    race_launch_end(race);
    findings_clear(&rig.findings);
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
}

// Runs both checkers, with or without warp barriers of some lanes, and compares word by word.
static void compare_runs(bool partial_masks) {
    uint32_t racy = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        both_run(run, partial_masks);
        for (uint32_t word = 0; word < WORDS; word++) {
            ck_assert_msg(is_found(word) == is_racy[word], "run %u, word %u", run, word);
            racy += is_racy[word];
        }
        relaunch();
    }
    ck_assert_uint_gt(racy, RUNS * WORDS / 4);  // both kinds of words occurred
    ck_assert_uint_lt(racy, RUNS * WORDS / 4 * 3);
}

START_TEST(whole_masks_find_exactly_the_races) {
    compare_runs(false);
}
END_TEST

START_TEST(partial_masks_find_exactly_the_races) {
    compare_runs(true);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        whole_masks_find_exactly_the_races,
        partial_masks_find_exactly_the_races,
    };
    return race_suite("race_random", tests, sizeof tests / sizeof tests[0]);
}
