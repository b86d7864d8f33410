// What NVIDIA's tools print around a student's kernel, whose own output is in it.
#include <stdlib.h>

#include "device/nvidia/ncu.h"
#include "device/nvidia/sanitizer.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const char *const metrics[] = {"gpu__time_duration.sum", "sm__cycles_active.avg",
                                          "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"};
    static struct sanitizer_report report;
    double values[3];
    char *text = fuzz_text(bytes, count);
    fuzz_demand(ncu_parse(text, metrics, 3, values) < NCU_TROUBLE_COUNT, "a trouble that there is");
    sanitizer_parse(text, "submission.cu", &report);
    fuzz_demand(report.count >= 0 && report.count <= SANITIZER_FINDINGS_MAX, "findings that fit");
    for (int i = 0; i < report.count; i++) {
        fuzz_demand(report.finding[i].kind < FINDING_KIND_COUNT, "a kind that there is");
    }
    free(text);
    return 0;
}
