// Idea: follow "known at run time" through the assignments of a function until nothing changes.
// The number at the end of an SSA name (`_12`, `i_27`, `K_10(D)`) is unique within the function.
#include "device/inspect/local_arrays.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/cpp_lexer.h"
#include "base/memory.h"
#include "base/text.h"

#define UNROLLED_MAX 64  // loops; further ones are left to the compiler

struct unrolled {
    int count;
    struct unrolled_loop {
        int first, last;  // the lines of its condition
        unsigned factor;  // copies of its body that are made; 1: it is not unrolled
    } loop[UNROLLED_MAX];
};

// The bytes of "[kernel.cu:26:35] " at `at`, and its line; 0 if there is no such place.
static size_t place_at(const char *at, const char *end, int *ret_line) {
    const char *close = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    const char *colon = close ? memchr(at, ':', (size_t)(close - at)) : NULL;
    if (!colon || close + 1 >= end || close[1] != ' ') {
        return 0;
    }
    *ret_line = (int)strtol(colon + 1, NULL, 10);
    return (size_t)(close + 2 - at);
}

// The next line of *at, which moves past it; places in the line are removed; *ret_source is the
// line of the source that the first of them names, 0 if there is none.  False at the end.
static bool dump_line(const char **at, char line[DUMP_LINE_BYTES], int *ret_source) {
    size_t length = 0;
    size_t bytes = 0;
    const char *from = text_line(at, &length);
    const char *end = from ? from + length : NULL;
    *ret_source = 0;
    while (from < end && bytes < DUMP_LINE_BYTES - 1) {
        int source = 0;
        size_t place = place_at(from, end, &source);
        *ret_source = *ret_source == 0 ? source : *ret_source;
        if (place == 0) {
            line[bytes++] = *from++;
        }
        from += place;
    }
    line[bytes] = '\0';
    return from != NULL;
}

#define DIGITS_MAX 16

static unsigned number_of(const struct cpp_token *token) {
    char text[DIGITS_MAX];
    cpp_copy(token, text, sizeof text);
    return (unsigned)strtoul(text, NULL, 0);
}

// The number that a name is defined as: `#define ONE 1`, `const int one = 1`; 0 if it is not found.
static unsigned value_of(const char *source, const struct cpp_token *name) {
    struct cpp_lexer lexer = cpp_open(source, strlen(source));
    struct cpp_token token;
    while (cpp_next(&lexer, &token)) {
        if (!cpp_equal(&token, name)) {
            continue;
        }
        struct cpp_lexer ahead = lexer;
        bool more = cpp_next(&ahead, &token);
        while (more &&
               (cpp_is(&token, "=") || cpp_begins(&token, '(') || cpp_begins(&token, '{'))) {
            more = cpp_next(&ahead, &token);
        }
        if (token.kind == CPP_NUMBER) {
            return number_of(&token);
        }
    }
    return 0;
}

// The factor of a #pragma; the lexer is past its #.  0 if it does not concern unrolling.
static unsigned pragma_factor(const char *source, struct cpp_lexer lexer) {
    struct cpp_token token;
    if (!cpp_next(&lexer, &token) || !cpp_is(&token, "pragma") || !cpp_next(&lexer, &token) ||
        token.fresh) {
        return 0;
    }
    if (cpp_is(&token, "nounroll")) {
        return 1;
    }
    if (!cpp_is(&token, "unroll")) {
        return 0;
    }
    bool more = cpp_next(&lexer, &token);
    while (more && !token.fresh && cpp_begins(&token, '(')) {
        more = cpp_next(&lexer, &token);
    }
    if (!more || token.fresh) {
        return 0;  // as far as possible
    }
    return token.kind == CPP_NUMBER ? number_of(&token)
           : token.kind == CPP_WORD ? value_of(source, &token)
                                    : 0;
}

// Skips the text between brackets, which begin with the next token of this kind.  Returns the line
// of the closing bracket.
static int brackets_skip(struct cpp_lexer *lexer, char open, char close, int *ret_first) {
    struct cpp_token token;
    int depth = 0;
    *ret_first = lexer->line;
    while (cpp_next(lexer, &token)) {
        if (cpp_begins(&token, open)) {
            *ret_first = depth == 0 ? token.line : *ret_first;
            depth++;
        } else if (cpp_begins(&token, close) && --depth <= 0) {
            break;
        }
    }
    return token.line;
}

