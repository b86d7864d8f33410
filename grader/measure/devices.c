// The table of cards: see devices.h.  A figure that NVIDIA does not publish is derived by one rule,
// and the rule is said here.
//
// L2 bandwidth: 5120 bytes a clock of the A100 is from its architecture paper, and is taken for
// H100 and H200, for which none is published; the others have 128 bytes a clock for each 32 bits of
// their memory bus (two slices of 64 bytes a channel).
#include "measure/devices.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"

#define KIB 1024

// Of every capability here.
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
