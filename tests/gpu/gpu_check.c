// Checks the GPU device on a machine that has a GPU: real workers, real launches, one table.
//
//     gpu_check PROGRAMS INCLUDE REFERENCE [right|wrong|pairs]
//
// The first three are folders.  Exit code 0 where every row is as expected.
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "device/build_report.h"
#include "device/gpu_info.h"
#include "device/session.h"
#include "judge/inputs.h"
#include "judge/oracle.h"
#include "measure/pairs.h"

#define DEADLINE_MS 30000
#define LAUNCH_MS   2000

static const char *programs, *include, *reference;
static char scratch[PATH_BYTES_MAX];
static struct gpu_info info;
static int failures;

struct worker {
    struct session session;
    pid_t pid;
};

struct matrices {
    struct size size;
    float *a, *b, *c, *poison;
};

// Lets a child find another libcuda.so.1, such as fake_cuda.c; NVRTC itself must not see it.
static void driver_choose(void) {
    const char *folder = getenv("GPU_CHECK_DRIVER");
    if (folder) {
        (void)setenv("LD_LIBRARY_PATH", folder, 1);
    }
}

// --- Processes --------------------------------------------------------------------------------

static void check(enum status status, const struct error *err) {
    if (status) {
        fprintf(stderr, "gpu_check: %s\n", err->text);
        exit(3);
    }
}

static int run(char *const *arguments, char *output, size_t output_bytes) {
    int ends[2];
    if (pipe(ends) != 0) {
        exit(3);
    }
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], 1);
        (void)dup2(ends[1], 2);
        (void)close(ends[0]);
        if (arguments[2] == NULL) {
            driver_choose();
        }
        if (chdir(scratch) == 0) {
            execv(arguments[0], arguments);
        }
        _exit(127);
    }
    (void)close(ends[1]);
    size_t used = 0;
    ssize_t got = 0;
    while ((got = read(ends[0], output + used, output_bytes - 1 - used)) > 0) {
        used += (size_t)got;
    }
    output[used] = '\0';
    (void)close(ends[0]);
    int state = 0;
    (void)waitpid(pid, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128;
}

// Compiles a file to scratch/name.cubin.  Returns the fault's name; the report's text goes to
// stderr.
static const char *compile(const char *source, const char *kernel, const char *name) {
    char program[PATH_BYTES_MAX], cubin[PATH_BYTES_MAX], report_path[PATH_BYTES_MAX], output[4096];
    struct error err;
    struct build_report report;
    char *text = NULL;
    size_t bytes = 0;
    check(path_make(program, &err, "%s/tilegrade-nvrtc", programs), &err);
    check(path_make(cubin, &err, "%s/%s.cubin", scratch, name), &err);
    check(path_make(report_path, &err, "%s/" BUILD_REPORT, scratch), &err);
    (void)unlink(report_path);
    char *arguments[] = {
        program, (char *)source, (char *)kernel, info.gpus[0].architecture, cubin, (char *)include,
        NULL};
    if (run(arguments, output, sizeof output) != 0) {
        fprintf(stderr, "%s: %s\n", name, output);
        return "nvrtc failed";
    }
    check(file_read(report_path, BUILD_REPORT_BYTES_MAX, &text, &bytes, &err), &err);
    check(build_report_parse(text, bytes, &report, &err), &err);
    const char *fault = build_fault_name(report.fault);
    if (report.fault != BUILD_FAULT_NONE) {
        fprintf(stderr, "%s: line %d %s\n%s\n", name, report.line, report.text, report.diagnostics);
    }
    build_report_done(&report);
    free(text);
    return fault;
}

static void worker_start(struct worker *worker, const char *name, const char *kernel) {
    char program[PATH_BYTES_MAX], cubin[PATH_BYTES_MAX];
    struct error err;
    static const struct shared_array_table none;
    static struct answer answer;
    enum session_end end;
    check(path_make(program, &err, "%s/tilegrade-gpu-worker", programs), &err);
    check(path_make(cubin, &err, "%s/%s.cubin", scratch, name), &err);
    check(session_open(&worker->session, &err), &err);
    worker->pid = fork();
    if (worker->pid == 0) {
        int socket = fcntl(worker->session.worker_fd, F_DUPFD, 10);
        int matrices = fcntl(worker->session.matrices_fd, F_DUPFD, 10);
        (void)dup2(socket, PROTOCOL_SOCKET_FD);
        (void)dup2(matrices, PROTOCOL_MATRICES_FD);
        int quiet = open("/dev/null", O_WRONLY);
        (void)dup2(quiet, 1);
        for (int fd = 5; fd < 64; fd++) {
            (void)close(fd);
        }
        char *arguments[] = {program, cubin, (char *)kernel, "0", NULL};
        driver_choose();
        execv(program, arguments);
        _exit(127);
    }
    session_started(&worker->session);
    check(session_setup(&worker->session, &none, DEADLINE_MS, &end, &answer, &err), &err);
    if (end != SESSION_ANSWERED || answer.end != RUN_FINISHED) {
        fprintf(stderr, "gpu_check: %s: set-up ended with %d/%u %s\n", name, end, answer.end,
                answer.text);
    }
}