static void loop_add(struct unrolled *unrolled, unsigned factor, struct cpp_lexer lexer) {
    struct cpp_token token;
    int first = 0;
    do {  // other pragmas
        cpp_line_skip(&lexer);
        (void)cpp_next(&lexer, &token);
    } while (cpp_is_directive(&token));
    if (cpp_is(&token, "do")) {
        (void)brackets_skip(&lexer, '{', '}', &first);
    } else if (!cpp_is(&token, "for") && !cpp_is(&token, "while")) {
        return;
    }
    int last = brackets_skip(&lexer, '(', ')', &first);
    unrolled->loop[unrolled->count++] =
        (struct unrolled_loop){.first = first, .last = last, .factor = factor};
}

static void unrolled_find(const char *source, struct unrolled *ret) {
    struct cpp_lexer lexer = cpp_open(source, strlen(source));
    struct cpp_token token;
    ret->count = 0;
    while (cpp_next(&lexer, &token) && ret->count < UNROLLED_MAX) {
        unsigned factor = cpp_is_directive(&token) ? pragma_factor(source, lexer) : 0;
        if (factor > 0) {
            loop_add(ret, factor, lexer);
        }
    }
}

// The factor of the loop whose condition is in this line; 0 if the compiler chooses.
static unsigned unrolled_factor(const struct unrolled *unrolled, int line) {
    unsigned factor = 0;
    for (int i = 0; i < unrolled->count; i++) {
        const struct unrolled_loop *loop = &unrolled->loop[i];
        factor = line >= loop->first && line <= loop->last ? loop->factor : factor;
    }
    return factor;
}

#define VERSIONS_MAX 65536  // SSA names of a function; further ones count as constants
#define ARRAYS_MAX   128    // of a function
#define NOINLINE_MAX 64
#define HEADER_MAX   256  // PHIs of one block
#define ROUNDS_MAX   64

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// The facts about an SSA name.
#define RUNTIME 1u  // its value is known at run time only
#define LIMITED 2u  // a condition compares it with a constant
#define LOOPS   4u  // a PHI has it
#define BOUND   8u  // a loop ends by it, after a number of iterations known at run time only

struct name {
    uint8_t flags;
    uint8_t array;  // 1 + the array that it points to; 0: none
};

struct array {
    char name[LOCAL_NAME_MAX];
    uint64_t bytes;
    bool is_indexed;  // by a number that is known at run time
};

struct ssa_function {
    bool is_kernel;
    struct name *name;  // by version
    struct array array[ARRAYS_MAX];
    int arrays;
    uint32_t header[HEADER_MAX];  // versions of the PHIs of the current block
    uint32_t headers, headers_max;
    bool is_bound;           // one of them is a BOUND
    bool indexes_parameter;  // an array behind a pointer, by a number that is known at run time
    bool changed;
};

struct locals {
    struct unrolled unrolled;
    int line;  // source line of the current statement; 0: unknown
    char noinline_name[NOINLINE_MAX][LOCAL_NAME_MAX];  // or functions that index their argument
    int noinline_count;
    struct ssa_function function;
};

// --- Words of a line ---------------------------------------------------------

// The version of the SSA name at `at`, whose word has `length` letters; 0 for any other word.
static uint32_t version_of(const char *at, size_t length) {
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)at[length - 1 - digits])) {
        digits++;
    }
    if (digits == 0 || digits == length || at[length - 1 - digits] != '_' || digits > 7) {
        return 0;
    }
    unsigned long version = strtoul(at + length - digits, NULL, 10);
    return version < VERSIONS_MAX ? (uint32_t)version : 0;
}

static int array_find(const struct ssa_function *function, const char *at, size_t length) {
    for (int i = 0; i < function->arrays; i++) {
        if (text_is(at, length, function->array[i].name)) {
            return i;
        }
    }
    return -1;
}

