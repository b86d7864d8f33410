"""Both languages of a page agree: headings, tables, code, links, section by section.

A Chinese page `lesson.zh.md` is the page `lesson.md` said again.  Sentences differ; what is counted
or clicked does not.  Pages without a Chinese one are listed as a skipped test.
"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader/report"))

from language import language_used  # noqa: E402
from practice.questions import Question, questions_read  # noqa: E402
from reading.lines import joined, unbroken, wrapped  # noqa: E402
from reading.sections import section  # noqa: E402

FOLDERS = (".", "lessons", "lessons/[0-9]*_*", "lessons/bugs/*", "lessons/assignments/bugs/*")
APART = ROOT / ".github"  # has the Chinese README

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
LINK = re.compile(r"\]\(([^()\s]*)\)")
SPAN = re.compile(r"`([^`]+)`")
MARK = re.compile(r"<!--.*?-->", re.S)
# What programs read: the number or the verdicts before a title, steps, answers, verdicts.
KEY = re.compile(r"\d+(?:\.(?= ))?|[a-z_]+(?:, [a-z_]+)*(?=:|$)")
ANSWER = re.compile(r"^- (\[[ x]\])(?: (\*)(?=:))?", re.M)


@dataclass
class Section:
    heading: str = ""
    text: list[str] = field(default_factory=list)  # paragraphs
    rows: list[list[str]] = field(default_factory=list)
    code: list[list[str]] = field(default_factory=list)  # the first line is the fence


def sections(markdown: str) -> list[Section]:
    found = [Section()]
    block: list[str] | None = None
    for line in markdown.split("\n"):
        if block is not None:
            if line.startswith("```"):
                found[-1].code.append(block)
                block = None
            else:
                block.append(line)
        elif line.startswith("```"):
            block = [line]
        elif re.match(r"#{1,6} ", line):
            found.append(Section(line))
        elif line.startswith("|"):
            found[-1].rows.append([cell.strip() for cell in line.strip("|").split("|")])
        else:
            found[-1].text.append(line)
    return found


def key(heading: str) -> tuple[str, str]:
    """Its level, and what a program reads of it."""
    level, _, words = heading.partition(" ")
    found = KEY.match(words)
    return level, found[0] if found else ""


def numbers(text: str) -> Counter[str]:
    return Counter(NUMBER.findall(LINK.sub("]()", text)))


def links(section: Section, page: Path) -> Counter[str]:
    """Where they lead; to a page that exists in Chinese, the Chinese one is meant."""
    text = "\n".join([section.heading, *section.text, *(" ".join(row) for row in section.rows)])
    found = LINK.findall(SPAN.sub("", text))
    if page.name.endswith(".zh.md"):
        start = "../" if page.parent == APART else ""
        return Counter(link.removeprefix(start) for link in found)
    return Counter(chinese(link, page) for link in found)


def chinese(link: str, page: Path) -> str:
    path, hash_mark, anchor = link.partition("#")
    spoken = re.sub(r"\.(md|svg)$", r".zh.\1", path)
    there = spoken != path and (page.parent / spoken).is_file()
    return (spoken if there else path) + hash_mark + anchor


def code_of(block: list[str]) -> list[str]:
    """Code without its comments; of a block in no language, only the numbers of each line."""
    if block[0] == "```":
        return [" ".join(sorted(NUMBER.findall(line))) for line in block]
    return [re.sub(r"\s*(//|# ).*", "", line) for line in block]


def differences(english: Path, other: Path) -> list[str]:
    ours, theirs = (sections(page.read_text("utf-8")) for page in (english, other))
    keys = [[key(section.heading) for section in each] for each in (ours, theirs)]
    if keys[0] != keys[1]:
        return [f"headings: {keys[0]} against {keys[1]}"]
    found = []
    for mine, its in zip(ours, theirs):

        def differ(what: str, first: object, second: object, at: str = its.heading) -> None:
            if first != second:
                found.append(f"{at}: {what}: {first} against {second}")

        differ("rows", len(mine.rows), len(its.rows))
        for row, said in zip(mine.rows, its.rows):
            differ("cells", len(row), len(said))
            for cell, cell_said in zip(row, said):
                differ("numbers", numbers(cell), numbers(cell_said))
                lost = Counter(SPAN.findall(cell)) - Counter(SPAN.findall(cell_said))
                differ("code that is missing", lost, Counter())
        differ("code blocks", len(mine.code), len(its.code))
        for block, block_said in zip(mine.code, its.code):
            differ("code", code_of(block), code_of(block_said))
        differ("links", links(mine, english), links(its, other))
        text, said_text = "\n".join(mine.text), "\n".join(its.text)
        differ("marks", MARK.findall(text), MARK.findall(said_text))
        differ("answers", ANSWER.findall(text), ANSWER.findall(said_text))
    return found


def asked_differently(english: Question, said: Question) -> str:
    """What of a question a translation may not change, and has changed; "" if nothing."""
    ours, theirs = ([(one.right, one.formula) for one in each.answers] for each in (english, said))
    if ours != theirs or english.is_typed != said.is_typed:
        return f"{said.title}: {ours} against {theirs}"
    typed = [[one.text for one in each.answers] for each in (english, said)]
    if english.is_typed and typed[0] != typed[1]:
        return f"{said.title}: {typed[0]} against {typed[1]}"
    lost = numbers(english.text) - numbers(said.text)
    return f"{said.title}: {lost} is missing" if lost else ""


def kernels() -> list[tuple[Path, Path]]:
    """Each file with kernels whose comments students read, in English and in Chinese."""
    stubs = [
        (ROOT / "student" / f"{ini.parent.name[4:]}.cu", ini.with_name("stub.zh.cu"))
        for ini in sorted(ROOT.glob("lessons/[0-9]*_*/exercise.ini"))
    ]
    bugs = [path for path in sorted(ROOT.glob("lessons/bugs/*/*.cu")) if "//" in path.read_text()]
    return stubs + [(path, path.parent / "zh" / path.name) for path in bugs]


def comment_differences(english: str, said: str) -> list[str]:
    """Where the code differs, or one has a comment and the other none; numbers that are missing."""
    lines = [[line.partition("//") for line in text.splitlines()] for text in (english, said)]
    found = [
        f"line {number}"
        for number, (line, line_said) in enumerate(zip(*lines), 1)
        if (*line[:2], bool(line[2])) != (*line_said[:2], bool(line_said[2]))
    ]
    if len(lines[0]) != len(lines[1]):
        found.append(f"{len(lines[0])} lines against {len(lines[1])}")
    words, words_said = ("\n".join(line[2] for line in each) for each in lines)
    missing = numbers(words) - numbers(words_said)
    return found + [f"{number} is missing" for number in missing]


# Words that Chinese pages do not use, by the row of the glossary that decides, and the pages.
UNUSED = (
    ("box", "框", "lessons/**/*.zh.*"),
    ("swizzle", "打乱", "lessons/**/*.zh.*"),
    ("cache-line", "缓存线", "lessons/**/*.zh.*"),
    ("operand", "因子", "lessons/1[0-3]0_*/*.zh.*"),
    ("phase", "宣布", "lessons/**/*.zh.*"),
    ("mbarrier", "交还", "lessons/**/*.zh.*"),
    ("scan", "开头部分", "lessons/**/*.zh.*"),
)


def glossary() -> dict[str, tuple[str, list[str]]]:
    """The rows of the glossary: the English word, and the Chinese ones."""
    text = (ROOT / "lessons/glossary.zh.md").read_text("utf-8")
    rows = re.findall(r'^\| <a id="([\w-]+)"></a>(.*?) \| (.*?) \|', text, re.M)
    return {row: (english, chinese.split("、")) for row, english, chinese in rows}


def other_words(text: str) -> list[str]:
    """Links to the glossary whose text is no word of the row that they lead to."""
    found = []
    for said, row in re.findall(r"\[([^\]]*)\]\([^)]*glossary\.zh\.md#([\w-]+)\)", text):
        said = re.sub(r"[*`\s]", "", said)
        english, words = glossary()[row]
        words = [re.sub(r"[`\s]", "", word) for word in (*words, *english.split(", "))]
        if not any(said in word or word in said for word in words):
            found.append(f"{said}: {row}")
    return found


def pages() -> list[Path]:
    found = [page for folder in FOLDERS for page in sorted(ROOT.glob(f"{folder}/*.md"))]
    found.append(ROOT / "grader/handout.md")
    return [page for page in found if not page.name.endswith(".zh.md")]


def spoken(page: Path) -> Path:
    folder = APART if page.parent == ROOT else page.parent
    return folder / page.with_suffix(".zh.md").name


class Chinese(unittest.TestCase):
    def test_pages_agree(self) -> None:
        for page in pages():
            if spoken(page).is_file():
                with self.subTest(page=str(spoken(page).relative_to(ROOT))):
                    self.assertEqual(differences(page, spoken(page)), [])

    def test_comments_of_kernels_agree(self) -> None:
        for english, said in kernels():
            with self.subTest(kernel=str(said.relative_to(ROOT))):
                self.assertEqual(comment_differences(english.read_text(), said.read_text()), [])

    def test_another_comment_is_found(self) -> None:
        english = "a;  // TODO 1 (about 2 lines): b\n\n// c\n"
        same = "a;  // TODO 1（约 2 行）：乙\n\n// 丙\n"
        self.assertEqual(comment_differences(english, same), [])
        for before, after in (("a;", "b;"), ("2", "3"), ("// 丙", ""), ("\n\n", "\n")):
            wrong = same.replace(before, after)
            self.assertTrue(comment_differences(english, wrong), wrong)

    def test_a_report_shows_the_chinese_section(self) -> None:
        with language_used("zh"):
            for link in ("lessons/verdicts.md#race", "lessons/020_tiled/lesson.md#zero-fill"):
                self.assertEqual(section(link).language, "zh", link)

    def test_a_term_is_the_one_of_the_glossary(self) -> None:
        for page in sorted(ROOT.glob("lessons/**/*.zh.md")):
            self.assertEqual(other_words(page.read_text("utf-8")), [], page)
        self.assertEqual(other_words("在[波次](a/glossary.zh.md#wavefront)中"), ["波次: wavefront"])
        self.assertEqual(other_words("[*合并*](glossary.zh.md#coalesced)的"), [])

    def test_words_that_the_glossary_replaced_are_gone(self) -> None:
        for row, word, where in UNUSED:
            self.assertNotIn(word, glossary()[row][1])
            files = [file for file in ROOT.glob(where) if file.suffix in (".md", ".cu", ".svg")]
            self.assertGreater(len(files), 10)
            for file in files:
                self.assertNotIn(word, file.read_text("utf-8"), file)

    def test_reference_and_optional_have_one_word_each(self) -> None:
        for page in pages():
            if spoken(page).is_file() and page.is_relative_to(ROOT / "lessons"):
                said, text = spoken(page).read_text("utf-8"), page.read_text("utf-8")
                self.assertNotIn("选修", said, page)
                if "参考答案" in said:  # the word for a model answer, and not for the reference
                    self.assertIn("model answer", " ".join(text.split()), page)

    def test_each_has_an_english_page(self) -> None:
        for page in ROOT.glob("lessons/**/*.zh.md"):
            self.assertTrue(page.with_name(page.name.replace(".zh.md", ".md")).is_file(), page)

    def test_questions_agree(self) -> None:
        for page in ROOT.glob("lessons/*/questions.zh.md"):
            said = questions_read(page.read_text("utf-8"))
            english = questions_read(page.with_name("questions.md").read_text("utf-8"))
            self.assertEqual(len(english), len(said), page)
            for one, other in zip(english, said):
                self.assertEqual(asked_differently(one, other), "", page)

    def test_another_answer_is_found(self) -> None:
        text = "## 题\n\n有 5 个吗？\n\n- [x] 2 = `a`: 对。\n- [ ] 3: 不对。\n"
        (right,) = questions_read(text)
        for before, after in (("5", "7"), ("[x] 2", "[x] 4"), ("`a`", "`b`"), ("3:", "甲:")):
            (other,) = questions_read(text.replace(before, after))
            self.assertTrue(asked_differently(right, other), before)
        self.assertEqual(asked_differently(right, right), "")

    def test_a_line_break_is_a_blank_only_between_words(self) -> None:
        lines = "在[存储\n体](a.md)\n里，\nA 的\n值 x\ny"
        self.assertEqual(joined(lines), "在[存储体](a.md)里，A 的值 x y")
        self.assertEqual(unbroken("甲\n乙\n\n- 丙\n  丁\n- 戊\n"), "甲乙\n\n- 丙丁\n- 戊\n")
        self.assertEqual(unbroken("```\n甲\n乙\n```\n丙\n"), "```\n甲\n乙\n```\n丙\n")
        lines = "a 一二三\n  四，五\n  (5,3)\n  word"
        self.assertEqual(wrapped("一二三四，五 (5,3) word", 9, "a ", "  "), lines)

    def test_each_page_is_there(self) -> None:
        missing = [
            str(page.relative_to(ROOT))
            for page in pages()
            if not spoken(page).is_file()
        ]
        for file in ROOT.glob("lessons/*/exercise.ini"):
            keys = set(re.findall(r"^(title|learned)(?= =)", file.read_text("utf-8"), re.M))
            said = set(re.findall(r"^(title|learned)\.zh(?= =)", file.read_text("utf-8"), re.M))
            missing += [f"{key} of {file.parent.name}" for key in keys - said]
        if missing:
            self.skipTest("in English alone: " + " ".join(missing))

    def test_a_difference_is_found(self) -> None:
        english = "# 1. A\n\n[x](y.md)\n\n| `a` | 5 |\n\n```c\nx = 1;  // one\n```\n\n## race\n"
        same = "# 1. 甲\n\n见 [某](y.md)\n\n| 用 `a` | 5 个 |\n\n```c\nx = 1;  // 一\n```\n\n## race\n"
        wrong = ("1. ", "y.md", "`a`", "5", "x = 1", "## race")
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "a.md").write_text(english, "utf-8")
        for part in ("", *wrong):
            (folder / "a.zh.md").write_text(same.replace(part, "7") if part else same, "utf-8")
            found = differences(folder / "a.md", folder / "a.zh.md")
            self.assertEqual(bool(found), bool(part), (part, found))


if __name__ == "__main__":
    unittest.main()
