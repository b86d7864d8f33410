// Launches whose result is checked: the references are right at awkward sizes, and each way in
// which a kernel can fail gets its own verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "judge/model/inputs.h"

#define LAUNCH_MS 500

static const char *const exercises[] = {"naive", "tiled", "register_tiled", "challenge"};

static void right_kernel(struct rig *rig, const char *exercise) {
    static const struct size sizes[] = {{1, 1, 1},         {33, 65, 129},     {67, 33, 128},
                                        {1, 513, 77},      {513, 1, 64},      {257, 255, 1},
                                        {512, 512, 512},   {500, 500, 500},   {1023, 1025, 257},
                                        {100, 100, 10000}, {2048, 2048, 2048}};
    struct run_program program;
    struct run_worker worker;
    char *text = rig_reference(rig, exercise);
    bool built = rig_build(rig, exercise, text, &program);
    free(text);
    if (!built) {
        return;
    }
    rig_driver_choose();
    run_worker_init(&worker, &program);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct planned_case planned = {
            .size = sizes[i], .inputs = INPUTS_EXACT, .key = {{i, 12}}};
        struct run_outcome outcome;
        struct error err = {.text = ""};
        char size[SIZE_TEXT_MAX];
        double begin = rig_now_ms();
        rig_check(run_case(&worker, &planned, REQUEST_RELOAD, &outcome, &err), &err);
        size_format(sizes[i], size);
        rig_row(rig, outcome.verdict == VERDICT_PASS, "%-14s %-14s %-12s %7.1f ms %s", exercise,
                size, verdict_name(outcome.verdict), rig_now_ms() - begin, outcome.text);
    }
    run_worker_stop(&worker);
    run_program_done(&program);
}

void check_right_kernels(struct rig *rig) {
    for (size_t i = 0; i < sizeof exercises / sizeof *exercises; i++) {
        right_kernel(rig, exercises[i]);
    }
}

// --- Wrong kernels ------------------------------------------------------------------------------

#define CONFIG(text) "LAUNCH_CONFIG(matmul_x, M, N, K) { " text " }\n"
#define ONE_BLOCK    CONFIG("launch->block = dim3(32); launch->grid = dim3(1);")
#define SHARED(kib)                                                                                \
    CONFIG("launch->block = dim3(32); launch->grid = dim3(1); launch->shared_bytes = " #kib        \
           " << 10;")

