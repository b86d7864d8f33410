// The device as a program asks about it: its number, its properties, its limits; and functions of
// the runtime that have nothing to do here.
#include "emu/host/host.h"

#include <stdio.h>
#include <string.h>

#include "base/basics.h"

// The numbers of an H100 SXM.  Source: CUDA C++ Programming Guide, "Compute Capabilities", 9.0.
#define CARD_SMS           132
#define CARD_BLOCKS_OF_SM  32
#define CARD_THREADS_OF_SM 2048
#define CARD_SHARED_OF_SM  (228u << 10)
#define CARD_CLOCK_KHZ     1980000
#define CARD_MEMORY_KHZ    2619000
#define CARD_BUS_BITS      5120
#define CARD_L2_BYTES      (50 << 20)
#define CARD_BYTES         (16ull << 30)
#define RUNTIME_VERSION    12000

struct device_properties {
    char name[256];
    uint64_t global_bytes, shared_of_block, constant_bytes, pitch, shared_of_sm, shared_optin,
        texture_alignment;
    int registers_of_block, warp_lanes, threads_of_block, block[3], grid[3], clock_khz, major,
        minor, sms, has_timeout, is_integrated, maps_host, compute_mode, concurrent_kernels, ecc,
        pci_bus, pci_device, pci_domain, tcc, copy_engines, unified, memory_khz, bus_bits, l2_bytes,
        threads_of_sm, stream_priorities, registers_of_sm, managed, is_multi, pageable,
        concurrent_managed, cooperative, blocks_of_sm, overlaps, texture_1d, texture_2d[2],
        texture_3d[3], layered_1d[2], layered_2d[3], surface_alignment, preempts, cooperative_multi;
};

static const struct device_properties properties = {
    .name = "tilegrade CPU device, with the limits of an H100",
    .global_bytes = CARD_BYTES,
    .shared_of_block = SHARED_BYTES_MAX,
    .constant_bytes = CONSTANT_BYTES_MAX,
    .pitch = 0x7fffffff,
    .shared_of_sm = CARD_SHARED_OF_SM,
    .shared_optin = SHARED_OPTIN_MAX,
    .texture_alignment = 512,
    .registers_of_block = REGISTERS_OF_SM,
    .warp_lanes = WARP_LANES,
    .threads_of_block = THREADS_MAX,
    .block = {1024, 1024, 64},
    .grid = {0x7fffffff, 65535, 65535},
    .clock_khz = CARD_CLOCK_KHZ,
    .major = 9,
    .sms = CARD_SMS,
    .maps_host = 1,
    .concurrent_kernels = 1,
    .ecc = 1,
    .copy_engines = 3,
    .unified = 1,
    .memory_khz = CARD_MEMORY_KHZ,
    .bus_bits = CARD_BUS_BITS,
    .l2_bytes = CARD_L2_BYTES,
    .threads_of_sm = CARD_THREADS_OF_SM,
    .stream_priorities = 1,
    .registers_of_sm = REGISTERS_OF_SM,
    .managed = 1,
    .concurrent_managed = 1,
    .cooperative = 1,
    .blocks_of_sm = CARD_BLOCKS_OF_SM,
    .overlaps = 1,
    .texture_1d = 131072,
    .texture_2d = {131072, 65536},
    .texture_3d = {16384, 16384, 16384},
    .layered_1d = {32768, 2048},
    .layered_2d = {32768, 32768, 2048},
    .surface_alignment = 512,
    .preempts = 1,
};

// X(number of cudaDeviceAttr, value)
#define ATTRIBUTES(X)                                                                              \
    X(1, properties.threads_of_block)                                                              \
    X(2, properties.block[0])                                                                      \
    X(3, properties.block[1])                                                                      \
    X(4, properties.block[2])                                                                      \
    X(5, properties.grid[0])                                                                       \
    X(6, properties.grid[1])                                                                       \
    X(7, properties.grid[2])                                                                       \
    X(8, (int)properties.shared_of_block)                                                          \
    X(9, (int)properties.constant_bytes)                                                           \
    X(10, properties.warp_lanes)                                                                   \
    X(12, properties.registers_of_block)                                                           \
    X(13, properties.clock_khz)                                                                    \
    X(14, (int)properties.texture_alignment)                                                       \
    X(15, properties.overlaps)                                                                     \
    X(17, properties.has_timeout)                                                                  \
    X(20, properties.compute_mode)                                                                 \
    X(32, properties.ecc)                                                                          \
    X(40, properties.copy_engines)                                                                 \
    X(78, properties.stream_priorities)                                                            \
    X(86, 0)                                                                                       \
    X(87, 2)                                                                                       \
    X(88, properties.pageable)                                                                     \
    X(90, 1)                                                                                       \
    X(16, properties.sms)                                                                          \
    X(18, properties.is_integrated)                                                                \
    X(19, properties.maps_host)                                                                    \
    X(31, properties.concurrent_kernels)                                                           \
    X(36, properties.memory_khz)                                                                   \
    X(37, properties.bus_bits)                                                                     \
    X(38, properties.l2_bytes)                                                                     \
    X(39, properties.threads_of_sm)                                                                \
    X(41, properties.unified)                                                                      \
    X(75, properties.major)                                                                        \
    X(76, properties.minor)                                                                        \
    X(81, (int)properties.shared_of_sm)                                                            \
    X(82, properties.registers_of_sm)                                                              \
    X(83, properties.managed)                                                                      \
    X(89, properties.concurrent_managed)                                                           \
    X(95, properties.cooperative)                                                                  \
    X(97, (int)properties.shared_optin)                                                            \
    X(106, properties.blocks_of_sm)                                                                \
    X(115, 1)

