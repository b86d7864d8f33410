// Finds out by trying which layers this machine offers.
#ifndef SANDBOX_SANDBOX_PROBE_H
#define SANDBOX_SANDBOX_PROBE_H

#include "sandbox/sandbox.h"

// Sets each layer of *sandbox on, or off with the reason; `needed` is that of sandbox_open.
// Errors  STATUS_SYSTEM, STATUS_NO_MEMORY.  A layer that is not offered is none.
enum status sandbox_probe(struct sandbox *sandbox, const char *const *needed, struct error *err);

#endif
