// A finding of a checker: one mistake of a kernel, by kind and place, with its first instance; the
// findings of the launches of a product, merged to one per kind and pair of places, in the order of
// their first instance; and a finding as it leaves the worker.
#ifndef EMU_WIRE_FINDING_H
#define EMU_WIRE_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

// X(enumerator, name in result.json)
#define FINDING_KINDS(X)                                                                           \
    X(FINDING_RACE, "race")                                                                        \
    X(FINDING_OUT_OF_BOUNDS, "out_of_bounds")                                                      \
    X(FINDING_UNINITIALIZED, "uninitialized")                                                      \
    X(FINDING_BARRIER_DIVERGENCE, "barrier_divergence")                                            \
    X(FINDING_EXITED_BEFORE_BARRIER, "exited_before_barrier")                                      \
    X(FINDING_MISALIGNED, "misaligned")                                                            \
    X(FINDING_INPUT_WRITTEN, "input_written")                                                      \
    X(FINDING_CRASH, "crash")                                                                      \
    X(FINDING_TIME_LIMIT, "time_limit")                                                            \
    X(FINDING_OUTPUT_LIMIT, "output_limit")                                                        \
    X(FINDING_HOST, "host")

#define FINDING_ENUMERATOR(enumerator, name) enumerator,
enum finding_kind { FINDING_KINDS(FINDING_ENUMERATOR) FINDING_KIND_COUNT };
#undef FINDING_ENUMERATOR

// The name in result.json; "unknown" for an invalid number.
const char *finding_kind_name(uint32_t kind);

// The weight of a finding: a note is information, a warning accompanies a verdict, an error makes
// one.
enum finding_severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };

// Why a thread crashed (FINDING_CRASH).
#define CRASH_CAUSES(X)                                                                            \
    X(CRASH_NONE, "none")                                                                          \
    X(CRASH_NULL_POINTER, "null pointer")                                                          \
    X(CRASH_WILD_POINTER, "wild pointer")                                                          \
    X(CRASH_NOT_SHARED, "not shared memory")                                                       \
    X(CRASH_NOT_GLOBAL, "not global memory")                                                       \
    X(CRASH_NO_MBARRIER, "no mbarrier")                                                            \
    X(CRASH_NO_MBARRIER_THERE, "no mbarrier in another block")                                     \
    X(CRASH_MBARRIER_COUNT, "mbarrier count")                                                      \
    X(CRASH_MBARRIER_ARRIVALS, "mbarrier arrivals")                                                \
    X(CRASH_MBARRIER_BYTES, "mbarrier bytes")                                                      \
    X(CRASH_MBARRIER_PARITY, "mbarrier parity")                                                    \
    X(CRASH_MBARRIER_LIVE, "mbarrier initialised again")                                           \
    X(CRASH_MBARRIER_STORED, "mbarrier stored to")                                                 \
    X(CRASH_COPY_SIZE, "bulk copy size")                                                           \
    X(CRASH_NO_TENSOR_MAP, "no tensor map")                                                        \
    X(CRASH_TENSOR_MAP_EMPTY, "empty tensor map")                                                  \
    X(CRASH_TENSOR_MAP_TOUCHED, "tensor map touched")                                              \
    X(CRASH_TENSOR_RANK, "tensor rank")                                                            \
    X(CRASH_TENSOR_COLUMN, "tensor column")                                                        \
    X(CRASH_NOT_LOCAL, "not a local array")                                                        \
    X(CRASH_ATOMIC_ON_LOCAL, "atomic operation on local memory")                                   \
    X(CRASH_CLUSTER_RANK, "cluster rank")                                                          \
    X(CRASH_CLUSTER_MASK, "cluster mask")                                                          \
    X(CRASH_CLUSTER_PAIR, "cluster arrive and wait")                                               \
    X(CRASH_NOT_COOPERATIVE, "barrier of the grid in a normal launch")                             \
    X(CRASH_CLUSTER_POINTER, "pointer of another block")                                           \
    X(CRASH_STACK_OVERFLOW, "stack overflow")                                                      \
    X(CRASH_DIVISION_BY_ZERO, "division by zero")                                                  \
    X(CRASH_SHIFT, "shift by too much")                                                            \
    X(CRASH_CONVERSION, "conversion out of range")                                                 \
    X(CRASH_TRAP, "trap")                                                                          \
    X(CRASH_ASSERT, "assertion failed")                                                            \
    X(CRASH_SIGNAL, "signal")                                                                      \
    X(CRASH_HOST_POINTER, "pointer to host memory")

