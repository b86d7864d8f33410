// g++'s messages: which verdict each leads to, and how much of them a student sees.
#include <string.h>

#include "device/build_report.h"
#include "device/compile/compiler_errors.h"
#include "device/compile/compiler_messages.h"
#include "device/compile/compiler_warnings.h"
#include "device/source/source_check.h"
#include "suite.h"

static const struct {
    const char *name, *output;
    int exit_code;
    enum build_fault fault;
    int line;
    const char *text;  // a part of the sentence
} rows[] = {
    {"plain error",
     "submission.cu: In function 'void f()':\nsubmission.cu:4:20: error: expected ';' before '}' "
     "token\n",
     1, BUILD_FAULT_ERROR, 4, "a ; is missing before }"},
    {"; at the end of the line before",
     "submission.cu:7:5: error: expected ',' or ';' before 'const'\n    7 |     const int col = "
     "1;\n"
     "      |     ^~~~~\n",
     1, BUILD_FAULT_ERROR, 7, "a ; is missing at the end of this line"},
    {"; before __shared__",
     "/x/emu/shim/cuda_emu.h:36:20: error: expected initializer before 'thread_local'\n"
     "submission.cu:7:5: note: in expansion of macro '__shared__'\n",
     1, BUILD_FAULT_ERROR, 7, "a ; is missing at the end of this line"},
    {"; before a function with specifiers",
     "submission.cu:7:12: error: expected initializer before 'void'\n    7 | __global__ void f() "
     "{\n"
     "      |            ^~~~\n",
     1, BUILD_FAULT_ERROR, 7, "a ; is missing at the end of this line"},
    {"; before a store by pointer",
     "submission.cu:8:5: error: no match for 'operator*' (operand types are 'const float4' and "
     "'float4*')\n    7 |     a = b\n      |         ~\n    8 |     *(float4 *)c = d;\n",
     1, BUILD_FAULT_ERROR, 8, "a ; is missing at the end of this line"},
    {"product of two vectors in one line",
     "submission.cu:8:5: error: no match for 'operator*' (operand types are 'const float4' and "
     "'float4*')\n    8 |     a = b * c;\n      |         ~ ^ ~\n",
     1, BUILD_FAULT_ERROR, 8, "does not compile: no match"},
    {"operator or ; in a line",
     "submission.cu:7:11: error: expected ';' before 'B'\n    7 |     s += A B;\n      |           "
     "^~\n",
     1, BUILD_FAULT_ERROR, 7, "an operator such as * or a ; is missing before B"},
    {"comma in a for",
     "submission.cu:7:23: error: expected ';' before '<' token\n    7 |     for (int k = 0, k < "
     "K, ++k) {\n      |                      ^~\n",
     1, BUILD_FAULT_ERROR, 7, "the three parts in the head of a for are separated by ;"},
    {"; of a #define",
     "submission.cu:9:25: error: expected primary-expression before '(' token\n"
     "    9 |     block = dim3(TILE);\n      |                         ^\n"
     "submission.cu:3:16: error: expected ')' before ';' token\n    3 | #define TILE 16;\n",
     1, BUILD_FAULT_ERROR, 3, "the ; at the end of a #define"},
    {"name that is spelled alike",
     "submission.cu:7:5: error: 'thredIdx' was not declared in this scope; did you mean "
     "'threadIdx'?\n",
     1, BUILD_FAULT_ERROR, 7, "thredIdx is not known here: did you mean threadIdx?"},
    {"shuffle of before CUDA 9",
     "submission.cu:7:5: error: '__shfl_down' was not declared in this scope; did you mean "
     "'__shfl_down_sync'?\n",
     1, BUILD_FAULT_ERROR, 7, "CUDA has no __shfl_down any more: __shfl_down_sync replaces it"},
    {"number in place of an address",
     "submission.cu:7:20: error: invalid conversion from 'int' to 'int*' [-fpermissive]\n"
     "    7 |     atomicAdd(mine[key], 1);\n      |               ~~~~~~~~^\n",
     1, BUILD_FAULT_ERROR, 7, "the first argument of an atomic function is an address"},
    {"number in place of a pointer",
     "submission.cu:7:20: error: invalid conversion from 'int' to 'int*' [-fpermissive]\n"
     "    7 |     int *one = mine[key];\n      |                ~~~~~~~~^\n",
     1, BUILD_FAULT_ERROR, 7, "invalid conversion from 'int' to 'int*'"},
    {"uint of Linux",
     "submission.cu:7:5: error: 'uint' was not declared in this scope; did you mean "
     "'uint4'?\n",
     1, BUILD_FAULT_ERROR, 7, "uint is a name of Linux's headers"},
    {"name of mathematics",
     "submission.cu:7:5: error: 'print' was not declared in this scope; did "
     "you mean 'rint'?\n",
     1, BUILD_FAULT_ERROR, 7, "print is not known here: is it declared"},
    {"part of a vector", "submission.cu:7:5: error: 'const struct uint3' has no member named 'X'\n",
     1, BUILD_FAULT_ERROR, 7, "there is no .X in uint3, which has .x .y .z"},
    {"first of two",
     "submission.cu:9:1: warning: w\nsubmission.cu:4:2: error: a\nsubmission.cu:5:2: error: b\n", 1,
     BUILD_FAULT_ERROR, 4, "does not compile: a"},
    {"header for a GPU",
     "In file included from submission.cu:3:\n/x/include/standin/mma.h:6:2: error: #error "
     "tilegrade_needs_gpu: <mma.h>\n",
     1, BUILD_FAULT_NEEDS_GPU, 3, "uses <mma.h>, which only a GPU can run"},
    {"inline PTX, behind other errors",
     "submission.cu:13:45: error: expected ')' before ':' token\nIn file included from "
     "<command-line>:\n"
     "/x/emu/shim/cuda_emu.h:73:44: error: 'tilegrade_needs_gpu_inline_ptx' was not declared in "
     "this scope\n"
     "   73 | #define asm tilegrade_needs_gpu_inline_ptx\nsubmission.cu:13:13: note: in expansion "
     "of macro 'asm'\n",
     1, BUILD_FAULT_NEEDS_GPU, 13, "inline PTX (asm)"},
    {"inline PTX, pasted",
     "/x/emu/shim/cuda_emu.h:73:44: error: 'tilegrade_needs_gpu_inline_ptx' was not declared\n"
     "submission.cu:6:16: note: in expansion of macro 'asm'\n    6 | #define P(a,b) a##b\n"
     "submission.cu:8:21: note: in expansion of macro 'P'\n    8 | void q() { P(as, m)(x); }\n",
     1, BUILD_FAULT_NEEDS_GPU, 8, "inline PTX (asm)"},
    {"missing header", "submission.cu:2:10: fatal error: vector: No such file or directory\n", 1,
     BUILD_FAULT_NOT_ALLOWED, 2,
     "includes vector, which a kernel file may not include: only matmul.cuh"},
    {"header with another ending",
     "submission.cu:2:10: fatal error: matmul.h: No such file or directory\n", 1,
     BUILD_FAULT_NOT_ALLOWED, 2,
     "includes matmul.h, which does not exist: did you mean matmul.cuh?"},
    {"file of the system",
     "In file included from submission.cu:2:\n/etc/passwd:1:1: error: 'root' does not name a "
     "type\n",
     1, BUILD_FAULT_NOT_ALLOWED, 2, "includes a file"},
    {"launch by <<<>>>",
     "submission.cu:7:12: error: expected primary-expression before '<' token\n    7 |     f<<<1, "
     "2>>>(A);\n",
     1, BUILD_FAULT_NOT_ALLOWED, 7, "host code"},
    {"the same words without <<<",
     "submission.cu:7:12: error: expected primary-expression before '<' token\n    7 |     if (a "
     "<)\n",
     1, BUILD_FAULT_ERROR, 7, "a value or a name is missing before "},
    {"API of the host", "submission.cu:4:15: error: 'cudaMalloc' was not declared in this scope\n",
     1, BUILD_FAULT_NOT_ALLOWED, 4, "host code"},
    {"a name like it", "submission.cu:4:15: error: 'cudamalloc' was not declared in this scope\n",
     1, BUILD_FAULT_ERROR, 4, "is not known here"},
    {"other result type",
     "submission.cu:2:16: error: ambiguating new declaration of 'int matmul_x(const float*, const "
     "float*, float*, int, int, "
     "int)'\n",
     1, BUILD_FAULT_BAD_SIGNATURE, 2, "declares matmul_x differently"},
    {"a configuration of other sizes",
     "submission.cu:7:1: error: conflicting declaration of C function 'void "
     "matmul_x_launch_config(launch_config*, int, int)'\n",
     1, BUILD_FAULT_BAD_CONFIG, 7, "LAUNCH_CONFIG takes"},
    {"a configuration of two sizes",
     "submission.cu:7:31: error: macro \"LAUNCH_CONFIG\" requires 4 arguments, but only 3 given\n",
     1, BUILD_FAULT_BAD_CONFIG, 7, "LAUNCH_CONFIG takes"},
    {"types in a configuration",
     "/x/include/matmul.cuh:28:73: error: two or more data types in declaration of 'M'\n"
     "   28 |  [[maybe_unused]] struct launch_config *launch, [[maybe_unused]] int M,\n"
     "submission.cu:7:1: note: in expansion of macro 'LAUNCH_CONFIG'\n"
     "    7 | LAUNCH_CONFIG(matmul_x, int M, int N, int K)\n",
     1, BUILD_FAULT_BAD_CONFIG, 7, "LAUNCH_CONFIG takes"},
    {"types elsewhere",
     "submission.cu:7:9: error: two or more data types in declaration of 'M'\n    7 | int int M;\n",
     1, BUILD_FAULT_ERROR, 7, "does not compile"},
    {"other function's",
     "submission.cu:2:16: error: ambiguating new declaration of 'int helper(float)'\n", 1,
     BUILD_FAULT_ERROR, 2, "does not compile"},
    {"no matmul.cuh",
     "submission.cu:5:14: error: expected constructor, destructor, or type conversion before '(' "
     "token\n"
     "    5 | LAUNCH_CONFIG(matmul_x, M, N, K)\n",
     1, BUILD_FAULT_ERROR, 5, "matmul.cuh"},
    {"a } is missing",
     "In file included from submission.cu:8:\n/x/include/matmul.cuh:42:12: error: expected "
     "unqualified-id before string constant\nsubmission.cu:47:1: note: in expansion of macro "
     "'LAUNCH_CONFIG'\nsubmission.cu:50:2: error: expected '}' at end of input\n"
     "submission.cu:12:93: note: to match this '{'\n",
     1, BUILD_FAULT_ERROR, 12, "a } is missing: the { of line 12, or one inside it, is not closed"},
    {"a full-width semicolon",
     "submission.cu:7:9: error: 'sum\xef\xbc\x9b' was not declared in this scope\n", 1,
     BUILD_FAULT_ERROR, 7, "contains a character that only looks like ; (U+FF1B"},
    {"a full-width bracket as an escape",
     "submission.cu:7:9: error: 'if\\U0000ff08row' was not declared in this scope\n", 1,
     BUILD_FAULT_ERROR, 7, "only looks like ( (U+FF08"},
    {"a blank of no width",
     "submission.cu:7:9: error: 'float\xe2\x80\x8b' was not declared in this scope\n", 1,
     BUILD_FAULT_ERROR, 7,
     "contains a blank or invisible character that C does not allow (U+200B)"},
    {"letters of another script are letters",
     "submission.cu:7:9: error: '\xe5\x92\x8c' was not declared in this scope\n", 1,
     BUILD_FAULT_ERROR, 7, "is not known here"},
    {"a cut character at the end", "submission.cu:7:9: error: '\xef\xbc\n", 1, BUILD_FAULT_ERROR, 7,
     "does not compile: '"},
    {"too few underscores",
     "submission.cu:7:9: error: '_shared_' was not declared in this scope; did you mean "
     "'__isShared'?\n",
     1, BUILD_FAULT_ERROR, 7, "_shared_ is not known: did you mean __shared__, with two"},
    {"a type with too few underscores",
     "submission.cu:7:9: error: '_global' does not name a type\n", 1, BUILD_FAULT_ERROR, 7,
     "did you mean __global__"},
    {"a longer name", "submission.cu:7:9: error: 'shared_sum' was not declared in this scope\n", 1,
     BUILD_FAULT_ERROR, 7, "is not known here"},
    {"an array of variable size",
     "submission.cu:7:9: error: variable length array 'As' is used [-Werror=vla]\n", 1,
     BUILD_FAULT_ERROR, 7, "the size of the array As is a variable"},
    {"a store to A",
     "submission.cu:7:9: error: assignment of read-only location '*(A + ((sizetype)(((long "
     "unsigned "
     "int)row) * 4)))'\n",
     1, BUILD_FAULT_ERROR, 7, "stores to A, which is const"},
    {"an error in a macro of ours stands where it is used",
     "In file included from submission.cu:8:\n/x/include/matmul.cuh:42:12: error: bad\n"
     "submission.cu:47:1: note: in expansion of macro 'LAUNCH_CONFIG'\n",
     1, BUILD_FAULT_ERROR, 47, "does not compile: bad"},
    {"killed", "", 139, BUILD_FAULT_ERROR, 0, "did not finish"},
    {"out of memory", "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n", 1,
     BUILD_FAULT_ERROR, 0, "gave up"},
    {"a student's words are no trouble of ours",
     "submission.cu:2:2: error: #error g++: cannot execute cc1plus\n", 1, BUILD_FAULT_ERROR, 2,
     "#error g++: cannot execute"},
    {"nor these", "submission.cu:2:2: error: #error No space left on device\n", 1,
     BUILD_FAULT_ERROR, 2, "#error No space"},
};

