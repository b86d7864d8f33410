// Idea: in gcc's output a `.loc FILE LINE` precedes the instructions of a line, a function
// starts with its label after
// `.type NAME, @function`, and `#APP` precedes text that came from an `asm`.  A string of a
// student's program cannot look like these, as gcc escapes it inside `.string "…"`.
#include "device/assembly/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/source/fault.h"

// The line at `at`, without its end; returns the start of the next one, NULL at the end of the
// text.
static const char *line_at(const char *at, size_t *ret_length) {
    if (*at == '\0') {
        return NULL;
    }
    size_t length = strcspn(at, "\n");
    *ret_length = length;
    return at + length + (at[length] == '\n');
}

static bool starts(const char *line, size_t length, const char *prefix) {
    size_t count = strlen(prefix);
    return length >= count && memcmp(line, prefix, count) == 0;
}

int assembly_file(const char *text) {
    size_t length = 0;
    const char *next;
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        char line[256];
        int number = 0;
        if (!starts(at, length, "\t.file ") || length >= sizeof line) {
            continue;
        }
        memcpy(line, at, length);
        line[length] = '\0';
        const char *name = strstr(line, "\"" BUILD_SOURCE "\"");
        if (sscanf(line, "\t.file %d", &number) == 1 && number > 0 && name) {
            return number;
        }
    }
    return 0;
}

// Reads `\t.loc FILE LINE`.
static bool loc_read(const char *line, size_t length, int *ret_file, int *ret_line) {
    return starts(line, length, "\t.loc ") && sscanf(line, "\t.loc %d %d", ret_file, ret_line) == 2;
}

// The name in `\t.type\tNAME, @function` (`%function` on some targets); false for other lines.
static bool function_type(const char *line, size_t length, char name[SYMBOL_TEXT_MAX]) {
    if (!starts(line, length, "\t.type\t")) {
        return false;
    }
    const char *start = line + strlen("\t.type\t");
    size_t count = strcspn(start, ",\n");
    const char *kind = start + count;
    if (strncmp(kind, ", @function", 11) != 0 && strncmp(kind, ", %function", 11) != 0) {
        return false;
    }
    memset(name, 0, SYMBOL_TEXT_MAX);
    memcpy(name, start, count < SYMBOL_TEXT_MAX ? count : SYMBOL_TEXT_MAX - 1);
    return true;
}

// The name in `\t.protected\tNAME`, which precedes a kernel's label.
static void protected_read(const char *line, size_t length, char name[SYMBOL_TEXT_MAX]) {
    size_t start = strlen("\t.protected\t");
    (void)snprintf(name, SYMBOL_TEXT_MAX, "%.*s", (int)(length - start), line + start);
}

bool assembly_next(const char **at, int file, struct assembly_function *ret_function) {
    size_t length = 0;
    const char *next;
    bool inside = false;
    bool placed = false;
    bool marked = false;  // the mark of device code precedes the nops of __launch_bounds__
    int nops = 0;
    char name[SYMBOL_TEXT_MAX];
    char kernel[SYMBOL_TEXT_MAX] = "";
    memset(ret_function, 0, sizeof *ret_function);
    for (; (next = line_at(*at, &length)) != NULL; *at = next) {
        const char *line = *at;
        int loc_file = 0;
        int loc_line = 0;
        if (!inside && starts(line, length, "\t.protected\t")) {
            protected_read(line, length, kernel);
        } else if (function_type(line, length, name)) {
            memset(ret_function, 0, sizeof *ret_function);
            memcpy(ret_function->name, name, sizeof name);
            ret_function->is_kernel = strcmp(name, kernel) == 0;
            ret_function->is_device = marked;
            ret_function->threads_max = marked ? nops : 0;
            inside = true;
            placed = false;
        } else if (!inside) {
            marked |= starts(line, length, "\t.section\t__patchable_function_entries");
            nops += length == 4 && starts(line, length, "\tnop");
        } else if (starts(line, length, "\t.section\t__patchable_function_entries")) {
            ret_function->is_device = true;
        } else if (!placed && loc_read(line, length, &loc_file, &loc_line)) {
            placed = true;
            ret_function->is_submission = loc_file == file && file > 0;
            ret_function->line = ret_function->is_submission ? loc_line : 0;
        } else if (starts(line, length, "\t.size\t")) {
            *at = next;
            return true;
        }
    }
    return false;
}

