// The order of operations: which of them a GPU does before which.
//
// Operations of a stream are numbered.  A clock says, for each stream, up to which number the
// operations come before: that of a stream is for its next operation, that of an event for what was
// recorded, that of the host for what it has waited for.  The default stream waits for all others,
// and they for it, except those that were created not to block.  Uses of memory by operations that
// the host has not waited for are kept, and each new use is compared with them.
//
// Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"; CUDA Runtime API,
// "Stream synchronization behavior" and "API synchronization behavior".
#include "emu/host/host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Each device has two streams from the start: the default one, and that of cudaStreamPerThread.
#define OWN_STREAMS   2u
#define FIRST_CREATED (OWN_STREAMS * HOST_DEVICES_MAX)
#define PER_THREAD    1u
#define USES_MAX      4096
#define TOLD_MAX      16

struct stream {
    bool exists;
    bool is_free;  // does not wait for the default stream
    uint32_t device;
    uint64_t created_pc, destroyed_pc;
    uint64_t issued;  // operations
    struct host_clock clock;
};

struct event {
    bool exists;
    bool is_recorded;
    bool lacks_time;  // cudaEventDisableTiming
    uint32_t device;
    uint64_t created_pc, destroyed_pc;
    struct host_clock clock;
    struct timespec time;
};

// A use that the host has not waited for.
struct use {
    uint64_t low, high;
    uint64_t pc;
    uint64_t number;
    uint32_t stream;
    uint32_t kind;   // enum host_access
    uint8_t *touch;  // by word, owned; NULL: all of the range
};

static struct {
    struct stream stream[HOST_STREAMS_MAX];
    struct event event[HOST_EVENTS_MAX];
    uint32_t stream_count, event_count;
    struct host_clock host;
    struct use use[USES_MAX];
    uint32_t use_count;
    // Values that host functions of streams have set by atomic operations, and what comes before:
    // host code that reads one has waited for that.
    struct {
        uint64_t address;
        struct host_clock clock;
    } told[TOLD_MAX];
    uint32_t told_count;
    bool in_callback;
    // The operation that is being issued.
    uint32_t now;
    uint64_t pc;
} order;

static void join(struct host_clock *clock, const struct host_clock *other) {
    for (uint32_t i = 0; i < order.stream_count; i++) {
        clock->seen[i] = clock->seen[i] > other->seen[i] ? clock->seen[i] : other->seen[i];
    }
}

// A clock comes after all that was issued into a stream.
static void after(struct host_clock *clock, uint32_t number) {
    join(clock, &order.stream[number].clock);
    clock->seen[number] = order.stream[number].issued;
}

void host_order_open(void) {
    order.stream_count = FIRST_CREATED;
    for (uint32_t i = 0; i < FIRST_CREATED; i++) {
        order.stream[i] = (struct stream){.exists = true, .device = i / OWN_STREAMS};
    }
}

// --- Handles -------------------------------------------------------------------------------------

// Handles are numbers from 16 on, so that a handle is never a pointer to memory.
#define HANDLE_FIRST 16u

static void *handle_of(uint32_t number) {
    return (void *)(uintptr_t)(HANDLE_FIRST + number);
}

static void handle_report(uint64_t destroyed_pc, uint64_t pc, bool is_event) {
    struct finding finding = host_finding(HOST_HANDLE, pc);
    finding.other_pc = destroyed_pc;
    finding.access = is_event;
    host_report(&finding);
}

// The number of a stream; false if there is none, which it reports.
static bool stream_find(void *handle, uint64_t pc, uint32_t *ret_stream) {
    uint64_t number = (uint64_t)(uintptr_t)handle;
    *ret_stream = host_state.device * OWN_STREAMS;
    if (number <= 2) {  // none, cudaStreamLegacy, cudaStreamPerThread
        *ret_stream += number == 2 ? PER_THREAD : 0;
        return true;
    }
    number -= HANDLE_FIRST;
    if (number >= order.stream_count || !order.stream[number].exists) {
        handle_report(number < order.stream_count ? order.stream[number].destroyed_pc : 0, pc,
                      false);
        return false;
    }
    *ret_stream = (uint32_t)number;
    return true;
}

