// Exact inputs: a fast test first finds out whether everything is right.  Only what is wrong is
// then examined closely.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/product.h"
#include "judge/explain/region.h"
#include "judge/oracle/freivalds.h"
#include "judge/oracle/parts.h"
#include "judge/oracle/precision.h"

// Row i of A B.  fp32 holds every partial sum of exact inputs, so the order is free (see inputs.c).
FAST static void exact_row(const struct matmul_launch *product, int32_t i, float *row) {
    int32_t n = product->matmul.size.n;
    const float *a = product->matmul.a + (size_t)i * (size_t)product->matmul.size.k;
    int32_t k = 0;
    memset(row, 0, (size_t)n * sizeof *row);
    for (; k + 4 <= product->matmul.size.k; k += 4) {
        const float *b = product->matmul.b + (size_t)k * (size_t)n;
        const float *b1 = b + n;
        const float *b2 = b1 + n;
        const float *b3 = b2 + n;
        float a0 = a[k];
        float a1 = a[k + 1];
        float a2 = a[k + 2];
        float a3 = a[k + 3];
        for (int32_t j = 0; j < n; j++) {
            row[j] += a0 * b[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
        }
    }
    for (; k < product->matmul.size.k; k++) {
        const float *b = product->matmul.b + (size_t)k * (size_t)n;
        for (int32_t j = 0; j < n; j++) {
            row[j] += a[k] * b[j];
        }
    }
}

FAST static bool rows_equal(const float *got, const float *want, int32_t count) {
    int32_t wrong = 0;
    for (int32_t j = 0; j < count; j++) {
        wrong += !(got[j] == want[j]);  // NaN is wrong, -0 is 0
    }
    return wrong == 0;
}

// Marks the wrong rows by computing each.
static uint64_t rows_compare(const struct matmul_launch *product, float *row, uint8_t *wrong_rows) {
    uint64_t count = 0;
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        exact_row(product, i, row);
        const float *got = product->matmul.c + (size_t)i * (size_t)product->matmul.size.n;
        wrong_rows[i] = !rows_equal(got, row, product->matmul.size.n);
        count += wrong_rows[i];
    }
    return count;
}

// What is known of a wrong C.
struct diagnosis {
    struct evidence evidence;
    struct error_sums sums;
    struct region wrong;
    uint64_t wrong_rows;     // how many of all rows
    uint8_t *wrong_columns;  // [N], of the rows that were looked at
    bool complete;           // every wrong row was looked at
};

static void diagnose_row(const struct matmul_launch *product, int32_t i, const float *want,
                         struct diagnosis *diagnosis) {
    const float *got = product->matmul.c + (size_t)i * (size_t)product->matmul.size.n;
    for (int32_t j = 0; j < product->matmul.size.n; j++) {
        evidence_add(&diagnosis->evidence, i, j, (int64_t)want[j]);
        error_sums_add(&diagnosis->sums, got[j], (double)want[j]);
        if (!(got[j] == want[j])) {
            region_add(&diagnosis->wrong, i, j);
            diagnosis->wrong_columns[j] = 1;
        }
    }
}

// Looks at every row, or in large products at some of the wrong ones, spread evenly.  `want` is C
// already; it becomes the whole exact product if every wrong row is looked at, because the other
// rows are right.
static void diagnose(const struct matmul_launch *product, const uint8_t *wrong_rows, float *want,
                     struct diagnosis *diagnosis) {
    bool all = size_multiply_adds(product->matmul.size) <= ORACLE_FULL_MAX;
    uint64_t row_work = (uint64_t)product->matmul.size.n * (uint64_t)product->matmul.size.k;
    bool all_wrong = diagnosis->wrong_rows <= ORACLE_WRONG_MAX / row_work;
    uint64_t step = all_wrong ? 1 : (diagnosis->wrong_rows + ORACLE_ROWS_MAX - 1) / ORACLE_ROWS_MAX;
    uint64_t seen = 0;
    diagnosis->complete = all || step <= 1;
    evidence_init(&diagnosis->evidence, &product->matmul, diagnosis->complete ? want : NULL,
                  product->key);
    for (int32_t i = 0; i < product->matmul.size.m; i++) {
        bool chosen = all || (wrong_rows[i] && seen % step == 0);
        seen += wrong_rows[i];
        if (chosen) {
            float *row = want + (size_t)i * (size_t)product->matmul.size.n;
            exact_row(product, i, row);
            diagnose_row(product, i, row, diagnosis);
        }
    }
}

