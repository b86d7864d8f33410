// The rules for one warp instruction, independent of all others.
#include "emu/count/count_rules.h"

#include <stdbool.h>
#include <string.h>

#define WIDE_BYTES    16
#define QUARTER_LANES 8u
#define QUARTER_MASK  0xffu

uint32_t count_sectors(const uint32_t address[WARP_LANES], uint32_t mask) {
    uint32_t sector[WARP_LANES];
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        uint32_t mine = address[lane] / SECTOR_BYTES;
        uint32_t i = count;  // neighbours mostly share a sector: search from the end
        while (i > 0 && sector[i - 1] != mine) {
            i--;
        }
        if (i == 0) {
            sector[count++] = mine;
        }
    }
    return count;
}

uint32_t count_copy_sectors(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask) {
    uint32_t sectors = 0;
    if (bytes < WIDE_BYTES) {
        return count_sectors(address, mask);
    }
    for (uint32_t first = 0; first < WARP_LANES; first += QUARTER_LANES) {
        sectors += count_sectors(address, mask & QUARTER_MASK << first);
    }
    return sectors;
}

uint32_t count_atomic_sectors(const uint32_t address[WARP_LANES], uint32_t mask) {
    uint32_t count = 0;
    uint32_t done = 0;  // lanes whose sector has been counted
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t most = 0;
        if (!(mask >> lane & 1) || (done >> lane & 1)) {
            continue;
        }
        for (uint32_t i = lane; i < WARP_LANES; i++) {
            uint32_t same = 0;
            if (!(mask >> i & 1) || address[i] / SECTOR_BYTES != address[lane] / SECTOR_BYTES) {
                continue;
            }
            done |= 1u << i;
            for (uint32_t j = lane; j < WARP_LANES; j++) {
                same += (mask >> j & 1) && address[j] == address[i];
            }
            most = same > most ? same : most;
        }
        count += most;
    }
    return count;
}

// The words seen, by bank.
struct banks {
    uint32_t count[BANK_COUNT];
    uint32_t word[BANK_COUNT][4 * WARP_LANES];
};

static void banks_add(struct banks *banks, uint32_t word, bool distinct) {
    uint32_t bank = word % BANK_COUNT;
    for (uint32_t i = 0; distinct && i < banks->count[bank]; i++) {
        if (banks->word[bank][i] == word) {
            return;
        }
    }
    banks->word[bank][banks->count[bank]++] = word;
}

// Passes of lanes that are served together: the most words in one bank; with `distinct`, each word
// counts once.
static uint32_t passes(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                       bool distinct) {
    struct banks banks;
    uint32_t most = 0;

    memset(banks.count, 0, sizeof banks.count);

    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t done = 0; (mask >> lane & 1) && done < bytes; done += BANK_BYTES) {
            banks_add(&banks, (address[lane] + done) / BANK_BYTES, distinct);
        }
    }
    for (uint32_t bank = 0; bank < BANK_COUNT; bank++) {
        most = banks.count[bank] > most ? banks.count[bank] : most;
    }
    return most;
}

// True if each lane in mask has the same address as lane ^ step, or that lane is inactive.
static bool lanes_pair(const uint32_t address[WARP_LANES], uint32_t mask, uint32_t step) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t other = lane ^ step;
        if ((mask >> lane & 1) && (mask >> other & 1) && address[lane] != address[other]) {
            return false;
        }
    }
    return true;
}

// The lanes first, first + 1, …, first + count - 1.
static uint32_t lanes_from(uint32_t first, uint32_t count) {
    return (uint32_t)((((uint64_t)1 << count) - 1) << first);
}

uint32_t count_ideal(uint32_t mask, uint32_t bytes, uint32_t unit_bytes, uint32_t units) {
    uint32_t asked = (uint32_t)__builtin_popcount(mask) * bytes;
    uint32_t least = (asked + unit_bytes - 1) / unit_bytes;
    return least < units ? least : units;
}

// `group` lanes of a load are always served together; `domain` lanes are if their addresses pair.
uint32_t count_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                          uint32_t *ret_ideal) {
    uint32_t domain = bytes == 16 ? WARP_LANES / 2 : WARP_LANES;
    uint32_t group = bytes <= 4 ? WARP_LANES : domain / 2;
    uint32_t wavefronts = 0;

    for (uint32_t start = 0; start < WARP_LANES; start += domain) {
        uint32_t lanes = mask & lanes_from(start, domain);
        bool merged = lanes_pair(address, lanes, 1) || lanes_pair(address, lanes, 2);
        uint32_t step = merged ? domain : group;
        for (uint32_t at = start; at < start + domain; at += step) {
            wavefronts += passes(address, bytes, mask & lanes_from(at, step), true);
        }
    }
    *ret_ideal = count_ideal(mask, bytes, WAVEFRONT_BYTES, wavefronts);
    return wavefronts;
}

uint32_t count_store_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                uint32_t *ret_ideal) {
    uint32_t step = bytes <= 4 ? WARP_LANES : WARP_LANES * BANK_BYTES / bytes;
    uint32_t wavefronts = 0;
    for (uint32_t at = 0; at < WARP_LANES; at += step) {
        wavefronts += passes(address, bytes, mask & lanes_from(at, step), true);
    }
    *ret_ideal = count_ideal(mask, bytes, WAVEFRONT_BYTES, wavefronts);
    return wavefronts;
}

uint32_t count_atomic_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                                 uint32_t *ret_ideal) {
    uint32_t wavefronts = passes(address, bytes, mask, false);
    *ret_ideal = count_ideal(mask, bytes, WAVEFRONT_BYTES, wavefronts);
    return wavefronts;
}
