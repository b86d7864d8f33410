// Signals and the clock.
#ifndef EMU_MACHINE_CRASH_H
#define EMU_MACHINE_CRASH_H

#include <stdint.h>

#include "base/error.h"

// Handles crashes of a kernel, and the timer.  Errors: STATUS_SYSTEM.
enum status crash_install(struct error *err);
void crash_timer_start(uint64_t cpu_ms);
void crash_timer_stop(void);

#endif
