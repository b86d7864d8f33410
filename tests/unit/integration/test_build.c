// Builds: small files with the real compiler and inspector, in the box.  Run from the root of the
// checkout, with the program built.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "build_folder.h"
#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/source/source_check.h"
#include "sandbox/box.h"
#include "suite.h"

static struct device_paths paths;
static char scratch[PATH_BYTES_MAX];

static void paths_find(void) {
    char root[PATH_MAX] = "";
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_int_eq(path_make(paths.programs, NULL, "%s", build_folder()), STATUS_OK);
    ck_assert_int_eq(path_make(paths.include, NULL, "%s/grader/include", root), STATUS_OK);
    ck_assert_int_eq(path_make(paths.shim, NULL, "%s/grader/emu/shim", root), STATUS_OK);
}

static void setup(void) {
    paths_find();
    ck_assert_int_eq(box_scratch_make(NULL, scratch, NULL), STATUS_OK);
}

static void teardown(void) {
    ck_assert_int_eq(folder_remove(scratch, NULL), STATUS_OK);
}

static const struct box_limits limits = {.wall_ms = 60000,
                                         .cpu_seconds = 15,
                                         .memory_bytes = 2ull << 30,
                                         .file_bytes = 256 << 20,
                                         .output_bytes = 256 << 10,
                                         .open_files = 64};

// Runs one step; the caller frees *ret_output.
static int step_run(const struct build_step *step, char **ret_output) {
    const struct box_command command = {
        .argument = (char *const *)step->argument, .folder = scratch, .limits = limits};
    struct box *box = NULL;
    struct error err;
    enum box_end end = BOX_RUNNING;
    ck_assert_msg(box_start(&command, &box, &err) == STATUS_OK,
                  "%s; was the program built (make all)?", err.text);
    ck_assert_int_eq(box_wait(box, &end, &err), STATUS_OK);
    int code = box_exit_code(box);
    *ret_output = strdup(box_output(box));
    box_free(box);
    return code;
}

// Builds `source` as matmul_x.  The caller ends the report.
static struct build_report build(const char *source) {
    struct build_plan plan;
    struct build_report report;
    struct error err = {.text = ""};
    char path[PATH_BYTES_MAX];
    int codes[BUILD_STEPS_MAX];
    char *outputs[BUILD_STEPS_MAX] = {NULL};
    int run = 0;
    ck_assert_int_eq(path_make(path, NULL, "%s/%s", scratch, BUILD_SOURCE), STATUS_OK);
    ck_assert_int_eq(file_write(path, source, strlen(source), NULL), STATUS_OK);
    ck_assert_msg(build_plan_make(DEVICE_EMU, &paths, "matmul_x", "", &plan, &err) == STATUS_OK,
                  "%s", err.text);
    while (run < plan.step_count) {
        codes[run] = step_run(&plan.step[run], &outputs[run]);
        run++;
        if (codes[run - 1] != 0) {
            break;
        }
    }
    enum status status = build_report_read(&(struct build_folder){scratch, "matmul_x", DEVICE_EMU},
                                           codes, outputs, run, &report, &err);
    ck_assert_msg(status == STATUS_OK, "%s", err.text);
    for (int i = 0; i < BUILD_STEPS_MAX; i++) {
        free(outputs[i]);
    }
    build_plan_done(&plan);
    return report;
}

#define HEAD "#include \"matmul.cuh\"\n"
#define SIGNATURE                                                                                  \
    "__global__ void matmul_x(const float *A, const float *B, float *C, int M, int N, int K)\n"
#define CONFIG                                                                                     \
    "LAUNCH_CONFIG(matmul_x, M, N, K)\n{\n    launch->block = dim3(16, 16);\n    launch->grid = "  \
    "dim3(1);\n}\n"
// The kernel's body is on line 4, or on line 5 if one line is put before it.
#define FILE_OF(before, body) HEAD before SIGNATURE "{\n    " body "\n}\n" CONFIG

