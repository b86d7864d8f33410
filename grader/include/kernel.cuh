// A kernel file contains one kernel, with the parameters that its exercise declares, and below it
// the launch configuration, which gets the sizes.  (For several kernels and a workspace, see
// LAUNCH.)
//
//     #include "kernel.cuh"
//
//     __global__ void reduction(const float *x, float *y, int N)
//     {
//         ...
//     }
//
//     LAUNCH_CONFIG(reduction, N)
//     {
//         launch->block = dim3(256);
//         launch->grid = dim3(ceil_div(N, 256));
//     }
//
// Arrays have no padding.  Output arrays hold no useful value on entry.
#ifndef KERNEL_CUH
#define KERNEL_CUH

#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__) && !defined(__CUDA__)
#error this file is compiled by the grader, by nvcc, or read by an editor set up with .clangd
#endif

#include <math.h>  // INFINITY, as nvcc has it in every file
#ifdef KERNEL_USES_STDINT
#include <stdint.h>
#endif
#ifdef KERNEL_USES_HALF
#include <cuda_fp16.h>
#endif
#ifdef KERNEL_USES_BF16
#include <cuda_bf16.h>
#endif

#define LAUNCHES_MAX    4   // uses of LAUNCH for one product
#define KERNEL_NAME_MAX 48  // bytes of a kernel's name in LAUNCH, with the final NUL
#define TENSOR_MAPS_MAX 16  // tensor maps for one product

#define WORKSPACE_BYTES_MAX (128u << 20)  // two matrices of 4096 x 4096 floats

// One launch of a file with several kernels; LAUNCH fills it in.
struct launch_step {
    dim3 grid, block;
    unsigned long long shared_bytes;
    unsigned long long address;
    char kernel[KERNEL_NAME_MAX];
    unsigned int dependent;  // 1: LAUNCH_DEPENDENT
    unsigned int reserved;
};

// Numbers are those of CUtensorMapDataType.
enum tensor_type { TENSOR_FP16 = 6, TENSOR_FP32 = 7, TENSOR_BF16 = 9 };

#define TENSOR_WORKSPACE 1000u  // in place of a parameter's number

// The contents of a tensor map; launch_tensor fills them in for a matrix.
struct tensor_layout {
    unsigned int parameter;        // of the kernel, from 0, or TENSOR_WORKSPACE: the array
    unsigned int type;             // enum tensor_type, or another one of the driver's
    unsigned int rank;             // dimensions, 1 to 5; 0: there is no such map
    unsigned int swizzle;          // bytes: 0, 32, 64 or 128
    unsigned long long offset;     // bytes from the start of the array
    unsigned long long size[5];    // elements, the contiguous dimension first
    unsigned long long stride[4];  // bytes from one element to the next, from the second dimension
    unsigned int box[5];           // elements that a copy takes
    unsigned int reserved;
};

// The numbers of blocks and threads.  At the start of LAUNCH_CONFIG y and z are 1, as in any dim3,
// and everything else is 0.
struct launch_config {
    dim3 grid;                        // blocks in x, y, z
    dim3 block;                       // threads of a block in x, y, z
    unsigned long long shared_bytes;  // size of `extern __shared__` memory; 0 if there is none
    // Only for files with several kernels; see LAUNCH.
    unsigned long long workspace_bytes;  // memory that passes data from one launch to the next
    unsigned int launch_count;
    unsigned int reserved;
    struct launch_step launch[LAUNCHES_MAX];
    // Only for kernels with tensor maps; see launch_tensor.
    struct tensor_layout tensor[TENSOR_MAPS_MAX];
};

// The number of parts of size `part` that cover `whole`: ceil_div(33, 16) is 3.
__host__ __device__ constexpr inline int ceil_div(int whole, int part)
{
    return (whole + part - 1) / part;
}

// Opens the function that fills in *launch; it gets the sizes in the order of the exercise.  It
// runs on the device, as one thread, so it may use everything that a kernel may use.
#ifndef LAUNCH_CONFIG
#define CONFIG_SIZES_1(a)               [[maybe_unused]] int a
#define CONFIG_SIZES_2(a, ...)          CONFIG_SIZES_1(a), CONFIG_SIZES_1(__VA_ARGS__)
#define CONFIG_SIZES_3(a, ...)          CONFIG_SIZES_1(a), CONFIG_SIZES_2(__VA_ARGS__)
#define CONFIG_SIZES_4(a, ...)          CONFIG_SIZES_1(a), CONFIG_SIZES_3(__VA_ARGS__)
#define CONFIG_SIZES(a, b, c, d, n, ...) CONFIG_SIZES_##n
#define LAUNCH_CONFIG(kernel, ...)                                                                 \
    extern "C" __global__ void kernel##_launch_config(                                             \
        [[maybe_unused]] struct launch_config *launch,                                             \
        CONFIG_SIZES(__VA_ARGS__, 4, 3, 2, 1, 0)(__VA_ARGS__))
