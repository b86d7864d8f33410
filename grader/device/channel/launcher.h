// The device as the worker sees it: one interface, two implementations (device/emu/launcher.c,
// device/gpu/launcher.c), one of which is linked into each worker program.
#ifndef DEVICE_CHANNEL_LAUNCHER_H
#define DEVICE_CHANNEL_LAUNCHER_H

#include "device/channel/protocol.h"

struct launcher;

// Opens the device.  arguments: for gpu, the path of the cubin, the kernel's name and the device
// number; for emu none, as the kernel is linked in. Errors: STATUS_UNAVAILABLE, STATUS_SYSTEM,
// STATUS_NO_MEMORY: trouble of ours.
enum status launcher_open(int argument_count, char *const *arguments,
                          struct launcher **ret_launcher, struct error *err);
void launcher_close(struct launcher *launcher);

// Does one request.  The matrices are read from and written to matrices_fd by pread and pwrite.  A
// kernel that fails is an answer, not an error; an error becomes RUN_TROUBLE in the worker.
enum status launcher_run(struct launcher *launcher, const struct request *request, int matrices_fd,
                         struct answer *ret_answer, struct error *err);

#endif
