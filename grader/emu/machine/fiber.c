// Stacks of the fibers: reserved once, made accessible as blocks need them, kept between launches.
#include "emu/machine/fiber.h"

#include <string.h>
#include <sys/mman.h>

#define JUNK         0xff
#define JUNK_BYTES   16384u
#define STRIDE       ((size_t)FIBER_STACK_BYTES + FIBER_GUARD_BYTES)
#define STACKS_BYTES (STRIDE * THREADS_MAX)

#if defined(__x86_64__)
#define SAVED_WORDS 7  // rbp rbx r12 r13 r14 r15, and the resume address
#define RESUME_WORD 6
#elif defined(__aarch64__)
#define SAVED_WORDS 20  // x19 to x30, d8 to d15
#define RESUME_WORD 11  // x30
#else
#error fibers are written for x86-64 and aarch64
#endif

enum status fiber_stacks_open(struct fiber_stacks *ret_stacks, struct error *err) {
    void *memory =
        mmap(NULL, STACKS_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return fail_errno(err, STATUS_NO_MEMORY, "no address space for the stacks of the threads");
    }
    // A process that runs some of a launch's blocks starts them itself, with fresh stacks.
    (void)madvise(memory, STACKS_BYTES, MADV_WIPEONFORK);
    ret_stacks->memory = memory;
    ret_stacks->ready = 0;
    return STATUS_OK;
}

void fiber_stacks_close(struct fiber_stacks *stacks) {
    if (stacks->memory) {
        (void)munmap(stacks->memory, STACKS_BYTES);
    }
    stacks->memory = NULL;
}

static unsigned char *stack_of(const struct fiber_stacks *stacks, uint32_t index) {
    return stacks->memory + index * STRIDE + FIBER_GUARD_BYTES;
}

enum status fiber_stacks_need(struct fiber_stacks *stacks, uint32_t count, struct error *err) {
    while (stacks->ready < count) {
        if (mprotect(stack_of(stacks, stacks->ready), FIBER_STACK_BYTES, PROT_READ | PROT_WRITE) !=
            0) {
            return fail_errno(err, STATUS_NO_MEMORY, "no memory for the stack of thread %u",
                              stacks->ready);
        }
        stacks->ready++;
    }
    return STATUS_OK;
}

void fiber_stack_junk(const struct fiber_stacks *stacks, uint32_t index) {
    memset(stack_of(stacks, index) + FIBER_STACK_BYTES - JUNK_BYTES, JUNK, JUNK_BYTES);
}

uint64_t fiber_stack_low(const struct fiber_stacks *stacks, uint32_t index) {
    return (uint64_t)(uintptr_t)stack_of(stacks, index);
}

void fiber_start(struct fiber *fiber, const struct fiber_stacks *stacks, uint32_t index,
                 void (*entry)(void)) {
    // Two words at the top are 0: a return address for entry, and the stack alignment that follows
    // a call.  An unset variable may be in a register, so the registers hold junk.
    uint64_t *top = (uint64_t *)(void *)(stack_of(stacks, index) + FIBER_STACK_BYTES) - 2;
    top[0] = top[1] = 0;
#if defined(__x86_64__)
    uint64_t *saved = top + 1 - SAVED_WORDS;
#else
    uint64_t *saved = top - SAVED_WORDS;
#endif
    memset(saved, JUNK, SAVED_WORDS * sizeof *saved);
    saved[RESUME_WORD] = (uint64_t)(uintptr_t)entry;
    fiber->stack_pointer = saved;
}