#endif

// The description of an array for cp.async.bulk.tensor: CUtensorMap of the CUDA driver.  See
// launch_tensor.
struct alignas(64) tensor_map {
#ifdef __TILEGRADE_EMU__
    tensor_map(const tensor_map &) = delete;
#endif
    unsigned char bytes[128];
};
struct tensor_maps {
#ifdef __TILEGRADE_EMU__  // so that all threads get one address, as on a GPU
    tensor_maps(const tensor_maps &) = delete;
#endif
    struct tensor_map at[TENSOR_MAPS_MAX];
};

// Every kernel that is launched has the parameters of the exercise, and one more if it uses the
// workspace, and after that one more if it uses tensor maps.
#ifdef KERNEL_PARAMETERS
typedef void launched_kernel(KERNEL_PARAMETERS);
typedef void launched_kernel_with_workspace(KERNEL_PARAMETERS, float *workspace);

template <typename kernel> constexpr bool is_launched_kernel = false;
template <> constexpr bool is_launched_kernel<launched_kernel *> = true;
template <> constexpr bool is_launched_kernel<launched_kernel_with_workspace *> = true;
typedef void launched_kernel_with_tensor_maps(KERNEL_PARAMETERS, float *workspace,
                                              tensor_maps maps);
template <> constexpr bool is_launched_kernel<launched_kernel_with_tensor_maps *> = true;
#else
template <typename kernel> constexpr bool is_launched_kernel = true;  // for an editor
#endif

__host__ __device__ constexpr inline bool is_plain_name(const char *name)
{
    for (; *name != '\0'; name++) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (!letter && !(*name >= '0' && *name <= '9') && *name != '_') {
            return false;
        }
    }
    return true;
}

// Called by LAUNCH and LAUNCH_DEPENDENT.
__device__ inline void launch_add(struct launch_config *launch, const char *kernel,
                                  unsigned long long address, unsigned int dependent, dim3 grid,
                                  dim3 block, unsigned long long shared_bytes = 0)
{
    unsigned int number = launch->launch_count++;
    if (number >= LAUNCHES_MAX) {
        return;  // the grader reports it
    }
    struct launch_step *step = &launch->launch[number];
    step->grid = grid;
    step->block = block;
    step->shared_bytes = shared_bytes;
    step->address = address;
    step->dependent = dependent;
    for (int i = 0; i < KERNEL_NAME_MAX - 1 && kernel[i] != '\0'; i++) {
        step->kernel[i] = kernel[i];
    }
}

// LAUNCH(kernel, grid, block) or LAUNCH(kernel, grid, block, shared_bytes), in LAUNCH_CONFIG: adds
// a launch of another kernel of the file.  The launches of a product run one after the other; all
// get the same workspace.  A file that uses LAUNCH for some sizes fills in launch->grid and
// launch->block for the other sizes, which launch the exercise's own kernel.
//
//     LAUNCH_CONFIG(matmul_mine, M, N, K)
//     {
//         if (K < 1024) {
//             launch->block = dim3(16, 16);  // matmul_mine, as usual
//             launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
//             return;
//         }
//         launch->workspace_bytes = sizeof(float) * PARTS * M * N;
//         LAUNCH(sum_parts, dim3(ceil_div(N, 16), ceil_div(M, 16), PARTS), dim3(16, 16));
//         LAUNCH(add_parts, dim3(ceil_div(M * N, 256)), dim3(256));
//     }
//
// The workspace has at most WORKSPACE_BYTES_MAX bytes and holds no useful value on entry.  Each
// product must write it before reading it.
#ifdef __TILEGRADE_EMU__
#define LAUNCH_ADDRESS(kernel) ((unsigned long long)&::kernel)
#else
#define LAUNCH_ADDRESS(kernel) 0ull  // a GPU finds the kernel by its name
#endif
#ifndef LAUNCHED_KERNEL_TEXT
#define LAUNCHED_KERNEL_TEXT                                                                       \
    "a kernel for LAUNCH has the parameters of the exercise's own kernel, and then float "         \
    "*workspace if it uses it (and then tensor_maps maps)"