// Fewer bits are seen all over C; errors in few rows or columns have another cause.
static bool exact_is_low_precision(const struct matmul_launch *product,
                                   const struct diagnosis *diagnosis) {
    uint64_t wrong_columns = 0;
    for (int32_t j = 0; j < product->matmul.size.n; j++) {
        wrong_columns += diagnosis->wrong_columns[j];
    }
    return 4 * diagnosis->wrong_rows >= 3 * (uint64_t)product->matmul.size.m &&
           4 * wrong_columns >= 3 * (uint64_t)product->matmul.size.n &&
           precision_is_low(&diagnosis->evidence, &diagnosis->sums);
}

static void exact_report_write(const struct matmul_launch *product,
                               const struct diagnosis *diagnosis, struct oracle_report *report) {
    const struct matmul_element *first = &diagnosis->evidence.wrong.list[0];
    char got[NUMBER_TEXT_MAX];
    char where[REGION_TEXT_MAX];
    report->row = first->row;
    report->column = first->column;
    report->got = first->got;
    report->want = (double)first->want;
    report->wrong_count = diagnosis->complete ? diagnosis->wrong.count : 0;
    number_text((double)first->got, got);
    if (diagnosis->complete) {
        region_text(&diagnosis->wrong, product->matmul.size, where);
    } else {
        words_write(where, sizeof where, _("%" PRIu64 " of %d rows"), diagnosis->wrong_rows,
                    product->matmul.size.m);
    }
    report->verdict = VERDICT_WRONG_RESULT;
    report->explained = explain_evidence(&diagnosis->evidence, report->cause, sizeof report->cause);
    if (report->explained == EXPLAINED_NOTHING && exact_is_low_precision(product, diagnosis)) {
        report->verdict = VERDICT_LOW_PRECISION;
        report->explained = EXPLAINED_ALL_TERMS;
        (void)snprintf(report->cause, sizeof report->cause, "%s",
                       precision_text(&diagnosis->evidence, product->precision));
    }
    words_write(report->evidence, sizeof report->evidence,
                _("C[%d][%d] is %s and should be %" PRId64 " (wrong: %s)."), first->row,
                first->column, got, first->want, where);
}

enum status oracle_exact(const struct matmul_launch *product, struct oracle_report *ret_report,
                         struct error *err) {
    enum status status = STATUS_OK;
    float *row = calloc((size_t)product->matmul.size.n, sizeof *row);
    uint8_t *wrong_rows = calloc((size_t)product->matmul.size.m, sizeof *wrong_rows);
    float *want = NULL;
    struct diagnosis diagnosis = {.wrong_rows = 0};
    diagnosis.wrong_columns = calloc((size_t)product->matmul.size.n, 1);
    if (!row || !wrong_rows || !diagnosis.wrong_columns) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to check a product");
        goto out;
    }
    if (size_multiply_adds(product->matmul.size) <= ORACLE_FULL_MAX) {
        diagnosis.wrong_rows = rows_compare(product, row, wrong_rows);
    } else {
        status =
            freivalds_check(product->key, &product->matmul, wrong_rows, &diagnosis.wrong_rows, err);
        if (status) {
            goto out;
        }
    }
    if (diagnosis.wrong_rows == 0) {
        ret_report->verdict = VERDICT_PASS;
        goto out;
    }
    want = malloc(size_elements_c(product->matmul.size) * sizeof *want);
    if (!want) {
        status = fail(err, STATUS_NO_MEMORY, "no memory to check a product");
        goto out;
    }
    memcpy(want, product->matmul.c, size_elements_c(product->matmul.size) * sizeof *want);
    diagnose(product, wrong_rows, want, &diagnosis);
    exact_report_write(product, &diagnosis, ret_report);

out:
    free(want);
    free(diagnosis.wrong_columns);
    free(wrong_rows);
    free(row);
    return status;
}
