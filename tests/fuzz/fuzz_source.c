// A kernel file, before it is compiled, and where its lines and its parameters are quoted.
#include <stdlib.h>
#include <string.h>

#include "device/gpu/gpu_compile.h"
#include "device/source/declarations.h"
#include "device/source/source_check.h"
#include "fuzz.h"
#include "judge/code/access_text.h"
#include "judge/code/kernel_text.h"
#include "judge/submission/submission.h"

static void text_look(const char *text) {
    char word[SOURCE_WORD_MAX];
    char lines[1024];
    int line = 0;
    (void)source_foreign(text, &line, word);
    (void)source_declares_const(text, "A");
    (void)source_name_line(text, "As");
    (void)source_name_line_above(text, "As", 3);
    (void)ptx_tensor_instruction(text, word, sizeof word);
    (void)ptx_entry_takes(text, "matmul_sum", "LLLIII");
    explain_signature(signature_of_matmul(), text, "matmul_sum", lines, sizeof lines);
    fuzz_demand(memchr(lines, '\0', sizeof lines) != NULL, "a text that ends");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct build_report report = {.fault = BUILD_FAULT_NONE};
    size_t copied = 0;
    char quote[SOURCE_LINE_MAX];
    char *copy = source_prepare((const char *)bytes, count, &copied, &report);
    fuzz_demand(copy || report.text[0] != '\0', "a reason");
    fuzz_demand(!copy || !memchr(copy, '\0', copied), "no NUL");
    free(copy);
    build_report_done(&report);
    char *text = fuzz_text(bytes, count);
    text_look(text);
    for (unsigned line = 0; line < 4; line++) {
        submitted_line(text, count, line, quote, sizeof quote);
        (void)submitted_indent(text, count, line);
    }
    free(text);
    return 0;
}
