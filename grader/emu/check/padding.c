// The type of a copy is not known, only its size and the part that an access moves.  For copies
// next to calls not even these are known: there the type of the array's elements is used, if they
// are structs.
#include "emu/check/padding.h"

#define COPY_STEP 4  // bytes between the places in a type where a part of an unknown copy may start

// True if the missing bytes are padding, for an access that begins at this byte of the type.
static bool covers(const uint8_t *is_padding, uint32_t missing) {
    for (uint32_t i = 0; missing >> i != 0; i++) {
        if ((missing >> i & 1) && !is_padding[i]) {
            return false;
        }
    }
    return true;
}

// The same for a part of a copy of unknown size: true if any possible start fits.
static bool anywhere_covers(const uint8_t *is_padding, uint32_t type_bytes,
                            const struct access *access, uint32_t missing) {
    for (uint32_t at = 0; at + access->bytes <= type_bytes; at += COPY_STEP) {
        if (covers(is_padding + at, missing)) {
            return true;
        }
    }
    return false;
}

static bool type_covers(const uint8_t *is_padding, uint32_t type_bytes, const struct access *access,
                        uint32_t missing) {
    // A load of one member has the member's size.  Of a struct that is loaded in one piece, some
    // byte has been written.
    bool all = missing == (1u << access->bytes) - 1;
    uint32_t whole = access->copy_bytes > 0 ? access->copy_bytes : all ? 0 : access->bytes;
    return type_bytes == whole && covers(is_padding + access->copy_at, missing);
}

// Returns true if some type has this many bytes.  *ret_covers: true if `missing` are padding of
// such a type, at the place of the access in an array of its elements.
static bool element_covers(const uint8_t *types, uint32_t element_bytes,
                           const struct access *access, uint32_t missing, bool *ret_covers) {
    const uint8_t *at = types;
    uint32_t bytes = 0;
    uint32_t place = element_bytes > 0 ? (uint32_t)(access->offset % element_bytes) : 0;
    bool found = false;
    bool does = false;
    while ((bytes = at[0] | (uint32_t)at[1] << 8) > 0) {
        bool fits = bytes == element_bytes && place + access->bytes <= bytes;
        found = found || fits;
        does = does || (fits && covers(at + 2 + place, missing));
        at += 2 + bytes;
    }
    *ret_covers = does;
    return found;
}

bool padding_covers(const uint8_t *types, uint32_t element_bytes, const struct access *access,
                    uint32_t missing) {
    const uint8_t *at = types;
    uint32_t bytes = 0;
    bool unknown = access->copy_bytes == COPY_OF_UNKNOWN;
    bool does = false;
    if (types && unknown && element_covers(types, element_bytes, access, missing, &does)) {
        return does;
    }
    while (at && (bytes = at[0] | (uint32_t)at[1] << 8) > 0) {
        does = unknown ? anywhere_covers(at + 2, bytes, access, missing)
                       : type_covers(at + 2, bytes, access, missing);
        if (does) {
            return true;
        }
        at += 2 + bytes;
    }
    return false;
}
