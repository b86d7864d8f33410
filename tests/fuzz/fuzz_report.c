// What the helpers in the sandbox tell the judge: the report of a build, places, the probe of GPUs.
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/gpu/gpu_info.h"
#include "fuzz.h"
#include "judge/model/verdict.h"

#define PLACES 4

static void report_look(const char *text, size_t count) {
    struct build_report report;
    struct error err = {.text = ""};
    if (build_report_parse(text, count, &report, &err)) {
        fuzz_demand(err.text[0] != '\0', "a message");
        return;
    }
    fuzz_demand(report.fault < BUILD_FAULT_COUNT && report.line >= 0, "a fault that there is");
    fuzz_demand(memchr(report.text, '\0', sizeof report.text) != NULL, "a text that ends");
    fuzz_demand(report.shared.count <= SHARED_ARRAYS_MAX, "a table that fits");
    for (uint32_t i = 0; i < report.shared.count; i++) {
        const struct shared_array *array = &report.shared.array[i];
        fuzz_demand(array->rank <= ARRAY_RANK_MAX && memchr(array->name, '\0', ARRAY_NAME_MAX),
                    "an array that fits");
    }
    build_report_done(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static struct gpu_info info;
    struct build_place places[PLACES];
    struct size size;
    struct error err = {.text = ""};
    enum verdict verdict;
    char *text = fuzz_text(bytes, count);
    report_look(text, count);
    build_locate_parse(text, PLACES, places);
    for (int i = 0; i < PLACES; i++) {
        fuzz_demand(places[i].line > 0 || places[i].column == 0, "a column of a line");
    }
    if (!gpu_info_parse(text, &info, &err)) {
        fuzz_demand(info.gpu_count >= 0 && info.gpu_count <= GPUS_MAX, "GPUs that fit");
    }
    if (!size_parse(text, &size, &err)) {
        fuzz_demand(size.m >= 1 && size.n >= 1 && size.k >= 1, "a size of at least 1");
    }
    (void)verdict_parse(text, &verdict);
    free(text);
    return 0;
}
