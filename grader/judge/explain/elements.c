// Does an element hold what belongs to another element of C, or a simple multiple or offset of its
// own value?
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/explain/evidence.h"

// So many equal offsets are not rounding errors that happen to be equal.
#define OFFSET_ELEMENTS_MIN 16

static const int32_t element_tiles[] = {2, 4, 8, 16, 32};
static const int32_t shifts[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64};

#define RIVALS 64  // hypotheses tried here, about

struct element_place {
    int64_t row, column;
};

// Where the value of C[row][column] would come from.
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

// True if the element holds the value of the mapped place, which must be inside of C.  Only what is
// turned in a tile at the edge may come from outside: the sum of zeros.
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

// The value of another place of C.
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
