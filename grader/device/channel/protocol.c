// The messages between judge and worker, checked: the judge believes no field of an answer before
// answer_check has seen it, because the worker shares its process with untrusted code.
//
// Without base/file.h, which the worker does not link.
#include "device/channel/protocol.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compose.h"
#include "base/text.h"
#include "emu/wire/finding.h"

#define PAGE_BYTES         4096u
#define VECTOR_BYTES       16u
#define GPU_STATE_ALL      (GPU_STATE_CLOCKS | GPU_STATE_REASONS | GPU_STATE_HEAT | GPU_STATE_POWER)
#define CUBLAS_VERSION_MAX 9999999u

uint64_t timed_output_bytes(const struct arguments *arguments, uint32_t i) {
    uint64_t bytes = arguments->list[i].is_input ? 0 : arguments_global_bytes(arguments, i);
    return (bytes + VECTOR_BYTES - 1) / VECTOR_BYTES * VECTOR_BYTES;
}

struct timed_layout timed_layout_of(const struct arguments *arguments, uint32_t batch) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        bytes += timed_output_bytes(arguments, i);
    }
    struct timed_layout layout = {.stride = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES};
    layout.total = layout.stride * batch;
    return layout;
}

// Arrays of a product are not drawn in this way; all other arrays are.
static bool draw_check(const struct draw_spec *spec, const struct argument *argument,
                       bool is_matmul) {
    bool is_array = argument->kind == ARGUMENT_ARRAY || argument->kind == ARGUMENT_CONSTANT;
    if (is_matmul || !is_array) {
        return spec->way == DRAW_NOTHING;
    }
    return spec->way > DRAW_NOTHING && spec->way < DRAW_WAY_COUNT && !spec->is_sparse &&
           spec->one_bytes == (int)argument->one_bytes && spec->bits >= 0 && spec->bits <= 53 &&
           spec->elements == argument->bytes / argument->one_bytes &&
           (spec->one_bytes != 2 || spec->digits == 0 || spec->digits == 8 || spec->digits == 11);
}

static bool timed_request_check(const struct timed_request *timed,
                                const struct arguments *arguments, bool is_timed) {
    static const struct timed_request none;
    if (!is_timed) {
        return memcmp(timed, &none, sizeof none) == 0;
    }
    for (uint32_t i = 0; i < ARGUMENTS_MAX; i++) {
        bool is_matmul = i >= arguments->count || arguments_are_of_product(arguments);
        if (!draw_check(&timed->draw[i], &arguments->list[i], is_matmul)) {
            return false;
        }
    }
    return timed->batch >= 1 && timed->batch <= TIMED_BATCH_MAX && timed->by < TIMED_BY_COUNT &&
           timed->inputs < TIMED_INPUTS_COUNT;
}

static bool timed_answer_check(const struct timed_answer *timed,
                               const struct arguments *arguments) {
    const struct gpu_state *state = &timed->state;
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < arguments->count; i++) {
        inputs |= arguments->list[i].is_input ? 1u << i : 0;
    }
    return (timed->inputs_changed & ~inputs) == 0 && timed->cublas_version <= CUBLAS_VERSION_MAX &&
           (state->known & ~GPU_STATE_ALL) == 0;
}

// No counter or time of a launch gets near this; above it, sums in the judge could overflow.
#define COUNT_MAX (1ull << 62)

// Limits of every CUDA GPU since compute capability 3.0.
// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
#define BLOCK_Z_MAX 64u
#define GRID_X_MAX  2147483647u
#define GRID_YZ_MAX 65535u

#define FINDING_FLAGS                                                                              \
    (FINDING_SAME_WARP | FINDING_BETWEEN_BLOCKS | FINDING_SAME_VALUE | FINDING_BLOCKS_WAIT |       \
     FINDING_UNSIGNED)
#define REQUEST_FLAGS                                                                              \
    (REQUEST_CHECK | REQUEST_COUNT | REQUEST_TRACE | REQUEST_SAMPLE | REQUEST_JUNK |               \
     REQUEST_RELOAD | REQUEST_PLAN | REQUEST_STATE | REQUEST_FIRST | REQUEST_LAST |                \
     REQUEST_LANES | REQUEST_ZEROS | REQUEST_OLDS | REQUEST_PART | REQUEST_INPUTS | REQUEST_HOST)

const char *bad_launch_text(uint32_t reason) {
#define BAD_LAUNCH_TEXT(enumerator, text) [enumerator] = text,
    static const char *const texts[] = {BAD_LAUNCHES(BAD_LAUNCH_TEXT)};
#undef BAD_LAUNCH_TEXT
    return reason < BAD_LAUNCH_COUNT ? texts[reason] : "unknown";
}

