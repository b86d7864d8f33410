// What a worker announced before its answer, seen from the judge: see emu/wire/announcement.h.
#ifndef DEVICE_CHANNEL_ANNOUNCED_H
#define DEVICE_CHANNEL_ANNOUNCED_H

#include "device/channel/protocol.h"
#include "emu/wire/announcement.h"

struct announced {
    uint32_t count;  // of messages
    bool in_config;
    bool in_share;
    struct findings alone;  // merged, not checked yet: their places depend on the answer's grid
};

// Adds a message of `bytes` bytes.  A late message of an earlier request, whose answer has been
// taken, is ignored.
//
// Returns  false if it is no announcement, or one more than an honest worker can send.
bool announced_add(struct announced *announced, const struct request *request,
                   const struct announcement *message, size_t bytes);

// Holds a well-formed answer to what was announced: findings that it lacks are added.
//
// Returns  false if the answer cannot be believed: it says that LAUNCH_CONFIG ended well although
//          it had a finding, or that several processes shared a launch that must run in one.
bool announced_settle(const struct announced *announced, const struct request *request,
                      struct answer *answer);

#endif
