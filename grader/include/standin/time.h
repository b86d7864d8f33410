// Stand-in: clock needs no header, on both devices.
#ifndef TILEGRADE_STANDIN_TIME_H
#define TILEGRADE_STANDIN_TIME_H
#endif