START_TEST(messages_lead_to_verdicts) {
    struct build_report report;
    struct error err;
    memset(&report, 0, sizeof report);
    ck_assert_int_eq(
        diagnostics_judge(rows[_i].output, "matmul_x", rows[_i].exit_code, &report, &err),
        STATUS_OK);
    ck_assert_msg(report.fault == rows[_i].fault, "%s: %s", rows[_i].name,
                  build_fault_name(report.fault));
    ck_assert_msg(report.line == rows[_i].line, "%s: line %d", rows[_i].name, report.line);
    ck_assert_msg(strstr(plain(report.text), rows[_i].text) != NULL, "%s: %s", rows[_i].name,
                  report.text);
}
END_TEST

// The same in whole programs, whose files have relative names.
static const struct {
    const char *output;
    enum build_fault fault;
    int line;
    const char *file, *text;
} of_programs[] = {
    {"submission.cu:9:55: error: no match for call to '(tilegrade::launcher<float*, int>) (int*&, "
     "int)'\n",
     BUILD_FAULT_ERROR, 9, BUILD_SOURCE, "it takes (float*, int), and is given (int*, int)"},
    {"submission.cu:9:55: error: no match for call to '(tilegrade::launcher<float*, float*, "
     "float*, float*, float*, float*, float*, float*, float*, float*>) (int)'\n",
     BUILD_FAULT_ERROR, 9, BUILD_SOURCE, "arguments of this launch do not fit"},
    {"parts/a.cu:4:9: error: 'cudaStreamSomething' was not declared in this scope\n",
     BUILD_FAULT_ERROR, 4, "parts/a.cu", "lists the functions of CUDA's runtime"},
    {"parts/a.cu:4:9: error: 'two' was not declared in this scope\n", BUILD_FAULT_ERROR, 4,
     "parts/a.cu", "two is not known here: is it declared"},
    {"a.h:2:10: fatal error: cublas_v2.h: No such file or directory\n", BUILD_FAULT_NEEDS_GPU, 2,
     "a.h", "of a library that is not modelled"},
    {"a.h:2:10: fatal error: mine.h: No such file or directory\n", BUILD_FAULT_ERROR, 2, "a.h",
     "nor in a folder of -I"},
    {"submission.cu:3:5: error: too few arguments to function 'cudaError_t f(int, int)'\n",
     BUILD_FAULT_ERROR, 3, BUILD_SOURCE, "gives f too few arguments"},
    {"submission.cu:3:5: error: too many arguments to function 'void* g(int)'\n", BUILD_FAULT_ERROR,
     3, BUILD_SOURCE, "gives g too many arguments"},
    {"submission.cu:3:5: error: redefinition of 'void f(int)'\n", BUILD_FAULT_ERROR, 3,
     BUILD_SOURCE, "defines f a second time"},
    {"submission.cu:5:18: error: expected ';' before 'grid'\n    5 |     cg::this_grid grid;\n",
     BUILD_FAULT_ERROR, 5, BUILD_SOURCE, "the type of grid is the name of a function"},
    {"submission.cu:5:9: error: output constraint 0 must specify a single register\n",
     BUILD_FAULT_NEEDS_GPU, 5, BUILD_SOURCE, "inline PTX"},
    {"submission.cu:4:17: error: call to 'cudaGraphCreate' declared with attribute error: "
     "tilegrade_needs_gpu_CUDA_graphs\n",
     BUILD_FAULT_NEEDS_GPU, 4, BUILD_SOURCE, "uses CUDA graphs"},
    {"submission.cu:7:3: error: cannot convert 'int*' to 'float*'\n", BUILD_FAULT_ERROR, 7,
     BUILD_SOURCE, "a value of the type int* is given where float* is needed"},
    {"submission.cu:7:3: error: 'struct P' has no member named 'q'\n", BUILD_FAULT_ERROR, 7,
     BUILD_SOURCE, "struct P has no member q"},
    {"submission.cu:8:20:   required from here\n/usr/include/c++/12/x.h:3:5: error: no type in "
     "'a'\n",
     BUILD_FAULT_ERROR, 8, BUILD_SOURCE, "does not compile: no type"},
};

