// The debug information is as untrusted as the rest of a student's file, though written by our
// compiler: depths and counts are bounded, and unrecognised parts are left unknown.
#include "device/inspect/dwarf.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/build_report.h"
#include "device/inspect/inspect.h"

#define DEPTH_MAX        64  // nested scopes, and type names for type names
#define STRUCT_DEPTH_MAX 32  // nested scopes to search for a type

static bool ends_with_source(const char *name) {
    size_t length = strlen(name);
    size_t wanted = strlen(BUILD_SOURCE);
    return length >= wanted && strcmp(name + length - wanted, BUILD_SOURCE) == 0 &&
           (length == wanted || name[length - wanted - 1] == '/');
}

bool dwarf_submission(Dwarf *dwarf, Dwarf_Die *ret_unit) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        const char *name = dwarf_diename(&die);
        if (name && ends_with_source(name)) {
            *ret_unit = die;
            return true;
        }
    }
    return false;
}

// Reads a location of one of the two forms that gcc writes for static storage.
static bool location_read(Dwarf_Die *die, struct dwarf_variable *variable) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations = NULL;
    size_t count = 0;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) {
        return false;
    }
    uint8_t first = operations[0].atom;
    uint8_t last = operations[count - 1].atom;
    if (count == 1 && first == DW_OP_addr) {
        variable->value = operations[0].number;
        return true;
    }
    if (count == 2 && (last == DW_OP_GNU_push_tls_address || last == DW_OP_form_tls_address) &&
        (first == DW_OP_const8u || first == DW_OP_const4u || first == DW_OP_addr)) {
        variable->is_thread_local = true;
        variable->value = operations[0].number;
        return true;
    }
    return false;
}

static bool variable_visit(Dwarf_Die *die,
                           bool (*visit)(const struct dwarf_variable *variable, void *context),
                           void *context) {
    struct dwarf_variable variable = {.die = *die};
    Dwarf_Attribute attribute;
    bool declared = false;
    variable.is_declared = dwarf_attr(die, DW_AT_declaration, &attribute) &&
                           dwarf_formflag(&attribute, &declared) == 0 && declared;
    variable.is_placeless = !variable.is_declared && !dwarf_attr(die, DW_AT_location, &attribute);
    if (!variable.is_declared && !variable.is_placeless && !location_read(die, &variable)) {
        return true;
    }
    // A definition may refer to its declaration for everything except its place; this look-up
    // follows the reference.
    const char *name = dwarf_diename(die);
    variable.name = name ? name : "";
    Dwarf_Word line = 0;
    if (dwarf_attr_integrate(die, DW_AT_decl_line, &attribute) &&
        dwarf_formudata(&attribute, &line) == 0 && line <= SOURCE_BYTES_MAX) {
        variable.line = (int)line;
    }
    return visit(&variable, context);
}

static bool variables_walk(Dwarf_Die *parent, int depth,
                           bool (*visit)(const struct dwarf_variable *variable, void *context),
                           void *context) {
    Dwarf_Die child;
    if (depth > DEPTH_MAX || dwarf_child(parent, &child) != 0) {
        return true;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_variable && !variable_visit(&child, visit, context)) {
            return false;
        }
        if (!variables_walk(&child, depth + 1, visit, context)) {
            return false;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

void dwarf_variables(Dwarf_Die *unit,
                     bool (*visit)(const struct dwarf_variable *variable, void *context),
                     void *context) {
    (void)variables_walk(unit, 0, visit, context);
}

// The type of a variable, member or array, without names and qualifiers.  False if it has none.
static bool dwarf_type_of(Dwarf_Die *die, Dwarf_Die *ret_type) {
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
        !dwarf_formref_die(&attribute, ret_type)) {
        return false;
    }
    for (int i = 0; i < DEPTH_MAX; i++) {
        int tag = dwarf_tag(ret_type);
        if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_typedef) {
            return true;
        }
        Dwarf_Die next;
        if (!dwarf_attr_integrate(ret_type, DW_AT_type, &attribute) ||
            !dwarf_formref_die(&attribute, &next)) {
            return false;
        }
        *ret_type = next;
    }
    return false;
}

