// Bytes of structs that belong to no member: kernels do not write them, but copies of whole structs
// read them.
#ifndef EMU_CHECK_PADDING_H
#define EMU_CHECK_PADDING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/memory/events.h"

// The types of a kernel file that have such bytes.  For each, two bytes give its size, the low one
// first; then follows one byte for each of its bytes, 1 for padding.  Two zeros end the list.  The
// inspector writes it (device/inspect/dwarf.c); a program without it has a null pointer here.
extern const uint8_t emu_padding[] __attribute__((weak));

// True if `missing` (a bit per byte of the access) are padding in a copy of some type.
// element_bytes: of the array that the access is in, 0 if it is not known.
bool padding_covers(const uint8_t *types, uint32_t element_bytes, const struct access *access,
                    uint32_t missing);

#endif
