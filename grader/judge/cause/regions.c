// Rectangles of elements and gaps of a coverage map in words, named as a student thinks of them:
// whole rows and columns first, because mistakes often concern these.
#include "judge/cause/regions.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/compose.h"

void region_add(struct region *region, int32_t row, int32_t column) {
    if (region->count == 0) {
        *region = (struct region){0, row, row, column, column};
    }
    region->count++;
    region->row_first = row < region->row_first ? row : region->row_first;
    region->row_last = row > region->row_last ? row : region->row_last;
    region->column_first = column < region->column_first ? column : region->column_first;
    region->column_last = column > region->column_last ? column : region->column_last;
}

// "row 3" or "rows 3 to 5".
static void lines_text(bool rows, int32_t first, int32_t last, char text[REGION_TEXT_MAX]) {
    if (first == last) {
        words_write(text, REGION_TEXT_MAX, rows ? _("row %d") : _("column %d"), first);
    } else {
        words_write(text, REGION_TEXT_MAX, rows ? _("rows %d to %d") : _("columns %d to %d"), first,
                    last);
    }
}

void region_text(const struct region *region, struct size size, char text[REGION_TEXT_MAX]) {
    int32_t rows = region->row_last - region->row_first + 1;
    int32_t columns = region->column_last - region->column_first + 1;
    bool full = region->count == (uint64_t)rows * (uint64_t)columns;
    if (region->count == size_elements_c(size)) {
        words_write(text, REGION_TEXT_MAX, _("all of C"));
    } else if (region->count == 1 && size.m > 1 && size.n > 1) {
        words_write(text, REGION_TEXT_MAX, _("only this element"));
    } else if (full && columns == size.n) {
        lines_text(true, region->row_first, region->row_last, text);
    } else if (full && rows == size.m) {
        lines_text(false, region->column_first, region->column_last, text);
    } else if (full) {
        (void)snprintf(text, REGION_TEXT_MAX, "C[%d..%d][%d..%d]", region->row_first,
                       region->row_last, region->column_first, region->column_last);
    } else {
        words_write(text, REGION_TEXT_MAX, _("%" PRIu64 " of %zu elements"), region->count,
                    size_elements_c(size));
    }
}

#define PART_TEXT_MAX 192

// One array: its gap, and the lengths of its rows and columns.
struct matrix_part {
    const struct coverage_gap *gap;
    const char *name;
    uint64_t rows, columns;
};

static struct matrix_part part_of(const struct coverage_gap *gap, enum global_array array,
                                  struct size size) {
    static const char *const names[MATRIX_COUNT] = {
        [ARRAY_A] = "A", [ARRAY_B] = "B", [ARRAY_C] = "C"};
    return (struct matrix_part){.gap = gap,
                                .name = names[array],
                                .rows = (uint64_t)(array == ARRAY_B ? size.k : size.m),
                                .columns = (uint64_t)(array == ARRAY_A ? size.k : size.n)};
}

static bool is_whole(const struct matrix_part *part) {
    return part->gap->missing == part->rows * part->columns;
}

// "row 3", "rows 3..5", or "4 of 9 rows" if there are others between them.
static void gap_lines_text(bool rows, const uint32_t ends[2], uint32_t count, uint64_t all,
                           char text[PART_TEXT_MAX]) {
    if (count == 1) {
        words_write(text, PART_TEXT_MAX, rows ? _("row %" PRIu32) : _("column %" PRIu32), ends[0]);
    } else if (count == ends[1] - ends[0] + 1) {
        words_write(text, PART_TEXT_MAX,
                    rows ? _("rows %" PRIu32 "..%" PRIu32) : _("columns %" PRIu32 "..%" PRIu32),
                    ends[0], ends[1]);
    } else {
        words_write(text, PART_TEXT_MAX,
                    rows ? _("%" PRIu32 " of %" PRIu64 " rows")
                         : _("%" PRIu32 " of %" PRIu64 " columns"),
                    count, all);
    }
}

// "rows 3..5 and column 7", if nothing else is missing.  False if other elements are missing too.
static bool whole_lines_text(const struct matrix_part *part, char text[PART_TEXT_MAX]) {
    const struct coverage_gap *gap = part->gap;
    char rows[PART_TEXT_MAX] = "";
    char columns[PART_TEXT_MAX] = "";
    uint64_t whole = gap->row_count * part->columns + gap->column_count * part->rows -
                     (uint64_t)gap->row_count * gap->column_count;
    if (gap->missing != whole) {
        return false;
    }
    if (gap->row_count > 0) {
        gap_lines_text(true, gap->rows, gap->row_count, part->rows, rows);
    }
    if (gap->column_count > 0) {
        gap_lines_text(false, gap->columns, gap->column_count, part->columns, columns);
    }
    if (rows[0] != '\0' && columns[0] != '\0') {
        words_write(text, PART_TEXT_MAX, _("%s and %s of %s"), rows, columns, part->name);
    } else {
        words_write(text, PART_TEXT_MAX, C_("part", "%s of %s"), rows[0] != '\0' ? rows : columns,
                    part->name);
    }
    return true;
}

