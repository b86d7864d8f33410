// Stand-in: a kernel needs no header for this, on both devices.
#ifndef TILEGRADE_STANDIN_DEVICE_ATOMIC_FUNCTIONS_H
#define TILEGRADE_STANDIN_DEVICE_ATOMIC_FUNCTIONS_H
#endif
