// Finds what the wrong elements of an output hold instead: see output_seen.h.
//
// A hypothesis must hold for every wrong element, and there must be so many of these, with values
// so wide, that it does not hold by chance.  With inputs of one sign or one value, few hypotheses
// can be distinguished; then nothing is said.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/cause/output_seen.h"

#define FEW_BITS_OFF    8.0   // times all errors: rounding to 8 bits is less far off
#define CHANCE_BITS_MIN 16.0  // a hypothesis must be this much better than chance
// In C of a matmul, this many equal offsets are not rounding errors that happen to be equal.
#define OFFSET_ELEMENTS_MIN 16

// Far above every value of exact inputs, and below the number that the CPU device puts into an
// unset variable (FLAGS_PATTERN in device/compile/build_plan.c: -1.69e38).
#define UNSET_LEAST 1e30

// The whole number in an unset variable.
#define UNSET_WHOLE     0xfefefefeu
#define UNSET_TIMES_MAX 1024  // threads that may each have added theirs

// The value that a wrong element may hold.
enum value_source {
    SOURCE_SHIFTED,     // the value of another place of the output: by a distance
    SOURCE_REVERSED,    // the value of the mirrored place
    SOURCE_TRANSPOSED,  // the value of the place with row and column exchanged
    SOURCE_BY_COLUMNS,  // the value of its place if columns are stored one after the other
    SOURCE_ROWS,        // the value of its place if rows have `by` elements
    SOURCE_LOCAL,       // the value of the same place in the first block of `by` elements
    SOURCE_TILES,       // the value of the place with row and column exchanged in a tile, `by` wide
    SOURCE_INPUT,       // an element of an input of the same shape, at a distance
    SOURCE_BEFORE,      // the value in the output before the launch
    SOURCE_WINDOW,      // its value minus that of the place `by` before: a sum of `by` terms
    SOURCE_BLOCK,       // its value minus that of the last place of the previous block
    SOURCE_PLUS,        // its value plus the right value of the place `by` before
    SOURCE_PLUS_HELD    // its value plus the value found at the place `by` before
};

struct value_hypothesis {
    enum value_source source;
    int64_t by;
    int input;  // the parameter
};

static const int64_t distances[] = {1,   -1, 2,   -2,  4,    -4,  8,    -8,  16,   -16,  32,
                                    -32, 64, -64, 128, -128, 256, -256, 512, -512, 1024, -1024};
static const int64_t row_distances[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64};
static const int64_t lengths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
static const int64_t tile_edges[] = {2, 4, 8, 16, 32};

static bool is_inside(const struct output_seen *seen, int64_t place) {
    return place >= 0 && (uint64_t)place < seen->elements;
}

// The place in this row and column; -1 outside of the output.
static int64_t place_at(const struct output_seen *seen, int64_t row, int64_t column) {
    int64_t width = (int64_t)seen->width;
    return row >= 0 && column >= 0 && column < width ? row * width + column : -1;
}

// The place that a hypothesis refers to; it may be outside.
static int64_t place_of(const struct output_seen *seen, const struct value_hypothesis *hypothesis,
                        uint64_t element) {
    int64_t at = (int64_t)element;
    int64_t by = hypothesis->by;
    int64_t height = (int64_t)(seen->elements / seen->width);
    int64_t row = at / (int64_t)seen->width;
    int64_t column = at % (int64_t)seen->width;
    switch (hypothesis->source) {
    case SOURCE_REVERSED:
        return (int64_t)seen->elements - 1 - at;
    case SOURCE_TRANSPOSED:
        return place_at(seen, column, row);
    case SOURCE_BY_COLUMNS:
        return place_at(seen, at % height, at / height);
    case SOURCE_ROWS:
        return place_at(seen, at / by, at % by);
    case SOURCE_LOCAL:
        return at % by;
    case SOURCE_TILES:
        return place_at(seen, row - row % by + column % by, column - column % by + row % by);
    case SOURCE_BLOCK:
        return at / by * by - 1;
    case SOURCE_WINDOW:
    case SOURCE_PLUS:
    case SOURCE_PLUS_HELD:
        return at - by;
    default:
        return at + by;
    }
}