START_TEST(messages_about_programs_name_the_file) {
    struct build_report report;
    struct error err;
    char file[PATH_BYTES_MAX];
    memset(&report, 0, sizeof report);
    ck_assert_int_eq(program_errors_judge(of_programs[_i].output, 1, &report, file, &err),
                     STATUS_OK);
    ck_assert_msg(report.fault == of_programs[_i].fault, "%s: %s", of_programs[_i].text,
                  build_fault_name(report.fault));
    ck_assert_int_eq(report.line, of_programs[_i].line);
    ck_assert_str_eq(file, of_programs[_i].file);
    ck_assert_msg(strstr(plain(report.text), of_programs[_i].text) != NULL, "%s: %s",
                  of_programs[_i].text, report.text);
}
END_TEST

// Messages as g++ 11 to 13 write them, and which of them report our own trouble.
static const struct {
    const char *output;
    int exit_code;
    enum status status;
    const char *text;  // a part of the error, or of the report if the fault is the student's
} troubles[] = {
    {"g++: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\n", 1,
     STATUS_UNAVAILABLE, "make setup"},
    {"submission.cu:9:1: fatal error: error writing to kernel.s: No space left on device\n", 1,
     STATUS_SYSTEM, "set TMPDIR"},
    {"submission.cu:30:1: fatal error: closing dependency file kernel.d: No space left on device\n"
     "compilation terminated.\n",
     1, STATUS_SYSTEM, "set TMPDIR"},
    {"<command-line>: fatal error: opening dependency file kernel.d: Read-only file system\n", 1,
     STATUS_SYSTEM, "cannot be written"},
    {"submission.cu:1:1: fatal error: when writing output to kernel.ii: Disk quota exceeded\n", 1,
     STATUS_SYSTEM, "no disk space"},
    {"<built-in>: fatal error: when writing output to kernel.ii: No such file or directory\n", 1,
     STATUS_SYSTEM, "no disk space"},
    {"submission.cu:12:1: fatal error: error writing to kernel.s: Input/output error\n", 1,
     STATUS_SYSTEM, "disk"},
    {"cc1plus: fatal error: cannot open 'kernel.s' for writing: Permission denied\n", 1,
     STATUS_SYSTEM, "cannot be written"},
    {"submission.cu:1: error: could not open dump file 'kernel.tsan': No space left on device\n", 1,
     STATUS_SYSTEM, "no disk space"},
    {"cc1plus: fatal error: submission.cu: Too many open files\n", 1, STATUS_SYSTEM, "ulimit -n"},
    {"submission.cu:2:10: fatal error: /course/grader/include/matmul.cuh: Too many open files\n", 1,
     STATUS_SYSTEM, "could not read a header"},
    {"submission.cu:2:10: error: /usr/include/math.h: Input/output error\n"
     "submission.cu:9:1: error: 'sqrtf' was not declared in this scope\n",
     1, STATUS_SYSTEM, "could not read a header"},
    {"g++: fatal error: cannot execute 'cc1plus': vfork: Cannot allocate memory\n", 1,
     STATUS_SYSTEM, "no memory left"},
    {"g++-13: fatal error: cannot execute 'cc1plus': posix_spawn: Resource temporarily "
     "unavailable\n",
     1, STATUS_SYSTEM, "ulimit -u"},
    {"g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n", 1,
     STATUS_SYSTEM, "was killed"},
    {"", 137, STATUS_SYSTEM, "was killed"},
    {"/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus: error while loading shared libraries: libmpc.so.3: "
     "failed to map segment from shared object\n",
     127, STATUS_SYSTEM, "could not be started"},
    // The student's fault, although the words of our trouble appear.
    {"submission.cu:3:2: error: #error closing dependency file: No space left on device\n", 1,
     STATUS_OK, "does not compile"},
    {"submission.cu:3:10: fatal error: /usr/../proc/self/mem: Input/output error\n", 1, STATUS_OK,
     ""},
    {"submission.cu:3:10: fatal error: /usr/x: Input/output error: No such file or directory\n", 1,
     STATUS_OK, ""},
    {"submission.cu:3:10: fatal error: No space left on device: No such file or directory\n", 1,
     STATUS_OK, "may not include"},
    {"submission.cu:3:10: fatal error: error writing to x: No such file or directory\n", 1,
     STATUS_OK, "may not include"},
    {"submission.cu:3:10: fatal error: /root/.profile: Permission denied\n", 1, STATUS_OK,
     "may not include"},
    {"submission.cu:3:15: error: static assertion failed: disk: No space left on device\n", 1,
     STATUS_OK, "does not compile"},
    {"cc1plus: out of memory allocating 65536 bytes after a total of 2147000000 bytes\n", 1,
     STATUS_OK, "gave up"},
    {"virtual memory exhausted: Cannot allocate memory\n", 1, STATUS_OK, "gave up"},
    {"g++: fatal error: CPU time limit exceeded signal terminated program cc1plus\n", 1, STATUS_OK,
     "gave up"},
    {"g++: internal compiler error: Segmentation fault signal terminated program cc1plus\n", 4,
     STATUS_OK, "gave up"},
    {"submission.cu:5:1: internal compiler error: in build_value_init, at cp/init.cc:342\n", 1,
     STATUS_OK, "gave up"},
};

