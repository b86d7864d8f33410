// The part of the CUDA driver API and of NVRTC that this program uses, declared here so that it
// compiles without a CUDA toolkit.  Both are C interfaces that NVIDIA keeps stable; the names are
// those of its documentation.
//
// Source: CUDA Driver API reference manual, and NVRTC user guide, 11.2 to 13.0.
#ifndef DEVICE_GPU_CUDA_API_H
#define DEVICE_GPU_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

// --- Driver API ---------------------------------------------------------------------------

typedef int cuda_result;        // CUresult: an enumeration, 0 is success
typedef int cuda_device;        // CUdevice
typedef uint64_t cuda_address;  // CUdeviceptr on 64-bit systems
typedef struct cuda_context *cuda_context_handle;
typedef struct cuda_module *cuda_module_handle;
typedef struct cuda_function *cuda_function_handle;
typedef struct cuda_stream *cuda_stream_handle;
typedef struct cuda_event *cuda_event_handle;

struct cuda_uuid {
    unsigned char bytes[16];
};

// The results that the program distinguishes.
enum {
    CUDA_RESULT_SUCCESS = 0,
    CUDA_RESULT_INVALID_VALUE = 1,
    CUDA_RESULT_OUT_OF_MEMORY = 2,
    CUDA_RESULT_NOT_FOUND = 500,
    CUDA_RESULT_NOT_READY = 600,
    CUDA_RESULT_ILLEGAL_ADDRESS = 700,
    CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_RESULT_LAUNCH_TIMEOUT = 702,
    CUDA_RESULT_ASSERT = 710,
    CUDA_RESULT_HARDWARE_STACK_ERROR = 714,
    CUDA_RESULT_ILLEGAL_INSTRUCTION = 715,
    CUDA_RESULT_MISALIGNED_ADDRESS = 716,
    CUDA_RESULT_INVALID_ADDRESS_SPACE = 717,
    CUDA_RESULT_INVALID_PC = 718,
    CUDA_RESULT_LAUNCH_FAILED = 719,
    CUDA_RESULT_NOT_SUPPORTED = 801,
    CUDA_RESULT_INVALID_CLUSTER_SIZE = 912,
};

// CUdevice_attribute
enum {
    CUDA_DEVICE_CONSTANT_BYTES = 9,
    CUDA_DEVICE_CLOCK_KHZ = 13,
    CUDA_DEVICE_MULTIPROCESSORS = 16,
    CUDA_DEVICE_L2_BYTES = 38,
    CUDA_DEVICE_RESIDENT_THREADS = 39,  // of one SM
    CUDA_DEVICE_CAPABILITY_MAJOR = 75,
    CUDA_DEVICE_CAPABILITY_MINOR = 76,
    CUDA_DEVICE_SHARED_BYTES = 81,  // of one SM
    CUDA_DEVICE_REGISTERS = 82,     // of one SM
    CUDA_DEVICE_PAGEABLE_MEMORY_ACCESS = 88,
    CUDA_DEVICE_SHARED_OPTIN_BYTES = 97,  // of one block
};

// CUfunction_attribute
enum {
    CUDA_FUNCTION_THREADS_MAX = 0,
    CUDA_FUNCTION_SHARED_BYTES = 1,
    CUDA_FUNCTION_LOCAL_BYTES = 3,
    CUDA_FUNCTION_REGISTERS = 4,
    CUDA_FUNCTION_DYNAMIC_SHARED_MAX = 8,
};

// CUlimit
enum {
    CUDA_LIMIT_PRINTF_BYTES = 1,
    CUDA_LIMIT_HEAP_BYTES = 2,
};

#define CUDA_TENSOR_MAP_BYTES   128
#define CUDA_TENSOR_PROMOTE_256 3  // CUtensorMapL2promotion: 256 bytes

// The "extra" list of cuLaunchKernel: the parameters as one block of bytes of a stated size.
#define CUDA_LAUNCH_PARAMETERS_END   ((void *)0)
#define CUDA_LAUNCH_PARAMETER_BUFFER ((void *)1)
#define CUDA_LAUNCH_PARAMETER_BYTES  ((void *)2)

// CUlaunchConfig with a CUlaunchAttribute, whose value is a union of 64 bytes.
#define CUDA_LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION 6  // CUlaunchAttributeID

struct cuda_launch_attribute {
    int id;
    int reserved;
    int value[16];
};

