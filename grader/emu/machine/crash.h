// Signal handlers and the timer.
#ifndef EMU_MACHINE_CRASH_H
#define EMU_MACHINE_CRASH_H

#include <stdint.h>

#include "base/error.h"

// Installs the handlers for crashes of a kernel and for the timer.  Errors: STATUS_SYSTEM.
enum status crash_install(struct error *err);
// A launch ends if it makes no step for cpu_ms of processor time; 0: it may take any time.
void crash_timer_start(uint64_t cpu_ms);
void crash_timer_stop(void);

#endif
