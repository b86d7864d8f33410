// Stand-in: memcpy and memset need no header, on both devices.
#ifndef TILEGRADE_STANDIN_STRING_H
#define TILEGRADE_STANDIN_STRING_H
#endif
