"""Names of folders and of entries of packages, made from ids that are foreign text."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

BYTES_MAX = 80  # leaves room for the rest of a path, in any file system
# Names that Windows takes for devices, whatever follows a dot.
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
HASHED = re.compile(r"(^|_)[0-9a-f]{16}$")  # what only names that were changed may end in


def _plain(text: str) -> str:
    """Letters and digits of any script, with - _ . @ + between them; never a hidden file."""
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"[^\w.@+-]", "_", text).strip(".-_")
    while len(text.encode()) > BYTES_MAX:
        text = text[:-1]
    return text.strip(".-_")


def _folded(text: str) -> str:
    """Equal for names that a file system without case, or of other normal forms, takes for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def folder_names(ids: Iterable[str]) -> dict[str, str]:
    """A folder for each id.  They stay within their parent and differ, in any order of the ids."""
    plain = {text: _plain(text) for text in ids}
    shared = Counter(_folded(name) for name in plain.values())
    names = {}
    for text, name in plain.items():
        unfit = name != text or shared[_folded(name)] > 1 or DEVICES.fullmatch(name)
        if unfit or HASHED.search(_folded(name)):
            name = f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}".lstrip("_")
        names[text] = name
    return names
