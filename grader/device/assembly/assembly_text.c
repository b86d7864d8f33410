// Idea: in gcc's output a `.loc FILE LINE` precedes the instructions of a line, a function starts
// with its label after `.type NAME, @function`, and `#APP` precedes text that came from an `asm`. A
// string of a student's program cannot look like these, as gcc escapes it inside `.string "…"`.
//
// Every line keeps its place in the list.  A pass stores added lines outside the list, so that
// passes do not see each other's work.
#include "device/assembly/assembly_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/build_report.h"

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

// Reads the start of a line, `\t.loc FILE LINE`.  False for others.
//
// Not by sscanf, which would first measure the rest of the text.
static bool assembly_loc(const char *line, int *ret_file, int *ret_line) {
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
    bool begun = false;   // an instruction other than a nop was seen
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
        // gcc names its origin: `# 12 "submission.cu" 1`.
        if (sscanf(text, "# %d \"%31[^\"]\"", &line, name) == 2 &&
            strcmp(name, BUILD_SOURCE) == 0) {
            return line;
        }
        return 0;
    }
    return -1;
}

// True for the usual instructions that set all flags: their names end with a letter for the size,
// unlike the vector instructions of the same name.
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
    bool tested = false;  // the flags hold the result of the test
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

// Labels that only debug information and unwinding use.  clang's `.LBB0_1` is not such a label,
// gcc's `.LBB12` is.
static bool label_is_debug(const struct asm_line *line) {
    static const char *const prefixes[] = {".LVL", ".LBE", ".LBI", ".LFB", ".LFE", ".Ltmp", ".LM"};
    return text_starts_any(line->text, prefixes, COUNT(prefixes)) ||
           (text_starts(line->text, ".LBB") && !memchr(line->text, '_', line->length));
}

static enum line_kind kind_of(const struct asm_line *line) {
    if (line->length == 0 || line->text[0] == '#') {
        return LINE_OTHER;
    }
    if (line->text[0] == '\t') {
        bool letter = line->length > 1 && isalpha((unsigned char)line->text[1]);
        return letter ? LINE_INSTRUCTION : LINE_OTHER;
    }
    bool label = memchr(line->text, ':', line->length) != NULL;
    return label && !label_is_debug(line) ? LINE_LABEL : LINE_OTHER;
}

// The origin of lines while a text is read.
struct line_reading {
    int file;         // the number of the student's file
    bool placed;      // the function's first `.loc` has been seen
    bool submission;  // the line is from the student's file
    int source;
};

static void source_read(struct line_reading *reading, struct asm_line *line) {
    int file = 0;
    int source = 0;
    if (text_starts(line->text, "\t.type\t") && memmem(line->text, line->length, "function", 8)) {
        *reading = (struct line_reading){.file = reading->file};
    } else if (assembly_loc(line->text, &file, &source)) {
        bool mine = file == reading->file && file > 0;
        reading->submission = reading->placed ? reading->submission : mine;
        reading->placed = true;
        reading->source = mine && source > 0 ? source : reading->source;
    }
    line->is_submission = reading->submission;
    line->source = reading->submission ? reading->source : 0;
}

struct asm_lines lines_open(char *text) {
    struct line_reading reading = {.file = assembly_file(text)};
    size_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    struct asm_line *line = xcalloc(lines, sizeof *line);
    size_t count = 0;
    for (const char *at = text; *at != '\0';) {
        struct asm_line *here = &line[count++];
        here->text = at;
        here->length = strcspn(at, "\n");
        here->kind = kind_of(here);
        source_read(&reading, here);
        at += here->length + (at[here->length] == '\n');
    }
    return (struct asm_lines){.text = text, .line = line, .count = count};
}

void lines_done(struct asm_lines *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->line[i].before);
    }
    free(lines->line);
    free(lines->text);
    *lines = (struct asm_lines){.text = NULL};
}

bool lines_are_known(const struct asm_lines *lines) {
    // Only x86-64 has this register, of the processors that this device runs on.
    return strstr(lines->text, "%rsp") != NULL;
}

void lines_add(struct asm_lines *lines, size_t at, const char *format, ...) {
    char *earlier = lines->line[at].before;
    va_list arguments;
    va_start(arguments, format);
    char *added = xvasprintf(format, arguments);
    va_end(arguments);
    lines->line[at].before = xasprintf("%s%s\n", earlier ? earlier : "", added);
    free(added);
    free(earlier);
}

char *lines_text(const struct asm_lines *lines) {
    size_t bytes = 1;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        bytes += (line->before ? strlen(line->before) : 0) + line->length + 1;
    }
    char *text = xmalloc(bytes);
    char *end = text;
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        if (line->before) {
            end = stpcpy(end, line->before);
        }
        if (!line->is_dropped) {
            end = mempcpy(end, line->text, line->length);
            *end++ = '\n';
        }
    }
    *end = '\0';
    return text;
}

static void word_copy(const char *from, size_t length, char *ret_word, size_t bytes) {
    size_t count = length < bytes - 1 ? length : bytes - 1;
    memcpy(ret_word, from, count);
    ret_word[count] = '\0';
}

void line_mnemonic(const struct asm_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (line->kind == LINE_INSTRUCTION) {
        size_t length = 1;
        while (length < line->length && !isspace((unsigned char)line->text[length])) {
            length++;
        }
        word_copy(line->text + 1, length - 1, ret_name, bytes);
    }
}

int line_alignment(const struct asm_line *line, bool is_x86) {
    static const char *const names[] = {"\t.align", "\t.p2align"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *end = NULL;
        if (!text_starts(line->text, names[i])) {
            continue;
        }
        // Not by sscanf, which would first measure the rest of the text.
        unsigned long number = strtoul(line->text + strlen(names[i]), &end, 10);
        bool is_bytes = i == 0 && is_x86 && number > 0;
        unsigned long shift = is_bytes ? (unsigned long)__builtin_ctzl(number) : number;
        return *end == '\n' && shift < 64 ? (int)shift : -1;
    }
    return -1;
}

void line_callee(const struct asm_line *line, char *ret_name, size_t bytes) {
    ret_name[0] = '\0';
    if (!text_starts(line->text, "\tcall") && !text_starts(line->text, "\tjmp")) {
        return;
    }
    size_t at = 1;
    while (at < line->length && !isspace((unsigned char)line->text[at])) {
        at++;
    }
    while (at < line->length && isspace((unsigned char)line->text[at])) {
        at++;
    }
    size_t length = 0;
    while (at + length < line->length && (isalnum((unsigned char)line->text[at + length]) ||
                                          strchr("_.$", line->text[at + length]))) {
        length++;
    }
    if (length > 0 && line->text[at] != '.') {  // a jump inside the function
        word_copy(line->text + at, length, ret_name, bytes);
    }
}
