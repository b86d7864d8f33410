// The lists of a kernel file's structs that checkers of the CPU device ask for: see types.h.
#include "device/inspect/types.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device/inspect/dwarf.h"

#define TYPES_MAX      256   // entries of each list
#define TYPE_DEPTH_MAX 32    // nested types
#define TYPE_BYTES_MAX 4096  // larger types are ignored
#define ALIGNMENT_MAX  4096

// --- Padding -----------------------------------------------------------------
//
// The padding of a struct or union is the bytes that no member covers.  Whatever is not understood
// counts as a member.

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
    if (depth > TYPE_DEPTH_MAX || dwarf_aggregate_size(type, &size) != 0) {
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

static void padding_write(Elf *elf, FILE *out) {
    struct padding padding = {.out = out};
    (void)fprintf(out, "\t.section .rodata\n\t.globl emu_padding\nemu_padding:\n");
    dwarf_structs(elf, type_write, &padding);
    (void)fprintf(out, "\t.byte 0, 0\n");
}

// --- Alignment ---------------------------------------------------------------
//
// An access reports the size of the struct that it copies, not its type.  So the least alignment of
// all types of that size counts, and a reported access is misaligned for each of them.
//
// Debug information states an alignment only if the source does; otherwise the alignment is that of
// the largest member.  A packed struct has members at odd places, or an odd size.  Its alignment is
// not checked.

struct sized {
    Dwarf_Word bytes;
    Dwarf_Word alignment;  // the least of all types of this size
};

struct alignments {
    struct sized type[TYPES_MAX];
    int count;
};

static Dwarf_Word alignment_of(Dwarf_Die *type, int depth);

// The largest alignment of the members; 1 if a member is at an address that its type does not
// allow.
static Dwarf_Word members_alignment(Dwarf_Die *type, int depth) {
    Dwarf_Word most = 1;
    Dwarf_Die member;
    Dwarf_Die its_type;
    if (dwarf_child(type, &member) != 0) {
        return most;
    }
    do {
        int tag = dwarf_tag(&member);
        bool is_part = (tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
                       !dwarf_hasattr(&member, DW_AT_external);
        if (!is_part || !dwarf_type_of(&member, &its_type)) {
            continue;
        }
        Dwarf_Word stated = dwarf_number(&member, DW_AT_alignment, 0);
        Dwarf_Word alignment = stated > 0 ? stated : alignment_of(&its_type, depth + 1);
        if (dwarf_number(&member, DW_AT_data_member_location, 0) % alignment != 0) {
            return 1;
        }
        most = alignment > most ? alignment : most;
    } while (dwarf_siblingof(&member, &member) == 0);
    return dwarf_number(type, DW_AT_byte_size, 0) % most == 0 ? most : 1;
}

// A power of two; 1 if nothing is known.
static Dwarf_Word alignment_of(Dwarf_Die *type, int depth) {
    Dwarf_Die element;
    Dwarf_Word alignment = dwarf_number(type, DW_AT_alignment, 0);
    if (depth > TYPE_DEPTH_MAX) {
        return 1;
    }
    if (alignment == 0 && dwarf_is_struct(type)) {
        alignment = members_alignment(type, depth);
    } else if (alignment == 0 && dwarf_tag(type) == DW_TAG_array_type) {
        alignment = dwarf_type_of(type, &element) ? alignment_of(&element, depth + 1) : 1;
    } else if (alignment == 0) {
        alignment = dwarf_number(type, DW_AT_byte_size, 0);
    }
    bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
    return is_power && alignment <= ALIGNMENT_MAX ? alignment : 1;
}

// matmul.cuh's struct launch_config, of 32 bytes, which no kernel copies.  It is recognised by the
// places of its members, because names are known only after the link.
static bool is_launch_config(Dwarf_Die *type) {
    static const Dwarf_Word places[] = {0, 12, 24};
    Dwarf_Die member;
    size_t count = 0;
    if (dwarf_number(type, DW_AT_byte_size, 0) != 32 || dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (dwarf_tag(&member) != DW_TAG_member) {
            continue;
        }
        if (count == 3 || dwarf_number(&member, DW_AT_data_member_location, 0) != places[count]) {
            return false;
        }
        count++;
    } while (dwarf_siblingof(&member, &member) == 0);
    return count == 3;
}

static void type_add(Dwarf_Die *type, void *context) {
    struct alignments *all = context;
    if (is_launch_config(type)) {
        return;
    }
    Dwarf_Word bytes = dwarf_number(type, DW_AT_byte_size, 0);
    Dwarf_Word alignment = alignment_of(type, 0);
    for (int i = 0; i < all->count; i++) {
        if (all->type[i].bytes == bytes) {
            bool less = alignment < all->type[i].alignment;
            all->type[i].alignment = less ? alignment : all->type[i].alignment;
            return;
        }
    }
    if (bytes > 0 && all->count < TYPES_MAX) {
        all->type[all->count++] = (struct sized){bytes, alignment};
    }
}

static void alignment_write(Elf *elf, FILE *out) {
    struct alignments all = {.count = 0};
    dwarf_structs(elf, type_add, &all);
    (void)fprintf(out, "\t.section .rodata\n\t.balign 8\n\t.globl emu_alignment\nemu_alignment:\n");
    for (int i = 0; i < all.count; i++) {
        if (all.type[i].alignment > 1) {
            (void)fprintf(out, "\t.quad %llu, %llu\n", (unsigned long long)all.type[i].bytes,
                          (unsigned long long)all.type[i].alignment);
        }
    }
    (void)fprintf(out, "\t.quad 0\n");
}

static bool declared_visit(const struct dwarf_variable *variable, void *context) {
    uint64_t *most = context;
    Dwarf_Die die = variable->die;
    Dwarf_Die type;
    if (variable->is_declared) {
        Dwarf_Word of_type = dwarf_type_of(&die, &type) ? alignment_of(&type, 0) : 1;
        Dwarf_Word alignment = dwarf_number(&die, DW_AT_alignment, of_type);
        *most = alignment > *most ? alignment : *most;
    }
    return true;
}

uint64_t types_declared_alignment(Elf *elf) {
    uint64_t most = 1;
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        dwarf_variables(&die, declared_visit, &most);
    }
    (void)dwarf_end(dwarf);
    return most;
}

void types_write(Elf *elf, FILE *out) {
    padding_write(elf, out);
    alignment_write(elf, out);
}
