// What a class brings with it as text: a roster, Gradescope's table, and names of files.
#include <string.h>

#include "class/intake/csv.h"
#include "class/intake/gradescope.h"
#include "class/intake/names.h"
#include "fuzz.h"

static void record_look(void *context, const struct gradescope_record *record) {
    (void)context;
    fuzz_demand(record->submitter_count <= GRADESCOPE_SUBMITTERS_MAX, "no more submitters");
    fuzz_demand(strlen(record->folder) < GRADESCOPE_TEXT_BYTES, "a text that ends");
}

static void table_look(const struct csv *csv, const char *text, size_t bytes) {
    for (int i = 0; i < csv->row_count; i++) {
        fuzz_demand(csv->row[i].count > 0 && csv->row[i].count <= CSV_COLUMNS_MAX, "cells");
        for (int j = 0; j < csv->row[i].count; j++) {
            const char *cell = csv_cell(&csv->row[i], j);
            fuzz_demand(cell >= text && cell + strlen(cell) <= text + bytes, "a cell of the text");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    struct platform_name name;
    struct csv csv;
    char *text = fuzz_text(bytes, count);
    (void)gradescope_read("m.yml", text, record_look, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        if (canvas_name_read(text, i, &name)) {
            (void)canvas_version_cut(name.file);
        }
    }
    (void)moodle_name_read(text, &name);
    fuzz_demand(package_stem(text) <= strlen(text), "a stem");
    if (csv_parse("r.csv", text, count, &csv, NULL) == STATUS_OK) {
        table_look(&csv, csv.text, count);
        csv_done(&csv);
    }
    return 0;
}
