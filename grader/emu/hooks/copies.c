// Loads and stores of structs next to a call, for which the compiler makes no callback.
// device/assembly/unreported_accesses.c inserts calls of this hook.
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"

// Bits of `code`; the rest is the number of bytes.
#define COPY_STORE   (1u << 30)
#define COPY_VECTOR  (1u << 29)  // of a type like float4, moved as a whole if it is aligned
#define COPY_ALIGNED (1u << 28)  // certainly of such a type: it must be aligned

void emu_copy_hook(uint64_t address, uint64_t code, uint64_t pc, uint64_t frame);

// A GPU moves the members of a struct one by one; see also touch_range.
void emu_copy_hook(uint64_t address, uint64_t code, uint64_t pc, uint64_t frame) {
    uint32_t bytes = (uint32_t)code & (COPY_ALIGNED - 1);
    enum access_kind kind = code & COPY_STORE ? ACCESS_WRITE : ACCESS_READ;
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : bytes <= 4 && address % bytes == 0 ? bytes : 1;
    if (place_is_local(address, frame)) {
        return;
    }
    if (code & COPY_ALIGNED || (code & COPY_VECTOR && address % bytes == 0)) {
        step = bytes;
    }
    for (uint32_t done = 0; done < bytes; done += step) {
        touch_one(address + done, step, kind, pc, code & COPY_ALIGNED);
    }
}
