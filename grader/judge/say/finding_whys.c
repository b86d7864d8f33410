// The threads, why it matters, and what to look at, by kind of finding.
#include "base/basics.h"
#include "judge/say/finding_facts.h"

// --- Who -----------------------------------------------------------------------------------------

static const struct row whos[] = {
    SAY("The copy was started by {thread} of {block}.", IF_RACE, DETAIL(RACE_AT_END)),
    SAY("The GPU stopped the kernel and does not report where.", IF_SINGLE, IF_ON_GPU),
    SAY("It was {thread} of {block}.", IF_SINGLE),
    SAY("The wgmma is one of the warpgroup of {thread}, and the store was made by {other_thread} "
        "of {block}.",
        IF_WGMMA, IF_UNDER_WAY),
    SAY("The copy was started by {thread} of {block}, and the read was made by {other_thread} of "
        "{other_block}.",
        IF_BULK, IF_UNDER_WAY, IF_OTHER_BLOCK, IF_OTHER_READS),
    SAY("The copy was started by {thread} of {block}, and the store was made by {other_thread} of "
        "{other_block}.",
        IF_BULK, IF_UNDER_WAY, IF_OTHER_BLOCK),
    SAY("The copy was started by {thread}, and the read was made by {other_thread} of {block}.",
        IF_UNDER_WAY, IF_OTHER_READS),
    SAY("The copy was started by {thread}, and the store was made by {other_thread} of {block}.",
        IF_UNDER_WAY),
    SAY("The access was made by {thread} of {block}.", IF_RACE, DETAIL(RACE_BLOCK_BEGINS)),
    SAY("The access was made by {thread} of {block}. The last thread of {other_block} to end was "
        "{other_thread}.",
        IF_RACE, DETAIL(RACE_BLOCK_ENDS)),
    SAY("The first was {thread} of {block}, the second {other_thread} of {other_block}.",
        IF_BETWEEN_BLOCKS),
    SAY("The first was {thread}, the second {other_thread}, both of {block}.", IF_RACE),
};

static const struct row block_whos[] = {
    SAY("This happened in {block}.", IF_ALWAYS),
};

const struct rows finding_whos[FINDING_KIND_COUNT] = {
    [FINDING_RACE] = ROWS(whos),
    [FINDING_OUT_OF_BOUNDS] = ROWS(whos),
    [FINDING_UNINITIALIZED] = ROWS(whos),
    [FINDING_BARRIER_DIVERGENCE] = ROWS(block_whos),
    [FINDING_EXITED_BEFORE_BARRIER] = ROWS(block_whos),
    [FINDING_MISALIGNED] = ROWS(whos),
    [FINDING_INPUT_WRITTEN] = ROWS(whos),
    [FINDING_CRASH] = ROWS(whos),
    [FINDING_TIME_LIMIT] = ROWS(whos),
};

// --- Races ---------------------------------------------------------------------------------------

