// Idea: the operations of a basic block are known when the file is built, so each block adds their
// number to the sum of each source line in it, with one instruction.  That changes the flags, so it
// goes where no instruction of the block reads them any more: before one that sets them all.  A
// block without such a place saves them.
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "device/assembly/passes.h"
#include "emu/count/flops.h"

#define BLOCK_LINES_MAX 64  // source lines of one block; further ones share the last's sum

struct block_sum {
    int source;
    unsigned long long flops;
};

// A run of lines that is entered at its start and left at its end only.
struct block {
    size_t first_flop;  // the first line that computes
    size_t quiet;       // a line before which the flags are free, or 0
    struct block_sum sum[BLOCK_LINES_MAX];
    int sums;
};

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

static unsigned flops_of(const struct line *line) {
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

// --- Where the flags are free ------------------------------------------------

// Sets all flags that arithmetic sets, and reads none; or is a call, over which none are kept.
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

// A signed 32-bit number is the largest that one instruction adds.
static enum status sums_write(struct lines *lines, const struct block *block, size_t at,
                              struct error *err) {
    enum status status = STATUS_OK;
    unsigned long long all = 0;
    for (int i = 0; i < block->sums && !status; i++) {
        all += block->sum[i].flops;
        status = lines_add(lines, at, err, "\taddq\t$%llu, " FLOPS_SYMBOL "+%d(%%rip)",
                           block->sum[i].flops & 0x7fffffff, 8 * block->sum[i].source);
    }
    if (!status) {
        status = lines_add(lines, at, err, "\taddq\t$%llu, " FLOPS_SYMBOL "+%d(%%rip)",
                           all & 0x7fffffff, 8 * FLOPS_LINES_MAX);
    }
    return status;
}

static enum status block_write(struct lines *lines, const struct block *block, struct error *err) {
    if (block->sums == 0) {
        return STATUS_OK;
    }
    if (block->quiet != 0) {
        return sums_write(lines, block, block->quiet, err);
    }
    // A function without calls may use the 128 bytes below the stack pointer.
    size_t at = block->first_flop;
    enum status status = lines_add(lines, at, err, "\tleaq\t-128(%%rsp), %%rsp\n\tpushfq");
    if (!status) {
        status = sums_write(lines, block, at, err);
    }
    if (!status) {
        status = lines_add(lines, at, err, "\tpopfq\n\tleaq\t128(%%rsp), %%rsp");
    }
    return status;
}

enum status rewrite_flops(struct lines *lines, struct error *err) {
    struct block block = {.sums = 0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < lines->count && !status; i++) {
        const struct line *line = &lines->line[i];
        char name[32];
        line_mnemonic(line, name, sizeof name);
        unsigned flops = line->is_submission ? flops_of(line) : 0;
        if (flops > 0) {
            block.first_flop = block.sums == 0 ? i : block.first_flop;
            block_add(&block, line->source, flops);
        }
        if (block.quiet == 0 && sets_flags(name)) {
            block.quiet = i;
        }
        if (line->kind == LINE_LABEL || ends_block(name) || !line->is_submission) {
            status = block_write(lines, &block, err);
            block = (struct block){.sums = 0};
        }
    }
    if (!status) {
        status = block_write(lines, &block, err);
    }
    if (!status && lines->count > 0) {
        status = lines_add(lines, 0, err,
                           "\t.globl\t" FLOPS_KNOWN_SYMBOL "\n\t.set\t" FLOPS_KNOWN_SYMBOL ", 1");
    }
    return status;
}
