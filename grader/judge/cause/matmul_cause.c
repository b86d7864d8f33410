// Explains wrong elements of a matmul of exact inputs: hypotheses are tested on samples first, then
// on all elements. Tried in this order: NaN, values that were never set, terms, elements, factors.
#include "judge/cause/matmul_cause.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/model/inputs.h"

#define BITS_OF_A_TERM 11
#define BITS_OF_SAFETY 6

static void list_put(struct element_list *list, int at, struct matmul_element element,
                     uint64_t number) {
    list->list[at] = element;
    list->number[at] = number;
}

// Keeps the first element and those with the smallest numbers among the others.
static void list_add(struct element_list *list, struct matmul_element element, uint64_t number) {
    list->added++;
    if (list->count < EVIDENCE_MAX) {
        list_put(list, list->count++, element, number);
        return;
    }
    int largest = 1;
    for (int i = 2; i < EVIDENCE_MAX; i++) {
        largest = list->number[i] > list->number[largest] ? i : largest;
    }
    if (number < list->number[largest]) {
        list_put(list, largest, element, number);
    }
}

void evidence_init(struct evidence *evidence, const struct matmul *matmul, const float *want,
                   struct random_key key) {
    memset(evidence, 0, sizeof *evidence);
    evidence->size = matmul->size;
    evidence->a = matmul->a;
    evidence->b = matmul->b;
    evidence->c = matmul->c;
    evidence->want = want;
    evidence->key = key;
}

static struct matmul_element element_at(const struct evidence *evidence, int32_t row,
                                        int32_t column, int64_t want) {
    float got = evidence->c[(size_t)row * (size_t)evidence->size.n + (size_t)column];
    return (struct matmul_element){.row = row,
                                   .column = column,
                                   .got = got,
                                   .want = want,
                                   .integral = fabsf(got) < 0x1p53f && truncf(got) == got};
}

void evidence_add(struct evidence *evidence, int32_t row, int32_t column, int64_t want) {
    struct matmul_element element = element_at(evidence, row, column, want);
    uint64_t index = (uint64_t)row * (uint64_t)evidence->size.n + (uint64_t)column;
    list_add(element.got == (float)want ? &evidence->right : &evidence->wrong, element,
             random_at(evidence->key, index));
}

int64_t evidence_want(const struct evidence *evidence, int64_t row, int64_t column) {
    return (int64_t)evidence->want[row * evidence->size.n + column];
}

static bool test_all(const struct evidence *evidence, bool wrong, element_test test,
                     const void *hypothesis) {
    const struct element_list *list = wrong ? &evidence->wrong : &evidence->right;
    for (int i = 0; i < list->count; i++) {
        if (!test(evidence, &list->list[i], hypothesis)) {
            return false;
        }
    }
    if (list->added == (uint64_t)list->count) {
        return true;
    }
    for (int32_t row = 0; row < evidence->size.m; row++) {
        for (int32_t column = 0; column < evidence->size.n; column++) {
            struct matmul_element element =
                element_at(evidence, row, column, evidence_want(evidence, row, column));
            if (!(element.got == (float)element.want) == wrong &&
                !test(evidence, &element, hypothesis)) {
                return false;
            }
        }
    }
    return true;
}

bool evidence_all_wrong(const struct evidence *evidence, element_test test,
                        const void *hypothesis) {
    return test_all(evidence, true, test, hypothesis);
}

bool evidence_all_right(const struct evidence *evidence, element_test test,
                        const void *hypothesis) {
    return test_all(evidence, false, test, hypothesis);
}

bool evidence_is_enough(const struct evidence *evidence, int elements, uint64_t hypotheses) {
    int bits = elements * BITS_OF_A_TERM - BITS_OF_SAFETY;
    return evidence->size.k > 1 && bits >= 0 && (bits >= 63 || hypotheses <= UINT64_C(1) << bits);
}

int32_t evidence_dimension(struct size size, char letter) {
    return letter == 'M' ? size.m : letter == 'N' ? size.n : size.k;
}

bool evidence_names(struct size size, char letter) {
    int32_t value = evidence_dimension(size, letter);
    for (const char *other = "MNK"; *other; other++) {
        if (*other != letter && abs(evidence_dimension(size, *other) - value) <= 1) {
            return false;
        }
    }
    return value > 1;
}

// This many equal offsets cannot be rounding errors that happen to be equal.
#define OFFSET_ELEMENTS_MIN 16

static const int32_t element_tiles[] = {2, 4, 8, 16, 32};
static const int32_t shifts[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64};

#define RIVALS 64  // hypotheses tried here, about

struct element_place {
    int64_t row, column;
};