static const struct row races[] = {
    SAY("A wgmma does not use registers in the same way as the instructions of its threads, and "
        "this fence orders the two. Between two wgmmas that add to the same sums no fence is "
        "needed.",
        DETAIL(RACE_LACKS_WGMMA), IF_WGMMA),
    SAY("A wgmma does not access shared memory in the same way as a thread, and a barrier alone "
        "does not order the two.",
        DETAIL(RACE_LACKS_PROXY), IF_WGMMA),
    SAY("A wgmma goes on while its threads do. Its sums are there after a `wgmma.commit_group` and "
        "a `wgmma.wait_group` that covers that group.",
        IF_WGMMA, IF_LOCAL),
    SAY("A wgmma goes on while its threads do, and a barrier does not wait for it. The warpgroup "
        "must first wait for its group; a barrier or an mbarrier after that wait is for the other "
        "threads.",
        IF_WGMMA),
    SAY("All threads stored the same value, so the result does not change, but the same work is "
        "done more than once.",
        IF_SAME_VALUE),
    // Atomic operations
    SAY("Each operation is atomic, but the two together are not. Use one `atomicAdd`, or a loop of "
        "`atomicCAS` that computes the new value again until it succeeds.",
        IF_LOST_UPDATE),
    SAY("Blocks run in any order: begin a new launch between the two, or let the block that needs "
        "a value wait until it is there.",
        IF_UNORDERED, IF_BETWEEN_BLOCKS),
    SAY("Atomic operations of several threads take place one after the other, but in any order: "
        "put a barrier between the two, or begin a new launch.",
        IF_UNORDERED),
    SAY("Use the forms without `_block` where several blocks change an element.", IF_BLOCK_SCOPE),
    // A copy that is still in flight
    SAY("After the end of a block, its shared memory belongs to the next one. The thread that "
        "started the copy must wait for its group before it ends (`.read` is enough).",
        DETAIL(RACE_AT_END), IF_UNDER_WAY),
    SAY("An earlier copy has filled the same place. If the read needs the data of the earlier "
        "copy, the next copy must not begin until the read is done. If it needs the data of this "
        "copy, its thread must first wait, in a loop, for the phase of the mbarrier that the copy "
        "names.",
        DETAIL(RACE_REFILLED), IF_UNDER_WAY),
    SAY("The thread that started the copy must first wait for its group with "
        "`cp.async.bulk.wait_group`. With `.read` it waits only until the copy has read shared "
        "memory. A barrier after that wait is for the other threads.",
        IF_UNDER_WAY, IF_BULK, IF_GLOBAL),
    SAY("A barrier does not wait for a bulk copy. The thread that started it must first wait for "
        "its group (`.read` is enough); a barrier after that wait is for the other threads.",
        IF_UNDER_WAY, IF_BULK, IF_READS),
    SAY("A barrier does not wait for a bulk copy. Each thread must first wait, in a loop, for the "
        "phase of the mbarrier that the copy names, or be ordered after a thread that has.",
        IF_UNDER_WAY, IF_BULK),
    SAY("The copy is in no group yet: a wait for groups leaves it out until its thread commits it.",
        DETAIL(RACE_LACKS_COMMIT), IF_PLAIN_COPY),
    SAY_NOTHING(IF_UNDER_WAY),
    // Two launches
    SAY("A launch of `LAUNCH_DEPENDENT` may run while earlier launches still do. Before this "
        "access its thread must call `ptx::griddepcontrol_wait()`; or another thread calls it, and "
        "a barrier follows.",
        DETAIL(RACE_LACKS_GRID_WAIT)),
    SAY("`ptx::griddepcontrol_wait()` waits for the launch before this one. That one is a "
        "`LAUNCH_DEPENDENT` too, and none of its threads has called `ptx::griddepcontrol_wait()`, "
        "so the earlier launch may still be running.",
        DETAIL(RACE_LAUNCH_NOT_WAITED_FOR)),
    // Blocks of a cluster
    SAY("Only after a barrier of the cluster is it certain that all its blocks run: a "
        "`cluster.sync()` is missing before the access.",
        DETAIL(RACE_BLOCK_BEGINS)),
    SAY("The shared memory of a block is gone when it ends: a `cluster.sync()` is missing after "
        "the access, so that no block ends before.",
        DETAIL(RACE_BLOCK_ENDS)),
    SAY("The blocks of a cluster run at the same time. `__syncthreads()` waits for the threads of "
        "one block only; `cluster.sync()` waits for all.",
        IF_IN_CLUSTER),
    // Threads that synchronize by flags, tickets, locks or phases
    SAY("A bulk copy does not read memory in the same way as a thread. A barrier or a flag alone "
        "does not order the two; a fence for shared memory does so in shared memory, a fence for "
        "global memory in global memory.",
        DETAIL(RACE_LACKS_PROXY)),
    SAY("An mbarrier orders them if the thread of the first access arrives after it, and the "
        "thread of the second one waits for that phase before it. Both threads belong to one warp, "
        "so `__syncwarp()` orders them too.",
        DETAIL(RACE_AMONG_PHASES), IF_SAME_WARP),
    SAY("An mbarrier orders them if the thread of the first access arrives after it, and the "
        "thread of the second one waits for that phase before it. A barrier of the block orders "
        "them too.",
        DETAIL(RACE_AMONG_PHASES)),
    SAY("An arrival hands on what its own thread has done, and what a barrier has ordered before "
        "it. Since Volta the lanes of a warp do not run in lock-step, so others may still read.",
        DETAIL(RACE_LACKS_WARP)),
    SAY("Threads that wait for a relaxed arrival may overwrite what its thread has read, but may "
        "not yet see what it has stored.",
        DETAIL(RACE_RELAXED)),
    SAY("All threads must see the mbarrier.init before they use the mbarrier, and mbarrier.inval "
        "must come after the last use by any thread, also after waits that poll it: put a barrier "
        "of the block between them.",
        DETAIL(RACE_OF_MBARRIER)),
    SAY("`__ldg` reads through the read-only cache, which may still hold the value of before: no "
        "barrier and no fence helps. Read the element without `__ldg`.",
        DETAIL(RACE_READ_ONLY)),
    SAY("If a lock guards them, it must be one lock for both threads. One atomic operation must "
        "take it, and a fence is needed after that and before the lock is opened. If no lock "
        "guards them, they need a barrier between them.",
        DETAIL(RACE_AMONG_LOCKS)),
    SAY("Without the fence a thread may read the data before it sees the flag, the ticket or the "
        "open lock.",
        DETAIL(RACE_LACKS_ACQUIRE)),
    SAY("Without the fence another thread may see the flag, the ticket or the open lock before the "
        "data.",
        DETAIL(RACE_LACKS_RELEASE)),
    SAY("Another thread may go on before the data is there.", IF_LACKS_MORE),
    // Only a barrier is missing
    SAY("A change is lost if another thread reads before it is stored. An atomic operation does it "
        "in one step; otherwise no two threads may change the same element.",
        IF_UPDATE),
    SAY("Blocks run in any order and no barrier orders them, so the result is unpredictable.",
        IF_BETWEEN_BLOCKS),
    SAY("Threads run in any order, so one may be in the next round while another is still in this "
        "one.",
        IF_IN_ROUND),
    SAY("Threads run in any order, so the read may come before the store.", IF_TEXT_STORES_FIRST),
    SAY("Threads run in any order, so a fast thread may overwrite what a slow one still has to "
        "read.",
        IF_TEXT_READS_FIRST),
    SAY("Threads run in any order, so either value may remain.", IF_TEXT_STORES_TWICE),
    SAY("An atomic operation is ordered only with other atomic operations, and one of these two "
        "accesses is not atomic.",
        IF_TEXT_ATOMIC),
    NEXT_PART,
    SAY("The `__threadfence()` in line {clue_line} waits for no other thread: it only orders what "
        "its own thread does. Work that needs the results of all blocks belongs in a second "
        "launch.",
        IF_AFTER_FENCE, IF_BETWEEN_BLOCKS),
    SAY("The `__threadfence()` in line {clue_line} waits for no other thread: it only orders what "
        "its own thread does.",
        IF_AFTER_FENCE),
    SAY("The `__threadfence_block()` in line {clue_line} waits for no other thread: it only orders "
        "what its own thread does.",
        IF_AFTER_BLOCK_FENCE),
    SAY("The `__syncwarp()` in line {clue_line} waits only for the threads of its own warp, and "
        "these two are in different warps.",
        IF_AFTER_SYNCWARP),
    SAY("The block that has the largest number (line {clue_line}) need not be the last to run: "
        "each block can take a ticket from an atomic counter, after a fence, and the last ticket "
        "tells.",
        IF_BY_NUMBER),
    NEXT_PART,
    SAY("A barrier does not wait for a copy. The thread that started the copy must first wait for "
        "its group; a barrier after that wait is for the other threads.",
        IF_PLAIN_COPY),
    SAY("All threads of a block share the same {array}.", IF_PLAIN_RACE, IF_SHARES_VARIABLE),
    NEXT_PART,
    SAY("A barrier between these two lines would be under the condition of line {branch_line}, "
        "which may differ between threads. All threads must reach a barrier.",
        IF_PLAIN_RACE, IF_IN_BRANCH),
    NEXT_PART,
    SAY("After the `__shfl_down_sync` of line {clue_line} only the first lane has the whole "
        "result, and every lane stores what it has.",
        IF_AFTER_SHUFFLE),
    SAY("Both threads belong to one warp, but since Volta the threads of a warp do not run in "
        "lock-step (independent thread scheduling).",
        IF_PLAIN_RACE, IF_SAME_WARP),
};

