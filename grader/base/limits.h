// The limits that several files rely on, each with its unit and its reason.  A limit that only one
// file uses is at the top of that file.
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#define ERROR_TEXT_MAX     2048         // bytes of a message, with the final NUL
#define PATH_BYTES_MAX     4096         // bytes of a path, with the final NUL (PATH_MAX of Linux)
#define NAME_BYTES_MAX     64           // bytes of an exercise name, with the final NUL
#define FILE_BYTES_MAX     (16 << 20)   // the largest file that is read whole, in bytes
#define SOURCE_BYTES_MAX   (256 << 10)  // the largest kernel file of a submission, in bytes
#define BUILD_TEXT_MAX     (64 << 20)   // the largest output of a compiler, in bytes
#define SIZE_DIMENSION_MAX 16384        // the largest M, N or K; three fp32 matrices are 3 GiB
#define SIZE_OF_OTHER_MAX                                                                          \
    (1 << 28)  // the largest size of other kernels: sums of some sizes must fit an int
#define OUTPUT_SHOWN_MAX    2048         // bytes shown of what a kernel printed, with the final NUL
#define OUTPUT_LINES_MAX    20           // lines shown of what a kernel printed
#define FINDINGS_MAX        32           // findings kept of one launch; one per kind and line pair
#define SHARED_ARRAYS_MAX   64           // __shared__ arrays of one kernel file
#define ARRAY_NAME_MAX      48           // bytes of a __shared__ array's name, with the final NUL
#define ARRAY_RANK_MAX      4            // dimensions of a __shared__ array that are known
#define EXERCISES_MAX       64           // exercises of a course
#define CASES_MAX           144          // cases of one exercise
#define THREADS_MAX         1024         // threads of a block (CUDA C++ guide, specifications)
#define REGISTERS_MAX       255          // registers of a thread (CUDA C++ guide)
#define REGISTERS_OF_SM     65536        // registers of an SM (CUDA C++ guide)
#define WARP_LANES          32           // lanes of a warp
#define PLAN_LAUNCHES_MAX   4            // launches of one product; also defined in matmul.cuh
#define MEMORY_ARRAYS_MAX   512          // arrays of a program that are in device memory
#define ARGUMENTS_MAX       12           // parameters of a kernel, and its constant arrays
#define KERNEL_NAME_MAX     48           // bytes of a LAUNCH name with its NUL; also in matmul.cuh
#define LAUNCH_SHARES_MAX   16           // processes that share the blocks of a launch
#define BLOCKS_WAITING_MAX  160          // blocks that wait for others while those run …
#define BLOCKS_TOGETHER_MAX 1056         // … and in a cooperative launch: 8 on each SM of an H100
#define CONSTANT_BYTES_MAX  (64 << 10)   // __constant__ memory (CUDA C++ guide, specifications)
#define SHARED_BYTES_MAX    (48 << 10)   // static shared memory of a block (CUDA C++ guide)
#define SHARED_OPTIN_MAX    (227 << 10)  // static plus dynamic: largest of any GPU (capability 9.0)
#define SHARED_ROOM_BYTES   (256 << 10)  // reserved for dynamic arrays on the CPU
#define FIBER_STACK_BYTES   65536u       // local memory of a thread; float[8192] and printf fit
#define PRINTF_BYTES_MAX    (1 << 20)    // printed in one launch; more is output_limit
#define DIAGNOSTICS_MAX     (64 << 10)   // bytes kept of a compiler's messages

#endif
