// Idea: the operations of a basic block are known when the file is built, so each block adds their
// number to the sum of each source line in it, with one instruction, and all other instructions to
// one sum.  That changes the flags, so it
// goes where no instruction of the block reads them any more: before one that sets them all.  A
// block without such a place saves them.
#include <stdio.h>
#include <string.h>

#include "base/basics.h"
#include "base/text.h"
#include "device/assembly/control_flow.h"
#include "device/assembly/rewrite.h"
#include "emu/count/count_flops.h"

#define BLOCK_LINES_MAX 64  // source lines of one block; further ones share the last's sum

// The number of instructions that a GPU issues for one of these, or could have issued while a warp
// waits for it, from times on an H200 (tests/speed).
#define OTHERS_DIVISION       20  // of integers of 32 bits
#define OTHERS_LONG_DIVISION  60
#define OTHERS_FLOAT_DIVISION 12  // or a root
#define OTHERS_CONVERSION     4
#define OTHERS_MATH           20   // a function of the math library
#define OTHERS_WIDE_DIVISION  200  // of 128 bits
#define OTHERS_SHUFFLE        2    // or a vote
#define OTHERS_MATCH          20   // of lanes, or a sum of integers over them
#define OTHERS_CALL           60   // by a pointer, or of a function that calls itself
#define OTHERS_APART          12   // of a function that is not inlined
#define OTHERS_LIBRARY        2    // of another function of the math library
#define OTHERS_BYTE           3    // loaded or stored singly, if a GPU knows no alignment
#define OTHERS_CLOCK          100  // a clock read in a loop that waits
#define OTHERS_FENCE          50
#define OTHERS_PRINT          1000  // printf

#define WIDE      2  // instructions for a 64-bit operation
#define WIDE_FREE 4  // free 64-bit operations besides addresses

struct block_sum {
    int source;
    unsigned long long flops;
};

// A run of lines that is entered at its start and left at its end only.
struct block {
    size_t first;  // the first line with something to count
    size_t quiet;  // a line before which the flags are free, or 0
    struct block_sum sum[BLOCK_LINES_MAX];
    int sums;
    unsigned long long integers, others, loops;
    unsigned long long wide, calls;  // operations on 64-bit integers; calls, mostly for accesses
};

static bool block_is_empty(const struct block *block) {
    return block->sums == 0 && block->integers == 0 && block->others == 0 && block->loops == 0;
}

// --- What an instruction computes -------------------------------------------

// Names without "v" of AVX and without the type at the end.
static unsigned operations_of_name(const char *name, size_t length) {
    static const char *const single[] = {"add", "sub", "mul", "div", "sqrt"};
    static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub"};
    for (size_t i = 0; i < COUNT(single); i++) {
        if (strlen(single[i]) == length && memcmp(name, single[i], length) == 0) {
            return 1;
        }
    }
    for (size_t i = 0; i < COUNT(fused); i++) {
        size_t count = strlen(fused[i]);  // then the order of operands: 132, 213 or 231
        if (length == count + 3 && memcmp(name, fused[i], count) == 0) {
            return 2;
        }
    }
    return 0;
}

// "addss" 1, "mulps" 4, "vfmadd213sd" 2; 0 for anything but arithmetic of float or double.
static unsigned flops_of_mnemonic(const char *name) {
    size_t length = strlen(name);
    if (length < 4) {
        return 0;
    }
    const char *type = name + length - 2;
    bool single = strcmp(type, "ss") == 0 || strcmp(type, "sd") == 0;
    unsigned lanes = strcmp(type, "ps") == 0 ? 4 : strcmp(type, "pd") == 0 ? 2 : single;
    size_t prefix = name[0] == 'v';
    return lanes * operations_of_name(name + prefix, length - 2 - prefix);
}

unsigned flops_of(const struct asm_line *line) {
    char name[32];
    char callee[32];
    line_mnemonic(line, name, sizeof name);
    line_callee(line, callee, sizeof callee);
    if (strcmp(callee, "fmaf") == 0 || strcmp(callee, "fma") == 0) {
        return 2;
    }
    if (strcmp(callee, "sqrtf") == 0 || strcmp(callee, "sqrt") == 0) {
        return 1;
    }
    return flops_of_mnemonic(name);
}

// --- Instructions: as many as a GPU takes for them ----------------------------------------