START_TEST(trouble_of_the_compiler_is_ours) {
    struct build_report report;
    struct error err;
    memset(&report, 0, sizeof report);
    enum status status =
        diagnostics_judge(troubles[_i].output, "matmul_x", troubles[_i].exit_code, &report, &err);
    const char *text = status ? err.text : report.text;
    ck_assert_msg(status == troubles[_i].status, "%s: status %d, %s", troubles[_i].output, status,
                  text);
    ck_assert_msg(strstr(text, troubles[_i].text) != NULL, "%s: %s", troubles[_i].output, text);
    ck_assert_int_eq(report.fault != BUILD_FAULT_NONE, status == STATUS_OK);
}
END_TEST

static char *show(const char *output) {
    return diagnostics_show(output, "matmul_tiled");
}

START_TEST(shown_text_names_the_students_file) {
    char *text = show("submission.cu:4:2: error: x in 'submission.cu'\n    4 | /usr/submission\n");
    ck_assert_str_eq(text, "tiled.cu:4:2: error: x in 'tiled.cu'\n    4 | /usr/submission\n");
    free(text);
}
END_TEST

START_TEST(warnings_are_left_out_where_there_are_errors) {
    char *text = show("submission.cu:1:1: warning: unused\n    1 | int a;\nsubmission.cu:4:2: "
                      "error: bad\n    4 | x\n");
    ck_assert_str_eq(text, "tiled.cu:4:2: error: bad\n    4 | x\n");
    free(text);
    text = show("submission.cu:1:1: warning: unused\n    1 | int a;\n");
    ck_assert_str_eq(text, "tiled.cu:1:1: warning: unused\n    1 | int a;\n");
    free(text);
}
END_TEST

