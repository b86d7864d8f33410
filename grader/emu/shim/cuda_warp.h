// Collective operations of the lanes of a warp.
#ifndef EMU_SHIM_CUDA_WARP_H
#define EMU_SHIM_CUDA_WARP_H

void __syncwarp(unsigned int mask = 0xffffffffu) EMU_NAME(syncwarp);
unsigned int __activemask(void) EMU_NAME(activemask);

int __all_sync(unsigned int mask, int predicate) EMU_NAME(all_sync);
int __any_sync(unsigned int mask, int predicate) EMU_NAME(any_sync);
unsigned int __ballot_sync(unsigned int mask, int predicate) EMU_NAME(ballot_sync);

#define TILEGRADE_SHUFFLES(type, bits)                                                             \
    type __shfl_sync(unsigned int mask, type value, int lane, int width = 32)                      \
        EMU_NAME(shfl_##bits);                                                                     \
    type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32)         \
        EMU_NAME(shfl_up_##bits);                                                                  \
    type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32)       \
        EMU_NAME(shfl_down_##bits);                                                                \
    type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32)             \
        EMU_NAME(shfl_xor_##bits);
TILEGRADE_SHUFFLES(int, 32)
TILEGRADE_SHUFFLES(unsigned int, 32)
TILEGRADE_SHUFFLES(long, 64)
TILEGRADE_SHUFFLES(unsigned long, 64)
TILEGRADE_SHUFFLES(long long, 64)
TILEGRADE_SHUFFLES(unsigned long long, 64)
TILEGRADE_SHUFFLES(float, f32)
TILEGRADE_SHUFFLES(double, f64)
#undef TILEGRADE_SHUFFLES

#define TILEGRADE_MATCHES(type, bits)                                                              \
    unsigned int __match_any_sync(unsigned int mask, type value) EMU_NAME(match_any_##bits);       \
    unsigned int __match_all_sync(unsigned int mask, type value, int *all)                         \
        EMU_NAME(match_all_##bits);
TILEGRADE_MATCHES(int, 32)
TILEGRADE_MATCHES(unsigned int, 32)
TILEGRADE_MATCHES(long, 64)
TILEGRADE_MATCHES(unsigned long, 64)
TILEGRADE_MATCHES(long long, 64)
TILEGRADE_MATCHES(unsigned long long, 64)
TILEGRADE_MATCHES(float, f32)
TILEGRADE_MATCHES(double, f64)
#undef TILEGRADE_MATCHES

unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_add);
int __reduce_add_sync(unsigned int mask, int value) EMU_NAME(reduce_add);
unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_min_u32);
int __reduce_min_sync(unsigned int mask, int value) EMU_NAME(reduce_min_i32);
unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_max_u32);
int __reduce_max_sync(unsigned int mask, int value) EMU_NAME(reduce_max_i32);
unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_and);
unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_or);
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_xor);

#endif
