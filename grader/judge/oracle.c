// Chooses the oracle; before that, what was never written is a verdict of its own.
#include "judge/oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/oracle_parts.h"
#include "judge/region.h"

void number_text(double number, char text[NUMBER_TEXT_MAX]) {
    if (isnan(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "NaN");
    } else if (isinf(number)) {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%sInf", number < 0 ? "-" : "");
    } else {
        (void)snprintf(text, NUMBER_TEXT_MAX, "%.9g", number);
    }
}

static double want_of(const struct product *product, int32_t row, int32_t column) {
    double sum = 0;
    for (int32_t k = 0; k < product->size.k; k++) {
        sum += (double)product->a[(size_t)row * (size_t)product->size.k + (size_t)k] *
               (double)product->b[(size_t)k * (size_t)product->size.n + (size_t)column];
    }
    return sum;
}

// Looks for poison; returns false where there is none.
static bool unwritten_find(const struct product *product, struct oracle_report *report) {
    struct region unwritten = {.count = 0};
    char where[REGION_TEXT_MAX];
    for (int32_t i = 0; i < product->size.m; i++) {
        const float *row = product->c + (size_t)i * (size_t)product->size.n;
        for (int32_t j = 0; j < product->size.n; j++) {
            if (poison_is(row[j])) {
                if (unwritten.count == 0) {
                    report->row = i;
                    report->column = j;
                    report->got = row[j];
                }
                region_add(&unwritten, i, j);
            }
        }
    }
    if (unwritten.count == 0) {
        return false;
    }
    report->verdict = VERDICT_NOT_WRITTEN;
    report->unwritten_count = unwritten.count;
    report->wrong_count = unwritten.count;
    report->want = want_of(product, report->row, report->column);
    region_text(&unwritten, product->size, where);
    (void)snprintf(report->explanation, sizeof report->explanation,
                   "C[%d][%d] was never written (not written: %s).", report->row, report->column,
                   where);
    return true;
}

enum status oracle_check(enum inputs_kind kind, struct random_key key, struct size size,
                         const float *a, const float *b, const float *c,
                         struct oracle_report *ret_report, struct error *err) {
    struct product product = {.key = key, .size = size, .a = a, .b = b, .c = c};
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
