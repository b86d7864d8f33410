// The observation, in a few words, by kind of finding.
#include "base/basics.h"
#include "judge/say/finding_facts.h"

// --- Races ---------------------------------------------------------------------------------------

static const struct row events[] = {
    SAY("{line} stores {element}, then {other_line} stores it too", IF_BOTH_STORE),
    SAY("{line} changes {element} with an atomic operation, then {other_line} reads it", IF_CHANGES,
        IF_OTHER_READS),
    SAY("{line} changes {element} with an atomic operation, then {other_line} stores it",
        IF_CHANGES),
    SAY("{line} reads {element}, then {other_line} changes it with an atomic operation",
        IF_OTHER_CHANGES, IF_READS),
    SAY("{line} stores {element}, then {other_line} changes it with an atomic operation",
        IF_OTHER_CHANGES),
    SAY("{line} reads {element}, then {other_line} stores it", IF_READS),
    SAY("{line} stores {element}, then {other_line} reads it", IF_ALWAYS),
};
const struct rows finding_events = ROWS(events);

static const struct row barrier[] = {
    SAY("a `{syncthreads}()` is missing before line {round_before} of the next round", IF_IN_ROUND),
    SAY("a `{syncthreads}()` is missing after loading", IF_NO_PLACE, IF_LOADING),
    SAY("a `{syncthreads}()` is missing after computing", IF_NO_PLACE, IF_COMPUTING),
    SAY("a `{syncthreads}()` is missing", IF_NO_PLACE),
    SAY("a `{syncthreads}()` is missing after loading (between line {after} and line {before})",
        IF_GOES_ON, IF_LOADING),
    SAY("a `{syncthreads}()` is missing after computing (between line {after} and line {before})",
        IF_GOES_ON, IF_COMPUTING),
    SAY("a `{syncthreads}()` is missing between line {after} and line {before}", IF_GOES_ON),
    SAY("a `{syncthreads}()` is missing after loading, before line {before} of the next round",
        IF_GOES_BACK, IF_LOADING),
    SAY("a `{syncthreads}()` is missing after computing, before line {before} of the next round",
        IF_GOES_BACK, IF_COMPUTING),
    SAY("a `{syncthreads}()` is missing before line {before} of the next round", IF_GOES_BACK),
    SAY("a `{syncthreads}()` is missing in line {after}, between reading and storing",
        IF_TEXT_READS_FIRST),
    SAY("a `{syncthreads}()` is missing in line {after}, between storing and reading", IF_ALWAYS),
};
const struct rows finding_barrier = ROWS(barrier);