static const struct wrong {
    const char *name;
    const char *body;    // the body of the kernel
    const char *config;  // the launch configuration
    uint32_t end;
    int finding;  // -1: none, -2: any
    uint32_t bad_launch;
    uint32_t guard;
} wrongs[] = {
    {"wild address", "C[1ull << 40] = A[0];", ONE_BLOCK, RUN_CRASHED, FINDING_OUT_OF_BOUNDS, 0, 0},
    {"misaligned", "((float4 *)(C + 1))[threadIdx.x] = make_float4(1, 2, 3, 4);", ONE_BLOCK,
     RUN_CRASHED, FINDING_MISALIGNED, 0, 0},
    {"trap", "__trap();", ONE_BLOCK, RUN_CRASHED, FINDING_CRASH, 0, 0},
    {"assert", "assert(M < 0);", ONE_BLOCK, RUN_CRASHED, FINDING_CRASH, 0, 0},
    {"endless loop", "while (((volatile float *)C)[0] != 3.5f) { }", ONE_BLOCK, RUN_STOPPED,
     FINDING_TIME_LIMIT, 0, 0},
    {"write past C", "C[M * N + threadIdx.x] = 1.0f;", ONE_BLOCK, RUN_FINISHED, -1, 0, 4},
    {"write before A", "((float *)A)[-1 - (int)threadIdx.x] = 1.0f;", ONE_BLOCK, RUN_FINISHED, -1,
     0, 1},
    {"1025 threads", "C[0] = 1.0f;", CONFIG("launch->block = dim3(1025); launch->grid = dim3(1);"),
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {"no configuration", "C[0] = 1.0f;", CONFIG(""), RUN_BAD_LAUNCH, -1, BAD_LAUNCH_BLOCK_ZERO, 0},
    {"49 KiB shared", "extern __shared__ float s[]; s[12543] = 1.0f; C[0] = s[12543];", SHARED(49),
     RUN_FINISHED, -1, 0, 0},
    {"99 KiB shared", "extern __shared__ float s[]; s[25343] = 1.0f; C[0] = s[25343];", SHARED(99),
     RUN_FINISHED, -1, 0, 0},
    {"228 KiB shared", "C[0] = 1.0f;", SHARED(228), RUN_BAD_LAUNCH, -1, BAD_LAUNCH_SHARED, 0},
    {"config traps", "C[0] = 1.0f;", CONFIG("__trap();"), RUN_BAD_LAUNCH, -1,
     BAD_LAUNCH_CONFIG_FAILED, 0},
    {"config loops", "C[0] = 1.0f;", CONFIG("while (((volatile int *)launch)[0] != 7) { }"),
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_CONFIG_FAILED, 0},
    // An H200 reports a stack overflow as an illegal address; only the CPU device says more.
    {"deep recursion", "C[0] = deep(M * 100000, C);", ONE_BLOCK, RUN_CRASHED, FINDING_OUT_OF_BOUNDS,
     0, 0},
    {"shared overflow",
     "__shared__ volatile float s[32]; s[M * 100000 + threadIdx.x] = 1.0f; C[0] = s[0];", ONE_BLOCK,
     RUN_CRASHED, -2, 0, 0},
    // 512 KiB for each of the threads that fit: more than any GPU has.
    {"too much local memory",
     "volatile float x[131072]; x[M * 99 % 131072] = A[0]; C[0] = x[N * 77 % 131072];", ONE_BLOCK,
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_RESOURCES, 0},
    {"prints a lot", "for (int i = 0; i < 10000; ++i) printf(\"%d\\n\", i); C[0] = 1.0f;",
     ONE_BLOCK, RUN_FINISHED, -1, 0, 0},
    {"two launches", "C[threadIdx.x] = 1.0f;",
     CONFIG("launch->workspace_bytes = 128; LAUNCH(other, 1, 32); LAUNCH(matmul_x, 2, 32);"),
     RUN_FINISHED, -1, 0, 0},
    {"dependent launch", "C[threadIdx.x] = 1.0f;",
     CONFIG("launch->workspace_bytes = 128; LAUNCH(other, 1, 32); "
            "LAUNCH_DEPENDENT(matmul_x, 2, 32);"),
     RUN_FINISHED, -1, 0, 0},
    {"first launch dependent", "C[0] = 1.0f;", CONFIG("LAUNCH_DEPENDENT(matmul_x, 1, 32);"),
     RUN_FINISHED, -1, 0, 0},
    {"write past the workspace", "C[threadIdx.x] = 1.0f;",
     CONFIG("launch->workspace_bytes = 64; LAUNCH(matmul_x, 2, 32); LAUNCH(other, 1, 32);"),
     RUN_FINISHED, -1, 0, 1u << ARRAY_WORKSPACE},
    {"no workspace", "C[threadIdx.x] = 1.0f;", CONFIG("LAUNCH(other, 1, 32);"), RUN_CRASHED,
     FINDING_OUT_OF_BOUNDS, 0, 0},
    {"five launches", "C[0] = 1.0f;",
     CONFIG("for (int i = 0; i < 5; ++i) { LAUNCH(matmul_x, 1, 32); }"), RUN_BAD_LAUNCH, -1,
     BAD_LAUNCH_TOO_MANY, 0},
    {"too much workspace", "C[0] = 1.0f;",
     CONFIG("launch->workspace_bytes = WORKSPACE_BYTES_MAX + 1ull; LAUNCH(other, 1, 32);"),
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_WORKSPACE, 0},
    {"second launch too large", "C[0] = 1.0f;",
     CONFIG("LAUNCH(matmul_x, 1, 32); LAUNCH(matmul_x, 1, 1025);"), RUN_BAD_LAUNCH, -1,
     BAD_LAUNCH_BLOCK_TOO_LARGE, 0},
    {"reads past A", "C[threadIdx.x] = A[M * K + threadIdx.x];", ONE_BLOCK, RUN_FINISHED, -1, 0, 0},
};

static void wrong_text(const struct wrong *wrong, char *text, size_t bytes) {
    (void)snprintf(text, bytes,
                   "#include \"matmul.cuh\"\n#include <assert.h>\n#include <stdio.h>\n"
                   "__device__ __noinline__ float deep(int n, volatile float *p) { float x[64]; "
                   "for (int i = 0; i < 64; ++i) x[i] = p[i %% 7]; "
                   "return n == 0 ? 0.0f : x[n %% 64] + deep(n - 1, p) + x[(n * 7) %% 64]; }\n"
                   "__global__ void other(const float *A, const float *B, float *C, int M, int N, "
                   "int K, float *workspace) { workspace[threadIdx.x] = 1.0f; }\n"
                   "__global__ void matmul_x(const float *A, const float *B, float *C, int M, "
                   "int N, int K) {\n%s\n}\n%s",
                   wrong->body, wrong->config);
}

static void wrong_kernel(struct rig *rig, const struct wrong *wrong) {
    static char text[8192];
    static float matrix[64 * 64];
    const struct size size = {.m = 64, .n = 64, .k = 64};
    const struct request request = {.kind = REQUEST_LAUNCH,
                                    .size = size,
                                    .arguments = arguments_of(signature_of_matmul(), size, NULL),
                                    .time_ms_max = LAUNCH_MS};
    const void *const before[ARGUMENTS_MAX] = {matrix, matrix, matrix};
    struct run_program program;
    struct run_worker worker;
    struct run_reply reply;
    struct error err = {.text = ""};
    wrong_text(wrong, text, sizeof text);
    if (!rig_build(rig, "x", text, &program)) {
        return;
    }
    rig_driver_choose();
    run_worker_init(&worker, &program);
    double begin = rig_now_ms();
    rig_check(run_worker_launch(&worker, &request, before, &reply, &err), &err);
    const struct answer *answer = &reply.answer;
    int finding = answer->findings.count > 0 ? (int)answer->findings.list[0].kind : -1;
    bool good = reply.fate == FATE_ANSWERED && answer->end == wrong->end &&
                (finding == wrong->finding || wrong->finding == -2) &&
                answer->bad_launch == wrong->bad_launch && answer->guard_damaged == wrong->guard;
    rig_row(rig, good, "%-21s fate %d end %u finding %s bad_launch %u guard %u %7.1f ms  %s",
            wrong->name, reply.fate, answer->end,
            finding < 0 ? "-" : finding_kind_name((uint32_t)finding), answer->bad_launch,
            answer->guard_damaged, rig_now_ms() - begin, answer->text);
    run_worker_stop(&worker);
    run_program_done(&program);
}

void check_wrong_kernels(struct rig *rig) {
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        wrong_kernel(rig, &wrongs[i]);
    }
}