static bool is_runtime(const struct ssa_function *function, const char *at, size_t length) {
    uint32_t version = version_of(at, length);
    if (version == 0) {
        return false;
    }
    if (strncmp(at + length, "(D)", 3) == 0) {
        return function->is_kernel;  // a parameter
    }
    return function->name[version].flags & RUNTIME;
}

// True if text up to `end` names something that is known at run time.
static bool has_runtime(const struct ssa_function *function, const char *text, const char *end) {
    while (text < end) {
        size_t length = strspn(text, LETTERS);
        if (length > 0 && is_runtime(function, text, length)) {
            return true;
        }
        text += length > 0 ? length : 1;
    }
    return false;
}

static void set(struct ssa_function *function, uint32_t version, unsigned flags) {
    if ((function->name[version].flags & flags) != flags) {
        function->name[version].flags |= (uint8_t)flags;
        function->changed = true;
    }
}

static void index_found(struct ssa_function *function, int array) {
    function->changed |= !function->array[array].is_indexed;
    function->array[array].is_indexed = true;
}

// --- Lines of a function -----------------------------------------------------

// Sizes of elements of all CUDA types; for a struct only the size in DEFERRED_INIT.
static uint64_t element_bytes(const char *type) {
    static const struct {
        const char *word;
        uint64_t bytes;
    } types[] = {{"4 ", 16},  {"3 ", 12},   {"2 ", 8},   {"double", 8}, {"long", 8},  {"char", 1},
                 {"bool", 1}, {"short", 2}, {"half", 2}, {"* ", 8},     {"struct", 0}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strstr(type, types[i].word)) {
            return types[i].bytes;
        }
    }
    return sizeof(float);
}

// "  float acc[8][8];", "  struct sums all;"
static void declaration_read(struct ssa_function *function, const char *line) {
    const char *open = strchr(line, '[');
    if (!open && text_starts(line, "  struct ") && !strpbrk(line, "*&=") &&
        function->arrays < ARRAYS_MAX) {
        const char *name = strrchr(line, ' ') + 1;
        struct array *array = &function->array[function->arrays++];
        *array = (struct array){.bytes = 0};
        (void)snprintf(array->name, sizeof array->name, "%.*s", (int)strcspn(name, ";"), name);
        return;
    }
    if (!open || strchr(line, '=') || text_starts(line, "  static ") ||
        function->arrays == ARRAYS_MAX) {
        return;
    }
    const char *close = strrchr(line, ']');
    if (!close || close[1] != ';') {
        return;  // "  float[64][36] * _3;" is a pointer
    }
    const char *start = open;
    while (start > line && strchr(LETTERS, start[-1])) {
        start--;
    }
    char type[64];
    (void)snprintf(type, sizeof type, "%.*s", (int)(start - line), line);
    uint64_t bytes = element_bytes(type);
    for (const char *at = open; *at == '['; at = strchr(at, ']') ? strchr(at, ']') + 1 : "") {
        uint64_t extent = strtoull(at + 1, NULL, 10);
        bytes = extent < UINT32_MAX && bytes < UINT32_MAX ? bytes * extent : bytes;
    }
    struct array *array = &function->array[function->arrays++];
    *array = (struct array){.bytes = bytes};
    (void)snprintf(array->name, sizeof array->name, "%.*s", (int)(open - start), start);
}

// "  acc = .DEFERRED_INIT (1024, 1, &"acc"[0]);" has the size also of a struct.
static void initial_read(struct ssa_function *function, const char *line) {
    static const char mark[] = " = .DEFERRED_INIT (";
    const char *at = strstr(line, mark);
    size_t length = strspn(line + 2, LETTERS);
    int array = at ? array_find(function, line + 2, length) : -1;
    uint64_t bytes = at ? strtoull(at + strlen(mark), NULL, 10) : 0;
    if (at && array < 0 && version_of(line + 2, length) == 0 && bytes > 16 &&
        function->arrays < ARRAYS_MAX) {  // a struct
        array = function->arrays++;
        function->array[array] = (struct array){.bytes = 0};
        (void)snprintf(function->array[array].name, LOCAL_NAME_MAX, "%.*s", (int)length, line + 2);
    }
    if (array >= 0 && bytes > function->array[array].bytes) {
        function->array[array].bytes = bytes;
    }
}

