// Distinguishes the compiler's own failures, and the limits of its box, from a student's error by
// the words that g++ uses under LC_ALL=C.
#ifndef DEVICE_COMPILE_COMPILER_TROUBLE_H
#define DEVICE_COMPILE_COMPILER_TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/compile/compiler_messages.h"

// Examines one message of a failed compilation.
//
// Returns  STATUS_OK: the message is about the student's file, or is not known here.
// Errors   STATUS_UNAVAILABLE: a part of the compiler is missing.
//          STATUS_SYSTEM: this machine could not do it: a full disk, no memory, no descriptors, a
//          killed process.
enum status compiler_trouble(const struct compiler_message *message, struct error *err);

// True if the compiler was able to report that its own child used up its processor time.
bool compiler_time_ended(const char *messages);

// Whether memory ended.  Numbers are 0 if the compiler gives none.
struct compiler_memory {
    bool ended;
    uint64_t asked_bytes;  // in one request, which failed
    uint64_t total_bytes;  // that the compiler had by then
};
struct compiler_memory compiler_memory_read(const char *messages);

#endif
