// Names the wrong elements of an output by the simplest description that fits exactly.
#include <inttypes.h>
#include <stdio.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/cause/output_seen.h"

// Elements [first, last] of rows or columns.
struct span {
    uint64_t first, last;
};

static const uint64_t blocks[] = {32, 64, 128, 256, 512, 1024, 16, 8, 4, 2};

void seen_place(const struct output_seen *seen, uint64_t element, char *text, size_t bytes) {
    parameter_place(seen->signature, seen->declared, seen->size, element, text, bytes);
}

void seen_init(struct output_seen *seen, const struct signature *signature, struct size size,
               int parameter, const void *values) {
    const struct parameter *declared = &signature->parameter[parameter];
    *seen = (struct output_seen){
        .signature = signature,
        .size = size,
        .parameter = parameter,
        .declared = declared,
        .values = values,
        .elements = parameter_elements(signature, declared, size),
        .width = parameter_extent(signature, declared, declared->rank - 1, size),
    };
}

// Neighbours, without a gap.
static bool run_text(const struct output_seen *seen, char *text, size_t bytes) {
    char first[80];
    char last[80];
    seen_place(seen, seen->first, first, sizeof first);
    seen_place(seen, seen->last, last, sizeof last);
    if (seen->wrong != seen->last - seen->first + 1) {
        return false;
    }
    if (seen->wrong == 1) {
        words_write(text, bytes,
                    seen->first + 1 == seen->elements ? _("only the last element")
                    : seen->first == 0                ? _("only the first element")
                                                      : _("only this element"));
    } else if (seen->first == 0) {
        words_write(text, bytes, _("the first %" PRIu64 " elements"), seen->wrong);
    } else if (seen->last + 1 == seen->elements) {
        words_write(text, bytes, _("%s and all after it"), first);
    } else {
        words_write(text, bytes, _("%s to %s"), first, last);
    }
    return true;
}

// The rectangle around the wrong elements, if all in it are wrong.
static bool rectangle_text(const struct output_seen *seen, char *text, size_t bytes,
                           bool *ret_whole_rows) {
    uint64_t width = seen->width;
    struct span rows = {seen->first / width, seen->last / width};
    struct span columns = {width, 0};
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        if (seen_is_wrong(seen, e)) {
            uint64_t column = e % width;
            columns.first = column < columns.first ? column : columns.first;
            columns.last = column > columns.last ? column : columns.last;
        }
    }
    uint64_t count = (rows.last - rows.first + 1) * (columns.last - columns.first + 1);
    bool all_rows = rows.first == 0 && (rows.last + 1) * width == seen->elements;
    bool all_columns = columns.first == 0 && columns.last + 1 == width;
    if (seen->declared->rank < 2 || seen->wrong != count) {
        return false;
    }
    *ret_whole_rows = all_columns;
    if (all_columns) {
        words_write(text, bytes,
                    rows.first == rows.last ? _("row %" PRIu64) : _("rows %" PRIu64 " to %" PRIu64),
                    rows.first, rows.last);
    } else if (all_rows) {
        words_write(text, bytes,
                    columns.first == columns.last ? _("column %" PRIu64)
                                                  : _("columns %" PRIu64 " to %" PRIu64),
                    columns.first, columns.last);
    } else {
        words_write(text, bytes,
                    _("rows %" PRIu64 " to %" PRIu64 ", columns %" PRIu64 " to %" PRIu64),
                    rows.first, rows.last, columns.first, columns.last);
    }
    return true;
}

