// The CPU device's half of ptx_tensor.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_TENSOR_H
#define TILEGRADE_EMU_PTX_TENSOR_H

#include "begin.h"

struct tensor_map;

namespace ptx {
namespace tilegrade {

// See emu/hooks/tensor_calls.c.
void tensor_load(void *dst, const tensor_map *map, unsigned long long *mbarrier,
                 unsigned long long xy, unsigned long long zw,
                 unsigned long long v_rank) __asm__("emu_tensor_load");
void tensor_multicast(void *dst, const tensor_map *map, unsigned long long *mbarrier,
                      unsigned long long xy, unsigned int blocks) __asm__("emu_tensor_multicast");
void tensor_store(const tensor_map *map, const void *src, unsigned long long xy,
                  unsigned long long zw, unsigned long long v_rank) __asm__("emu_tensor_store");
void tensor_prefetch(const tensor_map *map) __asm__("emu_tensor_prefetch");

EMU_CALL unsigned long long pair(int lower, int upper) {
    return (unsigned int)lower | (unsigned long long)(unsigned int)upper << 32;
}

}  // namespace tilegrade

#define TILEGRADE_LIST(...) __VA_ARGS__
#define TILEGRADE_TENSOR(rank, coordinates, xy, zw, v)                                             \
    EMU_CALL void cp_async_bulk_tensor_##rank##d_shared_global(                                    \
        void *dst, const tensor_map *map, coordinates, unsigned long long *mbarrier) {             \
        tilegrade::tensor_load(dst, map, mbarrier, tilegrade::pair xy, tilegrade::pair zw,         \
                               tilegrade::pair(v, rank));                                          \
    }                                                                                              \
    EMU_CALL void cp_async_bulk_tensor_##rank##d_global_shared(const tensor_map *map, coordinates, \
                                                               const void *src) {                  \
        tilegrade::tensor_store(map, src, tilegrade::pair xy, tilegrade::pair zw,                  \
                                tilegrade::pair(v, rank));                                         \
    }
TILEGRADE_TENSOR(1, int x, (x, 0), (0, 0), 0)
TILEGRADE_TENSOR(2, TILEGRADE_LIST(int x, int y), (x, y), (0, 0), 0)
TILEGRADE_TENSOR(3, TILEGRADE_LIST(int x, int y, int z), (x, y), (z, 0), 0)
TILEGRADE_TENSOR(4, TILEGRADE_LIST(int x, int y, int z, int w), (x, y), (z, w), 0)
TILEGRADE_TENSOR(5, TILEGRADE_LIST(int x, int y, int z, int w, int v), (x, y), (z, w), v)
#undef TILEGRADE_TENSOR
#undef TILEGRADE_LIST

EMU_CALL void cp_async_bulk_tensor_2d_shared_global_multicast(void *dst, const tensor_map *map,
                                                              int x, int y,
                                                              unsigned long long *mbarrier,
                                                              unsigned short blocks) {
    tilegrade::tensor_multicast(dst, map, mbarrier, tilegrade::pair(x, y), blocks);
}

EMU_CALL void prefetch_tensormap(const tensor_map *map) {
    tilegrade::tensor_prefetch(map);
}

}  // namespace ptx

#include "end.h"

#endif