// The value that an element has if the hypothesis is true; NAN if it says nothing.
static double value_of(const struct output_seen *seen, const struct value_hypothesis *hypothesis,
                       uint64_t element) {
    int64_t at = place_of(seen, hypothesis, element);
    uint64_t place = is_inside(seen, at) ? (uint64_t)at : element;
    enum element_type type = seen->declared->element;
    switch (hypothesis->source) {
    case SOURCE_BEFORE:
        return draw_value(type, seen->input[seen->parameter], element);
    case SOURCE_WINDOW:
    case SOURCE_BLOCK:
        return seen_want(seen, element) - (at >= 0 ? seen_want(seen, place) : 0);
    case SOURCE_TILES:  // only in a tile at the edge may an element be the sum of zeros
        return is_inside(seen, at) ? seen_want(seen, place) : 0;
    default:
        break;
    }
    if (!is_inside(seen, at)) {
        return (double)NAN;
    }
    switch (hypothesis->source) {
    case SOURCE_INPUT:
        return draw_value(type, seen->input[hypothesis->input], place);
    case SOURCE_PLUS:
        return seen_want(seen, element) + seen_want(seen, place);
    case SOURCE_PLUS_HELD:
        return seen_want(seen, element) + seen_got(seen, place);
    default:
        return seen_want(seen, place);
    }
}

// Bits by which a value differs from the others of its output, which is the worth of agreement with
// it.  A sum of a matmul is worth the bits of one term.  With K = 1 only the sign may differ.
static double bits_of(const struct output_seen *seen, double value) {
    if (fabs(value) < 1) {
        return 0;
    }
    return seen->made ? log2(fabs(value)) + 1 : seen->size.k > 1 ? BITS_OF_A_TERM : 0;
}

static bool test_all(const struct output_seen *seen, bool wrong, seen_test test,
                     const void *hypothesis) {
    uint64_t first = wrong ? seen->first : 0;
    uint64_t last = wrong ? seen->last : seen->elements - 1;
    uint64_t steps[] = {(last - first) / 32 + 1, 1};
    for (size_t s = steps[0] == 1; s < COUNT(steps); s++) {
        for (uint64_t e = first; e <= last; e += steps[s]) {
            if (seen_is_wrong(seen, e) == wrong && !test(seen, e, hypothesis)) {
                return false;
            }
        }
    }
    return true;
}

bool seen_all_wrong(const struct output_seen *seen, seen_test test, const void *hypothesis) {
    return test_all(seen, true, test, hypothesis);
}

bool seen_all_right(const struct output_seen *seen, seen_test test, const void *hypothesis) {
    return test_all(seen, false, test, hypothesis);
}

static bool holds_value(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    return value_of(seen, hypothesis, element) == seen_got(seen, element);
}

// True if every wrong element has the value of the hypothesis, and chance does not explain that.
static bool fits(const struct output_seen *seen, const struct value_hypothesis *hypothesis) {
    double bits = 0;
    if (!seen_all_wrong(seen, holds_value, hypothesis)) {
        return false;
    }
    for (uint64_t e = seen->first; e <= seen->last && bits < CHANCE_BITS_MIN; e++) {
        bits += seen_is_wrong(seen, e) ? bits_of(seen, seen_got(seen, e)) : 0;
    }
    return bits >= CHANCE_BITS_MIN;
}

// --- Values that no sum has ----------------------------------------------------------------------

bool value_is_unset(double got) {
    return isnan(got) || fabs(got) >= UNSET_LEAST;
}

static bool is_nan(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    (void)hypothesis;
    return isnan(seen_got(seen, element));
}

static bool is_unset(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    (void)hypothesis;
    return value_is_unset(seen_got(seen, element));
}

