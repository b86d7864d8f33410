// CUDA's runtime for the host code of a program: the functions of emu/host/, by CUDA's names, and
// what a launch becomes (device/source/program_text.c).
//
// A call is a call of the runtime itself, without a wrapper, so that its place is the student's
// line.  Source of names, numbers and defaults: CUDA Runtime API, version 12.
#ifndef EMU_SHIM_PROGRAM_RUNTIME_H
#define EMU_SHIM_PROGRAM_RUNTIME_H

#include "program_errors.h"

#define CUDART_VERSION 12000
// Headers of programs ask by these names whether CUDA's own are included.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define CUDART_CB
#define CUDARTAPI

#define TILEGRADE_ERROR(name, number, text) name = number,
enum cudaError { CUDA_ERRORS(TILEGRADE_ERROR) };
#undef TILEGRADE_ERROR
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamLegacy    ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

#define cudaStreamDefault              0x00u
#define cudaStreamNonBlocking          0x01u
#define cudaEventDefault               0x00u
#define cudaEventBlockingSync          0x01u
#define cudaEventDisableTiming         0x02u
#define cudaEventInterprocess          0x04u
#define cudaHostAllocDefault           0x00u
#define cudaHostAllocPortable          0x01u
#define cudaHostAllocMapped            0x02u
#define cudaHostAllocWriteCombined     0x04u
#define cudaHostRegisterDefault        0x00u
#define cudaHostRegisterPortable       0x01u
#define cudaHostRegisterMapped         0x02u
#define cudaMemAttachGlobal            0x01u
#define cudaMemAttachHost              0x02u
#define cudaMemAttachSingle            0x04u
#define cudaDeviceScheduleAuto         0x00u
#define cudaDeviceScheduleSpin         0x01u
#define cudaDeviceScheduleYield        0x02u
#define cudaDeviceScheduleBlockingSync 0x04u
#define cudaDeviceBlockingSync         0x04u
#define cudaDeviceMapHost              0x08u
#define cudaCpuDeviceId                (-1)
#define cudaInvalidDeviceId            (-2)
#define cudaOccupancyDefault           0x00u

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMemoryPoolsSupported = 115
};

enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported,
    cudaDevP2PAttrNativeAtomicSupported,
    cudaDevP2PAttrCudaArrayAccessSupported
};
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};

// The fields that programs print or compute with.
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, sharedMemPerMultiprocessor,
        sharedMemPerBlockOptin, textureAlignment;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate,
        major, minor, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, regsPerMultiprocessor,
        managedMemory, isMultiGpuBoard, pageableMemoryAccess, concurrentManagedAccess,
        cooperativeLaunch, maxBlocksPerMultiProcessor, deviceOverlap, maxTexture1D, maxTexture2D[2],
        maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3], surfaceAlignment,
        computePreemptionSupported, cooperativeMultiDeviceLaunch;
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

// --- What a pointer points to

// Where an allocation stores the pointer, with the size of an element; a type of their own lets any
// pointer be passed without a template of the function itself.
struct tilegrade_result {
    void **at;
    size_t element_bytes;
    template <class T>
    EMU_PLAIN tilegrade_result(T **pointer) : at((void **)pointer), element_bytes(sizeof(T)) {
    }
    EMU_PLAIN tilegrade_result(void **pointer) : at(pointer), element_bytes(0) {
    }
};
// A variable of the device.
struct tilegrade_symbol {
    const void *at;
    size_t bytes;
    template <class T>
    EMU_PLAIN tilegrade_symbol(const T &variable) : at(&variable), bytes(sizeof variable) {
    }
};
// A kernel, as a pointer of any type.
struct tilegrade_function {
    const void *at;
    template <class T> EMU_PLAIN tilegrade_function(T *function) : at((const void *)function) {
    }
};

// --- Functions