START_TEST(a_warning_in_a_header_of_ours_is_not_shown) {
    char *text = show("/x/include/standin/emu/cooperative_groups.h:60:25: warning: 'base' may be "
                      "used uninitialized [-Wmaybe-uninitialized]\n   60 | copy\n"
                      "submission.cu:7:9: note: 'base' was declared here\n    7 | int base;\n"
                      "submission.cu:9:1: warning: unused\n    9 | int a;\n");
    ck_assert_str_eq(text, "tiled.cu:9:1: warning: unused\n    9 | int a;\n");
    free(text);
}
END_TEST

START_TEST(our_own_names_and_lines_are_not_shown) {
    char *text = show("/x/emu/shim/cuda_text.h:14:17: error: conflicting declaration of 'void* "
                      "__tilegrade_memset()'\n   14 | #define memset  __tilegrade_memset\n"
                      "submission.cu:6:9: note: in expansion of macro 'memset'\n    6 | memset\n"
                      "/x/emu/shim/cuda_text.h:11:7: note: previous\n   11 | EMU_NAME(memset);\n");
    ck_assert_str_eq(text, "cuda_text.h:14:17: error: conflicting declaration of 'void* memset()'\n"
                           "tiled.cu:6:9: note: in expansion of macro 'memset'\n    6 | memset\n");
    free(text);
}
END_TEST

