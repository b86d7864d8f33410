// Two race checkers over random runs: one sees every access, the other only those that the
// filter of known loads lets through.  They must say the same, to the last count.
#include "emu/memory/known.h"

#include "race_rig.h"

#define RUNS       3000
#define RUNS_BYTES 200  // each run copies all shadow memory from words to bytes
#define EVENTS     60
#define BLOCKS     3
#define WORDS      3  // of the shared array, and as many of A, which only loads touch at first

static struct findings other_findings;
static struct race *other;
static struct known known;
static uint64_t chance;
static uint64_t skipped;
static uint64_t usual;

// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (SplitMix64).
static uint32_t draw(uint32_t below) {
    uint64_t z = chance += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % below);
}

static bool is_known(const struct access *access) {
    uint64_t word = known_word((uint64_t)access->offset);
    uint32_t words = access->bytes / 4;
    known_thread(&known, access->thread);
    return access->space == SPACE_SHARED ? known_shared(&known, word, words, access->pc)
                                         : known_global(&known, word, words) &&
                                               sites_has_come(rig.sites, access->pc, known.phase);
}

static void learn(const struct access *access, uint64_t word, enum known_to to) {
    if (access->space == SPACE_SHARED) {
        known_learn_shared(&known, word, access->pc, to);
    } else {
        known_learn_global(&known, word, to);
    }
}

// Tries the short way of touch.h.
static bool is_usual(const struct access *access) {
    bool come = sites_has_come(rig.sites, access->pc, known.phase);
    const struct race_shadow *shadow = &other->shadow[access->space];
    if (!come || access->bytes != 4 || shadow->shift != 2) {
        return false;
    }
    uint64_t me = other->now | (uint64_t)access->site << SLOT_SITE_SHIFT | access->thread;
    uint64_t unit = race_unit(shadow, access->array, access->offset);
    enum known_to to = race_load_usual(other, access->space, unit, me);
    if (to == KNOWN_NOTHING) {
        return false;
    }
    learn(access, (uint64_t)access->offset / 4, to);
    return true;
}

static void filtered_load(const struct access *access) {
    if (access->bytes >= 4 && is_known(access)) {
        skipped++;
        return;
    }
    if (is_usual(access)) {
        usual++;
        return;
    }
    (void)sites_come(rig.sites, access->pc, known.phase);
    race_access(other, access);
    if (access->bytes < 4 && access->space == SPACE_GLOBAL) {
        known_forget_global(&known, (uint64_t)access->offset, access->bytes);
    }
    for (uint32_t done = 0; access->bytes >= 4 && done < access->bytes; done += 4) {
        int64_t offset = access->offset + done;
        learn(access, (uint64_t)offset / 4, race_load_known(other, access, offset));
    }
}

static void filtered_store(const struct access *access) {
    (void)sites_come(rig.sites, access->pc, known.phase);
    race_access(other, access);
    if (access->space == SPACE_SHARED) {
        known_forget_shared(&known, (uint64_t)access->offset, access->bytes);
    } else {
        known_forget_global(&known, (uint64_t)access->offset, access->bytes);
    }
}

// One access by both.  Few threads, so that they meet; a place is the code of one kind and size.
static void both_access(enum memory_space space, enum access_kind kind, bool bytes_too) {
    static const uint32_t few[] = {0, 1, 2, 31, 32, 33, 64, 95};
    static uint32_t value;
    uint32_t size = draw(8);
    uint32_t bytes = size == 0 ? 8 : size == 1 && bytes_too ? 1 : 4;
    int64_t offset = bytes == 8 ? 8 * draw(2) : 4 * draw(WORDS);
    uint64_t pc = 100 + 10 * draw(2) + kind + (uint64_t)bytes * 100;
    uint32_t array = space == SPACE_SHARED ? RIG_TILE : ARRAY_A;
    struct access access = rig_access(&rig, space, array, offset, bytes, kind, few[draw(8)], pc);
    race_access(race, &access);
    if (kind == ACCESS_READ) {
        filtered_load(&access);
        return;
    }
    filtered_store(&access);
    value++;
    memcpy((void *)(uintptr_t)access.address, &value, bytes < 4 ? bytes : 4);
}

static void both_event(bool bytes_too) {
    uint32_t what = draw(40);
    if (what == 0) {
        race_barrier(race);
        race_barrier(other);
        known_advance(&known);
    } else if (what < 3) {
        uint32_t warp = draw(3);
        uint32_t mask = draw(2) ? 0xffffffffu : 0x80000003u;
        race_warp_sync(race, warp, mask);
        race_warp_sync(other, warp, mask);
        known_advance(&known);
    } else {
        enum access_kind kind = what < 38 ? ACCESS_READ : what == 38 ? ACCESS_WRITE : ACCESS_ATOMIC;
        both_access(draw(2) ? SPACE_SHARED : SPACE_GLOBAL, kind, bytes_too);
    }
}