// --- One access ----------------------------------------------------------------------------------

static const struct row bounds[] = {
    SAY("A GPU does not notice this: it uses a different element from the one that was meant.",
        IF_IN_ARRAY),
    SAY("An unsigned number has no values below 0: in 32 bits, 0 - 1 is 4294967295. Test the index "
        "before something is subtracted from it, or make it an `int`.",
        IF_UNSIGNED),
    SAY_NOTHING(IF_ON_GPU),
    SAY("A GPU reads whatever is there, or stops the kernel.", IF_READS),
    SAY("A GPU overwrites whatever is there, or stops the kernel.", IF_ALWAYS),
};

static const struct row unset[] = {
    SAY("A wgmma with a scale_d of 0 does not read its sums; for any other they must be set first, "
        "and then a `wgmma.fence` is needed.",
        IF_WGMMA),
    SAY("A lane takes part if it is in the mask, has not returned, and calls the shuffle too. What "
        "any other lane gives is not defined.",
        IF_LANE),
    SAY("Shared memory starts with arbitrary values in every block.", IF_SHARED),
    SAY("The block that reads must wait until the value is there, and the other one must store it "
        "before it says so. If it is a flag or a counter, an earlier launch must store its first "
        "value.",
        IF_WORKSPACE, IF_BETWEEN_BLOCKS),
    SAY("The workspace starts with arbitrary values for every product.", IF_WORKSPACE),
    SAY("Memory of the device holds no useful value until a copy, a fill or a kernel stores one.",
        IF_PROGRAM, IF_GLOBAL),
    SAY("C holds no useful value when the kernel starts.", IF_MATMUL),
    SAY("The array holds no useful value when the kernel starts.", IF_ALWAYS),
};

