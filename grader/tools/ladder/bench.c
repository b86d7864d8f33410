// Builds and loads kernel files on the GPU.  They are the course's own, so nothing here is
// sandboxed.
//
// Order of the measurements: at each size there are rounds, and each round launches every kernel
// once, all on the same inputs.  So a GPU that becomes slower or faster affects all kernels alike.
//
// Before each launch the buffers are refilled and the L2 cache is flushed, as before a timed launch
// of a grade (device/gpu/gpu_timed.h); each output is verified (judge/speed/timed_check.h).
//
// tilegrade-bench: times the references of the course and cuBLAS on one GPU, and prints CSV.
//
//     tilegrade-bench [--root DIR] [--device N] [--launches N] [--exercise NAME] [--real] SIZES
//                     [FILE...]
//
// The references are those of all products with the parameters and the rounding of factors of the
// exercise NAME, or by default of all fp32 products.  With --real the inputs are real numbers, not
// integers.  With --launches 0 each kernel is launched once at each size, so that a profiler can
// watch it.  SIZES are M x N x K with commas between them, such as 2048,4095,33x65x129.  Further
// kernel files are measured as well; they are named after their files.  Lines that begin with #
// describe where and how the times were measured.  A kernel with one wrong output gets no time.
//
// Only kernels of the course are run, so there is no sandbox.  Exit codes are those of tilegrade.
#include "tools/ladder/bench.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "app/options.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "judge/compile/program_build.h"
#include "judge/expected/expected_case.h"
#include "judge/model/inputs.h"
#include "judge/speed/speed.h"
#include "judge/speed/timed_check.h"

// Compiles a file of our own, which is not a kernel file, and returns the cubin, which the caller
// frees.
static enum status bench_own(const struct bench *bench, const char *file, char **ret_cubin,
                             size_t *ret_bytes, struct error *err) {
    char architecture[64];
    const char *const options[] = {architecture, "-std=c++17", NULL};
    struct nvrtc_output output = {.compiled = false};
    char *source = NULL;
    (void)snprintf(architecture, sizeof architecture, "--gpu-architecture=%s",
                   bench->machine.gpu.architecture);
    enum status status = gpu_helper_source(bench->places->device.include, file, &source, err);
    if (!status) {
        status = nvrtc_compile(&bench->nvrtc, source, file, options, &output, err);
    }
    if (!status && !output.compiled) {
        status = fail(err, STATUS_SYSTEM, "%s does not compile: %.600s", file, output.log);
    }
    if (!status) {
        *ret_cubin = output.cubin;
        *ret_bytes = output.cubin_bytes;
        output.cubin = NULL;  // the caller owns it now
    }
    nvrtc_output_done(&output);
    free(source);
    return status;
}

// The name in "LAUNCH_CONFIG(name".
static bool kernel_name(const char *source, char name[GPU_KERNEL_NAME_MAX]) {
    static const char mark[] = "\nLAUNCH_CONFIG(";
    const char *at = strstr(source, mark);
    size_t length = 0;
    at = at ? at + strlen(mark) : "";
    while ((isalnum((unsigned char)at[length]) || at[length] == '_') &&
           length + 1 < GPU_KERNEL_NAME_MAX) {
        name[length] = at[length];
        length++;
    }
    name[length] = '\0';
    return length > 0;
}

