// The functions that the compiler calls in a kernel: one for each kind of load and store.
//
// The kernel is compiled with -fsanitize=thread,… and linked with these instead of the sanitizers'
// libraries. Each hook is called before the access, with the address; its return address is the
// place in the kernel.

#ifndef __clang__
// SLP vectorization would gather the fields of struct access, for calls that hardly ever happen.
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <string.h>

#include "emu/hooks/touch.h"

#define FRAME ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())
// The hooks share a section, so that the timer's handler can tell them from the kernel's own code
// (stop.c).
#define HOOK __attribute__((section("emu_hooks"), noinline))

// The functions that the kernel's object calls by name.
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_vptr_update(void **place, void *table);
void __tsan_vptr_read(void **place);
void emu_return_at(void);
_Noreturn void emu_call_refused(uint64_t pc);
void __tsan_read_range(uint64_t address, uint64_t bytes);
void __tsan_write_range(uint64_t address, uint64_t bytes);

#define INLINE static inline __attribute__((always_inline))

INLINE bool is_known_global(const struct emu_machine *machine, uint64_t word, uint32_t words,
                            uint64_t pc) {
    return known_global(&machine->known, word, words) &&
           sites_has_come(machine->sites, pc, machine->known.phase);
}

// Each hook is a chain of functions, from the frequent case to the general case; only the last
// function saves registers.  The macros below name these functions.  Their control flow is in
// inline functions with constant arguments, which compile to as many instructions as a macro would.
typedef void step_hook(uint64_t address, uint64_t pc);
typedef void word_hook(uint64_t address, uint64_t pc, uint64_t word);

// A local variable is checked for its alignment alone, by an access whose type wants it.
INLINE void local_hook(uint64_t address, uint32_t bytes, enum access_kind kind) {
    if (__builtin_expect((address & (bytes - 1)) != 0, 0)) {
        touch_local_misaligned(address, bytes, kind, PLACE);
    }
}

INLINE void access_hook(uint64_t address, uint32_t bytes, enum access_kind kind, step_hook *memory,
                        step_hook *slice_over) {
    if (place_is_unwatched(address, FRAME)) {
        local_hook(address, bytes, kind);
        return;
    }
    if (schedule_step_over(&machine_state)) {
        slice_over(address, PLACE);
    } else {
        memory(address, PLACE);
    }
}

// Returns false if the access is not usual.
INLINE bool counted_hook(uint64_t address, uint32_t bytes, step_hook *memory,
                         step_hook *slice_over) {
    struct emu_machine *machine = &machine_state;
    if (place_is_unwatched(address, FRAME)) {
        local_hook(address, bytes, ACCESS_READ);
        return true;  // as are most accesses of a kernel with a register tile
    }
    const struct count_usual *usual = counted_find(machine, address, bytes, PLACE);
    if (!usual) {
        return false;
    }
    if (schedule_step_over(machine)) {
        slice_over(address, PLACE);
    } else if (!count_again(machine->count, address, usual->key)) {
        memory(address, PLACE);
    }
    return true;
}

INLINE void load_hook(uint64_t address, uint32_t bytes, step_hook *memory, step_hook *slice_over,
                      word_hook *shared, word_hook *global) {
    struct emu_machine *machine = &machine_state;
    uint64_t word = known_word(address - machine->memory.shared);
    if (word < machine->known.shared_words) {
        if (schedule_step_over(machine)) {
            slice_over(address, PLACE);
        } else if (!known_shared(&machine->known, word, bytes / 4, PLACE)) {
            shared(address, PLACE, word);
        }
        return;
    }
    if (machine->block.only_counts && counted_hook(address, bytes, memory, slice_over)) {
        return;
    }
    word = known_word(address - machine->memory.arena);
    if (word < machine->known.global_words) {
        if (schedule_step_over(machine)) {
            slice_over(address, PLACE);
        } else if (!is_known_global(machine, word, bytes / 4, PLACE)) {
            global(address, PLACE, word);
        }
        return;
    }
    access_hook(address, bytes, ACCESS_READ, memory, slice_over);
}

#define MEMORY(name, bytes, kind)                                                                  \
    HOOK static void name##_memory(uint64_t address, uint64_t pc) {                                \
        if ((kind) == ACCESS_READ &&                                                               \
            memory_reads_unwatched(&machine_state.memory, address, bytes)) {                       \
            return;                                                                                \
        }                                                                                          \
        touch_part(address, bytes, kind, pc, true, 0, 0, false);                                   \
    }                                                                                              \
    HOOK static void name##_slice_over(uint64_t address, uint64_t pc) {                            \
        schedule_slice_over(&machine_state, pc);                                                   \
        name##_memory(address, pc);                                                                \
    }                                                                                              \
    void name(uint64_t address);
