"""Every rule of grader/tools/lint.py has a file that must trip it and a near miss that must not."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader/tools"))

import lint  # noqa: E402

HEAD = "// What it is for.\n"

# (name, path, text that must trip, what the message holds, text that must not)
TABLE = [
    ("long_file", "grader/base/a.c", HEAD + "int a;\n" * 800, "801 lines", HEAD + "int a;\n" * 799),
    (
        "long_line",
        "grader/base/a.c",
        HEAD + "// " + "x" * 98 + "\n",
        "101 columns",
        HEAD + "// " + "x" * 97 + "\n",
    ),
    ("blank_at_end", "grader/base/a.c", HEAD + "int a; \n", "blanks at the end", HEAD + "int a;\n"),
    ("tab", "grader/base/a.c", HEAD + "\tint a;\n", "a tab", HEAD + "    int a;\n"),
    (
        "long_function",
        "grader/base/a.c",
        HEAD + "int f(void) {\n" + "    x();\n" * 60 + "}\n",
        "has 61 lines",
        HEAD + "int f(void) {\n" + "    x();\n" * 59 + "}\n",
    ),
    (
        "long_function_with_a_head_of_two_lines",
        "grader/base/a.c",
        HEAD + "static int f(int a,\n             int b) {\n" + "    x();\n" * 59 + "}\n",
        "has 61 lines",
        HEAD + "static int f(int a,\n             int b) {\n" + "    x();\n" * 58 + "}\n",
    ),
    (
        "layer_upwards",
        "grader/base/a.c",
        HEAD + '#include "judge/model/verdict.h"\n',
        "may not include judge",
        HEAD + '#include "base/error.h"\n',
    ),
    (
        "layer_sideways",
        "grader/exercise/a.c",
        HEAD + '#include "device/compile/build_plan.h"\n',
        "exercise may not include device",
        HEAD + '#include "base/size.h"\n',
    ),
    (
        "room_upwards",
        "grader/emu/check/a.c",
        HEAD + '#include "emu/machine/machine_state.h"\n',
        "emu/check may not include emu/machine",
        HEAD + '#include "emu/memory/kernel_memory.h"\n',
    ),
    (
        "layers_own_folder_is_a_room",
        "grader/judge/run/a.c",
        HEAD + '#include "judge/judge.h"\n',
        "judge/run may not include judge/",
        HEAD + '#include "judge/run/b.h"\n',
    ),
    (
        "printf_of_a_composed_text",
        "grader/judge/run/a.c",
        HEAD + '#include "base/compose.h"\nint a = snprintf(b, c,\n    _("x %d"), d);\n',
        "printf cannot take",
        HEAD + '#include "base/words.h"\nint a = snprintf(b, c, _("x %d"), d);\n',
    ),
    (
        "memory_that_ends_a_worker",
        "grader/emu/check/a.c",
        HEAD + '#include "base/memory.h"\n',
        "out of memory must not end",
        HEAD + '#include "base/file.h"\n',
    ),
    (
        "own_header_late",
        "grader/base/a.c",
        HEAD + '#include <stdio.h>\n#include "base/a.h"\n',
        'first include is "base/a.h"',
        HEAD + '#include "base/a.h"\n#include <stdio.h>\n',
    ),
    ("no_file_comment", "grader/base/a.c", "int a;\n", "opens with a comment", HEAD + "int a;\n"),
    (
        "wrong_guard",
        "grader/base/a.h",
        HEAD + "#ifndef A_H\n",
        "guard is BASE_A_H",
        HEAD + "#ifndef BASE_A_H\n",
    ),
    (
        "banned_call",
        "grader/base/a.c",
        HEAD + "void f(void) { strcpy(a, b); }\n",
        "strcpy is not used",
        HEAD + 'void f(void) { g("strcpy(a)"); s.strcpy(a); }\n',
    ),
    (
        "print_in_a_library",
        "grader/base/a.c",
        HEAD + 'void f(void) { printf("x"); }\n',
        "printf is not used",
        HEAD + 'void f(void) { snprintf(a, 1, "x"); }\n',
    ),
    (
        "exercise_in_code",
        "grader/base/a.c",
        HEAD + 'run("tiled");\n',
        "names the exercise tiled",
        HEAD + "// such as tiled\nint tiled_map;\n",
    ),
    (
        "a_habit_of_wording",
        "lessons/speed.md",
        "The words of a row " "lie in one bank.\n",
        '"lie in" makes a reader stop',
        "The threads of a row, side by side, are in one bank. No value is a lie.\n",
    ),
    (
        "a_thread_is_somebody",
        "README.md",
        "A cell that no" "body wrote.\n",
        'write "no thread"',
        "It runs as the user `nobody`.\n",
    ),
    (
        "a_page_of_long_lines",
        "lessons/speed.md",
        "x" * 121 + "\n",
        "121 columns; at most 120",
        "x" * 120 + "\n| " + "x" * 130 + " |\n",
    ),
    ("unfinished", "README.md", "FIX" "ME later\n", "unfinished", "fixed\n"),
    (
        "decision_of_another_name",
        "grader/base/a.c",
        HEAD + "// decisions/0012-why.md\n",
        "there is no decision 0012-why.md",
        HEAD + "// decided in 0012-why.md\n",
    ),
    (
        "decision_of_no_number",
        "README.md",
        "See decision 99.\n",
        "there is no decision 99",
        "See the decision: 99 of them.\n",
    ),
    (
        "decision_of_another_number",
        "grader/decisions/0012-why.md",
        "# 0012: Why\n",
        'begins with "# 12. "',
        "# 12. Why\n",
    ),
]


def lint_one(path: str, text: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "lessons/020_tiled").mkdir(parents=True)
        (root / "lessons/020_tiled/exercise.ini").touch()
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        return lint.lint(root)


class Rules(unittest.TestCase):
    def test_each_rule_trips_and_spares_the_near_miss(self) -> None:
        for name, path, bad, message, good in TABLE:
            with self.subTest(name):
                found = lint_one(path, bad)
                self.assertEqual(len(found), 1, found)
                self.assertIn(message, found[0])
                self.assertTrue(found[0].startswith(path + ":"), found[0])
                self.assertEqual(lint_one(path, good), [])

    def test_each_habit_is_seen(self) -> None:
        for line in (
            "It st" "ands in the file",
            "A student is to" "ld so",
            "The tool has its s" "ay",
            "That is no mat" "ter",
            "Begin a" "new",
            "0 where there is no" "ne",
            "Me" "nd the line",
            "Who" "ever waits",
            "It sh" "all end",
            "Be" "side the grade",
            "Past or be" "hind the line",
            "A read four w" "ide",
            "A multi" "processor has banks",
        ):
            with self.subTest(line):
                self.assertEqual(len(lint_one("README.md", line + ".\n")), 1)
        for line in (
            "A block stands for its threads; besides, understand in full what lay people say",
            "Students told us; the renewed amendment; the shallow part",
            "a decision is [here](0017-beside-cublas.md), left behind at last",
            "`multiprocessors` of the card; a float4 is turned into four words",
        ):
            with self.subTest(line):
                self.assertEqual(lint_one("README.md", line + ".\n"), [])

    def test_two_decisions_have_two_numbers(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            decisions = Path(folder) / "grader/decisions"
            decisions.mkdir(parents=True)
            (decisions / "0012-why.md").write_text("# 12. Why\n")
            (decisions / "0013-how.md").write_text("# 13. How\n")
            self.assertEqual(lint.lint(Path(folder)), [])
            (decisions / "0012-how.md").write_text("# 12. How\n")
            self.assertEqual(
                lint.lint(Path(folder)),
                ["grader/decisions/0012-why.md:1: 0012-how.md has this number too"],
            )

    def test_citation_of_a_decision_resolves(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "grader/decisions").mkdir(parents=True)
            (root / "grader/decisions/0012-why.md").write_text("# 12. Why\n")
            (root / "README.md").write_text("decisions/0012-why.md, decisions/0012, decision 12\n")
            self.assertEqual(lint.lint(root), [])

    def test_folder_without_a_place_in_the_order(self) -> None:
        found = lint_one("grader/emu/attic/a.c", HEAD)
        self.assertEqual(
            found, ["grader/emu/attic/a.c:1: the folder emu/attic is not in ROOMS of lint.py"]
        )

    def test_circle_of_three_is_refused_and_a_pair_is_not(self) -> None:
        def tree(root: Path, arrows: dict[str, str]) -> list[str]:
            (root / "grader/base").mkdir(parents=True, exist_ok=True)
            for name, other in arrows.items():
                guard = f"#ifndef BASE_{name.upper()}_H\n"
                text = HEAD + guard + f'#include "base/{other}.h"\n'
                (root / f"grader/base/{name}.h").write_text(text)
            return lint.lint(root)

        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(tree(Path(folder), {"a": "b", "b": "a", "c": "a"}), [])
            found = tree(Path(folder), {"a": "b", "b": "c", "c": "a"})
            self.assertEqual(
                found,
                [
                    "grader/base/a.h:1: 3 files include each other in a circle;"
                    " at most 2: base/a, base/b, base/c"
                ],
            )

    def tree(self, texts: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(HEAD + text)
            return lint.lint(Path(folder))

    def test_a_name_or_tag_that_occurs_twice(self) -> None:
        self.assertEqual(
            self.tree({"grader/emu/check/a.c": "", "grader/emu/count/a.c": ""}),
            ["grader/emu/check/a:1: the name a is also in grader/emu/count/a"],
        )
        pair = {"grader/base/a.c": "struct b *c;\n", "grader/base/d.c": "struct b {\n};\n"}
        self.assertEqual(self.tree(pair), [])
        self.assertEqual(
            self.tree(pair | {"grader/emu/count/e.c": "static struct b {\n} f;\n"}),
            ["grader/base/d.c:1: the tag b is also in grader/emu/count/e.c"],
        )

    def test_a_folder_of_41_files(self) -> None:
        files = {f"grader/base/a{i}.c": "" for i in range(41)}
        self.assertEqual(self.tree(files), ["grader/base:1: 41 files in a folder; at most 40"])
        files.popitem()
        self.assertEqual(self.tree(files), [])

    def test_printing_is_fine_in_app(self) -> None:
        self.assertEqual(lint_one("grader/app/a.c", HEAD + 'void f(void) { printf("x"); }\n'), [])


if __name__ == "__main__":
    unittest.main()