static bool size_check(struct size size, bool is_matmul) {
    int32_t most = is_matmul ? SIZE_DIMENSION_MAX : SIZE_OF_OTHER_MAX;
    for (int i = 0; i < SIZE_RANK_MAX; i++) {
        if (size.at[i] < (i == 0) || size.at[i] > most) {
            return false;
        }
    }
    return true;
}

bool request_check(const struct request *request, size_t bytes) {
    if (bytes < REQUEST_HEAD_BYTES || request->magic != PROTOCOL_MAGIC) {
        return false;
    }
    if (request->kind == REQUEST_SETUP) {
        return bytes == sizeof *request && request->shared.count <= SHARED_ARRAYS_MAX;
    }
    bool timed = request->timed.batch > 0;
    bool known = timed ? request->kind >= REQUEST_RESERVE && request->kind <= REQUEST_COLLECT
                       : request->kind == REQUEST_LAUNCH || request->kind == REQUEST_RESERVE;
    return known && bytes == REQUEST_HEAD_BYTES &&
           size_check(request->size, arguments_are_of_product(&request->arguments)) &&
           arguments_check(&request->arguments) && (request->flags & ~REQUEST_FLAGS) == 0 &&
           request->processes <= LAUNCH_SHARES_MAX && request->threads_max <= THREADS_MAX &&
           (request->part_blocks > 0) == ((request->flags & REQUEST_PART) != 0) &&
           timed_request_check(&request->timed, &request->arguments, timed);
}

// A place in a grid or a block, of this launch or of another of the product; an extent of 0 means
// unknown, and allows only 0.
static bool place_check(const uint32_t place[3], const uint32_t extent[3],
                        const uint32_t other[3]) {
    for (int i = 0; i < 3; i++) {
        if (place[i] != 0 && place[i] >= extent[i] && place[i] >= other[i]) {
            return false;
        }
    }
    return true;
}

#define ACCESS_BYTES_MAX 1024  // the alignment of eight rows that wgmma reads with a swizzle

static bool access_bytes_check(uint32_t bytes) {
    return bytes <= ACCESS_BYTES_MAX && (bytes & (bytes - 1)) == 0;
}

// The mbarriers whose phases do not end.
static bool mbarriers_check(const struct finding *finding, uint32_t shared_count) {
    return (finding->count_other == 0 || finding->other_array < shared_count) &&
           (finding->inits == 0 || finding->init_number < finding->inits);
}

static bool array_check(const struct finding *finding, uint32_t shared_count) {
    if (finding->array == ARRAY_NONE) {
        return true;
    }
    if (finding->space == SPACE_GLOBAL) {
        return finding->array < GLOBAL_ARRAY_COUNT;
    }
    if (finding->space == SPACE_SHARED) {
        return finding->array < shared_count;
    }
    return finding->array == 0;
}

// The number of details for findings of a kind; 0 if not limited.
static uint32_t details_of(uint32_t kind) {
    static const uint32_t counts[FINDING_KIND_COUNT] = {
        [FINDING_RACE] = RACE_GAP_COUNT,         [FINDING_OUT_OF_BOUNDS] = OUTSIDE_COUNT,
        [FINDING_UNINITIALIZED] = UNSET_COUNT,   [FINDING_BARRIER_DIVERGENCE] = LANE_CALL_COUNT,
        [FINDING_MISALIGNED] = MISALIGNED_COUNT, [FINDING_CRASH] = CRASH_CAUSE_COUNT,
    };
    return counts[kind];
}

bool program_finding_check(const struct finding *finding) {
    const struct program_array *array = &finding->of_program;
    bool named = memchr(array->name, '\0', sizeof array->name) != NULL;
    for (size_t i = 0; named && array->name[i] != '\0'; i++) {
        named = text_is_word(array->name[i]);
    }
    return named && array->memory <= MEMORY_PINNED && finding->kind < FINDING_KIND_COUNT &&
           finding->severity < SEVERITY_COUNT && finding->space < SPACE_COUNT &&
           finding->access < 1024 && finding->other_access < 1024 &&
           finding->value_count <= FINDING_VALUES_MAX && finding->parties < PARTIES_COUNT;
}

