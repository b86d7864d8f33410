// The debug information is as foreign as the rest of a student's file, though written by our
// compiler: depths and counts are bounded, and what is not understood is left unknown.
#include "device/inspect/dwarf.h"

#include <dwarf.h>
#include <string.h>

#include "device/source/fault.h"

#define DEPTH_MAX        64  // nested scopes, and type names for type names
#define STRUCT_DEPTH_MAX 32  // nested scopes in which a type is looked for

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
    // A definition may refer to its declaration for everything but its place; this look-up follows
    // the reference.
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

bool dwarf_type_of(Dwarf_Die *die, Dwarf_Die *ret_type) {
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

bool dwarf_is_struct(Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

Dwarf_Word dwarf_number(Dwarf_Die *die, unsigned name, Dwarf_Word otherwise) {
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

void dwarf_structs(Elf *elf, void (*visit)(Dwarf_Die *type, void *context), void *context) {
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        structs_walk(&die, 0, visit, context);
    }
    (void)dwarf_end(dwarf);
}
