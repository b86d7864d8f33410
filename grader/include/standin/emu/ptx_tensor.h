// The CPU device's half of ptx_tensor.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_TENSOR_H
#define TILEGRADE_EMU_PTX_TENSOR_H

#include "begin.h"

struct tensor_map;

namespace ptx {

#define TILEGRADE_LIST(...) __VA_ARGS__
#define TILEGRADE_TENSOR(rank, coordinates)                                                        \
    EMU_NEEDS_GPU(tensor_maps)                                                                     \
    void cp_async_bulk_tensor_##rank##_shared_global(void *dst, const tensor_map *map,             \
                                                     coordinates, unsigned long long *mbarrier);   \
    EMU_NEEDS_GPU(tensor_maps)                                                                     \
    void cp_async_bulk_tensor_##rank##_global_shared(const tensor_map *map, coordinates,           \
                                                     const void *src);
TILEGRADE_TENSOR(1d, int x)
TILEGRADE_TENSOR(2d, TILEGRADE_LIST(int x, int y))
TILEGRADE_TENSOR(3d, TILEGRADE_LIST(int x, int y, int z))
TILEGRADE_TENSOR(4d, TILEGRADE_LIST(int x, int y, int z, int w))
TILEGRADE_TENSOR(5d, TILEGRADE_LIST(int x, int y, int z, int w, int v))
#undef TILEGRADE_TENSOR
#undef TILEGRADE_LIST

EMU_NEEDS_GPU(tensor_maps) void prefetch_tensormap(const tensor_map *map);

}  // namespace ptx

#include "end.h"

#endif
