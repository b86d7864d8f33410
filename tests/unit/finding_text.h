// Findings as checkers give them, and the sentences about them, for the tests of texts.
#ifndef TESTS_FINDING_TEXT_H
#define TESTS_FINDING_TEXT_H

#include <string.h>

#include "judge/say/finding_text.h"
#include "suite.h"  // last: Check has a macro called fail

static const struct size size_50 = {.m = 50, .n = 40, .k = 30};

static const struct shared_array_table table = {
    .count = 8,
    .array =
        {
            {.bytes = 1024, .element_bytes = 4, .rank = 2, .extent = {16, 16}, .name = "As"},
            {.bytes = 256, .element_bytes = 4, .rank = 1, .extent = {64}, .name = "row_sums"},
            {.element_bytes = 4, .rank = 1, .extent = {0}, .is_dynamic = 1, .name = "tile"},
            {.bytes = 32, .element_bytes = 8, .rank = 1, .extent = {4}, .name = "full"},
            {.bytes = 8, .element_bytes = 8, .name = "empty"},
            {.element_bytes = 1, .rank = 1, .extent = {0}, .is_dynamic = 1, .name = "memory"},
            {.bytes = 256, .element_bytes = 128, .rank = 1, .extent = {2}, .name = "ring"},
            {.bytes = 64, .element_bytes = 64, .name = "buffers"},
        },
};

// A finding in shared array 0 at line 22, thread (5, 3, 0) of block (1, 2, 0).
static struct judged_finding finding_of(enum finding_kind kind) {
    return (struct judged_finding){
        .finding =
            {
                .kind = kind,
                .severity = SEVERITY_ERROR,
                .count = 1,
                .space = SPACE_SHARED,
                .array = 0,
                .array_bytes = 1024,
                .offset = 3 * 64,
                .access = ACCESS_READ,
                .access_bytes = 4,
                .block = {1, 2, 0},
                .thread = {5, 3, 0},
                .other_block = {1, 2, 0},
                .other_thread = {0, 3, 0},
                .pc = 1,
                .other_pc = 2,
                .line = 22,
                .other_line = 13,
            },
        .size = size_50,
    };
}

static void expect(struct judged_finding finding, const char *message, const char *headline) {
    char text[ERROR_TEXT_MAX];
    finding_explain(&finding, &table);
    finding_headline(&finding, "tiled.cu", text);
    ck_assert_str_eq(plain(finding.message), message);
    ck_assert_str_eq(plain(text), headline);
}

#endif