// Builds the file as the kernel file of an exercise with the kernel's name.
static enum status kernel_build(struct bench *bench, const char *path, const char *source,
                                size_t bytes, struct bench_kernel *added, struct error *err) {
    static const char product[] = "matmul_";
    char cubin[PATH_BYTES_MAX];
    char kernel[GPU_KERNEL_NAME_MAX];
    struct run_program program = {.kind = DEVICE_GPU};
    bool is_matmul = bench->like.signature.is_matmul;
    if (!kernel_name(source, kernel)) {
        return fail(err, STATUS_BAD_DATA, "%s: has no LAUNCH_CONFIG", path);
    }
    if (is_matmul && !text_starts(kernel, product)) {
        return fail(err, STATUS_BAD_DATA, "%s: the kernel %s is not called %s…", path, kernel,
                    product);
    }
    (void)snprintf(bench->like.name, sizeof bench->like.name, "%.*s", NAME_BYTES_MAX - 1,
                   kernel + (is_matmul ? strlen(product) : 0));
    enum status status = run_build(&bench->machine, DEVICE_GPU, &bench->like,
                                   (struct text){source, bytes}, &program, err);
    if (!status && program.report.fault != BUILD_FAULT_NONE) {
        status = fail(err, STATUS_BAD_DATA, "%s:%d: %.400s", path, program.report.line,
                      program.report.text);
    }
    if (!status) {
        status = path_make(cubin, err, "%s/kernel.cubin", program.scratch);
    }
    if (!status) {
        status = gpu_module_read(cubin, kernel, &added->kernel.module, err);
    }
    if (!status) {
        added->registers = (int)program.report.registers;
        status = gpu_kernel_load(&bench->context, &added->kernel, err);
    }
    run_program_done(&program);
    return status;
}

// Builds and loads a kernel file, as a grade does.  Its LAUNCH_CONFIG names its kernel, which has
// the parameters of bench->like.
static enum status bench_add(struct bench *bench, const char *path, const char *name,
                             const char *before, struct error *err) {
    char *source = NULL;
    size_t bytes = 0;
    if (bench->kernel_count == BENCH_KERNELS_MAX) {
        return fail(err, STATUS_BAD_USAGE, "%s: more than %d kernels", path, BENCH_KERNELS_MAX);
    }
    struct bench_kernel *added = &bench->kernel[bench->kernel_count];
    memset(added, 0, sizeof *added);
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    (void)snprintf(added->before, sizeof added->before, "%s", before);
    enum status status = file_read(path, SOURCE_BYTES_MAX, &source, &bytes, err);
    if (!status) {
        status = kernel_build(bench, path, source, bytes, added, err);
    }
    if (!status) {
        bench->kernel_count++;
    }
    free(source);
    return status;
}

static void bench_kernels_done(struct bench *bench) {
    for (int i = 0; i < bench->kernel_count; i++) {
        if (bench->context.open && !bench->context.lost && bench->kernel[i].by == TIMED_BY_KERNEL) {
            gpu_kernel_free(&bench->context, &bench->kernel[i].kernel);
        }
        gpu_module_done(&bench->kernel[i].kernel.module);
    }
    bench->kernel_count = 0;
}

#define WARM_UPS      2
#define LIMIT_MS      60000
#define SUM_MAX       (INT64_C(1) << 24)  // up to it, whole numbers are exact in fp32
#define PEAK_THREADS  256
#define PEAK_BLOCKS   16  // per SM
#define PEAK_CHAINS   16  // as in peak.cu
#define PEAK_ROUNDS   20000
#define PEAK_LAUNCHES 5

static enum status inputs_place(struct bench *bench, struct error *err) {
    char *cubin = NULL;
    size_t bytes = 0;
    enum status status = path_make(bench->timed.helper_path, err, "%s/bench_" BUILD_INPUTS,
                                   bench->places->device.programs);
    if (!status) {
        status = bench_own(bench, "device/gpu/inputs.cu", &cubin, &bytes, err);
    }
    if (!status) {
        status = file_write(bench->timed.helper_path, cubin, bytes, err);
    }
    free(cubin);
    return status;
}

static enum status bench_open(struct bench *bench, int device, struct error *err) {
    int major = 0;
    int minor = 0;
    bench->matrices_fd = memfd_create("products", MFD_CLOEXEC);
    if (bench->matrices_fd < 0) {
        return fail_errno(err, STATUS_SYSTEM, "no memory for the products");
    }
    enum status status = gpu_context_open(&bench->context, device, err);
    if (!status) {
        status = nvrtc_open(&bench->nvrtc, err);
    }
    if (status) {
        return status;
    }
    const struct cuda_api *api = &bench->context.driver.api;
    (void)api->device_attribute(&major, CUDA_DEVICE_CAPABILITY_MAJOR, bench->context.device);
    (void)api->device_attribute(&minor, CUDA_DEVICE_CAPABILITY_MINOR, bench->context.device);
    (void)snprintf(bench->machine.gpu.architecture, sizeof bench->machine.gpu.architecture,
                   "sm_%d%d", major, minor);
    bench->timed.cublas = cublas_open(&bench->context.driver);
    return inputs_place(bench, err);
}

