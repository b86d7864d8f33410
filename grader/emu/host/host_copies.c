// Copies and fills.  A call examines all that it is given before it does anything, and does nothing
// if a finding says that a GPU would not do it either.
#include "emu/host/host.h"

#include <string.h>

// --- Copies --------------------------------------------------------------------------------------

// One side of a copy: a pointer, and what it points to.
struct side {
    const void *pointer;
    bool is_ours;  // in an array of the program
    uint32_t array;
    int64_t offset;
    enum host_memory memory;
};

static struct side side_of(const void *pointer) {
    struct side side = {.pointer = pointer, .array = ARRAY_NONE, .memory = MEMORY_OF_HOST};
    side.is_ours = host_find(pointer, &side.array, &side.offset);
    if (side.is_ours) {
        side.memory = host_state.array[side.array].memory;
    }
    return side;
}

// A transfer, checked before it is done.
struct transfer {
    struct side to, from;
    uint64_t bytes;
    uint64_t pc;
    uint32_t kind;  // enum cudaMemcpyKind, or KIND_FILL
    void *stream;
    bool waits;  // the host waits for it
};
#define KIND_TO_DEVICE   1u
#define KIND_FROM_DEVICE 2u
#define KIND_ON_DEVICE   3u
#define KIND_DEFAULT     4u
#define KIND_FILL        5u

static struct finding side_finding(enum host_fault fault, const struct side *side,
                                   const struct transfer *transfer) {
    struct finding finding = side->is_ours
                                 ? host_finding_in(fault, transfer->pc, side->array, side->offset)
                                 : host_finding(fault, transfer->pc);
    finding.other_offset = (int64_t)transfer->bytes;
    finding.phases = transfer->kind;
    return finding;
}

// Reports a side that the bytes do not fit, or that may not be used; true if it may.
static bool side_check(const struct side *side, const struct transfer *transfer) {
    if (!side->is_ours) {
        uint64_t block = host_block_bytes(side->pointer);
        uint64_t room = block > 0 ? block : host_frame_room(side->pointer);
        if (room > 0 && transfer->bytes > room) {
            const struct side *other = side == &transfer->to ? &transfer->from : &transfer->to;
            struct finding finding = side_finding(HOST_PAST_HOST, other, transfer);
            finding.array_bytes = room;
            finding.inits = block == 0;  // the array may have less
            finding.access = side == &transfer->to ? ACCESS_WRITE : ACCESS_READ;
            host_report(&finding);
            return false;
        }
        return true;
    }
    const struct host_array *array = &host_state.array[side->array];
    if (array->freed_pc != 0) {
        (void)host_freed_report(side->array, side->offset, transfer->pc, HOST_FREED_USED);
        return false;
    }
    if (side->offset < 0 || transfer->bytes > array->bytes ||
        (uint64_t)side->offset > array->bytes - transfer->bytes) {
        struct finding finding = side_finding(HOST_PAST_DEVICE, side, transfer);
        finding.access = side == &transfer->to ? ACCESS_WRITE : ACCESS_READ;
        host_report(&finding);
        return false;
    }
    return true;
}

// True if the host's functions cannot use this memory themselves.
static bool is_of_device(const struct side *side) {
    return side->is_ours && side->memory == MEMORY_OF_DEVICE;
}

// The kind says what the two pointers are.  Pinned and managed memory may be on either side.
static bool kind_fits(const struct transfer *transfer) {
    bool to_device = transfer->kind == KIND_TO_DEVICE || transfer->kind == KIND_ON_DEVICE;
    bool from_device = transfer->kind == KIND_FROM_DEVICE || transfer->kind == KIND_ON_DEVICE;
    if (transfer->kind == KIND_FILL) {
        return transfer->to.is_ours;
    }
    return transfer->kind == KIND_DEFAULT ||
           ((to_device ? transfer->to.is_ours : !is_of_device(&transfer->to)) &&
            (from_device ? transfer->from.is_ours : !is_of_device(&transfer->from)));
}

