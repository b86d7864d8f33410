// From an address in a worker to a line of the student's file.
#include "device/inspect/inspect.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdw.h>

#include "base/file.h"
#include "device/inspect/dwarf.h"

#define SCOPE_DEPTH_MAX 200  // of scopes in each other

static bool is_source(const char *path) {
    const char *name = path ? strrchr(path, '/') : NULL;
    return path && strcmp(name ? name + 1 : path, BUILD_SOURCE) == 0;
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
// file.  dwarf_getscopes does not say which: beyond one inlined function it goes on with the scopes
// that this function was written in, and it misses what a lambda calls.
static void inlined_place(Dwarf_Die *die, Dwarf_Files *files, Dwarf_Addr address, int depth,
                          int *ret_line, int *ret_column) {
    Dwarf_Die child;
    if (depth == SCOPE_DEPTH_MAX || dwarf_child(die, &child) != 0) {
        return;
    }
    do {
        bool inlined = dwarf_tag(&child) == DW_TAG_inlined_subroutine;
        if (inlined && dwarf_haspc(&child, address) != 1) {
            continue;
        }
        size_t file = inlined ? (size_t)attribute_number(&child, DW_AT_call_file) : 0;
        if (inlined && is_source(dwarf_filesrc(files, file, NULL, NULL))) {
            *ret_line = attribute_number(&child, DW_AT_call_line);
            *ret_column = attribute_number(&child, DW_AT_call_column);
        }
        inlined_place(&child, files, address, depth + 1, ret_line, ret_column);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void place_find(Dwarf_Die *unit, Dwarf_Addr address, int *ret_line, int *ret_column) {
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    *ret_line = 0;
    *ret_column = 0;
    if (!line) {
        return;
    }
    if (is_source(dwarf_linesrc(line, NULL, NULL))) {
        (void)dwarf_lineno(line, ret_line);
        (void)dwarf_linecol(line, ret_column);
        return;
    }
    Dwarf_Files *files = NULL;
    if (dwarf_getsrcfiles(unit, &files, NULL) == 0) {
        inlined_place(unit, files, address, 0, ret_line, ret_column);
    }
}

enum status inspect_locate(const char *program, int count, char *const *addresses, char **ret_text,
                           struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    Dwarf_Die unit;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    FILE *out = open_memstream(&text, &bytes);
    enum status status = STATUS_OK;
    if (!dwarf || !out || !dwarf_submission(dwarf, &unit)) {
        status = fail(err, STATUS_SYSTEM, "%s: no debug information of %s", program, BUILD_SOURCE);
        goto out;
    }
    for (int i = 0; i < count; i++) {
        int line = 0;
        int column = 0;
        uint64_t address = strtoull(addresses[i], NULL, 0);
        // A return address may already belong to the next line.  No place is at 0, but functions
        // that the link has left out are.
        if (address > 0) {
            place_find(&unit, address - 1, &line, &column);
        }
        (void)fprintf(out, "%d %d\n", line, column);
    }

out:
    if (out && !stream_close(out, &text) && !status) {
        status = fail(err, STATUS_NO_MEMORY, "no memory");
    }
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
