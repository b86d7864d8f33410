// The messages between judge and worker: fixed-size messages over one SOCK_SEQPACKET socket pair,
// and the arrays of a launch in one memfd.
//
// The judge asks, the worker answers, one for one, with the request's nonce.  The judge never maps
// the memfd and never trusts a field: answer_check decides whether an answer is possible.  The
// worker finds the socket at descriptor PROTOCOL_SOCKET_FD and the matrices at
// PROTOCOL_MATRICES_FD; nothing else is open but stdin (/dev/null), stdout and stderr (captured,
// only ever quoted).
//
// A timed launch is three requests.  PREPARE makes the inputs of a key on the GPU, poisons the
// outputs and asks LAUNCH_CONFIG; GO flushes the L2 cache and launches between two events; COLLECT
// checks that inputs and guard bands are unchanged, and writes the outputs into the memfd.  So the
// judge's own clock measures only the launch, and a worker learns the inputs of a launch only when
// its turn comes.  A RESERVE before these, which names no key, allocates memory and does the
// driver's other slow work, so that the three need the GPU exclusively only for a short time.
//
// A kernel too short to be timed alone is launched `batch` times between the two events, each time
// on different inputs.
//
// One launch can also be in a file, for a worker that a debugger starts, and starts again, without
// a judge: struct recorded, and then the bytes of the memfd.  session_record writes it.
#ifndef DEVICE_CHANNEL_PROTOCOL_H
#define DEVICE_CHANNEL_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "base/words.h"
#include "device/channel/array_fill.h"
#include "emu/wire/counts.h"
#include "emu/wire/finding.h"
#include "emu/wire/launch_plan.h"
#include "emu/wire/trace.h"

#define TIMED_BATCH_MAX 32

// The implementation that computes the product: the worker's kernel, or cuBLAS, which is requested
// only from a worker of our own kernels: for float matrices, in fp32 or with factors rounded to
// TF32, or for A and B of half or bf16.  C of cuBLAS is always float.
enum timed_by {
    TIMED_BY_KERNEL,
    TIMED_BY_CUBLAS_FP32,
    TIMED_BY_CUBLAS_TF32,
    TIMED_BY_CUBLAS_FP16,
    TIMED_BY_CUBLAS_BF16,
    TIMED_BY_COUNT
};

// The inputs of a timed launch: integers whose product is exact, or numbers uniform in (-1, 1), as
// in the judge's cases.
enum timed_inputs { TIMED_EXACT, TIMED_REAL, TIMED_INPUTS_COUNT };

struct timed_request {
    struct random_key key;  // of the inputs of the first launch (exact_batch_key has the others)
    uint32_t poison;        // word that C is filled with
    uint32_t batch;         // launches, 1 .. TIMED_BATCH_MAX; 0 in requests of other kinds
    uint32_t by;            // enum timed_by
    uint32_t inputs;        // enum timed_inputs
    // The contents of each array of a kernel that is not a matmul before the launch; a constant
    // array has the values of the key of the first launch.  A matmul's arrays are not drawn this
    // way.
    struct draw_spec draw[ARGUMENTS_MAX];
};

// The reasons why a GPU runs below its highest clock, in NVML's numbers (nvmlClocksEventReasons).
#define GPU_REASON_POWER_CAP   0x4u
#define GPU_REASON_HW_SLOWDOWN 0x8u
#define GPU_REASON_SW_THERMAL  0x20u
#define GPU_REASON_HW_THERMAL  0x40u
#define GPU_REASON_POWER_BRAKE 0x80u
#define GPU_REASONS_OF_A_PROBLEM                                                                   \
    (GPU_REASON_HW_SLOWDOWN | GPU_REASON_SW_THERMAL | GPU_REASON_HW_THERMAL |                      \
     GPU_REASON_POWER_BRAKE)

// The state of the GPU right after a launch.
#define GPU_STATE_CLOCKS  1u
#define GPU_STATE_REASONS 2u
#define GPU_STATE_HEAT    4u
#define GPU_STATE_POWER   8u
struct gpu_state {
    uint32_t known;  // GPU_STATE_ bits; the fields of the others are 0
    uint32_t sm_mhz, memory_mhz;
    uint32_t reasons;  // bits of NVML
    uint32_t celsius;
    uint32_t milliwatts;
};

