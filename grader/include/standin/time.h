// Stand-in: clock is there without the header, on both devices.
#ifndef TILEGRADE_STANDIN_TIME_H
#define TILEGRADE_STANDIN_TIME_H
#endif
