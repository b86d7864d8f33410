// Pictures as numbers; the reports draw them.
#include "judge/result_views.h"

static json_t *row_json(const struct wrong_tiles *tiles, int32_t row, bool *failed) {
    json_t *array = json_array();
    for (int32_t column = 0; column < tiles->columns; column++) {
        *failed |= json_array_append_new(array, json_integer(tiles->count[row][column])) != 0;
    }
    return array;
}

json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles) {
    bool failed = false;
    json_t *rows = json_array();
    for (int32_t row = 0; row < tiles->rows; row++) {
        failed |= json_array_append_new(rows, row_json(tiles, row, &failed)) != 0;
    }
    json_t *object = json_pack("{s:[i, i, i], s:i, s:I, s:o}", "size", tiles->size.m, tiles->size.n,
                               tiles->size.k, "edge", tiles->edge, "wrong",
                               (json_int_t)tiles->wrong, "rows", rows);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}
