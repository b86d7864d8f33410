// Where the loops of kernel.s begin, and where they lead back.
#ifndef DEVICE_ASSEMBLY_LOOPS_H
#define DEVICE_ASSEMBLY_LOOPS_H

#include "device/assembly/functions.h"
#include "device/assembly/labels.h"

struct loops {
    size_t *back;   // by line: 1 + the first line of the loop to which it leads back; 0: to none
    bool *reached;  // by line: from the start of a function
};

// Errors: STATUS_NO_MEMORY.  Owns: the caller ends *loops with loops_done, also if it fails.
enum status loops_open(const struct labels *labels, const struct functions *functions,
                       struct loops *loops, struct error *err);
void loops_done(struct loops *loops);

#endif
