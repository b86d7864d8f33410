// The rules of one warp instruction, without memory of any other.
#include "emu/count_rules.h"

#include <stdbool.h>

uint32_t count_sectors(const uint32_t address[WARP_LANES], uint32_t mask) {
    uint32_t sector[WARP_LANES];
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (!(mask >> lane & 1)) {
            continue;
        }
        uint32_t mine = address[lane] / SECTOR_BYTES;
        uint32_t i = count;  // neighbours mostly share a sector: look from the end
        while (i > 0 && sector[i - 1] != mine) {
            i--;
        }
        if (i == 0) {
            sector[count++] = mine;
        }
    }
    return count;
}

// Distinct words seen, by bank.
struct banks {
    uint32_t count[BANK_COUNT];
    uint32_t word[BANK_COUNT][2 * WARP_LANES];
};

static void banks_add(struct banks *banks, uint32_t word) {
    uint32_t bank = word % BANK_COUNT;
    for (uint32_t i = 0; i < banks->count[bank]; i++) {
        if (banks->word[bank][i] == word) {
            return;
        }
    }
    banks->word[bank][banks->count[bank]++] = word;
}

// Passes of lanes that go together: the most distinct words in one bank.
static uint32_t passes(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask) {
    struct banks banks = {.count = {0}};
    uint32_t most = 0;

    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t done = 0; (mask >> lane & 1) && done < bytes; done += BANK_BYTES) {
            banks_add(&banks, (address[lane] + done) / BANK_BYTES);
        }
    }
    for (uint32_t bank = 0; bank < BANK_COUNT; bank++) {
        most = banks.count[bank] > most ? banks.count[bank] : most;
    }
    return most;
}

// True where each lane in mask has the address of lane ^ step, or that one is inactive.
static bool lanes_pair(const uint32_t address[WARP_LANES], uint32_t mask, uint32_t step) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t other = lane ^ step;
        if ((mask >> lane & 1) && (mask >> other & 1) && address[lane] != address[other]) {
            return false;
        }
    }
    return true;
}

uint32_t count_wavefronts(const uint32_t address[WARP_LANES], uint32_t bytes, uint32_t mask,
                          uint32_t *ret_ideal) {
    uint32_t domain = bytes == 16 ? WARP_LANES / 2 : WARP_LANES;  // lanes that may merge
    uint32_t group = bytes <= 4 ? WARP_LANES : domain / 2;        // lanes that go together anyway
    uint32_t wavefronts = 0;
    uint32_t ideal = 0;

    for (uint32_t start = 0; start < WARP_LANES; start += domain) {
        uint32_t lanes = mask & (uint32_t)((((uint64_t)1 << domain) - 1) << start);
        bool merged = lanes_pair(address, lanes, 1) || lanes_pair(address, lanes, 2);
        uint32_t step = merged ? domain : group;
        for (uint32_t at = start; at < start + domain; at += step) {
            uint32_t part = mask & (uint32_t)((((uint64_t)1 << step) - 1) << at);
            if (part) {
                wavefronts += passes(address, bytes, part);
                ideal++;
            }
        }
    }
    *ret_ideal = ideal;
    return wavefronts;
}