// The element whose value C[row][column] would have.
enum map {
    MAP_TRANSPOSED,
    MAP_COLUMN_BY_COLUMN,
    MAP_ROWS_OF_M,
    MAP_ROWS_OF_K,
    MAP_TURNED_TILES,  // by: the tile's edge
    MAP_ROW_SHIFT,     // by: the distance
    MAP_COLUMN_SHIFT,
};

static struct element_place map_place(enum map map, int32_t by, struct size size,
                                      const struct matmul_element *element) {
    int64_t linear = (int64_t)element->row * size.n + element->column;
    switch (map) {
    case MAP_TRANSPOSED:
        return (struct element_place){element->column, element->row};
    case MAP_COLUMN_BY_COLUMN:
        return (struct element_place){linear % size.m, linear / size.m};
    case MAP_ROWS_OF_M:
        return (struct element_place){linear / size.m, linear % size.m};
    case MAP_ROWS_OF_K:
        return (struct element_place){linear / size.k, linear % size.k};
    case MAP_TURNED_TILES:
        return (struct element_place){element->row - element->row % by + element->column % by,
                                      element->column - element->column % by + element->row % by};
    case MAP_ROW_SHIFT:
        return (struct element_place){element->row + by, element->column};
    case MAP_COLUMN_SHIFT:
        return (struct element_place){element->row, element->column + by};
    }
    return (struct element_place){-1, -1};
}

static bool place_is_inside(struct element_place place, struct size size) {
    return place.row >= 0 && place.row < size.m && place.column >= 0 && place.column < size.n;
}

struct mapping {
    enum map map;
    int32_t by;
};

// True if the element holds the value of the mapped place, which must be inside of C.  Only an
// element transposed in a tile at the edge may come from outside C; its value is the sum of zeros.
static bool mapping_fits(const struct evidence *evidence, const struct matmul_element *element,
                         const void *hypothesis) {
    const struct mapping *mapping = hypothesis;
    struct element_place place = map_place(mapping->map, mapping->by, evidence->size, element);
    if (mapping->map == MAP_TURNED_TILES && !place_is_inside(place, evidence->size)) {
        return element->got == 0;
    }
    return place_is_inside(place, evidence->size) &&
           (double)evidence_want(evidence, place.row, place.column) == (double)element->got;
}

// Tests all wrong elements; says in *ret_everywhere whether all right ones fit too.
static bool map_fits(const struct evidence *evidence, enum map map, int32_t by,
                     bool *ret_everywhere) {
    const struct mapping mapping = {map, by};
    if (!evidence_all_wrong(evidence, mapping_fits, &mapping)) {
        return false;
    }
    *ret_everywhere = evidence_all_right(evidence, mapping_fits, &mapping);
    int inside = 0;
    for (int i = 0; i < evidence->wrong.count; i++) {
        inside += place_is_inside(map_place(map, by, evidence->size, &evidence->wrong.list[i]),
                                  evidence->size);
    }
    // One more element if only a part of C is concerned.
    int needed = inside - (*ret_everywhere ? 0 : 1);
    return needed > 0 && evidence_is_enough(evidence, needed, RIVALS);
}

static void place_name(enum map map, int32_t by, struct size size, char *text, size_t text_bytes) {
    char sign = by < 0 ? '-' : '+';
    switch (map) {
    case MAP_TRANSPOSED:
        words_write(text, text_bytes, _("C[j][i]: row and column are exchanged"));
        break;
    case MAP_COLUMN_BY_COLUMN:
        words_write(text, text_bytes,
                    _("another place: C is written column by column, but stored row by row"));
        break;
    case MAP_ROWS_OF_M:
        words_write(text, text_bytes,
                    _("another place: C is written with rows of M elements, but they have N"));
        break;
    case MAP_ROWS_OF_K:
        words_write(text, text_bytes,
                    _("another place: C is written with rows of K elements, but they have N"));
        break;
    case MAP_TURNED_TILES:
        if (size.m <= by && size.n <= by) {  // so they may be larger
            words_write(text, text_bytes,
                        _("another place: row and column are exchanged in a tile of C"));
            break;
        }
        words_write(text, text_bytes,
                    _("another place: row and column are exchanged in each %d x %d of C"), by, by);
        break;
    case MAP_ROW_SHIFT:
        (void)snprintf(text, text_bytes, "C[i %c %d][j]", sign, abs(by));
        break;
    case MAP_COLUMN_SHIFT:
        (void)snprintf(text, text_bytes, "C[i][j %c %d]", sign, abs(by));
        break;
    }
}

