// Stand-in: a kernel has all of this without the header, on both devices.
#ifndef TILEGRADE_STANDIN_CUDA_RUNTIME_H
#define TILEGRADE_STANDIN_CUDA_RUNTIME_H
#endif