static bool is_any_of(const char *name, const char *const *names) {
    while (*names && strcmp(name, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

// 64-bit instructions for addresses are excluded (is_wide), and `addl $1`, which loops use; `xorl`
// of a register with itself is a zero.  A comparison of floats counts as two: another instruction
// selects by its result.
static unsigned integers_of(const struct asm_line *line, const char *name) {
    static const char *const plain[] = {
        "addl", "subl",  "imull", "andl",  "orl",  "xorl",  "notl",   "negl",  "sall",  "shll",
        "sarl", "shrl",  "roll",  "rorl",  "leal", "andq",  "orq",    "xorq",  "notq",  "imulq",
        "shrq", "sarq",  "bsrl",  "bsfl",  "mull", "mulq",  "adcq",   "sbbq",  "bswap", "addb",
        "subb", "shrb",  "sarb",  "salb",  "xorb", "addw",  "subw",   "shrw",  "sarw",  "salw",
        "xorw", "minss", "maxss", "andps", "orps", "xorps", "andnps", "cmpss", NULL};
    static const char *const compare[] = {"comiss", "ucomiss", NULL};
    char text[64];
    if (is_any_of(name, compare)) {
        return 2;
    }
    if (!is_any_of(name, plain)) {
        return text_starts(name, "cmov");
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)line->length, line->text);
    const char *operands = text + 1 + strlen(name) + 1;
    const char *comma = strchr(operands, ',');
    bool step = text_starts(operands, "$1,") || text_starts(operands, "$-1,");
    bool zero = comma && name[0] == 'x' && strlen(comma) > 2 &&
                strncmp(operands, comma + 2, (size_t)(comma - operands)) == 0;
    return !zero && !(step && (text_starts(name, "add") || text_starts(name, "sub")));
}

// 64-bit arithmetic, as for addresses, but not on the stack pointer.
static bool is_wide(const struct asm_line *line, const char *name) {
    static const char *const wide[] = {"addq", "subq", "salq", "shlq", "leaq", "negq", NULL};
    bool step = text_starts(line->text, "\taddq\t$1,") || text_starts(line->text, "\tsubq\t$1,");
    return is_any_of(name, wide) && !step && !memmem(line->text, line->length, "%rsp", 4);
}

// Divisions, roots, conversions; double, which has half the units at best.
static unsigned others_of_name(const char *name) {
    static const char *const small[] = {"idivl", "divl", NULL};
    static const char *const large[] = {"idivq", "divq", NULL};
    size_t length = strlen(name);
    const char *type = length > 2 ? name + length - 2 : name;
    if (is_any_of(name, small) || is_any_of(name, large)) {
        return is_any_of(name, large) ? OTHERS_LONG_DIVISION : OTHERS_DIVISION;
    }
    if (text_starts(name, "div") && type[0] == 's') {
        return OTHERS_FLOAT_DIVISION;
    }
    if (text_starts(name, "sqrts")) {
        return OTHERS_FLOAT_DIVISION;
    }
    if (text_starts(name, "cvt")) {
        return OTHERS_CONVERSION;
    }
    return strcmp(type, "sd") == 0 && flops_of_mnemonic(name) > 0 ? 1 : 0;
}

// True for functions of the math library that take long.
static bool is_math(const char *callee) {
    static const char *const names[] = {"sin",  "cos",   "tan",   "asin", "acos",   "atan", "exp",
                                        "log",  "pow",   "cbrt",  "erf",  "tgamma", "lgam", "hypot",
                                        "fmod", "remqu", "remai", "norm", "j0",     "j1",   "jn",
                                        "y0",   "y1",    "yn",    NULL};
    size_t i = 0;
    while (names[i] && !text_starts(callee, names[i])) {
        i++;
    }
    return names[i] != NULL;
}

static unsigned others_of_call(const char *callee) {
    static const struct {
        const char *start;
        unsigned others;
    } known[] = {{"emu_printf", OTHERS_PRINT},        {"emu_clock", OTHERS_CLOCK},
                 {"emu_shfl", OTHERS_SHUFFLE},        {"emu_ballot", OTHERS_SHUFFLE},
                 {"emu_any", OTHERS_SHUFFLE},         {"emu_all", OTHERS_SHUFFLE},
                 {"emu_syncwarp", OTHERS_SHUFFLE},    {"emu_match", OTHERS_MATCH},
                 {"emu_reduce", OTHERS_MATCH},        {"__x86_indirect_thunk", OTHERS_CALL},
                 {"__udivti3", OTHERS_WIDE_DIVISION}, {"__umodti3", OTHERS_WIDE_DIVISION},
                 {"__divti3", OTHERS_WIDE_DIVISION},  {"__modti3", OTHERS_WIDE_DIVISION}};
    static const char *const roots[] = {"sqrtf", "sqrt", NULL};
    for (size_t i = 0; i < COUNT(known); i++) {
        if (text_starts(callee, known[i].start)) {
            return known[i].others;
        }
    }
    if (strcmp(callee, "emu_fence") == 0) {  // not that of a block
        return OTHERS_FENCE;
    }
    if (is_any_of(callee, roots)) {
        return OTHERS_FLOAT_DIVISION;
    }
    return is_math(callee) ? OTHERS_MATH : 0;
}

// The bytes of a copy with a constant size, from the instructions before its call.
static unsigned copied_bytes(const struct asm_lines *lines, size_t call, const char *place) {
    for (size_t i = call; i > 0 && lines->line[i - 1].kind != LINE_LABEL; i--) {
        const struct asm_line *line = &lines->line[i - 1];
        char text[64];
        unsigned bytes = 0;
        (void)snprintf(text, sizeof text, "%.*s", (int)line->length, line->text);
        if (text_starts(text, "\tcall")) {
            break;
        }
        if (strstr(text, place) && sscanf(text, "\tmovl\t$%u,", &bytes) == 1) {
            return bytes < 4096 ? bytes : 4096;
        }
    }
    return 0;
}

// Bytes that a GPU loads or stores one by one: the bytes of memcpy, and of a float without
// alignment.
static unsigned bytes_apart(const struct asm_lines *lines, size_t call, const char *callee) {
    if (strcmp(callee, "emu_memcpy") == 0) {
        return copied_bytes(lines, call, "%edx");
    }
    bool range = text_starts(callee, "__tsan_read_range") ||  // also of structs, which are larger
                 text_starts(callee, "__tsan_write_range");
    unsigned bytes = range ? copied_bytes(lines, call, "%esi") : 0;
    return bytes <= sizeof(float) ? bytes : 0;
}

static unsigned others_of(const struct asm_lines *lines, size_t at,
                          const struct functions *functions, int function) {
    char name[32];
    char callee[512];
    line_mnemonic(&lines->line[at], name, sizeof name);
    line_callee(&lines->line[at], callee, sizeof callee);
    if (callee[0] == '\0') {
        return others_of_name(name);
    }
    int called = functions_find(functions, callee, strlen(callee));
    if (called >= 0) {
        return functions_lead(functions, called, function) ? OTHERS_CALL
               : functions->function[called].is_apart      ? OTHERS_APART
                                                           : 0;
    }
    unsigned others = others_of_call(callee);
    bool library = others == 0 && callee[0] != '_' && !text_starts(callee, "emu_") &&
                   flops_of(&lines->line[at]) == 0;
    return library ? OTHERS_LIBRARY : others + OTHERS_BYTE * bytes_apart(lines, at, callee);
}

// --- Where the flags are free ------------------------------------------------

// True if the line sets all flags that arithmetic sets and reads none, or is a call, which does not
// preserve flags.
static bool sets_flags(const char *name) {
    static const char *const names[] = {"add", "sub", "cmp", "test", "and",
                                        "or",  "xor", "neg", "imul"};
    static const char *const whole[] = {"call",    "callq",   "comiss",  "comisd",   "ucomiss",
                                        "ucomisd", "vcomiss", "vcomisd", "vucomiss", "vucomisd"};
    for (size_t i = 0; i < COUNT(whole); i++) {
        if (strcmp(name, whole[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t count = strlen(names[i]);
        bool same = strncmp(name, names[i], count) == 0;
        // With a size or without: "addl" and "add", not "addss".
        if (same && (name[count] == '\0' || (strchr("bwlq", name[count]) && !name[count + 1]))) {
            return true;
        }
    }
    return false;
}

static bool reads_flags(const char *name) {
    return name[0] == 'j' || text_starts(name, "set") || text_starts(name, "cmov") ||
           text_starts(name, "adc") || text_starts(name, "sbb");
}

// True if the flags are set from line `at` on before they are read.
static bool flags_are_free(const struct asm_lines *lines, size_t at) {
    char name[32] = "";
    while (at < lines->count && !reads_flags(name) && !sets_flags(name)) {
        line_mnemonic(&lines->line[at++], name, sizeof name);
    }
    return sets_flags(name);
}

static bool ends_block(const char *name) {
    return name[0] == 'j' || text_starts(name, "ret") || text_starts(name, "ud2");
}

// --- Blocks -----------------------------------------------------------------

static void block_add(struct block *block, int source, unsigned flops) {
    int place = source > 0 && source < FLOPS_LINES_MAX ? source : 0;
    int at = 0;
    while (at < block->sums && block->sum[at].source != place) {
        at++;
    }
    if (at == BLOCK_LINES_MAX) {
        at--;
    } else if (at == block->sums) {
        block->sum[block->sums++] = (struct block_sum){.source = place};
    }
    block->sum[at].flops += flops;
}

// One instruction adds at most a signed 32-bit number.
static void sum_write(struct asm_lines *lines, size_t at, unsigned long long sum, int place) {
    lines_add(lines, at, "\taddq\t$%llu, " FLOPS_SYMBOL "+%d(%%rip)", sum & 0x7fffffff, 8 * place);
}

static void sums_write(struct asm_lines *lines, const struct block *block, size_t at) {
    unsigned long long all = 0;
    for (int i = 0; i < block->sums; i++) {
        all += block->sum[i].flops;
        sum_write(lines, at, block->sum[i].flops, block->sum[i].source);
    }
    const struct {
        unsigned long long sum;
        int place;
    } others[] = {{all, FLOPS_ALL},
                  {block->integers, FLOPS_INTEGERS},
                  {block->others, FLOPS_OTHERS},
                  {block->loops, FLOPS_LOOPS}};
    for (size_t i = 0; i < COUNT(others); i++) {
        if (others[i].sum > 0) {
            sum_write(lines, at, others[i].sum, others[i].place);
        }
    }
}

static void block_write(struct asm_lines *lines, struct block *block) {
    unsigned long long free_wide = WIDE_FREE * (1 + block->calls);
    block->integers += block->wide > free_wide ? WIDE * (block->wide - free_wide) : 0;
    if (block_is_empty(block)) {
        return;
    }
    if (block->quiet != 0) {
        sums_write(lines, block, block->quiet);
        return;
    }
    // A function without calls may use the 128 bytes below the stack pointer.
    lines_add(lines, block->first, "\tleaq\t-128(%%rsp), %%rsp\n\tpushfq");
    sums_write(lines, block, block->first);
    lines_add(lines, block->first, "\tpopfq\n\tleaq\t128(%%rsp), %%rsp");
}

void rewrite_flops(struct asm_lines *lines, const char *dump) {
    struct block block = {.sums = 0};
    int function = -1;
    struct labels labels;
    struct functions functions;
    struct loops loops;
    labels_open(lines, &labels);
    functions_open(lines, dump, &functions);
    loops_open(&labels, &functions, &loops);
    for (size_t i = 0; i < lines->count; i++) {
        const struct asm_line *line = &lines->line[i];
        char name[32];
        line_mnemonic(line, name, sizeof name);
        unsigned flops = line->is_submission ? flops_of(line) : 0;
        int begun = functions_begun(&functions, line);
        function = begun >= 0 ? begun : function;
        unsigned others = line->is_submission ? others_of(lines, i, &functions, function) : 0;
        unsigned integers = line->is_submission ? integers_of(line, name) : 0;
        size_t back = line->is_submission ? loops.back[i] : 0;
        bool wide = line->is_submission && is_wide(line, name);
        block.first = block_is_empty(&block) && block.wide == 0 ? i : block.first;
        if (flops > 0) {
            block_add(&block, line->source, flops);
        }
        block.integers += integers;
        block.others += others;
        block.loops += back > 0;
        block.wide += wide;
        block.calls += strcmp(name, "call") == 0;
        if (block.quiet == 0 && (sets_flags(name) || (back > 0 && strcmp(name, "jmp") == 0 &&
                                                      flags_are_free(lines, back - 1)))) {
            block.quiet = i;
        }
        if (line->kind == LINE_LABEL || ends_block(name) || !line->is_submission) {
            block_write(lines, &block);
            block = (struct block){.sums = 0};
        }
    }
    block_write(lines, &block);
    if (lines->count > 0) {
        lines_add(lines, 0, "\t.globl\t" FLOPS_KNOWN_SYMBOL "\n\t.set\t" FLOPS_KNOWN_SYMBOL ", 1");
    }
    loops_done(&loops);
    functions_done(&functions);
    labels_done(&labels);
}