struct cuda_launch_config {
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    cuda_stream_handle stream;
    const struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

// X(member, name in the library, parameters).  The driver has all of these since CUDA 11.
#define CUDA_FUNCTIONS(X)                                                                          \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(driver_version, "cuDriverGetVersion", (int *version))                                        \
    X(error_name, "cuGetErrorName", (cuda_result result, const char **text))                       \
    X(error_text, "cuGetErrorString", (cuda_result result, const char **text))                     \
    X(device_count, "cuDeviceGetCount", (int *count))                                              \
    X(device_get, "cuDeviceGet", (cuda_device * device, int ordinal))                              \
    X(device_name, "cuDeviceGetName", (char *name, int bytes, cuda_device device))                 \
    X(device_uuid, "cuDeviceGetUuid", (struct cuda_uuid * uuid, cuda_device device))               \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, cuda_device device))                  \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cuda_device device))   \
    X(context_retain, "cuDevicePrimaryCtxRetain",                                                  \
      (cuda_context_handle * context, cuda_device device))                                         \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (cuda_device device))                       \
    X(context_current, "cuCtxSetCurrent", (cuda_context_handle context))                           \
    X(context_limit, "cuCtxSetLimit", (int limit, size_t value))                                   \
    X(context_reset_l2, "cuCtxResetPersistingL2Cache", (void))                                     \
    X(module_load, "cuModuleLoadData", (cuda_module_handle * module, const void *image))           \
    X(module_unload, "cuModuleUnload", (cuda_module_handle module))                                \
    X(module_function, "cuModuleGetFunction",                                                      \
      (cuda_function_handle * function, cuda_module_handle module, const char *name))              \
    X(module_global, "cuModuleGetGlobal_v2",                                                       \
      (cuda_address * address, size_t * bytes, cuda_module_handle module, const char *name))       \
    X(function_attribute, "cuFuncGetAttribute",                                                    \
      (int *value, int attribute, cuda_function_handle function))                                  \
    X(function_attribute_set, "cuFuncSetAttribute",                                                \
      (cuda_function_handle function, int attribute, int value))                                   \
    X(memory_allocate, "cuMemAlloc_v2", (cuda_address * address, size_t bytes))                    \
    X(memory_free, "cuMemFree_v2", (cuda_address address))                                         \
    X(copy_to_device, "cuMemcpyHtoD_v2", (cuda_address to, const void *from, size_t bytes))        \
    X(copy_to_host, "cuMemcpyDtoH_v2", (void *to, cuda_address from, size_t bytes))                \
    X(set_words, "cuMemsetD32Async",                                                               \
      (cuda_address address, unsigned value, size_t words, cuda_stream_handle stream))             \
    X(event_create, "cuEventCreate", (cuda_event_handle * event, unsigned flags))                  \
    X(event_record, "cuEventRecord", (cuda_event_handle event, cuda_stream_handle stream))         \
    X(event_query, "cuEventQuery", (cuda_event_handle event))                                      \
    X(context_wait, "cuCtxSynchronize", (void))                                                    \
    X(event_elapsed, "cuEventElapsedTime",                                                         \
      (float *milliseconds, cuda_event_handle start, cuda_event_handle end))                       \
    X(launch, "cuLaunchKernel",                                                                    \
      (cuda_function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,           \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,                \
       cuda_stream_handle stream, void **parameters, void **extra))

// Newer than CUDA 11: NULL if the driver has none.
#define CUDA_OPTIONAL_FUNCTIONS(X)                                                                 \
    X(function_parameter, "cuFuncGetParamInfo",                                                    \
      (cuda_function_handle function, size_t index, size_t * offset, size_t * bytes))              \
    X(device_uuid_of_part, "cuDeviceGetUuid_v2", (struct cuda_uuid * uuid, cuda_device device))    \
    X(tensor_map_encode, "cuTensorMapEncodeTiled",                                                 \
      (void *map, int type, uint32_t rank, void *address, const uint64_t *size,                    \
       const uint64_t *stride, const uint32_t *box, const uint32_t *step, int interleave,          \
       int swizzle, int l2_promotion, int fill))                                                   \
    X(launch_with_attributes, "cuLaunchKernelEx",                                                  \
      (const struct cuda_launch_config *config, cuda_function_handle function, void **parameters,  \
       void **extra))                                                                              \
    X(host_lock, "cuMemHostRegister_v2", (void *memory, size_t bytes, unsigned flags))             \
    X(host_unlock, "cuMemHostUnregister", (void *memory))

#define CUDA_MEMBER(member, name, parameters) cuda_result(*member) parameters;
struct cuda_api {
    CUDA_FUNCTIONS(CUDA_MEMBER)
    CUDA_OPTIONAL_FUNCTIONS(CUDA_MEMBER)
};
#undef CUDA_MEMBER

// --- NVRTC --------------------------------------------------------------------------------

typedef int nvrtc_result;  // nvrtcResult
typedef struct nvrtc_program *nvrtc_program_handle;

enum {
    NVRTC_RESULT_SUCCESS = 0,
    NVRTC_RESULT_COMPILATION = 6,
};

#define NVRTC_FUNCTIONS(X)                                                                         \
    X(version, "nvrtcVersion", (int *major, int *minor))                                           \
    X(create, "nvrtcCreateProgram",                                                                \
      (nvrtc_program_handle * program, const char *source, const char *name, int header_count,     \
       const char *const *headers, const char *const *header_names))                               \
    X(destroy, "nvrtcDestroyProgram", (nvrtc_program_handle * program))                            \
    X(compile, "nvrtcCompileProgram",                                                              \
      (nvrtc_program_handle program, int option_count, const char *const *options))                \
    X(cubin_bytes, "nvrtcGetCUBINSize", (nvrtc_program_handle program, size_t * bytes))            \
    X(cubin, "nvrtcGetCUBIN", (nvrtc_program_handle program, char *cubin))                         \
    X(ptx_bytes, "nvrtcGetPTXSize", (nvrtc_program_handle program, size_t * bytes))                \
    X(ptx, "nvrtcGetPTX", (nvrtc_program_handle program, char *ptx))                               \
    X(log_bytes, "nvrtcGetProgramLogSize", (nvrtc_program_handle program, size_t * bytes))         \
    X(log, "nvrtcGetProgramLog", (nvrtc_program_handle program, char *log))

#define NVRTC_MEMBER(member, name, parameters) nvrtc_result(*member) parameters;
struct nvrtc_api {
    NVRTC_FUNCTIONS(NVRTC_MEMBER)
};
#undef NVRTC_MEMBER

#endif