static uint32_t transfer_check(const struct transfer *transfer) {
    const struct side *sides[] = {&transfer->to, &transfer->from};
    const int count = transfer->kind == KIND_FILL ? 1 : 2;
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    if (transfer->bytes == 0) {
        return cudaSuccess;
    }
    for (int i = 0; i < count; i++) {
        if (!sides[i]->pointer) {
            return host_fail(cudaErrorInvalidValue, transfer->pc);
        }
        if (host_is_symbol(sides[i]->pointer) && transfer->kind <= KIND_FILL) {
            struct finding finding = side_finding(HOST_SYMBOL, sides[i], transfer);
            host_report(&finding);
            return host_failed(cudaErrorInvalidValue);
        }
    }
    if (!kind_fits(transfer)) {
        const struct side *ours = transfer->to.is_ours ? &transfer->to : &transfer->from;
        struct finding finding = side_finding(HOST_WRONG_WAY, ours, transfer);
        finding.access = transfer->to.memory;
        finding.other_access = transfer->from.memory;
        host_report(&finding);
        return host_failed(cudaErrorInvalidValue);
    }
    for (int i = 0; i < count; i++) {
        if (!side_check(sides[i], transfer)) {
            return host_failed(cudaErrorInvalidValue);
        }
    }
    return cudaSuccess;
}

// True if another byte of the same element is set: what is not may be padding of a struct.
static bool is_padding(const struct side *side, uint64_t unset) {
    const struct host_array *array = &host_state.array[side->array];
    uint64_t step = array->element_bytes > 1 ? array->element_bytes : WORKSPACE_WORD_BYTES;
    uint64_t first = ((uint64_t)side->offset + unset) / step * step;
    for (uint64_t at = first; at < first + step && at < array->bytes; at++) {
        if (host_byte_is_set(side->array, at)) {
            return array->element_bytes != 1;
        }
    }
    return false;
}

// Bytes that nothing has stored are copied to the host.
static void unset_check(const struct transfer *transfer) {
    const struct side *from = &transfer->from;
    if (!from->is_ours || from->array < machine_state.variables ||
        from->memory != MEMORY_OF_DEVICE || transfer->to.is_ours) {
        return;
    }
    uint64_t unset = host_unset_first(from->array, (uint64_t)from->offset, transfer->bytes);
    while (unset < transfer->bytes && is_padding(from, unset)) {
        uint64_t next = unset + 1;
        unset = next + host_unset_first(from->array, (uint64_t)from->offset + next,
                                        transfer->bytes - next);
    }
    if (unset < transfer->bytes) {
        struct finding finding = side_finding(HOST_UNSET_COPIED, from, transfer);
        finding.offset += (int64_t)unset;
        finding.other_pc = host_copied_before(from->array, finding.offset);
        host_report(&finding);
        // Once is enough.
        host_mark(from->array, (uint64_t)from->offset, transfer->bytes);
    }
}

static void uses_note(const struct transfer *transfer) {
    const struct side *sides[] = {&transfer->to, &transfer->from};
    for (int i = 0; i < 2; i++) {
        uint64_t low = (uint64_t)(uintptr_t)sides[i]->pointer;
        if (sides[i]->is_ours) {
            host_order_use(&(struct host_range){low, low + transfer->bytes,
                                                i == 0 ? HOST_USE_WRITE : HOST_USE_READ, NULL});
        }
    }
}

// Copies or fills as a GPU does, on both sides' memory.
static void marks_copy(const struct transfer *transfer) {
    if (transfer->from.is_ours && transfer->kind != KIND_FILL) {
        host_taken(transfer->from.array, (uint64_t)transfer->from.offset, transfer->bytes,
                   transfer->pc);
    }
    if (transfer->to.is_ours) {
        host_mark(transfer->to.array, (uint64_t)transfer->to.offset, transfer->bytes);
        host_state.array[transfer->to.array].copy_pc = transfer->pc;
        host_state.array[transfer->to.array].copy_end =
            (uint64_t)transfer->to.offset + transfer->bytes;
    }
}

