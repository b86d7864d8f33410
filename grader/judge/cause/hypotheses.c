// What the wrong elements of an output hold instead: see output_seen.h.
//
// A hypothesis must hold for every wrong element, and these must be so many, with values so wide,
// that it does not hold by chance.  With inputs of one sign or one value, few hypotheses can be
// distinguished; then nothing is said.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/cause/output_seen.h"

#define FEW_BITS_OFF    8.0   // times the errors together: rounding to 8 bits is less far off
#define CHANCE_BITS_MIN 16.0  // a hypothesis must be so much better than chance
#define LARGE           1e30  // far above every value of exact inputs (matmul_cause.c)

// What a wrong element may hold.
enum value_source {
    SOURCE_OUTPUT,    // the value of another place of the output: by a distance
    SOURCE_REVERSED,  // … of the mirrored place
    SOURCE_TURNED,    // … of the place with row and column exchanged
    SOURCE_INPUT,     // an element of an input of the same shape, at a distance
    SOURCE_BEFORE,    // what the output held before the launch
    SOURCE_WINDOW,    // its value less that of the place `by` before: a sum that is `by` long
    SOURCE_BLOCK,     // … less that of the last place of the block before
    SOURCE_PLUS       // its value, and that of the place `by` before
};

struct value_hypothesis {
    enum value_source source;
    int64_t by;
    int input;  // the parameter
};

static const int64_t distances[] = {1,   -1, 2,   -2,  4,    -4,  8,    -8,  16,   -16,  32,
                                    -32, 64, -64, 128, -128, 256, -256, 512, -512, 1024, -1024};
static const int64_t lengths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

static bool is_inside(const struct output_seen *seen, int64_t place) {
    return place >= 0 && (uint64_t)place < seen->elements;
}

// Rows of an output of two dimensions, else 1.
static int64_t row_length(const struct output_seen *seen) {
    return (int64_t)parameter_extent(seen->made->plan.program->signature, seen->declared,
                                     seen->declared->rank - 1, seen->made->plan.size);
}

// The value that an element has if the hypothesis is true; NAN if it says nothing.
static double value_of(const struct output_seen *seen, const struct value_hypothesis *hypothesis,
                       uint64_t element) {
    int64_t at = (int64_t)element;
    int64_t width = row_length(seen);
    int64_t height = (int64_t)seen->elements / width;
    switch (hypothesis->source) {
    case SOURCE_OUTPUT:
        at += hypothesis->by;
        return is_inside(seen, at) ? seen_want(seen, (uint64_t)at) : (double)NAN;
    case SOURCE_REVERSED:
        return seen_want(seen, seen->elements - 1 - element);
    case SOURCE_TURNED:
        at = at % height * width + at / height;  // as if it had `height` columns
        return is_inside(seen, at) ? seen_want(seen, (uint64_t)at) : (double)NAN;
    case SOURCE_INPUT:
        at += hypothesis->by;
        return is_inside(seen, at) ? draw_value(seen->declared->element,
                                                seen->made->values[hypothesis->input], (uint64_t)at)
                                   : (double)NAN;
    case SOURCE_BEFORE:
        return draw_value(seen->declared->element, seen->made->values[seen->parameter], element);
    case SOURCE_WINDOW:
        at -= hypothesis->by;
        return seen_want(seen, element) - (at >= 0 ? seen_want(seen, (uint64_t)at) : 0);
    case SOURCE_BLOCK:
        at = at / hypothesis->by * hypothesis->by - 1;
        return seen_want(seen, element) - (at >= 0 ? seen_want(seen, (uint64_t)at) : 0);
    case SOURCE_PLUS:
        at -= hypothesis->by;
        return is_inside(seen, at) ? seen_want(seen, element) + seen_want(seen, (uint64_t)at)
                                   : (double)NAN;
    }
    return (double)NAN;
}

// Bits by which a value differs from the others of its output: what agreement with it is worth.
static double bits_of(double value) {
    return fabs(value) < 1 ? 0 : log2(fabs(value)) + 1;
}

// True if every wrong element holds what the hypothesis says, and chance does not explain that.
static bool fits(const struct output_seen *seen, const struct value_hypothesis *hypothesis) {
    double bits = 0;
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        if (!seen_is_wrong(seen, e)) {
            continue;
        }
        double value = value_of(seen, hypothesis, e);
        if (!(value == seen_got(seen, e))) {
            return false;
        }
        bits += bits_of(value);
    }
    return bits >= CHANCE_BITS_MIN;
}

// True if every wrong element has the property.
static bool all_are(const struct output_seen *seen, bool (*property)(double got)) {
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        if (seen_is_wrong(seen, e) && !property(seen_got(seen, e))) {
            return false;
        }
    }
    return true;
}

