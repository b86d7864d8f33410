// Stand-in: a kernel has all of this without the header, on both devices.
#ifndef TILEGRADE_STANDIN_VECTOR_TYPES_H
#define TILEGRADE_STANDIN_VECTOR_TYPES_H
#endif