// One dimension; 0 for `[]`.
static uint32_t extent_of(Dwarf_Die *range) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(range, DW_AT_count, &attribute) && dwarf_formudata(&attribute, &value) == 0) {
        return value < UINT32_MAX ? (uint32_t)value : 0;
    }
    if (dwarf_attr(range, DW_AT_upper_bound, &attribute) &&
        dwarf_formudata(&attribute, &value) == 0) {
        return value < UINT32_MAX - 1 ? (uint32_t)value + 1 : 0;
    }
    return 0;
}

// Appends the dimensions of an array type.  False if there are more than ARRAY_RANK_MAX.
static bool extents_add(Dwarf_Die *type, struct shared_array *array) {
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0) {
        return false;
    }
    do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type) {
            if (array->rank == ARRAY_RANK_MAX) {
                return false;
            }
            array->extent[array->rank++] = extent_of(&child);
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

void dwarf_shape(const struct dwarf_variable *variable, struct shared_array *array) {
    Dwarf_Die die = variable->die;
    Dwarf_Die type;
    array->rank = 0;
    array->element_bytes = 0;
    if (!dwarf_type_of(&die, &type)) {
        return;
    }
    // `typedef float row[16]; row s[4];` is an array of arrays.
    for (int i = 0; dwarf_tag(&type) == DW_TAG_array_type && i < DEPTH_MAX; i++) {
        Dwarf_Die element;
        if (!extents_add(&type, array) || !dwarf_type_of(&type, &element)) {
            array->rank = 0;
            return;
        }
        type = element;
    }
    Dwarf_Word bytes = 0;
    if (dwarf_aggregate_size(&type, &bytes) == 0 && bytes <= SHARED_BYTES_MAX) {
        array->element_bytes = (uint32_t)bytes;
    }
}

// A struct, class or union.
static bool dwarf_is_struct(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// The value of an attribute; `otherwise` if it is missing.
static Dwarf_Word dwarf_number(Dwarf_Die *die, unsigned name, Dwarf_Word otherwise) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    bool known = dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0;
    return known ? value : otherwise;
}

static void structs_walk(Dwarf_Die *parent, int depth,
                         void (*visit)(Dwarf_Die *type, void *context), void *context) {
    Dwarf_Die child;
    if (depth > STRUCT_DEPTH_MAX || dwarf_child(parent, &child) != 0) {
        return;
    }
    do {
        if (dwarf_is_struct(&child)) {
            visit(&child, context);
        }
        structs_walk(&child, depth + 1, visit, context);
    } while (dwarf_siblingof(&child, &child) == 0);
}

// Calls visit for every struct, class and union of all units of an object, nested ones too, down to
// a bounded depth.
static void dwarf_structs(Elf *elf, void (*visit)(Dwarf_Die *type, void *context), void *context) {
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        structs_walk(&die, 0, visit, context);
    }
    (void)dwarf_end(dwarf);
}

#define TYPES_MAX      256   // entries of each list
#define TYPE_DEPTH_MAX 32    // nested types
#define TYPE_BYTES_MAX 4096  // larger types are ignored
#define ALIGNMENT_MAX  4096

// --- Padding -----------------------------------------------------------------
//
// The padding of a struct or union consists of the bytes that no member covers.  Unrecognised parts
// count as members.

struct padding {
    FILE *out;
    int types;
};

// Bytes from..from+count-1 of the type, up to its end.
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

// Clears the bytes of the members of a type at `from`.
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

static void padding_write(const struct elf_file *files, size_t count, FILE *out) {
    struct padding padding = {.out = out};
    (void)fprintf(out, "\t.section .rodata\n\t.globl emu_padding\nemu_padding:\n");
    for (size_t i = 0; i < count; i++) {
        dwarf_structs(files[i].elf, type_write, &padding);
    }
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

static void alignment_write(const struct elf_file *files, size_t count, FILE *out) {
    struct alignments all = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        dwarf_structs(files[i].elf, type_add, &all);
    }
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

void types_write(const struct elf_file *files, size_t count, FILE *out) {
    padding_write(files, count, out);
    alignment_write(files, count, out);
}

#define SCOPE_DEPTH_MAX 200  // of nested scopes

// The student's files: one, or those of a program, which BUILD_FILES lists.
struct sources {
    char *text;          // of BUILD_FILES; NULL for a kernel file
    const char *folder;  // in which the unit was compiled; borrowed
};

// True if the path is that of one of the files.  *ret_before: the lines of the files before it.
static bool is_source(const struct sources *sources, const char *path, int *ret_before) {
    const char *name = path ? strrchr(path, '/') : NULL;
    *ret_before = 0;
    if (!path || !sources->text) {
        return path && strcmp(name ? name + 1 : path, BUILD_SOURCE) == 0;
    }
    size_t length = sources->folder ? strlen(sources->folder) : 0;
    bool below = strncmp(path, sources->folder ? sources->folder : "", length) == 0;
    const char *rest = below && path[length] == '/' ? path + length + 1 : path;
    const char *at = sources->text;
    const char *line = NULL;
    size_t bytes = 0;
    while ((line = text_line(&at, &bytes)) != NULL) {
        char *listed = NULL;
        long before = strtol(line, &listed, 10);
        listed++;
        if (text_is(listed, bytes - (size_t)(listed - line), rest)) {
            *ret_before = (int)before;
            return true;
        }
    }
    return false;
}

static int attribute_number(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0 ||
        value > SOURCE_BYTES_MAX) {
        return 0;
    }
    return (int)value;
}