// A finite sum of a matmul has not overflowed; a sum with small terms has not either.
static bool is_no_overflow(const struct output_seen *seen, uint64_t element,
                           const void *hypothesis) {
    (void)hypothesis;
    return isfinite(seen_got(seen, element)) || !matmul_may_overflow(seen, element);
}

static bool is_zero(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    (void)hypothesis;
    return seen_got(seen, element) == 0;
}

static bool is_whole(const struct output_seen *seen, uint64_t element, const void *hypothesis) {
    (void)hypothesis;
    double got = seen_got(seen, element);
    return fabs(got) < 0x1p53 && trunc(got) == got;
}

// Adding to the initial NaN gives a distinguishable NaN; added whole numbers become larger.
static bool has_old_value(const struct output_seen *seen, uint64_t element,
                          const void *hypothesis) {
    enum element_type type = seen->declared->element;
    const double *poison = hypothesis;
    return type == ELEMENT_FLOAT ? poison_was_read(((const float *)seen->values)[element])
           : type == ELEMENT_INT32 || type == ELEMENT_UINT32
               ? seen_got(seen, element) == seen_want(seen, element) + *poison
               : false;
}

bool seen_is_of_old_value(const struct output_seen *seen) {
    uint64_t poison = 0;
    expected_poison(seen->declared->element, 1, &poison);
    double value = draw_value(seen->declared->element, &poison, 0);
    return !parameter_is_input(seen->declared) && seen_all_wrong(seen, has_old_value, &value);
}

void seen_nan_explain(const struct signature *signature, int parameter, bool is_old_value,
                      char *text, size_t bytes) {
    const char *name = signature->parameter[parameter].name;
    if (is_old_value) {
        words_write(text, bytes,
                    _("The old value of %s went into the result; %s holds nothing useful on "
                      "entry."),
                    name, name);
    } else if (signature->is_matmul) {
        words_write(text, bytes,
                    _("A and B hold no NaN: a value that was never set went into the sum, or one "
                      "from outside of A and B."));
    } else {
        words_write(text, bytes,
                    _("No input is NaN: a value that was never set was used, or one from outside "
                      "of the arrays, or an operation has no result: 0 / 0, or Inf / Inf and "
                      "Inf - Inf after an overflow."));
    }
}

// Off by `times` such numbers, or one such number.
static bool is_unset_whole(const struct output_seen *seen, uint64_t element,
                           const void *hypothesis) {
    const uint32_t *times = hypothesis;
    uint32_t got = (uint32_t)(int64_t)seen_got(seen, element);
    uint32_t want = (uint32_t)(int64_t)seen_want(seen, element);
    return *times > 0 ? got - want == *times * UNSET_WHOLE : got == UNSET_WHOLE;
}

static bool unset_whole_explains(const struct output_seen *seen, char *text, size_t bytes) {
    enum element_type type = seen->declared->element;
    bool found = false;
    for (uint32_t times = 0;
         times <= UNSET_TIMES_MAX && !found && (type == ELEMENT_INT32 || type == ELEMENT_UINT32);
         times++) {
        found = is_unset_whole(seen, seen->first, &times) &&
                seen_all_wrong(seen, is_unset_whole, &times);
    }
    if (found) {
        words_write(text, bytes,
                    _("A local variable was used before it had a value: until then, the CPU device "
                      "keeps the bytes 0xfe in it, and they went into the result."));
    }
    return found;
}

static bool special_explains(const struct output_seen *seen, char *text, size_t bytes) {
    bool is_old_value = seen_is_of_old_value(seen);
    if (is_old_value ||
        (element_is_real(seen->declared->element) && seen_all_wrong(seen, is_nan, NULL))) {
        seen_nan_explain(seen->signature, seen->parameter, is_old_value, text, bytes);
    } else if (unset_whole_explains(seen, text, bytes)) {
        return true;
    } else if (seen->declared->element == ELEMENT_FLOAT && seen_all_wrong(seen, is_unset, NULL)) {
        bool is_garbage = !seen->made && seen_all_wrong(seen, is_no_overflow, NULL);
        words_write(text, bytes,
                    is_garbage
                        ? _("No product of A and B is that large: a variable or an array was read "
                            "before it had a value.")
                        : _("No right value is that large: a variable or an array was read before "
                            "it had a value, or a result overflows."));
    } else if ((!seen->made || seen->made->form != DRAW_REAL) &&
               seen_all_wrong(seen, is_zero, NULL)) {
        // With real inputs alone there is another cause, such as a number that was converted to an
        // integer.
        words_write(text, bytes,
                    seen->wrong > 1 ? _("Each wrong element is 0: nothing was added to it, or only "
                                        "zeros, or its result was stored elsewhere.")
                                    : _("It is 0: nothing was added to it, or only zeros, or its "
                                        "result was stored elsewhere."));
    } else {
        return false;
    }
    return true;
}

