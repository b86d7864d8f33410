// Bytes of structs that belong to no member: nobody writes them, and copies of whole structs read
// them.
#ifndef EMU_CHECK_PADDING_H
#define EMU_CHECK_PADDING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/memory/events.h"

// The types of a kernel file that have such bytes, one behind the other: two bytes that say how
// many the type has, the low one first, then as many, 1 where it is padding.  Two zeros end the
// list.  The inspector writes it (device/inspect/padding.c); a program without it has a null
// pointer here.
extern const uint8_t emu_padding[] __attribute__((weak));

// True where `missing` (a bit per byte of the access) are padding in a copy of some type.
// element_bytes: of the array that the access is in, 0 where it is not known.
bool padding_covers(const uint8_t *types, uint32_t element_bytes, const struct access *access,
                    uint32_t missing);

#endif
