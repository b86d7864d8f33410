// What g++ makes of a kernel file, before it is assembled: kernel.ii and kernel.s, whose names,
// strings and lines are the student's.
#include <stdlib.h>
#include <string.h>

#include "device/assembly/assembly_text.h"
#include "device/assembly/rewrite.h"
#include "device/object/symbols.h"
#include "device/source/source_check.h"
#include "fuzz.h"

static void name_look(const char *text) {
    char name[SYMBOL_TEXT_MAX];
    char readable[64];
    const char *parameters = NULL;
    size_t length = strcspn(text, "\n");
    size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, text, kept);
    name[kept] = '\0';
    (void)symbol_classify(name);
    (void)symbol_is_implied(name);
    (void)symbol_is_reserved(name);
    if (symbol_is_overload(name, "matmul_sum", &parameters)) {
        fuzz_demand(parameters >= name && parameters <= name + kept, "a place in the name");
    }
    symbol_readable(name, readable, sizeof readable);
    fuzz_demand(memchr(readable, '\0', sizeof readable) != NULL, "a text that ends");
}

static void text_look(const char *text) {
    struct assembly_function function;
    char name[SYMBOL_TEXT_MAX];
    const char *at = text;
    int file = assembly_file(text);
    while (assembly_next(&at, file, &function)) {
        (void)assembly_line_of(text, file, function.name);
    }
    assembly_start(text, name);
    (void)assembly_zeros(text);
    (void)assembly_inline(text);
}

static void rewrite_look(char *text) {
    struct asm_lines lines = lines_open(text);
    (void)rewrite_unseen(&lines);
    rewrite_flops(&lines, NULL);
    free(lines_text(&lines));
    lines_done(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    char *text = fuzz_text(bytes, count);
    int line = 0;
    char word[SOURCE_WORD_MAX];
    name_look(text);
    text_look(text);
    (void)source_made_foreign(text, &line, word);
    rewrite_look(text);
    return 0;
}