#define CUDA(type, name, ...) extern type cuda##name(__VA_ARGS__) EMU_NAME(cuda##name);
CUDA(cudaError_t, Malloc, tilegrade_result pointer, size_t bytes)
CUDA(cudaError_t, MallocManaged, tilegrade_result pointer, size_t bytes, unsigned flags = 1)
CUDA(cudaError_t, MallocHost, tilegrade_result pointer, size_t bytes, unsigned flags = 0)
CUDA(cudaError_t, HostAlloc, tilegrade_result pointer, size_t bytes, unsigned flags)
CUDA(cudaError_t, MallocAsync, tilegrade_result pointer, size_t bytes, cudaStream_t stream)
CUDA(cudaError_t, MallocPitch, tilegrade_result pointer, size_t *pitch, size_t width, size_t height)
CUDA(cudaError_t, Free, void *pointer)
CUDA(cudaError_t, FreeHost, void *pointer)
CUDA(cudaError_t, FreeAsync, void *pointer, cudaStream_t stream)
CUDA(cudaError_t, HostRegister, void *pointer, size_t bytes, unsigned flags)
CUDA(cudaError_t, HostUnregister, void *pointer)
CUDA(cudaError_t, HostGetDevicePointer, tilegrade_result device, void *host, unsigned flags)
CUDA(cudaError_t, Memcpy, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
CUDA(cudaError_t, MemcpyAsync, void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
     cudaStream_t stream = 0)
CUDA(cudaError_t, MemcpyPeer, void *to, int to_device, const void *from, int from_device,
     size_t bytes)
CUDA(cudaError_t, MemcpyPeerAsync, void *to, int to_device, const void *from, int from_device,
     size_t bytes, cudaStream_t stream = 0)
CUDA(cudaError_t, Memcpy2D, void *to, size_t to_pitch, const void *from, size_t from_pitch,
     size_t width, size_t height, cudaMemcpyKind kind)
CUDA(cudaError_t, Memcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch,
     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0)
CUDA(cudaError_t, Memset, void *pointer, int value, size_t bytes)
CUDA(cudaError_t, MemsetAsync, void *pointer, int value, size_t bytes, cudaStream_t stream = 0)
CUDA(cudaError_t, Memset2D, void *pointer, size_t pitch, int value, size_t width, size_t height)
CUDA(cudaError_t, MemcpyToSymbol, tilegrade_symbol symbol, const void *from, size_t bytes,
     size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
CUDA(cudaError_t, MemcpyFromSymbol, void *to, tilegrade_symbol symbol, size_t bytes,
     size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
CUDA(cudaError_t, MemcpyToSymbolAsync, tilegrade_symbol symbol, const void *from, size_t bytes,
     size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
CUDA(cudaError_t, MemcpyFromSymbolAsync, void *to, tilegrade_symbol symbol, size_t bytes,
     size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
CUDA(cudaError_t, GetSymbolAddress, tilegrade_result pointer, tilegrade_symbol symbol)
CUDA(cudaError_t, GetSymbolSize, size_t *bytes, tilegrade_symbol symbol)
CUDA(cudaError_t, MemGetInfo, size_t *free_bytes, size_t *total_bytes)
CUDA(cudaError_t, MemPrefetchAsync, const void *pointer, size_t bytes, int device,
     cudaStream_t stream = 0)
CUDA(cudaError_t, MemAdvise, const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
// As CUDA 13 has them.
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                               cudaMemLocation where, unsigned,
                                               cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(pointer, bytes, where.id, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation where) {
    return cudaMemAdvise(pointer, bytes, advice, where.id);
}
CUDA(cudaError_t, PointerGetAttributes, cudaPointerAttributes *attributes, const void *pointer)

CUDA(cudaError_t, DeviceSynchronize, void)
CUDA(cudaError_t, ThreadSynchronize, void)
CUDA(cudaError_t, DeviceReset, void)
CUDA(cudaError_t, GetDevice, int *device)
CUDA(cudaError_t, SetDevice, int device)
CUDA(cudaError_t, GetDeviceCount, int *count)
CUDA(cudaError_t, GetDeviceProperties, cudaDeviceProp *properties, int device)
CUDA(cudaError_t, DeviceGetAttribute, int *value, cudaDeviceAttr attribute, int device)
CUDA(cudaError_t, DriverGetVersion, int *version)
CUDA(cudaError_t, RuntimeGetVersion, int *version)
CUDA(cudaError_t, DeviceGetP2PAttribute, int *value, cudaDeviceP2PAttr attribute, int device,
     int peer)
CUDA(cudaError_t, DeviceCanAccessPeer, int *can, int device, int peer)
CUDA(cudaError_t, DeviceEnablePeerAccess, int peer, unsigned flags)
CUDA(cudaError_t, DeviceDisablePeerAccess, int peer)
CUDA(cudaError_t, DeviceSetLimit, cudaLimit limit, size_t value)
CUDA(cudaError_t, DeviceGetLimit, size_t *value, cudaLimit limit)
CUDA(cudaError_t, DeviceSetCacheConfig, cudaFuncCache config)
CUDA(cudaError_t, DeviceSetSharedMemConfig, cudaSharedMemConfig config)
CUDA(cudaError_t, SetDeviceFlags, unsigned flags)
CUDA(cudaError_t, DeviceGetStreamPriorityRange, int *least, int *greatest)
CUDA(cudaError_t, ProfilerStart, void)
CUDA(cudaError_t, ProfilerStop, void)

CUDA(cudaError_t, StreamCreate, cudaStream_t *stream)
CUDA(cudaError_t, StreamCreateWithFlags, cudaStream_t *stream, unsigned flags)
CUDA(cudaError_t, StreamCreateWithPriority, cudaStream_t *stream, unsigned flags, int priority)
CUDA(cudaError_t, StreamDestroy, cudaStream_t stream)
CUDA(cudaError_t, StreamSynchronize, cudaStream_t stream)
CUDA(cudaError_t, StreamQuery, cudaStream_t stream)
CUDA(cudaError_t, StreamWaitEvent, cudaStream_t stream, cudaEvent_t event, unsigned flags = 0)
CUDA(cudaError_t, LaunchHostFunc, cudaStream_t stream, void (*function)(void *), void *data)
CUDA(cudaError_t, StreamAddCallback, cudaStream_t stream,
     void (*function)(cudaStream_t, cudaError_t, void *), void *data, unsigned flags)
CUDA(cudaError_t, EventCreate, cudaEvent_t *event, unsigned flags = 0)
CUDA(cudaError_t, EventCreateWithFlags, cudaEvent_t *event, unsigned flags)
CUDA(cudaError_t, EventDestroy, cudaEvent_t event)
CUDA(cudaError_t, EventRecord, cudaEvent_t event, cudaStream_t stream = 0)
CUDA(cudaError_t, EventSynchronize, cudaEvent_t event)
CUDA(cudaError_t, EventQuery, cudaEvent_t event)
CUDA(cudaError_t, EventElapsedTime, float *ms, cudaEvent_t start, cudaEvent_t end)

CUDA(cudaError_t, GetLastError, void)
CUDA(cudaError_t, PeekAtLastError, void)
CUDA(const char *, GetErrorName, cudaError_t error)
CUDA(const char *, GetErrorString, cudaError_t error)

CUDA(cudaError_t, FuncSetAttribute, tilegrade_function function, cudaFuncAttribute attribute,
     int value)
CUDA(cudaError_t, FuncSetCacheConfig, tilegrade_function function, cudaFuncCache config)
CUDA(cudaError_t, FuncSetSharedMemConfig, tilegrade_function function, cudaSharedMemConfig config)
CUDA(cudaError_t, FuncGetAttributes, cudaFuncAttributes *attributes, tilegrade_function function)
CUDA(cudaError_t, OccupancyMaxActiveBlocksPerMultiprocessor, int *blocks,
     tilegrade_function function, int threads, size_t shared_bytes)
#undef CUDA

// The largest number of threads that fill an SM best; `shared` gives the bytes for a block's size.
template <class T, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function,
                                                           F shared, int limit = 0) {
    int sms = 0, most = 0;
    cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    for (int threads = limit > 0 && limit < 1024 ? (limit + 31) / 32 * 32 : 1024;
         threads > 0 && error == cudaSuccess; threads -= 32) {
        const int used = limit > 0 && threads > limit ? limit : threads;
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, used,
                                                              (size_t)shared(used));
        if (blocks * used > most) {
            most = blocks * used;
            *block = used;
            *grid = blocks * sms;
        }
    }
    return error;
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared = 0,
                                               int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, function, [shared](int) { return shared; }, limit);
}
template <class T, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block,
                                                                    T function, F shared,
                                                                    int limit = 0, unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, shared, limit);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T, int blocks, int) {
    int room = 0;
    cudaError_t error =
        cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    *bytes = (size_t)room / (blocks > 0 ? blocks : 1) - 1024;  // 1 KiB is the system's
    return error;
}

// --- Graphs, which only a GPU can run: declared, so that mistakes in a call are found first

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel,
    cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph,
    cudaGraphNodeTypeEmpty
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    void (*fn)(void *);
    void *userData;
};
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    int reserved0[3];
    cudaKernelNodeParams kernel;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
};
#define GRAPH(name, ...)                                                                           \
    extern cudaError_t cuda##name(__VA_ARGS__)                                                     \
        __attribute__((error("tilegrade_needs_gpu_CUDA_graphs")));
