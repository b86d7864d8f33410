// Stand-in: printf needs no header, on both devices.
#ifndef TILEGRADE_STANDIN_STDIO_H
#define TILEGRADE_STANDIN_STDIO_H
#endif