static bool map_explains(const struct evidence *evidence, enum map map, int32_t by, char *text,
                         size_t text_bytes, bool *ret_everywhere) {
    char name[160];
    if (!map_fits(evidence, map, by, ret_everywhere)) {
        return false;
    }
    place_name(map, by, evidence->size, name, sizeof name);
    words_write(text, text_bytes,
                *ret_everywhere ? _("C[i][j] holds the value that belongs to %s.")
                                : _("Each wrong C[i][j] holds the value that belongs to %s."),
                name);
    return true;
}

static bool offset_fits(const struct evidence *evidence, const struct matmul_element *element,
                        const void *hypothesis) {
    const double *offset = hypothesis;
    (void)evidence;
    return (double)element->got - (double)element->want == *offset;
}

// got = want + the same number, in all of C.
static bool offset_explains(const struct evidence *evidence, char *text, size_t text_bytes) {
    const struct element_list *wrong = &evidence->wrong;
    double offset = (double)wrong->list[0].got - (double)wrong->list[0].want;
    if (evidence->right.added > 0 || wrong->count < OFFSET_ELEMENTS_MIN ||
        !evidence_all_wrong(evidence, offset_fits, &offset)) {
        return false;
    }
    words_write(
        text, text_bytes,
        offset > 0
            ? _("Every element is too large by the same %.0f: the sum does not start at 0, or "
                "something else is added to it.")
            : _("Every element is too small by the same %.0f: the sum does not start at 0, or "
                "something else is added to it."),
        fabs(offset));
    return true;
}

static bool factor_fits(const struct evidence *evidence, const struct matmul_element *element,
                        const void *hypothesis) {
    const int64_t *factor = hypothesis;
    (void)evidence;
    return element->want != 0 && (double)element->got == (double)*factor * (double)element->want;
}

// got = factor * want.
static bool factor_explains(const struct evidence *evidence, char *text, size_t text_bytes) {
    const struct matmul_element *first = &evidence->wrong.list[0];
    int64_t factor = first->want == 0 ? 0 : (int64_t)first->got / first->want;
    if ((factor != -1 && factor < 2) || !evidence_all_wrong(evidence, factor_fits, &factor) ||
        !evidence_is_enough(evidence, evidence->wrong.count, RIVALS)) {
        return false;
    }
    if (factor == -1) {
        words_write(text, text_bytes, _("The sum has the wrong sign."));
    } else {
        words_write(text, text_bytes, _("Every term is in the sum %" PRId64 " times."), factor);
    }
    return true;
}

// got = want + what another element holds: the sum went on where that one's ended.
static bool carried(const struct evidence *evidence, const struct matmul_element *element,
                    const void *hypothesis) {
    const struct element_place *from = hypothesis;
    struct element_place place = {element->row - from->row, element->column - from->column};
    return place_is_inside(place, evidence->size) &&
           (double)element->got - (double)element->want ==
               (double)evidence->c[place.row * evidence->size.n + place.column];
}

static bool carry_fits(const struct evidence *evidence, int32_t rows, int32_t columns) {
    const struct element_place from = {rows, columns};
    return evidence_all_wrong(evidence, carried, &from) &&
           evidence_is_enough(evidence, evidence->wrong.count, RIVALS);
}

static bool carry_explains(const struct evidence *evidence, char *text, size_t text_bytes) {
    for (int s = 0; s < (int)COUNT(shifts); s++) {
        char sign = shifts[s] < 0 ? '+' : '-';
        if (carry_fits(evidence, 0, shifts[s])) {
            words_write(
                text, text_bytes,
                _("C[i][j] also holds the sum of C[i][j %c %d]: its sum does not start at 0."),
                sign, abs(shifts[s]));
            return true;
        }
        if (carry_fits(evidence, shifts[s], 0)) {
            words_write(
                text, text_bytes,
                _("C[i][j] also holds the sum of C[i %c %d][j]: its sum does not start at 0."),
                sign, abs(shifts[s]));
            return true;
        }
    }
    return false;
}

// The value of another element of C.
static bool maps_explain(const struct evidence *evidence, char *text, size_t text_bytes,
                         bool *ret_everywhere) {
    for (enum map map = MAP_TRANSPOSED; map <= MAP_ROWS_OF_K; map++) {
        bool told = (map != MAP_ROWS_OF_M || evidence_names(evidence->size, 'M')) &&
                    (map != MAP_ROWS_OF_K || evidence_names(evidence->size, 'K'));
        if (told && map_explains(evidence, map, 0, text, text_bytes, ret_everywhere)) {
            return true;
        }
    }
    for (int t = 0; t < (int)COUNT(element_tiles); t++) {
        if (map_explains(evidence, MAP_TURNED_TILES, element_tiles[t], text, text_bytes,
                         ret_everywhere)) {
            return true;
        }
    }
    for (int s = 0; s < (int)COUNT(shifts); s++) {
        if (map_explains(evidence, MAP_ROW_SHIFT, shifts[s], text, text_bytes, ret_everywhere) ||
            map_explains(evidence, MAP_COLUMN_SHIFT, shifts[s], text, text_bytes, ret_everywhere)) {
            return true;
        }
    }
    return false;
}