static bool is_nan(double got) {
    return isnan(got);
}
static bool is_zero(double got) {
    return got == 0;
}
static bool is_large(double got) {
    return isnan(got) || fabs(got) >= LARGE;
}

// NaN and a number is a NaN that tells it apart, and whole numbers are larger by it.
bool seen_is_of_old_value(const struct output_seen *seen) {
    enum element_type type = seen->declared->element;
    uint64_t poison = 0;
    expected_poison(type, 1, &poison);
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        double got = seen_got(seen, e);
        bool is_old = type == ELEMENT_FLOAT ? poison_was_read(((const float *)seen->values)[e])
                      : type == ELEMENT_INT32 || type == ELEMENT_UINT32
                          ? got == seen_want(seen, e) + draw_value(type, &poison, 0)
                          : false;
        if (seen_is_wrong(seen, e) && !is_old) {
            return false;
        }
    }
    return !parameter_is_input(seen->declared);
}

static enum explained special_explains(const struct output_seen *seen, char *text, size_t bytes) {
    if (seen_is_of_old_value(seen)) {
        words_write(text, bytes,
                    _("The old value of %s went into the result; %s holds nothing useful on "
                      "entry."),
                    seen->declared->name, seen->declared->name);
        return EXPLAINED_ALL_TERMS;
    }
    if (element_is_real(seen->declared->element) && all_are(seen, is_nan)) {
        words_write(text, bytes,
                    _("No input is NaN: a value that was never set was used, or one from outside "
                      "of the arrays, or an operation has no result: 0 / 0, or Inf / Inf and "
                      "Inf - Inf after an overflow."));
        return EXPLAINED_ALL_TERMS;
    }
    if (seen->declared->element == ELEMENT_FLOAT && all_are(seen, is_large)) {
        words_write(text, bytes,
                    _("No right value is that large: a variable or an array was read before it "
                      "had a value, or a result overflows."));
        return EXPLAINED_ALL_TERMS;
    }
    // With real inputs alone it has another cause, such as a number that became a whole one.
    if (seen->made->form != DRAW_REAL && all_are(seen, is_zero)) {
        words_write(text, bytes,
                    seen->wrong > 1 ? _("Each wrong element is 0: nothing was added to it, or only "
                                        "zeros, or its result was stored elsewhere.")
                                    : _("It is 0: nothing was added to it, or only zeros, or its "
                                        "result was stored elsewhere."));
        return EXPLAINED_ALL_TERMS;
    }
    return EXPLAINED_NOTHING;
}

// "y[i + 1]"
static void name_write(const char *name, int64_t by, char *text, size_t bytes) {
    if (by == 0) {
        (void)snprintf(text, bytes, "%s[i]", name);
    } else {
        (void)snprintf(text, bytes, "%s[i %c %" PRId64 "]", name, by < 0 ? '-' : '+',
                       by < 0 ? -by : by);
    }
}

static bool places_explain(const struct output_seen *seen, char *text, size_t bytes) {
    const char *name = seen->declared->name;
    char from[80];
    int64_t width = row_length(seen);
    for (size_t i = 0; i < COUNT(distances) + 2; i++) {
        int64_t by = i < COUNT(distances) ? distances[i] : i == COUNT(distances) ? width : -width;
        const struct value_hypothesis shifted = {.source = SOURCE_OUTPUT, .by = by};
        if (fits(seen, &shifted)) {
            name_write(name, by, from, sizeof from);
            words_write(text, bytes,
                        _("Each wrong %s[i] holds the value that belongs to %s; i counts the "
                          "elements row by row."),
                        name, from);
            return true;
        }
    }
    // At a small size both may fit; then neither is the cause that was seen.
    bool reversed = fits(seen, &(struct value_hypothesis){.source = SOURCE_REVERSED});
    bool turned = seen->declared->rank == 2 &&
                  fits(seen, &(struct value_hypothesis){.source = SOURCE_TURNED});
    if (reversed == turned) {
        return false;
    }
    words_write(text, bytes,
                reversed ? _("Each wrong element holds the value of the mirrored place: the order "
                             "is reversed.")
                         : _("Each wrong element holds the value of the place whose row and column "
                             "are exchanged."));
    return true;
}