static void both_begin(void) {
    struct block_place place = rig_block(0, 0);
    findings_clear(&rig.findings);
    findings_clear(&other_findings);
    sites_clear(rig.sites);
    for (int space = SPACE_GLOBAL; space <= SPACE_SHARED; space++) {  // begin with words again
        race->shadow[space].refined = other->shadow[space].refined = 0;
    }
    ck_assert_int_eq(race_launch_begin(race, &rig.shape, &rig.findings, NULL), STATUS_OK);
    ck_assert_int_eq(race_launch_begin(other, &rig.shape, &other_findings, NULL), STATUS_OK);
    ck_assert_int_eq(known_launch_begin(&known, RIG_BYTES, RIG_BYTES, NULL), STATUS_OK);
    race_block_begin(race, &place);
    race_block_begin(other, &place);
    known_advance(&known);
}

static void both_run(uint32_t run, bool bytes_too) {
    chance = run;
    both_begin();
    for (uint32_t block = 1; block <= BLOCKS; block++) {
        for (uint32_t i = draw(EVENTS); i > 0; i--) {
            both_event(bytes_too);
        }
        struct block_place place = rig_block(block, 0);
        race_block_end(race);
        race_block_end(other);
        race_block_begin(race, &place);
        race_block_begin(other, &place);
        known_advance(&known);
    }
    race_launch_end(race);
    race_launch_end(other);
}

static void setup(void) {
    struct error err;
    rig_init(&rig);
    memset(&known, 0, sizeof known);
    skipped = 0;
    usual = 0;
    race = NULL;
    other = NULL;
    ck_assert_int_eq(vault_need(&race, sizeof *race, &err), STATUS_OK);
    ck_assert_int_eq(vault_need(&other, sizeof *other, &err), STATUS_OK);
    race->sites = rig.sites;
    other->sites = rig.sites;
}

static void compare_runs(uint32_t runs, bool bytes_too) {
    uint64_t found = 0;
    for (uint32_t run = 0; run < runs; run++) {
        both_run(run, bytes_too);
        ck_assert_uint_eq(rig.findings.count, other_findings.count);
        ck_assert_msg(memcmp(rig.findings.list, other_findings.list,
                             rig.findings.count * sizeof rig.findings.list[0]) == 0,
                      "run %u", run);
        found += rig.findings.count;
    }
    ck_assert_uint_gt(found, runs);  // there were races, and loads that the filter kept away
    ck_assert_uint_gt(skipped, runs);
    ck_assert_uint_gt(usual, runs);
}

START_TEST(filter_changes_no_finding) {
    compare_runs(RUNS, false);
}
END_TEST

START_TEST(filter_changes_no_finding_where_bytes_are_told_apart) {
    compare_runs(RUNS_BYTES, true);
}
END_TEST

// After the numbers of epochs wrap around, old tags must not pass for new ones.
START_TEST(filter_forgets_when_epochs_come_round) {
    both_begin();
    known.epoch = KNOWN_EPOCHS - 2;
    known_advance(&known);
    known_thread(&known, 0);
    known_learn_shared(&known, 1, 7, KNOWN_TO_BLOCK);
    known_learn_global(&known, 1, KNOWN_TO_BLOCK);
    ck_assert(known_shared(&known, 1, 1, 7));
    ck_assert(known_global(&known, 1, 1));
    known_advance(&known);
    known.epoch = KNOWN_EPOCHS - 2;
    known_advance(&known);
    known_thread(&known, 0);
    ck_assert(!known_shared(&known, 1, 1, 7));
    ck_assert(!known_global(&known, 1, 1));
    race_launch_end(race);
    race_launch_end(other);
}
END_TEST

// A load of several words is known only if it is aligned and all the words are known.
START_TEST(wide_load_needs_all_words_and_alignment) {
    both_begin();
    known_thread(&known, 0);
    for (uint64_t word = 0; word < 7; word++) {
        known_learn_shared(&known, word, 7, KNOWN_TO_WARP);
        known_learn_global(&known, word, KNOWN_TO_BLOCK);
    }
    ck_assert(known_shared(&known, 0, 4, 7));
    ck_assert(!known_shared(&known, 0, 4, 8));
    ck_assert(!known_shared(&known, 2, 4, 7));
    ck_assert(!known_shared(&known, 4, 4, 7));
    ck_assert(known_shared(&known, 4, 2, 7));
    ck_assert(known_global(&known, 0, 4));
    ck_assert(!known_global(&known, 2, 4));
    ck_assert(!known_global(&known, 4, 4));
    known_forget_shared(&known, 4 * 3 + 3, 1);
    known_forget_global(&known, 4 * 3 + 3, 1);
    ck_assert(!known_shared(&known, 0, 4, 7));
    ck_assert(!known_global(&known, 0, 4));
    ck_assert(known_shared(&known, 2, 1, 7));
    race_launch_end(race);
    race_launch_end(other);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("known");
    TCase *cases = tcase_create("known");
    tcase_add_checked_fixture(cases, setup, done);
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, filter_changes_no_finding);
    tcase_add_test(cases, filter_changes_no_finding_where_bytes_are_told_apart);
    tcase_add_test(cases, filter_forgets_when_epochs_come_round);
    tcase_add_test(cases, wide_load_needs_all_words_and_alignment);
    suite_add_tcase(suite, cases);
    return suite;
}