#define CRASH_ENUMERATOR(enumerator, text) enumerator,
enum crash_cause { CRASH_CAUSES(CRASH_ENUMERATOR) CRASH_CAUSE_COUNT };
#undef CRASH_ENUMERATOR

// The memory that an access touched.
enum memory_space {
    SPACE_NONE,      // no memory is part of the finding
    SPACE_GLOBAL,    // a parameter or the workspace: array is its number, enum global_array
    SPACE_SHARED,    // a __shared__ array: array is its index in struct shared_array_table
    SPACE_CONSTANT,  // __constant__ or other static data of the kernel file
    SPACE_UNKNOWN,   // no known array (a wild pointer)
    SPACE_COUNT
};

// An array has the number of its parameter; these are the numbers for a product.
enum global_array {
    ARRAY_A,
    ARRAY_B,
    ARRAY_C,
    ARRAY_WORKSPACE = ARGUMENTS_MAX,
    GLOBAL_ARRAY_COUNT
};
#define MATRIX_COUNT 3  // A, B and C
#define ARRAY_NONE   0xffffffffu

#define MBARRIER_BYTES 8u  // of shared memory

enum access_kind { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_KIND_COUNT };

// Bits of struct finding.flags.
#define FINDING_SAME_WARP      1u   // in every instance both threads are lanes of one warp
#define FINDING_BETWEEN_BLOCKS 2u   // the two threads belong to different blocks
#define FINDING_SAME_VALUE     4u   // every thread stored the same bytes
#define FINDING_BLOCKS_WAIT    8u   // the maximum of blocks wait; others have not begun
#define FINDING_UNSIGNED       16u  // the index is a negative number as an unsigned one

// The float that a lane gets from a lane outside a shuffle, and that a sum of a wgmma gets from
// bytes that nothing has set: a NaN that arithmetic propagates, but never creates.
#define LANE_JUNK_BITS 0xffffffffu

// Values that go with a finding, first the index; VALUE_NONE in place of a value that is not an
// integer.
#define FINDING_VALUES_MAX 16
#define VALUE_NONE         INT64_MIN

// One finding:
//
//   RACE                   access at pc by thread, conflicting one at other_pc by other_thread,
//                          in the order in which a thread reaches the two places; detail is enum
//                          race_gap, and parties are enum race_parties
//   OUT_OF_BOUNDS          access at pc; offset and array_bytes say how far outside; detail is enum
//                          outside
//   UNINITIALIZED          read at pc of what has not been set; detail is enum unset
//   BARRIER_DIVERGENCE     count_waiting threads wait at pc; others wait at other_pc, or never
//                          arrive (other_pc 0); detail is enum lane_call_fault
//   EXITED_BEFORE_BARRIER  threads had returned (at other_pc) before the barrier at pc
//   MISALIGNED             access at pc whose address is not a multiple of access_bytes; detail is
//                          enum misaligned
//   INPUT_WRITTEN          write at pc to A or B
//   CRASH                  detail is enum crash_cause; if a number of an mbarrier is refused, it is
//                          `offset`, and array_bytes the largest one allowed
//   HOST                   detail is enum host_fault
//   TIME_LIMIT             pc is where the thread was when its budget ended; detail is enum budget
enum lane_call_fault {
    LANE_CALL_FINE,    // the call itself is right
    LANE_CALL_MASK,    // the mask does not contain the calling lane
    LANE_CALL_WIDTH,   // the width of a shuffle is not a power of two from 1 to 32
    LANE_CALL_ABSENT,  // lanes wait for others of their mask that make no such call; if these wait
                       // at a barrier of the block, it is at other_pc
    LANE_CALL_APART,   // lanes wait for others of their mask that wait in another call, at other_pc
    LANE_CALL_MATRIX,  // lanes wait in a call of <mma.h> or ptx.cuh that not all of their warp make
    // Threads wait for a phase of an mbarrier that never completes.  Threads at other_pc wait for
    // an arrival of threads at pc.
    PHASE_LACKS_ARRIVALS,  // count_absent of them
    PHASE_LACKS_BYTES,     // phase_bytes that were expected
    PHASE_EXCEEDS_BYTES,   // phase_bytes more were copied than expected
    PHASES_OF_TWO,         // phases of two mbarriers, at pc and other_pc, lack arrivals
    // Calls of a warpgroup.
    WARPGROUP_CALL_ABSENT,  // threads wait in a call that not all of their warpgroup make
    WARPGROUP_CALL_VALUES,  // the threads pass different arguments; other_thread is one
    // Threads wait at the barrier of their cluster; others are at other_pc, or have ended.
    CLUSTER_LACKS_THREADS,
    GRID_LACKS_BLOCKS,  // the same of a cooperative launch: count_absent blocks have ended
    LANE_CALL_COUNT
};