static bool finding_check(const struct finding *finding, const struct request *request,
                          const struct answer *answer) {
    if (request->flags & REQUEST_HOST) {
        return finding->count >= 1 && finding->count < COUNT_MAX && program_finding_check(finding);
    }
    bool enums = finding->kind < FINDING_KIND_COUNT && finding->kind != FINDING_HOST &&
                 finding->severity < SEVERITY_COUNT && finding->space < SPACE_COUNT &&
                 finding->access < ACCESS_KIND_COUNT && finding->other_access < ACCESS_KIND_COUNT &&
                 (finding->flags & ~FINDING_FLAGS) == 0 &&
                 finding->parties < (finding->kind == FINDING_RACE ? PARTIES_COUNT : 1) &&
                 (details_of(finding->kind) == 0 || finding->detail < details_of(finding->kind));
    bool numbers = finding->count >= 1 && finding->count < COUNT_MAX &&
                   access_bytes_check(finding->access_bytes) &&
                   finding->count_waiting <= THREADS_MAX && finding->count_absent <= THREADS_MAX &&
                   finding->count_other <= THREADS_MAX && finding->absent_other <= THREADS_MAX &&
                   finding->value_count <= FINDING_VALUES_MAX;
    return enums && numbers && array_check(finding, request->shared.count) &&
           mbarriers_check(finding, request->shared.count) &&
           place_check(finding->block, answer->grid, answer->other_grid) &&
           place_check(finding->other_block, answer->grid, answer->other_grid) &&
           place_check(finding->thread, answer->block, answer->other_block) &&
           place_check(finding->other_thread, answer->block, answer->other_block);
}

bool answer_add_findings(const struct request *request, const struct findings *findings,
                         struct answer *answer) {
    for (uint32_t i = 0; i < findings->count; i++) {
        if (!finding_check(&findings->list[i], request, answer)) {
            return false;
        }
        if (!findings_hold(&answer->findings, &findings->list[i])) {
            (void)findings_add(&answer->findings, &findings->list[i]);
        }
    }
    return true;
}

static bool counts_check(const struct counts *counts) {
#define COUNT_IN_RANGE(field, text) counts->field < COUNT_MAX &&
    bool in_range = COUNT_FIELDS(COUNT_IN_RANGE) COUNT_JUDGE_FIELDS(COUNT_IN_RANGE) true;
#undef COUNT_IN_RANGE
    // No value may be below its minimum.
    return in_range && counts->working_blocks <= counts->blocks &&
           counts->working_warps <= counts->threads &&
           counts->shared_load_ideal <= counts->shared_load_wavefronts &&
           counts->shared_store_ideal <= counts->shared_store_wavefronts &&
           counts->shared_atomic_ideal <= counts->shared_atomic_wavefronts &&
           count_lines_check(&counts->lines);
}

// Rows or columns without a touched element: there must be room for them between first and last.
static bool lines_check(uint32_t count, const uint32_t line[2], uint32_t extent) {
    if (count == 0) {
        return line[0] == 0 && line[1] == 0;
    }
    return line[0] <= line[1] && line[1] < extent && count <= line[1] - line[0] + 1;
}

static bool gap_check(const struct coverage_gap *gap, uint32_t rows, uint32_t columns) {
    static const struct coverage_gap none;
    if (gap->missing == 0) {
        return memcmp(gap, &none, sizeof none) == 0;
    }
    if (gap->first[0] > gap->last[0] || gap->first[1] > gap->last[1] || gap->last[0] >= rows ||
        gap->last[1] >= columns) {
        return false;
    }
    uint64_t box =
        (uint64_t)(gap->last[0] - gap->first[0] + 1) * (gap->last[1] - gap->first[1] + 1);
    return gap->missing <= box && gap->missing >= (uint64_t)gap->row_count * columns &&
           gap->missing >= (uint64_t)gap->column_count * rows &&
           lines_check(gap->row_count, gap->rows, rows) &&
           lines_check(gap->column_count, gap->columns, columns);
}

// Omitted elements can be reported for a whole launch only.
static bool coverage_check(const struct request *request, const struct answer *answer) {
    static const struct coverage none;
    const struct coverage_gap *gap = answer->coverage.gap;
    if (answer->end != RUN_FINISHED || !(request->flags & REQUEST_CHECK)) {
        return memcmp(gap, &none, sizeof none) == 0;
    }
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const uint32_t *extent = request->arguments.extent[i];
        if (!gap_check(&gap[i], extent[0], extent[1])) {
            return false;
        }
    }
    return true;
}

// A launch reported as finished must have been a valid launch.
static bool launch_check(const struct request *request, const struct answer *answer) {
    bool configures = request->kind == REQUEST_LAUNCH ||
                      (request->kind == REQUEST_PREPARE && request->timed.by == TIMED_BY_KERNEL);
    if (!configures || answer->end != RUN_FINISHED || request->flags & REQUEST_HOST) {
        return true;
    }
    // __launch_bounds__ is known only for the exercise's own kernel.
    uint32_t threads_max = answer->launch_count == 0 ? request->threads_max : 0;
    return answer->workspace_bytes <= WORKSPACE_BYTES_MAX &&
           launch_config_check(answer->grid, answer->block, answer->shared_bytes, 0, threads_max) ==
               BAD_LAUNCH_NONE;
}

