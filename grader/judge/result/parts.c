// Puts keys and values of result.json one by one: see parts.h.
#include "judge/result/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

void result_put(json_t *object, const char *key, json_t *value, bool *failed) {
    *failed |= json_object_set_new(object, key, value) != 0;
}

void result_put_text(json_t *object, const char *key, const char *text, bool *failed) {
    char *clean = strdup(text);
    if (clean) {
        text_end(clean);  // it may end in the middle of a character
        text_clean(clean);
    }
    result_put(object, key, clean ? json_string(clean) : NULL, failed);
    free(clean);
}

void result_put_integer(json_t *object, const char *key, int64_t value, bool *failed) {
    result_put(object, key, json_integer(value), failed);
}

void result_append(json_t *array, json_t *value, bool *failed) {
    *failed |= json_array_append_new(array, value) != 0;
}

json_t *result_triple_json(int64_t x, int64_t y, int64_t z) {
    return json_pack("[I, I, I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
}

json_t *result_size_json(struct size size) {
    int rank = size_rank(size);
    json_t *list = json_array();
    bool failed = false;
    for (int i = 0; i < (rank > 0 ? rank : 3); i++) {
        result_append(list, json_integer(size.at[i]), &failed);
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}