START_TEST(the_open_brace_is_shown_first) {
    char *text = show("submission.cu:4:2: error: a\nsubmission.cu:9:2: error: expected '}' at end "
                      "of input\nsubmission.cu:2:1: note: to match this '{'\n");
    ck_assert_str_eq(text, "tiled.cu:9:2: error: expected '}' at end of input\n"
                           "tiled.cu:2:1: note: to match this '{'\ntiled.cu:4:2: error: a\n");
    free(text);
}
END_TEST

START_TEST(warnings_of_variables_without_a_value_are_picked_out) {
    char *text =
        diagnostics_uninitialized("tiled.cu: In function 'f':\n"
                                  "tiled.cu:3:1: warning: unused 'b' [-Wunused-variable]\n"
                                  "    3 | int b;\n"
                                  "tiled.cu:4:2: warning: 'a' is used uninitialized "
                                  "[-Wuninitialized]\n    4 | x\n"
                                  "tiled.cu:2:9: note: 'a' was declared here\n    2 | int a;\n"
                                  "tiled.cu: In function 'g':\n");
    ck_assert_str_eq(text, "tiled.cu:4:2: warning: 'a' is used uninitialized [-Wuninitialized]\n"
                           "    4 | x\ntiled.cu:2:9: note: 'a' was declared here\n"
                           "    2 | int a;\n");
    free(text);
}
END_TEST