bool explain_by_elements(const struct evidence *evidence, char *text, size_t text_bytes,
                         bool *ret_everywhere) {
    if (maps_explain(evidence, text, text_bytes, ret_everywhere)) {
        return true;
    }
    *ret_everywhere = true;  // what follows concerns sums, not places
    return factor_explains(evidence, text, text_bytes) ||
           carry_explains(evidence, text, text_bytes) ||
           offset_explains(evidence, text, text_bytes);
}

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

// Far above every sum of exact inputs, and below what the CPU device puts into a variable that has
// no value (FLAGS_PATTERN in device/compile/build_plan.c: -1.69e38).
#define UNSET_LEAST 1e30f

#define EXPLANATION_MAX 400  // bytes of one, with the final NUL

const char *explain_nan_text(bool old_value) {
    return old_value
               ? _("The old value of C went into the sum; C holds nothing useful on entry.")
               : _("A and B hold no NaN: a value that was never set went into the sum, or one "
                   "from outside of A and B.");
}

static bool element_is_nan(const struct evidence *evidence, const struct matmul_element *element,
                           const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return isnan(element->got);
}

static bool element_is_poison(const struct evidence *evidence, const struct matmul_element *element,
                              const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return poison_was_read(element->got);
}

bool explain_is_unset(float got) {
    return isnan(got) || fabsf(got) >= UNSET_LEAST;
}

static bool element_is_unset(const struct evidence *evidence, const struct matmul_element *element,
                             const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return fabsf(element->got) >= UNSET_LEAST;
}

static bool element_is_integral(const struct evidence *evidence,
                                const struct matmul_element *element, const void *hypothesis) {
    (void)evidence, (void)hypothesis;
    return element->integral;
}

// Explains the NaN elements; false if some wrong elements are not NaN.
static bool explain_nan(const struct evidence *evidence, char *text, size_t text_bytes) {
    if (!evidence_all_wrong(evidence, element_is_nan, NULL)) {
        return false;
    }
    words_write(text, text_bytes, "%s",
                explain_nan_text(evidence_all_wrong(evidence, element_is_poison, NULL)));
    return true;
}

// True if all wrong elements are larger than any product; what this says holds for garbage too.
static bool explain_unset(const struct evidence *evidence, char *text, size_t text_bytes) {
    if (!evidence_all_wrong(evidence, element_is_unset, NULL)) {
        return false;
    }
    words_write(text, text_bytes,
                _("No product of A and B is that large: a variable or an array was read before it "
                  "had a value."));
    return true;
}

// Elements of other places, then other factors, then whole rows and columns of others.  Where only
// the wrong elements agree with other places, a formula that agrees with all of C says more.
static enum explained explain_places(const struct evidence *evidence, char *text,
                                     size_t text_bytes) {
    char formula[EXPLANATION_MAX];
    bool everywhere = false;
    bool by_elements = explain_by_elements(evidence, text, text_bytes, &everywhere);
    if (by_elements && everywhere) {
        return EXPLAINED_PLACES;
    }
    enum explained explained = explain_by_factors(evidence, by_elements, formula, sizeof formula);
    if (explained != EXPLAINED_NOTHING) {
        (void)snprintf(text, text_bytes, "%s", formula);
        return explained;
    }
    return by_elements ? EXPLAINED_PLACES : explain_by_lines(evidence, text, text_bytes);
}

enum explained explain_evidence(const struct evidence *evidence, char *text, size_t text_bytes) {
    text[0] = '\0';
    if (evidence->wrong.count == 0 || !evidence->want) {
        return EXPLAINED_NOTHING;
    }
    if (explain_nan(evidence, text, text_bytes) || explain_unset(evidence, text, text_bytes)) {
        return EXPLAINED_ALL_TERMS;
    }
    if (!evidence_all_wrong(evidence, element_is_integral, NULL)) {
        return EXPLAINED_NOTHING;  // no sum of whole numbers
    }
    enum explained explained = explain_by_runs(evidence, text, text_bytes);
    if (explained == EXPLAINED_NOTHING) {
        explained = explain_places(evidence, text, text_bytes);
    }
    if (explained == EXPLAINED_NOTHING) {
        text[0] = '\0';
    }
    return explained;
}
