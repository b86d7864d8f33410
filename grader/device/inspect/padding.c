// A type's padding is what its members leave over; of a union, what all of them do.  Whatever is
// not understood counts as a member.
#include "device/inspect/padding.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "device/inspect/dwarf.h"

#define TYPE_BYTES_MAX 4096  // of a type that is looked at
#define TYPES_MAX      256   // that are written, and looked at for a nested one
#define DEPTH_MAX      32

struct padding {
    FILE *out;
    int types;
};

// The bytes from..from+count-1 of the type, as far as it goes.
static void used(uint8_t *is_padding, uint64_t bytes, uint64_t from, uint64_t count) {
    for (uint64_t i = from; i < bytes && i - from < count; i++) {
        is_padding[i] = 0;
    }
}

static void type_mark(Dwarf_Die *type, uint8_t *is_padding, uint64_t bytes, uint64_t from,
                      int depth);

static void member_mark(Dwarf_Die *member, uint8_t *is_padding, uint64_t bytes, uint64_t from,
                        int depth) {
    Dwarf_Die type;
    int tag = dwarf_tag(member);
    bool is_static = dwarf_hasattr(member, DW_AT_external) != 0;
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static) {
        return;
    }
    if (dwarf_hasattr(member, DW_AT_bit_size)) {
        Dwarf_Word first = dwarf_number(member, DW_AT_data_bit_offset, 0);
        Dwarf_Word bits = dwarf_number(member, DW_AT_bit_size, 8 * bytes);
        used(is_padding, bytes, from + first / 8, (first % 8 + bits + 7) / 8);
    } else if (dwarf_type_of(member, &type)) {
        Dwarf_Word place = dwarf_number(member, DW_AT_data_member_location, 0);
        type_mark(&type, is_padding, bytes, from + place, depth + 1);
    } else {
        used(is_padding, bytes, 0, bytes);
    }
}

static void array_mark(Dwarf_Die *type, uint8_t *is_padding, uint64_t bytes, uint64_t from,
                       int depth) {
    Dwarf_Die element;
    Dwarf_Word each = 0;
    Dwarf_Word all = 0;
    if (!dwarf_type_of(type, &element) || dwarf_aggregate_size(&element, &each) != 0 ||
        dwarf_aggregate_size(type, &all) != 0 || each == 0) {
        used(is_padding, bytes, from, bytes);
        return;
    }
    for (Dwarf_Word at = 0; at < all && from + at < bytes; at += each) {
        type_mark(&element, is_padding, bytes, from + at, depth + 1);
    }
}

// Clears what the members of a type at `from` take.
static void type_mark(Dwarf_Die *type, uint8_t *is_padding, uint64_t bytes, uint64_t from,
                      int depth) {
    Dwarf_Die child;
    Dwarf_Word size = 0;
    if (depth > DEPTH_MAX || dwarf_aggregate_size(type, &size) != 0) {
        used(is_padding, bytes, from, bytes);
    } else if (dwarf_tag(type) == DW_TAG_array_type) {
        array_mark(type, is_padding, bytes, from, depth);
    } else if (!dwarf_is_struct(type)) {
        used(is_padding, bytes, from, size);
    } else if (dwarf_child(type, &child) == 0) {
        do {
            member_mark(&child, is_padding, bytes, from, depth);
        } while (dwarf_siblingof(&child, &child) == 0);
    }
}

static void type_write(Dwarf_Die *type, void *context) {
    struct padding *padding = context;
    uint8_t is_padding[TYPE_BYTES_MAX];
    Dwarf_Word bytes = dwarf_number(type, DW_AT_byte_size, 0);
    if (bytes == 0 || bytes > TYPE_BYTES_MAX || padding->types == TYPES_MAX) {
        return;
    }
    memset(is_padding, 1, bytes);
    type_mark(type, is_padding, bytes, 0, 0);
    // A type without a member is one byte of padding, which no copy moves.
    if (!memchr(is_padding, 1, bytes) || !memchr(is_padding, 0, bytes)) {
        return;
    }
    padding->types++;
    (void)fprintf(padding->out, "\t.byte %u, %u", (unsigned)bytes & 0xff, (unsigned)bytes >> 8);
    for (Dwarf_Word i = 0; i < bytes; i++) {
        (void)fprintf(padding->out, ",%u", is_padding[i]);
    }
    (void)fputc('\n', padding->out);
}

void padding_write(Elf *elf, FILE *out) {
    struct padding padding = {.out = out};
    (void)fprintf(out, "\t.section .rodata\n\t.globl emu_padding\nemu_padding:\n");
    dwarf_structs(elf, type_write, &padding);
    (void)fprintf(out, "\t.byte 0, 0\n");
}
