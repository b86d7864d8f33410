// What g++ says where a limit of its box stopped a program that it had started, or where its memory
// ended: in the words of LC_ALL=C.
#ifndef DEVICE_BUILD_COMPILER_LIMITS_H
#define DEVICE_BUILD_COMPILER_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

// True where the compiler lives on to say that its own child used up its processor time.
bool compiler_time_ended(const char *messages);

// Where memory ended.  Numbers are 0 where the compiler says none.
struct compiler_memory {
    bool ended;
    uint64_t asked_bytes;  // at once, in vain
    uint64_t total_bytes;  // that it had by then
};
struct compiler_memory compiler_memory_read(const char *messages);

#endif