// --- Values of other places ----------------------------------------------------------------------

// The names of an element and of the element `by` further, "C[i][j]" and "C[i + 1][j]", or without
// rows "y[i]" and "y[i + 1]".
#define NAME_BYTES 80
struct names {
    char place[NAME_BYTES], from[NAME_BYTES];
    bool counts_on;  // i counts the elements row by row
};

static void shifted_write(const char *index, int64_t by, char text[NAME_BYTES]) {
    if (by == 0) {
        (void)snprintf(text, NAME_BYTES, "[%s]", index);
    } else {
        (void)snprintf(text, NAME_BYTES, "[%s %c %" PRId64 "]", index, by < 0 ? '-' : '+',
                       by < 0 ? -by : by);
    }
}

static struct names names_of(const struct output_seen *seen, const char *from, int64_t by) {
    struct names names = {.counts_on = false};
    char row[NAME_BYTES];
    char column[NAME_BYTES];
    int64_t width = (int64_t)seen->width;
    bool is_row = by % width == 0;
    if (seen->declared->rank == 2 && (is_row || (by < width && by > -width))) {
        shifted_write("i", is_row ? by / width : 0, row);
        shifted_write("j", is_row ? 0 : by, column);
        (void)snprintf(names.place, NAME_BYTES, "%.40s[i][j]", seen->declared->name);
        (void)snprintf(names.from, NAME_BYTES, "%.40s%.18s%.18s", from, row, column);
        return names;
    }
    shifted_write("i", by, row);
    (void)snprintf(names.place, NAME_BYTES, "%.40s[i]", seen->declared->name);
    (void)snprintf(names.from, NAME_BYTES, "%.40s%.30s", from, row);
    names.counts_on = seen->declared->rank > 1;
    return names;
}

static void counting_write(const struct names *names, char *text, size_t bytes) {
    if (names->counts_on) {
        words_sentence(text, bytes, "Here i counts the elements row by row.");
    }
}

// "C[i + 1][j]", or "another place: …".
static void source_write(const struct output_seen *seen, const struct value_hypothesis *hypothesis,
                         const struct names *names, char *text, size_t bytes) {
    const char *name = seen->declared->name;
    uint64_t edge = (uint64_t)hypothesis->by;
    switch (hypothesis->source) {
    case SOURCE_TRANSPOSED:
        words_write(text, bytes, _("%s[j][i]: row and column are exchanged"), name);
        break;
    case SOURCE_BY_COLUMNS:
        words_write(text, bytes,
                    _("another place: %s is written column by column, but stored row by row"),
                    name);
        break;
    case SOURCE_ROWS:  // of a matmul
        words_write(text, bytes,
                    hypothesis->by == seen->size.m
                        ? _("another place: C is written with rows of M elements, but they have N")
                        : _("another place: C is written with rows of K elements, but they have "
                            "N"));
        break;
    case SOURCE_TILES:
        if (seen->elements / seen->width <= edge && seen->width <= edge) {  // differences may be
                                                                            // larger
            words_write(text, bytes,
                        _("another place: row and column are exchanged in a tile of %s"), name);
            break;
        }
        words_write(text, bytes,
                    _("another place: row and column are exchanged in each %d x %d of %s"),
                    (int)edge, (int)edge, name);
        break;
    case SOURCE_REVERSED:
        words_write(text, bytes, _("the mirrored place: the order is reversed"));
        break;
    case SOURCE_LOCAL:
        (void)snprintf(text, bytes, "%.40s[i %% %" PRId64 "]", name, hypothesis->by);
        break;
    default:
        (void)snprintf(text, bytes, "%s", names->from);
        break;
    }
}

