// From a kernel file to a cubin, or to a message about the file.  Needs NVRTC; without it all
// checks but one are skipped and counted.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/gpu/gpu_compile.h"
#include "exercise/exercise.h"
#include "suite.h"  // last: Check has a macro called fail

// NVRTC keeps threads of its own until the end, and LeakSanitizer may crash when it stops them.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
int __lsan_is_turned_off(void) {
    return 1;
}
#endif

// --- Compilations -----------------------------------------------------------------------------

#define HEAD            "#include \"matmul.cuh\"\n"
#define SIGNATURE       "const float *A, const float *B, float *C, int M, int N, int K"
#define KERNEL_OF(body) "__global__ void matmul_x(" SIGNATURE ") { " body " }\n"
#define CONFIG                                                                                     \
    "LAUNCH_CONFIG(matmul_x, M, N, K) { launch->block = dim3(M, N, K); launch->grid = dim3(1); "   \
    "}\n"
#define VIRTUAL                                                                                    \
    "struct Base { __device__ virtual float at(int i) const = 0; };\n"                             \
    "struct One : Base { __device__ float at(int i) const override { return i; } };\n"             \
    "struct Two : Base { __device__ float at(int i) const override { return -i; } };\n"
#define CALLS_VIRTUAL                                                                              \
    "One one; Two two; const Base *all[2] = {&one, &two}; C[0] = all[M & 1]->at(N);"

