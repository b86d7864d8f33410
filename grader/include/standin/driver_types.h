// Stand-in: a kernel needs no header for this, on both devices.
#ifndef TILEGRADE_STANDIN_DRIVER_TYPES_H
#define TILEGRADE_STANDIN_DRIVER_TYPES_H
#endif
