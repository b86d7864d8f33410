// A launch under the counter, for its tests.
#ifndef TESTS_UNIT_COUNT_RIG_H
#define TESTS_UNIT_COUNT_RIG_H

#include "emu/count/count.h"
#include "rig.h"
#include "suite.h"

static struct rig rig;
static struct count *count;
static struct counts counts;

static void begin(void) {
    rig_init(&rig);
    count = NULL;
    ck_assert_int_eq(vault_need(&count, sizeof *count, NULL), STATUS_OK);
    ck_assert_int_eq(count_launch_begin(count, &rig.shape, NULL, NULL), STATUS_OK);
    count_block_begin(count, NULL);
}

static void done(void) {
    rig_done(&rig);
}

static void end(void) {
    count_block_end(count);
    count_launch_end(count, &counts);
}

static bool load(uint32_t thread, int64_t offset, uint64_t pc) {
    struct access access =
        rig_access(&rig, SPACE_GLOBAL, ARRAY_A, offset, 4, ACCESS_READ, thread, pc);
    return count_access(count, &access);
}

#endif
