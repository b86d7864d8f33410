// The result of LAUNCH_CONFIG, made into launches that a device can run one after the other.
#ifndef DEVICE_CHANNEL_LAUNCH_CHECK_H
#define DEVICE_CHANNEL_LAUNCH_CHECK_H

#include "device/channel/protocol.h"
#include "emu/wire/launch_plan.h"

// Reads what a LAUNCH_CONFIG filled in: launch->grid and its neighbours, or the launches that it
// listed with LAUNCH.  The limits of each launch are launch_config_check's.
enum bad_launch launch_plan_make(const struct launch_config *config, struct launch_plan *ret_plan);

// Do the plan's tensor maps stay inside the arrays of this product?
enum bad_launch launch_plan_fits(const struct launch_plan *plan, const struct arguments *arguments);

// Does the CPU device know what a card copies with these maps?
enum bad_launch launch_plan_known(const struct launch_plan *plan);

// Puts launch `index` of the plan into the answer, and the extents of all others.
void launch_plan_tell(const struct launch_plan *plan, uint32_t index, struct answer *answer);

#endif