// Inlined code of a header belongs to the line that called it: the innermost call in the student's
// file.  dwarf_getscopes does not say which: after one inlined function it continues with the
// scopes that this function was written in, and it misses the calls of a lambda.
static void inlined_place(const struct sources *sources, Dwarf_Die *die, Dwarf_Files *files,
                          Dwarf_Addr address, int depth, int place[2]) {
    Dwarf_Die child;
    int before = 0;
    if (depth == SCOPE_DEPTH_MAX || dwarf_child(die, &child) != 0) {
        return;
    }
    do {
        bool inlined = dwarf_tag(&child) == DW_TAG_inlined_subroutine;
        if (inlined && dwarf_haspc(&child, address) != 1) {
            continue;
        }
        size_t file = inlined ? (size_t)attribute_number(&child, DW_AT_call_file) : 0;
        if (inlined && is_source(sources, dwarf_filesrc(files, file, NULL, NULL), &before)) {
            place[0] = before + attribute_number(&child, DW_AT_call_line);
            place[1] = attribute_number(&child, DW_AT_call_column);
        }
        inlined_place(sources, &child, files, address, depth + 1, place);
    } while (dwarf_siblingof(&child, &child) == 0);
}

// place: a line and a column.
static void place_find(struct sources *sources, Dwarf_Die *unit, Dwarf_Addr address, int place[2]) {
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    Dwarf_Attribute attribute;
    int before = 0;
    sources->folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (!line) {
        return;
    }
    if (is_source(sources, dwarf_linesrc(line, NULL, NULL), &before)) {
        (void)dwarf_lineno(line, &place[0]);
        (void)dwarf_linecol(line, &place[1]);
        place[0] += before;
        return;
    }
    Dwarf_Files *files = NULL;
    if (dwarf_getsrcfiles(unit, &files, NULL) == 0) {
        inlined_place(sources, unit, files, address, 0, place);
    }
}

enum status inspect_locate(const char *program, int count, char *const *addresses, char **ret_text,
                           struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    Dwarf_Die unit;
    struct sources sources = {.text = NULL};
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    FILE *out = xopen_memstream(&text, &bytes);
    enum status status = STATUS_OK;
    if (!dwarf || !dwarf_submission(dwarf, &unit)) {
        status = fail(err, STATUS_SYSTEM, "%s: no debug information of %s", program, BUILD_SOURCE);
        goto out;
    }
    if (access(BUILD_FILES, F_OK) == 0) {
        size_t list_bytes = 0;
        status = file_read(BUILD_FILES, FILE_BYTES_MAX, &sources.text, &list_bytes, err);
        if (status) {
            goto out;
        }
    }
    for (int i = 0; i < count; i++) {
        int place[2] = {0, 0};
        uint64_t address = strtoull(addresses[i], NULL, 0);
        // A return address may already belong to the next line.  No line is at address 0, but
        // functions that the linker left out are.
        bool has_unit =
            address > 0 && (!sources.text || dwarf_addrdie(dwarf, address - 1, &unit) != NULL);
        if (has_unit) {
            place_find(&sources, &unit, address - 1, place);
        }
        (void)fprintf(out, "%d %d\n", place[0], place[1]);
    }

out:
    free(sources.text);
    xclose_memstream(out, &text);
    if (status) {
        free(text);
    } else {
        *ret_text = text;
    }
    (void)dwarf_end(dwarf);
    if (fd >= 0) {
        (void)close(fd);
    }
    return status;
}