static bool place_explains(const struct output_seen *seen, struct value_hypothesis hypothesis,
                           char *text, size_t bytes, bool *ret_everywhere) {
    char source[160];
    if (!fits(seen, &hypothesis)) {
        return false;
    }
    struct names names = names_of(seen, seen->declared->name,
                                  hypothesis.source == SOURCE_SHIFTED ? hypothesis.by : 0);
    source_write(seen, &hypothesis, &names, source, sizeof source);
    *ret_everywhere = seen_all_right(seen, holds_value, &hypothesis);
    // In C of a matmul the right elements must agree too, or one more wrong element.
    double bits = BITS_OF_A_TERM * ((double)seen->wrong - 1);
    if (!seen->made && !*ret_everywhere && bits < CHANCE_BITS_MIN) {
        return false;
    }
    words_write(text, bytes,
                *ret_everywhere ? _("%s holds the value that belongs to %s.")
                                : _("Each wrong %s holds the value that belongs to %s."),
                names.place, source);
    counting_write(&names, text, bytes);
    return true;
}

// Places of an output with rows and columns.
static bool maps_explain(const struct output_seen *seen, char *text, size_t bytes,
                         bool *ret_everywhere) {
    struct value_hypothesis list[4 + COUNT(tile_edges)];
    size_t count = 0;
    list[count++] = (struct value_hypothesis){.source = SOURCE_TRANSPOSED};
    list[count++] = (struct value_hypothesis){.source = SOURCE_BY_COLUMNS};
    for (const char *letter = "MK"; *letter && !seen->made; letter++) {
        if (matmul_names(seen->size, *letter)) {
            int32_t by = matmul_dimension(seen->size, *letter);
            list[count++] = (struct value_hypothesis){.source = SOURCE_ROWS, .by = by};
        }
    }
    for (size_t t = 0; t < COUNT(tile_edges); t++) {
        list[count++] = (struct value_hypothesis){.source = SOURCE_TILES, .by = tile_edges[t]};
    }
    for (size_t i = 0; i < count; i++) {
        if (place_explains(seen, list[i], text, bytes, ret_everywhere)) {
            return true;
        }
    }
    return false;
}

static bool shifts_explain(const struct output_seen *seen, char *text, size_t bytes,
                           bool *ret_everywhere) {
    for (size_t i = 0; i < COUNT(distances) + COUNT(row_distances); i++) {
        size_t row = i - COUNT(distances);
        int64_t by =
            i < COUNT(distances) ? distances[i] : row_distances[row] * (int64_t)seen->width;
        const struct value_hypothesis shifted = {.source = SOURCE_SHIFTED, .by = by};
        if (place_explains(seen, shifted, text, bytes, ret_everywhere)) {
            return true;
        }
    }
    return false;
}

// The number of a thread in its block in place of its number among all.
static bool local_explains(const struct output_seen *seen, char *text, size_t bytes,
                           bool *ret_everywhere) {
    for (size_t i = 1; i < COUNT(lengths) && seen->made && seen->declared->rank == 1; i++) {
        const struct value_hypothesis local = {.source = SOURCE_LOCAL, .by = lengths[i]};
        if (place_explains(seen, local, text, bytes, ret_everywhere)) {
            return true;
        }
    }
    return false;
}

