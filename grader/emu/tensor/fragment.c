// Layouts of fragments: see fragment.h.
#include "emu/tensor/fragment.h"

#include <stddef.h>

// Bits of a row or a column: this bit of the lane, or of the number of the element; 0: none.
#define LANE(bit)  (1 + (bit))
#define ELEM(bit)  (9 + (bit))
#define INDEX_BITS 5

#define LINE_BYTES 16  // of a piece
#define WORD_BYTES 4

// Rows and columns from their lowest bit on.
struct layout {
    uint32_t use, types;
    uint8_t m, n, k;  // k 0: any
    uint8_t elements;
    uint8_t row[INDEX_BITS], column[INDEX_BITS];
};

#define TYPE(type) (1u << (type))
#define HALVES     (TYPE(FRAGMENT_HALF) | TYPE(FRAGMENT_BF16))
#define BYTES      (TYPE(FRAGMENT_S8) | TYPE(FRAGMENT_U8))
#define SUMS       (TYPE(FRAGMENT_FLOAT) | TYPE(FRAGMENT_HALF) | TYPE(FRAGMENT_INT))

// The bits of the lane that choose a line of 8, and those that choose a word in it.
#define LINES LANE(2), LANE(3), LANE(4)
#define WORDS LANE(0), LANE(1)

#define LANES 32

static const struct layout layouts[] = {
    {FRAGMENT_A, HALVES, 16, 16, 16, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 16, 16, 16, 8, {ELEM(0), WORDS, ELEM(1)}, {LINES, ELEM(2)}},
    {FRAGMENT_A, HALVES, 32, 8, 16, 16, {LINES, ELEM(1), ELEM(3)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 32, 8, 16, 4, {ELEM(0), WORDS, ELEM(1)}, {LINES}},
    {FRAGMENT_A, HALVES, 8, 32, 16, 4, {LINES}, {ELEM(0), WORDS, ELEM(1)}},
    {FRAGMENT_B, HALVES, 8, 32, 16, 16, {ELEM(0), WORDS, ELEM(2)}, {LINES, ELEM(1), ELEM(3)}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 16, 8, 4, {LINES, ELEM(0)}, {WORDS, ELEM(1)}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 16, 8, 4, {WORDS, ELEM(0)}, {LINES, ELEM(1)}},
    {FRAGMENT_A, BYTES, 16, 16, 16, 8, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 16, 16, 16, 8, {ELEM(0), ELEM(1), WORDS}, {LINES, ELEM(2)}},
    {FRAGMENT_A, BYTES, 32, 8, 16, 16, {LINES, ELEM(2), ELEM(3)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 32, 8, 16, 4, {ELEM(0), ELEM(1), WORDS}, {LINES}},
    {FRAGMENT_A, BYTES, 8, 32, 16, 4, {LINES}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 8, 32, 16, 16, {ELEM(0), ELEM(1), WORDS}, {LINES, ELEM(2), ELEM(3)}},
    {FRAGMENT_SUM, SUMS, 16, 16, 0, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_SUM, SUMS, 32, 8, 0, 8, {LINES, ELEM(1), ELEM(2)}, {ELEM(0), WORDS}},
    {FRAGMENT_SUM, SUMS, 8, 32, 0, 8, {ELEM(0), WORDS}, {LINES, ELEM(1), ELEM(2)}},
    // Those of mma.sync.
    {FRAGMENT_A, HALVES, 16, 8, 16, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 16, 8, 16, 4, {ELEM(0), WORDS, ELEM(1)}, {LINES}},
    {FRAGMENT_A, HALVES, 16, 8, 8, 4, {LINES, ELEM(1)}, {ELEM(0), WORDS}},
    {FRAGMENT_B, HALVES, 16, 8, 8, 2, {ELEM(0), WORDS}, {LINES}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 8, 8, 4, {LINES, ELEM(0)}, {WORDS, ELEM(1)}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 8, 8, 2, {WORDS, ELEM(0)}, {LINES}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 8, 4, 2, {LINES, ELEM(0)}, {WORDS}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 8, 4, 1, {WORDS}, {LINES}},
    {FRAGMENT_A, BYTES, 16, 8, 32, 16, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS, ELEM(3)}},
    {FRAGMENT_B, BYTES, 16, 8, 32, 8, {ELEM(0), ELEM(1), WORDS, ELEM(2)}, {LINES}},
    {FRAGMENT_A, BYTES, 16, 8, 16, 8, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 16, 8, 16, 4, {ELEM(0), ELEM(1), WORDS}, {LINES}},
    {FRAGMENT_SUM, SUMS, 16, 8, 0, 4, {LINES, ELEM(1)}, {ELEM(0), WORDS}},
};
#define LAYOUTS (sizeof layouts / sizeof layouts[0])

static uint32_t index_of(const uint8_t bits[INDEX_BITS], uint32_t lane, uint32_t element) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < INDEX_BITS && bits[i] != 0; i++) {
        uint32_t bit =
            bits[i] >= ELEM(0) ? element >> (bits[i] - ELEM(0)) : lane >> (bits[i] - LANE(0));
        index |= (bit & 1) << i;
    }
    return index;
}

// The places of a layout, worked out once.
static const uint16_t *places_of(size_t number) {
    static struct {
        bool known;
        uint16_t place[LANES * FRAGMENT_ELEMENTS_MAX];
    } tables[LAYOUTS];
    const struct layout *layout = &layouts[number];
    for (uint32_t i = 0; !tables[number].known && i < LANES * FRAGMENT_ELEMENTS_MAX; i++) {
        uint32_t lane = i / FRAGMENT_ELEMENTS_MAX;
        uint32_t element = i % FRAGMENT_ELEMENTS_MAX % layout->elements;
        tables[number].place[i] = (uint16_t)(index_of(layout->row, lane, element) * 64 +
                                             index_of(layout->column, lane, element));
    }
    tables[number].known = true;
    return tables[number].place;
}