static void bench_close(struct bench *bench) {
    bench_kernels_done(bench);
    gpu_timed_done(&bench->context, &bench->timed);
    gpu_context_close(&bench->context);
    if (bench->matrices_fd >= 0) {
        (void)close(bench->matrices_fd);
    }
}

// --- The multiply-add units ----------------------------------------------------------------------

static cuda_result peak_launch(struct bench *bench, cuda_function_handle function, cuda_address out,
                               float *ret_ms) {
    const struct cuda_api *api = &bench->context.driver.api;
    unsigned blocks = (unsigned)bench->context.multiprocessors * PEAK_BLOCKS;
    int rounds = PEAK_ROUNDS;
    void *parameters[] = {&out, &rounds};
    cuda_result result = api->event_record(bench->context.start, NULL);
    result =
        result ? result
               : api->launch(function, blocks, 1, 1, PEAK_THREADS, 1, 1, 0, NULL, parameters, NULL);
    result = result ? result : api->event_record(bench->context.end, NULL);
    result = result ? result : gpu_context_wait(&bench->context, LIMIT_MS);
    return result ? result : api->event_elapsed(ret_ms, bench->context.start, bench->context.end);
}

// The rate of the multiply-add units without memory accesses, in GFLOPS.
static enum status bench_peak(struct bench *bench, double *ret_gflops, struct error *err) {
    const struct cuda_api *api = &bench->context.driver.api;
    cuda_module_handle module = NULL;
    cuda_function_handle function = NULL;
    cuda_address out = 0;
    char *cubin = NULL;
    size_t bytes = 0;
    double work = 2.0 * PEAK_ROUNDS * PEAK_CHAINS * PEAK_THREADS * PEAK_BLOCKS *
                  bench->context.multiprocessors;
    enum status status = bench_own(bench, "tools/ladder/peak.cu", &cubin, &bytes, err);
    if (status) {
        return status;
    }
    cuda_result result = api->module_load(&module, cubin);
    result = result ? result : api->module_function(&function, module, "fma_peak");
    result = result ? result : api->memory_allocate(&out, sizeof(float));
    for (int i = 0; i < PEAK_LAUNCHES && !result; i++) {
        float ms = 0.0f;
        result = peak_launch(bench, function, out, &ms);
        double gflops = !result && ms > 0.0f ? work / ((double)ms * 1e6) : 0.0;
        *ret_gflops = gflops > *ret_gflops ? gflops : *ret_gflops;
    }
    (void)api->memory_free(out);
    if (module) {
        (void)api->module_unload(module);
    }
    free(cubin);
    return result ? cuda_fail(&bench->context.driver, result, "measuring the multiply-adds", err)
                  : STATUS_OK;
}

// --- The kernels --------------------------------------------------------------------------------

// One launch; its time, and C in the window.
static enum status launch(struct bench *bench, struct bench_kernel *kernel, struct request *request,
                          struct answer *answer, struct error *err) {
    memset(answer, 0, sizeof *answer);
    answer->end = RUN_FINISHED;
    request->timed.by = kernel->by;
    enum status status =
        gpu_timed_prepare(&bench->context, &kernel->kernel, &bench->timed, request, answer, err);
    if (!status && answer->end == RUN_FINISHED) {
        status =
            gpu_timed_go(&bench->context, &kernel->kernel, &bench->timed, request, answer, err);
    }
    if (!status && answer->end == RUN_FINISHED) {
        status = gpu_timed_collect(&bench->context, &bench->timed, request, bench->matrices_fd,
                                   answer, err);
    }
    if (!status && answer->end != RUN_FINISHED) {
        status = fail(err, STATUS_BAD_DATA, "%s does not run at this size: %.200s", kernel->name,
                      answer->text);
    }
    return status;
}

