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
static bool rectangle_text(const struct output_seen *seen, char *text, size_t bytes) {
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

void seen_where(const struct output_seen *seen, char *text, size_t bytes) {
    if (seen->sampled < seen->elements) {
        words_write(text, bytes, _("%" PRIu64 " of %" PRIu64 " sampled elements"), seen->wrong,
                    seen->sampled);
    } else if (seen->wrong == seen->elements && seen->elements > 1) {
        words_write(text, bytes, _("all of %s"), seen->declared->name);
    } else if (seen->elements == 1) {
        words_write(text, bytes, _("its only element"));
    } else if (!run_text(seen, text, bytes) && !rectangle_text(seen, text, bytes) &&
               !blocks_text(seen, text, bytes)) {
        words_write(text, bytes, _("%" PRIu64 " of %" PRIu64 " elements"), seen->wrong,
                    seen->elements);
    }
}
