// The table of GPUs.  A figure that NVIDIA does not publish is derived by a rule that is given
// here.
//
// L2 bandwidth: 5120 bytes a clock of the A100 is from its architecture paper, and is taken for
// H100 and H200, for which none is published; the others have 128 bytes a clock for each 32 bits of
// their memory bus (two slices of 64 bytes a channel).
//
// There are four limits; the smallest one applies.
#include "measure/devices.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/limits.h"
#include "base/words.h"

#define KIB 1024

// Limits that every capability here shares.
#define REGISTERS    REGISTERS_OF_SM
#define WARP_UNIT    256
#define SHARED_CLOCK 128
#define ISSUES       4

static const struct multiprocessor turing = {75,       1024, 16, REGISTERS, WARP_UNIT,    64 * KIB,
                                             64 * KIB, 256,  0,  64,        SHARED_CLOCK, ISSUES};
static const struct multiprocessor ampere_80 = {80,        2048,      32,           REGISTERS,
                                                WARP_UNIT, 164 * KIB, 163 * KIB,    128,
                                                1 * KIB,   64,        SHARED_CLOCK, ISSUES};
static const struct multiprocessor ampere_86 = {86,        1536,      16,           REGISTERS,
                                                WARP_UNIT, 100 * KIB, 99 * KIB,     128,
                                                1 * KIB,   128,       SHARED_CLOCK, ISSUES};
static const struct multiprocessor ada = {89,        1536,      24,           REGISTERS,
                                          WARP_UNIT, 100 * KIB, 99 * KIB,     128,
                                          1 * KIB,   128,       SHARED_CLOCK, ISSUES};
static const struct multiprocessor hopper = {90,        2048,      32,           REGISTERS,
                                             WARP_UNIT, 228 * KIB, 227 * KIB,    128,
                                             1 * KIB,   128,       SHARED_CLOCK, ISSUES};

static const struct card cards[] = {
    {"GTX 1650", &turing, 14, 1665, 512, 1 * KIB, 128.0,
     "NVIDIA GeForce GTX 1650 specifications (GDDR5, 128 bit)"},
    {"T4", &turing, 40, 1590, 1024, 4 * KIB, 320.0, "NVIDIA T4 data sheet"},
    {"RTX 2080", &turing, 46, 1710, 1024, 4 * KIB, 448.0,
     "NVIDIA Turing GPU architecture paper, appendix B"},
    {"RTX 3060", &ampere_86, 28, 1777, 768, 3 * KIB, 360.0,
     "NVIDIA GeForce RTX 3060 specifications (12 GB)"},
    {"RTX 3090", &ampere_86, 82, 1695, 1536, 6 * KIB, 936.0,
     "NVIDIA Ampere GA102 architecture paper, table 9"},
    {"RTX 4060", &ada, 24, 2460, 512, 24 * KIB, 272.0, "NVIDIA GeForce RTX 4060 specifications"},
    {"RTX 4090", &ada, 128, 2520, 1536, 72 * KIB, 1008.0,
     "NVIDIA Ada GPU architecture paper, appendix A"},
    {"L4", &ada, 58, 2040, 768, 48 * KIB, 300.0, "NVIDIA L4 data sheet"},
    {"A100", &ampere_80, 108, 1410, 5120, 40 * KIB, 2039.0,
     "NVIDIA A100 architecture paper, data sheet of A100 80GB SXM"},
    {"H100 SXM", &hopper, 132, 1980, 5120, 50 * KIB, 3350.0,
     "NVIDIA H100 architecture paper and data sheet"},
    {"H200", &hopper, 132, 1980, 5120, 60 * KIB, 4800.0,
     "NVIDIA H200 data sheet; clock and L2 read from the device"},
};

int cards_count(void) {
    return (int)COUNT(cards);
}

const struct card *card_at(int index) {
    return index >= 0 && index < cards_count() ? &cards[index] : NULL;
}

static bool is_filler(char letter) {
    return letter == ' ' || letter == '-' || letter == '_';
}

static bool same_name(const char *left, const char *right) {
    for (;;) {
        while (is_filler(*left)) {
            left++;
        }
        while (is_filler(*right)) {
            right++;
        }
        if (tolower((unsigned char)*left) != tolower((unsigned char)*right)) {
            return false;
        }
        if (*left == '\0') {
            return true;
        }
        left++;
        right++;
    }
}

enum status card_find(const char *name, const struct card **ret_card, struct error *err) {
    char names[ERROR_TEXT_MAX / 2] = "";
    size_t used = 0;
    for (int i = 0; i < cards_count(); i++) {
        if (same_name(name, cards[i].name)) {
            *ret_card = &cards[i];
            return STATUS_OK;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 cards[i].name);
    }
    return fail(err, STATUS_BAD_USAGE, "there is no card '%.40s' in the table; it has %s", name,
                names);
}

const struct card *card_of_gpu(const char *gpu_name, int multiprocessors) {
    for (int i = 0; i < cards_count(); i++) {
        const char *at = strstr(gpu_name, cards[i].name);
        bool ends = at && !isalnum((unsigned char)at[strlen(cards[i].name)]);
        if (ends && cards[i].multiprocessors == multiprocessors) {
            return &cards[i];
        }
    }
    return NULL;
}

#define WARPS_UNIT 4  // registers are divided among four schedulers

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