static uint32_t transfer_begin(const struct transfer *transfer) {
    if (!host_order_begin(transfer->stream, transfer->pc)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    // Without a stream, a copy waits for all devices of its memory, and they for it.
    const struct side *sides[] = {&transfer->to, &transfer->from};
    for (int i = 0; i < 2 && !transfer->stream; i++) {
        uint32_t device = sides[i]->is_ours ? host_state.array[sides[i]->array].device : 0;
        if (sides[i]->is_ours && device != host_order_device()) {
            host_order_meet(device);
        }
    }
    uses_note(transfer);
    return cudaSuccess;
}

// Memory of the host that is not pinned is copied before the call returns.
static void transfer_end(const struct transfer *transfer) {
    bool pageable =
        !transfer->to.is_ours || (!transfer->from.is_ours && transfer->kind != KIND_FILL);
    if (transfer->waits || pageable) {
        host_order_wait();
    }
}

static uint32_t copy(struct transfer *transfer) {
    uint32_t error = transfer_check(transfer);
    if (error || transfer->bytes == 0) {
        return error;
    }
    error = transfer_begin(transfer);
    if (error) {
        return error;
    }
    unset_check(transfer);
    host_open();
    host_copying(transfer->pc);
    memmove((void *)(uintptr_t)transfer->to.pointer, transfer->from.pointer, transfer->bytes);
    host_copying(0);
    host_close();
    marks_copy(transfer);
    transfer_end(transfer);
    return cudaSuccess;
}

static uint32_t copy_any(void *to, const void *from, uint64_t bytes, uint32_t kind, uint64_t pc,
                         void *stream, bool waits) {
    struct transfer transfer = {.to = side_of(to),
                                .from = side_of(from),
                                .bytes = bytes,
                                .pc = pc,
                                .kind = kind,
                                .stream = stream,
                                .waits = waits};
    return copy(&transfer);
}

uint32_t emu_cudaMemcpy(void *to, const void *from, uint64_t bytes, uint32_t kind);
uint32_t emu_cudaMemcpyAsync(void *to, const void *from, uint64_t bytes, uint32_t kind,
                             void *stream);
uint32_t emu_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                            uint64_t bytes);
uint32_t emu_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                 uint64_t bytes, void *stream);

uint32_t emu_cudaMemcpy(void *to, const void *from, uint64_t bytes, uint32_t kind) {
    return copy_any(to, from, bytes, kind, CALLED_AT, NULL, true);
}

uint32_t emu_cudaMemcpyAsync(void *to, const void *from, uint64_t bytes, uint32_t kind,
                             void *stream) {
    return copy_any(to, from, bytes, kind, CALLED_AT, stream, false);
}

uint32_t emu_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                            uint64_t bytes) {
    if (!host_device_exists(to_device) || !host_device_exists(from_device)) {
        return host_fail(cudaErrorInvalidDevice, CALLED_AT);
    }
    return copy_any(to, from, bytes, KIND_ON_DEVICE, CALLED_AT, NULL, true);
}

uint32_t emu_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                 uint64_t bytes, void *stream) {
    if (!host_device_exists(to_device) || !host_device_exists(from_device)) {
        return host_fail(cudaErrorInvalidDevice, CALLED_AT);
    }
    return copy_any(to, from, bytes, KIND_ON_DEVICE, CALLED_AT, stream, false);
}

// Rows of `width` bytes, `pitch` apart.  Each row is a transfer; the first one that fails ends it.
struct pitched_rows {
    uint64_t to_pitch, from_pitch, width, height;
};

// Rows of the host must fit into its memory as a whole.
static uint32_t rows_check(const void *to, const void *from, const struct pitched_rows *rows,
                           uint32_t kind, uint64_t pc) {
    struct transfer whole = {.to = side_of(to), .from = side_of(from), .pc = pc, .kind = kind};
    const struct side *sides[] = {&whole.to, &whole.from};
    for (int i = 0; i < 2 && rows->height > 0; i++) {
        whole.bytes =
            (rows->height - 1) * (i == 0 ? rows->to_pitch : rows->from_pitch) + rows->width;
        if (!sides[i]->is_ours && !side_check(sides[i], &whole)) {
            return host_failed(cudaErrorInvalidValue);
        }
    }
    return cudaSuccess;
}