static enum status measure(struct bench *bench, struct bench_kernel *kernel,
                           struct request *request, struct timed_check *check,
                           struct bench_times *times, struct error *err) {
    struct answer *answer = malloc(sizeof *answer);
    int wrong[TIMED_SIDES] = {-1, -1};
    if (!answer) {
        return fail(err, STATUS_NO_MEMORY, "no memory for an answer");
    }
    enum status status = launch(bench, kernel, request, answer, err);
    if (!status) {
        const void *const outputs[TIMED_SIDES] = {bench->timed.window, NULL};
        const struct random_key secret = {
            {request->timed.key.word[1], ~request->timed.key.word[0]}};
        timed_check_start(check, bench->inputs, request->timed.key, secret, outputs,
                          timed_layout_of(&request->arguments, 1).stride);
        timed_check_wait(check, wrong);
        times->ms[times->count] = (double)answer->elapsed_ns / 1e6;
        times->mhz[times->count] = answer->timed.state.sm_mhz;
        times->count++;
        times->wrong += wrong[0] >= 0 || answer->guard_damaged || answer->timed.inputs_changed;
    }
    free(answer);
    return status;
}

// Exact drawn matrices have odd numbers in B, with as many bits as all sums allow, and 1 or -1 in
// A.
static void inputs_choose(const struct bench *bench, struct size size, struct request *request) {
    const struct signature *signature = &bench->like.signature;
    struct expected_inputs inputs = {.form = DRAW_REAL, .wide = -1};
    request->arguments = arguments_of(signature, size, NULL);
    request->timed.inputs = bench->inputs;
    if (signature->is_matmul) {
        return;
    }
    if (bench->inputs == TIMED_EXACT) {
        inputs = (struct expected_inputs){
            .form = DRAW_EXACT,
            .width = {draw_bits(signature->parameter[ARRAY_B].element), 1, 1},
            .wide = ARRAY_B};
        while (((int64_t)size.k << inputs.width.bits) > SUM_MAX) {
            inputs.width.bits--;
        }
    }
    expected_specs(signature, &inputs, size, request->timed.draw);
}

// The check borrows the request's draws.
static enum status check_make(const struct bench *bench, const struct request *request,
                              struct timed_check **ret_check, struct error *err) {
    const struct signature *signature = &bench->like.signature;
    enum status status = timed_check_new(request->size, 1, bench->like.precision, ret_check, err);
    if (!status && !signature->is_matmul) {
        timed_check_draw(*ret_check, signature->parameter[ARRAY_A].element, request->timed.draw);
    }
    return status;
}

static struct random_key key_of_round(const struct bench *bench, int round) {
    const struct random_key key = {{(uint64_t)(round + WARM_UPS) + 1, 0x7469}};
    return bench->like.precision == PRECISION_FP32 ? key : exact_narrow(key);
}

// Times all kernels at one size, one launch of each in turn, and verifies each output.
static enum status bench_size(struct bench *bench, struct size size, int launches,
                              struct bench_times times[BENCH_KERNELS_MAX], struct error *err) {
    struct timed_check *check = NULL;
    struct request request = {
        .size = size, .time_ms_max = LIMIT_MS, .timed = {.poison = POISON_BITS, .batch = 1}};
    inputs_choose(bench, size, &request);
    uint64_t bytes = timed_layout_of(&request.arguments, 1).total;
    // It never shrinks, because the GPU may hold pages of it (gpu_timed_collect).
    if (bytes > bench->matrices_bytes && ftruncate(bench->matrices_fd, (off_t)bytes) != 0) {
        return fail_errno(err, STATUS_SYSTEM, "no memory for the products");
    }
    bench->matrices_bytes = bytes > bench->matrices_bytes ? bytes : bench->matrices_bytes;
    enum status status = check_make(bench, &request, &check, err);
    int first = launches > 0 ? -WARM_UPS : -1;
    for (int round = first; round < launches && !status; round++) {
        request.timed.key = key_of_round(bench, round);
        for (int i = 0; i < bench->kernel_count && !status; i++) {
            times[i].count = round <= 0 ? 0 : times[i].count;  // the first rounds are warm-up
            times[i].wrong = round == first ? 0 : times[i].wrong;
            status = measure(bench, &bench->kernel[i], &request, check, &times[i], err);
        }
    }
    timed_check_free(check);
    return status;
}