static void worker_stop(struct worker *worker) {
    session_close(&worker->session);
    for (int i = 0; i < 200; i++) {
        if (waitpid(worker->pid, NULL, WNOHANG) == worker->pid) {
            return;
        }
        (void)usleep(10000);
    }
    (void)kill(worker->pid, SIGKILL);
    (void)waitpid(worker->pid, NULL, 0);
}

// --- Matrices ---------------------------------------------------------------------------------

static struct matrices matrices_new(struct size size) {
    struct matrices m = {.size = size};
    m.a = malloc(size_elements_a(size) * sizeof(float));
    m.b = malloc(size_elements_b(size) * sizeof(float));
    m.c = malloc(size_elements_c(size) * sizeof(float));
    m.poison = malloc(size_elements_c(size) * sizeof(float));
    if (!m.a || !m.b || !m.c || !m.poison) {
        exit(3);
    }
    poison_fill(m.poison, size_elements_c(size));
    return m;
}

static void matrices_free(struct matrices *m) {
    free(m->a);
    free(m->b);
    free(m->c);
    free(m->poison);
}

static struct random_key key_of(int number) {
    char label[32];
    (void)snprintf(label, sizeof label, "gpu_check/%d", number);
    return random_key_make((struct seed){{1, 2}}, label);
}

static double now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// --- Right kernels ----------------------------------------------------------------------------

static const char *launch_verified(struct worker *worker, struct matrices *m, int number,
                                   uint32_t flags, struct answer *ret_answer, double *ret_wall_ms) {
    struct request request = {.size = m->size, .flags = flags, .time_ms_max = LAUNCH_MS};
    struct oracle_report report;
    struct error err;
    enum session_end end;
    inputs_fill(INPUTS_EXACT, key_of(number), m->size, m->a, m->b);
    double begin = now_ms();
    check(session_launch(&worker->session, &request, m->a, m->b, m->poison, DEADLINE_MS, &end,
                         ret_answer, &err),
          &err);
    *ret_wall_ms = now_ms() - begin;
    if (end != SESSION_ANSWERED) {
        return "no answer";
    }
    if (ret_answer->end != RUN_FINISHED) {
        return ret_answer->text;
    }
    check(session_fetch(&worker->session, m->size, ARRAY_C, m->c, &err), &err);
    check(oracle_check(INPUTS_EXACT, key_of(number), m->size, m->a, m->b, m->c, &report, &err),
          &err);
    return report.verdict != VERDICT_PASS   ? verdict_name(report.verdict)
           : ret_answer->guard_damaged != 0 ? "guard damaged"
                                            : "pass";
}

static void right_kernels(const char *exercise) {
    static const struct size sizes[] = {
        {1, 1, 1}, {33, 65, 129}, {67, 33, 129}, {1023, 1025, 257}, {512, 512, 512}};
    char source[PATH_BYTES_MAX], kernel[PATH_BYTES_MAX];
    struct error err;
    struct worker worker;
    static struct answer answer;
    check(path_make(source, &err, "%s/%s.cu", reference, exercise), &err);
    check(path_make(kernel, &err, "matmul_%s", exercise), &err);
    const char *fault = compile(source, kernel, exercise);
    if (strcmp(fault, "none") != 0) {
        printf("FAIL %-14s build: %s\n", exercise, fault);
        failures++;
        return;
    }
    worker_start(&worker, exercise, kernel);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct matrices m = matrices_new(sizes[i]);
        char text[SIZE_TEXT_MAX];
        double wall_ms = 0.0;
        size_format(m.size, text);
        const char *verdict =
            launch_verified(&worker, &m, (int)i, REQUEST_TIME | REQUEST_RELOAD, &answer, &wall_ms);
        bool good = strcmp(verdict, "pass") == 0 && answer.elapsed_ns > 0;
        failures += !good;
        printf("%s %-14s %-14s %-12s %8.3f us, request %6.2f ms, grid %ux%u block %ux%u\n",
               good ? "ok  " : "FAIL", exercise, text, verdict, (double)answer.elapsed_ns / 1e3,
               wall_ms, answer.grid[0], answer.grid[1], answer.block[0], answer.block[1]);
        matrices_free(&m);
    }
    worker_stop(&worker);
}