static const struct row misaligned[] = {
    SAY_NOTHING(IF_SIZE_UNKNOWN),
    SAY("`load_matrix_sync` and `store_matrix_sync` require an address that is a multiple of 32 "
        "bytes.",
        DETAIL(MISALIGNED_FRAGMENT)),
    SAY("The row length that `load_matrix_sync` and `store_matrix_sync` get must be a multiple of "
        "16 bytes: 4 elements of float, 8 of half.",
        DETAIL(MISALIGNED_FRAGMENT_ROW)),
    SAY("The declaration of {array} lacks `__align__({access_bytes})`, so it is luck if it begins "
        "at such an address.",
        IF_ARRAY_LACKS_ALIGNMENT),
    SAY("Otherwise a GPU swizzles the rows in another way.", DETAIL(MISALIGNED_ROWS)),
    SAY("A GPU stops the kernel at a misaligned access.", IF_ALWAYS),
    NEXT_PART,
    SAY_NOTHING(IF_SIZE_UNKNOWN),
    SAY("It starts {offset} bytes after the start of {array}, whose rows are {row_bytes} bytes "
        "long.",
        IF_GLOBAL, IF_ROWS_LACK_ALIGNMENT),
    SAY("It starts {offset} bytes after the start of {array}.", IF_GLOBAL),
};

