// One launch in a file, for a worker that a debugger starts, and starts again, without a judge:
// struct recorded, and then the bytes of the memfd.  session_record writes it.
#ifndef DEVICE_CHANNEL_RECORDED_H
#define DEVICE_CHANNEL_RECORDED_H

#include "device/channel/protocol.h"

struct recorded {
    struct request setup, launch;
};

// In the worker: opens the channel with these requests in it, and then its end; nothing reads the
// answers.  Errors: STATUS_SYSTEM.
enum status recorded_open(const char *path, struct error *err);

#endif
