// How many blocks of a kernel fit on an SM together, and what limits their number.  Pure.
#ifndef MEASURE_OCCUPANCY_H
#define MEASURE_OCCUPANCY_H

#include "measure/devices.h"

enum occupancy_limit {
    OCCUPANCY_THREADS,
    OCCUPANCY_BLOCKS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_LIMIT_COUNT
};
const char *occupancy_limit_name(enum occupancy_limit limit);  // "threads", "blocks", …

// The resources of a block.
struct occupancy_need {
    int threads;
    int registers;     // of one thread; 0: not known, and taken as no limit
    int shared_bytes;  // static and dynamic together
};

struct occupancy {
    int blocks;                  // on one multiprocessor; 0: not even one block fits
    int warps;                   // of those
    double share;                // of the warps that the multiprocessor could hold
    enum occupancy_limit limit;  // the first that allows no more
};

// Source  CUDA C++ Best Practices Guide, "Occupancy"; the rounding is that of NVIDIA's occupancy
//         calculator.
struct occupancy occupancy_of(const struct multiprocessor *multiprocessor,
                              const struct occupancy_need *need);

#endif
