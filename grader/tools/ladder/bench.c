// tilegrade-bench: times the references of the course and cuBLAS on one GPU, and prints CSV.
//
//     tilegrade-bench [--root DIR] [--device N] [--launches N] [--exercise NAME] [--real] SIZES
//                     [FILE...]
//
// The references are those of all products that are called as the exercise NAME is and may round
// factors as it may, or of those in fp32.  With --real the inputs are real numbers, not integers.
// With --launches 0 each kernel is launched once at each size, so that a profiler can watch it.
// SIZES are M x N x K with commas between them, such as 2048,4095,33x65x129.  Further kernel files
// are measured as well; they are named after their files.  Lines that begin with # say where and
// how the times were measured.  A kernel with one wrong output gets no time.
//
// Only kernels of the course are run, so there is no sandbox.  Exit codes are those of tilegrade.
#include "tools/ladder/bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/options.h"
#include "judge/model/arguments.h"
#include "judge/speed/cublas.h"

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

// What the kernels are called with: as the exercise that is asked for, or products in fp32.
static enum status like_choose(struct bench *bench, const struct bench_arguments *arguments,
                               const struct course *course, struct error *err) {
    const char *name = arguments->exercise;
    const struct exercise *exercise = name ? course_find(course, name) : NULL;
    bench->like.signature = *signature_of_product();
    if (!name) {
        return STATUS_OK;
    }
    if (!exercise) {
        return fail(err, STATUS_BAD_USAGE, "there is no exercise %s", name);
    }
    if (!signature_multiplies(&exercise->signature)) {
        return fail(err, STATUS_BAD_USAGE,
                    "%s is no product of two matrices, and the ladder compares these with cuBLAS: "
                    "`make grade SUBMISSION=folder EX=%s` times a kernel in pairs with the "
                    "reference",
                    name, name);
    }
    bench->like = *exercise;
    return STATUS_OK;
}

// True for kernels of the same parameters that may round factors alike.
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