START_TEST(foreign_files_are_not_quoted) {
    char *text = show("In file included from submission.cu:2:\n/etc/passwd:1:1: error: 'root' does "
                      "not name a type\n"
                      "    1 | root:x:0:0\n");
    ck_assert_ptr_null(strstr(text, "root"));
    free(text);
}
END_TEST

START_TEST(folders_of_ours_are_not_shown) {
    char *text = show(
        "In file included from submission.cu:2:\n/secret/include/matmul.cuh:3:1: error: bad\n");
    ck_assert_str_eq(text, "In file included from tiled.cu:2:\nmatmul.cuh:3:1: error: bad\n");
    free(text);
}
END_TEST

START_TEST(long_output_is_cut) {
    char output[64 * 100] = "";
    for (int i = 0; i < 100; i++) {
        (void)snprintf(output + strlen(output), 64, "submission.cu:%d:1: error: bad\n", i + 1);
    }
    char *text = show(output);
    int lines = 0;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    ck_assert_int_eq(lines, DIAGNOSTIC_LINES_MAX + 1);
    ck_assert_ptr_nonnull(strstr(plain(text), "… and 60 more lines\n"));
    free(text);
}
END_TEST

static const struct {
    const char *name, *bytes;
    size_t count;
    enum build_fault fault;
    int line;
    const char *copy;  // NULL: none
} sources[] = {
    {"plain", "int a;\n", 7, BUILD_FAULT_NONE, 0, "int a;\n"},
    {"no last line end", "int a;", 6, BUILD_FAULT_NONE, 0, "int a;\n"},
    {"byte order mark", "\xef\xbb\xbfint a;\n", 10, BUILD_FAULT_NONE, 0, "int a;\n"},
    {"carriage returns", "int a;\r\n", 8, BUILD_FAULT_NONE, 0, "int a;\r\n"},
    {"Latin-1", "// gr\xfc\xdf\n", 8, BUILD_FAULT_NONE, 0, "// gr\xfc\xdf\n"},
    {"NUL byte", "int a;\n\nint\0b;\n", 15, BUILD_FAULT_NOT_ALLOWED, 3, NULL},
    {"UTF-16 with mark", "\xff\xfei\0n\0t\0", 8, BUILD_FAULT_NOT_ALLOWED, 0, NULL},
    {"UTF-16 without", "i\0n\0t\0", 6, BUILD_FAULT_NOT_ALLOWED, 0, NULL},
    {"UTF-16 big-endian", "\0i\0n\0t", 6, BUILD_FAULT_NOT_ALLOWED, 0, NULL},
    {"empty", "", 0, BUILD_FAULT_NO_KERNEL, 0, NULL},
    {"blank", " \r\n\t\n", 5, BUILD_FAULT_NO_KERNEL, 0, NULL},
    {"include of a path", "int a;\n#include \"/dev/zero\"\n", 28, BUILD_FAULT_NOT_ALLOWED, 2, NULL},
    {"include by name", "#include <math.h>\n", 18, BUILD_FAULT_NONE, 0, "#include <math.h>\n"},
    {"only a byte order mark", "\xef\xbb\xbf", 3, BUILD_FAULT_NO_KERNEL, 0, NULL},
};