// --- Wrong kernels ----------------------------------------------------------------------------

#define CONFIG(text) "LAUNCH_CONFIG(matmul_x, M, N, K) { " text " }\n"
#define ONE_BLOCK    CONFIG("launch->block = dim3(32); launch->grid = dim3(1);")

static const struct wrong {
    const char *name;
    const char *body;    // of the kernel
    const char *config;  // the launch configuration
    uint32_t end;
    int finding;  // -1: none
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
    {"49 KiB shared", "C[0] = 1.0f;",
     CONFIG("launch->block = dim3(32); launch->grid = dim3(1); launch->shared_bytes = 49 << 10;"),
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_SHARED, 0},
    {"config traps", "C[0] = 1.0f;", CONFIG("__trap();"), RUN_BAD_LAUNCH, -1,
     BAD_LAUNCH_CONFIG_FAILED, 0},
    {"config loops", "C[0] = 1.0f;", CONFIG("while (((volatile int *)launch)[0] != 7) { }"),
     RUN_BAD_LAUNCH, -1, BAD_LAUNCH_CONFIG_FAILED, 0},
    // An H200 reports a stack that runs over as an illegal address; only the CPU device says more.
    {"deep recursion", "C[0] = deep(M * 100000, C);", ONE_BLOCK, RUN_CRASHED, FINDING_OUT_OF_BOUNDS,
     0, 0},
    {"shared overflow",
     "__shared__ volatile float s[32]; s[M * 100000 + threadIdx.x] = 1.0f; C[0] = s[0];", ONE_BLOCK,
     RUN_CRASHED, -2, 0, 0},
    {"prints a lot", "for (int i = 0; i < 10000; ++i) printf(\"%d\\n\", i); C[0] = 1.0f;",
     ONE_BLOCK, RUN_FINISHED, -1, 0, 0},
    {"reads past A", "C[threadIdx.x] = A[M * K + threadIdx.x];", ONE_BLOCK, RUN_FINISHED, -1, 0, 0},
};

static void wrong_kernel(const struct wrong *wrong) {
    static char source[8192];
    static struct answer answer;
    char path[PATH_BYTES_MAX];
    struct error err;
    struct worker worker;
    enum session_end end;
    (void)snprintf(
        source, sizeof source,
        "#include \"matmul.cuh\"\n#include <assert.h>\n#include <stdio.h>\n"
        "__device__ __noinline__ float deep(int n, volatile float *p) { float x[64]; "
        "for (int i = 0; i < 64; ++i) x[i] = p[i %% 7]; "
        "return n == 0 ? 0.0f : x[n %% 64] + deep(n - 1, p) + x[(n * 7) %% 64]; }\n"
        "__global__ void matmul_x(const float *A, const float *B, float *C, int M, int N, "
        "int K) {\n%s\n}\n%s",
        wrong->body, wrong->config);
    check(path_make(path, &err, "%s/wrong.cu", scratch), &err);
    check(file_write(path, source, strlen(source), &err), &err);
    const char *fault = compile(path, "matmul_x", "wrong");
    if (strcmp(fault, "none") != 0) {
        printf("FAIL %-18s build: %s\n", wrong->name, fault);
        failures++;
        return;
    }
    worker_start(&worker, "wrong", "matmul_x");
    struct matrices m = matrices_new((struct size){64, 64, 64});
    struct request request = {.size = m.size, .time_ms_max = 500};
    inputs_fill(INPUTS_EXACT, key_of(1), m.size, m.a, m.b);
    double begin = now_ms();
    check(session_launch(&worker.session, &request, m.a, m.b, m.poison, DEADLINE_MS, &end, &answer,
                         &err),
          &err);
    double wall_ms = now_ms() - begin;
    int finding = answer.findings.count > 0 ? (int)answer.findings.list[0].kind : -1;
    bool good = end == SESSION_ANSWERED && answer.end == wrong->end &&
                (finding == wrong->finding || wrong->finding == -2) &&
                answer.bad_launch == wrong->bad_launch && answer.guard_damaged == wrong->guard;
    failures += !good;
    printf("%s %-18s session %d end %u finding %s/%u bad_launch %u guard %u %7.1f ms  %s\n",
           good ? "ok  " : "FAIL", wrong->name, end, answer.end,
           finding < 0 ? "-" : finding_kind_name((uint32_t)finding),
           finding < 0 ? 0 : answer.findings.list[0].detail, answer.bad_launch,
           answer.guard_damaged, wall_ms, answer.text);
    matrices_free(&m);
    begin = now_ms();
    worker_stop(&worker);
    if (now_ms() - begin > 1900) {
        printf("     (its worker had to be killed)\n");
    }
}

// --- Pairs ------------------------------------------------------------------------------------

