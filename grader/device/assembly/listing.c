// Idea: in gcc's output a `.loc FILE LINE` precedes the instructions of a line, a function
// starts with its label after
// `.type NAME, @function`, and `#APP` precedes text that came from an `asm`.  A string of a
// student's program cannot look like these, as gcc escapes it inside `.string "…"`.
#include "device/assembly/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/source/fault.h"

int assembly_file(const char *text) {
    size_t length = 0;
    const char *at;
    while ((at = text_line(&text, &length)) != NULL) {
        char line[256];
        int number = 0;
        if (!text_starts(at, "\t.file ") || length >= sizeof line) {
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

// Not by sscanf, which would first measure the rest of the text.
bool assembly_loc(const char *line, int *ret_file, int *ret_line) {
    static const char start[] = "\t.loc ";
    char *end = NULL;
    if (!text_starts(line, start)) {
        return false;
    }
    *ret_file = (int)strtol(line + sizeof start - 1, &end, 10);
    if (*end != ' ') {
        return false;
    }
    *ret_line = (int)strtol(end + 1, NULL, 10);
    return true;
}

// The name in `\t.type\tNAME, @function` (`%function` on some targets); false for other lines.
static bool function_type(const char *line, char name[SYMBOL_TEXT_MAX]) {
    if (!text_starts(line, "\t.type\t")) {
        return false;
    }
    const char *start = line + strlen("\t.type\t");
    size_t count = strcspn(start, ",\n");
    const char *kind = start + count;
    if (!text_starts(kind, ", @function") && !text_starts(kind, ", %function")) {
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
    const char *line;
    bool inside = false;
    bool placed = false;
    bool begun = false;   // by another instruction than nops
    bool marked = false;  // the mark of device code precedes the nops of __launch_bounds__
    int nops = 0;
    char name[SYMBOL_TEXT_MAX];
    char kernel[SYMBOL_TEXT_MAX] = "";
    memset(ret_function, 0, sizeof *ret_function);
    while ((line = text_line(at, &length)) != NULL) {
        int loc_file = 0;
        int loc_line = 0;
        if (!inside && text_starts(line, "\t.protected\t")) {
            protected_read(line, length, kernel);
        } else if (function_type(line, name)) {
            memset(ret_function, 0, sizeof *ret_function);
            memcpy(ret_function->name, name, sizeof name);
            ret_function->is_kernel = strcmp(name, kernel) == 0;
            ret_function->is_device = marked;
            ret_function->threads_max = marked ? nops : 0;
            inside = true;
            placed = false;
            begun = false;
        } else if (!inside) {
            marked |= text_starts(line, "\t.section\t__patchable_function_entries");
            nops += length == 4 && text_starts(line, "\tnop");
        } else if (!begun && line[0] == '\t' && line[1] != '.') {
            bool nop = length == 4 && text_starts(line, "\tnop");
            ret_function->nops += nop;
            begun = !nop;
        } else if (text_starts(line, "\t.section\t__patchable_function_entries")) {
            ret_function->is_device = true;
        } else if (!placed && assembly_loc(line, &loc_file, &loc_line)) {
            placed = true;
            ret_function->is_submission = loc_file == file && file > 0;
            ret_function->line = ret_function->is_submission ? loc_line : 0;
        } else if (text_starts(line, "\t.size\t")) {
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
    const char *at;
    while ((at = text_line(&text, &length)) != NULL) {
        int loc_file = 0;
        int loc_line = 0;
        if (assembly_loc(at, &loc_file, &loc_line)) {
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
    const char *at;
    name[0] = '\0';
    while ((at = text_line(&text, &length)) != NULL) {
        if (text_starts(at, "\t.section\t")) {
            // gcc's own call of __tsan_init is in .init_array.00099.
            bool init = text_starts(at, "\t.section\t.init_array") ||
                        text_starts(at, "\t.section\t.ctors") ||
                        text_starts(at, "\t.section\t.fini_array") ||
                        text_starts(at, "\t.section\t.dtors");
            start = init && !text_starts(at, "\t.section\t.init_array.00099");
        } else if (start && (text_starts(at, "\t.quad\t") || text_starts(at, "\t.xword\t"))) {
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
    const char *at;
    while ((at = text_line(&text, &length)) != NULL) {
        unsigned long long bytes = 0;
        if (text_starts(at, "\t.zero\t") && sscanf(at, "\t.zero\t%llu", &bytes) == 1) {
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
    const char *at;
    while ((at = text_line(&text, &length)) != NULL) {
        int line = 0;
        char name[32] = "";
        if (!text_starts(at, "#APP")) {
            continue;
        }
        // gcc says where it came from: `# 12 "submission.cu" 1`.
        if (sscanf(text, "# %d \"%31[^\"]\"", &line, name) == 2 &&
            strcmp(name, BUILD_SOURCE) == 0) {
            return line;
        }
        return 0;
    }
    return -1;
}

// True for the usual instructions that set all flags: their names end with a letter for the size,
// unlike those of the same name for vectors.
static bool sets_flags(const char *at) {
    static const char *const names[] = {"add", "sub", "and", "or", "xor", "neg", "cmp", "test"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && *at == '\t'; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(at + 1, names[i], length) == 0 && at[length + 1] != '\0' &&
            strchr("bwlq", at[length + 1]) && at[length + 2] == '\t') {
            return true;
        }
    }
    return false;
}

bool assembly_guard_is_dead(const char *text, const char *guard) {
    char test[SYMBOL_TEXT_MAX + 32];
    size_t length = 0;
    const char *at;
    bool found = false;
    bool tested = false;  // the flags hold what the test said
    int count = snprintf(test, sizeof test, "\tcmpb\t$0, %%fs:%s@tpoff", guard);
    if (count < 0 || (size_t)count >= sizeof test) {
        return false;
    }
    while ((at = text_line(&text, &length)) != NULL) {
        if (length == (size_t)count && memcmp(at, test, length) == 0) {
            found = true;
            tested = true;
        } else if (tested && (text_starts(at, "\tj") || text_starts(at, "\tset") ||
                              text_starts(at, "\tcmov"))) {
            if (!text_starts(at, "\tjmp\t")) {
                return false;
            }
            tested = false;
        } else if (text_starts(at, "\tcall") || text_starts(at, "\tret")) {
            tested = false;
        } else if (sets_flags(at)) {
            if (uses_symbol(at, length, guard)) {
                return false;  // a test of another form
            }
            tested = false;
        }
    }
    return found;
}