static const struct row input_written[] = {
    SAY("The kernel may store only to C.", IF_MATMUL),
    SAY("It is an input, which the kernel may only read.", IF_ALWAYS),
};

// --- Threads that wait ---------------------------------------------------------------------------

static const struct row divergence[] = {
    // The phase and the mbarrier that does not complete
    SAY("The mbarrier is number {init_number}, by address from 0, of the {inits} that line "
        "{init_line} initialises.",
        IF_IN_PHASE, IF_MANY_INITS),
    SAY("The mbarrier is initialised in line {init_line}.", IF_IN_PHASE, IF_ONE_INIT),
    NEXT_PART,
    SAY("The phase is number {phase}, counted from 0, so its parity is {parity}.", IF_IN_PHASE),
    NEXT_PART,
    SAY("It also lacks {phase_bytes} bytes.", IF_IN_PHASE, IF_BYTES_LACK_TOO),
    NEXT_PART,
    SAY("{phase} phase of this mbarrier is complete, but the threads that wait for it now have "
        "not waited for that one.",
        IF_IN_PHASE, IF_ALL_PHASES_MISSED, IF_ONE_PHASE),
    SAY("{phase} phases of this mbarrier are complete, but the threads that wait for it now have "
        "waited for none of them.",
        IF_IN_PHASE, IF_ALL_PHASES_MISSED),
    SAY("{phase} phases of this mbarrier are complete, but the threads that wait for it now have "
        "waited for only {phases_waited} of them.",
        IF_IN_PHASE, IF_PHASES_MISSED),
    NEXT_PART,
    SAY("These bytes may come from several phases: the excess of one phase counts towards the "
        "next.",
        DETAIL(PHASE_EXCEEDS_BYTES), IF_MANY_PHASES),
    NEXT_PART,
    // The other waiting threads; in one line in a function that waits
    SAY("Others wait there for {other_mbarrier}: {others} in all.", DETAIL(PHASES_OF_TWO),
        IF_OTHERS_WAIT, IF_ONE_LINE),
    SAY("Others wait there for {other_mbarrier}, {others} in all: in the phase before, the "
        "arrivals that it lacks came from those named first.",
        IF_IN_PHASE, IF_OTHERS_WAIT, IF_ONE_LINE),
    SAY("{others} thread waits in {other_line}, for a phase of {other_mbarrier} that lacks "
        "{others_absent} of its arrivals.",
        DETAIL(PHASES_OF_TWO), IF_ONE_OTHER),
    SAY("{others} threads wait in {other_line}, for a phase of {other_mbarrier} that lacks "
        "{others_absent} of its arrivals.",
        DETAIL(PHASES_OF_TWO), IF_OTHERS_WAIT),
    SAY("{others} thread waits in {other_line} for {other_mbarrier}: in the phase before, the "
        "arrivals that it lacks came from the threads that wait in {line}.",
        IF_IN_PHASE, IF_ONE_OTHER),
    SAY("{others} threads wait in {other_line} for {other_mbarrier}: in the phase before, the "
        "arrivals that it lacks came from the threads that wait in {line}.",
        IF_IN_PHASE, IF_OTHERS_WAIT),
    NEXT_PART,
    SAY("Other threads wait in {other_line}.", DETAIL(LANE_CALL_MATRIX), IF_OTHER_LINE_KNOWN),
    NEXT_PART,
    SAY("All 128 threads of a warpgroup must make this call together, in the same line. A "
        "warpgroup begins at a multiple of 128 threads.",
        DETAIL(WARPGROUP_CALL_ABSENT)),
    SAY("A wgmma is one multiplication of the whole warpgroup: its descriptors and its scale_d are "
        "the same in all 128 threads.",
        DETAIL(WARPGROUP_CALL_VALUES)),
    SAY_NOTHING(DETAIL(LANE_CALL_WIDTH)),
    SAY("All 32 threads of a warp must make this call together, in the same line.",
        DETAIL(LANE_CALL_MATRIX)),
    SAY("A phase is complete when exactly the bytes that expect_tx announces have been copied by "
        "the copies that name its mbarrier, with their zeros outside an array.",
        IF_BYTES_DIFFER),
    SAY("A phase is complete when as many arrivals have been made as mbarrier.init says. If they "
        "have been, the wait is for another phase: the first one has the parity 0, and each later "
        "one the other parity.",
        IF_IN_PHASE),
    SAY("All threads of all blocks of a cluster must reach its barrier.",
        DETAIL(CLUSTER_LACKS_THREADS)),
    SAY("All threads of all blocks must reach a barrier of the grid: no `return` comes before it.",
        DETAIL(GRID_LACKS_BLOCKS)),
    SAY("The mask must name exactly the lanes that make the call; 0xffffffff names all 32.",
        IF_OF_MASK),
    SAY("All threads of a block must reach the same barrier; otherwise the block hangs or computes "
        "with half-filled tiles.",
        IF_ALWAYS),
};

