// report.json is written next to student code, so the judge trusts nothing in it: every name,
// number and length is checked, and a malformed report is a failure of ours, never a verdict.
#include "device/build_report.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

const char *build_fault_name(enum build_fault fault) {
    static const char *const names[BUILD_FAULT_COUNT] = {
        [BUILD_FAULT_NONE] = "none",
        [BUILD_FAULT_ERROR] = "error",
        [BUILD_FAULT_NOT_ALLOWED] = "not_allowed",
        [BUILD_FAULT_NO_KERNEL] = "no_kernel",
        [BUILD_FAULT_BAD_SIGNATURE] = "bad_signature",
        [BUILD_FAULT_BAD_CONFIG] = "bad_config",
        [BUILD_FAULT_NO_CONFIG] = "no_config",
        [BUILD_FAULT_NEEDS_GPU] = "needs_gpu",
        [BUILD_FAULT_MEMORY] = "memory",
    };
    return (unsigned)fault < BUILD_FAULT_COUNT ? names[fault] : "unknown";
}

void build_report_done(struct build_report *report) {
    free(report->diagnostics);
    report->diagnostics = NULL;
}

void build_report_fault(struct build_report *report, enum build_fault fault, int line,
                        const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words_vwrite(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    words_clean(report->text);
    report->fault = fault;
    report->line = line;
}

// --- Writing ----------------------------------------------------------------------------

static json_t *array_pack(const struct shared_array *array) {
    json_t *extent = json_array();
    for (uint32_t i = 0; i < array->rank; i++) {
        (void)json_array_append_new(extent, json_integer(array->extent[i]));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:b}", "name", array->name, "offset",
                     (json_int_t)array->offset, "bytes", (json_int_t)array->bytes, "element_bytes",
                     (json_int_t)array->element_bytes, "extent", extent, "dynamic",
                     (int)array->is_dynamic);
}

static json_t *report_pack(const struct build_report *report) {
    json_t *shared = json_array();
    for (uint32_t i = 0; i < report->shared.count; i++) {
        if (json_array_append_new(shared, array_pack(&report->shared.array[i])) != 0) {
            json_decref(shared);
            return NULL;
        }
    }
    json_t *constants = json_array();
    for (uint32_t i = 0; i < report->constant_count; i++) {
        const struct constant_array *constant = &report->constant[i];
        (void)json_array_append_new(constants, json_pack("{s:s, s:I, s:I}", "name", constant->name,
                                                         "address", (json_int_t)constant->address,
                                                         "bytes", (json_int_t)constant->bytes));
    }
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:I, s:s, s:i, s:i, s:i, s:o, s:o}",
                     "fault", build_fault_name(report->fault), "line", report->line, "text",
                     report->text, "diagnostics", report->diagnostics ? report->diagnostics : "",
                     "threads_max", (int)report->threads_max, "bounds_line", report->bounds_line,
                     "registers", report->registers, "local_bytes", (json_int_t)report->local_bytes,
                     "local_name", report->local_name, "registers_max", (int)report->registers_max,
                     "waits_line", report->waits_line, "patterns", (int)report->has_patterns,
                     "shared", shared, "constants", constants);
}

enum status build_report_write(const char *path, const struct build_report *report,
                               struct error *err) {
    json_t *json = report_pack(report);
    if (!json) {
        return fail(err, STATUS_SYSTEM, "%s: a text is not UTF-8", path);
    }
    char *text = json_dumps(json, JSON_INDENT(1));
    enum status status = file_write(path, text, strlen(text), err);
    free(text);
    json_decref(json);
    return status;
}

// --- Reading ----------------------------------------------------------------------------

static enum status field_bad(struct error *err, const char *field) {
    return fail(err, STATUS_SYSTEM, "%s: field '%s' is missing or wrong", BUILD_REPORT, field);
}

static bool number_get(const json_t *object, const char *field, json_int_t max,
                       json_int_t *ret_number) {
    const json_t *value = json_object_get(object, field);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > max) {
        return false;
    }
    *ret_number = json_integer_value(value);
    return true;
}

static bool fault_get(const json_t *object, enum build_fault *ret_fault) {
    const char *name = json_string_value(json_object_get(object, "fault"));
    for (int i = 0; name && i < BUILD_FAULT_COUNT; i++) {
        if (strcmp(name, build_fault_name((enum build_fault)i)) == 0) {
            *ret_fault = (enum build_fault)i;
            return true;
        }
    }
    return false;
}

static bool name_get(const json_t *object, char name[ARRAY_NAME_MAX]) {
    const char *text = json_string_value(json_object_get(object, "name"));
    size_t length = text ? strlen(text) : 0;
    if (length == 0 || length >= ARRAY_NAME_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)text[i];
        if (!isalnum(letter) && letter != '_' && letter < 0x80) {
            return false;
        }
    }
    memcpy(name, text, length + 1);
    return true;
}

// Offsets and sizes: far above any real one, and far below where sums overflow.
#define ARRAY_BYTES_MAX (1 << 30)