uint32_t fragment_element_bytes(const struct fragment *fragment) {
    switch (fragment->type) {
    case FRAGMENT_HALF:
    case FRAGMENT_BF16:
        return 2;
    case FRAGMENT_S8:
    case FRAGMENT_U8:
        return 1;
    default:
        return 4;
    }
}

// Fills in what follows from the rest; false if there is no such layout.
static bool layout_find(struct fragment *fragment) {
    for (size_t i = 0; i < LAYOUTS; i++) {
        const struct layout *layout = &layouts[i];
        if (layout->use == fragment->use && (layout->types >> fragment->type & 1) &&
            layout->m == fragment->shape.m && layout->n == fragment->shape.n &&
            (layout->k == fragment->shape.k || layout->k == 0)) {
            bool in_registers = layout->m == 16 && layout->n == 8;
            bool twice =
                fragment->use != FRAGMENT_SUM && fragment->type == FRAGMENT_HALF && !in_registers;
            fragment->packed = in_registers ? WORD_BYTES / fragment_element_bytes(fragment) : 1;
            fragment->elements = twice ? FRAGMENT_ELEMENTS_MAX : layout->elements;
            fragment->place = places_of(i);
            return true;
        }
    }
    return false;
}

bool fragment_decode(uint32_t code, struct fragment *ret_fragment) {
    *ret_fragment = (struct fragment){
        .use = (enum fragment_use)(code & 3),
        .type = (enum fragment_type)(code >> 2 & 7),
        .columns = (code >> 5 & 1) != 0,
        .shape = {.m = code >> 6 & 63, .n = code >> 12 & 63, .k = code >> 18 & 63}};
    return layout_find(ret_fragment);
}

bool fragment_of_call(const struct fragment *fragment, enum fragment_use use,
                      enum fragment_type type, struct fragment *ret_fragment) {
    *ret_fragment = *fragment;
    ret_fragment->use = use;
    ret_fragment->type = type;
    return layout_find(ret_fragment);
}

uint32_t fragment_rows(const struct fragment *fragment) {
    return fragment->use == FRAGMENT_B ? fragment->shape.k : fragment->shape.m;
}

uint32_t fragment_columns(const struct fragment *fragment) {
    return fragment->use == FRAGMENT_A ? fragment->shape.k : fragment->shape.n;
}

// --- Loads and stores ---------------------------------------------------------------------------

static uint32_t lines_of(const struct fragment *fragment) {
    return fragment->columns ? fragment_columns(fragment) : fragment_rows(fragment);
}

static uint32_t line_length(const struct fragment *fragment) {
    return fragment->columns ? fragment_rows(fragment) : fragment_columns(fragment);
}

// In pieces of 8 lines of 16 bytes: each lane a word of each piece …
static uint32_t words(const struct fragment *fragment, uint32_t lane,
                      struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t across = line_length(fragment) * bytes / LINE_BYTES;
    uint32_t pieces = lines_of(fragment) / 8 * across;
    for (uint32_t i = 0; i < pieces; i++) {
        ret_parts[i] =
            (struct fragment_part){.line = i / across * 8 + lane / 4,
                                   .at = (i % across * LINE_BYTES + lane % 4 * WORD_BYTES) / bytes,
                                   .bytes = WORD_BYTES};
    }
    return pieces;
}

// … or, with ldmatrix, each lane a line of one of up to four pieces.
static uint32_t whole_lines(const struct fragment *fragment, uint32_t lane,
                            struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t across = line_length(fragment) * bytes / LINE_BYTES;
    uint32_t pieces = lines_of(fragment) / 8 * across;
    uint32_t count = (pieces + 3) / 4;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = i * 4 + lane / 8;
        ret_parts[i] = (struct fragment_part){.line = piece / across * 8 + lane % 8,
                                              .at = piece % across * LINE_BYTES / bytes,
                                              .bytes = piece < pieces ? LINE_BYTES : 0};
    }
    return count;
}

// Each lane its own elements, two neighbours at once.
static uint32_t elements(const struct fragment *fragment, uint32_t lane,
                         struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t count = 0;
    for (uint32_t element = 0; element < fragment->elements; element++) {
        struct fragment_part part = {.bytes = bytes};
        fragment_place(fragment, lane, element, fragment->columns ? &part.at : &part.line,
                       fragment->columns ? &part.line : &part.at);
        struct fragment_part *last = count > 0 ? &ret_parts[count - 1] : NULL;
        if (last && fragment->use == FRAGMENT_SUM && last->bytes == bytes &&
            last->line == part.line && last->at + 1 == part.at) {
            last->bytes = 2 * bytes;
        } else {
            ret_parts[count++] = part;
        }
    }
    return count;
}

uint32_t fragment_parts(const struct fragment *fragment, bool shared, bool stores, uint32_t lane,
                        struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    bool along_k = fragment->columns == (fragment->use == FRAGMENT_B);
    if (bytes == 4 || (bytes == 1 && !along_k)) {
        return elements(fragment, lane, ret_parts);
    }
    bool by_ldmatrix =
        shared && !stores && fragment->use != FRAGMENT_SUM && fragment->type != FRAGMENT_BF16;
    return by_ldmatrix ? whole_lines(fragment, lane, ret_parts) : words(fragment, lane, ret_parts);
}