struct timed_answer {
    uint32_t inputs_changed;  // COLLECT: bit per enum global_array that a launch wrote to
    uint32_t cublas_version;  // PREPARE by cuBLAS: 130002 for 13.0.2; else 0
    struct gpu_state state;   // COLLECT, if requested
};

// The layout of results in the memfd, as COLLECT writes them: those of launch j of a batch are at j
// * stride, one array after the other.
struct timed_layout {
    uint64_t stride, total;
};
// The bytes that parameter i takes there, in whole vectors; 0 if it is not an output.
uint64_t timed_output_bytes(const struct arguments *arguments, uint32_t i);
struct timed_layout timed_layout_of(const struct arguments *arguments, uint32_t batch);

#define PROTOCOL_MAGIC       0x54474144u  // "TGAD"
#define PROTOCOL_SOCKET_FD   3
#define PROTOCOL_MATRICES_FD 4

// Options of a request, besides the launch itself.
#define REQUEST_CHECK  1u      // emu: run the checkers
#define REQUEST_COUNT  2u      // emu: count the work
#define REQUEST_TRACE  4u      // emu: only record the accesses of one block
#define REQUEST_RELOAD 8u      // gpu: load the module again first (static device data starts fresh)
#define REQUEST_PLAN   16u     // emu: only the launch configuration, without matrices or a launch
#define REQUEST_SAMPLE 32u     // emu: run the checkers for a sample of the blocks
#define REQUEST_JUNK   64u     // emu: fill the stacks with junk before each block
#define REQUEST_FIRST  256u    // emu: TRACE means the first block
#define REQUEST_LAST   512u    // emu: … the last block
#define REQUEST_LANES  1024u   // emu: report operations that give LANE_JUNK_BITS
#define REQUEST_ZEROS  2048u   // emu: shared memory and the workspace hold zeros at first, not junk
#define REQUEST_OLDS   4096u   // emu: report reads of output elements not yet stored to
#define REQUEST_PART   8192u   // emu: run a few blocks alone, on arrays that stay in the memfd
#define REQUEST_INPUTS 16384u  // emu: no checker keeps loads of inputs, nor is there a map of them
#define REQUEST_HOST   32768u  // emu: call a function of the host, which launches kernels itself
#define REQUEST_STATE  128u    // gpu: COLLECT also reports the state of the GPU

enum request_kind {
    REQUEST_SETUP,    // the first message: struct request.shared is valid
    REQUEST_LAUNCH,   // read the arrays from the memfd, configure, launch, write them back
    REQUEST_RESERVE,  // gpu: allocate the driver resources for such a launch; nothing runs
    REQUEST_PREPARE,  // gpu: the three parts of a timed launch, see protocol.h
    REQUEST_GO,
    REQUEST_COLLECT,
    REQUEST_COUNT_OF_KINDS
};

// The first REQUEST_HEAD_BYTES are sent for a launch, all of it for the set-up.
struct request {
    uint32_t magic;
    uint32_t kind;  // enum request_kind
    uint64_t nonce;
    struct size size;
    struct arguments arguments;  // the kernel's arguments, and the places of its arrays
    uint64_t work;               // emu: multiply-adds that the launch needs, a rough minimum
    uint32_t flags;              // REQUEST_ bits
    uint64_t order;              // emu: of blocks and threads, see struct emu_request
    uint64_t sample_draw;        // emu: draws the blocks of REQUEST_SAMPLE and REQUEST_PART
    uint64_t access_budget;      // emu: see struct emu_request
    uint64_t time_ms_max;        // emu: CPU time without an access; gpu: wall time
    uint32_t processes;          // emu: processes that may share the blocks; 0 means 1
    uint32_t threads_max;        // emu: of the kernel's __launch_bounds__; 0: it has none
    uint32_t part_blocks;        // emu: of REQUEST_PART, at least 1; fewer if the grid has fewer
    struct timed_request timed;  // all 0 except in requests for timed launches
    struct shared_array_table shared;
};
#define REQUEST_HEAD_BYTES offsetof(struct request, shared)

