// What the race checker keeps of a block that waits while others run (machine/aside.h): everything
// about its shared memory, and how far it has come.
#ifndef EMU_CHECK_KEPT_H
#define EMU_CHECK_KEPT_H

#include "emu/check/race.h"

struct kept;

// The running block waits from now on.  The shadows of a cluster's blocks are side by side, and are
// not copied.
//
// Returns  NULL if there is no memory; then the block goes on running.
// Owns     the caller gives it to kept_back or kept_free, which accepts NULL.
struct kept *kept_new(struct race *race);
void kept_free(struct kept *kept);

// The block runs again.
void kept_back(struct kept *kept, struct race *race);

#endif