static struct event *event_find(void *handle, uint64_t pc) {
    uint64_t number = (uint64_t)(uintptr_t)handle - HANDLE_FIRST;
    if (number >= order.event_count || !order.event[number].exists) {
        handle_report(number < order.event_count ? order.event[number].destroyed_pc : 0, pc, true);
        return NULL;
    }
    return &order.event[number];
}

// --- Operations ----------------------------------------------------------------------------------

static void use_end(struct use *use) {
    free(use->touch);
}

// Forgets the uses that the host has waited for, and stops watching the host if none is left.
static void uses_prune(void) {
    uint32_t kept = 0;
    bool watches = false;
    for (uint32_t i = 0; i < order.use_count; i++) {
        struct use *use = &order.use[i];
        if (use->number <= order.host.seen[use->stream]) {
            use_end(use);
            continue;
        }
        uint32_t array = 0;
        int64_t offset = 0;
        watches |= host_find((const void *)(uintptr_t)use->low, &array, &offset) &&
                   host_state.array[array].memory != MEMORY_OF_DEVICE;
        order.use[kept++] = *use;
    }
    order.use_count = kept;
    host_watch(watches);
}

bool host_order_begin(void *handle, uint64_t pc) {
    uint32_t number = 0;
    if (!stream_find(handle, pc, &number)) {
        return false;
    }
    struct stream *stream = &order.stream[number];
    const uint32_t first = stream->device * OWN_STREAMS;
    join(&stream->clock, &order.host);
    for (uint32_t i = first; i < order.stream_count; i++) {
        bool waits = number == first ? i != first && !order.stream[i].is_free
                                     : i == first && !stream->is_free;
        if (waits && order.stream[i].exists && order.stream[i].device == stream->device) {
            after(&stream->clock, i);
        }
    }
    stream->clock.seen[number] = stream->issued;
    stream->issued++;
    order.now = number;
    order.pc = pc;
    return true;
}

uint32_t host_order_device(void) {
    return order.stream[order.now].device;
}

void host_order_meet(uint32_t device) {
    struct stream *now = &order.stream[order.now];
    for (uint32_t i = 0; i < order.stream_count; i++) {
        struct stream *stream = &order.stream[i];
        if (i != order.now && stream->exists && stream->device == device) {
            after(&now->clock, i);
            after(&stream->clock, order.now);
        }
    }
}

enum handle { HANDLE_STREAM, HANDLE_EVENT, HANDLE_EVENTS };

static void device_report(uint32_t device, uint32_t other, uint64_t created_pc, uint64_t pc,
                          enum handle what) {
    struct finding finding = host_finding(HOST_OTHER_DEVICE, pc);
    finding.offset = device;
    finding.other_offset = other;
    finding.other_pc = created_pc;
    finding.access = what != HANDLE_STREAM;
    finding.phases = what == HANDLE_EVENTS;
    host_report(&finding);
}

bool host_order_launches(void *handle, uint64_t pc) {
    uint32_t number = 0;
    if (!stream_find(handle, pc, &number)) {
        return false;
    }
    const struct stream *stream = &order.stream[number];
    if (stream->device != host_state.device) {
        device_report(stream->device, host_state.device, stream->created_pc, pc, HANDLE_STREAM);
    }
    return stream->device == host_state.device;
}

// COVERAGE_ bits of a word in a range, of which all has `kind` if there is no map.
static uint8_t bits_at(const uint8_t *touch, uint64_t low, uint64_t address, uint32_t kind) {
    return touch ? touch[(address - low) / COVERAGE_ELEMENT_BYTES]
                 : (uint8_t)(kind & HOST_USE_WRITE ? kind | COVERAGE_STORED : kind);
}

// Two atomic operations need no order.
static bool bits_conflict(uint8_t a, uint8_t b) {
    bool atomic = a & b & COVERAGE_ATOMIC && !((a | b) & COVERAGE_STORED);
    return a && b && (a | b) & COVERAGE_WRITTEN && !atomic;
}

