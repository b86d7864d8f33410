// The mbarriers of the running block: counts of arrivals and of bytes, phases, and the threads that
// wait for them.  The names that kernels use are in hooks/bulk_calls.c.
//
// An mbarrier is eight bytes of shared memory, whose content is opaque.  So its state is kept here,
// by its place, and a kernel that stores there changes nothing.
//
// Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#ifndef EMU_MACHINE_MBARRIER_H
#define EMU_MACHINE_MBARRIER_H

#include "emu/machine/machine_state.h"

#define MBARRIERS_WATCHED  64u               // of a block: more of them may be ended too early
#define MBARRIER_COUNT_MAX ((1u << 20) - 1)  // of arrivals, and of bytes

#define PHASES_NOT_IN_TURN UINT32_MAX

// What a thread has done with an mbarrier.
struct mbarrier_use {
    uint64_t pc;       // of its last operation, 0: none
    uint32_t epoch;    // … and when
    uint32_t arrived;  // the phase in which it arrived last, from 1; 0: never
    uint32_t waited;   // so many phases, one after the other, or PHASES_NOT_IN_TURN
};

struct mbarrier {
    bool live;
    bool ended;         // by mbarrier.inval
    bool remote;        // a thread of another block has arrived
    uint32_t used;      // its place in the list of this block
    bool copies;        // bytes have been copied in this phase
    bool copied;        // … in the last complete one
    uint32_t expected;  // arrivals of a phase
    uint32_t pending;   // of this phase
    int64_t bytes;      // expected and not yet copied; negative: copied and not yet expected
    int64_t early;      // bytes that other blocks have brought in this phase
    uint32_t phase;     // those that are complete
    uint32_t time;      // of the last bulk copy that it was named in, or of its last phase's end
    uint64_t begun;     // the counter's tensor_calls at the last bulk copy
    uint64_t pc;        // of its mbarrier.init, or of its mbarrier.inval
    uint32_t array;     // where it is
    int64_t offset;
    uint64_t array_bytes;
    struct follow_access at;         // … who made it, and when
    struct follow_message arriving;  // from all that have arrived
    struct follow_message complete;  // … as the last phase was completed
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

// The access of all 8 bytes by the running thread; ends the launch if the address is not in shared
// memory, outside its array or misaligned.
struct access mbarrier_access(struct emu_machine *machine, uint64_t address, enum access_kind kind,
                              uint64_t pc);
// The mbarrier there.  Ends the launch if it is not initialised; the running thread may be of
// another block, to which the machine lends this one.
struct mbarrier *mbarrier_live(struct emu_machine *machine, const struct access *access,
                               bool in_other_block);
// The same for an operation of a thread of its block.  Ends the launch if it is not
// initialised; reports if nothing orders the operation and its mbarrier.init or mbarrier.inval.
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
// A bulk copy of the running thread is done; `time` is that of the checker.
void mbarrier_copied(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t bytes,
                     uint32_t time, uint64_t pc);

// Returns whether the phase of that parity is complete; if not, the caller lets other threads run.
// Ends the launch if the parity is not 0 or 1.
// It also returns false once if the thread cannot know that the phase is complete: the last arrival
// or copy may come at any time, and a wait needs a loop.
// If it `blocks`, the thread sleeps after the second call for a phase until something has happened.
bool mbarrier_wait(struct emu_machine *machine, struct mbarrier *mbarrier, uint32_t parity,
                   bool blocks, uint64_t pc);

// For struct race: is that so of the machine?
bool mbarrier_lane_arrived(const void *machine, uint32_t thread, uint32_t since);

// No thread can run.  Lets those that wait for a phase try again, and returns true, if anything has
// happened since the last time.
bool mbarriers_try_again(struct emu_machine *machine);
// … and some threads wait for a phase: reports that, and returns true (mbarrier.c).
bool mbarriers_deadlock(struct emu_machine *machine);
// The number of the mbarrier whose phase is the reason, if it lacks only bytes; else UINT32_MAX.
uint32_t mbarriers_lack_bytes(const struct emu_machine *machine);

#endif
