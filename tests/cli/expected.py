"""What a command must print, where `...` stands for words that a unit test compares exactly.

In a line of NAME.out, `...` is any number of words with their punctuation, or none.  An indented
text may go on in the next lines, if these are not indented less.  The dots never match a digit, a
quote, a character of a path, key, link or list, or the name of an array (B, C, M, N, K): no other
kind, place, size or key can hide in them.
"""

from __future__ import annotations

import functools
import re

ANY = "..."
WORDS = r"(?:(?!\b[B-Z]\b)[A-Za-z]|(?<=[a-z])'(?=[a-z])| (?! )|[.,;:!?()-])*?"
WRAPPED_MAX = 12  # lines
MANY = 1000  # how many lines that differ one line that agrees outweighs


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


@functools.cache
def pattern_of(line: str) -> re.Pattern[str]:
    """A word next to the dots may not continue in them."""
    head, *parts = re.split(r" ?\.\.\. ?", line[indent_of(line) :])
    pattern = re.escape(line[: indent_of(line)] + head)
    for part in parts:
        pattern += r"(?!(?<=\w)\w)" + WORDS + r"(?!(?<=\w)\w)" + re.escape(part)
    return re.compile(pattern)


def spans(line: str, printed: list[str]) -> list[int]:
    """How many of the first printed lines an expected line may stand for."""
    if not printed:
        return []
    if ANY not in line:
        return [1] if line == printed[0] else []
    found, text = [], printed[0]
    for count in range(1, min(len(printed), WRAPPED_MAX) + 1):
        if pattern_of(line).fullmatch(text):
            found.append(count)
        if count == len(printed) or not 0 < indent_of(text) <= indent_of(printed[count]):
            break
        text += " " + printed[count].lstrip()
    return found


def merge(expected: list[str], printed: list[str]) -> list[str]:
    """The expected lines that agree with what is printed, and the printed lines that do not agree.

    The output is as expected if, and only if, these are the expected lines.
    """
    # best[i][j] of expected[i:] and printed[j:]: how many agree, less those that do not, and lines.
    best = [[(0, [""])] * (len(printed) + 1) for _ in range(len(expected) + 1)]
    for i in range(len(expected), -1, -1):
        for j in range(len(printed), -1, -1):
            ways = [] if i + j < len(expected) + len(printed) else [(0, [])]
            if i < len(expected):
                ways.append(best[i + 1][j])
                for count in spans(expected[i], printed[j:]):
                    score, lines = best[i + 1][j + count]
                    ways.append((score + MANY, [expected[i], *lines]))
            if j < len(printed):
                score, lines = best[i][j + 1]
                ways.append((score - 1, [printed[j], *lines]))
            best[i][j] = max(ways, key=lambda way: way[0])
    return best[0][0][1]