#define LAUNCHES_DEFAULT 21

struct bench_arguments {
    const char *root, *exercise;
    int device, launches;
    bool real;
    struct size size[BENCH_SIZES_MAX];
    int size_count;
    char **file;
    int file_count;
};

static int give_up(enum status status, const struct error *err) {
    (void)fflush(stdout);
    (void)fprintf(stderr, "tilegrade-bench: %s\n", err->text);
    return status_exit_code(status);
}

static enum status sizes_read(char *text, struct bench_arguments *arguments, struct error *err) {
    char *rest = NULL;
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (arguments->size_count == BENCH_SIZES_MAX) {
            return fail(err, STATUS_BAD_USAGE, "more than %d sizes", BENCH_SIZES_MAX);
        }
        enum status status = size_parse(word, &arguments->size[arguments->size_count++], err);
        if (status) {
            return status;
        }
    }
    return STATUS_OK;
}

static enum status number_read(const char *text, int min, int max, int *ret_number,
                               struct error *err) {
    char *end = NULL;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < min || number > max) {
        return fail(err, STATUS_BAD_USAGE, "'%s': write a number from %d to %d", text, min, max);
    }
    *ret_number = (int)number;
    return STATUS_OK;
}

static enum status arguments_read(int argc, char **argv, struct bench_arguments *arguments,
                                  struct error *err) {
    static const struct option options[] = {
        {"root", required_argument, NULL, 'r'},     {"device", required_argument, NULL, 'd'},
        {"launches", required_argument, NULL, 'l'}, {"exercise", required_argument, NULL, 'e'},
        {"real", no_argument, NULL, 'x'},           {NULL, 0, NULL, 0}};
    enum status status = STATUS_OK;
    for (int key = 0; !status && (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (key == 'r') {
            arguments->root = optarg;
        } else if (key == 'e') {
            arguments->exercise = optarg;
        } else if (key == 'x') {
            arguments->real = true;
        } else if (key == 'd') {
            status = number_read(optarg, 0, 64, &arguments->device, err);
        } else if (key == 'l') {
            status = number_read(optarg, 0, BENCH_LAUNCHES_MAX, &arguments->launches, err);
        } else {
            return fail(err, STATUS_BAD_USAGE, "unknown option");
        }
    }
    if (!status && optind >= argc) {
        return fail(err, STATUS_BAD_USAGE,
                    "usage: tilegrade-bench [--root DIR] [--device N] [--launches N] "
                    "[--exercise NAME] [--real] SIZES [FILE...]");
    }
    if (!status) {
        status = sizes_read(argv[optind], arguments, err);
        arguments->file = argv + optind + 1;
        arguments->file_count = argc - optind - 1;
    }
    return status;
}

// The parameters of the kernels: those of the requested exercise, or of products in fp32.
static enum status like_choose(struct bench *bench, const struct bench_arguments *arguments,
                               const struct course *course, struct error *err) {
    const char *name = arguments->exercise;
    const struct exercise *exercise = name ? course_find(course, name) : NULL;
    bench->like.signature = *signature_of_matmul();
    if (!name) {
        return STATUS_OK;
    }
    if (!exercise) {
        return fail(err, STATUS_BAD_USAGE, "there is no exercise %s", name);
    }
    if (!signature_multiplies(&exercise->signature)) {
        return fail(
            err, STATUS_BAD_USAGE,
            "%s is not a product of two matrices, and the ladder compares these with cuBLAS: "
            "`make grade SUBMISSION=folder EX=%s` times a kernel in pairs with the "
            "reference",
            name, name);
    }
    bench->like = *exercise;
    return STATUS_OK;
}

// True for kernels with the same parameters and the same rounding of factors.
static bool is_alike(const struct exercise *one, const struct exercise *other) {
    const struct size size = {.m = 2, .n = 3, .k = 5};
    struct arguments of_one = arguments_of(&one->signature, size, NULL);
    struct arguments of_other = arguments_of(&other->signature, size, NULL);
    return one->precision == other->precision && signature_multiplies(&other->signature) &&
           memcmp(&of_one, &of_other, sizeof of_one) == 0;
}

static enum status references_add(struct bench *bench, const struct course *course,
                                  struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < course->exercise_count && !status; i++) {
        const struct exercise *exercise = &course->exercises[i];
        char path[PATH_BYTES_MAX];
        if (!is_alike(&bench->like, exercise)) {
            continue;
        }
        status = place_make(bench->places, path, err, "reference/%s.cu", exercise->name);
        if (!status) {
            status = bench_add(bench, path, exercise->name, exercise->before, err);
        }
    }
    return status;
}

