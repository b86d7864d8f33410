// Draws the order of blocks and threads, and the sample.  A block that is drawn twice makes the
// sample smaller.
#include "emu/memory/block_order.h"

#include "base/random.h"
#include "emu/wire/launch_plan.h"

static uint64_t common_factor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Mixes the bits of a number.  Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number
// Generators (OOPSLA 2014), the finalizer of SplitMix64.
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct turn turn_of(uint64_t order, uint64_t count) {
    if (order == ORDER_FORWARD || order == ORDER_NEWEST || count == 1) {
        return (struct turn){.start = 0, .step = 1};
    }
    if (order == ORDER_REVERSE) {
        return (struct turn){.start = count - 1, .step = count - 1};
    }
    uint64_t step = 1 + mix(order) % (count - 1);
    while (common_factor(count, step) != 1) {
        step = step % (count - 1) + 1;
    }
    return (struct turn){.start = mix(order + count) % count, .step = step};
}

bool order_is_drawn(uint64_t order) {
    return order != ORDER_FORWARD && order != ORDER_REVERSE;
}

#define RUN_BLOCKS 64

bool order_pauses(uint64_t order, uint64_t number, uint32_t place) {
    switch (order == ORDER_NEWEST ? 0 : mix(order ^ (number / RUN_BLOCKS)) % 4) {
    case 0:
        return true;
    case 1:
        return number % RUN_BLOCKS >= RUN_BLOCKS / 2;
    case 2:
        return mix(order + place + number) & 1;
    default:
        return (mix(order + place) ^ number) & 1;
    }
}

uint32_t order_resumes(uint64_t order, uint64_t resumed, uint32_t count) {
    uint64_t drawn = mix(mix(order) + resumed);
    if (order == ORDER_NEWEST || drawn % 3 == 1) {
        return count - 1;
    }
    return drawn % 3 == 0 ? 0 : (uint32_t)(drawn / 3 % count);
}

#define SAMPLE_SHARE 16  // one in this many of all blocks
#define SAMPLE_MIN   4

struct sample sample_of(uint64_t draw, const uint32_t grid[3]) {
    const struct random_key key = {{draw, 0}};
    uint64_t plane = (uint64_t)grid[0] * grid[1];
    uint64_t blocks = plane * grid[2];
    uint64_t wanted = blocks / SAMPLE_SHARE;
    uint64_t z = random_at(key, 0) % grid[2];
    struct sample sample = {.count = SAMPLE_MIN};
    sample.block[0] = 0;
    sample.block[1] = blocks - 1;
    sample.block[2] = z * plane + random_at(key, 1) % grid[1] * grid[0] + grid[0] - 1;
    sample.block[3] = (z + 1) * plane - grid[0] + random_at(key, 2) % grid[0];
    while (sample.count < wanted && sample.count < SAMPLE_MAX) {
        sample.block[sample.count] = random_at(key, sample.count) % blocks;
        sample.count++;
    }
    return sample;
}

struct sample part_of(uint64_t draw, const uint32_t grid[3], uint32_t wanted) {
    struct sample drawn = sample_of(draw, grid);
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    const struct random_key key = {{draw, 1}};
    struct sample part = {.count = 0};
    if (wanted >= blocks) {
        return part;  // all of them
    }
    drawn.block[0] = random_at(key, 0) % blocks;
    for (uint32_t i = 0; i < SAMPLE_MAX && part.count < wanted; i++) {
        // The last block, a drawn one, and the edges.
        uint64_t block = i == 0   ? blocks - 1
                         : i == 1 ? drawn.block[0]
                         : i < 4  ? drawn.block[i]
                                  : random_at(key, i) % blocks;
        if (part.count == 0 || !sample_holds(&part, block)) {
            part.block[part.count++] = block;
        }
    }
    return part;
}

bool sample_holds(const struct sample *sample, uint64_t block) {
    for (uint32_t i = 0; i < sample->count; i++) {
        if (sample->block[i] == block) {
            return true;
        }
    }
    return sample->count == 0;
}