static const struct row races[] = {
    // A wgmma, and sums of it or registers of A
    SAY("{other_line} reads sums that the wgmma of {line} still computes: wait for its group first",
        IF_WGMMA, IF_LOCAL, IF_UNDER_WAY, IF_OTHER_READS),
    SAY("{other_line} changes sums that the wgmma of {line} still computes: wait for its group "
        "first",
        IF_WGMMA, IF_LOCAL, IF_UNDER_WAY),
    SAY("a `wgmma.fence` is missing before the first wgmma, in {line}", IF_WGMMA, IF_LOCAL,
        IF_ONE_PLACE),
    SAY("a `wgmma.fence` is missing between {line}, which reads or sets an array, and the wgmma in "
        "{other_line}, which uses it",
        IF_WGMMA, IF_LOCAL),
    // … and its tiles
    SAY("{other_line} stores {element} while the wgmma of {line} still reads it: wait for its "
        "group first, or store to another place",
        IF_WGMMA, IF_UNDER_WAY),
    SAY("a `fence.proxy.async` is missing before the wgmma: {line} stores {element}, then "
        "{other_line} reads it",
        IF_WGMMA),
    // Two atomic operations
    SAY("an update of {element} is lost: another thread changes it between {line}, which reads it, "
        "and {other_line}, which sets it by what was read",
        DETAIL(RACE_LOST_UPDATE)),
    SAY("an update of {element} is lost: another thread changes it after {line}, so the "
        "compare-and-exchange in {other_line} fails, and is not tried again",
        DETAIL(RACE_GIVEN_UP)),
    SAY("nothing orders the atomic operations on {element} in {line} and in {other_line}, and the "
        "result depends on which comes first",
        IF_UNORDERED),
    SAY("block {block_numbers} changes {element} with an atomic operation in {line}, and so does "
        "block {other_numbers} in {other_line}, but the `_block` forms are atomic only within one "
        "block",
        IF_BLOCK_SCOPE),
    // A copy that is still in flight
    SAY("the block may end while the bulk copy of {line} still reads {element}: wait for its group "
        "first",
        DETAIL(RACE_AT_END), IF_UNDER_WAY),
    SAY("{other_line} stores {element} while the bulk copy of {line} still reads it: wait for its "
        "group first, or store to another place",
        IF_UNDER_WAY, IF_READS),
    SAY("{other_line} reads {element} while the asynchronous copy of {line} fills it again: one of "
        "the two must wait for the other",
        DETAIL(RACE_REFILLED), IF_UNDER_WAY),
    SAY("{other_line} reads {element} while the asynchronous copy of {line} still fills it: wait "
        "for the copy",
        IF_UNDER_WAY, IF_OTHER_READS),
    SAY("{other_line} changes {element} with an atomic operation while the asynchronous copy of "
        "{line} still fills it: wait for it first, or copy to another place",
        IF_UNDER_WAY, IF_OTHER_CHANGES),
    SAY("{other_line} stores {element} while another asynchronous copy of {line} still fills it: "
        "wait for it first, or copy to another place",
        IF_UNDER_WAY, IF_ONE_LINE),
    SAY("{other_line} stores {element} while the asynchronous copy of {line} still fills it: wait "
        "for it first, or copy to another place",
        IF_UNDER_WAY),
    // mbarrier.init must come before other operations of an mbarrier, mbarrier.inval after them
    SAY("nothing orders the mbarrier.init of {element} in {line} before its use in {other_line}",
        DETAIL(RACE_OF_MBARRIER), IF_STORES),
    SAY("nothing orders the use of the mbarrier {element} in {line} before its mbarrier.inval in "
        "{other_line}",
        DETAIL(RACE_OF_MBARRIER)),
    // Two launches
    SAY("{line} reads {element}, which {other_line} of an earlier launch stores, without waiting "
        "for that launch",
        IF_OF_LAUNCHES, IF_READS),
    SAY("{line} stores {element}, which {other_line} of an earlier launch reads, without waiting "
        "for that launch",
        IF_OF_LAUNCHES, IF_OTHER_READS),
    SAY("{line} stores {element}, which {other_line} of an earlier launch stores too, without "
        "waiting for that launch",
        IF_OF_LAUNCHES),
    // Two blocks of a cluster, if one may not be running
    SAY("nothing orders these accesses by two blocks of a cluster: {events}",
        DETAIL(RACE_IN_CLUSTER)),
    SAY("{line} reads {element} of another block of the cluster, which may not have begun yet",
        DETAIL(RACE_BLOCK_BEGINS), IF_READS),
    SAY("{line} stores {element} of another block of the cluster, which may not have begun yet",
        DETAIL(RACE_BLOCK_BEGINS)),
    SAY("{line} reads {element} of another block of the cluster, which may have ended before",
        IF_IN_CLUSTER, IF_READS),
    SAY("{line} stores {element} of another block of the cluster, which may have ended before",
        IF_IN_CLUSTER),
    // Threads that synchronize by flags, tickets, locks or phases
    SAY("nothing orders these two accesses: {events}", DETAIL(RACE_AMONG_LOCKS)),
    SAY("nothing orders these two accesses: {events}", DETAIL(RACE_AMONG_PHASES)),
    SAY("a `fence.proxy.async` is missing before the bulk copy: {events}",
        DETAIL(RACE_LACKS_PROXY)),
    SAY("{line} changes {element}, then {other_line} of the same launch reads it with `__ldg`",
        DETAIL(RACE_READ_ONLY)),
    SAY("a `__syncwarp()` is missing before one lane arrives at the mbarrier for its warp: "
        "{events}",
        DETAIL(RACE_LACKS_WARP)),
    SAY("the arrival between these two accesses is relaxed, so it hands on no store: {events}",
        DETAIL(RACE_RELAXED)),
    SAY("a `{threadfence}()` is missing before the flag or atomic operation that hands it over: "
        "{events}",
        DETAIL(RACE_LACKS_RELEASE)),
    SAY("a `{threadfence}()` is missing after the flag or atomic operation that was waited for: "
        "{events}",
        DETAIL(RACE_LACKS_ACQUIRE)),
    SAY("the flag or atomic operation that was waited for comes before the first of these "
        "accesses: {events}",
        IF_LACKS_MORE),
    // Only a barrier is missing
    SAY("several threads change {element} in {line} at the same time: each reads it, then stores "
        "it",
        IF_UPDATE),
    SAY("{element} is written by two blocks, {block_numbers} and {other_numbers}, with the same "
        "value",
        IF_BETWEEN_BLOCKS, IF_WRITES_TWICE, IF_SAME_VALUE),
    SAY("{element} is written by two blocks, {block_numbers} and {other_numbers}",
        IF_BETWEEN_BLOCKS, IF_WRITES_TWICE),
    SAY("block {block_numbers} changes {element} with an atomic operation in {line}, and block "
        "{other_numbers} reads it in {other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS, IF_CHANGES, IF_OTHER_READS),
    SAY("block {block_numbers} changes {element} with an atomic operation in {line}, and block "
        "{other_numbers} stores it in {other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS, IF_CHANGES),
    SAY("block {block_numbers} reads {element} in {line}, and block {other_numbers} changes it "
        "with an atomic operation in {other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS, IF_OTHER_CHANGES, IF_READS),
    SAY("block {block_numbers} stores {element} in {line}, and block {other_numbers} changes it "
        "with an atomic operation in {other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS, IF_OTHER_CHANGES),
    SAY("block {block_numbers} reads {element} in {line}, and block {other_numbers} stores it in "
        "{other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS, IF_READS),
    SAY("block {block_numbers} stores {element} in {line}, and block {other_numbers} reads it in "
        "{other_line}: nothing orders two blocks",
        IF_BETWEEN_BLOCKS),
    SAY("two threads store the same value to {element}, both in {line}, and nothing orders them",
        IF_WRITES_TWICE, IF_ONE_LINE, IF_SAME_VALUE),
    SAY("two threads store {element}, both in {line}, and nothing orders them", IF_WRITES_TWICE,
        IF_ONE_LINE),
    SAY("two threads store the same value to {element}: one in {line}, the other in {other_line}, "
        "and nothing orders them",
        IF_WRITES_TWICE, IF_SAME_VALUE),
    SAY("two threads store {element}: one in {line}, the other in {other_line}, and nothing orders "
        "them",
        IF_WRITES_TWICE),
    SAY("nothing orders these two accesses: {events}", IF_BARRIER_IS_NO_HELP),
    SAY("{barrier}: {events}", IF_ALWAYS),
};

// --- One access ----------------------------------------------------------------------------------

static const struct row bounds[] = {
    // Seen before the access: offset is the index, and size the number of elements
    SAY("the index {offset} was used in {mark}, where {marked} has elements 0 to {last}",
        IF_INNER_ROW, IF_HAS_MARK),
    SAY("the index {offset} was used where an array has elements 0 to {last}; in this line that "
        "could be {extent}",
        IF_INNER_ROW, IF_HAS_EXTENT),
    SAY("the index {offset} was used where an array has elements 0 to {last}", IF_INNER_ROW),
    SAY("a part of this read is outside of the thread's own array or variable", IF_LOCAL, IF_READS),
    SAY("a part of this store is outside of the thread's own array or variable", IF_LOCAL),
    SAY("a `__constant__` variable of {size} bytes was read {bytes_before} bytes before its start",
        IF_CONSTANT, IF_BEFORE_START),
    SAY("{access_bytes} bytes were read at byte {offset} of a `__constant__` variable of {size} "
        "bytes",
        IF_CONSTANT),
    SAY("memory that belongs to no array was {used}", IF_NO_ARRAY),
    SAY("{array} was {used} {bytes_before} bytes before its start: an unsigned index went "
        "below 0",
        IF_UNSIGNED),
    SAY("{array} was {used} {bytes_before} bytes before its start: an index is negative",
        IF_BEFORE_START),
    SAY("{array} was {used}, but {other_line} has freed it", IF_PROGRAM, IF_GLOBAL, IF_EMPTY,
        IF_OTHER_KNOWN),
    SAY("{array} was {used}, but it has been freed", IF_PROGRAM, IF_GLOBAL, IF_EMPTY),
    // The launch says how much `extern __shared__` memory there is
    SAY("{element} was {used}, but the launch asks for only {size} bytes of dynamic shared memory",
        IF_PROGRAM, IF_DYNAMIC),
    SAY("{element} was {used}, but LAUNCH_CONFIG asks for no dynamic shared memory: "
        "`launch->shared_bytes` is 0",
        IF_DYNAMIC, IF_HAS_INDEX, IF_EMPTY),
    SAY("{element} was {used}, but LAUNCH_CONFIG asks for only {size} bytes of dynamic shared "
        "memory: {extent}",
        IF_DYNAMIC, IF_HAS_INDEX, IF_HAS_EXTENT),
    SAY("{element} was {used}, but LAUNCH_CONFIG asks for only {size} bytes of dynamic shared "
        "memory",
        IF_DYNAMIC, IF_HAS_INDEX),
    SAY("the {access_bytes} bytes at {element} were {used}, but {array} ends after {bytes_inside} "
        "of them",
        IF_PARTLY_INSIDE),
    SAY("{element} was {used}, but {extent}", IF_HAS_EXTENT),
    SAY("{array} was {used} {bytes_past} bytes past its end", IF_ALWAYS),
};

static const struct row unset[] = {
    SAY("the wgmma in {line} adds to sums that have no value yet", IF_WGMMA),
    SAY("the shuffle reads the value of lane {offset}, which takes no part in it", IF_LANE),
    SAY("{block} reads {element} in {line} before {other_block} stores it in {other_line}",
        IF_BETWEEN_BLOCKS),
    SAY("{element} was read, but nothing had been stored there: the call in {other_line} ends "
        "before it",
        IF_PROGRAM, IF_OTHER_KNOWN),
    SAY("{element} was read, but nothing had been stored there", IF_ALWAYS),
};

static const struct row misaligned[] = {
    SAY("the address of a vector access is not a multiple of its size", IF_SIZE_UNKNOWN),
    SAY("the fragment starts at {element}, whose address is not a multiple of {access_bytes}",
        DETAIL(MISALIGNED_FRAGMENT)),
    SAY("the second row or column of the fragment starts at {element}, whose address is not a "
        "multiple of {access_bytes}",
        DETAIL(MISALIGNED_FRAGMENT_ROW)),
    SAY("the box of a bulk tensor copy starts at {element}, whose address is not a multiple of "
        "{access_bytes}",
        DETAIL(MISALIGNED_BOX)),
    SAY("`wgmma` reads a factor from {element} on, but groups of eight rows with this swizzle "
        "begin at a multiple of {access_bytes} bytes",
        DETAIL(MISALIGNED_ROWS)),
    SAY("{access_bytes} bytes of a local variable were {used} in one access, at an address that is "
        "not a multiple of {access_bytes}",
        IF_NO_ARRAY),
    SAY("{access_bytes} bytes were {used} in one access at {element}, whose address is not a "
        "multiple of {access_bytes}",
        IF_ALWAYS),
};

static const struct row input_written[] = {
    SAY("{element} was changed, but it is an input", IF_ALWAYS),
};

// --- Threads that wait ---------------------------------------------------------------------------

static const struct row divergence[] = {
    SAY("threads wait at the barrier of the cluster in {line}, but others of the cluster wait in "
        "{other_line}",
        DETAIL(CLUSTER_LACKS_THREADS), IF_OTHER_KNOWN),
    SAY("threads wait at the barrier of the cluster in {line}, but others of the cluster never "
        "arrive",
        DETAIL(CLUSTER_LACKS_THREADS)),
    SAY("the threads of a block wait at the barrier of the grid in {line}, but other blocks have "
        "ended without it",
        DETAIL(GRID_LACKS_BLOCKS)),
    // A phase of an mbarrier that does not end
    SAY("threads of a block wait for ever, {waiting} of them in {line}, for a phase of {mbarrier} "
        "that expects {phase_bytes} bytes which no copy has brought",
        DETAIL(PHASE_LACKS_BYTES)),
    SAY("threads of a block wait for ever, {waiting} of them in {line}, for a phase of {mbarrier} "
        "whose copies have brought {phase_bytes} bytes that it does not expect",
        DETAIL(PHASE_EXCEEDS_BYTES)),
    SAY("threads of a block wait for ever, {waiting} of them in {line}, for a phase of {mbarrier} "
        "that lacks {absent} of its arrivals",
        IF_IN_PHASE),
    // A call of lanes, or of a warpgroup, that is invalid
    SAY("the mask of the call in {line} leaves out the lane that makes the call",
        DETAIL(LANE_CALL_MASK)),
    SAY("the width of the shuffle in {line} is not a power of two from 1 to 32",
        DETAIL(LANE_CALL_WIDTH)),
    SAY("the threads of a warpgroup pass different arguments to the call in {line}",
        DETAIL(WARPGROUP_CALL_VALUES)),
    SAY("{waiting} thread waits in {line} for the rest of its warpgroup, which does not make this "
        "call",
        DETAIL(WARPGROUP_CALL_ABSENT), IF_ONE_WAITS),
    SAY("{waiting} threads wait in {line} for the rest of their warpgroup, which does not make "
        "this call",
        DETAIL(WARPGROUP_CALL_ABSENT)),
    SAY("{waiting} thread waits in {line} for the rest of its warp, which does not make this call",
        DETAIL(LANE_CALL_MATRIX), IF_ONE_WAITS),
    SAY("{waiting} threads wait in {line} for the rest of their warps, which do not make this call",
        DETAIL(LANE_CALL_MATRIX)),
    SAY("{waiting} thread waits in {line} for lanes of its mask that wait at the barrier in "
        "{other_line}",
        DETAIL(LANE_CALL_ABSENT), IF_OTHER_KNOWN, IF_ONE_WAITS),
    SAY("{waiting} threads wait in {line} for lanes of their masks that wait at the barrier in "
        "{other_line}",
        DETAIL(LANE_CALL_ABSENT), IF_OTHER_KNOWN),
    SAY("{waiting} thread waits in {line} for lanes of its mask that never arrive",
        DETAIL(LANE_CALL_ABSENT), IF_ONE_WAITS),
    SAY("{waiting} threads wait in {line} for lanes of their masks that never arrive",
        DETAIL(LANE_CALL_ABSENT)),
    SAY("{waiting} thread waits in {line} for lanes of its mask that wait in {other_line}",
        DETAIL(LANE_CALL_APART), IF_ONE_WAITS),
    SAY("{waiting} threads wait in {line} for lanes of their masks that wait in {other_line}",
        DETAIL(LANE_CALL_APART)),
    // A barrier of the block
    SAY("{waiting} thread of a block waits at the barrier in {line}, but {absent} waits at the one "
        "in {other_line}",
        IF_OTHER_KNOWN, IF_ONE_ABSENT, IF_ONE_WAITS),
    SAY("{waiting} threads of a block wait at the barrier in {line}, but {absent} waits at the one "
        "in {other_line}",
        IF_OTHER_KNOWN, IF_ONE_ABSENT),
    SAY("{waiting} thread of a block waits at the barrier in {line}, but {absent} wait at the one "
        "in {other_line}",
        IF_OTHER_KNOWN, IF_ONE_WAITS),
    SAY("{waiting} threads of a block wait at the barrier in {line}, but {absent} wait at the one "
        "in {other_line}",
        IF_OTHER_KNOWN),
    SAY("{waiting} thread of a block waits at the barrier in {line}, but {absent} never reaches it",
        IF_ONE_ABSENT, IF_ONE_WAITS),
    SAY("{waiting} threads of a block wait at the barrier in {line}, but {absent} never reaches it",
        IF_ONE_ABSENT),
    SAY("{waiting} thread of a block waits at the barrier in {line}, but {absent} never reach it",
        IF_ONE_WAITS),
    SAY("{waiting} threads of a block wait at the barrier in {line}, but {absent} never reach it",
        IF_ALWAYS),
};

static const struct row exited[] = {
    SAY("{absent} thread of a block had returned in {other_line} before the barrier in {line} that "
        "{waiting} other thread reaches",
        IF_ONE_WAITS, IF_ONE_ABSENT),
    SAY("{absent} threads of a block had returned in {other_line} before the barrier in {line} "
        "that {waiting} other thread reaches",
        IF_ONE_WAITS),
    SAY("{absent} thread of a block had returned in {other_line} before the barrier in {line} that "
        "the other {waiting} reach",
        IF_ONE_ABSENT),
    SAY("{absent} threads of a block had returned in {other_line} before the barrier in {line} "
        "that the other {waiting} reach",
        IF_ALWAYS),
};

// --- The end of a launch -------------------------------------------------------------------------

// Also used for a LAUNCH_CONFIG that does not end.
static const struct row time_limit[] = {
    SAY("the kernel has not ended: {line} was still running when the time was up", IF_LINE_KNOWN),
    SAY("the kernel has not ended: it was still running when the time was up", IF_ALWAYS),
};

static const struct row output_limit[] = {
    SAY("the kernel printed more than {kib} KiB in one launch", IF_ALWAYS),
};

static const struct row crash[] = {
    SAY("a null pointer was used", DETAIL(CRASH_NULL_POINTER)),
    SAY("the kernel used a pointer to memory of the host", DETAIL(CRASH_HOST_POINTER)),
    SAY("a pointer led to memory that belongs to no array, or that a kernel may only read, such as "
        "a __constant__ array",
        DETAIL(CRASH_WILD_POINTER)),
    SAY("an address that must be in a __shared__ array is not in shared memory",
        DETAIL(CRASH_NOT_SHARED)),
    SAY("an address that must be in an array of the kernel's parameters is not in global memory",
        DETAIL(CRASH_NOT_GLOBAL)),
    SAY("an uninitialised mbarrier was used", DETAIL(CRASH_NO_MBARRIER)),
    SAY("an mbarrier of another block of the cluster was used before that block initialised it",
        DETAIL(CRASH_NO_MBARRIER_THERE)),
    SAY("the count given to mbarrier.init was {offset}: it must be 1 to {size}",
        DETAIL(CRASH_MBARRIER_COUNT)),
    SAY("a call arrives at an mbarrier for the next phase, but this phase is not complete: it has "
        "all its arrivals, but not exactly its bytes",
        DETAIL(CRASH_MBARRIER_ARRIVALS), IF_EARLY_ARRIVAL),
    SAY("a call made arrivals at an mbarrier, {offset} in number, when its phase lacked {size}: "
        "the number must be at least 1 and at most what the phase lacks",
        DETAIL(CRASH_MBARRIER_ARRIVALS)),
    SAY("the bytes that a phase of an mbarrier expects, less those that were copied, became "
        "{offset}: they must be from -{size} to {size}",
        DETAIL(CRASH_MBARRIER_BYTES)),
    SAY("a wait for an mbarrier was given the parity {offset}: PTX defines only 0 and 1, the "
        "number of the phase modulo 2",
        DETAIL(CRASH_MBARRIER_PARITY)),
    SAY("mbarrier.init was called for an mbarrier that is in use: mbarrier.inval must come first",
        DETAIL(CRASH_MBARRIER_LIVE)),
    SAY("a store hit the 8 bytes of an mbarrier that is in use: only after mbarrier.inval may its "
        "memory serve for something else",
        DETAIL(CRASH_MBARRIER_STORED)),
    SAY("the size of a bulk copy was not a multiple of 16 bytes", DETAIL(CRASH_COPY_SIZE)),
    SAY("a bulk tensor copy was given an address that is not the address of a tensor map of the "
        "kernel's parameter, such as `&maps.at[0]`",
        DETAIL(CRASH_NO_TENSOR_MAP)),
    SAY("a bulk tensor copy used a tensor map that LAUNCH_CONFIG does not describe",
        DETAIL(CRASH_TENSOR_MAP_EMPTY)),
    SAY("the bytes of a tensor map were accessed: a kernel may only pass its address to a copy",
        DETAIL(CRASH_TENSOR_MAP_TOUCHED)),
    SAY("the coordinates of a bulk tensor copy were more or fewer than the dimensions of its "
        "tensor map",
        DETAIL(CRASH_TENSOR_RANK)),
    SAY("the first coordinate of a bulk tensor copy was not a multiple of 16 bytes",
        DETAIL(CRASH_TENSOR_COLUMN)),
    SAY("the sums of a wgmma, or its A in registers, were not in a local array of the thread",
        DETAIL(CRASH_NOT_LOCAL)),
    SAY("an atomic operation was made on a local variable of the thread: it works on global and "
        "shared memory only",
        DETAIL(CRASH_ATOMIC_ON_LOCAL)),
    SAY("a call names the rank {offset} of a cluster whose ranks are 0 to {size}",
        DETAIL(CRASH_CLUSTER_RANK)),
    SAY("the mask of a copy to several blocks of a cluster is {offset}: with a bit for each block, "
        "it is at most {size}",
        DETAIL(CRASH_CLUSTER_MASK)),
    SAY("a thread arrived at the barrier of the cluster twice, or waited there without having "
        "arrived",
        DETAIL(CRASH_CLUSTER_PAIR)),
    SAY("the barrier of the grid in {line} is used in a launch that is not cooperative",
        DETAIL(CRASH_NOT_COOPERATIVE)),
    SAY("a block used a pointer into its own shared memory that another block had made, which "
        "cannot be followed on the CPU: use a GPU",
        DETAIL(CRASH_CLUSTER_POINTER)),
    SAY("a thread used up its stack: a recursion without end, or a very large local array",
        DETAIL(CRASH_STACK_OVERFLOW)),
    SAY("an integer was divided by zero", DETAIL(CRASH_DIVISION_BY_ZERO)),
    SAY("a number of {size} bits was shifted by {offset} bits", DETAIL(CRASH_SHIFT)),
    SAY("a number was converted to an integer of {size} bits, which cannot hold it",
        DETAIL(CRASH_CONVERSION)),
    SAY("the kernel stopped itself with a trap", DETAIL(CRASH_TRAP)),
    SAY("an assert of the kernel failed", DETAIL(CRASH_ASSERT)),
    SAY("the kernel did something that the machine does not allow", DETAIL(CRASH_SIGNAL)),
    SAY("the kernel ended in an error", IF_ALWAYS),
};

// --- The host code of a program ------------------------------------------------------------------

static const struct row host[] = {
    SAY("the host stores to {element} itself, which is in the device's memory", DETAIL(HOST_ACCESS),
        IF_STORES),
    SAY("the host reads {element} itself, which is in the device's memory", DETAIL(HOST_ACCESS)),
    SAY("{copied} bytes are set in {array}, from byte {offset} on, but it has {size} bytes",
        DETAIL(HOST_PAST_DEVICE), IF_FILL),
    SAY("{copied} bytes are copied for a variable of the device that has {size} bytes",
        DETAIL(HOST_PAST_DEVICE), IF_NO_ARRAY),
    SAY("{copied} bytes are copied to {array}, which has {size} bytes", DETAIL(HOST_PAST_DEVICE),
        IF_AT_START, IF_STORES),
    SAY("{copied} bytes are copied from {array}, which has {size} bytes", DETAIL(HOST_PAST_DEVICE),
        IF_AT_START),
    SAY("{copied} bytes are copied to {array} from byte {offset} on, but it has {size} bytes",
        DETAIL(HOST_PAST_DEVICE), IF_STORES),
    SAY("{copied} bytes are copied from {array} from byte {offset} on, but it has {size} bytes",
        DETAIL(HOST_PAST_DEVICE)),
    SAY("{copied} bytes are copied to an array on the host's stack, where it has at most {size} "
        "bytes",
        DETAIL(HOST_PAST_HOST), IF_STORES, IF_AT_MOST),
    SAY("{copied} bytes are copied from an array on the host's stack, where it has at most {size} "
        "bytes",
        DETAIL(HOST_PAST_HOST), IF_AT_MOST),
    SAY("{copied} bytes are copied to an array of the host that has {size} bytes",
        DETAIL(HOST_PAST_HOST), IF_STORES),
    SAY("{copied} bytes are copied from an array of the host that has {size} bytes",
        DETAIL(HOST_PAST_HOST)),
    SAY("a call that fills memory of the device was given {to}", DETAIL(HOST_WRONG_WAY), IF_FILL),
    SAY("the call says `{kind}`, but its first pointer is {to}, and its second is {from}",
        DETAIL(HOST_WRONG_WAY)),
    SAY("{element} is copied to the host, but nothing has stored it: the call in {other_line} ends "
        "before it",
        DETAIL(HOST_UNSET_COPIED), IF_OTHER_KNOWN),
    SAY("{element} is copied to the host, but nothing has stored it", DETAIL(HOST_UNSET_COPIED)),
    SAY("{array} is freed for the second time: {other_line} has freed it",
        DETAIL(HOST_FREED_TWICE)),
    SAY("a pointer {offset} bytes into {array} is freed, and not its start",
        DETAIL(HOST_FREED_INSIDE)),
    SAY("{freed_by} was given {to}", DETAIL(HOST_FREED_FOREIGN)),
    SAY("{array} is used here, but {other_line} has freed it", DETAIL(HOST_FREED_USED)),
    SAY("the launch in {line} stores to {array}, but nothing reads or copies what it stored",
        DETAIL(HOST_UNREAD)),
    SAY("the launch in {line} has a thread for each element up to {element} and no further, but "
        "{other_line} copies what follows too",
        DETAIL(HOST_UNCOVERED)),
    SAY("this copies only {copied} of the {size} bytes of {array}: as many bytes as it has "
        "elements of {access_bytes} bytes",
        DETAIL(HOST_FEW_BYTES)),
    SAY("each byte of {array} is set to {copied}, but its elements have {access_bytes} bytes",
        DETAIL(HOST_FILLED_BYTES)),
    SAY("{array}, {size} bytes, is never freed", DETAIL(HOST_LEAK)),
    SAY("this launch fails: the grid has no blocks, or its blocks no threads",
        DETAIL(HOST_LAUNCH_FAILED), IF_EMPTY_LAUNCH),
    SAY("this launch fails: a block of {copied} threads has more than 1024",
        DETAIL(HOST_LAUNCH_FAILED), IF_LARGE_BLOCK),
    SAY("this launch fails: {copied} is too large for one of the extents of a grid or a block",
        DETAIL(HOST_LAUNCH_FAILED), IF_LARGE_GRID),
    SAY("this launch fails: no GPU has {copied} bytes of shared memory for a block",
        DETAIL(HOST_LAUNCH_FAILED), IF_MUCH_SHARED),
    SAY("this launch fails: it asks for {copied} bytes of dynamic shared memory, and more than "
        "49152 "
        "need `cudaFuncSetAttribute` first",
        DETAIL(HOST_LAUNCH_FAILED), IF_UNASKED_SHARED),
    SAY("this launch fails with {error}", DETAIL(HOST_LAUNCH_FAILED)),
    SAY("this call fails with {error}", DETAIL(HOST_CALL_FAILED)),
    SAY("the host stores to {element} while the operation of {other_line} may still use it",
        DETAIL(HOST_RACE), IF_BY_HOST, IF_STORES),
    SAY("the host reads {element} before it has waited for {other_line}, which stores it",
        DETAIL(HOST_RACE), IF_BY_HOST),
    SAY("{line} uses {element} in one stream and {other_line} in another, and nothing orders the "
        "two",
        DETAIL(HOST_RACE)),
    SAY("an event is used that {other_line} has destroyed", DETAIL(HOST_HANDLE), IF_EVENT,
        IF_OTHER_KNOWN),
    SAY("a stream is used that {other_line} has destroyed", DETAIL(HOST_HANDLE), IF_OTHER_KNOWN),
    SAY("an event is used that was never created", DETAIL(HOST_HANDLE), IF_EVENT),
    SAY("a stream is used that was never created", DETAIL(HOST_HANDLE)),
    SAY("the time between an event of device {offset} and one of device {copied} is asked for",
        DETAIL(HOST_OTHER_DEVICE), IF_BY_HOST),
    SAY("an event that {other_line} created on device {offset} is recorded in a stream of device "
        "{copied}",
        DETAIL(HOST_OTHER_DEVICE), IF_EVENT),
    SAY("{line} launches a kernel on device {copied}, but {other_line} created its stream on "
        "device {offset}",
        DETAIL(HOST_OTHER_DEVICE)),
    SAY("the kernel uses {element}, which is memory of device {copied}, but {other_line} launches "
        "it on another device",
        DETAIL(HOST_OTHERS_MEMORY)),
    SAY("the time between two events is asked for, but one of them was created with "
        "`cudaEventDisableTiming`",
        DETAIL(HOST_UNRECORDED), IF_BY_HOST),
    SAY("the time between two events is asked for, but one of them was never recorded",
        DETAIL(HOST_UNRECORDED)),
    SAY("a variable of the device is passed as if its name were a pointer", DETAIL(HOST_SYMBOL)),
    SAY("this call was given a pointer to no memory of the host", DETAIL(HOST_CRASH), IF_IN_CALL),
    SAY("the host code was ended by `abort`, as an uncaught exception or a damaged heap is",
        DETAIL(HOST_CRASH), IF_ABORT),
    SAY("the host code used a null pointer", DETAIL(HOST_CRASH), IF_NULL),
    SAY("the host code divided an integer by zero", DETAIL(HOST_CRASH), IF_DIVISION),
    SAY("the host code used a pointer that leads to no memory", DETAIL(HOST_CRASH)),
    SAY("the index {offset} was used in an array of the host that has {size} elements",
        DETAIL(HOST_INDEX)),
    SAY("the function ends the program here, after the call in {other_line} has failed with "
        "{error}",
        DETAIL(HOST_EXIT), IF_OTHER_KNOWN),
    SAY("the function ends the program here instead of returning", DETAIL(HOST_EXIT)),
    SAY("the function does not return", DETAIL(HOST_ENDLESS)),
    SAY("the function has returned without launching a kernel", DETAIL(HOST_NO_LAUNCH)),
};

const struct rows finding_clauses[FINDING_KIND_COUNT] = {
    [FINDING_HOST] = ROWS(host),
    [FINDING_RACE] = ROWS(races),
    [FINDING_OUT_OF_BOUNDS] = ROWS(bounds),
    [FINDING_UNINITIALIZED] = ROWS(unset),
    [FINDING_BARRIER_DIVERGENCE] = ROWS(divergence),
    [FINDING_EXITED_BEFORE_BARRIER] = ROWS(exited),
    [FINDING_MISALIGNED] = ROWS(misaligned),
    [FINDING_INPUT_WRITTEN] = ROWS(input_written),
    [FINDING_CRASH] = ROWS(crash),
    [FINDING_TIME_LIMIT] = ROWS(time_limit),
    [FINDING_OUTPUT_LIMIT] = ROWS(output_limit),
};
