// Checker: a thread reads only bytes of __shared__ arrays that a thread of its block has written before.
#ifndef EMU_UNINIT_H
#define EMU_UNINIT_H

#include "emu/events.h"
#include "emu/findings.h"

struct uninit;

// Errors: STATUS_NO_MEMORY.
enum status uninit_new(struct uninit **ret_uninit, struct error *err);
void uninit_free(struct uninit *uninit);

// Begins a launch; shape and findings are borrowed until uninit_launch_end.  Errors: STATUS_NO_MEMORY.
enum status uninit_launch_begin(struct uninit *uninit, const struct launch_shape *shape, struct findings *findings,
                                struct error *err);
void uninit_block_begin(struct uninit *uninit, const struct block_place *place);

// One access; all but shared memory in bounds is ignored.  An atomic operation reads and then writes.
void uninit_access(struct uninit *uninit, const struct access *access);

void uninit_block_end(struct uninit *uninit);
void uninit_launch_end(struct uninit *uninit);

#endif