// "all.sum[…]" and "this_8(D)->sum[…]": an array at `start` that is a member.
static void member_found(struct ssa_function *function, const char *line, const char *start) {
    const char *first = start;
    while (first > line && strchr(LETTERS ".", first[-1])) {
        first--;
    }
    int array = array_find(function, first, strspn(first, LETTERS));
    if (first < start && start[-1] == '.' && array >= 0) {
        index_found(function, array);
    }
    bool behind = first > line + 5 && strncmp(first - 5, "(D)->", 5) == 0;
    function->indexes_parameter |= behind && !function->is_kernel;
}

// Each `array[index]` of a line.
static void indices_read(struct ssa_function *function, const char *line) {
    for (const char *open = strchr(line, '['); open; open = strchr(open + 1, '[')) {
        const char *start = open;
        while (start > line && strchr(LETTERS, start[-1])) {
            start--;
        }
        int array = array_find(function, start, (size_t)(open - start));
        const char *end = open;
        while (*end == '[') {  // all dimensions
            end += strcspn(end, "]");
            end += *end == ']';
        }
        bool member = start > line && (start[-1] == '.' || start[-1] == '>');
        if (!has_runtime(function, open, end)) {
            continue;
        }
        if (array >= 0 && !member) {
            index_found(function, array);
        } else {
            member_found(function, line, start);
        }
    }
}

// A loop that ends at this number, in a line whose loop is not unrolled this often.
static bool stays_loop(const struct locals *locals, const char *limit) {
    unsigned factor = unrolled_factor(&locals->unrolled, locals->line);
    return factor == 1 || (factor > 1 && strtoul(limit, NULL, 10) > factor);
}

// "  if (i_27 < K_10(D))"
static void condition_read(struct locals *locals, const char *line) {
    struct ssa_function *function = &locals->function;
    const char *left = line + strlen("  if (");
    size_t length = strspn(left, LETTERS);
    uint32_t version = version_of(left, length);
    const char *right = left + length + strcspn(left + length, "<>=!");
    right += strspn(right, "<>=! ");
    size_t right_length = strspn(right, LETTERS);
    uint32_t other = version_of(right, right_length);
    if (version > 0 && other == 0) {
        set(function, version, stays_loop(locals, right) ? RUNTIME : LIMITED);
        return;
    }
    // A loop whose end is known only at run time.
    bool right_runtime = is_runtime(function, right, right_length);
    bool left_runtime = is_runtime(function, left, length);
    unsigned left_flags = version > 0 ? function->name[version].flags : 0;
    unsigned right_flags = other > 0 ? function->name[other].flags : 0;
    if (right_runtime && (left_flags & LOOPS) && !(left_flags & LIMITED)) {
        set(function, version, RUNTIME | BOUND);
    }
    if (left_runtime && (right_flags & LOOPS) && !(right_flags & LIMITED)) {
        set(function, other, RUNTIME | BOUND);
    }
}

// True if an expression reads memory that is not an array of the function: a matrix, shared memory,
// the place of the thread.
static bool reads_memory(const struct ssa_function *function, const char *text) {
    if (text[0] == '*' || text_starts(text, "MEM") || strstr(text, "->")) {
        return true;
    }
    size_t length = strspn(text, LETTERS);
    bool named = length > 0 && !isdigit((unsigned char)text[0]) && version_of(text, length) == 0;
    return named && (text[length] == '.' || text[length] == '[' || text[length] == ';') &&
           array_find(function, text, length) < 0;
}

// "  x_3 = …;"
static void assignment_read(struct ssa_function *function, uint32_t version, const char *text) {
    const char *end = text + strlen(text);
    struct name *name = &function->name[version];
    bool address = text[0] == '&';
    const char *first = text + address;
    size_t length = strspn(first, LETTERS);
    int array = address ? array_find(function, first, length) : -1;
    uint32_t source = address ? 0 : version_of(first, length);
    uint8_t points = array >= 0   ? (uint8_t)(array + 1)
                     : source > 0 ? function->name[source].array
                                  : 0;
    if (points != 0 && name->array == 0) {
        name->array = points;
        function->changed = true;
    }
    if (!address && (reads_memory(function, text) || has_runtime(function, text, end))) {
        if (points != 0) {  // a pointer into the array, moved by a run-time value
            index_found(function, points - 1);
        }
        set(function, version, RUNTIME);
    }
}

