"""The CPU device accepts and refuses the same files as NVRTC does.

Each snippet below is put into a kernel file, which the CPU device builds and which NVRTC compiles
if it is found; without NVRTC the snippets are skipped.  One in PART is drawn by the commit, or all
with SETS=all.  A file that needs a GPU counts as accepted.  Known differences are in KNOWN with the
reason, and the test says when one no longer differs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from drawn import is_drawn  # noqa: E402  (found by the line above)

BUILD = ROOT / "build"
PART = 4
SECONDS = 120

FILE = """#include "matmul.cuh"
{outside}
__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{{
{inside}
}}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}}
"""

# Name: the code outside the kernel, the code inside.
SNIPPETS: dict[str, tuple[str, str]] = {
    "nothing": ("", "C[0] = 0;"),
    "host function not called": ("int f(int x) { return x; }", "C[0] = 0;"),
    "host function called": ("int f(int x) { return x; }", "C[0] = f(M);"),
    "static host function not called": ("static int f(int x) { return x; }", "C[0] = 0;"),
    "__host__ function": ("__host__ int f(int x) { return x; }", "C[0] = 0;"),
    "__host__ __device__ function": (
        "__host__ __device__ int f(int x) { return x; }",
        "C[0] = f(M);",
    ),
    "constexpr for a constant alone": (
        "constexpr int f(int x) { return x; }",
        "float t[f(3)]; C[0] = t[0] = 1;",
    ),
    "constexpr called at run time": ("constexpr int f(int x) { return x; }", "C[0] = f(M);"),
    "constexpr not called": ("constexpr int f(int x) { return x; }", "C[0] = 0;"),
    "static constexpr for a constant": (
        "static constexpr int f(int x) { return x; }",
        "constexpr int n = f(3); C[0] = n;",
    ),
    "inline constexpr for a constant": (
        "inline constexpr int f(int x) { return x; }",
        "constexpr int n = f(3); C[0] = n;",
    ),
    "constexpr in static_assert": (
        'constexpr int f(int x) { return x; }\nstatic_assert(f(2) == 2, "");',
        "C[0] = 0;",
    ),
    "constexpr calling constexpr for a constant": (
        "constexpr int g(int x) { return x; }\nconstexpr int f(int x) { return g(x); }",
        "constexpr int n = f(3); C[0] = n;",
    ),
    "constexpr member for a constant": (
        "struct S { static constexpr int f(int x) { return x; } };",
        "constexpr int n = S::f(3); C[0] = n;",
    ),
    "constexpr member at run time": (
        "struct S { static constexpr int f(int x) { return x; } };",
        "C[0] = S::f(M);",
    ),
    "template not instantiated": ("template <class T> T f(T x) { return x; }", "C[0] = 0;"),
    "template of the host called": ("template <class T> T f(T x) { return x; }", "C[0] = f(M);"),
    "template in an unevaluated place": (
        "template <class T> T f(T x) { return x; }",
        "decltype(f(1.0f)) x = 2; C[0] = x;",
    ),
    "template of the host instantiated explicitly": (
        "template <class T> T f(T x) { return x; }\ntemplate int f<int>(int);",
        "C[0] = 0;",
    ),
    "constexpr template for a constant": (
        "template <int N> constexpr int f() { return N; }",
        "constexpr int n = f<3>(); C[0] = n;",
    ),
    "template __device__": ("template <class T> __device__ T f(T x) { return x; }", "C[0] = f(M);"),
    "extern C device function": (
        'extern "C" __device__ int f(int x) { return x; }',
        "C[0] = f(M);",
    ),
    "extern C block of device functions": (
        'extern "C" { __device__ int f(int x) { return x; } }',
        "C[0] = f(M);",
    ),
    "extern C host function": ('extern "C" int f(int x) { return x; }', "C[0] = 0;"),
    "extern C second kernel": (
        'extern "C" __global__ void other(float *C) { C[0] = 1; }',
        "C[0] = 0;",
    ),
    "extern C name of the C library": (
        'extern "C" __device__ int strlen_of(int x) { return x; }',
        "C[0] = strlen_of(M);",
    ),
    "device function declared first": (
        "__device__ int f(int x);\n__device__ int f(int x) { return x; }",
        "C[0] = f(M);",
    ),
    "device mark on the declaration alone": (
        "__device__ int f(int x);\nint f(int x) { return x; }",
        "C[0] = f(M);",
    ),
    "declared and never defined": ("__device__ int f(int x);", "C[0] = f(M);"),
    "host function declared alone": ("int f(int x);", "C[0] = 0;"),
    "kernel declared first": (
        'extern "C" __global__ void matmul_naive(const float *A, const float *B, float *C, int M,'
        " int N, int K);",
        "C[0] = 0;",
    ),
    "lambda": ("", "auto f = [=](int x) { return x + M; }; C[0] = f(N);"),
    "lambda marked __device__": (
        "",
        "auto f = [=] __device__(int x) { return x + M; }; C[0] = f(N);",
    ),
    "lambda marked __device__ mutable": (
        "",
        "int n = 0; auto f = [n] __device__(int x) mutable { return n += x; }; C[0] = f(N);",
    ),
    "lambda of the whole file": ("auto f = [](int x) { return x; };", "C[0] = 0;"),
    "constexpr lambda of the whole file, not called": (
        "constexpr auto f = [](int x) { return x; };",
        "C[0] = 0;",
    ),
    "generic lambda": ("", "auto f = [=](auto x) { return x + M; }; C[0] = f(N);"),
    "generic lambda marked __device__": (
        "",
        "auto f = [=] __device__(auto x) { return x + M; }; C[0] = f(N);",
    ),
    "lambda given to a template": (
        "template <class F> __device__ int call(F f) { return f(2); }",
        "C[0] = call([=](int x) { return x + M; });",
    ),
    "member function without a mark, not called": (
        "struct S { int x; int get() const { return x; } };",
        "S s{M}; C[0] = s.x;",
    ),
    "member function without a mark, called": (
        "struct S { int x; int get() const { return x; } };",
        "S s{M}; C[0] = s.get();",
    ),
    "constructor without a mark": (
        "struct S { int x; S(int y) : x(y) {} };",
        "S s(M); C[0] = s.x;",
    ),
    "constructor with a mark": (
        "struct S { int x; __device__ S(int y) : x(y) {} };",
        "S s(M); C[0] = s.x;",
    ),
    "destructor without a mark": ("struct S { int x; ~S() {} };", "S s{M}; C[0] = s.x;"),
    "defaulted constructor": ("struct S { int x; S() = default; };", "S s; s.x = M; C[0] = s.x;"),
    "members with initial values": (
        "struct S { int x = 3; int y = 4; };",
        "S s; C[0] = s.x + s.y;",
    ),
    "__shared__ class with a defaulted constructor": (
        "struct S { int x; S() = default; };",
        "__shared__ S s[4]; s[0].x = M; C[0] = s[0].x;",
    ),
    "__shared__ class with two constructors": (
        "struct S { int x; S() = default; __device__ S(int y) : x(y) {} };",
        "__shared__ S s[4]; s[0] = S(M); C[0] = s[0].x;",
    ),
    "__shared__ class with an empty constructor": (
        "struct S { int x; __device__ S() {} };",
        "__shared__ S s[4]; s[0].x = M; C[0] = s[0].x;",
    ),
    "__shared__ class with a constructor": (
        "struct S { int x; __device__ S() { x = 3; } };",
        "__shared__ S s; C[0] = s.x;",
    ),
    "__shared__ class with initial values": (
        "struct S { int x = 3; };",
        "__shared__ S s; C[0] = s.x;",
    ),
    "__shared__ class with a destructor": (
        "struct S { int x; __device__ ~S() {} };",
        "__shared__ S s; s.x = 1; C[0] = s.x;",
    ),
    "__shared__ class template": (
        "template <class T> struct S { T x[4]; S() = default; };",
        "__shared__ S<float> s; s.x[0] = M; C[0] = s.x[0];",
    ),
    "__shared__ with an initial value": ("", "__shared__ int s = 3; C[0] = s;"),
    "attribute by token pasting": (
        "#define ATTRIBUTE(x) __##x##__\n#define DEVICE __attribute__((ATTRIBUTE(noinline)))\n"
        "__device__ DEVICE int f(int x) { return x; }",
        "C[0] = f(M);",
    ),
    "mark by token pasting": (
        "#define MARK(x) __##x##__\nMARK(device) int f(int x) { return x; }",
        "C[0] = f(M);",
    ),
    "attribute section": (
        '__device__ __attribute__((section("text2"))) int f(int x) { return x; }',
        "C[0] = f(M);",
    ),
    "attribute unused": (
        "__device__ __attribute__((unused)) int f(int x) { return x; }",
        "C[0] = 0;",
    ),
    "attribute maybe_unused": ("", "[[maybe_unused]] int x = 3; C[0] = 0;"),
    "attribute aligned": (
        "struct __attribute__((aligned(16))) S { float x; };",
        "S s{1}; C[0] = s.x;",
    ),
    "attribute packed": (
        "struct __attribute__((packed)) S { char c; float x; };",
        "S s{1, 2}; C[0] = s.x;",
    ),
    "alignas": ("struct alignas(16) S { float x; };", "S s{1}; C[0] = s.x;"),
    "const of the whole file": ("const int n = 3;", "C[0] = n;"),
    "constexpr array of the whole file": ("constexpr int n[3] = {1, 2, 3};", "C[0] = n[0];"),
    "constexpr array indexed at run time": ("constexpr int n[3] = {1, 2, 3};", "C[0] = n[M];"),
    "const array indexed at run time": ("const int n[3] = {1, 2, 3};", "C[0] = n[M];"),
    "static constexpr array in the kernel": (
        "",
        "static constexpr int n[3] = {1, 2, 3}; C[0] = n[M];",
    ),
    "const float of the whole file": ("const float x = 3.0f;", "C[0] = x;"),
    "writable variable": ("int n = 3;", "C[0] = 0;"),
    "writable __device__ variable": ("__device__ int n;", "C[0] = n;"),
    "typedef and using": ("typedef float real;\nusing other = real;", "other x = 2; C[0] = x;"),
    "namespace": ("namespace a { __device__ int f(int x) { return x; } }", "C[0] = a::f(M);"),
    "anonymous namespace": ("namespace { __device__ int f(int x) { return x; } }", "C[0] = f(M);"),
    "operator without a mark": (
        "struct S { int x; };\nS operator+(S a, S b) { return S{a.x + b.x}; }",
        "C[0] = 0;",
    ),
    "exception": ("", "throw 1;"),
    "typeid": ("", "C[0] = typeid(int) == typeid(float);"),
    "variable length array": ("", "float t[M]; C[0] = t[0];"),
    "goto": ("", "if (M) goto end; C[0] = 1; end: C[0] = 0;"),
    "union": ("union U { float f; int i; };", "U u; u.i = M; C[0] = u.f;"),
    "bit field": ("struct S { int a : 3; };", "S s; s.a = 1; C[0] = s.a;"),
    "enum class": ("enum class E : char { a, b };", "C[0] = (int)E::b;"),
    "designated initialisers": ("struct S { int a, b; };", "S s{.a = 1, .b = 2}; C[0] = s.b;"),
    "statement expression": ("", "C[0] = ({ int x = M; x + 1; });"),
    "conditional without a middle": ("", "C[0] = M ?: 3;"),
    "case range": ("", "switch (M) { case 1 ... 3: C[0] = 1; }"),
    "restrict": ("", "float *__restrict__ c = C; c[0] = 1;"),
    "typeof": ("", "__typeof__(M) x = 3; C[0] = x;"),
    "__int128": ("", "__int128 x = M; C[0] = (float)x;"),
    # grader/device/source/source_check.c has these lists.
    "builtin functions that CUDA has": (
        "__device__ constexpr int f() { return __builtin_is_constant_evaluated() ? 1 : 2; }\n"
        "struct __builtin_align__(16) S { float x; };",
        "const float *a = (const float *)__builtin_assume_aligned(A, 4); float x = *a;\n"
        "__builtin_assume(M > 0); if (N < 0) __builtin_unreachable();\n"
        "if (__builtin_expect(M > 0, 1)) C[0] = *__builtin_addressof(x);\n"
        "C[0] += __builtin_isnan(x) + __builtin_isinf(x) + __builtin_isfinite(x);\n"
        "C[0] += __builtin_copysignf(x, -1) + __builtin_copysign(1.0, -1.0) + f();\n"
        "C[0] += __builtin_LINE() + __builtin_FILE()[0] + __builtin_FUNCTION()[0];",
    ),
    "attributes that CUDA has": (
        "#define HIDDEN [[maybe_unused]] static __device__ __attribute__\n"
        "[[nodiscard, gnu::always_inline]] __device__ inline int f() { return 1; }\n"
        "HIDDEN((noinline, const, nothrow, unused)) int g(int x) { return x; }\n"
        "HIDDEN((pure, nonnull, hot, __warn_unused_result__)) int h(int *x) { return *x; }\n"
        'HIDDEN((used, cold, deprecated("x"))) int i(int x) { return x; }\n'
        "typedef float __attribute__((may_alias, aligned(4))) word;",
        "[[maybe_unused]] int x = M; switch (M) { case 1: x = 2; [[fallthrough]]; default: x++; }\n"
        "C[0] = f() + g(x) + h(&x);",
    ),
    "pragmas": (
        "#define UNROLL(n) _Pragma(\"unroll\")\n#pragma nv_diag_suppress 177\n#pragma pack(4)\n"
        "#pragma STDC FP_CONTRACT ON\n#pragma once",
        "\n#pragma unroll 4\nfor (int i = 0; i < 8; i++) C[i] = 0;\n"
        "#pragma nounroll\nUNROLL(4) for (int i = 0; i < 8; i++) C[i] = 0;",
    ),
    "type of an argument list": ("", "C[0] = sizeof(__builtin_va_list);"),
    "builtin function that only g++ has": ("", "C[0] = __builtin_popcount(M);"),
    "float16 of the compiler": ("", "_Float16 x = 1; C[0] = x;"),
    "long double": ("", "long double x = M; C[0] = x;"),
    "function in a function": ("", "int f(int x); C[0] = 1;"),
    "new": ("", "float *x = new float; C[0] = *x;"),
    "alloca": ("", "float *x = (float *)alloca(16); x[0] = 1; C[0] = x[0];"),
    "concept of C++20": ("template <class T> concept S = true;", "C[0] = 0;"),
    "implicit conversion that narrows": ("", "int x{M * 1.5f}; C[0] = x;"),
    "asynchronous copies": (
        "#include <cuda_pipeline.h>",
        "__shared__ float4 s; __pipeline_memcpy_async(&s.x, A, 4); __pipeline_commit();"
        " __pipeline_wait_prior(0); C[0] = s.x;",
    ),
    "asynchronous copies, by the other header": (
        "#include <cuda_pipeline_primitives.h>",
        "__shared__ float4 s; __pipeline_memcpy_async(&s, A, 16, 16); __pipeline_commit();"
        " __pipeline_wait_prior(0); C[0] = s.x;",
    ),
    "missing include": ("#include <nothing.h>", "C[0] = 0;"),
    "a header of the host": ("#include <vector>", "C[0] = 0;"),
}

UNCALLED = "g++ leaves no trace of a function that nothing calls at run time"
DECLARED = "g++ leaves no trace of a function that is only declared"
NAMED_C = 'an extern "C" function could take the place of one of the grader\'s own'
CONSTRUCTED = "NVRTC only warns that this does not happen; g++ would do it"
GNU = "g++ knows more than C++, as clang and nvcc do"
IMPLIED = "a constructor without a mark looks like one that the compiler made"
KEYWORD = "a macro of the headers for g++ has the same name"

# Name: why it differs.
KNOWN: dict[str, str] = {
    "constexpr for a constant alone": UNCALLED,
    "constexpr not called": UNCALLED,
    "static constexpr for a constant": UNCALLED,
    "inline constexpr for a constant": UNCALLED,
    "constexpr in static_assert": UNCALLED,
    "constexpr calling constexpr for a constant": UNCALLED,
    "constexpr member for a constant": UNCALLED,
    "template not instantiated": UNCALLED,
    "template in an unevaluated place": UNCALLED,
    "constexpr template for a constant": UNCALLED,
    "constexpr lambda of the whole file, not called": UNCALLED,
    "member function without a mark, not called": UNCALLED,
    "host function declared alone": DECLARED,
    "function in a function": DECLARED,
    "extern C device function": NAMED_C,
    "extern C block of device functions": NAMED_C,
    "extern C second kernel": NAMED_C,
    "extern C name of the C library": NAMED_C,
    "constructor without a mark": IMPLIED,
    "destructor without a mark": IMPLIED,
    "__shared__ class with initial values": CONSTRUCTED,
    "__shared__ class with a destructor": CONSTRUCTED,
    "attribute by token pasting": KEYWORD,
    "attribute section": "the inspector knows the parts of a program by their sections",
    "lambda marked __device__ mutable": "g++ drops a mark before `mutable`",
    "designated initialisers": GNU,
    "statement expression": GNU,
    "conditional without a middle": GNU,
    "case range": GNU,
    "__int128": "nvcc knows it; NVRTC by an option that old ones lack",
}


def folder_of(name: str, folder: Path) -> Path:
    outside, inside = SNIPPETS[name]
    work = folder / re.sub(r"\W+", "_", name)
    work.mkdir()
    (work / "naive.cu").write_text(FILE.format(outside=outside, inside=inside))
    return work


def nvrtc_says(work: Path) -> str:
    """The fault by NVRTC's build; "none" for an accepted file, "" without NVRTC."""
    program = BUILD / "tilegrade-nvrtc"
    words = [program, "naive.cu", "matmul_naive", "sm_80", "out.cubin", ROOT / "grader/include"]
    run = subprocess.run(
        words, cwd=work, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    report = work / "report.json"
    return json.loads(report.read_text())["fault"] if run.returncode == 0 else ""


def cpu_says(work: Path) -> str:
    """The verdict of the CPU device."""
    run = subprocess.run(
        [BUILD / "tilegrade", "test", "--exercise", "naive", "--device", "emu"]
        + ["--size", "1x1x1", "--submission", work, "--out", work],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if run.returncode == 3 and "naive.cu:" in run.stderr:
        return "needs_gpu"  # nothing was judged: no result
    return json.loads((work / "result.json").read_text())["exercises"][0]["verdict"]


REFUSALS = ("not_allowed", "build_error", "no_kernel", "bad_signature")


class Acceptance(unittest.TestCase):
    """Both compilers, snippet by snippet."""

    def test_both_devices_accept_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            if not nvrtc_says(folder_of("nothing", folder)):
                self.skipTest("NVRTC is not here")
            names = [name for name in SNIPPETS if is_drawn("language", name, PART)]
            works = {name: folder_of(name, folder) for name in names if name != "nothing"}
            with ThreadPoolExecutor(2) as pool:
                by_cpu = dict(zip(works, pool.map(cpu_says, works.values())))
                by_nvrtc = dict(zip(works, pool.map(nvrtc_says, works.values())))
        for name in works:
            with self.subTest(name):
                same = (by_cpu[name] in REFUSALS) == (by_nvrtc[name] not in ("none", "needs_gpu"))
                said = f"CPU: {by_cpu[name]}, NVRTC: {by_nvrtc[name]}"
                if name in KNOWN:
                    self.assertFalse(same, f"no longer differs ({said}): take it from KNOWN")
                else:
                    self.assertTrue(same, said)


if __name__ == "__main__":
    unittest.main()
