// A finding leaves the worker at first sight: a kernel that can store into the worker's memory
// unseen can then no longer take it back.
//
// An announcement is a message of its own on the worker's channel, sent before the access that it
// is about happens.  It needs no answer.  The judge holds the answer to what was announced
// (device/channel/session.h).
#ifndef EMU_WIRE_ANNOUNCEMENT_H
#define EMU_WIRE_ANNOUNCEMENT_H

#include "emu/wire/finding.h"

#define ANNOUNCEMENT_MAGIC 0x5447414eu  // "TGAN"

// Which run of the blocks saw the finding.
enum announcement_run {
    ANNOUNCED_IN_CONFIG,  // LAUNCH_CONFIG: it must not be launched
    ANNOUNCED_IN_SHARE,   // one process of several: the launch must run again in one
    ANNOUNCED_ALONE,      // the finding stands
    ANNOUNCEMENT_RUN_COUNT
};

struct announcement {
    uint32_t magic;
    uint32_t run;    // enum announcement_run
    uint64_t nonce;  // of the request
    struct finding finding;
};

#endif
