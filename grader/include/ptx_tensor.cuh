// Bulk tensor copies, a part of ptx.cuh, which includes this file.
//
// A copy moves a box of an array: the elements, `box` of them in each dimension, that begin at the
// coordinates.  The tensor map describes the layout of the array and its box; see launch_tensor in
// kernel.cuh.  Only &maps.at[i] of the kernel's last parameter is the address of a map.
//
//     __global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
//                              float *workspace, const __grid_constant__ tensor_maps maps)
//
//     ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
//     ptx::cp_async_bulk_tensor_2d_shared_global(tile, &maps.at[0], column, row, &full);
//
// x, y, z, w, v  The coordinates of the box's first element, the contiguous dimension first: of a
//                matrix, its column and its row.  They may be negative or past the end.  x must be
//                a multiple of 16 bytes.
// dst, src       The box in shared memory, a multiple of 128 bytes, without gaps.  With a swizzle,
//                each row begins `swizzle` bytes after the one before, and each piece of 16 bytes
//                is at another place: with 128 bytes, bits 4 to 6 of its address are XORed with
//                bits 7 to 9; with 64, bits 4 and 5 with 7 and 8; with 32, bit 4 with bit 7.
//
// Source  PTX ISA, "cp.async.bulk.tensor"; CUDA C++ Programming Guide, "Tensor Memory Access".
#ifndef PTX_TENSOR_CUH
#define PTX_TENSOR_CUH

struct tensor_map;

namespace ptx {

// _shared_global  From global to shared memory.  What is outside the array becomes 0.  All bytes of
//                 the box count in the current phase of the mbarrier.
// _global_shared  From shared to global memory, in a group, like cp_async_bulk_global_shared.  What
//                 is outside the array is not stored.
#define PTX_LIST(...) __VA_ARGS__
#define PTX_TENSOR(rank, coordinates, places, places_after, operands)                              \
    PTX_CALL void cp_async_bulk_tensor_##rank##_shared_global(                                     \
        void *dst, const tensor_map *map, coordinates, unsigned long long *mbarrier)               \
    {                                                                                              \
        asm volatile(                                                                              \
            "cp.async.bulk.tensor." #rank                                                          \
            ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" places_after  \
            "}], [%2];" ::"r"((unsigned)__cvta_generic_to_shared(dst)),                            \
            "l"(map), "r"((unsigned)__cvta_generic_to_shared(mbarrier)), operands                  \
            : "memory");                                                                           \
    }                                                                                              \
    PTX_CALL void cp_async_bulk_tensor_##rank##_global_shared(const tensor_map *map, coordinates,  \
                                                              const void *src)                     \
    {                                                                                              \
        asm volatile("cp.async.bulk.tensor." #rank                                                 \
                     ".global.shared::cta.tile.bulk_group [%0, {" places "}], [%1];" ::"l"(map),   \
                     "r"((unsigned)__cvta_generic_to_shared(src)), operands                        \
                     : "memory");                                                                  \
    }
PTX_TENSOR(1d, int x, "%2", "%3", "r"(x))
PTX_TENSOR(2d, PTX_LIST(int x, int y), "%2, %3", "%3, %4", PTX_LIST("r"(x), "r"(y)))
PTX_TENSOR(3d, PTX_LIST(int x, int y, int z), "%2, %3, %4", "%3, %4, %5",
           PTX_LIST("r"(x), "r"(y), "r"(z)))
PTX_TENSOR(4d, PTX_LIST(int x, int y, int z, int w), "%2, %3, %4, %5", "%3, %4, %5, %6",
           PTX_LIST("r"(x), "r"(y), "r"(z), "r"(w)))
PTX_TENSOR(5d, PTX_LIST(int x, int y, int z, int w, int v), "%2, %3, %4, %5, %6",
           "%3, %4, %5, %6, %7", PTX_LIST("r"(x), "r"(y), "r"(z), "r"(w), "r"(v)))
#undef PTX_TENSOR
#undef PTX_LIST

// From global memory to the same place in the shared memory of each block of the cluster whose bit
// in `blocks` is set (bit 0 for block 0).  The bytes count in the mbarrier at the same place of
// each of these blocks, which has to expect them.
PTX_CALL void cp_async_bulk_tensor_2d_shared_global_multicast(void *dst, const tensor_map *map,
                                                              int x, int y,
                                                              unsigned long long *mbarrier,
                                                              unsigned short blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                 ::"r"((unsigned)__cvta_generic_to_shared(dst)),
                 "l"(map), "r"((unsigned)__cvta_generic_to_shared(mbarrier)), "r"(x), "r"(y),
                 "h"(blocks)
                 : "memory");
}

// Loads a map into the cache, so that the first copy does not wait for it.
PTX_CALL void prefetch_tensormap(const tensor_map *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

}  // namespace ptx

#endif