static uint32_t copy_rows(void *to, const void *from, struct pitched_rows rows, uint32_t kind,
                          uint64_t pc, void *stream, bool waits) {
    if (rows.width > rows.to_pitch || rows.width > rows.from_pitch) {
        return host_fail(cudaErrorInvalidPitchValue, pc);
    }
    uint32_t error = rows_check(to, from, &rows, kind, pc);
    for (uint64_t row = 0; row < rows.height && !error; row++) {
        error =
            copy_any((char *)to + row * rows.to_pitch, (const char *)from + row * rows.from_pitch,
                     rows.width, kind, pc, stream, waits);
    }
    return error;
}

uint32_t emu_cudaMemcpy2D(void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                          uint64_t width, uint64_t height, uint32_t kind);
uint32_t emu_cudaMemcpy2DAsync(void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                               uint64_t width, uint64_t height, uint32_t kind, void *stream);

uint32_t emu_cudaMemcpy2D(void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                          uint64_t width, uint64_t height, uint32_t kind) {
    return copy_rows(to, from, (struct pitched_rows){to_pitch, from_pitch, width, height}, kind,
                     CALLED_AT, NULL, true);
}

uint32_t emu_cudaMemcpy2DAsync(void *to, uint64_t to_pitch, const void *from, uint64_t from_pitch,
                               uint64_t width, uint64_t height, uint32_t kind, void *stream) {
    return copy_rows(to, from, (struct pitched_rows){to_pitch, from_pitch, width, height}, kind,
                     CALLED_AT, stream, false);
}

// A fill sets bytes: of integers and floats, only a few values make sense.
static void fill_look(const struct transfer *transfer, int given) {
    const uint32_t bytes = host_state.array[transfer->to.array].element_bytes;
    const uint8_t value = (uint8_t)given;
    const bool fits = given >= -128 && given <= 255;
    const bool usual = value == 0 || value == 0xff || value == 0x7f || value == 0x3f;
    // The judge may know the elements of what was allocated as bytes.
    if (!fits || ((bytes <= 2 || bytes == 4 || bytes == 8) && !usual)) {
        struct finding finding = side_finding(HOST_FILLED_BYTES, &transfer->to, transfer);
        finding.severity = SEVERITY_WARNING;
        finding.other_offset = value;
        finding.access_bytes = bytes;
        host_report(&finding);
    }
}

static uint32_t fill(void *pointer, int value, uint64_t bytes, uint64_t pc, void *stream,
                     bool waits) {
    struct transfer transfer = {.to = side_of(pointer),
                                .from = {.array = ARRAY_NONE},
                                .bytes = bytes,
                                .pc = pc,
                                .kind = KIND_FILL,
                                .stream = stream,
                                .waits = waits};
    uint32_t error = transfer_check(&transfer);
    if (error || bytes == 0) {
        return error;
    }
    error = transfer_begin(&transfer);
    if (error) {
        return error;
    }
    fill_look(&transfer, value);
    host_open();
    memset(pointer, value, bytes);
    host_close();
    marks_copy(&transfer);
    transfer_end(&transfer);
    return cudaSuccess;
}

uint32_t emu_cudaMemset(void *pointer, int value, uint64_t bytes);
uint32_t emu_cudaMemsetAsync(void *pointer, int value, uint64_t bytes, void *stream);
uint32_t emu_cudaMemset2D(void *pointer, uint64_t pitch, int value, uint64_t width,
                          uint64_t height);

uint32_t emu_cudaMemset(void *pointer, int value, uint64_t bytes) {
    return fill(pointer, value, bytes, CALLED_AT, NULL, false);
}

uint32_t emu_cudaMemsetAsync(void *pointer, int value, uint64_t bytes, void *stream) {
    return fill(pointer, value, bytes, CALLED_AT, stream, false);
}

uint32_t emu_cudaMemset2D(void *pointer, uint64_t pitch, int value, uint64_t width,
                          uint64_t height) {
    uint32_t error = width > pitch ? host_fail(cudaErrorInvalidPitchValue, CALLED_AT) : cudaSuccess;
    for (uint64_t row = 0; row < height && !error; row++) {
        error = fill((char *)pointer + row * pitch, value, width, CALLED_AT, NULL, false);
    }
    return error;
}