static const struct {
    const char *name, *source;
    enum build_fault fault;
    int line;
    const char *text;  // a part of the sentence
} files[] = {
    // Right files, including those that look wrong.
    {"plain", FILE_OF("", "C[0] = A[0] * B[0];"), BUILD_FAULT_NONE, 0, ""},
    {"usual headers",
     FILE_OF("#include <stdio.h>\n#include <cmath>\n#include <cuda_runtime.h>\n",
             "C[0] = sqrtf(A[0]); printf(\"%f\\n\", C[0]);"),
     BUILD_FAULT_NONE, 0, ""},
    {"template helper",
     FILE_OF("template <int T> __device__ float f(const float *a) { __shared__ float s[T][T + 1]; "
             "s[0][0] = a[0]; return "
             "s[0][0]; }\n",
             "C[0] = f<8>(A) + f<16>(B);"),
     BUILD_FAULT_NONE, 0, ""},
    {"lambda", FILE_OF("", "auto f = [&](int i) { return A[i] * 2; }; C[0] = f(0) + f(1u);"),
     BUILD_FAULT_NONE, 0, ""},
    {"generic lambda", FILE_OF("", "auto f = [&](auto i) { return A[i] * 2; }; C[0] = f(0);"),
     BUILD_FAULT_NOT_ALLOWED, 4, "`auto` parameters"},
    {"kernel without __global__",
     "#include \"matmul.cuh\"\nvoid matmul_x(const float *A, const float *B, float *C, int M, int "
     "N, int K) { C[0] = 1; }\nLAUNCH_CONFIG(matmul_x, M, N, K) { launch->grid = dim3(1); }\n",
     BUILD_FAULT_NOT_ALLOWED, 2, "write __global__ before it"},
    {"__device__ in the place of __global__",
     "#include \"matmul.cuh\"\n__device__ void matmul_x(const float *A, const float *B, float *C, "
     "int M, int N, int K) { C[0] = 1; }\nLAUNCH_CONFIG(matmul_x, M, N, K) { launch->grid = "
     "dim3(1); }\n",
     BUILD_FAULT_NOT_ALLOWED, 2, "write __global__ before it"},
    {"unused variable of the file", FILE_OF("int unused = 3;\n", "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`unused`"},
    {"struct with members",
     FILE_OF("struct T { float v[4]; float b; T() = default; __device__ T(float x) : b(x) {} "
             "__device__ float get() const { "
             "return b; } };\n",
             "T t(3.0f), u = t; u = t; C[0] = t.get() + u.get();"),
     BUILD_FAULT_NONE, 0, ""},
    {"constant tables",
     FILE_OF("__constant__ float w[3] = {1, 2, 3}; __device__ const int t[2] = {4, 5}; constexpr "
             "float k[] = {1, 2};\n",
             "static const int s[2] = {1, 2}; C[0] = w[M] + t[N] + k[K] + s[M];"),
     BUILD_FAULT_NONE, 0, ""},
    {"constexpr that is only a constant",
     FILE_OF("__device__ constexpr int tile() { return 16; }\n",
             "__shared__ float a[tile()]; a[0] = 1; C[0] = a[0];"),
     BUILD_FAULT_NONE, 0, ""},
    {"another kernel with its own arrays",
     FILE_OF("__global__ void old(float *a) { __shared__ float t[90][90]; t[0][0] = a[0]; a[1] = "
             "t[0][threadIdx.x]; }\n",
             "__shared__ float a[90][90]; a[0][threadIdx.x] = A[0]; C[0] = a[0][0];"),
     BUILD_FAULT_NONE, 0, ""},
    {"Latin-1 in a comment",
     FILE_OF("// gr\xfc\xdf"
             "e\r\n",
             "C[0] = 1;"),
     BUILD_FAULT_NONE, 0, ""},
    {"128-bit integers and conversions",
     FILE_OF("", "unsigned __int128 x = (unsigned __int128)M * N; C[0] = (float)(x >> 3);"),
     BUILD_FAULT_NONE, 0, ""},
    {"configuration of another kernel",
     FILE_OF("__global__ void old(float *C) { C[0] = 2; }\nLAUNCH_CONFIG(old, M, N, K) { "
             "launch->block = dim3(1); }\n",
             "C[0] = 1;"),
     BUILD_FAULT_NONE, 0, ""},
    // build_error
    {"array of variable length", FILE_OF("", "float a[M]; a[0] = 1; C[0] = a[0];"),
     BUILD_FAULT_ERROR, 4, "the size of the array a is a variable"},
    {"syntax error", FILE_OF("", "C[0] = A[0]"), BUILD_FAULT_ERROR, 4,
     "a ; is missing at the end of this line"},
    {"include of itself", FILE_OF("#include \"submission.cu\"\n", "C[0] = 1;"), BUILD_FAULT_ERROR,
     1, "does not compile"},
    {"declared, not defined", FILE_OF("__device__ float helper(float);\n", "C[0] = helper(A[0]);"),
     BUILD_FAULT_ERROR, 5, "`helper`, which is declared but not defined"},
    {"too much shared memory",
     FILE_OF("", "__shared__ float a[128][128]; a[0][threadIdx.x] = A[0]; C[0] = a[0][0];"),
     BUILD_FAULT_ERROR, 0, "take 65536 bytes; a block has 49152"},
    {"huge shared memory",
     FILE_OF("", "__shared__ float a[1 << 29]; a[threadIdx.x] = A[0]; C[0] = a[0];"),
     BUILD_FAULT_MEMORY, 0, "take 2147483648 bytes"},
    {"huge constant", FILE_OF("__device__ const int a[1 << 28] = {1};\n", "C[0] = a[M];"),
     BUILD_FAULT_MEMORY, 0, "the static arrays take"},
    {"shared array with a value",
     FILE_OF("", "__shared__ float a[2] = {1, 2}; C[0] = a[threadIdx.x];"), BUILD_FAULT_ERROR, 4,
     "has an initial value"},
    {"macro without bound",
     FILE_OF(
         "#define A1(x) x x x x x x x x x x\n#define A2(x) A1(A1(A1(A1(A1(A1(A1(A1(A1(x)))))))))\n",
         "A2(C[0] = 1;)"),
     BUILD_FAULT_ERROR, 0, "grow without bound"},
    // not_allowed
    {"host helper", FILE_OF("static float f(float a) { return a + 1; }\n", "C[0] = f(A[0]);"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`f` is host code: write __device__"},
    {"host helper that nobody calls",
     FILE_OF("static float f(float a) { return a + 1; }\n", "C[0] = 1;"), BUILD_FAULT_NOT_ALLOWED,
     2, "`f` is host code"},
    {"constexpr at run time",
     FILE_OF("constexpr int two(int a) { return 2 * a; }\n", "C[0] = two(M);"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`two` is host code"},
    {"member function without __device__",
     FILE_OF("struct T { float b; float get() const { return b; } };\n", "T t{3}; C[0] = t.get();"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`get` is host code"},
    {"main", FILE_OF("int main() { return 0; }\n", "C[0] = 1;"), BUILD_FAULT_NOT_ALLOWED, 2,
     "`main` is host code: remove it"},
    {"main in disguise", FILE_OF("__device__ int main() { return 0; }\n", "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`main`, a name that is reserved for the system"},
    {"writable global", FILE_OF("__device__ float state;\n", "state += A[0]; C[0] = state;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`state` keeps its value"},
    {"function-local static", FILE_OF("", "static int n; n++; C[0] = n;"), BUILD_FAULT_NOT_ALLOWED,
     4, "`n` keeps its value"},
    {"static under another name",
     FILE_OF("#undef asm\n", "static int n asm(\".Ln\"); n++; C[0] = n;"), BUILD_FAULT_NEEDS_GPU, 5,
     "uses inline assembly"},
    {"system", FILE_OF("extern \"C\" int system(const char *);\n", "C[0] = system(\"id\");"),
     BUILD_FAULT_NOT_ALLOWED, 5, "uses `system`, which is not a device function"},
    {"constructor",
     FILE_OF("__attribute__((constructor)) __device__ static void f() { }\n", "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`constructor`"},
    {"global object",
     FILE_OF("struct S { int v; __device__ S() : v(3) {} }; __device__ S s;\n", "C[0] = s.v;"),
     BUILD_FAULT_NOT_ALLOWED, 0, "runs by itself"},
    {"shared object, whose constructor does not run",
     FILE_OF("struct S { float v; __device__ S() : v(1) {} };\n", "__shared__ S s; C[0] = s.v;"),
     BUILD_FAULT_NONE, 0, ""},
    {"shared object with a destructor",
     FILE_OF("struct S { float v; __device__ ~S() {} };\n", "__shared__ S s; C[0] = s.v;"),
     BUILD_FAULT_NOT_ALLOWED, 0, "set up at run time"},
    {"file of the system", FILE_OF("#include \"/etc/passwd\"\n", "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "includes a file"},
    {"file that compiles", FILE_OF("#include \"/dev/null\"\n", "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 0, "includes a file"},
    {"stream of C++", FILE_OF("", "std::cout << A[0];"), BUILD_FAULT_NOT_ALLOWED, 4,
     "a kernel prints with printf"},
    {"C++ header", FILE_OF("#include <vector>\n", "C[0] = 1;"), BUILD_FAULT_NOT_ALLOWED, 2,
     "includes vector, which a kernel file may not include"},
    {"launch", FILE_OF("", "matmul_x<<<1, 2>>>(A, B, C, M, N, K);"), BUILD_FAULT_NOT_ALLOWED, 4,
     "host code"},
    {"hook of ours",
     FILE_OF("extern \"C\" __device__ void __tsan_read4(void *) { }\n", "C[0] = A[0];"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`__tsan_read4`"},
    {"function of the C library",
     FILE_OF("extern \"C\" __device__ long write(int, const void *, long n) { return n; }\n",
             "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "declares `write` extern \"C\""},
    {"instrumentation off",
     FILE_OF("__device__ __attribute__((no_sanitize(\"thread\"))) float g(const float *a) { return "
             "a[5]; }\n",
             "C[0] = g(A);"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`no_sanitize`"},
    {"other optimisation", FILE_OF("#pragma GCC optimize(\"O3\")\n", "C[0] = A[0];"),
     BUILD_FAULT_NOT_ALLOWED, 4, "options of its own"},
    {"text for the assembler in the name of a section",
     FILE_OF("__attribute__((section(\".x\\n.incbin \\\"/etc/passwd\\\"\\n.section .y\"))) "
             "__device__ void f() { }\n",
             "C[0] = 1;"),
     BUILD_FAULT_NOT_ALLOWED, 2, "`section`"},
    {"thread_local by a macro",
     FILE_OF("#define P(a, b) a##b\nP(thread_, local) float kept;\n", "kept = A[0]; C[0] = kept;"),
     BUILD_FAULT_NOT_ALLOWED, 3, "`thread_local`"},
    {"hook by a macro",
     FILE_OF("#define P(a, b) a##b\nextern \"C\" __device__ void P(__ts, an_read4)(void *);\n",
             "C[0] = A[0];"),
     BUILD_FAULT_NOT_ALLOWED, 3, "`__tsan_read4`"},
    // no_kernel, bad_signature, no_config
    {"other name", HEAD "__global__ void my_matmul(float *C)\n{\n    C[0] = 1;\n}\n",
     BUILD_FAULT_NO_KERNEL, 3, "no kernel matmul_x; the function here is called my_matmul"},
    {"nothing", HEAD, BUILD_FAULT_NO_KERNEL, 0, "has no kernel matmul_x"},
    {"no configuration", HEAD SIGNATURE "{\n    C[0] = 1;\n}\n", BUILD_FAULT_NO_CONFIG, 0,
     "LAUNCH_CONFIG(matmul_x, M, N, K)"},
    {"other parameters",
     HEAD
     "__global__ void matmul_x(float *A, float *B, float *C, int N)\n{\n    C[0] = 1;\n}\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 3, "does not have the parameters"},
    {"other result",
     HEAD "__global__ int matmul_x(const float *A, const float *B, float *C, int M, int N, int "
          "K)\n{\n    return 1;\n}\n" CONFIG,
     BUILD_FAULT_BAD_SIGNATURE, 2, "differently from matmul.cuh"},
    {"no matmul.cuh", SIGNATURE "{\n    C[0] = 1;\n}\n" CONFIG, BUILD_FAULT_ERROR, 5, "matmul.cuh"},
    // needs_gpu
    {"inline PTX", FILE_OF("", "asm(\"mov.u32 %0, 1;\" : \"=f\"(C[0]));"), BUILD_FAULT_NEEDS_GPU, 4,
     "inline PTX (asm)"},
    {"machine code", FILE_OF("#undef asm\n", "asm volatile(\"syscall\");"), BUILD_FAULT_NEEDS_GPU,
     5, "inline assembly"},
    {"machine code outside",
     FILE_OF("#undef asm\nasm(\".globl write\\nwrite: ret\");\n", "C[0] = 1;"),
     BUILD_FAULT_NEEDS_GPU, 3, "inline assembly"},
    {"file by .incbin", FILE_OF("#undef asm\nasm(\".incbin \\\"/etc/passwd\\\"\");\n", "C[0] = 1;"),
     BUILD_FAULT_NEEDS_GPU, 3, "inline assembly"},
    {"tensor cores",
     FILE_OF("#include <mma.h>\nusing namespace nvcuda::wmma;\n",
             "fragment<matrix_a, 16, 16, 16, half, row_major> a; fragment<accumulator, 16, 16, 16, "
             "float> c; fragment<matrix_b, 16, 16, 16, half, row_major> b; mma_sync(c, a, b, c);"),
     BUILD_FAULT_NOT_ALLOWED, 6, "uses tensor cores"},
    {"virtual function",
     FILE_OF("struct V { __device__ virtual int f() { return 1; } };\n",
             "V v; V *p = &v; C[0] = p->f();"),
     BUILD_FAULT_NONE, 0, ""},
    {"virtual destructor of an object from the heap",
     FILE_OF("struct V { __device__ virtual ~V() {} };\n", "V *p = new V; delete p; C[0] = 1;"),
     BUILD_FAULT_NEEDS_GPU, 2, "calls `"},
    {"heap", FILE_OF("", "float *p = new float[N]; C[0] = *p; delete[] p;"), BUILD_FAULT_NEEDS_GPU,
     4, "calls `"},
};

START_TEST(small_files_get_their_fault_and_line) {
    struct build_report report = build(files[_i].source);
    ck_assert_msg(report.fault == files[_i].fault, "%s: is %s: %s", files[_i].name,
                  build_fault_name(report.fault), report.text);
    ck_assert_msg(report.line == files[_i].line, "%s: line %d: %s", files[_i].name, report.line,
                  report.text);
    ck_assert_msg(strstr(plain(report.text), files[_i].text) != NULL, "%s: %s", files[_i].name,
                  report.text);
    ck_assert_ptr_null(strstr(report.diagnostics, "root:"));
    build_report_done(&report);
}
END_TEST

static const struct {
    const char *text;
    int line;          // 0: fine
    const char *says;  // a part of the sentence
} words[] = {
    {"int a;\n__builtin_ia32_movnti(p, 5);\n", 2, "`__builtin_ia32_movnti`"},
    {"__builtin_memcpy(a, b, 4);\n", 1, "`__builtin_memcpy`"},
    {"char c = L'\"'; __builtin_strlen(a);\n", 1, "`__builtin_strlen`"},
    {"extern \"C\" void __tsan_write4(void *);\n", 1, "`__tsan_write4`"},
    {"void __ts\\\nan_write4(void *);\n", 1, "`__tsan_write4`"},
    {"a \\\n b\nemu_barrier();\n", 3, "`emu_barrier`"},
    {"__sync_fetch_and_add(p, 1);\n", 1, "`__sync_fetch_and_add`"},
    {"__atomic_store_n(p, 1, 0);\n", 1, "`__atomic_store_n`"},
    {"#define FOOR \"\nconst char *s = FOOR\"(\"; __tsan_init(); \")\";\n", 2, "`__tsan_init`"},
    {"__managed__ float x;\n", 1, "`__managed__`"},
    {"thread_local float x;\n", 1, "`thread_local`"},
    {"static\n__thread float x;\n", 2, "`__thread`"},
    {"__attribute__((target(\"avx2\"))) void f();\n", 1, "attribute `target`"},
    {"__attribute__ ((unused,\n  __weak__)) void f();\n", 2, "attribute `__weak__`"},
    {"[ [gnu::ifunc(\"g\")]] void f();\n", 1, "attribute `ifunc`"},
    {"int a;\n#line 1000 \"other.cu\"\n", 2, "#line"},
    {"int a;\n  # 12 \"x\" 3\n", 2, "#line"},
    {"%:li\\\nne 7\n", 1, "#line"},
    {"/* a\n */ # /* b */ line 7\n", 2, "#line"},
    {"void *l = &&here;\ngoto\n*l; here: ;\n", 2, "`goto`"},
    {"goto here; here: x = *p; my_goto * 3;\n", 0, ""},
    // Near misses, which only look wrong.
    {"// #line 7, __tsan_read4, thread_local\n/* emu_x */ int a;\n", 0, ""},
    {"const char *s = \"__builtin_memcpy thread_local\";\n", 0, ""},
    {"const char *s = R\"(\n#line 7\n)\";\n", 0, ""},
    {"int target = 3, weak, alias, line, constructor; f(target);\n", 0, ""},
    {"__attribute__((aligned(16))) int target;\n[[maybe_unused]] int weak;\n", 0, ""},
    {"a[b[target]] = weak;\n", 0, ""},
    {"__syncthreads(); __syncwarp(); atomicAdd(p, 1); my_thread_local = 1;\n", 0, ""},
    {"__builtin_expect(a, 1); __builtin_unreachable(); __builtin_assume(a);\n", 0, ""},
    {"#pragma unroll\n#define line 7\n#if line\n#endif\n", 0, ""},
    {"int emulate, x_emu_y, 1.emu_y;\n", 0, ""},
};

START_TEST(words_are_refused_before_any_compiler) {
    struct build_report report;
    size_t count = 0;
    char *copy = source_prepare(words[_i].text, strlen(words[_i].text), &count, &report);
    enum build_fault fault = words[_i].line > 0 ? BUILD_FAULT_NOT_ALLOWED : BUILD_FAULT_NONE;
    ck_assert_msg(report.fault == fault, "%s: %s", words[_i].text, report.text);
    ck_assert_msg(report.line == words[_i].line, "%s: line %d", words[_i].text, report.line);
    ck_assert_msg(strstr(plain(report.text), words[_i].says) != NULL, "%s: %s", words[_i].text,
                  report.text);
    free(copy);
}
END_TEST

// 80 and 320 MB of text for the compiler.
static const char *const sums[] = {"V + V + V + V", "W + W + W + W"};

START_TEST(a_file_that_grows_without_bound_is_the_students_fault) {
    char *source = NULL;
    static const char form[] = "#define S \"%0200000d\"\n"
                               "#define T sizeof S + sizeof S + sizeof S + sizeof S\n"
                               "#define U T + T + T + T + T\n#define V U + U + U + U + U\n"
                               "#define W V + V + V + V\n" FILE_OF("", "C[0] = %s;");
    ck_assert_int_gt(asprintf(&source, form, 0, sums[_i]), 0);
    struct build_report report = build(source);
    ck_assert_int_eq(report.fault, BUILD_FAULT_ERROR);
    ck_assert_ptr_nonnull(strstr(plain(report.text), "grow without bound?"));
    build_report_done(&report);
    free(source);
}
END_TEST

static const struct shared_array *find(const struct build_report *report, const char *name) {
    for (uint32_t i = 0; i < report->shared.count; i++) {
        if (strcmp(report->shared.array[i].name, name) == 0) {
            return &report->shared.array[i];
        }
    }
    ck_abort_msg("no array %s", name);
    return NULL;
}

START_TEST(shared_arrays_are_described) {
    struct build_report report = build(
        FILE_OF("__shared__ int flag; extern __shared__ float dynamic[]; typedef float row[5];\n",
                "__shared__ float As[16][17]; __shared__ float4 v[3]; __shared__ row r[2][3]; "
                "extern __shared__ double other[]; "
                "As[0][threadIdx.x] = A[0]; v[0].x = 1; r[0][0][0] = 2; flag = 1; dynamic[0] = 3; "
                "other[1] = 4; "
                "C[0] = As[1][1] + v[1].y + r[1][1][1] + flag + dynamic[1] + other[0];"));
    ck_assert_msg(report.fault == BUILD_FAULT_NONE, "%s", report.text);
    ck_assert_uint_eq(report.shared.count, 6);
    const struct shared_array *as = find(&report, "As");
    ck_assert_uint_eq(as->bytes, 16 * 17 * 4);
    ck_assert_uint_eq(as->element_bytes, 4);
    ck_assert_uint_eq(as->rank, 2);
    ck_assert_uint_eq(as->extent[0], 16);
    ck_assert_uint_eq(as->extent[1], 17);
    ck_assert_uint_eq(as->offset % 65536, 32);
    const struct shared_array *v = find(&report, "v");
    ck_assert_uint_eq(v->element_bytes, 16);
    ck_assert_uint_eq(v->extent[0], 3);
    const struct shared_array *r = find(&report, "r");
    ck_assert_uint_eq(r->rank, 3);
    ck_assert_uint_eq(r->extent[2], 5);
    const struct shared_array *flag = find(&report, "flag");
    ck_assert_uint_eq(flag->rank, 0);
    ck_assert_uint_eq(flag->bytes, 4);
    const struct shared_array *dynamic = find(&report, "dynamic");
    const struct shared_array *other = find(&report, "other");
    ck_assert_uint_eq(dynamic->is_dynamic, 1);
    ck_assert_uint_eq(dynamic->bytes, 0);
    ck_assert_uint_eq(dynamic->extent[0], 0);
    ck_assert_uint_eq(other->offset, dynamic->offset);
    ck_assert_uint_eq(other->element_bytes, 8);
    build_report_done(&report);
}
END_TEST

START_TEST(addresses_become_lines) {
    struct build_report report = build(FILE_OF("", "C[0] =\n        A[0];"));
    ck_assert_msg(report.fault == BUILD_FAULT_NONE, "%s", report.text);
    build_report_done(&report);
    // The line where the kernel starts, read from the linked program.
    struct build_step step = {.what = "nm", .argument = {"nm", "worker", NULL}};
    char *output = NULL;
    ck_assert_int_eq(step_run(&step, &output), 0);
    const char *kernel = strstr(output, " T matmul_x\n");
    ck_assert_ptr_nonnull(kernel);
    uint64_t address = strtoull(kernel - 16, NULL, 16);
    free(output);
    // The call belongs to the byte before a return address; 0 and the runtime belong to no line.
    const uint64_t addresses[3] = {address + 1, 0, address - (1 << 30)};
    step = build_locate_command(&paths, scratch, addresses, 3);
    ck_assert_int_eq(step_run(&step, &output), 0);
    struct build_place places[3];
    build_locate_parse(output, 3, places);
    ck_assert_uint_eq(places[0].line, 3);  // the opening brace
    ck_assert_uint_gt(places[0].column, 0);
    ck_assert_uint_eq(places[1].line, 0);
    ck_assert_uint_eq(places[1].column, 0);
    ck_assert_uint_eq(places[2].line, 0);
    free(output);
    build_step_done(&step);
}
END_TEST

START_TEST(all_addresses_of_all_findings_fit) {
    uint64_t addresses[3 * FINDINGS_MAX] = {0};
    struct build_step step = build_locate_command(&paths, scratch, addresses, 3 * FINDINGS_MAX);
    build_step_done(&step);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("build");
    TCase *cases = tcase_create("build");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, small_files_get_their_fault_and_line, 0,
                        (int)(sizeof files / sizeof *files));
    tcase_add_loop_test(cases, words_are_refused_before_any_compiler, 0,
                        (int)(sizeof words / sizeof *words));
    tcase_add_loop_test(cases, a_file_that_grows_without_bound_is_the_students_fault, 0,
                        (int)(sizeof sums / sizeof *sums));
    tcase_add_test(cases, shared_arrays_are_described);
    tcase_add_test(cases, addresses_become_lines);
    tcase_add_test(cases, all_addresses_of_all_findings_fit);
    suite_add_tcase(suite, cases);
    return suite;
}