static bool places_explain(const struct output_seen *seen, char *text, size_t bytes,
                           bool *ret_everywhere) {
    bool is_plane = seen->declared->rank == 2;
    const struct value_hypothesis reversed = {.source = SOURCE_REVERSED};
    if (seen->made && is_plane && fits(seen, &reversed) &&
        fits(seen, &(struct value_hypothesis){.source = SOURCE_BY_COLUMNS})) {
        return false;  // both may fit at a small size; then a copied input is more specific
    }
    return (is_plane && maps_explain(seen, text, bytes, ret_everywhere)) ||
           shifts_explain(seen, text, bytes, ret_everywhere) ||
           local_explains(seen, text, bytes, ret_everywhere) ||
           place_explains(seen, reversed, text, bytes, ret_everywhere);
}

static bool inputs_explain(const struct output_seen *seen, char *text, size_t bytes) {
    for (int i = 0; i < seen->signature->parameter_count; i++) {
        const struct parameter *input = &seen->signature->parameter[i];
        if (!parameter_is_input(input) || i == seen->parameter ||
            input->element != seen->declared->element ||
            parameter_elements(seen->signature, input, seen->size) != seen->elements) {
            continue;
        }
        for (int64_t by = 0; by >= -1; by--) {
            const struct value_hypothesis copied = {.source = SOURCE_INPUT, .by = by, .input = i};
            if (fits(seen, &copied)) {
                struct names names = names_of(seen, input->name, by);
                words_write(text, bytes, _("Each wrong %s holds %s as it is."), names.place,
                            names.from);
                return true;
            }
        }
    }
    if (parameter_is_input(seen->declared) &&
        fits(seen, &(struct value_hypothesis){.source = SOURCE_BEFORE})) {
        words_write(text, bytes, _("Each wrong element holds what it held before the launch."));
        return true;
    }
    return false;
}

// --- Sums ----------------------------------------------------------------------------------------

// Sums over too few neighbours, as in a scan.
static bool sums_explain(const struct output_seen *seen, char *text, size_t bytes) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const struct value_hypothesis window = {.source = SOURCE_WINDOW, .by = lengths[i]};
        const struct value_hypothesis block = {.source = SOURCE_BLOCK, .by = lengths[i]};
        if (lengths[i] > 1 && fits(seen, &block)) {
            words_write(text, bytes,
                        _("Each wrong element holds only the part of its own block of %" PRId64
                          " elements: what the blocks before it add is missing."),
                        lengths[i]);
            return true;
        }
        if (fits(seen, &window)) {
            words_write(text, bytes,
                        _("Each wrong element holds the sum of only the last %" PRId64
                          " elements up to it, as after a step that is not the last one."),
                        lengths[i]);
            return true;
        }
    }
    return false;
}

// Sums that continue from one element into another: into its neighbour, or from a tile into the
// next.
static bool going_on_explains(const struct output_seen *seen, char *text, size_t bytes) {
    for (size_t i = 0; i < 4 * COUNT(lengths); i++) {
        int64_t by = lengths[i / 4] * (i % 2 == 0 ? 1 : (int64_t)seen->width);
        enum value_source source = i % 4 < 2 ? SOURCE_PLUS : SOURCE_PLUS_HELD;
        if (fits(seen, &(struct value_hypothesis){.source = source, .by = by})) {
            struct names names = names_of(seen, seen->declared->name, -by);
            words_write(text, bytes,
                        _("Each wrong %s also holds the value of %s, as if its sum did not start "
                          "at 0."),
                        names.place, names.from);
            counting_write(&names, text, bytes);
            return true;
        }
    }
    return false;
}