GRAPH(StreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
GRAPH(StreamEndCapture, cudaStream_t, cudaGraph_t *)
GRAPH(GraphCreate, cudaGraph_t *, unsigned)
GRAPH(GraphDestroy, cudaGraph_t)
GRAPH(GraphInstantiate, cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0)
GRAPH(GraphInstantiate, cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t)
GRAPH(GraphLaunch, cudaGraphExec_t, cudaStream_t)
GRAPH(GraphExecDestroy, cudaGraphExec_t)
GRAPH(GraphAddNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
      cudaGraphNodeParams *)
GRAPH(GraphAddKernelNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
      const cudaKernelNodeParams *)
GRAPH(GraphAddMemsetNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
      const cudaMemsetParams *)
GRAPH(GraphAddHostNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
      const cudaHostNodeParams *)
GRAPH(GraphAddMemcpyNode1D, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *,
      const void *, size_t, cudaMemcpyKind)
GRAPH(GraphAddMemcpyNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
      const struct cudaMemcpy3DParms *)
#undef GRAPH

// --- Launches

namespace tilegrade {

struct config {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    int cooperative;
    EMU_PLAIN config(dim3 grid_, dim3 block_, size_t shared_bytes_ = 0, cudaStream_t stream_ = 0,
                     bool cooperative_ = false)
        : grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_),
          cooperative(cooperative_) {
    }
};

// Runs `run(values)` in each thread; the values are copied first, as a GPU does.  `function`: the
// kernel, if it is known.  `place`: the address after the launch in the program.
cudaError_t run(const config *config, const void *function, void (*run)(const void *),
                const void *values, size_t bytes, void *place) EMU_NAME(host_launch);

template <size_t I, class T> struct value { T at; };
template <class F, class I, class... P> struct values;
template <class F, size_t... I, class... P>
struct values<F, std::index_sequence<I...>, P...> : value<I, P>... {
    F function;
    values(F function_, P... parameter) : value<I, P>{parameter}..., function(function_) {
    }
    static void run(const void *from) {
        const values *all = static_cast<const values *>(from);
        all->function(static_cast<const value<I, P> *>(all)->at...);
    }
};

#define TILEGRADE_RUN(F, known)                                                                    \
    typedef values<F, std::index_sequence_for<P...>, P...> all;                                    \
    const all stored(function, parameter...);                                                      \
    run(&shape, (known), all::run, &stored, sizeof stored, __builtin_return_address(0));

template <class... P> struct launcher {
    config shape;
    void (*function)(P...);
    __attribute__((noinline)) void operator()(P... parameter) const {
        TILEGRADE_RUN(void (*)(P...), (const void *)function)
    }
};
template <class F> struct any_launcher {
    config shape;
    F function;
    template <class... P> __attribute__((noinline)) void operator()(P... parameter) const {
        TILEGRADE_RUN(F, nullptr)
    }
};
#undef TILEGRADE_RUN

template <class... P> EMU_PLAIN launcher<P...> launch(const config &shape, void (*function)(P...)) {
    return launcher<P...>{shape, function};
}
template <class F> EMU_PLAIN any_launcher<F> launch_any(const config &shape, F function) {
    return any_launcher<F>{shape, function};
}

// cudaLaunchKernel gets pointers to the arguments.
template <class... P, size_t... I>
EMU_PLAIN cudaError_t launch_pointers(const config &shape, void (*function)(P...), void **at,
                                      std::index_sequence<I...>, void *place) {
    typedef values<void (*)(P...), std::index_sequence_for<P...>, P...> all;
    const all stored(function, *static_cast<typename std::remove_const<P>::type *>(at[I])...);
    return run(&shape, (const void *)function, all::run, &stored, sizeof stored, place);
}

}  // namespace tilegrade