START_TEST(sources_are_checked_before_any_compiler) {
    struct build_report report;
    size_t count = 99;
    char *copy = source_prepare(sources[_i].bytes, sources[_i].count, &count, &report);
    ck_assert_msg(report.fault == sources[_i].fault, "%s: %s", sources[_i].name, report.text);
    ck_assert_msg(report.line == sources[_i].line, "%s: line %d", sources[_i].name, report.line);
    if (sources[_i].copy) {
        ck_assert_str_eq(copy, sources[_i].copy);
        ck_assert_uint_eq(count, strlen(sources[_i].copy));
    } else {
        ck_assert_ptr_null(copy);
        ck_assert_uint_gt(strlen(report.text), 0);
    }
    free(copy);
}
END_TEST

START_TEST(size_of_a_source_is_limited) {
    char *bytes = malloc(SOURCE_BYTES_MAX + 1);
    struct build_report report;
    size_t count = 0;
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'x', SOURCE_BYTES_MAX + 1);
    char *copy = source_prepare(bytes, SOURCE_BYTES_MAX, &count, &report);
    ck_assert_int_eq(report.fault, BUILD_FAULT_NONE);
    ck_assert_uint_eq(count, SOURCE_BYTES_MAX);
    free(copy);
    ck_assert_ptr_null(source_prepare(bytes, SOURCE_BYTES_MAX + 1, &count, &report));
    ck_assert_int_eq(report.fault, BUILD_FAULT_NOT_ALLOWED);
    ck_assert_str_eq(plain(report.text),
                     "the file has 262145 bytes; a kernel file may have at most 262144");
    free(bytes);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("diagnostics");
    TCase *cases = tcase_create("diagnostics");
    tcase_add_loop_test(cases, messages_lead_to_verdicts, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_loop_test(cases, messages_about_programs_name_the_file, 0,
                        (int)(sizeof of_programs / sizeof *of_programs));
    tcase_add_loop_test(cases, trouble_of_the_compiler_is_ours, 0,
                        sizeof troubles / sizeof *troubles);
    tcase_add_test(cases, shown_text_names_the_students_file);
    tcase_add_test(cases, warnings_are_left_out_where_there_are_errors);
    tcase_add_test(cases, a_warning_in_a_header_of_ours_is_not_shown);
    tcase_add_test(cases, our_own_names_and_lines_are_not_shown);
    tcase_add_test(cases, the_open_brace_is_shown_first);
    tcase_add_test(cases, warnings_of_variables_without_a_value_are_picked_out);
    tcase_add_test(cases, foreign_files_are_not_quoted);
    tcase_add_test(cases, folders_of_ours_are_not_shown);
    tcase_add_test(cases, long_output_is_cut);
    tcase_add_loop_test(cases, sources_are_checked_before_any_compiler, 0,
                        (int)(sizeof sources / sizeof *sources));
    tcase_add_test(cases, size_of_a_source_is_limited);
    suite_add_tcase(suite, cases);
    return suite;
}
