// What a kernel on tensor cores takes at least, from its counted work.  Pure.
//
// No estimate is made of such a kernel: how well copies, multiplications and addresses overlap
// decides its time, and no count shows that.  But some times cannot overlap with themselves: an SM
// issues four instructions a clock, and a thread that sleeps does nothing else.
//
// All times are those of one SM of an H200, in microseconds, as if it ran all blocks of the launch.
#ifndef MEASURE_LEAST_H
#define MEASURE_LEAST_H

#include "emu/wire/counts.h"

struct least {
    double instructions_us;  // issuing those that neither load, store nor multiply
    double idle_us;          // sleeping, waiting for fences, asking mbarriers
    double starts_us;        // starting blocks
    double copies_us;        // starting bulk copies, one after the other
};

// shared_bytes: of a block, static and dynamic.
struct least least_of(const struct counts *counts, int shared_bytes);

// The multiplications on tensor cores, at the peak rate for factors of half.  At 2048 the course's
// references reach 0.32 to 0.57 of that rate.
double least_tensor_us(const struct counts *counts);

#endif
