// Indices of a thread, barriers of the block, fences, clocks.
#ifndef EMU_SHIM_CUDA_THREADS_H
#define EMU_SHIM_CUDA_THREADS_H

// const here but variables in the machine, because gcc does not instrument reads of const objects.
// A thread never sees them change: the machine sets them before it runs the thread.
extern "C" const uint3 threadIdx EMU_NAME(thread_index);
extern "C" const uint3 blockIdx EMU_NAME(block_index);
extern "C" const dim3 blockDim EMU_NAME(block_extent);
extern "C" const dim3 gridDim EMU_NAME(grid_extent);
static const int warpSize = 32;

void __syncthreads(void) EMU_NAME(syncthreads);
int __syncthreads_count(int predicate) EMU_NAME(syncthreads_count);
int __syncthreads_and(int predicate) EMU_NAME(syncthreads_and);
int __syncthreads_or(int predicate) EMU_NAME(syncthreads_or);

void __threadfence(void) EMU_NAME(fence);
void __threadfence_block(void) EMU_NAME(fence_block);
void __threadfence_system(void) EMU_NAME(fence);
void __nanosleep(unsigned int nanoseconds) EMU_NAME(nanosleep);

// Counts the accesses of the block so far.  It is the same in every run, so it cannot measure time.
typedef long clock_t;
clock_t clock(void) EMU_NAME(clock);
long long clock64(void) EMU_NAME(clock);

[[noreturn]] void __trap(void) EMU_NAME(trap);
[[noreturn]] void __brkpt(void) EMU_NAME(trap);
EMU_INLINE void __builtin_tilegrade_assume(bool) {
}
#define __builtin_assume(condition) __builtin_tilegrade_assume(true)

// Loads and stores with a cache hint are plain loads and stores.  They are macros, so that the
// place is the student's line.
#define __ldg(pointer)         (*(pointer))
#define __ldca(pointer)        (*(pointer))
#define __ldcg(pointer)        (*(pointer))
#define __ldcs(pointer)        (*(pointer))
#define __ldcv(pointer)        (*(pointer))
#define __ldlu(pointer)        (*(pointer))
#define __stcg(pointer, value) ((void)(*(pointer) = (value)))
#define __stcs(pointer, value) ((void)(*(pointer) = (value)))
#define __stwb(pointer, value) ((void)(*(pointer) = (value)))
#define __stwt(pointer, value) ((void)(*(pointer) = (value)))

#endif