// True if two uses overlap in a word, and one of them stores.
static bool conflicts(const struct use *use, const struct host_range *range, uint64_t *ret_at) {
    uint64_t low = use->low > range->low ? use->low : range->low;
    uint64_t high = use->high < range->high ? use->high : range->high;
    if (low >= high || !((use->kind | range->kind) & HOST_USE_WRITE)) {
        return false;
    }
    for (uint64_t at = low; at < high; at += COVERAGE_ELEMENT_BYTES) {
        if (bits_conflict(bits_at(use->touch, use->low, at, use->kind),
                          bits_at(range->touch, range->low, at, range->kind))) {
            *ret_at = at;
            return true;
        }
        if (!use->touch && !range->touch) {
            break;
        }
    }
    return false;
}

static void race_report(const struct use *use, uint64_t at, uint32_t kind, uint64_t pc,
                        bool by_host) {
    uint32_t array = 0;
    int64_t offset = 0;
    const void *place = (const void *)(uintptr_t)(at % HOST_VARIABLES_OF_DEVICE);
    struct finding finding = host_find(place, &array, &offset)
                                 ? host_finding_in(HOST_RACE, pc, array, offset)
                                 : host_finding(HOST_RACE, pc);
    finding.other_pc = use->pc;
    finding.access = kind & HOST_USE_WRITE ? ACCESS_WRITE : ACCESS_READ;
    finding.other_access = use->kind & HOST_USE_WRITE ? ACCESS_WRITE : ACCESS_READ;
    finding.phases = by_host;
    host_report(&finding);
}

void host_order_use(const struct host_range *range) {
    const struct stream *stream = &order.stream[order.now];
    for (uint32_t i = 0; i < order.use_count; i++) {
        const struct use *use = &order.use[i];
        uint64_t at = 0;
        if (use->number > stream->clock.seen[use->stream] &&
            !(use->stream == order.now && use->number == stream->issued) &&
            conflicts(use, range, &at)) {
            race_report(use, at, range->kind, order.pc, false);
        }
    }
    if (order.use_count == USES_MAX) {
        use_end(&order.use[0]);
        memmove(order.use, order.use + 1, --order.use_count * sizeof *order.use);
    }
    uint8_t *touch = NULL;
    if (range->touch) {
        uint64_t words =
            (range->high - range->low + COVERAGE_ELEMENT_BYTES - 1) / COVERAGE_ELEMENT_BYTES;
        touch = malloc(words);
        if (touch) {
            memcpy(touch, range->touch, words);
        }
    }
    order.use[order.use_count++] = (struct use){.low = range->low,
                                                .high = range->high,
                                                .pc = order.pc,
                                                .number = stream->issued,
                                                .stream = order.now,
                                                .kind = range->kind,
                                                .touch = touch};
    uint32_t array = 0;
    int64_t offset = 0;
    if (host_find((const void *)(uintptr_t)range->low, &array, &offset) &&
        host_state.array[array].memory != MEMORY_OF_DEVICE) {
        host_watch(true);
    }
}

void host_access(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc) {
    const struct host_range range = {.low = address,
                                     .high = address + bytes,
                                     .kind = kind == ACCESS_READ ? HOST_USE_READ : HOST_USE_WRITE};
    for (uint32_t i = 0; i < order.use_count; i++) {
        const struct use *use = &order.use[i];
        uint64_t at = 0;
        if (use->number > order.host.seen[use->stream] && conflicts(use, &range, &at)) {
            race_report(use, at, range.kind, pc, true);
            return;
        }
    }
}

// --- Waiting -------------------------------------------------------------------------------------

static void wait_for(uint32_t number) {
    after(&order.host, number);
    uses_prune();
}

void host_order_wait(void) {
    wait_for(order.now);
}

void host_order_wait_device(uint32_t device) {
    for (uint32_t i = 0; i < order.stream_count; i++) {
        if (order.stream[i].device == device) {
            after(&order.host, i);
        }
    }
    uses_prune();
}

// --- Streams -------------------------------------------------------------------------------------

uint32_t emu_cudaStreamCreate(void **stream);
uint32_t emu_cudaStreamCreateWithFlags(void **stream, uint32_t flags);
uint32_t emu_cudaStreamCreateWithPriority(void **stream, uint32_t flags, int priority);
uint32_t emu_cudaStreamDestroy(void *stream);
uint32_t emu_cudaStreamSynchronize(void *stream);
uint32_t emu_cudaStreamQuery(void *stream);
uint32_t emu_cudaStreamWaitEvent(void *stream, void *event, uint32_t flags);
uint32_t emu_cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data);
uint32_t emu_cudaStreamAddCallback(void *stream, void (*function)(void *, uint32_t, void *),
                                   void *data, uint32_t flags);

