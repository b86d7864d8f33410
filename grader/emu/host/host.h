// The host's side of a whole program on the CPU device: CUDA's runtime, as the program calls it.
//
// The program, its kernels and this runtime are one process with one thread.  A call does its work
// at once; the order in which a GPU would do it is kept as clocks (host_order.c), so that a use
// that nothing orders is found, whatever the outcome was here.  While the host runs, device memory
// cannot be accessed: a load or store of it is a mistake.  Managed and pinned memory can be.
#ifndef EMU_HOST_HOST_H
#define EMU_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/machine_state.h"
#include "emu/shim/program_errors.h"

// A call's own place: the address after it in the program.
#define CALLED_AT ((uint64_t)(uintptr_t)__builtin_return_address(0))

#define CUDA_ERROR_ENUMERATOR(name, number, text) name = (number),
enum cuda_error { CUDA_ERRORS(CUDA_ERROR_ENUMERATOR) };
#undef CUDA_ERROR_ENUMERATOR

struct host_array {
    const char *symbol;  // of a variable; else NULL
    uint64_t pc;         // the call that allocated it
    uint64_t freed_pc;   // 0: it lives
    uint64_t bytes;
    uint64_t copy_pc;   // the last call that copied to it, or filled it …
    uint64_t copy_end;  // … up to this byte
    uint32_t memory;    // enum host_memory
    uint32_t device;
    uint32_t element_bytes;  // 0 if unknown
    bool taken;              // of a variable: the program has asked for its address
    // Kernels: the last launch that stored to it, whether its values were used afterwards, and the
    // end of what launches have touched from its start on, with the threads of that launch.
    uint64_t stored_pc;
    bool used;
    uint64_t touched_end, touched_threads, touched_of_block, touched_pc;
    // Copies from it: one that took a half, a quarter or an eighth of it, and whether others took
    // anything else.  Of an array of rows `row_bytes` counts, which is 0 for others.
    uint64_t row_bytes, part_bytes, part_pc;
    bool others_taken;
};

#define HOST_DEVICES_MAX 8
#define HOST_STREAMS_MAX 128
#define HOST_EVENTS_MAX  1024

// What a stream, an event or the host has seen of each stream: the operations up to this number.
struct host_clock {
    uint64_t seen[HOST_STREAMS_MAX];
};

struct host {
    struct host_array array[MEMORY_ARRAYS_MAX];
    uint64_t live_bytes;
    uint32_t devices, device;                       // their number, and the current one
    bool peer[HOST_DEVICES_MAX][HOST_DEVICES_MAX];  // the first may use memory of the second
    uint32_t error;                                 // of the last failed call, for cudaGetLastError
    uint32_t sticky;                                // a kernel was stopped: every later call fails
    bool is_open;                                   // device memory can be accessed
    bool has_taken;                                 // a copy has taken what kernels have stored
    bool has_timed;        // the program has asked for the time between events
    uint64_t launch_pc;    // the launch that runs; 0: none
    uint64_t dynamic_max;  // bytes of dynamic shared memory that any kernel may ask for
};
extern struct host host_state;
bool host_device_exists(int device);
// The blocks that a device has room for at a time.
uint64_t host_blocks_together(uint64_t threads, uint64_t shared_bytes);

// What shim/program_runtime.h passes in registers: where an allocation stores the pointer, with the
// size of an element; a variable of the device.
struct host_result {
    void **at;
    uint64_t element_bytes;
};
struct host_symbol {
    const void *at;
    uint64_t bytes;
};

// --- Findings

// A finding of a call of the host, to be filled in further.
struct finding host_finding(enum host_fault fault, uint64_t pc);
// The same, about a place of an array.
struct finding host_finding_in(enum host_fault fault, uint64_t pc, uint32_t array, int64_t offset);
void host_report(const struct finding *finding);
// The call fails: notes the error until the program looks at it, and returns it.
uint32_t host_fail(uint32_t error, uint64_t pc);
// An error that a finding has said already.
uint32_t host_failed(uint32_t error);
void host_unseen_report(void);
// A block of the host's heap, whose size is known: host_library.c.
void *emu_program_malloc(size_t bytes);
// Ends a whole program: this machine cannot do what it asks for.  Returns in an exercise.
void host_refuse(const char *what);
// Ends the program as exit() does for this runtime, but without its destructors.
_Noreturn void host_exit(int code);