// A value carried by a loop counts as known at run time only if the loop's end does.
static void header_note(struct ssa_function *function, uint32_t version) {
    function->is_bound |= (function->name[version].flags & BOUND) != 0;
    if (function->headers < HEADER_MAX) {
        function->header[function->headers++] = version;
    }
    if (function->headers > function->headers_max) {
        function->headers_max = function->headers;
    }
    for (uint32_t i = 0; i < function->headers && function->is_bound; i++) {
        const struct name *name = &function->name[function->header[i]];
        set(function, function->header[i], RUNTIME);
        if (name->array != 0) {  // a pointer that moves
            index_found(function, name->array - 1);
        }
    }
}

// "  # x_3 = PHI <a_1(4), 0(5)>"
static void phi_read(struct ssa_function *function, const char *line) {
    const char *equal = strstr(line, " = PHI <");
    const char *at = line + strlen("  # ");
    size_t length = strspn(at, LETTERS ".");
    uint32_t version = equal ? version_of(at, length) : 0;
    if (version == 0 || text_starts(at, ".MEM")) {
        return;
    }
    set(function, version, LOOPS);
    const char *end = line + strlen(line);
    if (has_runtime(function, equal, end)) {
        set(function, version, RUNTIME);
    }
    for (at = equal; at<end; at += length> 0 ? length : 1) {
        length = strspn(at, LETTERS);
        uint32_t source = length > 0 ? version_of(at, length) : 0;
        int array = at[-1] == '&' ? array_find(function, at, length) : -1;
        uint8_t points = source > 0 ? function->name[source].array : (uint8_t)(array + 1);
        if (source > 0) {
            set(function, source, LOOPS);
        }
        if (points != 0 && function->name[version].array == 0) {
            function->name[version].array = points;
            function->changed = true;
        }
    }
    header_note(function, version);
}

// The length of the name of a function that is never inlined, or indexes its argument; 0 for any
// other function.
static size_t noinline_at(const struct locals *locals, const char *text) {
    for (int i = 0; i < locals->noinline_count; i++) {
        size_t length = strlen(locals->noinline_name[i]);
        if (text_starts(text, locals->noinline_name[i]) && text_starts(text + length, " (")) {
            return length;
        }
    }
    return 0;
}

// A call "f (&acc, 3)" of such a function: the array has its address taken.
static void call_read(struct locals *locals, const char *text) {
    struct ssa_function *function = &locals->function;
    size_t length = noinline_at(locals, text);
    if (length == 0) {
        return;
    }
    for (const char *at = text + length; *at != '\0'; at++) {
        size_t word = strspn(at, LETTERS);
        uint32_t version = word > 0 ? version_of(at, word) : 0;
        int array = at[-1] == '&' ? array_find(function, at, word) : -1;
        array = version > 0 ? function->name[version].array - 1 : array;
        if (array >= 0) {
            index_found(function, array);
        }
        at += word > 0 ? word - 1 : 0;
    }
}

static void line_read(struct locals *locals, const char *line) {
    struct ssa_function *function = &locals->function;
    if (text_starts(line, "  # ")) {
        phi_read(function, line);
        return;
    }
    function->headers = 0;
    function->is_bound = false;
    if (text_starts(line, "  if (")) {
        condition_read(locals, line);
        return;
    }
    indices_read(function, line);
    size_t length = strspn(line + 2, LETTERS ".");
    uint32_t version = version_of(line + 2, length);
    const char *equal = strstr(line, " = ");
    call_read(locals, equal ? equal + 3 : line + 2);
    const char *value = line + 2 + length;
    value += text_starts(value, " ={v} ") ? strlen(" ={v} ") : text_starts(value, " = ") ? 3 : 0;
    if (version > 0 && value > line + 2 + length) {
        assignment_read(function, version, value);
    }
}

// --- The dump ----------------------------------------------------------------