static struct { uint64_t limit[8]; } chosen;

uint32_t emu_cudaDeviceSynchronize(void);
uint32_t emu_cudaThreadSynchronize(void);
uint32_t emu_cudaDeviceReset(void);
uint32_t emu_cudaGetDevice(int *device);
uint32_t emu_cudaSetDevice(int device);
uint32_t emu_cudaGetDeviceCount(int *count);
uint32_t emu_cudaGetDeviceProperties(struct device_properties *ret_properties, int device);
uint32_t emu_cudaDeviceGetAttribute(int *value, uint32_t attribute, int device);
uint32_t emu_cudaDriverGetVersion(int *version);
uint32_t emu_cudaRuntimeGetVersion(int *version);
uint32_t emu_cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
uint32_t emu_cudaDeviceSetLimit(uint32_t limit, uint64_t value);
uint32_t emu_cudaDeviceGetLimit(uint64_t *value, uint32_t limit);
const char *emu_cudaGetErrorName(uint32_t error);
const char *emu_cudaGetErrorString(uint32_t error);

uint32_t emu_cudaDeviceSynchronize(void) {
    host_order_wait_device(host_state.device);
    return host_state.sticky ? host_failed(host_state.sticky) : cudaSuccess;
}

uint32_t emu_cudaThreadSynchronize(void) {
    return emu_cudaDeviceSynchronize();
}

uint32_t emu_cudaDeviceReset(void) {
    host_order_wait_device(host_state.device);
    return host_state.sticky;
}

uint32_t emu_cudaGetDevice(int *device) {
    *device = (int)host_state.device;
    return cudaSuccess;
}

bool host_device_exists(int device) {
    return device >= 0 && (uint32_t)device < host_state.devices;
}

uint32_t emu_cudaSetDevice(int device) {
    if (!host_device_exists(device)) {
        return host_fail(cudaErrorInvalidDevice, CALLED_AT);
    }
    host_variables_switch(host_state.device, (uint32_t)device);
    host_state.device = (uint32_t)device;
    return cudaSuccess;
}

uint32_t emu_cudaGetDeviceCount(int *count) {
    *count = (int)host_state.devices;
    return cudaSuccess;
}

uint32_t emu_cudaGetDeviceProperties(struct device_properties *ret_properties, int device) {
    if (!host_device_exists(device)) {
        return host_fail(cudaErrorInvalidDevice, CALLED_AT);
    }
    *ret_properties = properties;
    return cudaSuccess;
}

