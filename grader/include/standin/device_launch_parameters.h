// Stand-in: a kernel has all of this without the header, on both devices.
#ifndef TILEGRADE_STANDIN_DEVICE_LAUNCH_PARAMETERS_H
#define TILEGRADE_STANDIN_DEVICE_LAUNCH_PARAMETERS_H
#endif
