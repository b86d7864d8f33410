// Loads and stores of volatile objects.  In a file with fences they are strong (follow.h), and let
// the other threads run first: a load may wait for one of them, and a store may lose what another
// thread stored since it was loaded.  In other files they are like any others.
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"

#define CALL_FRAME ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())

static void access(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc,
                   uint64_t frame) {
    struct emu_machine *machine = &machine_state;
    bool stores = kind == ACCESS_WRITE;
    if (place_is_local(address, frame)) {
        return;
    }
    if (!machine->fences) {
        touch_one(address, bytes, kind, pc, true);
        return;
    }
    schedule_away(machine);
    if (stores) {
        schedule_hand_over(machine, address, pc);
    }
    touch_strong(address, bytes, kind, pc);
    touch_followed(address, &(struct follow_strong){.loads = !stores, .stores = stores});
}

#define VOLATILE(bytes)                                                                            \
    void __tsan_volatile_read##bytes(uint64_t address);                                            \
    void __tsan_volatile_write##bytes(uint64_t address);                                           \
    void __tsan_volatile_read##bytes(uint64_t address) {                                           \
        access(address, bytes, ACCESS_READ, PLACE, CALL_FRAME);                                    \
    }                                                                                              \
    void __tsan_volatile_write##bytes(uint64_t address) {                                          \
        access(address, bytes, ACCESS_WRITE, PLACE, CALL_FRAME);                                   \
    }
VOLATILE(1)
VOLATILE(2)
VOLATILE(4)
VOLATILE(8)
VOLATILE(16)