// All but a rectangle, as rows and columns at the edges.
static bool border_text(const struct output_seen *seen, char *text, size_t bytes,
                        bool *ret_whole_rows) {
    uint64_t width = seen->width;
    uint64_t height = seen->elements / width;
    struct span rows = {height, 0};
    struct span columns = {width, 0};
    for (uint64_t e = 0; e < seen->elements && seen->declared->rank == 2; e++) {
        if (!seen_is_wrong(seen, e)) {
            rows.first = e / width < rows.first ? e / width : rows.first;
            rows.last = e / width;
            columns.first = e % width < columns.first ? e % width : columns.first;
            columns.last = e % width > columns.last ? e % width : columns.last;
        }
    }
    uint64_t inner_rows = rows.last - rows.first + 1;
    uint64_t inner_columns = columns.last - columns.first + 1;
    if (seen->declared->rank != 2 || rows.first == height ||
        seen->elements - seen->wrong != inner_rows * inner_columns) {
        return false;
    }
    uint64_t above = rows.first;
    uint64_t below = height - 1 - rows.last;
    uint64_t left = columns.first;
    uint64_t right = width - 1 - columns.last;
    if (above + left == 0 && below == 1 && right == 1) {
        words_write(text, bytes, _("the last row and the last column"));
    } else if (below + right == 0 && above == 1 && left == 1) {
        words_write(text, bytes, _("the first row and the first column"));
    } else if (above == 1 && below == 1 && left == 1 && right == 1) {
        words_write(text, bytes, _("the first and last row, and the first and last column"));
    } else if (left + right == 0) {
        words_write(text, bytes, _("all but rows %" PRIu64 " to %" PRIu64), rows.first, rows.last);
    } else if (above + below == 0) {
        words_write(text, bytes, _("all but columns %" PRIu64 " to %" PRIu64), columns.first,
                    columns.last);
    } else if (above < 2 || below < 2 || left < 2 || right < 2 || 2 * inner_rows < height ||
               2 * inner_columns < width) {
        words_write(text, bytes,
                    _("all but rows %" PRIu64 " to %" PRIu64 ", columns %" PRIu64 " to %" PRIu64),
                    rows.first, rows.last, columns.first, columns.last);
    } else {
        words_write(text, bytes,
                    _("the first %" PRIu64 " and the last %" PRIu64 " rows, and the first %" PRIu64
                      " and the last %" PRIu64 " columns"),
                    above, below, left, right);
    }
    *ret_whole_rows = left + right == 0;
    return true;
}

// The same places in each block of `block` elements, from some block on.
static bool block_fits(const struct output_seen *seen, uint64_t block, struct span *span) {
    *span = (struct span){seen->first % block, seen->first % block};
    while (span->last + 1 < block && seen->first - span->first + span->last + 1 < seen->elements &&
           seen_is_wrong(seen, seen->first - span->first + span->last + 1)) {
        span->last++;
    }
    for (uint64_t e = seen->first; e < seen->elements; e++) {
        bool inside = e % block >= span->first && e % block <= span->last;
        if (inside != seen_is_wrong(seen, e)) {
            return false;
        }
    }
    return seen->wrong > span->last - span->first + 1;  // in more than one block
}

static bool blocks_text(const struct output_seen *seen, char *text, size_t bytes) {
    for (size_t i = 0; i < COUNT(blocks); i++) {
        uint64_t block = blocks[i];
        struct span span;
        if (block >= seen->elements || !block_fits(seen, block, &span)) {
            continue;
        }
        bool one = span.first == span.last;
        if (one && span.last + 1 == block) {
            words_write(text, bytes, _("the last of each %" PRIu64 " elements"), block);
        } else if (one && span.first == 0) {
            words_write(text, bytes, _("the first of each %" PRIu64 " elements"), block);
        } else if (one) {
            words_write(text, bytes, _("number %" PRIu64 " of each %" PRIu64 " elements, from 0"),
                        span.first, block);
        } else {
            words_write(
                text, bytes,
                _("numbers %" PRIu64 " to %" PRIu64 " of each %" PRIu64 " elements, from 0"),
                span.first, span.last, block);
        }
        return true;
    }
    return false;
}

bool seen_where(const struct output_seen *seen, char *text, size_t bytes) {
    bool whole_rows = false;
    if (seen->sampled < seen->elements) {
        words_write(text, bytes, _("%" PRIu64 " of %" PRIu64 " sampled elements"), seen->wrong,
                    seen->sampled);
    } else if (seen->wrong == seen->elements && seen->elements > 1) {
        words_write(text, bytes, _("all of %s"), seen->declared->name);
    } else if (seen->elements == 1) {
        words_write(text, bytes, _("its only element"));
    } else if (run_text(seen, text, bytes)) {
        return false;
    } else if (rectangle_text(seen, text, bytes, &whole_rows) ||
               border_text(seen, text, bytes, &whole_rows) || blocks_text(seen, text, bytes)) {
        return !whole_rows;  // the values of a row may decide that
    } else {
        words_write(text, bytes, _("%" PRIu64 " of %" PRIu64 " elements"), seen->wrong,
                    seen->elements);
    }
    return false;
}
