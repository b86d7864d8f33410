// Stand-in: the CPU device and NVRTC have assert without it.
