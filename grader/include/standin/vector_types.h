// Stand-in: on either device, a kernel needs no header for what CUDA declares here.
#ifndef TILEGRADE_STANDIN_VECTOR_TYPES_H
#define TILEGRADE_STANDIN_VECTOR_TYPES_H
#endif
