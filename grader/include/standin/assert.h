// Stand-in: the CPU device and NVRTC have assert without it.
#ifndef TILEGRADE_STANDIN_ASSERT_H
#define TILEGRADE_STANDIN_ASSERT_H
#endif