static bool inputs_explain(const struct output_seen *seen, char *text, size_t bytes) {
    const struct signature *signature = seen->made->plan.program->signature;
    char from[80];
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *input = &signature->parameter[i];
        if (!parameter_is_input(input) || i == seen->parameter ||
            input->element != seen->declared->element ||
            parameter_elements(signature, input, seen->made->plan.size) != seen->elements) {
            continue;
        }
        for (int64_t by = 0; by >= -1; by--) {
            const struct value_hypothesis copied = {.source = SOURCE_INPUT, .by = by, .input = i};
            if (fits(seen, &copied)) {
                name_write(input->name, by, from, sizeof from);
                words_write(text, bytes, _("Each wrong %s[i] holds %s as it is."),
                            seen->declared->name, from);
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

// Sums of neighbours that do not go far enough, as in a scan.
static bool sums_explain(const struct output_seen *seen, char *text, size_t bytes) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const struct value_hypothesis window = {.source = SOURCE_WINDOW, .by = lengths[i]};
        const struct value_hypothesis block = {.source = SOURCE_BLOCK, .by = lengths[i]};
        if (lengths[i] > 1 && fits(seen, &block)) {
            words_write(text, bytes,
                        _("Each wrong element holds the part of its own block of %" PRId64
                          " elements alone: what the blocks before it add is missing."),
                        lengths[i]);
            return true;
        }
        if (fits(seen, &window)) {
            words_write(text, bytes,
                        _("Each wrong element holds the sum of the last %" PRId64
                          " elements up to it alone, as after a step that is not the last one."),
                        lengths[i]);
            return true;
        }
    }
    return false;
}

// Sums that go on from one element to another: to its neighbour, or from a tile to the next.
static bool going_on_explains(const struct output_seen *seen, char *text, size_t bytes) {
    const char *name = seen->declared->name;
    char from[80];
    for (size_t i = 0; i < 2 * COUNT(lengths); i++) {
        int64_t by = lengths[i / 2] * (i % 2 == 0 ? 1 : row_length(seen));
        if (fits(seen, &(struct value_hypothesis){.source = SOURCE_PLUS, .by = by})) {
            name_write(name, -by, from, sizeof from);
            words_write(text, bytes,
                        _("Each wrong %s[i] also holds the value that belongs to %s, as if its sum "
                          "did not start at 0; i counts the elements row by row."),
                        name, from);
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
    bool is_offset = seen->wrong == seen->elements;
    bool is_same = true;  // all values; then any number is an offset
    double bits = 0;
    for (uint64_t e = seen->first; e <= seen->last; e++) {
        if (seen_is_wrong(seen, e)) {
            is_factor = is_factor && seen_got(seen, e) == factor * seen_want(seen, e);
            is_offset = is_offset && seen_got(seen, e) - seen_want(seen, e) == offset;
            bits += bits_of(seen_want(seen, e));
            is_same = is_same && seen_want(seen, e) == want;
        }
    }
    if (bits < CHANCE_BITS_MIN || is_same) {
        is_offset = false;
    }
    if (is_factor && factor == -1 && bits >= CHANCE_BITS_MIN) {
        words_write(text, bytes, _("Each wrong element has the wrong sign."));
    } else if (is_factor && bits >= CHANCE_BITS_MIN) {
        words_write(text, bytes,
                    seen->wrong > 1 ? _("Each wrong element is %.0f times as large as it should "
                                        "be: its terms were counted several times.")
                                    : _("It is %.0f times as large as it should be: its terms "
                                        "were counted several times."),
                    factor);
    } else if (is_offset) {
        words_write(text, bytes,
                    offset > 0 ? _("Every element is too large by the same %.9g.")
                               : _("Every element is too small by the same %.9g."),
                    fabs(offset));
    } else {
        return false;
    }
    return true;
}

enum explained seen_held(const struct output_seen *seen, char *text, size_t bytes) {
    text[0] = '\0';
    if (seen->sampled < seen->elements) {
        return EXPLAINED_NOTHING;
    }
    enum explained special = special_explains(seen, text, bytes);
    if (special != EXPLAINED_NOTHING) {
        return special;
    }
    if (places_explain(seen, text, bytes) || inputs_explain(seen, text, bytes)) {
        return EXPLAINED_PLACES;
    }
    return sums_explain(seen, text, bytes) || going_on_explains(seen, text, bytes) ||
                   scale_explains(seen, text, bytes)
               ? EXPLAINED_TERMS
               : EXPLAINED_NOTHING;
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
            chance += fmax(0, bits_of(got) - 11);
            error += fabs(got - seen_want(seen, e));
            size += fabs(seen_want(seen, e));
        }
    }
    // A result of which terms are missing may also have few bits, but it is far off.
    if (seen->declared->element != ELEMENT_FLOAT || most > 11 || chance < CHANCE_BITS_MIN ||
        error * FEW_BITS_OFF > size) {
        return NULL;
    }
    return most <= 8 ? _("No element has more than 8 significant bits, the precision of BF16: it "
                         "was computed with fewer bits than fp32 has.")
                     : _("No element has more than 11 significant bits, the precision of FP16 and "
                         "TF32: it was computed with fewer bits than fp32 has.");
}
