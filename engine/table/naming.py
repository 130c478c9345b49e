"""What can be a name at a table: text that can be seen, said and told apart from other names."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from ..book import MAX_NAME

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Letters and marks, for those who count characters, that nobody sees."""
_PICTURE = "\ufe0f"


def name_fault(name: str) -> str:
    """What keeps a text from being a name, or nothing."""
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        return f"a name is printable text of 1 to {MAX_NAME} characters"
    if name != name.strip():
        return "a name begins and ends with something that can be seen"
    if not name.isascii():
        for found in _UNSEEN.finditer(name):
            before = name[found.start() - 1 : found.start()]
            if not (found[0] == _PICTURE and before and category(before).startswith("S")):
                return f"a character that can't be seen is in it: U+{ord(found[0]):04X}"
    return ""


def looks(name: str) -> str:
    """The same for names that nobody can tell apart by looking."""
    plain = name if name.isascii() else normalize("NFC", name).replace(_PICTURE, "")
    return " ".join(plain.split())
