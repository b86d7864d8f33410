// Four limits, and the least of them holds: see occupancy.h.
#include "measure/occupancy.h"

#include <assert.h>
#include <limits.h>

#include "base/limits.h"
#include "base/translate.h"

#define WARPS_UNIT 4  // registers are shared out to four schedulers

const char *occupancy_limit_name(enum occupancy_limit limit) {
    static const char *const names[OCCUPANCY_LIMIT_COUNT] = {
        [OCCUPANCY_THREADS] = N_("threads"),
        [OCCUPANCY_BLOCKS] = N_("blocks"),
        [OCCUPANCY_REGISTERS] = N_("registers"),
        [OCCUPANCY_SHARED] = N_("shared memory")};
    return (unsigned)limit < OCCUPANCY_LIMIT_COUNT ? names[limit] : "";
}

static int round_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

static int blocks_by_registers(const struct multiprocessor *multiprocessor, int warps,
                               int registers) {
    if (registers <= 0) {
        return INT_MAX;
    }
    int warp = round_up(registers * WARP_LANES, multiprocessor->registers_warp_unit);
    int fitting = multiprocessor->registers / warp / WARPS_UNIT * WARPS_UNIT;
    return fitting / warps;
}

static int blocks_by_shared(const struct multiprocessor *multiprocessor, int bytes) {
    if (bytes > multiprocessor->shared_block_bytes_max) {
        return 0;
    }
    int taken =
        round_up(bytes + multiprocessor->shared_reserved_bytes, multiprocessor->shared_unit_bytes);
    return taken > 0 ? multiprocessor->shared_bytes / taken : INT_MAX;
}

struct occupancy occupancy_of(const struct multiprocessor *multiprocessor,
                              const struct occupancy_need *need) {
    assert(need->threads > 0 && need->registers >= 0 && need->shared_bytes >= 0);
    int warps = (need->threads + WARP_LANES - 1) / WARP_LANES;
    int warps_max = multiprocessor->threads_max / WARP_LANES;
    const int blocks[OCCUPANCY_LIMIT_COUNT] = {
        [OCCUPANCY_THREADS] = need->threads <= THREADS_MAX ? warps_max / warps : 0,
        [OCCUPANCY_BLOCKS] = multiprocessor->blocks_max,
        [OCCUPANCY_REGISTERS] = blocks_by_registers(multiprocessor, warps, need->registers),
        [OCCUPANCY_SHARED] = blocks_by_shared(multiprocessor, need->shared_bytes)};
    struct occupancy occupancy = {.blocks = INT_MAX};
    for (int i = 0; i < OCCUPANCY_LIMIT_COUNT; i++) {
        if (blocks[i] < occupancy.blocks) {
            occupancy.blocks = blocks[i];
            occupancy.limit = (enum occupancy_limit)i;
        }
    }
    occupancy.warps = occupancy.blocks * warps;
    occupancy.share = (double)occupancy.warps / warps_max;
    return occupancy;
}