static uint32_t stream_new(void **stream, bool is_free, uint64_t pc) {
    if (!stream || order.stream_count == HOST_STREAMS_MAX) {
        return host_fail(cudaErrorInvalidValue, pc);
    }
    uint32_t number = order.stream_count++;
    order.stream[number] = (struct stream){
        .exists = true, .is_free = is_free, .device = host_state.device, .created_pc = pc};
    *stream = handle_of(number);
    return cudaSuccess;
}

uint32_t emu_cudaStreamCreate(void **stream) {
    return stream_new(stream, false, CALLED_AT);
}

uint32_t emu_cudaStreamCreateWithFlags(void **stream, uint32_t flags) {
    return stream_new(stream, flags & 1, CALLED_AT);
}

uint32_t emu_cudaStreamCreateWithPriority(void **stream, uint32_t flags, int priority) {
    (void)priority;
    return stream_new(stream, flags & 1, CALLED_AT);
}

uint32_t emu_cudaStreamDestroy(void *stream) {
    uint32_t number = 0;
    if (!stream_find(stream, CALLED_AT, &number) || number < FIRST_CREATED) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    order.stream[number].exists = false;
    order.stream[number].destroyed_pc = CALLED_AT;
    return cudaSuccess;
}

uint32_t emu_cudaStreamSynchronize(void *stream) {
    uint32_t number = 0;
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    if (!stream_find(stream, CALLED_AT, &number)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    if (number < FIRST_CREATED && number % OWN_STREAMS == 0) {  // after all streams that block
        (void)host_order_begin(stream, CALLED_AT);
    }
    wait_for(number);
    return cudaSuccess;
}

// All is done at once here, and a program that has heard so need not wait.
uint32_t emu_cudaStreamQuery(void *stream) {
    uint32_t number = 0;
    if (!stream_find(stream, CALLED_AT, &number)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    wait_for(number);
    return host_state.sticky;
}

uint32_t emu_cudaStreamWaitEvent(void *stream, void *event, uint32_t flags) {
    uint32_t number = 0;
    (void)flags;
    const struct event *waited = event_find(event, CALLED_AT);
    if (!waited || !stream_find(stream, CALLED_AT, &number)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    join(&order.stream[number].clock, &waited->clock);
    return cudaSuccess;
}

// A function of the host runs in the stream, whose operations come before what it does.  Returns
// what the host has seen itself, to be restored after the function.
static struct host_clock callback_begin(void) {
    const struct host_clock before = order.host;
    after(&order.host, order.now);
    order.in_callback = true;
    return before;
}

static void callback_end(const struct host_clock *before) {
    order.host = *before;
    order.in_callback = false;
}

void host_atomic(const volatile void *at) {
    const uint64_t address = (uint64_t)(uintptr_t)at;
    uint32_t i = 0;
    while (i < order.told_count && order.told[i].address != address) {
        i++;
    }
    if (order.in_callback && i < TOLD_MAX) {
        order.told[i].address = address;
        order.told[i].clock = order.host;
        order.told_count = i < order.told_count ? order.told_count : i + 1;
    } else if (i < order.told_count) {
        join(&order.host, &order.told[i].clock);
        uses_prune();
    }
}

uint32_t emu_cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
    if (!host_order_begin(stream, CALLED_AT)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    const struct host_clock before = callback_begin();
    function(data);
    callback_end(&before);
    return cudaSuccess;
}

uint32_t emu_cudaStreamAddCallback(void *stream, void (*function)(void *, uint32_t, void *),
                                   void *data, uint32_t flags) {
    (void)flags;
    if (!host_order_begin(stream, CALLED_AT)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    const struct host_clock before = callback_begin();
    function(stream, host_state.sticky, data);
    callback_end(&before);
    return cudaSuccess;
}

// --- Events --------------------------------------------------------------------------------------

uint32_t emu_cudaEventCreate(void **event, uint32_t flags);
uint32_t emu_cudaEventCreateWithFlags(void **event, uint32_t flags);
uint32_t emu_cudaEventDestroy(void *event);
uint32_t emu_cudaEventRecord(void *event, void *stream);
uint32_t emu_cudaEventSynchronize(void *event);
uint32_t emu_cudaEventQuery(void *event);
uint32_t emu_cudaEventElapsedTime(float *ms, void *start, void *end);

static uint32_t event_new(void **event, uint32_t flags, uint64_t pc) {
    const uint32_t disable_timing = 2;
    uint32_t number = 0;
    while (number < order.event_count && order.event[number].exists) {
        number++;
    }
    if (!event || number == HOST_EVENTS_MAX) {
        return host_fail(cudaErrorInvalidValue, pc);
    }
    order.event_count = number == order.event_count ? number + 1 : order.event_count;
    order.event[number] = (struct event){.exists = true,
                                         .lacks_time = (flags & disable_timing) != 0,
                                         .device = host_state.device,
                                         .created_pc = pc};
    *event = handle_of(number);
    return cudaSuccess;
}

uint32_t emu_cudaEventCreate(void **event, uint32_t flags) {
    return event_new(event, flags, CALLED_AT);
}

uint32_t emu_cudaEventCreateWithFlags(void **event, uint32_t flags) {
    return event_new(event, flags, CALLED_AT);
}

uint32_t emu_cudaEventDestroy(void *event) {
    struct event *found = event_find(event, CALLED_AT);
    if (!found) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    found->exists = false;
    found->destroyed_pc = CALLED_AT;
    return cudaSuccess;
}

uint32_t emu_cudaEventRecord(void *event, void *stream) {
    struct event *found = event_find(event, CALLED_AT);
    if (!found || !host_order_begin(stream, CALLED_AT)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    if (found->device != host_order_device()) {
        device_report(found->device, host_order_device(), found->created_pc, CALLED_AT,
                      HANDLE_EVENT);
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    found->is_recorded = true;
    found->clock = (struct host_clock){.seen = {0}};
    after(&found->clock, order.now);
    (void)clock_gettime(CLOCK_MONOTONIC, &found->time);
    return cudaSuccess;
}

uint32_t emu_cudaEventSynchronize(void *event) {
    const struct event *found = event_find(event, CALLED_AT);
    if (!found) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    join(&order.host, &found->clock);
    uses_prune();
    return host_state.sticky;
}

uint32_t emu_cudaEventQuery(void *event) {
    const struct event *found = event_find(event, CALLED_AT);
    if (!found) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    join(&order.host, &found->clock);
    uses_prune();
    return host_state.sticky;
}

// True if the host has waited for the event, or for what comes after it.
static bool is_reached(const struct event *event) {
    for (uint32_t i = 0; i < order.stream_count; i++) {
        if (event->clock.seen[i] > order.host.seen[i]) {
            return false;
        }
    }
    return true;
}

// The time that this machine took: no GPU's.
uint32_t emu_cudaEventElapsedTime(float *ms, void *start, void *end) {
    const struct event *first = event_find(start, CALLED_AT);
    const struct event *last = first ? event_find(end, CALLED_AT) : NULL;
    if (!ms || !first || !last) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    bool timed = !first->lacks_time && !last->lacks_time;
    if (!first->is_recorded || !last->is_recorded || !timed) {
        struct finding finding = host_finding(HOST_UNRECORDED, CALLED_AT);
        finding.phases = !timed;
        host_report(&finding);
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    if (first->device != last->device) {
        device_report(first->device, last->device, first->created_pc, CALLED_AT, HANDLE_EVENTS);
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    host_state.has_timed = true;
    if (!is_reached(first) || !is_reached(last)) {
        join(&order.host, &first->clock);  // a program that asks again has waited long enough
        join(&order.host, &last->clock);
        return host_fail(cudaErrorNotReady, CALLED_AT);
    }
    *ms = (float)(1e3 * (double)(last->time.tv_sec - first->time.tv_sec) +
                  1e-6 * (double)(last->time.tv_nsec - first->time.tv_nsec));
    return cudaSuccess;
}