static const struct row exited[] = {
    SAY("The barrier does not wait for them: if they had data to load, it is missing.", IF_ALWAYS),
};

// --- The end of a launch -------------------------------------------------------------------------

static const struct row crash[] = {
    SAY("A kernel can use memory that `cudaMalloc`, `cudaMallocManaged` or `cudaMallocHost` has "
        "allocated. Copy the array to such memory, and pass that pointer.",
        DETAIL(CRASH_HOST_POINTER)),
    SAY("C++ does not define such a shift. On a GPU 0 is left (-1 of a negative number shifted to "
        "the right); on other machines the result may be different.",
        DETAIL(CRASH_SHIFT)),
    SAY("C++ does not define such a conversion. A GPU gives the nearest number that the integer "
        "can hold, and 0 for NaN; on other machines the result may be different.",
        DETAIL(CRASH_CONVERSION)),
    SAY("Between mbarrier.init and the first use by another block, all threads of all blocks must "
        "meet at a barrier of the cluster. `__syncthreads()` waits for one block only.",
        DETAIL(CRASH_NO_MBARRIER_THERE)),
    SAY("A thread may arrive for the next phase only if it knows that this one is complete. Does "
        "it wait before this call, in a loop, and for the right phase?",
        DETAIL(CRASH_MBARRIER_ARRIVALS), IF_EMPTY),
};

static const struct row time_limit[] = {
    SAY("As many blocks wait here as the CPU device can keep: either they wait for a block that "
        "has not begun, which a GPU may run beside them, or the loop never ends.",
        IF_BLOCKS_WAIT),
    SAY("The usual cause is a loop that never ends. If the loop does end, it does far too much "
        "work.",
        IF_LINE_KNOWN),
    SAY("Either a loop does not end, or the grid has many more blocks than C needs.", IF_MATMUL),
    SAY("Either a loop does not end, or the grid has many more blocks than the result needs.",
        IF_ALWAYS),
};

static const struct row output_limit[] = {
    SAY("Print less, and let one thread of the grid do it.", IF_ALWAYS),
};

