// The mbarriers of the running block: counts of arrivals and of bytes, phases, and the threads that
// wait for them.  The names that kernels use are in hooks/bulk_calls.c.
//
// An mbarrier is eight bytes of shared memory, whose content is opaque.  So its state is kept here,
// by its place, and a kernel that stores to those bytes changes nothing.
//
// Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#ifndef EMU_MACHINE_MBARRIER_H
#define EMU_MACHINE_MBARRIER_H

#include "emu/machine/machine_state.h"

#define MBARRIERS_WATCHED  64u               // per block: further ones may end too early unnoticed
#define MBARRIER_COUNT_MAX ((1u << 20) - 1)  // the largest count of arrivals, and of bytes

#define PHASES_NOT_IN_TURN UINT32_MAX

// A thread's use of an mbarrier.
struct mbarrier_use {
    uint64_t pc;       // of its last operation, 0: none
    uint32_t epoch;    // … and when
    uint32_t arrived;  // the phase in which it arrived last, from 1; 0: never
    uint32_t waited;   // number of phases waited for in turn, or PHASES_NOT_IN_TURN
};

struct mbarrier {
    bool live;
    bool ended;         // by mbarrier.inval
    bool remote;        // a thread of another block has arrived
    uint32_t used;      // its place in the list of this block
    bool copies;        // bytes have been copied in this phase
    bool copied;        // bytes were copied in the last complete phase
    uint32_t expected;  // arrivals of a phase
    uint32_t pending;   // of this phase
    int64_t bytes;      // expected and not yet copied; negative: copied and not yet expected
    int64_t early;      // bytes that other blocks have brought in this phase
    uint32_t phase;     // the number of complete phases
    uint32_t time;      // of the last bulk copy that named it, or of its last phase's end
    uint64_t begun;     // the counter's tensor_calls at the last bulk copy
    uint64_t pc;        // of its mbarrier.init, or of its mbarrier.inval
    uint32_t array;     // where it is
    int64_t offset;
    uint64_t array_bytes;
    struct follow_access at;         // the thread that made it, and the time
    struct follow_message arriving;  // from all threads that have arrived
    struct follow_message complete;  // the message when the last phase was completed
};

struct mbarriers {
    struct shared_map map;
    struct mbarrier *at;  // by 8 bytes of shared memory
    uint32_t *used;       // of this block: index in `at`
    uint32_t used_count;
    struct mbarrier_use *uses;  // by place in the list, then by thread, of MBARRIERS_WATCHED
    uint32_t waiting;           // threads in THREAD_AT_MBARRIER
    bool tried;                 // no thread could run, and nothing has happened since then
};

// Of the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status mbarriers_launch_begin(void *observer, const struct launch_shape *shape,
                                   struct findings *findings, struct error *err);
void mbarriers_block_begin(void *observer, const struct block_place *place);

// Makes an access of all 8 bytes by the running thread.  Ends the launch if the address is outside
// shared memory, outside its array or misaligned.
struct access mbarrier_access(struct emu_machine *machine, uint64_t address, enum access_kind kind,
                              uint64_t pc);
// The mbarrier at this place.  Ends the launch if it is not initialised; the running thread may be
// of another block, to which the machine lends this one.
struct mbarrier *mbarrier_live(struct emu_machine *machine, const struct access *access,
                               bool in_other_block);
// The same for an operation of a thread of the mbarrier's own block; also reports if nothing orders
// the operation and the mbarrier.init or mbarrier.inval.
struct mbarrier *mbarrier_operand(struct emu_machine *machine, const struct access *access);
uint32_t mbarrier_number(const struct mbarriers *mbarriers, const struct mbarrier *mbarrier);

// Returns the mbarrier, which the caller makes live when the checkers have seen the store.  Ends
// the launch if the count is out of its range or the mbarrier is live.
struct mbarrier *mbarrier_init(struct emu_machine *machine, const struct access *access,
                               uint32_t count);
void mbarrier_inval(struct emu_machine *machine, const struct access *access);
// Ends the launch if a store of a thread or a copy hits an mbarrier in use.
void mbarrier_store(struct emu_machine *machine, const struct mbarriers *mbarriers,
                    const struct access *access);
// Ends the launch if a count is out of its range.
void mbarrier_expect(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t bytes,
                     uint64_t pc);
void mbarrier_arrive(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t count,
                     uint64_t pc);
// One arrival that is relaxed, at an mbarrier of this block or of any.
void mbarrier_arrive_relaxed(struct emu_machine *machine, struct mbarrier *mbarrier,
                             enum follow_scope scope, uint64_t pc);
// A bulk copy of the running thread is done; `time` is the checker's time.
void mbarrier_copied(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t bytes,
                     uint32_t time, uint64_t pc);

// Returns whether the phase of that parity is complete; if not, the caller lets other threads run.
// Ends the launch if the parity is not 0 or 1.
// It also returns false once if the thread cannot know that the phase is complete: the last arrival
// or copy may come at any time, and a wait needs a loop.  With `blocks`, the thread sleeps from the
// second call for a phase until something has happened.
bool mbarrier_wait(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t parity,
                   bool blocks, uint64_t pc);

// For struct race: has such a lane of the machine arrived?
bool mbarrier_lane_arrived(const void *machine, uint32_t thread, uint32_t since);

// Called if no thread can run.  If anything has happened since the last call, lets the threads that
// wait for a phase try again and returns true.
bool mbarriers_try_again(struct emu_machine *machine);
// Called if no thread can run.  If some wait for a phase, reports that and returns true
// (mbarrier.c).
bool mbarriers_deadlock(struct emu_machine *machine);
// The number of the mbarrier whose phase is the reason, if that phase lacks only bytes; else
// UINT32_MAX.
uint32_t mbarriers_lack_bytes(const struct emu_machine *machine);

#endif
