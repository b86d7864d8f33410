// Stand-in: on either device, a kernel needs no header for what CUDA declares here.