static const struct row host[] = {
    SAY("On a GPU the program ends here. Copy the array to the host first, with `cudaMemcpy`.",
        DETAIL(HOST_ACCESS)),
    SAY("The size is a number of bytes, not of elements.", DETAIL(HOST_PAST_DEVICE), IF_AT_START),
    SAY("Where the copy begins and its size together must stay inside the array: the size is in "
        "bytes, while a pointer moves by elements.",
        DETAIL(HOST_PAST_DEVICE)),
    SAY("The size is a number of bytes, not of elements.", DETAIL(HOST_PAST_HOST)),
    SAY("The first pointer is where the bytes go, the second where they come from.",
        DETAIL(HOST_WRONG_WAY)),
    SAY("A copy takes a number of bytes; a grid must cover all elements, also if the block's size "
        "does not divide their number.",
        DETAIL(HOST_UNSET_COPIED)),
    SAY("Each pointer is freed once.", DETAIL(HOST_FREED_TWICE)),
    SAY("Is the copy back to the host missing, or does it copy another array?",
        DETAIL(HOST_UNREAD)),
    SAY("The number of blocks is rounded up, so that threads cover all elements.",
        DETAIL(HOST_UNCOVERED)),
    SAY("Sizes are in bytes: multiply the number of elements by `sizeof`.", DETAIL(HOST_FEW_BYTES)),
    SAY("An integer of four bytes that are all 1 is 16843009. A kernel, or a copy from the host, "
        "can set any value.",
        DETAIL(HOST_FILLED_BYTES)),
    SAY("Only the pointer that the allocation returned can be freed.", DETAIL(HOST_FREED_INSIDE)),
    SAY("Memory is freed by the partner of the function that allocated it: `cudaMalloc` and "
        "`cudaFree`, `cudaMallocHost` and `cudaFreeHost`, `malloc` and `free`, `new` and `delete`.",
        DETAIL(HOST_FREED_FOREIGN)),
    SAY("The memory may belong to another array by now.", DETAIL(HOST_FREED_USED)),
    SAY("The kernel has not run. Later the program ended with an error.",
        DETAIL(HOST_LAUNCH_FAILED), IF_ASKED_ABOUT),
    SAY("The kernel has not run, and nothing asks for the error: `cudaGetLastError()` after each "
        "launch shows such a failure at its line.",
        DETAIL(HOST_LAUNCH_FAILED)),
    SAY("The operations before the second event may still run: `cudaEventSynchronize` waits for "
        "them.",
        DETAIL(HOST_CALL_FAILED), IF_NOT_READY),
    SAY("Later the program ended with an error.", DETAIL(HOST_CALL_FAILED), IF_ASKED_ABOUT),
    SAY("Nothing looks at the error: compare the result of each call with `cudaSuccess`, so that a "
        "failure shows at its line.",
        DETAIL(HOST_CALL_FAILED)),
    SAY("A launch and an asynchronous copy return at once: `cudaStreamSynchronize` or "
        "`cudaDeviceSynchronize` waits for them.",
        DETAIL(HOST_RACE), IF_BY_HOST),
    SAY("Streams run beside each other: record an event in the first, and let the other wait for "
        "it "
        "with `cudaStreamWaitEvent`.",
        DETAIL(HOST_RACE)),
    SAY("A launch, and an event that is recorded, belong to the device of their stream: "
        "`cudaSetDevice` chooses the device before a stream or an event is created, and before "
        "each launch.",
        DETAIL(HOST_OTHER_DEVICE)),
    SAY("On a GPU the kernel ends here. `cudaSetDevice` before the launch chooses its device; with "
        "`cudaDeviceEnablePeerAccess`, a device can use the memory of another.",
        DETAIL(HOST_OTHERS_MEMORY)),
    SAY("`cudaEventRecord` records an event in a stream; its time is that at which the stream "
        "comes "
        "to it.",
        DETAIL(HOST_UNRECORDED)),
    SAY("`cudaMemcpyToSymbol` and `cudaMemcpyFromSymbol` copy such variables.",
        DETAIL(HOST_SYMBOL)),
    SAY("Is a pointer of the device used on the host, or one that was never set?",
        DETAIL(HOST_CRASH)),
    SAY("The result must be computed on the device.", DETAIL(HOST_NO_LAUNCH)),
    SAY("The memory stays taken until the program ends: free it when it is no longer needed.",
        DETAIL(HOST_LEAK)),
};

const struct rows finding_whys[FINDING_KIND_COUNT] = {
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