// "__attribute__((noinline, …))" and, in the next line, "void add (float * sum)".
static void noinline_find(struct locals *locals, const char *dump) {
    static const char mark[] = "\n__attribute__((";
    for (const char *at = strstr(dump, mark); at; at = strstr(at + 1, mark)) {
        const char *end = at + 1 + strcspn(at + 1, "\n");
        const char *word = strstr(at, "noinline");
        const char *open = *end ? strchr(end + 1, '(') : NULL;
        if (!word || word > end || !open || locals->noinline_count == NOINLINE_MAX) {
            continue;
        }
        const char *last = open - 1;
        const char *start = last;
        while (start > end && strchr(LETTERS, start[-1])) {
            start--;
        }
        (void)snprintf(locals->noinline_name[locals->noinline_count++], LOCAL_NAME_MAX, "%.*s",
                       (int)(last - start), start);
    }
}

// Reads the body of a function once.  *at is just after its "{", and on return just after its "}".
static void body_read(struct locals *locals, const char **at, bool first) {
    char line[DUMP_LINE_BYTES];
    bool declares = true;
    while (dump_line(at, line, &locals->line) && line[0] != '}') {
        declares = declares && !strstr(line, "<bb ");
        if (declares && first) {
            declaration_read(&locals->function, line);
        } else if (!declares && first) {
            initial_read(&locals->function, line);
        }
        if (!declares && line[0] == ' ' && !strstr(line, "# DEBUG")) {
            line_read(locals, line);
        }
    }
}

static void function_settle(const struct ssa_function *function, const char *symbol,
                            struct build_report *report, char ret_most[DUMP_LINE_BYTES]) {
    uint64_t bytes = sizeof(float) * (uint64_t)function->headers_max;
    for (int i = 0; i < function->arrays; i++) {
        const struct array *array = &function->array[i];
        bytes += array->bytes;
        if (array->is_indexed && report->local_name[0] == '\0') {
            (void)snprintf(report->local_name, LOCAL_NAME_MAX, "%s", array->name);
        }
    }
    bytes = bytes < UINT32_MAX ? bytes : UINT32_MAX;
    if (bytes > report->local_bytes) {
        report->local_bytes = (uint32_t)bytes;
        (void)snprintf(ret_most, DUMP_LINE_BYTES, "%s", symbol);
    }
}

void locals_find(const char *dump, const char *source, struct build_report *report,
                 char ret_most[DUMP_LINE_BYTES]) {
    struct locals *locals = xcalloc(1, sizeof *locals);
    struct name *names = xcalloc(VERSIONS_MAX, sizeof *names);
    unrolled_find(source, &locals->unrolled);
    noinline_find(locals, dump);
    char line[DUMP_LINE_BYTES];
    bool kernel = false;
    char name[LOCAL_NAME_MAX] = "", symbol[DUMP_LINE_BYTES] = "";
    ret_most[0] = '\0';
    for (const char *at = dump; dump_line(&at, line, &locals->line);) {
        if (text_starts(line, ";; Function ")) {
            const char *end = strstr(line, " (_");
            const char *start = line + strlen(";; Function ");
            (void)snprintf(name, sizeof name, "%.*s", end ? (int)(end - start) : 0, start);
            (void)sscanf(line, "%*[^(](%1023[^,]", symbol);  // "… (_Z3addPf, …"
            kernel = false;
        } else if (text_starts(line, "__attribute__((")) {
            kernel = strstr(line, "visibility (\"protected\")") != NULL;
        } else if (strcmp(line, "{") == 0) {
            struct ssa_function *function = &locals->function;
            *function = (struct ssa_function){.is_kernel = kernel, .name = names, .changed = true};
            memset(names, 0, VERSIONS_MAX * sizeof *names);
            const char *body = at;
            for (int round = 0; round < ROUNDS_MAX && function->changed; round++) {
                function->changed = false;
                at = body;
                body_read(locals, &at, round == 0);
            }
            function_settle(function, kernel ? symbol : "", report, ret_most);
            if (function->indexes_parameter && name[0] != '\0' &&
                locals->noinline_count < NOINLINE_MAX) {
                (void)snprintf(locals->noinline_name[locals->noinline_count++], LOCAL_NAME_MAX,
                               "%s", name);
            }
        }
    }
    free(locals);
    free(names);
}
