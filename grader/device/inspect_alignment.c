// An access tells the size of the struct that it copies, not its type.  So of the types of one size
// the least alignment counts: what is reported is misaligned for each of them.
//
// Debug information states an alignment only where the source does; else it is that of the largest
// member.  A packed struct has members at odd places, or ends oddly: then nothing is asked.
#include "device/inspect_alignment.h"

#include <dwarf.h>
#include <stdbool.h>

#include "device/inspect_dwarf.h"

#define TYPES_MAX     256
#define DEPTH_MAX     32
#define ALIGNMENT_MAX 4096

struct sized {
    Dwarf_Word bytes;
    Dwarf_Word alignment;  // of all types of this size, the least
};

struct alignments {
    struct sized type[TYPES_MAX];
    int count;
};

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    bool known = dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0;
    return known ? value : 0;
}

static bool is_struct(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static Dwarf_Word alignment_of(Dwarf_Die *type, int depth);

// Of all members; 1 where one lies as none of its type may.
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
        Dwarf_Word stated = number_of(&member, DW_AT_alignment);
        Dwarf_Word alignment = stated > 0 ? stated : alignment_of(&its_type, depth + 1);
        if (number_of(&member, DW_AT_data_member_location) % alignment != 0) {
            return 1;
        }
        most = alignment > most ? alignment : most;
    } while (dwarf_siblingof(&member, &member) == 0);
    return number_of(type, DW_AT_byte_size) % most == 0 ? most : 1;
}

// A power of two; 1 where nothing is known.
static Dwarf_Word alignment_of(Dwarf_Die *type, int depth) {
    Dwarf_Die element;
    Dwarf_Word alignment = number_of(type, DW_AT_alignment);
    if (depth > DEPTH_MAX) {
        return 1;
    }
    if (alignment == 0 && is_struct(type)) {
        alignment = members_alignment(type, depth);
    } else if (alignment == 0 && dwarf_tag(type) == DW_TAG_array_type) {
        alignment = dwarf_type_of(type, &element) ? alignment_of(&element, depth + 1) : 1;
    } else if (alignment == 0) {
        alignment = number_of(type, DW_AT_byte_size);
    }
    bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
    return is_power && alignment <= ALIGNMENT_MAX ? alignment : 1;
}

// matmul.cuh's struct launch_config, of 32 bytes, which no kernel copies.  Told by the places of
// its members, as names are known only after the link.
static bool is_launch_config(Dwarf_Die *type) {
    static const Dwarf_Word places[] = {0, 12, 24};
    Dwarf_Die member;
    size_t count = 0;
    if (number_of(type, DW_AT_byte_size) != 32 || dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (dwarf_tag(&member) != DW_TAG_member) {
            continue;
        }
        if (count == 3 || number_of(&member, DW_AT_data_member_location) != places[count]) {
            return false;
        }
        count++;
    } while (dwarf_siblingof(&member, &member) == 0);
    return count == 3;
}

static void type_add(Dwarf_Die *type, struct alignments *all) {
    Dwarf_Word bytes = number_of(type, DW_AT_byte_size);
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

static void types_walk(Dwarf_Die *parent, int depth, struct alignments *all) {
    Dwarf_Die child;
    if (depth > DEPTH_MAX || dwarf_child(parent, &child) != 0) {
        return;
    }
    do {
        if (is_struct(&child) && !is_launch_config(&child)) {
            type_add(&child, all);
        }
        types_walk(&child, depth + 1, all);
    } while (dwarf_siblingof(&child, &child) == 0);
}

void alignment_write(Elf *elf, FILE *out) {
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    struct alignments all = {.count = 0};
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        types_walk(&die, 0, &all);
    }
    (void)fprintf(out, "\t.section .rodata\n\t.balign 8\n\t.globl emu_alignment\nemu_alignment:\n");
    for (int i = 0; i < all.count; i++) {
        if (all.type[i].alignment > 1) {
            (void)fprintf(out, "\t.quad %llu, %llu\n", (unsigned long long)all.type[i].bytes,
                          (unsigned long long)all.type[i].alignment);
        }
    }
    (void)fprintf(out, "\t.quad 0\n");
    (void)dwarf_end(dwarf);
}
