// A simulated launch that the race checker observes, for its tests.
#ifndef TESTS_UNIT_RACE_RIG_H
#define TESTS_UNIT_RACE_RIG_H

#include "emu/check/race.h"

#include "rig.h"
#include "suite.h"

#define STORE 0x1000u  // places in an imaginary program
#define LOAD  0x2000u
#define OTHER 0x3000u

// The state of the running test.
static struct rig rig;
static struct race *race;

static inline void begin(void) {
    struct error err;
    rig_init(&rig);
    race = NULL;
    ck_assert_int_eq(vault_need(&race, sizeof *race, &err), STATUS_OK);
    race->sites = rig.sites;
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, &err), STATUS_OK);
    struct block_place place = rig_block(0, 0);
    race_block_begin(race, &place);
}

static inline void next_block(uint32_t x, uint32_t y) {
    struct block_place place = rig_block(x, y);
    race_block_end(race);
    race_block_begin(race, &place);
}

// Ends the launch.  Returns the number of findings.
static inline uint32_t end(void) {
    race_block_end(race);
    race_launch_end(race);
    return rig.findings.count;
}

static inline void done(void) {
    rig_done(&rig);
}

static inline void touch(enum memory_space space, uint32_t array, int64_t offset, uint32_t bytes,
                         enum access_kind kind, uint32_t thread, uint64_t pc) {
    struct access access = rig_access(&rig, space, array, offset, bytes, kind, thread, pc);
    race_access(race, &access);
}

static inline void load(uint32_t thread, int64_t offset) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_READ, thread, LOAD);
}

// Stores a value that no other thread stores.
static inline void store_at(uint32_t thread, int64_t offset, uint64_t pc) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_WRITE, thread, pc);
    uint32_t value = 0x1000000u + thread;
    memcpy(&rig.tile[RIG_TILE][offset], &value, sizeof value);
}

static inline void store(uint32_t thread, int64_t offset) {
    store_at(thread, offset, STORE);
}

static inline void atomic_add(uint32_t thread, int64_t offset) {
    touch(SPACE_SHARED, RIG_TILE, offset, 4, ACCESS_ATOMIC, thread, OTHER);
}

static inline void store_global(uint32_t thread, uint32_t array, int64_t offset, uint32_t value) {
    touch(SPACE_GLOBAL, array, offset, 4, ACCESS_WRITE, thread, STORE);
    memcpy(&rig.global[array][offset], &value, sizeof value);
}

static inline void load_global(uint32_t thread, uint32_t array, int64_t offset) {
    touch(SPACE_GLOBAL, array, offset, 4, ACCESS_READ, thread, LOAD);
}

static inline const struct finding *only_finding(void) {
    ck_assert_uint_eq(rig.findings.count, 1);
    return &rig.findings.list[0];
}

static inline Suite *race_suite(const char *name, const TTest *const *tests, size_t test_count) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < test_count; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}

#endif
