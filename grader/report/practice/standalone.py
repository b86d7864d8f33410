#!/usr/bin/python3
"""Writes a whole CUDA program around a student's kernel: standalone.py ROOT EXERCISE OUT.

The program needs nothing of the course: it allocates, copies, launches, and prints the time.  Of a
product it checks some elements, of any other kernel it prints the first results.
Exit codes: 0 written, 2 bad usage, or a kernel that has no such program.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from language import _, language_used
from practice.lessons import language_of, lesson_of
from practice.predict import ini_of

HEADERS = Path(__file__).resolve().parents[2] / "include"
TEMPLATE = Path(__file__).resolve().parents[1] / "templates/standalone.cu"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](?:matmul|kernel)\.cuh[">].*$', re.M)
PTX = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](ptx\w*\.cuh)[">].*\n', re.M)
CONFIG = re.compile(r"\bLAUNCH_CONFIG\s*\(\s*(\w+)")
MACRO = re.compile(r"^[ \t]*#[ \t]*define(?:[^\n]*\\\n)*[^\n]*", re.M)
COMMENT = re.compile(r"(?<=// )(--- )?(\S.*?)( -+)?$", re.M)
LAUNCHED = re.compile(r"\bLAUNCH(?:_DEPENDENT)?\s*\(\s*(\w+)")


def with_ptx(text: str) -> str:
    """The text with ptx.cuh and its parts in place of their includes."""
    return PTX.sub(lambda found: with_ptx((HEADERS / found[1]).read_text("utf-8")), text)


PRODUCT = """
[parameters]
A = in float [M][K]
B = in float [K][N]
C = out float [M][N]
M = int
N = int
K = int
"""
# Inputs of a product are small integers, so sums on the host are exact.
CHECK = """
// Compares some elements with sums of the host, which are exact: the inputs are small integers.
static int wrong_elements(const std::vector<float> &A, const std::vector<float> &B,
                          const std::vector<float> &C, int M, int N, int K) {
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) {
        int row = rand() % M, col = rand() % N;
        double sum = 0.0;
        for (int k = 0; k < K; ++k) {
            sum += (double)A[(size_t)row * K + k] * B[(size_t)k * N + col];
        }
        if (C[(size_t)row * N + col] != (float)sum && wrong++ == 0) {
            printf("C[%d][%d] is %g and should be %g\\n", row, col, C[(size_t)row * N + col], sum);
        }
    }
    return wrong;
}
"""
CHECKED = """    int wrong = wrong_elements(A_host, B_host, C_host, M, N, K);
    printf("%.1f GFLOPS, %s\\n", 2e-6 * M * N * K / ms, wrong ? "wrong" : "1000 elements checked");
    return wrong ? 1 : 0;"""
TYPES = {"half": "__half", "bf16": "__nv_bfloat16"} | {
    f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
ARRAY = re.compile(r"(in|out|inout|constant) (\w+) ((?:\[[^\]]*\])+)$")


def section(ini: str, name: str) -> dict[str, str]:
    """The keys of a section of exercise.ini."""
    text = re.search(rf"^\[{name}\]\n((?:(?!\[).*\n)*)", ini, re.M)
    return dict(re.findall(r"^(\w+) = (.*)$", text[1] if text else "", re.M))


def array_lines(name: str, how: str, element: str, count: str, values: str) -> tuple[str, str]:
    """The code that fills an array, and the code that shows it."""
    first, _dots, last = (values.split()[0] if ".." in values else "-4..4").partition("..")
    lines = [f"std::vector<{element}> {name}_host({count});"]
    if how != "out":
        value = f"({element})(float)(({first}) + rand() % (int)(({last}) - ({first}) + 1))"
        lines += [f"for ({element} &value : {name}_host) {{", f"    value = {value};", "}"]
    if "sorted" in values:
        lines.append(f"std::sort({name}_host.begin(), {name}_host.end());")
    size = f"{name}_host.size() * sizeof({element})"
    if how == "constant":
        lines.append(f'check(cudaMemcpyToSymbol({name}, {name}_host.data(), {size}), "{name}");')
        return "\n".join(lines), ""
    lines.append(f"{element} *{name} = to_device({name}_host);")
    shown = ""
    if how != "in":
        copy = f"cudaMemcpy({name}_host.data(), {name}, {size}, cudaMemcpyDeviceToHost)"
        shown = f'check({copy}, "cudaMemcpy");\n'
        shown += f'printf("first element of {name}: %g\\n", (double)(float){name}_host[0]);'
    return "\n".join(lines), shown


def parts(ini: str) -> dict[str, str]:
    """The template's values for an exercise."""
    is_matmul = "\n[parameters]\n" not in f"\n{ini}"
    parameters = section(PRODUCT if is_matmul else ini, "parameters")
    inputs = section(ini, "inputs")
    declared = re.search(r"^sizes = (.*)$", ini, re.M)
    sizes = declared[1].split() if declared else ["M", "N", "K"]
    filled, shown, taken, names = [], [], [], []
    for name, text in parameters.items():
        found = ARRAY.match(text.strip())
        kind = (found[2] if found else text.split()[0]).strip()
        element = TYPES.get(kind, kind)
        if found:
            extents = re.findall(r"\[([^\]]*)\]", found[3])
            count = " * ".join(f"(size_t)({extent})" for extent in extents)
            lines, results = array_lines(name, found[1], element, count, inputs.get(name, ""))
            filled.append(lines)
            shown.append(results)
        elif name not in sizes:
            filled.append(f"{element} {name} = ({element}){text.split()[1]};")
        if not found or found[1] != "constant":
            const = "const " if found and found[1] == "in" else ""
            taken.append(f"{const}{element} {'*' if found else ''}{name}")
            names.append(name)
    result = "\n".join(filter(None, shown)) + "\nreturn 0;"
    if is_matmul:
        result = f"{shown[2].splitlines()[0]}\n" + CHECKED.replace("\n    ", "\n").strip()
    indented = {"arrays": "\n".join(filled), "results": result}
    return {
        "sizes": ", ".join(sizes),
        "int_sizes": ", ".join(f"[[maybe_unused]] int {size}" for size in sizes),
        "rank": str(len(sizes)),
        "size_values": ", ".join(f"{size} = size[{i}]" for i, size in enumerate(sizes)),
        "parameters": ", ".join(taken),
        "arguments": ", ".join(names),
        "pointers": ", ".join(f"&{name}" for name in names),
        "headers": "".join(
            f"#include <{header}>\n"
            for element, header in (("__nv_bfloat16", "cuda_bf16.h"), ("__half", "cuda_fp16.h"))
            if any(element in text for text in taken)
        ),
        "check": CHECK if is_matmul else "",
    } | {key: re.sub(r"^(?=.)", "    ", text, flags=re.M) for key, text in indented.items()}