// How a launch ended, seen by the worker.
enum run_end {
    RUN_FINISHED,    // the kernel ended by itself; the arrays are in the memfd
    RUN_STOPPED,     // emu: a finding stopped it; see findings
    RUN_BAD_LAUNCH,  // the launch configuration is invalid; see bad_launch
    RUN_CRASHED,     // gpu: the driver reports an error of the kernel; text names it
    RUN_TROUBLE,     // a failure of ours: no memory, no device; text names it.  Never the student's
                     // fault
    RUN_END_COUNT
};

// Why a configuration cannot be launched.
#define BAD_LAUNCHES(X)                                                                            \
    X(BAD_LAUNCH_NONE, "")                                                                         \
    X(BAD_LAUNCH_BLOCK_ZERO, N_("a block dimension is 0"))                                         \
    X(BAD_LAUNCH_BLOCK_TOO_LARGE, N_("a block has more than 1024 threads"))                        \
    X(BAD_LAUNCH_BLOCK_DIMENSION, N_("a block dimension is above 1024 x 1024 x 64"))               \
    X(BAD_LAUNCH_GRID_ZERO, N_("a grid dimension is 0"))                                           \
    X(BAD_LAUNCH_GRID_TOO_LARGE, N_("a grid dimension is above 2147483647 x 65535 x 65535"))       \
    X(BAD_LAUNCH_BOUNDS, N_("a block has more threads than __launch_bounds__ promises"))           \
    X(BAD_LAUNCH_CLUSTER_SIZE, N_("a cluster has more than 8 blocks"))                             \
    X(BAD_LAUNCH_CLUSTER_GRID,                                                                     \
      N_("the grid is not a multiple of the cluster: round each side of the grid up to a "         \
         "multiple of __cluster_dims__"))                                                          \
    X(BAD_LAUNCH_SHARED, N_("the block uses more shared memory than it may have"))                 \
    X(BAD_LAUNCH_RESOURCES,                                                                        \
      N_("the block needs more registers or memory than the GPU has, or has more threads than "    \
         "__launch_bounds__ promises"))                                                            \
    X(BAD_LAUNCH_CONFIG_FAILED, N_("LAUNCH_CONFIG itself failed"))                                 \
    X(BAD_LAUNCH_TOO_MANY, N_("LAUNCH is used more than 4 times"))                                 \
    X(BAD_LAUNCH_BOTH,                                                                             \
      N_("launch->grid, launch->block or launch->shared_bytes is set although LAUNCH is used"))    \
    X(BAD_LAUNCH_KERNEL, N_("LAUNCH names no __global__ function of the file"))                    \
    X(BAD_LAUNCH_WORKSPACE, N_("the workspace is larger than 128 MiB"))                            \
    X(BAD_LAUNCH_CONSTANT,                                                                         \
      N_("a __constant__ array of the exercise is missing in the file, or too small for its "      \
         "values"))                                                                                \
    X(BAD_LAUNCH_TENSOR,                                                                           \
      N_("CUDA refuses a tensor map: check its array, type, dimensions and sizes"))                \
    X(BAD_LAUNCH_TENSOR_OFFSET, N_("the offset of a tensor map is not a multiple of 16 bytes"))    \
    X(BAD_LAUNCH_TENSOR_ROWS, N_("the rows of a tensor map are not a multiple of 16 bytes apart")) \
    X(BAD_LAUNCH_TENSOR_BOX,                                                                       \
      N_("the box of a tensor map breaks a rule of CUDA: it has 1 to 256 elements in each "        \
         "dimension, and one row of it has a multiple of 16 bytes, at most as many as the "        \
         "swizzle, which is 0, 32, 64 or 128"))                                                    \
    X(BAD_LAUNCH_TENSOR_BOUNDS, N_("a tensor map reaches past the end of its array"))              \
    X(BAD_LAUNCH_TENSOR_UNKNOWN,                                                                   \
      N_("the CPU device cannot make copies with this tensor map: a card would round elements of " \
         "its type"))                                                                              \
    X(BAD_LAUNCH_TENSOR_CARD,                                                                      \
      N_("tensor maps need a Hopper card (compute capability 9.0) or a newer one, and a driver "   \
         "for it"))

