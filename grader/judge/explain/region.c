// Rectangles of elements, named the way a student thinks of them.
#include "judge/explain/region.h"

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
        words_write(text, REGION_TEXT_MAX, _("this element alone"));
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