static bool uses_symbol(const char *line, size_t length, const char *symbol) {
    size_t count = strlen(symbol);
    for (size_t i = 1; i + count <= length; i++) {
        char before = line[i - 1];
        char after = i + count < length ? line[i + count] : '\0';
        bool word = !isalnum((unsigned char)before) && before != '_' && before != '.' &&
                    before != '$' && !isalnum((unsigned char)after) && after != '_' &&
                    after != '.' && after != '$';
        if (word && memcmp(line + i, symbol, count) == 0) {
            return true;
        }
    }
    return false;
}

int assembly_line_of(const char *text, int file, const char *symbol) {
    size_t length = 0;
    int here = 0;
    const char *next;
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        int loc_file = 0;
        int loc_line = 0;
        if (loc_read(at, length, &loc_file, &loc_line)) {
            here = loc_file == file ? loc_line : here;
        } else if (length > 1 && at[0] == '\t' && at[1] != '.' && uses_symbol(at, length, symbol)) {
            return here;  // an instruction
        }
    }
    return 0;
}

void assembly_start(const char *text, char name[SYMBOL_TEXT_MAX]) {
    size_t length = 0;
    bool start = false;
    const char *next;
    name[0] = '\0';
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        if (starts(at, length, "\t.section\t")) {
            // gcc's own call of __tsan_init is in .init_array.00099.
            bool init = starts(at, length, "\t.section\t.init_array") ||
                        starts(at, length, "\t.section\t.ctors") ||
                        starts(at, length, "\t.section\t.fini_array") ||
                        starts(at, length, "\t.section\t.dtors");
            start = init && !starts(at, length, "\t.section\t.init_array.00099");
        } else if (start && (starts(at, length, "\t.quad\t") || starts(at, length, "\t.xword\t"))) {
            const char *word = strchr(at + 1, '\t') + 1;
            size_t count = strcspn(word, "\n");
            memset(name, 0, SYMBOL_TEXT_MAX);
            memcpy(name, word, count < SYMBOL_TEXT_MAX ? count : SYMBOL_TEXT_MAX - 1);
            return;
        }
    }
}

unsigned long long assembly_zeros(const char *text) {
    size_t length = 0;
    unsigned long long sum = 0;
    const char *next;
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        unsigned long long bytes = 0;
        if (starts(at, length, "\t.zero\t") && sscanf(at, "\t.zero\t%llu", &bytes) == 1) {
            sum += bytes < 1ull << 40 ? bytes : 1ull << 40;
        }
    }
    return sum;
}

bool assembly_calls_anywhere(const char *text) {
    return strstr(text, "\n\tcall\t*") || strstr(text, "\n\tjmp\t*");
}

int assembly_inline(const char *text) {
    size_t length = 0;
    const char *next;
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        int line = 0;
        char name[32] = "";
        if (!starts(at, length, "#APP")) {
            continue;
        }
        // gcc says where it came from: `# 12 "submission.cu" 1`.
        if (sscanf(next, "# %d \"%31[^\"]\"", &line, name) == 2 &&
            strcmp(name, BUILD_SOURCE) == 0) {
            return line;
        }
        return 0;
    }
    return -1;
}

bool assembly_guard_is_dead(const char *text, const char *guard) {
    char test[SYMBOL_TEXT_MAX + 32];
    size_t length = 0;
    const char *next;
    bool found = false;
    bool tested = false;  // the flags hold what the test said
    int count = snprintf(test, sizeof test, "\tcmpb\t$0, %%fs:%s@tpoff", guard);
    if (count < 0 || (size_t)count >= sizeof test) {
        return false;
    }
    for (const char *at = text; (next = line_at(at, &length)) != NULL; at = next) {
        if (length == (size_t)count && memcmp(at, test, length) == 0) {
            found = true;
            tested = true;
        } else if (tested && (starts(at, length, "\tj") || starts(at, length, "\tset") ||
                              starts(at, length, "\tcmov"))) {
            if (!starts(at, length, "\tjmp\t")) {
                return false;
            }
            tested = false;
        } else if (starts(at, length, "\tcall") || starts(at, length, "\tret")) {
            tested = false;
        } else if (starts(at, length, "\tcmp") && uses_symbol(at, length, guard)) {
            return false;  // a test of another form
        }
    }
    return found;
}