// "tiled" for student/tiled.cu; "student/tiled" if a reference has that name.
static void file_name(const struct bench *bench, const char *path, char name[NAME_BYTES_MAX]) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    (void)snprintf(name, NAME_BYTES_MAX, "%.*s", (int)strcspn(start, "."), start);
    for (int i = 0; i < bench->kernel_count; i++) {
        if (strcmp(bench->kernel[i].name, name) == 0 && slash) {
            const char *folder = memrchr(path, '/', (size_t)(slash - path));
            folder = folder ? folder + 1 : path;
            (void)snprintf(name, NAME_BYTES_MAX, "%.*s/%.*s", (int)(slash - folder), folder,
                           (int)strcspn(start, "."), start);
            return;
        }
    }
}

static enum status files_add(struct bench *bench, const struct bench_arguments *arguments,
                             struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < arguments->file_count && !status; i++) {
        char name[NAME_BYTES_MAX];
        file_name(bench, arguments->file[i], name);
        status = bench_add(bench, arguments->file[i], name, "", err);
    }
    if (!status && bench->timed.cublas && bench->kernel_count > 0 &&
        bench->kernel_count < BENCH_KERNELS_MAX) {
        struct bench_kernel *cublas = &bench->kernel[bench->kernel_count++];
        *cublas = (struct bench_kernel){.by = speed_cublas_by(&bench->like)};
        (void)snprintf(cublas->name, sizeof cublas->name, "%s", cublas_name(cublas->by));
    }
    return status;
}

static void card_print(const struct bench *bench) {
    char name[256] = "";
    char date[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        (void)strftime(date, sizeof date, "%Y-%m-%d", &utc);
    }
    (void)bench->context.driver.api.device_name(name, sizeof name, bench->context.device);
    (void)printf("# card %s\n# date %s\n# driver %d.%d\n# nvrtc %d.%d\n# architecture %s\n", name,
                 date, bench->context.driver.version / 1000,
                 bench->context.driver.version % 1000 / 10, bench->nvrtc.major, bench->nvrtc.minor,
                 bench->machine.gpu.architecture);
}

