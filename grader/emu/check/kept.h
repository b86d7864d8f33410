// What the race checker keeps of a block that waits while others run (machine/aside.h): everything
// about its shared memory, and how far it has come.
#ifndef EMU_CHECK_KEPT_H
#define EMU_CHECK_KEPT_H

#include "emu/check/race.h"

struct race_saved;

// The running block waits from now on.  The shadows of a cluster's blocks are side by side, and are
// not copied.
//
// earlier  NULL, or what was kept of a block that runs again: its memory is used, or freed.
// Returns  NULL if there is no memory; then the block goes on running.
// Owns     the caller frees with race_saved_free, which accepts NULL.
struct race_saved *race_save(struct race *race, struct race_saved *earlier);
void race_saved_free(struct race_saved *kept);

// The block runs again.  What was kept is only memory from then on.
void race_restore(struct race_saved *kept, struct race *race);

#endif
