// Draws blocks; one that is drawn twice makes the sample smaller.
#include "emu/check/sample.h"

#include "base/random.h"

#define SAMPLE_SHARE 16  // of all blocks, one in so many
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

bool sample_holds(const struct sample *sample, uint64_t block) {
    for (uint32_t i = 0; i < sample->count; i++) {
        if (sample->block[i] == block) {
            return true;
        }
    }
    return sample->count == 0;
}