static void head_print(const struct bench *bench, const struct bench_arguments *arguments,
                       double peak) {
    card_print(bench);
    if (bench->timed.cublas) {
        (void)printf("# cublas %d\n", cublas_version(bench->timed.cublas));
    } else {
        (void)printf("# cublas none\n");
        (void)fprintf(stderr, "tilegrade-bench: cuBLAS was not found; ratios are to the best "
                              "reference\n");
    }
    (void)printf("# launches %d\n", arguments->launches);
    if (bench->like.precision == PRECISION_FP32) {
        (void)printf("# fma_peak_gflops %.0f\n", peak);
    }
    if (bench->inputs == TIMED_REAL) {
        (void)printf("# how random inputs, not in the cache at the start, every product verified\n"
                     "# how_zh 随机输入，开始时不在缓存中，每个乘积都经过检验\n");
    }
    (void)printf("kernel,before,m,n,k,launches,ms,ms_low,ms_high,gflops,registers,mhz\n");
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

// The median, and the quartiles on both sides of it.
static void row_print(const struct bench_kernel *kernel, struct size size,
                      struct bench_times *times) {
    double work = 2.0 * (double)size_multiply_adds(size);
    if (times->wrong > 0) {
        (void)printf("%s,%s,%d,%d,%d,%d,,,,,%d,\n", kernel->name, kernel->before, size.m, size.n,
                     size.k, times->count, kernel->registers);
        return;
    }
    uint64_t mhz = 0;
    for (int i = 0; i < times->count; i++) {
        mhz += times->mhz[i];
    }
    qsort(times->ms, (size_t)times->count, sizeof times->ms[0], by_value);
    double median = times->ms[times->count / 2];
    (void)printf("%s,%s,%d,%d,%d,%d,%.6f,%.6f,%.6f,%.1f,%d,%llu\n", kernel->name, kernel->before,
                 size.m, size.n, size.k, times->count, median, times->ms[times->count / 4],
                 times->ms[times->count * 3 / 4], work / (median * 1e6), kernel->registers,
                 (unsigned long long)(mhz / (uint64_t)times->count));
}

static enum status sizes_run(struct bench *bench, const struct bench_arguments *arguments,
                             bool *ret_wrong, struct error *err) {
    struct bench_times *times = calloc(BENCH_KERNELS_MAX, sizeof *times);
    enum status status = times ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory for times");
    for (int s = 0; s < arguments->size_count && !status; s++) {
        struct size size = arguments->size[s];
        status = bench_size(bench, size, arguments->launches, times, err);
        for (int i = 0; i < bench->kernel_count && !status; i++) {
            if (times[i].wrong > 0) {
                (void)fprintf(stderr, "tilegrade-bench: %s is wrong at %dx%dx%d\n",
                              bench->kernel[i].name, size.m, size.n, size.k);
                *ret_wrong = true;
            }
            row_print(&bench->kernel[i], size, &times[i]);
        }
        (void)fflush(stdout);
    }
    free(times);
    return status;
}

static enum status run(struct bench *bench, const struct bench_arguments *arguments,
                       const struct course *course, bool *ret_wrong, struct error *err) {
    double peak = 0.0;
    enum status status = bench_open(bench, arguments->device, err);
    if (!status) {
        status = references_add(bench, course, err);
    }
    if (!status) {
        status = files_add(bench, arguments, err);
    }
    if (!status && bench->kernel_count == 0) {
        status = fail(err, STATUS_BAD_USAGE, "there is nothing to measure");
    }
    if (!status && arguments->launches > 0 && bench->like.precision == PRECISION_FP32) {
        status = bench_peak(bench, &peak, err);
    }
    if (!status) {
        head_print(bench, arguments, peak);
        status = sizes_run(bench, arguments, ret_wrong, err);
    }
    return status;
}

int main(int argc, char **argv) {
    static struct places places;
    static struct bench bench;
    struct bench_arguments arguments = {.launches = LAUNCHES_DEFAULT};
    struct course *course = NULL;
    struct error err = {.text = ""};
    bool wrong = false;
    bench.places = &places;
    bench.matrices_fd = -1;
    enum status status = arguments_read(argc, argv, &arguments, &err);
    if (!status) {
        status = places_find(arguments.root, true, &places, &err);
        bench.machine = (struct judge_machine){.paths = places.device, .jobs = 1};
        bench.inputs = arguments.real ? TIMED_REAL : TIMED_EXACT;
    }
    if (!status) {
        status = course_open(places.root, &course, &err);
    }
    if (!status) {
        status = like_choose(&bench, &arguments, course, &err);
    }
    if (!status) {
        status = run(&bench, &arguments, course, &wrong, &err);
        bench_close(&bench);
    }
    course_free(course);
    if (status) {
        return give_up(status, &err);
    }
    return wrong ? EXIT_KERNELS : EXIT_ALL_WELL;
}
