// Does each wrong row of C hold what belongs to another row, or each wrong column?  That is what a
// wrong index of a row leaves, whatever formula it has.
#include "base/compose.h"
#include "judge/explain/evidence.h"

#define LINES_WORK_MAX       (50ull * 1000 * 1000)  // elements compared, some 50 ms
#define LINES_BITS_OF_A_TERM 11
#define LINES_BITS_OF_SAFETY 6

// C seen by rows, or by columns.
struct view {
    const struct evidence *evidence;
    bool by_rows;
    int32_t lines, length;  // how many lines there are, and how many elements each has
};

static size_t index_of(const struct view *view, int32_t line, int32_t place) {
    size_t n = (size_t)view->evidence->size.n;
    return view->by_rows ? (size_t)line * n + (size_t)place : (size_t)place * n + (size_t)line;
}

// True if all of the line holds what belongs to line `from`.
static bool line_holds(const struct view *view, int32_t line, int32_t from) {
    for (int32_t i = 0; i < view->length; i++) {
        if (view->evidence->c[index_of(view, line, i)] !=
            view->evidence->want[index_of(view, from, i)]) {
            return false;
        }
    }
    return true;
}

// The one other line whose values this line holds; -1 if none fits, or several do.
static int32_t source_of(const struct view *view, int32_t line) {
    int32_t source = -1;
    for (int32_t from = 0; from < view->lines; from++) {
        if (from != line && line_holds(view, line, from)) {
            if (source >= 0) {
                return -1;
            }
            source = from;
        }
    }
    return source;
}

// Each line picks one of all lines, and must agree with it in more bits than that takes.
static bool is_more_than_chance(const struct view *view) {
    int choice_bits = 0;
    while ((int64_t)1 << choice_bits < view->lines) {
        choice_bits++;
    }
    return view->evidence->size.k > 1 &&
           (int64_t)view->length * LINES_BITS_OF_A_TERM >= choice_bits + LINES_BITS_OF_SAFETY;
}

static bool view_explains(const struct view *view, char *text, size_t text_bytes) {
    int32_t first = -1;
    int32_t first_source = -1;
    int wrong = 0;
    if (!is_more_than_chance(view)) {
        return false;
    }
    for (int32_t line = 0; line < view->lines; line++) {
        if (line_holds(view, line, line)) {
            continue;
        }
        int32_t source = source_of(view, line);
        if (source < 0) {
            return false;
        }
        first_source = wrong == 0 ? source : first_source;
        first = wrong == 0 ? line : first;
        wrong++;
    }
    if (wrong == 0) {
        return false;
    }
    if (wrong == 1) {
        words_write(text, text_bytes,
                    view->by_rows ? _("Row %d of C holds the values that belong to row %d.")
                                  : _("Column %d of C holds the values that belong to column "
                                      "%d."),
                    first, first_source);
    } else {
        words_write(text, text_bytes,
                    view->by_rows
                        ? _("Each wrong row of C holds the values of another row, as row %d "
                            "those that belong to row %d.")
                        : _("Each wrong column of C holds the values of another column, as "
                            "column %d those that belong to column %d."),
                    first, first_source);
    }
    return true;
}

enum explained explain_by_lines(const struct evidence *evidence, char *text, size_t text_bytes) {
    const struct size size = evidence->size;
    const struct view rows = {evidence, true, size.m, size.n};
    const struct view columns = {evidence, false, size.n, size.m};
    uint64_t elements = (uint64_t)size.m * (uint64_t)size.n;
    if (elements * (uint64_t)(size.m > size.n ? size.m : size.n) > LINES_WORK_MAX) {
        return EXPLAINED_NOTHING;
    }
    return view_explains(&rows, text, text_bytes) || view_explains(&columns, text, text_bytes)
               ? EXPLAINED_TERMS  // rows of A that were never read say more
               : EXPLAINED_NOTHING;
}