// A mistake of the host code of a program (FINDING_HOST).  Unless something else is said, pc is the
// call or access of the host, array and offset the place in device memory, array_bytes its size.
enum host_fault {
    HOST_ACCESS,         // the host loads or stores (access) device memory itself
    HOST_PAST_DEVICE,    // a call uses `other_offset` bytes of which the array has fewer
    HOST_PAST_HOST,      // … of host memory: array_bytes; the array is the other side of the copy
    HOST_WRONG_WAY,      // the direction of a copy does not fit its pointers
    HOST_UNSET_COPIED,   // bytes that nothing has stored are copied back; other_pc: the last copy
    HOST_FREED_TWICE,    // other_pc: freed before
    HOST_FREED_INSIDE,   // a pointer into an array is freed, not its start
    HOST_FREED_FOREIGN,  // the function does not free this memory (access: enum host_memory)
    HOST_FREED_USED,     // freed memory is used; other_pc: freed there
    HOST_LEAK,           // pc: an array that is never freed
    HOST_LAUNCH_FAILED,  // nothing looked at the error: access is the error, other_offset the value
    HOST_CALL_FAILED,    // the same of another call
    HOST_RACE,           // nothing orders two uses; other_pc: the earlier call; pc: call or access
    HOST_HANDLE,         // a stream or event that does not exist, or (other_pc) was destroyed
    HOST_OTHER_DEVICE,   // a stream or event of device `offset` is used with other_offset
    HOST_OTHERS_MEMORY,  // a kernel that other_pc launches uses memory of device other_offset
    HOST_UNRECORDED,     // an event that was never recorded
    HOST_SYMBOL,         // a variable of the device is used as a pointer
    HOST_CRASH,          // the host code itself crashed: access is enum crash_cause
    HOST_UNREAD,         // an array that kernels stored to, and nothing has read since
    HOST_UNCOVERED,  // the launch at pc used an element of the array for each thread, and other_pc
                     // copies more (offset: the first)
    HOST_FEW_BYTES,  // a copy takes other_offset bytes of an array of as many elements, of which
                     // kernels have stored more: access_bytes is the size of one
    HOST_FILLED_BYTES,  // a fill sets each byte to other_offset, of an element of several
    HOST_INDEX,         // an index `offset` of a host's array of array_bytes elements
    // Of the host function of an exercise, at pc:
    HOST_EXIT,       // it ends the process; access: the error of the last failed call, at other_pc
    HOST_ENDLESS,    // it does not return
    HOST_NO_LAUNCH,  // it has launched no kernel
    HOST_FAULT_COUNT
};