static const struct compile_case {
    const char *name;
    const char *source;
    enum build_fault fault;
    int line;
    const char *words;  // in the text; NULL: any
} compile_cases[] = {
    {"right", HEAD KERNEL_OF("C[0] = A[0];") CONFIG, BUILD_FAULT_NONE, 0, NULL},
    {"crlf", "#include \"matmul.cuh\"\r\n" KERNEL_OF("C[0] = A[0]; // \xe9\r\n") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"usual headers",
     "#include <stdio.h>\n#include <cuda_runtime.h>\n#include <math.h>\n#include <assert.h>\n" HEAD
         KERNEL_OF("printf(\"%s %f\\n\", __func__, sqrtf(A[0])); assert(M > 0);") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"const tables",
     HEAD
     "__constant__ float c[2] = {1, 2};\n__device__ const float d[2] = {1, 2};\n"
     "constexpr float e[2] = {3, 4};\ntemplate <int T> struct S { static constexpr float v[2] = "
     "{1, T}; };\n" KERNEL_OF("static const float f[3] = {1, 2, 3}; const float g[3] = {4, 5, 6}; "
                              "C[0] = c[M] + d[M] + e[M] + f[M] + g[M] + S<3>::v[M];") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"several constants in one declaration",
     HEAD
     "constexpr int kRows = (2 + 6) * 2, kCols = 8;\nconstexpr float w[2] = {1, 2}, v[2] = {3, "
     "4};\n"
     "__device__ float at(const float *x, const int &i);\n"
     "__device__ __noinline__ float at(const float *x, const int &i) { return x[i]; }\n" KERNEL_OF(
         "C[0] = at(A, kRows) + at(A, kCols) + at(v, M) + at(w, M);") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"a variable after a constant",
     HEAD "const int first = 1;\n__device__ int stash = 2;\n" KERNEL_OF("C[0] = stash += first;")
         CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 3, "`stash`"},
    {"the table behind sinf", HEAD KERNEL_OF("C[0] = sinf(A[0]) + (float)cos(A[1]);") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"tables of virtual functions", HEAD VIRTUAL KERNEL_OF(CALLS_VIRTUAL) CONFIG, BUILD_FAULT_NONE,
     0, NULL},
    {"a variable of a table's name",
     HEAD "extern \"C\" { __device__ int _ZTV3abc = 1; }\n" KERNEL_OF("C[0] = _ZTV3abc++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 0, NULL},
    {"a variable of a table's name, in two lines",
     HEAD "extern \"C\" { __device__ int __cudart_\\\nx = 1; }\n" KERNEL_OF("C[0] = __cudart_x++;")
         CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"a variable of a table's name, pasted",
     HEAD "#define NAME(x) _ZT##x\nextern \"C\" { __device__ int NAME(V3abc) = 1; }\n" KERNEL_OF(
         "C[0] = NAME(V3abc)++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 0, NULL},
    {"a variable of a table's name, by assembly",
     HEAD "__device__ int hidden asm(\"_ZTV3abc\") = 1;\n" KERNEL_OF("C[0] = hidden++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"helpers and templates",
     HEAD "template <int T> __device__ float twice(float x) { return T * x; }\n"
          "__global__ void another(float *p) { *p = 1; }\n" KERNEL_OF("C[0] = twice<2>(A[0]);")
              CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"other kernels, with LAUNCH",
     HEAD "__global__ void other(" SIGNATURE ", float *w) { C[0] = w[0]; }\n" KERNEL_OF(
         "C[0] = A[0];") "LAUNCH_CONFIG(matmul_x, M, N, K) { LAUNCH(other, M, dim3(N, 2)); "
                         "LAUNCH(matmul_x, 1, 1, 9); }",
     BUILD_FAULT_NONE, 0, NULL},
    {"LAUNCH of other parameters",
     HEAD "__global__ void other(" SIGNATURE ", int *w) { C[0] = w[0]; }\n" KERNEL_OF(
         "C[0] = A[0];") "LAUNCH_CONFIG(matmul_x, M, N, K) { LAUNCH(other, M, dim3(N, 2)); }",
     BUILD_FAULT_ERROR, 4, "a kernel for LAUNCH has the parameters"},
    {"LAUNCH of a version of a template",
     HEAD "template <int T> __global__ void other(" SIGNATURE ") { C[0] = T; }\n" KERNEL_OF(
         "C[0] = A[0];") "LAUNCH_CONFIG(matmul_x, M, N, K) { LAUNCH(other<3>, M, dim3(N, 2)); }",
     BUILD_FAULT_ERROR, 4, "LAUNCH takes the plain name of a kernel"},
    {"dynamic shared",
     HEAD KERNEL_OF("extern __shared__ float s[]; s[0] = A[0]; C[0] = s[M];") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"atomics that the toolkit keeps a byte for",
     HEAD KERNEL_OF("atomicExch(&C[0], A[0]); atomicCAS((int *)C, 0, 1);") CONFIG, BUILD_FAULT_NONE,
     0, NULL},
    {"a variable of the toolkit's name",
     HEAD "template <typename T> struct __nv_atomic_triv_cp_helper { static char __val; };\n"
          "template <typename T> __device__ char __nv_atomic_triv_cp_helper<T>::__val;\n" KERNEL_OF(
              "C[0] = __nv_atomic_triv_cp_helper<int *>::__val++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"word mma in a comment and a name",
     HEAD KERNEL_OF("float mma = A[0]; /* mma.sync */ C[0] = mma;") CONFIG, BUILD_FAULT_NONE, 0,
     NULL},
    {"semicolon", HEAD "\n" KERNEL_OF("C[0] = A[0]") CONFIG, BUILD_FAULT_ERROR, 3,
     "expected a \";\""},
    {"nothing at all", HEAD, BUILD_FAULT_NO_KERNEL, 0, "`__global__ void matmul_x`"},
    {"another name", HEAD "__global__ void matmul_y(" SIGNATURE ") { }\n", BUILD_FAULT_NO_KERNEL, 2,
     "there is matmul_y"},
    {"no configuration", HEAD KERNEL_OF(""), BUILD_FAULT_NO_CONFIG, 0,
     "LAUNCH_CONFIG(matmul_x, M, N, K)"},
    {"inputs not const",
     HEAD
     "__global__ void matmul_x(float *A, float *B, float *C, int M, int N, int K) { }\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 2, "declares matmul_x differently"},
    {"extern C overload", HEAD "extern \"C\" __global__ void matmul_x(float *A) { }\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 2, NULL},
    {"returns int", HEAD "__global__ int matmul_x(" SIGNATURE ") { return 1; }\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 2, NULL},
    {"forty parameters",
     HEAD "struct big { int x[1000]; };\n__global__ void matmul_x(big b) { }\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 3, NULL},
    {"host function",
     HEAD "static int half(int x) { return x / 2; }\n" KERNEL_OF("C[0] = half(M);") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "write __device__"},
    {"host constexpr function",
     HEAD "constexpr int half(int x) { return x / 2; }\n" KERNEL_OF("") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "write __device__"},
    {"host variable", HEAD "int calls;\n" KERNEL_OF("") CONFIG, BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"host interface", HEAD KERNEL_OF("cudaMalloc(0, 4);") CONFIG, BUILD_FAULT_NOT_ALLOWED, 2,
     "host code"},
    {"launch in a kernel", HEAD "__global__ void k() { }\n" KERNEL_OF("k<<<1, 1>>>();") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 3, NULL},
    {"foreign file", HEAD "#include \"/etc/hostname\"\n" KERNEL_OF("") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "may not include"},
    {"absent file", HEAD "#include \"my_helpers.h\"\n" KERNEL_OF("") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "may not include"},
    {"device variable",
     HEAD "__device__ float stash[64];\n" KERNEL_OF("stash[M] += 1; C[0] = stash[M];") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "`stash`"},
    {"initialised variable", HEAD "__device__ int count = 3;\n" KERNEL_OF("C[0] = count++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "`count`"},
    {"static in the kernel", HEAD KERNEL_OF("static int calls; C[0] = ++calls;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "`calls`"},
    {"pointer to const",
     HEAD "__device__ const float *last = nullptr;\n" KERNEL_OF("last = A; C[0] = last[0];") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "`last`"},
    {"variable of a compiler's name",
     HEAD "__device__ int __unnamed_7 = 1;\n" KERNEL_OF("C[0] = __unnamed_7++;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"terabyte", HEAD "__device__ char huge[1ull << 40];\n" KERNEL_OF("huge[M] = 1;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 2, "`huge`"},
    {"stash in assembly",
     HEAD KERNEL_OF(
         "asm volatile(\"ret; } .visible .global .b8 stash[4096]; .visible .entry other() {\"); ")
         CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 0, "`stash`"},
    {"tensor cores by ptx.cuh",
     HEAD "#include \"ptx.cuh\"\n" KERNEL_OF(
         "unsigned a[4] = {}, b[2] = {}; float c[4] = {}; ptx::mma_m16n8k8_tf32(c, a, b, c); "
         "C[0] = c[0];") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 0, "mma.sync.aligned.m16n8k8"},
    {"copies by ptx.cuh",
     HEAD "#include \"ptx.cuh\"\n" KERNEL_OF(
         "__shared__ float s[4]; ptx::cp_async_cg_16(s, A, 8); ptx::cp_async_commit_group(); "
         "ptx::cp_async_wait_group<0>(); C[0] = s[0];") CONFIG,
     BUILD_FAULT_NONE, 0, NULL},
    {"an instruction of later GPUs",
     HEAD "#include \"ptx.cuh\"\n" KERNEL_OF(
         "__shared__ unsigned long long b; ptx::mbarrier_init(&b, 1); "
         "C[0] = ptx::mbarrier_try_wait_parity(&b, 0);") CONFIG,
     BUILD_FAULT_NEEDS_GPU, 0, "requires .target sm_90"},
    {"tensor cores in assembly",
     HEAD KERNEL_OF("float c0 = 0, c1 = 0, c2 = 0, c3 = 0; unsigned a = M, b = N;\n"
                    "asm volatile(\"m\" \"ma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                    "{%0,%1,%2,%3}, {%4,%4}, {%5}, "
                    "{%0,%1,%2,%3};\" : \"+f\"(c0), \"+f\"(c1), \"+f\"(c2), \"+f\"(c3) : \"r\"(a), "
                    "\"r\"(b)); C[0] = c0;") CONFIG,
     BUILD_FAULT_NOT_ALLOWED, 0, "tensor cores (mma.sync"},
    {"bad assembly", HEAD KERNEL_OF("asm volatile(\"nonsense;\");") CONFIG, BUILD_FAULT_ERROR, 0,
     NULL},
    {"too much shared memory",
     HEAD KERNEL_OF("__shared__ volatile float s[20000]; s[M] = 1; C[0] = s[N];") CONFIG,
     BUILD_FAULT_ERROR, 0, NULL},
};

static const char *include_folder(void) {
    static char folder[PATH_BYTES_MAX];
    char *found = realpath("grader/include", NULL);
    ck_assert_msg(found != NULL, "run the tests in the root of the checkout");
    (void)snprintf(folder, sizeof folder, "%s", found);
    free(found);
    return folder;
}

static void compile(const char *source, size_t bytes, struct gpu_compile_result *ret_result) {
    static struct nvrtc nvrtc;
    struct error err = {.text = ""};
    struct gpu_compile_request request = {.source = source,
                                          .source_bytes = bytes,
                                          .kernel = "matmul_x",
                                          .architecture = "sm_80",
                                          .include = include_folder()};
    ck_assert_msg(nvrtc_open(&nvrtc, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(gpu_compile(&nvrtc, &request, ret_result, &err) == STATUS_OK, "%s", err.text);
}

START_TEST(each_file_has_its_fault) {
    const struct compile_case *c = &compile_cases[_i];
    struct gpu_compile_result result;
    compile(c->source, strlen(c->source), &result);
    ck_assert_msg(result.report.fault == c->fault, "%s: fault %d, %s\n%s", c->name,
                  result.report.fault, result.report.text, result.report.diagnostics);
    ck_assert_msg(result.report.line == c->line, "%s: line %d", c->name, result.report.line);
    ck_assert_msg(!c->words || strstr(plain(result.report.text), c->words), "%s: %s", c->name,
                  result.report.text);
    ck_assert_int_eq(result.cubin != NULL, c->fault == BUILD_FAULT_NONE);
    ck_assert_int_eq(result.report.text[0] == '\0', c->fault == BUILD_FAULT_NONE);
    gpu_compile_done(&result);
}
END_TEST

START_TEST(a_nul_byte_is_refused_with_its_line) {
    static const char source[] = HEAD "\n// \0" KERNEL_OF("") CONFIG;
    struct gpu_compile_result result;
    compile(source, sizeof source - 1, &result);
    ck_assert_int_eq(result.report.fault, BUILD_FAULT_NOT_ALLOWED);
    ck_assert_int_eq(result.report.line, 3);
    gpu_compile_done(&result);
}
END_TEST

START_TEST(an_unknown_architecture_is_our_trouble) {
    static struct nvrtc nvrtc;
    struct error err = {.text = ""};
    struct gpu_compile_result result;
    struct gpu_compile_request request = {.source = HEAD,
                                          .kernel = "matmul_x",
                                          .architecture = "sm_999",
                                          .include = include_folder()};
    ck_assert_int_eq(nvrtc_open(&nvrtc, &err), STATUS_OK);
    ck_assert_int_eq(gpu_compile(&nvrtc, &request, &result, &err), STATUS_SYSTEM);
}
END_TEST

static void cubin_look(struct elf_file *cubin) {
    const char *name;
    for (size_t i = 1; i < cubin->count; i++) {
        (void)cubin_symbol_at(cubin, i, &name);
    }
    elf_file_close(cubin);
}

// Reads a damaged cubin: any answer will do, as long as nothing outside it is touched (SAN=address
// detects that).
START_TEST(a_damaged_cubin_is_read_without_harm) {
    struct elf_file cubin;
    struct gpu_compile_result result;
    struct error err;
    int refused = 0;
    compile(compile_cases[3].source, strlen(compile_cases[3].source), &result);
    ck_assert_int_eq(cubin_open(result.cubin, result.cubin_bytes, &cubin, &err), STATUS_OK);
    ck_assert(cubin_has_entry(&cubin, "matmul_x"));
    ck_assert(cubin_has_entry(&cubin, "matmul_x_launch_config"));
    elf_file_close(&cubin);
    for (size_t bytes = 0; bytes < result.cubin_bytes; bytes += 61) {
        char *part = malloc(bytes + 1);  // its own allocation, so that an overrun is detected
        memcpy(part, result.cubin, bytes);
        if (cubin_open(part, bytes, &cubin, &err) == STATUS_BAD_DATA) {
            refused++;
        } else {
            cubin_look(&cubin);
        }
        free(part);
    }
    ck_assert_int_gt(refused, 0);
    for (size_t at = 0; at < result.cubin_bytes; at++) {
        char kept = result.cubin[at];
        result.cubin[at] = (char)(kept ^ 0xff);
        if (!cubin_open(result.cubin, result.cubin_bytes, &cubin, &err)) {
            cubin_look(&cubin);
        }
        result.cubin[at] = kept;
    }
    gpu_compile_done(&result);
}
END_TEST

// Compiles the reference of an exercise, in the way that a right solution will be compiled.
static void reference_compile(const struct nvrtc *nvrtc, const struct exercise *exercise) {
    struct error err = {.text = ""};
    char path[PATH_BYTES_MAX];
    char kernel[PATH_BYTES_MAX];
    char *source = NULL;
    struct gpu_compile_result result;
    struct gpu_compile_request request = {.kernel = kernel,
                                          .architecture = "sm_80",
                                          .include = include_folder(),
                                          .tensor_cores = exercise->precision != PRECISION_FP32};
    ck_assert_int_eq(path_make(path, &err, "reference/%s.cu", exercise->name), STATUS_OK);
    ck_assert_int_eq(path_make(kernel, &err, "matmul_%s", exercise->name), STATUS_OK);
    ck_assert_int_eq(file_read(path, SOURCE_BYTES_MAX, &source, &request.source_bytes, &err),
                     STATUS_OK);
    request.source = source;
    ck_assert_int_eq(gpu_compile(nvrtc, &request, &result, &err), STATUS_OK);
    ck_assert_msg(result.report.fault == BUILD_FAULT_NONE, "%s: %s", path, result.report.text);
    gpu_compile_done(&result);
    free(source);
}

START_TEST(every_reference_compiles) {
    static struct nvrtc nvrtc;
    struct error err = {.text = ""};
    struct course *course = NULL;
    ck_assert_msg(course_open(".", &course, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(nvrtc_open(&nvrtc, &err), STATUS_OK);
    for (int i = 0; i < course->exercise_count; i++) {
        if (course->exercises[i].signature.is_matmul) {
            reference_compile(&nvrtc, &course->exercises[i]);
        }
    }
    course_free(course);
}
END_TEST

// Either NVRTC is found, with its path and version, or the message says what to do.
START_TEST(a_machine_without_nvrtc_is_told_the_remedy) {
    static struct nvrtc nvrtc;
    struct error err = {.text = ""};
    if (nvrtc_open(&nvrtc, &err) == STATUS_OK) {
        ck_assert_int_ge(nvrtc.major, 11);
        ck_assert_int_eq(nvrtc.path[0], '/');
    } else {
        ck_assert_ptr_nonnull(strstr(err.text, "install"));
    }
}
END_TEST

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

SUITE() {
    static struct nvrtc nvrtc;
    struct error err = {.text = ""};
    Suite *suite = suite_create("nvrtc");
    TCase *always = tcase_create("always");
    tcase_add_test(always, a_machine_without_nvrtc_is_told_the_remedy);
    suite_add_tcase(suite, always);
    if (nvrtc_open(&nvrtc, &err) == STATUS_OK) {
        TCase *compilations = tcase_create("compilations");
        tcase_add_loop_test(compilations, each_file_has_its_fault, 0, COUNT_OF(compile_cases));
        tcase_add_test(compilations, a_nul_byte_is_refused_with_its_line);
        tcase_add_test(compilations, an_unknown_architecture_is_our_trouble);
        tcase_add_test(compilations, a_damaged_cubin_is_read_without_harm);
        tcase_add_test(compilations, every_reference_compiles);
        tcase_set_timeout(compilations, 60);
        suite_add_tcase(suite, compilations);
    } else {
        printf("skipped %d: %s\n", COUNT_OF(compile_cases) + 4, err.text);
    }
    return suite;
}
