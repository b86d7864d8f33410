// See json.h.
#include "class/run/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "class/folder.h"
#include "judge/result/result.h"

enum status class_json_read(const char *path, size_t bytes_max, const char *schema,
                            json_t **ret_root, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    json_error_t why;
    enum status status = file_read(path, bytes_max, &text, &bytes, err);
    if (status) {
        return status;
    }
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!root) {
        return fail(err, STATUS_BAD_DATA, "%s:%d: not JSON: %s", path, why.line, why.text);
    }
    const char *found = class_json_text(root, "schema");
    if (strcmp(schema, RESULT_SCHEMA) == 0 ? !result_is_known(found) : strcmp(found, schema) != 0) {
        json_decref(root);
        return fail(err, STATUS_BAD_DATA, "%s: not a file of this kind (schema %s)", path, schema);
    }
    *ret_root = root;
    return STATUS_OK;
}

enum status class_json_write(const char *path, json_t *root, struct error *err) {
    char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "%s: no memory", path);
    }
    enum status status = class_file_write(path, text, strlen(text), err);
    free(text);
    return status;
}

const char *class_json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool class_json_copy(const json_t *object, const char *key, char *text, size_t bytes) {
    const char *from = class_json_text(object, key);
    size_t length = strlen(from);
    if (length >= bytes) {
        return false;
    }
    memcpy(text, from, length + 1);
    return true;
}
