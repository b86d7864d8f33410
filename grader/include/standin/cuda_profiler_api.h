// Stand-in: on either device, a kernel needs no header for these declarations of CUDA.
