// The files of a class run as JSON: read with a limit, written whole and private.
#ifndef CLASS_RUN_JSON_H
#define CLASS_RUN_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

// Errors: STATUS_BAD_DATA: the file is absent, or not an object with that "schema".
// Owns: the caller releases *ret_root.
enum status class_json_read(const char *path, size_t bytes_max, const char *schema,
                            json_t **ret_root, struct error *err);

// Writes `root` and releases it; NULL means that memory ran out while it was made.
enum status class_json_write(const char *path, json_t *root, struct error *err);

// The text of a key; "" if it has none.
const char *class_json_text(const json_t *object, const char *key);

// The same into text[bytes]; false if it is too long.
bool class_json_copy(const json_t *object, const char *key, char *text, size_t bytes);

#endif