static bool array_get(const json_t *object, struct shared_array *array) {
    json_int_t offset;
    json_int_t bytes;
    json_int_t element;
    const json_t *dynamic = json_object_get(object, "dynamic");
    const json_t *extent = json_object_get(object, "extent");
    size_t rank = json_array_size(extent);
    if (!name_get(object, array->name) || !number_get(object, "offset", ARRAY_BYTES_MAX, &offset) ||
        !number_get(object, "bytes", ARRAY_BYTES_MAX, &bytes) ||
        !number_get(object, "element_bytes", ARRAY_BYTES_MAX, &element) ||
        !json_is_boolean(dynamic) || !json_is_array(extent) || rank > ARRAY_RANK_MAX) {
        return false;
    }
    array->offset = (uint64_t)offset;
    array->bytes = (uint64_t)bytes;
    array->element_bytes = (uint32_t)element;
    array->is_dynamic = json_is_true(dynamic);
    array->rank = (uint32_t)rank;
    for (size_t i = 0; i < rank; i++) {
        json_int_t count = json_integer_value(json_array_get(extent, i));
        if (count < 0 || count > ARRAY_BYTES_MAX) {
            return false;
        }
        array->extent[i] = (uint32_t)count;
    }
    return true;
}

static enum status shared_get(const json_t *root, struct shared_array_table *table,
                              struct error *err) {
    const json_t *list = json_object_get(root, "shared");
    size_t count = json_array_size(list);
    if ((list && !json_is_array(list)) || count > SHARED_ARRAYS_MAX) {
        return field_bad(err, "shared");
    }
    for (size_t i = 0; i < count; i++) {
        if (!array_get(json_array_get(list, i), &table->array[i])) {
            return field_bad(err, "shared");
        }
    }
    table->count = (uint32_t)count;
    return STATUS_OK;
}

static enum status constants_get(const json_t *root, struct build_report *report,
                                 struct error *err) {
    const json_t *list = json_object_get(root, "constants");
    size_t count = json_array_size(list);
    if ((list && !json_is_array(list)) || count > CONSTANT_ARRAYS_MAX) {
        return field_bad(err, "constants");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(list, i);
        struct constant_array *constant = &report->constant[i];
        json_int_t address;
        json_int_t bytes;
        if (!name_get(object, constant->name) ||
            !number_get(object, "address", INT64_MAX, &address) ||
            !number_get(object, "bytes", ARRAY_BYTES_MAX, &bytes)) {
            return field_bad(err, "constants");
        }
        constant->address = (uint64_t)address;
        constant->bytes = (uint64_t)bytes;
    }
    report->constant_count = (uint32_t)count;
    return STATUS_OK;
}

// An omitted field is 0.
static enum status number_of(const json_t *root, const char *field, json_int_t max,
                             json_int_t *ret_number, struct error *err) {
    *ret_number = 0;
    if (json_object_get(root, field) && !number_get(root, field, max, ret_number)) {
        return field_bad(err, field);
    }
    return STATUS_OK;
}

static enum status numbers_get(const json_t *root, struct build_report *report, struct error *err) {
    json_int_t line = 0;
    json_int_t threads = 0;
    json_int_t kernel = 0;
    json_int_t registers = 0;
    json_int_t registers_max = 0;
    json_int_t local_bytes = 0;
    json_int_t waits = 0;
    json_int_t patterns = 0;
    enum status status = number_of(root, "line", SOURCE_BYTES_MAX + 1, &line, err);
    if (!status) {
        status = number_of(root, "threads_max", THREADS_MAX, &threads, err);
    }
    if (!status) {
        status = number_of(root, "bounds_line", SOURCE_BYTES_MAX + 1, &kernel, err);
    }
    if (!status) {
        status = number_of(root, "registers", REGISTERS_MAX, &registers, err);
    }
    if (!status) {
        status = number_of(root, "registers_max", REGISTERS_OF_SM, &registers_max, err);
    }
    if (!status) {
        status = number_of(root, "waits_line", SOURCE_BYTES_MAX + 1, &waits, err);
    }
    if (!status) {
        status = number_of(root, "patterns", 1, &patterns, err);
    }
    if (!status) {
        status = number_of(root, "local_bytes", UINT32_MAX, &local_bytes, err);
    }
    if (!status) {
        report->line = (int)line;
        report->threads_max = (uint32_t)threads;
        report->bounds_line = (int)kernel;
        report->registers = (int)registers;
        report->registers_max = (uint32_t)registers_max;
        report->waits_line = (int)waits;
        report->has_patterns = patterns != 0;
        report->local_bytes = (uint32_t)local_bytes;
    }
    return status;
}

static enum status report_get(const json_t *root, struct build_report *report, struct error *err) {
    const char *text = json_string_value(json_object_get(root, "text"));
    const char *diagnostics = json_string_value(json_object_get(root, "diagnostics"));
    if (!fault_get(root, &report->fault)) {
        return field_bad(err, "fault");
    }
    enum status status = numbers_get(root, report, err);
    if (status) {
        return status;
    }
    if (!text) {
        return field_bad(err, "text");
    }
    (void)snprintf(report->text, sizeof report->text, "%.*s", ERROR_TEXT_MAX - 1, text);
    words_clean(report->text);
    report->diagnostics = xstrndup(diagnostics ? diagnostics : "", DIAGNOSTICS_MAX);
    words_clean(report->diagnostics);
    const char *local = json_string_value(json_object_get(root, "local_name"));
    (void)snprintf(report->local_name, sizeof report->local_name, "%s", local ? local : "");
    text_clean(report->local_name);
    status = constants_get(root, report, err);
    return status ? status : shared_get(root, &report->shared, err);
}

enum status build_report_parse(const char *text, size_t bytes, struct build_report *ret_report,
                               struct error *err) {
    json_error_t problem;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(root)) {
        json_decref(root);
        return fail(err, STATUS_SYSTEM, "%s: is not a report", BUILD_REPORT);
    }
    struct build_report report;
    memset(&report, 0, sizeof report);
    enum status status = report_get(root, &report, err);
    json_decref(root);
    if (status) {
        build_report_done(&report);
        return status;
    }
    *ret_report = report;
    return STATUS_OK;
}