// got = factor * want, or want + the same number everywhere.
static bool scale_explains(const struct output_seen *seen, char *text, size_t bytes) {
    double want = seen_want(seen, seen->first);
    double factor = want == 0 ? 0 : seen_got(seen, seen->first) / want;
    double offset = seen_got(seen, seen->first) - want;
    bool is_factor = factor == -1 || (factor >= 2 && factor == floor(factor));
    bool is_offset =
        seen->wrong == seen->elements && (seen->made || seen->wrong >= OFFSET_ELEMENTS_MIN);
    bool is_same = true;  // all values are the same; then any number is an offset
    double bits = 0;
    for (uint64_t e = seen->first; e <= seen->last && (is_factor || is_offset); e++) {
        if (seen_is_wrong(seen, e)) {
            is_factor = is_factor && seen_got(seen, e) == factor * seen_want(seen, e);
            is_offset = is_offset && seen_got(seen, e) - seen_want(seen, e) == offset;
            bits += bits_of(seen, seen_want(seen, e));
            is_same = is_same && seen_want(seen, e) == want;
        }
    }
    if (bits < CHANCE_BITS_MIN) {
        return false;
    }
    if (is_factor && factor == -1) {
        words_write(text, bytes, _("Each wrong element has the wrong sign."));
    } else if (is_factor) {
        words_write(text, bytes,
                    seen->wrong > 1 ? _("Each wrong element is %.0f times as large as it should "
                                        "be: its terms were counted several times.")
                                    : _("It is %.0f times as large as it should be: its terms "
                                        "were counted several times."),
                    factor);
    } else if (is_offset && !is_same) {
        words_write(text, bytes,
                    offset > 0 ? _("Every element is too large by the same %.9g.")
                               : _("Every element is too small by the same %.9g."),
                    fabs(offset));
        if (!seen->made) {
            words_sentence(text, bytes,
                           "The sum does not start at 0, or something else is added "
                           "to it.");
        }
    } else {
        return false;
    }
    return true;
}

// --- Rows and columns of C -----------------------------------------------------------------------

#define LINES_WORK_MAX (50ull * 1000 * 1000)  // elements compared, some 50 ms

// C as rows, or as columns.
struct view {
    const struct output_seen *seen;
    bool by_rows;
    int32_t lines, length;  // the number of lines, and of elements in each
};

static uint64_t index_of(const struct view *view, int32_t line, int32_t place) {
    uint64_t row = (uint64_t)(view->by_rows ? line : place);
    return row * view->seen->width + (uint64_t)(view->by_rows ? place : line);
}

// True if the whole line holds the values of line `from`.
static bool line_holds(const struct view *view, int32_t line, int32_t from) {
    for (int32_t i = 0; i < view->length; i++) {
        if (seen_got(view->seen, index_of(view, line, i)) !=
            seen_want(view->seen, index_of(view, from, i))) {
            return false;
        }
    }
    return true;
}

// The only other line whose values this line holds; -1 if none fits, or several do.
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

// Each line selects one of all lines, and must agree with it in more bits than the selection takes.
static bool is_more_than_chance(const struct view *view) {
    int choice_bits = 0;
    while ((int64_t)1 << choice_bits < view->lines) {
        choice_bits++;
    }
    return view->seen->size.k > 1 &&
           (int64_t)view->length * BITS_OF_A_TERM >= choice_bits + BITS_OF_SAFETY;
}

