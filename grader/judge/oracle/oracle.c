// Chooses the oracle.  Elements that were never written are a verdict of their own, which comes
// first.
#include "judge/oracle/oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "judge/explain/coverage.h"
#include "judge/oracle/parts.h"

void number_text(double number, char text[NUMBER_TEXT_MAX]) {
    if (isnan(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "NaN");
    } else if (isinf(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%sInf", number < 0 ? "-" : "");
    } else {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%.9g", number);
    }
}

static double want_of(const struct matmul_launch *product, int32_t row, int32_t column) {
    double sum = 0;
    for (int32_t k = 0; k < product->matmul.size.k; k++) {
        sum +=
            (double)product->matmul.a[(size_t)row * (size_t)product->matmul.size.k + (size_t)k] *
            (double)product->matmul.b[(size_t)k * (size_t)product->matmul.size.n + (size_t)column];
    }
    return sum;
}

// True if the whole column still holds poison.
static bool is_column_unwritten(const struct matmul_launch *product, int32_t column) {
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        if (!poison_is(
                product->matmul.c[(size_t)i * (size_t)product->matmul.size.n + (size_t)column])) {
            return false;
        }
    }
    return true;
}

// One more element of a gap.
static void gap_add(struct coverage_gap *gap, uint32_t row, uint32_t column) {
    if (gap->missing == 0) {
        *gap = (struct coverage_gap){.first = {row, column}, .last = {row, column}};
    }
    gap->missing++;
    gap->last[0] = row;  // rows come in order
    gap->first[1] = column < gap->first[1] ? column : gap->first[1];
    gap->last[1] = column > gap->last[1] ? column : gap->last[1];
}

// One more row or column in which nothing was written.
static void line_add(uint32_t line, uint32_t *count, uint32_t ends[2]) {
    ends[0] = *count == 0 ? line : ends[0];
    ends[1] = line;
    ++*count;
}

// Where poison is left in C; notes the first such element in the report.
static void poison_map(const struct matmul_launch *product, struct coverage_gap *gap,
                       struct oracle_report *report) {
    int32_t n = product->matmul.size.n;
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        const float *row = product->matmul.c + (size_t)i * (size_t)n;
        uint64_t before = gap->missing;
        for (int32_t j = 0; j < n; j++) {
            if (poison_is(row[j])) {
                if (gap->missing == 0) {
                    report->row = i;
                    report->column = j;
                    report->got = row[j];
                }
                gap_add(gap, (uint32_t)i, (uint32_t)j);
            }
        }
        if (gap->missing - before == (uint64_t)n) {
            line_add((uint32_t)i, &gap->row_count, gap->rows);
        }
    }
    for (int32_t j = 0; j < n && gap->missing > 0; j++) {
        if (is_column_unwritten(product, j)) {
            line_add((uint32_t)j, &gap->column_count, gap->columns);
        }
    }
}

// Looks for poison; returns false if there is none.
static bool unwritten_find(const struct matmul_launch *product, struct oracle_report *report) {
    struct coverage_gap gap = {.missing = 0};
    poison_map(product, &gap, report);
    if (gap.missing == 0) {
        return false;
    }
    report->verdict = VERDICT_NOT_WRITTEN;
    report->unwritten_count = gap.missing;
    report->wrong_count = gap.missing;
    report->want = want_of(product, report->row, report->column);
    report->explained = explain_unwritten(&gap, product->matmul.size, report->cause);
    if (gap.missing > 1 && gap.row_count + gap.column_count == 0) {
        words_write(report->evidence, sizeof report->evidence,
                    _("The first of %" PRIu64 " elements is C[%d][%d]."), gap.missing, report->row,
                    report->column);
    }
    return true;
}

enum status oracle_check(enum precision precision, enum inputs_kind kind, struct random_key key,
                         const struct matmul *matmul, struct oracle_report *ret_report,
                         struct error *err) {
    const struct matmul_launch product = {.key = key, .matmul = *matmul, .precision = precision};
    struct oracle_report report;
    enum status status = STATUS_OK;
    memset(&report, 0, sizeof report);
    if (!unwritten_find(&product, &report)) {
        status = kind == INPUTS_EXACT ? oracle_exact(&product, &report, err)
                                      : oracle_real(&product, &report, err);
    }
    if (!status) {
        *ret_report = report;
    }
    return status;
}