#define ACCESS_HOOK(name, bytes, kind)                                                             \
    MEMORY(name, bytes, kind)                                                                      \
    HOOK void name(uint64_t address) {                                                             \
        access_hook(address, bytes, kind, name##_memory, name##_slice_over);                       \
    }
#define LOAD_HOOK(name, bytes)                                                                     \
    MEMORY(name, bytes, ACCESS_READ)                                                               \
    HOOK static void name##_shared(uint64_t address, uint64_t pc, uint64_t word) {                 \
        if ((bytes) != 4 || !usual_load_shared(&machine_state, word, address, pc)) {               \
            name##_memory(address, pc);                                                            \
        }                                                                                          \
    }                                                                                              \
    HOOK static void name##_global(uint64_t address, uint64_t pc, uint64_t word) {                 \
        if ((bytes) != 4 || !usual_load_global(&machine_state, word, address, pc)) {               \
            name##_memory(address, pc);                                                            \
        }                                                                                          \
    }                                                                                              \
    HOOK void name(uint64_t address) {                                                             \
        load_hook(address, bytes, name##_memory, name##_slice_over, name##_shared, name##_global); \
    }
#define RANGE_HOOK(name, bytes, kind)                                                              \
    void name(uint64_t address);                                                                   \
    HOOK void name(uint64_t address) {                                                             \
        range_hook(address, bytes, kind);                                                          \
    }

INLINE void range_hook(uint64_t address, uint64_t bytes, enum access_kind kind) {
    if (!place_is_unwatched(address, FRAME)) {
        touch_range(address, bytes, kind, PLACE);
    }
}

ACCESS_HOOK(__tsan_read1, 1, ACCESS_READ)
ACCESS_HOOK(__tsan_read2, 2, ACCESS_READ)
LOAD_HOOK(__tsan_read4, 4)
LOAD_HOOK(__tsan_read8, 8)
LOAD_HOOK(__tsan_read16, 16)
ACCESS_HOOK(__tsan_write1, 1, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write2, 2, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write8, 8, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write16, 16, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_read2, 2, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read4, 4, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read8, 8, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read16, 16, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_write2, 2, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write4, 4, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write8, 8, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write16, 16, ACCESS_WRITE)

HOOK void __tsan_read_range(uint64_t address, uint64_t bytes) {
    range_hook(address, bytes, ACCESS_READ);
}

HOOK void __tsan_write_range(uint64_t address, uint64_t bytes) {
    range_hook(address, bytes, ACCESS_WRITE);
}

MEMORY(__tsan_write4, 4, ACCESS_WRITE)
HOOK void __tsan_write4(uint64_t address) {
    struct emu_machine *machine = &machine_state;
    uint64_t word = known_word(address - machine->memory.shared);
    bool shared = word < machine->known.shared_words;
    if (machine->block.only_counts &&
        counted_hook(address, 4, __tsan_write4_memory, __tsan_write4_slice_over)) {
        return;
    }
    if (!shared && place_is_unwatched(address, FRAME)) {
        local_hook(address, 4, ACCESS_WRITE);
        return;
    }
    if (schedule_step_over(machine)) {
        __tsan_write4_slice_over(address, PLACE);
    } else if (!shared || !usual_store_shared(machine, word, address, PLACE)) {
        __tsan_write4_memory(address, PLACE);
    }
}

// An assignment from a struct that a call returned: see shim/cuda_emu.h.  `from` may be in memory
// of the kernel too.
static void *assign(void *to, const void *from, uint32_t bytes, uint64_t pc, uint64_t frame) {
    const uint64_t place[2] = {(uint64_t)(uintptr_t)from, (uint64_t)(uintptr_t)to};
    for (int i = 0; i < 2; i++) {
        if (place_is_local(place[i], frame)) {
            continue;
        }
        enum access_kind kind = i == 0 ? ACCESS_READ : ACCESS_WRITE;
        if (bytes <= 16 && (bytes & (bytes - 1)) == 0) {
            touch_one(place[i], bytes, kind, pc, true);
        } else {
            touch_range(place[i], bytes, kind, pc);
        }
    }
    return memmove(to, from, bytes);
}

#define ASSIGN(bytes)                                                                              \
    void *emu_assign_##bytes(void *to, const void *from);                                          \
    HOOK void *emu_assign_##bytes(void *to, const void *from) {                                    \
        return assign(to, from, bytes, PLACE, FRAME);                                              \
    }
ASSIGN(2)
ASSIGN(3)
ASSIGN(4)
ASSIGN(6)
ASSIGN(8)
ASSIGN(12)
ASSIGN(16)
ASSIGN(24)
ASSIGN(32)

void __tsan_init(void) {
}

// The shim marks every `return`, which is followed by the function's exit hook.  So when a thread
// ends, returned_pc is the `return` that ended it, or 0 if it reached the closing brace.
HOOK void emu_return_at(void) {
    machine_state.block.return_pc = PLACE;
}

// Called by indirect_x86_64.S for a function pointer that does not point to a function of the
// kernel.
_Noreturn void emu_call_refused(uint64_t pc) {
    machine_crash(&machine_state, CRASH_WILD_POINTER, pc);
}

HOOK void __tsan_func_entry(void *caller) {
    struct emu_machine *machine = &machine_state;
    struct thread *thread = &machine->thread[machine->current];
    machine->block.return_pc = 0;
    if (__builtin_expect(FRAME < thread->stack_low, 0)) {
        // An array larger than the guard skipped it.  It can only damage the stack of a thread that
        // will not run again.
        machine_crash(machine, CRASH_STACK_OVERFLOW, PLACE);
    }
    thread->caller[thread->depth++ % CALLERS_MAX] = (uint64_t)(uintptr_t)caller;
    machine->caller_mix = thread_caller_mix(thread);
}

HOOK void __tsan_func_exit(void) {
    struct emu_machine *machine = &machine_state;
    machine->block.returned_pc = machine->block.return_pc;
    machine->block.return_pc = 0;
    machine->thread[machine->current].depth--;
    machine->caller_mix = thread_caller_mix(&machine->thread[machine->current]);
}

// Objects with virtual functions are local: for a __shared__ one no constructor runs, so it has no
// virtual table and a virtual call crashes.  The tables themselves are constant.
HOOK void __tsan_vptr_update(void **place, void *table) {
    (void)place;
    (void)table;
}

HOOK void __tsan_vptr_read(void **place) {
    (void)place;
}