uint32_t emu_cudaDeviceGetAttribute(int *value, uint32_t attribute, int device) {
    const struct {
        uint32_t number;
        int value;
    } rows[] = {
#define ATTRIBUTE_ROW(number, value) {number, value},
        ATTRIBUTES(ATTRIBUTE_ROW)
#undef ATTRIBUTE_ROW
    };
    for (size_t i = 0; i < COUNT(rows) && host_device_exists(device); i++) {
        if (rows[i].number == attribute) {
            *value = rows[i].value;
            return cudaSuccess;
        }
    }
    return host_fail(host_device_exists(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice,
                     CALLED_AT);
}

uint32_t emu_cudaDriverGetVersion(int *version) {
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

uint32_t emu_cudaRuntimeGetVersion(int *version) {
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

uint32_t emu_cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

uint32_t emu_cudaDeviceSetLimit(uint32_t limit, uint64_t value) {
    if (limit < COUNT(chosen.limit)) {
        chosen.limit[limit] = value;
    }
    return cudaSuccess;
}

uint32_t emu_cudaDeviceGetLimit(uint64_t *value, uint32_t limit) {
    *value = limit < COUNT(chosen.limit) ? chosen.limit[limit] : 0;
    return cudaSuccess;
}

const char *emu_cudaGetErrorName(uint32_t error) {
    switch (error) {
#define NAME_CASE(name, number, text)                                                              \
    case (number):                                                                                 \
        return #name;
        CUDA_ERRORS(NAME_CASE)
#undef NAME_CASE
    default:
        return "unrecognized error code";
    }
}

const char *emu_cudaGetErrorString(uint32_t error) {
    switch (error) {
#define TEXT_CASE(name, number, text)                                                              \
    case (number):                                                                                 \
        return text;
        CUDA_ERRORS(TEXT_CASE)
#undef TEXT_CASE
    default:
        return "unrecognized error code";
    }
}

// --- Occupancy -----------------------------------------------------------------------------------

struct function_attributes {
    uint64_t shared_bytes, constant_bytes, local_bytes;
    int threads_max, registers, ptx_version, binary_version, cache_mode, dynamic_max, carveout;
};

uint32_t emu_cudaFuncGetAttributes(struct function_attributes *attributes, const void *function);
uint32_t emu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                           int threads, uint64_t shared_bytes);

// A kernel's registers are not known here.
uint32_t emu_cudaFuncGetAttributes(struct function_attributes *attributes, const void *function) {
    (void)function;
    *attributes = (struct function_attributes){.threads_max = THREADS_MAX,
                                               .registers = 32,
                                               .ptx_version = 90,
                                               .binary_version = 90,
                                               .dynamic_max = (int)host_state.dynamic_max,
                                               .carveout = -1};
    return cudaSuccess;
}

uint64_t host_blocks_together(uint64_t threads, uint64_t shared_bytes) {
    const uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    uint64_t most = CARD_THREADS_OF_SM / (warps * WARP_LANES);
    const uint64_t room = CARD_SHARED_OF_SM / (shared_bytes + 1024);  // 1 KiB is the system's
    most = most < CARD_BLOCKS_OF_SM ? most : CARD_BLOCKS_OF_SM;
    return CARD_SMS * (room < most ? room : most);
}

uint32_t emu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                           int threads, uint64_t shared_bytes) {
    (void)function;
    if (!blocks || threads < 1 || threads > THREADS_MAX) {
        return host_fail(cudaErrorInvalidValue, CALLED_AT);
    }
    *blocks = shared_bytes > host_state.dynamic_max
                  ? 0
                  : (int)(host_blocks_together((uint64_t)threads, shared_bytes) / CARD_SMS);
    return cudaSuccess;
}

// --- Nothing to do here --------------------------------------------------------------------------

#define NOTHING(name, ...)                                                                         \
    uint32_t emu_##name(__VA_ARGS__);                                                              \
    uint32_t emu_##name(__VA_ARGS__) {                                                             \
        return host_state.sticky;                                                                  \
    }
NOTHING(cudaSetDeviceFlags, uint32_t flags __attribute__((unused)))
NOTHING(cudaDeviceSetCacheConfig, uint32_t config __attribute__((unused)))
NOTHING(cudaDeviceSetSharedMemConfig, uint32_t config __attribute__((unused)))
NOTHING(cudaFuncSetCacheConfig, const void *function __attribute__((unused)),
        uint32_t config __attribute__((unused)))
NOTHING(cudaFuncSetSharedMemConfig, const void *function __attribute__((unused)),
        uint32_t config __attribute__((unused)))
NOTHING(cudaHostRegister, void *pointer __attribute__((unused)),
        uint64_t bytes __attribute__((unused)), uint32_t flags __attribute__((unused)))
NOTHING(cudaHostUnregister, void *pointer __attribute__((unused)))
NOTHING(cudaMemPrefetchAsync, const void *pointer __attribute__((unused)),
        uint64_t bytes __attribute__((unused)), int device __attribute__((unused)),
        void *stream __attribute__((unused)))
NOTHING(cudaMemAdvise, const void *pointer __attribute__((unused)),
        uint64_t bytes __attribute__((unused)), uint32_t advice __attribute__((unused)),
        int device __attribute__((unused)))
NOTHING(cudaProfilerStart, void)
NOTHING(cudaProfilerStop, void)

uint32_t emu_cudaDeviceGetP2PAttribute(int *value, uint32_t attribute, int device, int peer);
uint32_t emu_cudaDeviceCanAccessPeer(int *can, int device, int peer);
uint32_t emu_cudaDeviceEnablePeerAccess(int peer, uint32_t flags);
uint32_t emu_cudaDeviceDisablePeerAccess(int peer);

// Performance is of rank 0, the best.
uint32_t emu_cudaDeviceGetP2PAttribute(int *value, uint32_t attribute, int device, int peer) {
    const uint32_t rank = 1;
    if (!host_device_exists(device) || !host_device_exists(peer) || device == peer) {
        return host_fail(cudaErrorInvalidDevice, CALLED_AT);
    }
    *value = attribute != rank;
    return cudaSuccess;
}

uint32_t emu_cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    *can = device != peer && host_device_exists(device) && host_device_exists(peer);
    return cudaSuccess;
}

static uint32_t peer_set(int peer, bool may, uint64_t pc) {
    if (!host_device_exists(peer) || (uint32_t)peer == host_state.device) {
        return host_fail(cudaErrorInvalidDevice, pc);
    }
    bool *is = &host_state.peer[host_state.device][peer];
    if (*is == may) {
        return host_fail(may ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled,
                         pc);
    }
    *is = may;
    return cudaSuccess;
}

uint32_t emu_cudaDeviceEnablePeerAccess(int peer, uint32_t flags) {
    (void)flags;
    return peer_set(peer, true, CALLED_AT);
}

uint32_t emu_cudaDeviceDisablePeerAccess(int peer) {
    return peer_set(peer, false, CALLED_AT);
}
