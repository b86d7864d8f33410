// Stand-in: on either device, a kernel needs no header for what CUDA declares here.
#ifndef TILEGRADE_STANDIN_MATH_FUNCTIONS_H
#define TILEGRADE_STANDIN_MATH_FUNCTIONS_H
#endif
