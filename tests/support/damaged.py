"""A rule book's text as other programs would have saved it: the same rules, other bytes."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Iterator

Text = Callable[[str, random.Random], str]
Bytes = Callable[[str], bytes]


def _wrapped(width: int, hyphens: bool = True, indent: str = "", ends: str = "") -> Text:
    """Each line in lines of so many columns; ``ends`` stands at the end of each but the last."""

    wrap = _held(width, hyphens, indent)

    def made(text: str, rng: random.Random) -> str:
        out: list[str] = []
        for line in text.split("\n"):
            *parts, last = wrap(line).split("\n")
            out += [*(part + ends for part in parts), last]
        return "\n".join(out)

    return made


def _paragraphs(text: str, rng: random.Random) -> str:
    """Each paragraph wrapped as one: what stood on lines of its own within it goes on."""
    parts = (" ".join(part.split()) for part in _PARTED.split(text))
    return "\n\n".join(map(_held(80), parts))


def _held(width: int, hyphens: bool = True, indent: str = "") -> Callable[[str], str]:
    """A text in lines of so many columns.

    They never end between a hyphen and "or": whether a space stood there nobody can tell. Nor do
    they end within a web address where it can't be told from the line's width.
    """

    def made(line: str) -> str:
        return "\n".join(
            part.replace(_TIED, "-or")
            for part in textwrap.wrap(
                line.replace("-or", _TIED),
                width,
                subsequent_indent=indent,
                break_on_hyphens=hyphens,
                break_long_words=width == 80,
            )
        )

    return made


_PARTED = re.compile(r"\n\s*\n|\n(?=[0-9]|Contents|Glossary|Credits)")
_TIED = "\ue000or"


def _spaces(*others: str, often: float = 1.0) -> Text:
    """Other characters for spaces between words, as often as that."""

    def made(text: str, rng: random.Random) -> str:
        if often == 1 and len(others) == 1:
            return text.replace(" ", others[0])
        return re.sub(" ", lambda _: rng.choice(others) if rng.random() < often else " ", text)

    return made


def _between(extra: str) -> Text:
    """Something more beside spaces."""
    return lambda text, rng: re.sub(
        " ", lambda _: " " + extra if rng.random() < 0.05 else " ", text
    )


def _ends(*ends: str) -> Text:
    def made(text: str, rng: random.Random) -> str:
        if len(ends) == 1:
            return text.replace("\n", ends[0])
        return re.sub("\n", lambda _: rng.choice(ends), text)

    return made


def _lines(change: Callable[[str, random.Random], str]) -> Text:
    return lambda text, rng: "\n".join(change(line, rng) for line in text.split("\n"))


def _dense(text: str, rng: random.Random) -> str:
    """Without blank lines."""
    return re.sub(r"\n\s*\n", "\n", text)


def _loose(text: str, rng: random.Random) -> str:
    """With one to four blank lines where there was one."""
    return re.sub(r"\n\n", lambda _: "\n" * rng.randint(2, 5), text)


def _no_contents(text: str, rng: random.Random) -> str:
    """Without all that stands before the rules but the day."""
    start = [m.start() for m in re.finditer(r"^1\. ", text, re.MULTILINE)][1]
    stated = re.search(r"^.*(?:effective|current) as of.*$", text, re.MULTILINE)
    return f"{stated[0] if stated else ''}\n\n{text[start:]}"


def _no_glossary(text: str, rng: random.Random) -> str:
    """Without all that stands after the rules."""
    last = [m.start() for m in re.finditer("^Glossary", text, re.MULTILINE)][-1]
    return text[:last]


def _straight(text: str, rng: random.Random) -> str:
    return text.translate(str.maketrans("‘’“”–—−", "''\"\"---"))


def _curly(text: str, rng: random.Random) -> str:
    """Typewriter's quotes as the printer's."""
    text = re.sub(r'(?<=[\s(\[])"|^"', "“", text, flags=re.MULTILINE)
    return text.replace('"', "”").replace("'", "’")


def _then(*steps: Text) -> Text:
    def made(text: str, rng: random.Random) -> str:
        for step in steps:
            text = step(text, rng)
        return text

    return made


def _as(encoding: str, mark: bytes = b"") -> Bytes:
    return lambda text: mark + text.encode(encoding)


def _windows(text: str) -> bytes:
    """As a Windows program saves it; what its characters lack is left out of the comparison."""
    return text.encode("cp1252", errors="replace")


def _stray(text: str) -> bytes:
    """UTF-8, but some quotes are bytes of Windows."""
    count = 0

    def one(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return "\udc92" if count % 7 == 0 else match[0]

    return re.sub("’", one, text).encode(errors="surrogateescape")


def _twice(text: str) -> bytes:
    """UTF-8 that was taken for Windows' characters and encoded again."""
    once = text.encode()
    return "".join(
        bytes([b]).decode("latin-1" if b in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else "cp1252")
        for b in once
    ).encode()


UTF8, UTF8_MARKED = _as("utf-8"), _as("utf-8", b"\xef\xbb\xbf")
LE, BE = _as("utf-16-le"), _as("utf-16-be")
LE_MARKED, BE_MARKED = _as("utf-16-le", b"\xff\xfe"), _as("utf-16-be", b"\xfe\xff")
SAME: Text = lambda text, rng: text  # noqa: E731

