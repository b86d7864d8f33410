// Stand-in: the CPU device and NVRTC provide assert without a header.
