// Tells the compiler's own trouble from a student's error.
#ifndef DEVICE_BUILD_COMPILER_TROUBLE_H
#define DEVICE_BUILD_COMPILER_TROUBLE_H

#include "base/error.h"
#include "device/build/compiler_message.h"

// Looks at one message of a compilation that failed.
//
// Returns  STATUS_OK: the message speaks of the student's file, or of nothing that is known here.
// Errors   STATUS_UNAVAILABLE: a part of the compiler is missing.  STATUS_SYSTEM: this machine
// could
//          not do it: a full disk, no memory, no descriptors, a killed process.
enum status compiler_trouble(const struct compiler_message *message, struct error *err);

#endif