#endif
#define LAUNCH(kernel, ...) LAUNCH_OF(kernel, 0, __VA_ARGS__)

// LAUNCH_DEPENDENT(kernel, grid, block[, shared_bytes]): as LAUNCH, but this launch may begin
// before the previous one has ended (programmatic dependent launch), as soon as each block of the
// previous one has ended or called ptx::griddepcontrol_launch_dependents().  Before it uses memory
// that an earlier launch stores to, and before it stores to memory that an earlier launch uses, it
// must call ptx::griddepcontrol_wait() (ptx.cuh).  The first launch of a product behaves as with
// LAUNCH, and so does every launch on a GPU older than Hopper (compute capability 9.0).
//
//     LAUNCH(pad_rows, dim3(blocks), dim3(256));
//     LAUNCH_DEPENDENT(multiply, tiles, dim3(256));
#define LAUNCH_DEPENDENT(kernel, ...) LAUNCH_OF(kernel, 1, __VA_ARGS__)

// A macro as the kernel's name has been replaced here.
#define LAUNCH_OF(kernel, dependent, ...)                                                          \
    do {                                                                                           \
        static_assert(is_plain_name(#kernel) && sizeof #kernel <= KERNEL_NAME_MAX,                 \
                      "LAUNCH takes the plain name of a kernel, shorter than 48 letters");         \
        static_assert(is_launched_kernel<decltype(&::kernel)>,                                     \
                      LAUNCHED_KERNEL_TEXT);                                                       \
        launch_add(launch, #kernel, LAUNCH_ADDRESS(kernel), dependent, __VA_ARGS__);               \
    } while (0)

// In LAUNCH_CONFIG: describes a matrix to bulk tensor copies (ptx.cuh).  They need a Hopper GPU, a
// newer GPU, or the CPU device.  A kernel for LAUNCH gets all maps as its last parameter, after the
// workspace:
//
//     __global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
//                              float *workspace, const __grid_constant__ tensor_maps maps)
//
//     launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 128, 32);  // maps.at[0]: A, 128 x 32
//
// map        number in `maps`, 0 to TENSOR_MAPS_MAX - 1
// parameter  the array's number among the kernel's parameters, from 0, or TENSOR_WORKSPACE
// height, width, pitch      rows, columns, and elements from one row to the next
// box_height, box_width     what one copy takes; outside of the matrix it finds zeros
// swizzle    bytes: 0, 32, 64 or 128; a row of the box is no longer than that, and takes as many
//            bytes of shared memory even if it is shorter
// offset     bytes from the start of the array to the matrix
//
// Rows of the matrix are a multiple of 16 bytes apart, and the offset is a multiple of 16.  (The
// column at which a copy starts must also be a multiple of 16 bytes.)
__device__ inline void launch_tensor(struct launch_config *launch, unsigned int map,
                                     unsigned int parameter, enum tensor_type type, int height,
                                     int width, int pitch, int box_height, int box_width,
                                     unsigned int swizzle = 128, unsigned long long offset = 0)
{
    if (map >= TENSOR_MAPS_MAX) {
        return;
    }
    struct tensor_layout *tensor = &launch->tensor[map];
    tensor->parameter = parameter;
    tensor->type = type;
    tensor->rank = 2;
    tensor->swizzle = swizzle;
    tensor->offset = offset;
    tensor->size[0] = width;
    tensor->size[1] = height;
    tensor->stride[0] = (unsigned long long)pitch * (type == TENSOR_FP32 ? 4 : 2);
    tensor->box[0] = box_width;
    tensor->box[1] = box_height;
}

// The grader defines the name and the parameters of the kernel; an editor does not.
#if defined(KERNEL) && defined(KERNEL_PARAMETERS)
#ifdef KERNEL_USES_WORKSPACE
#define KERNEL_TAKES KERNEL_PARAMETERS, float *workspace
#else
#define KERNEL_TAKES KERNEL_PARAMETERS
#endif
#ifdef __TILEGRADE_EMU__  // without __global__, so that a kernel that lacks it is found
extern "C" void KERNEL(KERNEL_TAKES);
#else
extern "C" __global__ void KERNEL(KERNEL_TAKES);
#endif
#ifdef KERNEL_SIZES  // so that a configuration with wrong sizes is found
#define KERNEL_CONFIG_OF(kernel) kernel##_launch_config
#define KERNEL_CONFIG(kernel)    KERNEL_CONFIG_OF(kernel)
extern "C" __global__ void KERNEL_CONFIG(KERNEL)(struct launch_config *, KERNEL_SIZES);
#endif
#endif

#endif