// --- Symbols -------------------------------------------------------------------------------------

static uint32_t symbol_copy(void *to, const void *from, const struct host_symbol *symbol,
                            uint64_t bytes, uint64_t offset, uint32_t kind, uint64_t pc) {
    bool to_symbol = to == (const char *)symbol->at + offset;
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    if (!host_is_variable(symbol->at)) {
        return host_fail(cudaErrorInvalidSymbol, pc);
    }
    if (kind != KIND_ON_DEVICE && kind != KIND_DEFAULT &&
        kind != (to_symbol ? KIND_TO_DEVICE : KIND_FROM_DEVICE)) {
        struct finding finding = host_finding(HOST_WRONG_WAY, pc);
        finding.phases = kind;
        finding.access = to_symbol ? MEMORY_OF_DEVICE : MEMORY_OF_HOST;
        finding.other_access = to_symbol ? MEMORY_OF_HOST : MEMORY_OF_DEVICE;
        host_report(&finding);
        return host_failed(cudaErrorInvalidMemcpyDirection);
    }
    if (offset > symbol->bytes || bytes > symbol->bytes - offset) {
        struct finding finding = host_finding(HOST_PAST_DEVICE, pc);
        finding.offset = (int64_t)offset;
        finding.array_bytes = symbol->bytes;
        finding.other_offset = (int64_t)bytes;
        finding.access = to_symbol ? ACCESS_WRITE : ACCESS_READ;
        host_report(&finding);
        return host_failed(cudaErrorInvalidValue);
    }
    if (!host_order_begin(NULL, pc)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    host_open();
    host_copying(pc);
    memmove(to, from, bytes);
    host_copying(0);
    host_close();
    host_order_wait();
    host_state.has_taken = host_state.has_taken || !to_symbol;
    return cudaSuccess;
}

uint32_t emu_cudaMemcpyToSymbol(struct host_symbol symbol, const void *from, uint64_t bytes,
                                uint64_t offset, uint32_t kind);
uint32_t emu_cudaMemcpyFromSymbol(void *to, struct host_symbol symbol, uint64_t bytes,
                                  uint64_t offset, uint32_t kind);
uint32_t emu_cudaMemcpyToSymbolAsync(struct host_symbol symbol, const void *from, uint64_t bytes,
                                     uint64_t offset, uint32_t kind, void *stream);
uint32_t emu_cudaMemcpyFromSymbolAsync(void *to, struct host_symbol symbol, uint64_t bytes,
                                       uint64_t offset, uint32_t kind, void *stream);

uint32_t emu_cudaMemcpyToSymbol(struct host_symbol symbol, const void *from, uint64_t bytes,
                                uint64_t offset, uint32_t kind) {
    return symbol_copy((char *)(uintptr_t)symbol.at + offset, from, &symbol, bytes, offset, kind,
                       CALLED_AT);
}

uint32_t emu_cudaMemcpyFromSymbol(void *to, struct host_symbol symbol, uint64_t bytes,
                                  uint64_t offset, uint32_t kind) {
    return symbol_copy(to, (const char *)symbol.at + offset, &symbol, bytes, offset, kind,
                       CALLED_AT);
}

uint32_t emu_cudaMemcpyToSymbolAsync(struct host_symbol symbol, const void *from, uint64_t bytes,
                                     uint64_t offset, uint32_t kind, void *stream) {
    (void)stream;
    return symbol_copy((char *)(uintptr_t)symbol.at + offset, from, &symbol, bytes, offset, kind,
                       CALLED_AT);
}

uint32_t emu_cudaMemcpyFromSymbolAsync(void *to, struct host_symbol symbol, uint64_t bytes,
                                       uint64_t offset, uint32_t kind, void *stream) {
    (void)stream;
    return symbol_copy(to, (const char *)symbol.at + offset, &symbol, bytes, offset, kind,
                       CALLED_AT);
}