bool answer_check(const struct request *request, const struct answer *answer, size_t bytes) {
    if (bytes != answer_bytes(request->flags) || answer->magic != PROTOCOL_MAGIC ||
        answer->kind != request->kind || answer->nonce != request->nonce) {
        return false;
    }
    if (answer->end >= RUN_END_COUNT || answer->bad_launch >= BAD_LAUNCH_COUNT ||
        (answer->end == RUN_BAD_LAUNCH) != (answer->bad_launch != BAD_LAUNCH_NONE)) {
        return false;
    }
    if ((answer->processes > 1 && answer->processes > request->processes) ||
        answer->guard_damaged >= 1u << GLOBAL_ARRAY_COUNT || answer->elapsed_ns >= COUNT_MAX ||
        answer->hands_over > 1 || answer->is_apart > 1 || answer->steps >= COUNT_MAX ||
        answer->launch_count > PLAN_LAUNCHES_MAX ||
        (answer->launch > 0 && answer->launch >= answer->launch_count) ||
        !timed_answer_check(&answer->timed, &request->arguments) ||
        !counts_check(&answer->counts) || memchr(answer->text, '\0', sizeof answer->text) == NULL) {
        return false;
    }
    if (answer->findings.count > FINDINGS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < answer->findings.count; i++) {
        if (!finding_check(&answer->findings.list[i], request, answer)) {
            return false;
        }
    }
    if ((request->flags & REQUEST_TRACE) &&
        !trace_check(&answer->trace, answer->block, request->shared.count)) {
        return false;
    }
    return coverage_check(request, answer) && launch_check(request, answer);
}

enum bad_launch launch_config_check(const uint32_t grid[3], const uint32_t block[3],
                                    uint64_t shared_bytes, uint64_t static_bytes,
                                    uint32_t threads_max) {
    if (block[0] == 0 || block[1] == 0 || block[2] == 0) {
        return BAD_LAUNCH_BLOCK_ZERO;
    }
    // Checks each factor first, so that the product cannot overflow.
    if (block[0] > THREADS_MAX || block[1] > THREADS_MAX || block[2] > THREADS_MAX ||
        (uint64_t)block[0] * block[1] * block[2] > THREADS_MAX) {
        return BAD_LAUNCH_BLOCK_TOO_LARGE;
    }
    if (block[2] > BLOCK_Z_MAX) {
        return BAD_LAUNCH_BLOCK_DIMENSION;
    }
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
        return BAD_LAUNCH_GRID_ZERO;
    }
    if (grid[0] > GRID_X_MAX || grid[1] > GRID_YZ_MAX || grid[2] > GRID_YZ_MAX) {
        return BAD_LAUNCH_GRID_TOO_LARGE;
    }
    if (static_bytes > SHARED_BYTES_MAX || shared_bytes > SHARED_OPTIN_MAX - static_bytes) {
        return BAD_LAUNCH_SHARED;
    }
    if (threads_max != 0 && block[0] * block[1] * block[2] > threads_max) {
        return BAD_LAUNCH_BOUNDS;
    }
    return BAD_LAUNCH_NONE;
}

#define FREE_FD 16  // above the two numbers that the worker knows

// Data in a socket stays there when its other end is shut down.
enum status recorded_open(const char *path, struct error *err) {
    static struct recorded recorded;
    struct stat info;
    int sockets[2] = {-1, -1};
    int file = open(path, O_RDONLY);
    bool read_well = file >= 0 && fstat(file, &info) == 0 &&
                     read(file, &recorded, sizeof recorded) == (ssize_t)sizeof recorded;
    size_t bytes = read_well ? (size_t)info.st_size - sizeof recorded : 0;
    if (!read_well || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot be read", path);
    }
    int judge = fcntl(sockets[0], F_DUPFD, FREE_FD);
    int worker = fcntl(sockets[1], F_DUPFD, FREE_FD);
    int memory = fcntl(memfd_create("matrices", 0), F_DUPFD, FREE_FD);
    bool sent = send(judge, &recorded.setup, sizeof recorded.setup, 0) > 0 &&
                send(judge, &recorded.launch, REQUEST_HEAD_BYTES, 0) > 0 &&
                shutdown(judge, SHUT_WR) == 0;
    if (!sent || sendfile(memory, file, NULL, bytes) != (ssize_t)bytes ||
        dup2(worker, PROTOCOL_SOCKET_FD) < 0 || dup2(memory, PROTOCOL_MATRICES_FD) < 0) {
        return fail_errno(err, STATUS_SYSTEM, "%s: cannot open the channel", path);
    }
    return STATUS_OK;
}