struct sides {
    struct worker worker[2];
    struct matrices m;
};

static enum status side_launch(void *context, enum pairs_side side, int pair,
                               struct pairs_sample *ret_sample, struct error *err) {
    struct sides *sides = context;
    static struct answer answer;
    (void)err;
    const char *verdict = launch_verified(&sides->worker[side], &sides->m, pair, REQUEST_TIME,
                                          &answer, &ret_sample->wall_ms);
    ret_sample->event_ms = (double)answer.elapsed_ns / 1e6;
    ret_sample->right = strcmp(verdict, "pass") == 0;
    return STATUS_OK;
}

static void pairs_of(const char *exercise, int n) {
    char kernel[PATH_BYTES_MAX];
    struct error err = {.text = ""};
    static struct pairs_result result;
    static struct sides sides;
    check(path_make(kernel, &err, "matmul_%s", exercise), &err);
    worker_start(&sides.worker[0], exercise, kernel);
    worker_start(&sides.worker[1], exercise, kernel);
    sides.m = matrices_new((struct size){n, n, n});
    struct pairs_io io = {.context = &sides,
                          .launch = side_launch,
                          .least_ms = pairs_least_ms(sides.m.size, info.gpus[0].multiprocessors,
                                                     info.gpus[0].clock_khz)};
    double begin = now_ms();
    enum status status = pairs_measure(&io, 0.98 * 0.97, &result, &err);
    double gflops = 2.0 * (double)size_multiply_adds(sides.m.size) / 1e6;
    bool good = !status && result.right && result.ratio > 0.99 && result.ratio < 1.01;
    failures += !good;
    printf(
        "%s pairs %-14s %5d ratio %.4f [%.4f, %.4f] n=%d attempts %d  %.0f and %.0f GFLOPS, least "
        "%.4f ms, %.1f s %s\n",
        good ? "ok  " : "FAIL", exercise, n, result.ratio, result.low, result.high, result.pairs,
        result.attempts, gflops / result.student_ms, gflops / result.reference_ms, io.least_ms,
        (now_ms() - begin) / 1e3, err.text);
    matrices_free(&sides.m);
    worker_stop(&sides.worker[0]);
    worker_stop(&sides.worker[1]);
}

static bool part_is(const char *part, const char *name) {
    return part[0] == '\0' || strcmp(part, name) == 0;
}

int main(int argc, char **argv) {
    static const char *const exercises[] = {"naive", "tiled", "register_tiled"};
    static const int pair_sizes[] = {512, 1024, 2048, 4096};
    static char output[1 << 20];
    char program[PATH_BYTES_MAX];
    struct error err = {.text = ""};
    const char *part = argc == 5 ? argv[4] : "";
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: gpu_check PROGRAMS INCLUDE REFERENCE\n");
        return 2;
    }
    programs = argv[1];
    include = argv[2];
    reference = argv[3];
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)snprintf(scratch, sizeof scratch, "/tmp/gpu_check.XXXXXX");
    if (!mkdtemp(scratch)) {
        return 3;
    }
    check(path_make(program, &err, "%s/tilegrade-nvrtc", programs), &err);
    char *arguments[] = {program, "--probe", NULL};
    (void)run(arguments, output, sizeof output);
    check(gpu_info_parse(output, &info, &err), &err);
    printf("CUDA %d, NVRTC %d.%d %s %s%s\n", info.driver_version, info.nvrtc_major,
           info.nvrtc_minor, info.nvrtc_path, info.driver_reason, info.nvrtc_reason);
    if (info.gpu_count == 0 || info.nvrtc_major == 0) {
        printf("SKIPPED: no GPU or no NVRTC\n");
        return 0;
    }
    printf("%s %s, %d SMs, %d kHz, pageable memory access %d\n", info.gpus[0].name,
           info.gpus[0].architecture, info.gpus[0].multiprocessors, info.gpus[0].clock_khz,
           info.gpus[0].pageable_memory_access);
    for (size_t i = 0; part_is(part, "right") && i < sizeof exercises / sizeof *exercises; i++) {
        right_kernels(exercises[i]);
    }
    for (size_t i = 0; part_is(part, "wrong") && i < sizeof wrongs / sizeof *wrongs; i++) {
        wrong_kernel(&wrongs[i]);
    }
    for (size_t i = 0; part_is(part, "pairs") && i < sizeof exercises / sizeof *exercises; i++) {
        for (size_t k = 0; k < sizeof pair_sizes / sizeof *pair_sizes; k++) {
            pairs_of(exercises[i], pair_sizes[k]);
        }
    }
    (void)folder_remove(scratch, &err);
    printf("%d rows not as expected\n", failures);
    return failures > 0;
}