// What is wrong with a launch (HOST_LAUNCH_FAILED, in phases).
enum launch_fault {
    LAUNCH_NO_THREADS,
    LAUNCH_NO_BLOCKS,
    LAUNCH_MANY_THREADS,
    LAUNCH_DEEP_BLOCK,
    LAUNCH_LARGE_GRID,
    LAUNCH_MUCH_SHARED,
    LAUNCH_SHARED_NOT_ASKED,
    LAUNCH_MANY_PARAMETERS,
    LAUNCH_MANY_TOGETHER,  // a cooperative launch
    LAUNCH_FAULT_COUNT
};

// The kinds of memory that a program knows.
enum host_memory { MEMORY_OF_HOST, MEMORY_OF_DEVICE, MEMORY_MANAGED, MEMORY_PINNED };

// The kind of bounds that an access exceeds.
enum outside {
    OUTSIDE_ARRAY,
    OUTSIDE_DYNAMIC,  // the array is `extern __shared__`: the launch gives its size
    OUTSIDE_ROW,      // an inner dimension; it may be inside the array
    OUTSIDE_LOCAL,    // an array or a variable of the thread, which is not known
    OUTSIDE_COUNT
};

// The kind of unset value that was read.
enum unset {
    UNSET_MEMORY,  // bytes that no thread of the block has written
    UNSET_LANE,    // the value of lane `offset` of a warp, which does not participate
    UNSET_SUMS,    // sums that a wgmma adds to
    UNSET_COUNT
};

// The kind of object at a misaligned address.
enum misaligned {
    MISALIGNED_ACCESS,
    MISALIGNED_FRAGMENT,      // the first element of a fragment of <mma.h>
    MISALIGNED_FRAGMENT_ROW,  // the next row or column of a fragment: the row length is wrong
    MISALIGNED_BOX,           // in shared memory, of a bulk tensor copy
    MISALIGNED_ROWS,          // eight rows of a swizzled factor of wgmma
    MISALIGNED_COUNT
};

// The budget that a launch has used up.
enum budget {
    BUDGET_TIME,      // processor time, also that of checkers and counter
    BUDGET_ACCESSES,  // more accesses than any kernel of this size may make
    BUDGET_LOOP       // processor time, by a loop without accesses
};

// The kinds of the two accesses of a race.
enum race_parties {
    PARTIES_THREADS,
    // Two unordered atomic operations whose order shows: a note, unless C is found to depend on it.
    PARTIES_ATOMICS,
    PARTIES_BLOCK_SCOPE,  // two atomic operations of two blocks, one of block scope
    PARTIES_COPY,         // the store at pc is an asynchronous copy, not yet waited for
    PARTIES_BULK,         // the same for a bulk copy: an mbarrier says when it has stored, and a
                          // wait for its group when it has read
    PARTIES_WGMMA,        // a wgmma, not yet waited for, reads at pc
    PARTIES_WGMMA_READS,  // a wgmma reads at other_pc
    PARTIES_REGISTERS,    // an access at pc to what the wgmma at other_pc uses: its sums, or
                          // registers of A
    PARTIES_SUMS,         // the wgmma at pc, not yet waited for, computes what is accessed
    PARTIES_COUNT
};