NBSP, LS, PS = "\u00a0", "\u2028", "\u2029"
VARIANTS: dict[str, tuple[Text, Bytes]] = {
    "utf-8": (SAME, UTF8),
    "utf-8 marked": (SAME, UTF8_MARKED),
    "utf-16-le": (SAME, LE),
    "utf-16-be": (SAME, BE),
    "utf-16-be marked": (SAME, BE_MARKED),
    "windows": (SAME, _windows),
    "windows, crlf, wrapped": (_then(_wrapped(80), _ends("\r\n")), _windows),
    "stray bytes": (SAME, _stray),
    "stray bytes, wrapped": (_wrapped(80), _stray),
    "encoded twice": (SAME, _twice),
    "crlf": (_ends("\r\n"), UTF8),
    "cr": (_ends("\r"), UTF8),
    "cr, utf-16": (_ends("\r"), LE_MARKED),
    "mixed ends": (_ends("\r\n", "\r\n", "\n"), UTF8),
    "crlf and cr": (_ends("\r\n", "\r"), UTF8),
    "doubled lf": (_ends("\n\n"), UTF8),
    "doubled crlf": (_ends("\r\n\r\n"), UTF8),
    "doubled cr": (_ends("\r\r"), UTF8),
    "cr cr lf": (_ends("\r\r\n"), UTF8),
    "doubled, utf-16-be": (_ends("\r\n\r\n"), BE),
    "ended by U+2028": (_ends(LS), UTF8),
    "ended by NEL": (_ends("\x85"), UTF8),
    "wrapped at 80": (_wrapped(80), UTF8),
    "wrapped at 80, crlf": (_then(_wrapped(80), _ends("\r\n")), UTF8),
    "wrapped at 80, cr": (_then(_wrapped(80), _ends("\r")), UTF8),
    "wrapped at 72": (_wrapped(72), UTF8),
    "wrapped at 65": (_wrapped(65), UTF8),
    "wrapped at 100": (_wrapped(100), UTF8),
    "wrapped at 120, utf-16": (_wrapped(120), LE),
    "wrapped, hyphens kept": (_wrapped(80, hyphens=False), UTF8),
    "wrapped, indented": (_wrapped(80, indent="    "), UTF8),
    "wrapped, tabs": (_wrapped(80, indent="\t"), UTF8),
    "wrapped, spaces at ends": (_wrapped(78, ends=" "), UTF8),
    "wrapped and doubled": (_then(_wrapped(80), _ends("\n\n")), UTF8),
    "wrapped and doubled crlf": (_then(_wrapped(76), _ends("\r\n\r\n")), UTF8_MARKED),
    "wrapped, NBSP": (_then(_wrapped(80), _spaces(NBSP)), UTF8),
    "wrapped, some NBSP": (_then(_wrapped(80), _spaces(NBSP, often=0.3)), LE_MARKED),
    "wrapped by U+2028": (
        lambda text, rng: "\n".join(
            LS.join(textwrap.wrap(line, 80, break_long_words=False)) for line in text.split("\n")
        ),
        UTF8,
    ),
    "paragraphs wrapped": (_paragraphs, UTF8),
    "wrapped, dense": (_then(_wrapped(80), _dense), UTF8),
    "dense": (_dense, UTF8),
    "dense, crlf": (_then(_dense, _ends("\r\n")), UTF8),
    "loose": (_loose, UTF8),
    "loose, wrapped": (_then(_loose, _wrapped(80)), UTF8),
    "NBSP": (_spaces(NBSP), UTF8),
    "some NBSP": (_spaces(NBSP, often=0.2), UTF8),
    "NBSP, windows": (_spaces(NBSP), _windows),
    "U+2028": (_spaces(LS), UTF8),
    "some U+2028": (_spaces(LS, often=0.05), UTF8),
    "some U+2028 and U+2029": (_spaces(LS, PS, often=0.1), LE_MARKED),
    "spaces of all kinds": (_spaces(NBSP, "\u2009", "\u202f", "\u3000", "\t", often=0.3), UTF8),
    "two spaces": (_between(" "), UTF8),
    "spaces in blank lines": (
        _lines(lambda line, rng: line or rng.choice([NBSP, " ", "\t ", ""])),
        UTF8,
    ),
    "spaces at both ends": (
        _lines(lambda line, rng: f"{rng.choice(['', ' ', NBSP])}{line}  "),
        UTF8,
    ),
    "no width": (_between("\u200b"), UTF8),
    "marks within": (_lines(lambda line, rng: "\ufeff" + line), UTF8),
    "straight": (_straight, UTF8),
    "curly": (_curly, UTF8),
    "no contents": (_no_contents, UTF8),
    "no glossary": (_no_glossary, UTF8),
}


def damaged(name: str, text: str, seed: int = 0) -> bytes:
    """A text, whose lines end with LF, in the way of this name."""
    change, encoded = VARIANTS[name]
    return encoded(change(text, random.Random(f"{name} {seed}")))


def plain(data: bytes) -> Iterator[str]:
    """The lines of a file, by a way of its own: for comparison."""
    marks = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    encoding = marks.get(data[:2], "utf-8-sig")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    yield from re.split(r"\r\n|\r|\n", text)