#define BAD_LAUNCH_ENUMERATOR(enumerator, text) enumerator,
enum bad_launch { BAD_LAUNCHES(BAD_LAUNCH_ENUMERATOR) BAD_LAUNCH_COUNT };
#undef BAD_LAUNCH_ENUMERATOR
const char *bad_launch_text(uint32_t reason);

#define ANSWER_TEXT_MAX 256

struct answer {
    uint32_t magic;
    uint32_t kind;        // the request's
    uint64_t nonce;       // the request's
    uint32_t end;         // enum run_end
    uint32_t bad_launch;  // enum bad_launch
    uint32_t grid[3];     // the first launch, or the invalid one
    uint32_t block[3];
    uint64_t shared_bytes;
    uint64_t workspace_bytes;
    uint32_t launch_count;   // launches that LAUNCH lists; 0: the exercise's own kernel, once
    uint32_t launch;         // number of this launch, from 0
    uint32_t is_apart;       // emu: with REQUEST_PART: no block needs another one
    uint32_t other_grid[3];  // the largest of the others, by dimension
    uint32_t other_block[3];
    uint64_t steps;              // emu: accesses and barrier arrivals of the launch
    uint64_t elapsed_ns;         // REQUEST_GO: time between the events, of all launches of a batch;
                                 // REQUEST_LAUNCH: gpu: time until it ended
    uint32_t guard_damaged;      // gpu: bit per enum global_array whose guard band was written
    uint32_t hands_over;         // emu: 1 if blocks hand values over, see emu_result
    uint32_t processes;          // emu: that shared the launch; 0 or 1 if one ran it all
    struct counts counts;        // with REQUEST_COUNT
    struct findings findings;    // with REQUEST_CHECK
    struct coverage coverage;    // emu: with REQUEST_CHECK and RUN_FINISHED, else all 0
    struct timed_answer timed;   // REQUEST_COLLECT
    char text[ANSWER_TEXT_MAX];  // NUL-terminated; RUN_CRASHED and RUN_TROUBLE
    struct trace trace;          // REQUEST_TRACE; not sent in answers to other requests
};
#define ANSWER_HEAD_BYTES offsetof(struct answer, trace)

// The bytes of an answer to a request with these REQUEST_ flags.
static inline size_t answer_bytes(uint32_t flags) {
    return flags & REQUEST_TRACE ? sizeof(struct answer) : ANSWER_HEAD_BYTES;
}

// True if answer is a possible answer to request: magic, kind, nonce, every enum, every count,
// the text's end. request->shared is the table that the worker was set up with: places in it are
// checked too.
bool answer_check(const struct request *request, const struct answer *answer, size_t bytes);

// The same for a finding of a whole program, whose arrays the judge does not know beforehand.
bool program_finding_check(const struct finding *finding);

// Adds the findings that an answer lacks, which has passed answer_check.  Returns false if one of
// them is impossible in this launch.
bool answer_add_findings(const struct request *request, const struct findings *findings,
                         struct answer *answer);

// The same for the worker: true if these bytes can be a request.
bool request_check(const struct request *request, size_t bytes);

// Validates a launch configuration by the limits that all CUDA GPUs share (CUDA C++ Programming
// Guide, Technical Specifications per Compute Capability); of shared memory it takes as much as any
// GPU has, and the GPU device applies the GPU's own limit.  static_bytes is the kernel's static
// shared memory; threads_max is from its __launch_bounds__, 0 if it has none.
enum bad_launch launch_config_check(const uint32_t grid[3], const uint32_t block[3],
                                    uint64_t shared_bytes, uint64_t static_bytes,
                                    uint32_t threads_max);

struct recorded {
    struct request setup, launch;
};

// In the worker: opens a channel that contains these requests and then ends; nothing reads the
// answers.  Errors: STATUS_SYSTEM.
enum status recorded_open(const char *path, struct error *err);

#endif