// The ordering that two accesses of a race lack.  Only in a file with fences it is more than
// "order".
enum race_gap {
    RACE_UNORDERED,
    RACE_LACKS_RELEASE,  // a fence before the strong store that hands over
    RACE_LACKS_ACQUIRE,  // a fence after the strong load that takes over
    RACE_TOO_EARLY,      // the access comes after its thread has handed over
    RACE_AMONG_LOCKS,    // order; exchanges since the last barrier may belong to a lock
    RACE_AMONG_PHASES,   // order, in a block that uses mbarriers
    RACE_LACKS_PROXY,    // fence.proxy.async, between a store and the read of a bulk copy
    RACE_OF_FLAG,        // a fence before the store, if the word is a flag that is waited for
    RACE_LACKS_WGMMA,  // wgmma.fence, between an access at pc to registers and a wgmma at other_pc
                       // that uses them; if these are one place: before the first wgmma
    RACE_OF_MBARRIER,  // order: mbarrier.init (a write) at pc, or mbarrier.inval at other_pc
    RACE_RELAXED,      // an arrival at an mbarrier that releases the store, not a relaxed one
    RACE_LACKS_WARP,   // a __syncwarp before one lane arrives at an mbarrier for its warp
    RACE_AT_END,       // a wait of its thread for the bulk copy at pc, before the block ends
    RACE_LOST_UPDATE,  // one atomic operation in place of those at pc and other_pc
    RACE_GIVEN_UP,     // another try: the compare-and-exchange at other_pc has failed
    RACE_READ_ONLY,    // nothing: after the store at pc, __ldg may still read an older value
    // Between two launches; other_pc is the access of the earlier one, 0 if it has several places:
    RACE_LACKS_GRID_WAIT,        // griddepcontrol.wait
    RACE_LAUNCH_NOT_WAITED_FOR,  // the same for the launches between the two
    // Of two blocks of a cluster, in shared memory:
    RACE_IN_CLUSTER,    // order
    RACE_BLOCK_BEGINS,  // the block may not run yet; other_pc is 0
    RACE_BLOCK_ENDS,    // the block may have ended, by the `return` at other_pc, or (0) at its end
    // Of an asynchronous copy at pc:
    RACE_REFILLED,      // order; the read may be meant for the data of an earlier copy
    RACE_LACKS_COMMIT,  // its thread must commit, to close the copy's group
    RACE_GAP_COUNT
};

// An array of a whole program.
struct program_array {
    uint64_t pc;  // the call that allocated it; 0: a variable
    uint64_t bytes;
    uint32_t element_bytes;     // 0 if unknown
    uint32_t memory;            // enum host_memory
    char name[ARRAY_NAME_MAX];  // of a variable; of others the judge fills it in, "" if unknown
    uint64_t launch_pc;         // the launch of the kernel; 0: host code
    // The call that freed it, or the last one that copied to it, if that ended before a place that
    // was read and never stored; 0: neither.
    uint64_t call_pc;
};

struct finding {
    uint32_t kind;      // enum finding_kind
    uint32_t severity;  // enum finding_severity
    uint32_t detail;    // by kind, else 0
    uint32_t flags;     // FINDING_ bits
    uint64_t pc;        // address of the call in the worker's program (non-PIE), 0 if unknown
    uint64_t
        other_pc;  // FINDING_UNINITIALIZED: the store of another block that came too late, or 0
    // The call in the kernel through which one thread came to pc; 0: pc is in the kernel itself, or
    // it is not known.
    uint64_t call_pc;
    uint64_t count;  // how often this kind and pair of places was seen in the launch
    uint32_t space;  // enum memory_space
    uint32_t array;
    int64_t offset;        // bytes from the start of the array; may be outside it
    uint64_t array_bytes;  // size of the array in bytes
    uint32_t access;       // enum access_kind of the access at pc
    uint32_t other_access;
    uint32_t access_bytes;   // 1, 2, 4, 8, 16, 32 or 128
    uint32_t parties;        // enum race_parties
    uint32_t count_waiting;  // threads waiting at pc (barrier findings)
    uint32_t count_absent;   // threads elsewhere, exited or not arriving (barrier findings)
    // Of phases that never complete; array and offset are the mbarrier:
    uint32_t count_other;    // threads waiting at other_pc
    uint32_t absent_other;   // arrivals that their phase lacks
    uint32_t other_array;    // the mbarrier of that phase, in shared memory
    uint32_t phases;         // complete ones of the mbarrier
    uint32_t phases_missed;  // phases that the threads at pc missed after waiting in turn
    uint32_t inits;          // mbarriers of this block that were initialised at init_pc
    uint32_t init_number;    // number among these, by address from 0
    uint32_t init_line;      // of init_pc; the judge fills it in, 0 if unknown
    uint64_t init_pc;        // of the mbarrier.init
    int64_t phase_bytes;     // bytes that the phase lacks, or that are too many
    int64_t other_offset;
    uint32_t block[3];   // blockIdx x, y, z
    uint32_t thread[3];  // threadIdx x, y, z
    uint32_t other_block[3];
    uint32_t other_thread[3];
    uint32_t line;  // source line of pc, column 0: the judge fills these in, 0 if unknown
    uint32_t other_line;
    // The values that the thread noted last (emu_note_values), in a build that explains a finding;
    // else none.
    uint32_t value_count;
    uint32_t call_line;  // of call_pc; the judge fills it in, 0 if unknown
    int64_t value[FINDING_VALUES_MAX];
    struct program_array of_program;  // in a program: the array in global memory, if there is one
};