def program(kernel: str, file: str, ini: str = "") -> str:
    """The program around a kernel file of an exercise.

    Errors: ValueError if the file has no LAUNCH_CONFIG, if it has tensor maps, which the program
    does not encode, or if a macro has LAUNCH: then the names of its kernels are not known.
    """
    config = CONFIG.search(kernel)
    if not config:
        raise ValueError(_("it has no LAUNCH_CONFIG"))
    if re.search(r"\btensor_maps\b", kernel):
        raise ValueError(_("it has tensor maps, which the program would not encode"))
    own = with_ptx(INCLUDE.sub("", kernel)).strip("\n")
    names = dict.fromkeys(LAUNCHED.findall(kernel))
    if LAUNCHED.search("".join(MACRO.findall(kernel))):
        raise ValueError(_("a macro has LAUNCH; name each kernel where it is launched"))
    table = "".join(f'{{"{name}", (const void *){name}}}, ' for name in names)
    template = COMMENT.sub(
        lambda found: f"{found[1] or ''}{_(found[2])}{found[3] or ''}",
        TEMPLATE.read_text("utf-8"),
    )
    return Template(template).substitute(
        parts(ini), kernel=own, name=config[1], file=file, table=table
    )


def main(arguments: list[str]) -> int:
    root = Path(arguments[0])
    lesson = lesson_of(root, arguments[1] if len(arguments) > 1 else "")
    source = root / "student" / f"{lesson.exercise}.cu" if lesson else root
    if not source.is_file():
        print(_("make pack standalone EX=name: name one exercise"), file=sys.stderr)
        return 2
    try:
        kernel = source.read_text("utf-8", "replace").lstrip("\ufeff")
        text = program(kernel, source.name, ini_of(lesson.folder) if lesson else "")
    except ValueError as problem:
        print(f"{source}: {problem}", file=sys.stderr)
        return 2
    out = Path(arguments[2]) if len(arguments) > 2 else root / f"build/standalone/{source.name}"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, "utf-8")
    except OSError as problem:
        print(f"{out}: {problem.strerror}", file=sys.stderr)
        return 2
    print(_("written: %(file)s", file=out))
    print(f"  nvcc -O3 -arch=native -o {out.with_suffix('')} {out} && {out.with_suffix('')} 1000")
    return 0


if __name__ == "__main__":
    with language_used(language_of(sys.argv)):
        sys.exit(main([word for word in sys.argv[1:] if not word.startswith("--language")]))