static bool view_explains(const struct view *view, char *text, size_t bytes) {
    int32_t first = -1;
    int32_t first_source = -1;
    int wrong = 0;
    for (int32_t line = 0; line < view->lines && is_more_than_chance(view); line++) {
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
    if (wrong == 1) {
        words_write(text, bytes,
                    view->by_rows ? _("Row %d of C holds the values that belong to row %d.")
                                  : _("Column %d of C holds the values that belong to column %d."),
                    first, first_source);
    } else if (wrong > 1) {
        words_write(text, bytes,
                    view->by_rows
                        ? _("Each wrong row of C holds the values of another row, as row %d "
                            "those that belong to row %d.")
                        : _("Each wrong column of C holds the values of another column, as "
                            "column %d those that belong to column %d."),
                    first, first_source);
    }
    return wrong > 0;
}

// Does each wrong row, or each wrong column, hold the values of another one?  A wrong row index has
// this effect, whatever its formula is.
static bool lines_explain(const struct output_seen *seen, char *text, size_t bytes) {
    const struct size size = seen->size;
    const struct view rows = {seen, true, size.m, size.n};
    const struct view columns = {seen, false, size.n, size.m};
    return seen->elements * (uint64_t)(size.m > size.n ? size.m : size.n) <= LINES_WORK_MAX &&
           (view_explains(&rows, text, bytes) || view_explains(&columns, text, bytes));
}

// --- All of them, from simple to odd -------------------------------------------------------------

// *ret_everywhere: the right elements fit the hypothesis too.
static enum explained values_explain(const struct output_seen *seen, char *text, size_t bytes,
                                     bool *ret_everywhere) {
    if (places_explain(seen, text, bytes, ret_everywhere)) {
        return EXPLAINED_PLACES;
    }
    *ret_everywhere = true;  // the tests below concern values, not places
    if (inputs_explain(seen, text, bytes)) {
        return EXPLAINED_PLACES;
    }
    return (seen->made && sums_explain(seen, text, bytes)) ||
                   going_on_explains(seen, text, bytes) || scale_explains(seen, text, bytes)
               ? EXPLAINED_TERMS
               : EXPLAINED_NOTHING;
}

// Runs of terms, then values, other factors, and whole rows and columns.  If only the wrong
// elements hold values of other places, a formula that agrees with all of C is more specific.
static enum explained matmul_explain(const struct output_seen *seen, char *text, size_t bytes) {
    char formula[EXPECTED_TEXT_MAX];
    bool everywhere = false;
    if (!seen_all_wrong(seen, is_whole, NULL)) {
        return EXPLAINED_NOTHING;  // not a sum of whole numbers
    }
    enum explained explained = matmul_runs_explain(seen, text, bytes);
    if (explained != EXPLAINED_NOTHING) {
        return explained;
    }
    bool by_values = values_explain(seen, text, bytes, &everywhere) != EXPLAINED_NOTHING;
    if (by_values && everywhere) {
        return EXPLAINED_PLACES;
    }
    explained = matmul_factors_explain(seen, by_values, formula, sizeof formula);
    if (explained != EXPLAINED_NOTHING) {
        (void)snprintf(text, bytes, "%s", formula);
        return explained;
    }
    if (by_values) {
        return EXPLAINED_PLACES;
    }
    // Rows of A that were never read are a more specific cause.
    return lines_explain(seen, text, bytes) ? EXPLAINED_TERMS : EXPLAINED_NOTHING;
}

enum explained seen_hypotheses(const struct output_seen *seen, char *text, size_t bytes) {
    bool everywhere = false;
    text[0] = '\0';
    if (seen->sampled < seen->elements || seen->wrong == 0) {
        return EXPLAINED_NOTHING;
    }
    if (special_explains(seen, text, bytes)) {
        return EXPLAINED_ALL_TERMS;
    }
    return seen->made ? values_explain(seen, text, bytes, &everywhere)
                      : matmul_explain(seen, text, bytes);
}

// Bits of a whole number from its first to its last 1.
static int width_of(double value) {
    int exponent = 0;
    int width = 0;
    double fraction = frexp(fabs(value), &exponent);
    while (fraction != 0) {
        fraction = 2 * fraction - floor(2 * fraction);
        width++;
    }
    return width;
}

const char *seen_few_bits(const struct output_seen *seen) {
    int most = 0;
    double chance = 0;
    double error = 0;
    double size = 0;
    for (uint64_t e = 0; e < seen->elements; e++) {
        double got = seen_got(seen, e);
        if (!isfinite(got)) {
            return NULL;
        }
        int width = width_of(got);
        most = width > most ? width : most;
        if (seen_is_wrong(seen, e)) {
            chance += fmax(0, bits_of(seen, got) - 11);
            error += fabs(got - seen_want(seen, e));
            size += fabs(seen_want(seen, e));
        }
    }
    // A result with missing terms may also have few bits, but it is far off.
    if (seen->declared->element != ELEMENT_FLOAT || most > 11 || chance < CHANCE_BITS_MIN ||
        error * FEW_BITS_OFF > size) {
        return NULL;
    }
    return most <= 8 ? _("No element has more than 8 significant bits, the precision of BF16: it "
                         "was computed with fewer bits than fp32 has.")
                     : _("No element has more than 11 significant bits, the precision of FP16 and "
                         "TF32: it was computed with fewer bits than fp32 has.");
}
