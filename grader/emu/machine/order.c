// Draws the order of blocks and threads.
#include "emu/machine/order.h"

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
    if (order == ORDER_FORWARD || count == 1) {
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

bool order_pauses(uint64_t order, uint64_t number, uint32_t place) {
    return (mix(order + place) ^ number) & 1;
}
