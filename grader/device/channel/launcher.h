// The device as the worker sees it: one interface, two implementations (device/emu/emu_launcher.c,
// device/gpu/gpu_launcher.c), one of them linked into each worker program; and the handling of
// LAUNCH_CONFIG's result in both.
#ifndef DEVICE_CHANNEL_LAUNCHER_H
#define DEVICE_CHANNEL_LAUNCHER_H

#include "device/channel/protocol.h"
#include "emu/wire/launch_plan.h"

struct launcher;

// Opens the device.  arguments: for gpu, the path of the cubin, the kernel's name and the device
// number; for emu none, as the kernel is linked in.  Errors: STATUS_UNAVAILABLE, STATUS_SYSTEM,
// STATUS_NO_MEMORY: failures of ours.
enum status launcher_open(int argument_count, char *const *arguments,
                          struct launcher **ret_launcher, struct error *err);
void launcher_close(struct launcher *launcher);

// Does one request.  The matrices are read from and written to matrices_fd by pread and pwrite.  A
// kernel that fails is an answer, not an error; an error becomes RUN_TROUBLE in the worker.
enum status launcher_run(struct launcher *launcher, const struct request *request, int matrices_fd,
                         struct answer *ret_answer, struct error *err);

// Reads the result of a LAUNCH_CONFIG: launch->grid and its neighbours, or the launches that it
// listed with LAUNCH.  launch_config_check checks the limits of each launch.
enum bad_launch launch_plan_make(const struct launch_config *config, struct launch_plan *ret_plan);

// Do the plan's tensor maps stay inside the arrays of this product?
enum bad_launch launch_plan_fits(const struct launch_plan *plan, const struct arguments *arguments);

// Does the CPU device know what a GPU copies with these maps?
enum bad_launch launch_plan_known(const struct launch_plan *plan);

// Puts launch `index` of the plan into the answer, and the extents of all others.
void launch_plan_tell(const struct launch_plan *plan, uint32_t index, struct answer *answer);

#endif