// "3", or "3..5".
static void range_text(uint32_t first, uint32_t last, char text[32]) {
    if (first == last) {
        (void)snprintf(text, 32, "%" PRIu32, first);
    } else {
        (void)snprintf(text, 32, "%" PRIu32 "..%" PRIu32, first, last);
    }
}

// "A[0..15][48..49]", or "4 of 9 elements"; true if the text is a plural.
static bool elements_text(const struct matrix_part *part, char text[PART_TEXT_MAX]) {
    const struct coverage_gap *gap = part->gap;
    char rows[32];
    char columns[32];
    uint64_t box =
        (uint64_t)(gap->last[0] - gap->first[0] + 1) * (gap->last[1] - gap->first[1] + 1);
    if (gap->missing == box) {
        range_text(gap->first[0], gap->last[0], rows);
        range_text(gap->first[1], gap->last[1], columns);
        (void)snprintf(text, PART_TEXT_MAX, "%s[%s][%s]", part->name, rows, columns);
        return false;
    }
    words_write(text, PART_TEXT_MAX, _("%" PRIu64 " of %" PRIu64 " elements of %s"), gap->missing,
                part->rows * part->columns, part->name);
    return true;
}

// Names the missing elements; *ret_plural: the text is a plural.
static void part_text(const struct matrix_part *part, char text[PART_TEXT_MAX], bool *ret_plural) {
    const struct coverage_gap *gap = part->gap;
    if (is_whole(part)) {
        (void)snprintf(text, PART_TEXT_MAX, "%s", part->name);
        *ret_plural = false;
    } else if (whole_lines_text(part, text)) {
        *ret_plural = gap->row_count + gap->column_count > 1;
    } else {
        *ret_plural = elements_text(part, text);
    }
}

enum explained explain_unread(const struct coverage *coverage, struct size size,
                              char text[COVERAGE_TEXT_MAX]) {
    const struct matrix_part a = part_of(&coverage->gap[ARRAY_A], ARRAY_A, size);
    const struct matrix_part b = part_of(&coverage->gap[ARRAY_B], ARRAY_B, size);
    char of_a[PART_TEXT_MAX] = "";
    char of_b[PART_TEXT_MAX] = "";
    bool a_plural = false;
    bool b_plural = false;
    text[0] = '\0';
    if (a.gap->missing > 0) {
        part_text(&a, of_a, &a_plural);
    }
    if (b.gap->missing > 0) {
        part_text(&b, of_b, &b_plural);
    }
    if (of_a[0] == '\0' && of_b[0] == '\0') {
        return EXPLAINED_NOTHING;
    }
    bool has_both = of_a[0] != '\0' && of_b[0] != '\0';
    if (has_both && is_whole(&a) && is_whole(&b)) {
        words_write(text, COVERAGE_TEXT_MAX, _("A and B are never read."));
    } else if (has_both) {
        words_write(text, COVERAGE_TEXT_MAX,
                    a_plural ? _("%s are never read (and %s).") : _("%s is never read (and %s)."),
                    of_a, of_b);
    } else {
        bool plural = a_plural || b_plural;
        words_write(text, COVERAGE_TEXT_MAX,
                    plural ? _("%s are never read.") : _("%s is never read."),
                    of_a[0] != '\0' ? of_a : of_b);
    }
    words_capitalize(text);
    return is_whole(&a) || is_whole(&b) ? EXPLAINED_ALL_TERMS : EXPLAINED_TERMS;
}

enum explained explain_unwritten(const struct coverage_gap *gap, struct size size,
                                 char text[COVERAGE_TEXT_MAX]) {
    const struct matrix_part c = part_of(gap, ARRAY_C, size);
    char of_c[PART_TEXT_MAX];
    bool plural = false;
    text[0] = '\0';
    if (gap->missing == 0) {
        return EXPLAINED_NOTHING;
    }
    part_text(&c, of_c, &plural);
    words_write(text, COVERAGE_TEXT_MAX,
                plural ? _("%s are never written.") : _("%s is never written."), of_c);
    words_capitalize(text);
    return is_whole(&c) ? EXPLAINED_ALL_TERMS : EXPLAINED_TERMS;
}
