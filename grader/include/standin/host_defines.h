// Stand-in: a kernel needs no header for this, on both devices.
#ifndef TILEGRADE_STANDIN_HOST_DEFINES_H
#define TILEGRADE_STANDIN_HOST_DEFINES_H
#endif
