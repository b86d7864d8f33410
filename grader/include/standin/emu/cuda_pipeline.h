// Asynchronous copies from global to shared memory, on the CPU device: a copy is in flight until
// the thread that started it waits for its group.
#ifndef TILEGRADE_EMU_CUDA_PIPELINE_H
#define TILEGRADE_EMU_CUDA_PIPELINE_H

#include "begin.h"

void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from, size_t bytes,
                             size_t zeros = 0) __asm__("emu_async_copy");
void __pipeline_commit(void) __asm__("emu_async_commit");
void __pipeline_wait_prior(size_t groups) __asm__("emu_async_wait");

typedef uint64_t __mbarrier_t;
void __pipeline_arrive_on(__mbarrier_t *barrier) EMU_NEEDS_GPU(barriers_in_shared_memory);

#include "end.h"

#endif