// The __shared__ arrays of one kernel file.  The judge reads them from the linked program (its
// symbols give names, types and sizes) and passes them to the worker, which needs only offsets and
// sizes.
struct shared_array {
    uint64_t offset;                  // from the start of the thread-local segment
    uint64_t bytes;                   // 0 for `extern __shared__`: the launch sets it
    uint32_t element_bytes;           // of the innermost type, 0 if unknown
    uint32_t rank;                    // dimensions known, 0 to ARRAY_RANK_MAX
    uint32_t extent[ARRAY_RANK_MAX];  // outermost first; extent[0] is 0 for `extern T s[]`
    uint32_t is_dynamic;              // `extern __shared__`
    char name[ARRAY_NAME_MAX];        // NUL-terminated, identifier characters only
};

struct shared_array_table {
    uint32_t count;
    uint32_t reserved;
    struct shared_array array[SHARED_ARRAYS_MAX];
};

// Findings that do not fit are counted in dropped.
struct findings {
    uint32_t count;
    uint32_t dropped;
    struct finding list[FINDINGS_MAX];
};

void findings_clear(struct findings *findings);

bool finding_is_outside(const struct finding *finding, enum outside what);

// True if an update of a word by two atomic operations is lost.
bool finding_is_lost_update(const struct finding *finding);

// True if a race of two blocks needs more than the barrier that would end it within one block.  Two
// stores need more anyway.
bool finding_is_between_blocks(const struct finding *finding);

// True if both have the same kind, space, array, pc and other_pc.  If the read value is not stored
// yet, other_pc is known only later, and does not count.
bool finding_is_same(const struct finding *a, const struct finding *b);

// Adds one finding, or raises the count of an equal one.  Of its instances, the first of the most
// severe is kept: an error before a note, then accesses between blocks (finding_is_between_blocks),
// then threads of two warps before threads of one.  So FINDING_SAME_WARP means that every instance
// was within a warp.
//
// Returns  true if it is new.  A finding->count of 0 means 1.
bool findings_add(struct findings *findings, const struct finding *finding);

// Called by findings_add for each instance that it keeps, before it returns: by the worker of the
// CPU device, which adds the values that the thread noted, and informs the judge immediately
// (emu/machine/machine.c).  Absent in other programs.
void findings_kept(struct finding *finding) __attribute__((weak));

// True if the finding is in the list, with an instance that weighs no less.
bool findings_hold(const struct findings *findings, const struct finding *finding);

// The fast half of findings_add, for findings that come by the million: needs only key's kind,
// severity, flags, space, array, pc, other_pc and the kinds of its accesses.
//
// Returns  true if nothing more is needed: the count was raised, and the kept instance stays.
bool findings_repeat(struct findings *findings, const struct finding *key);

// Writes threadIdx of a linear index in the block.
void findings_thread(const uint32_t block[3], uint32_t linear, uint32_t ret_thread[3]);

#define ANNOUNCEMENT_MAGIC 0x5447414eu  // "TGAN"

// The run of the blocks that saw the finding.
enum announcement_run {
    ANNOUNCED_IN_CONFIG,  // LAUNCH_CONFIG: it must not be launched
    ANNOUNCED_IN_SHARE,   // one process of several: the launch must run again in one
    ANNOUNCED_ALONE,      // the finding stands
    ANNOUNCEMENT_RUN_COUNT
};

struct announcement {
    uint32_t magic;
    uint32_t run;    // enum announcement_run
    uint64_t nonce;  // of the request
    struct finding finding;
};

#endif