// --- Memory

// Finds the array that a pointer belongs to, also one that was freed.  False for host memory.
bool host_find(const void *pointer, uint32_t *ret_array, int64_t *ret_offset);
// Opens device memory to this process, and closes it again.
void host_open(void);
void host_close(void);
// Marks bytes of an array as stored; whether one is; the first of a range that is not, `bytes` if
// there is none.
void host_mark(uint32_t array, uint64_t offset, uint64_t bytes);
bool host_byte_is_set(uint32_t array, uint64_t at);
uint64_t host_unset_first(uint32_t array, uint64_t offset, uint64_t bytes);
// Reports a pointer to freed memory, and returns the error of the call.
uint32_t host_freed_report(uint32_t array, int64_t offset, uint64_t pc, enum host_fault fault);
// The same for a function that frees memory of another kind (`wanted`).
uint32_t host_foreign_report(const void *pointer, enum host_memory wanted, uint64_t pc);
// The last call that copied to an array or filled it, if that ends before an offset; else 0.
uint64_t host_copied_before(uint32_t array, int64_t offset);
// True for a variable of the device; for one that is named itself, and not by its address there.
bool host_is_variable(const void *pointer);
bool host_is_symbol(const void *pointer);
// A copy at pc takes bytes of an array.
void host_taken(uint32_t array, uint64_t offset, uint64_t bytes, uint64_t pc);
void host_variables_open(void);
// Each device has its own variables.
void host_variables_switch(uint32_t from, uint32_t to);
// An access of a kernel outside its array: ends the launch if it is memory of another device.
void host_foreign(const struct finding *outside);
void host_leaks_report(void);
// Results that nothing has looked at.
void host_unread_report(void);
// A launch at pc with so many threads touched bytes first … end - 1 of an array; kinds are bits of
// the coverage map.
struct host_touch {
    uint64_t pc, threads, of_block, first, end;
    uint8_t kinds;
};
void host_touched(uint32_t array, const struct host_touch *touch);
// The size of a block of the host's heap that begins here; 0 if it is not known.
uint64_t host_block_bytes(const void *pointer);
// The bytes from a place on the host's stack to the end of its function's frame; 0 elsewhere.
uint64_t host_frame_room(const void *pointer);
// From now on a crash is one of the call at pc, which uses memory of the host; 0: of host code.
void host_copying(uint64_t pc);

// --- Order

enum host_access { HOST_USE_READ = 1, HOST_USE_WRITE = 2 };

// A range that an operation uses: addresses of any memory.
struct host_range {
    uint64_t low, high;
    uint32_t kind;         // enum host_access
    const uint8_t *touch;  // by word of the range, COVERAGE_ bits; NULL: all of it
};

// Begins an operation of a stream at pc.  Returns false for a stream that does not exist, which it
// has reported.
bool host_order_begin(void *stream, uint64_t pc);
// The device of this operation's stream.
uint32_t host_order_device(void);
// Reports a launch into a stream of another device than the current one; true if there is none.
bool host_order_launches(void *stream, uint64_t pc);
// This operation comes after all work of the device so far, and before all that follows.
void host_order_meet(uint32_t device);
// A range that this operation uses: reports what nothing orders before it.
void host_order_use(const struct host_range *range);
// The host waits for this operation and all that comes before it.
void host_order_wait(void);
// The same for all work of a device.
void host_order_wait_device(uint32_t device);
void host_order_open(void);

// What is added to addresses of the variables of a device: of that many times its number.
#define HOST_VARIABLES_OF_DEVICE (1ull << 48)

// An access of the host's own code, while some operation may use memory that it can access.
void host_access(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc);
// An atomic operation of the host's own code.
void host_atomic(const volatile void *at);
// Sets whether accesses of the host are passed to host_access.
void host_watch(bool watches);
bool host_is_watched(void);

#endif