struct cudaLaunchAttribute {
    int id;
    struct {
        struct {
            unsigned x, y, z;
        } clusterDim;
        int cooperative, programmaticStreamSerializationAllowed, priority;
    } val;
};
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

template <class... P, class... A>
__attribute__((noinline)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                         void (*function)(P...), A &&...argument) {
    typedef tilegrade::values<void (*)(P...), std::index_sequence_for<P...>, P...> all;
    const all stored(function, static_cast<P>(argument)...);
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute &attribute = config->attrs[i];
        cooperative |= attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative;
    }
    const tilegrade::config shape(config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                  config->stream, cooperative);
    return tilegrade::run(&shape, (const void *)function, all::run, &stored, sizeof stored,
                          __builtin_return_address(0));
}

template <class... P>
__attribute__((noinline)) cudaError_t
cudaLaunchCooperativeKernel(void (*function)(P...), dim3 grid, dim3 block, void **at,
                            size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return tilegrade::launch_pointers(tilegrade::config(grid, block, shared_bytes, stream, true),
                                      function, at, std::index_sequence_for<P...>(),
                                      __builtin_return_address(0));
}

template <class... P>
__attribute__((noinline)) cudaError_t
cudaLaunchKernel(void (*function)(P...), dim3 grid, dim3 block, void **at, size_t shared_bytes = 0,
                 cudaStream_t stream = 0) {
    return tilegrade::launch_pointers(tilegrade::config(grid, block, shared_bytes, stream),
                                      function, at, std::index_sequence_for<P...>(),
                                      __builtin_return_address(0));
}

#endif
