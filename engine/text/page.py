"""A difference of two issues as one page that loads nothing and is readable without colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from ..errors import printable
from .marks import ELEMENTS, Run
from .matching import Match
from .telling import (
    TITLES,
    Diff,
    also,
    doubt,
    head,
    hidden,
    numbered,
    numbers_say_all,
    titles,
    worded,
)

_STYLE = """\
body { max-width: 60em; margin: 1em auto; padding: 0 1em; font-family: sans-serif;
  line-height: 1.45; }
del { color: #a40e26; } ins { color: #116329; }
del::before { content: "[-"; } del::after { content: "-]"; }
ins::before { content: "{+"; } ins::after { content: "+}"; }
section > div { margin: 0.8em 0; border-left: 3px solid #888; padding-left: 0.7em; }
p { margin: 0.2em 0; } small { color: #555; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; }
  del { color: #ff9a8f; } ins { color: #7ee08f; } small { color: #aaa; } }
"""


def diff_page(diff: Diff, every: bool) -> str:
    """A difference as a page: a list of the groups that leads to each, then every rule of it."""
    groups = list(diff.groups(every))
    name = _text(f"{diff.old.file} and {diff.new.file}")
    out = ["<!DOCTYPE html>", '<html lang="en">', '<head><meta charset="utf-8">']
    out.append('<meta name="viewport" content="width=device-width, initial-scale=1">')
    out += [f"<title>{name}</title>", f"<style>{_STYLE}</style></head>", f"<body><h1>{name}</h1>"]
    out += [f"<p>{_text(line)}</p>" for line in titles(diff)]
    if diff.only:
        out.append(f"<p>only: {_text(', '.join(diff.only))}</p>")
    links = (f'<li><a href="#{k}">{TITLES[k]}</a>: {len(found):,}</li>' for k, found in groups)
    out += ["<ul>", *links, "</ul>"]
    if said := hidden(diff, every):
        out.append(f"<p>{_text(said)}</p>")
    for kind, matches in groups:
        out.append(f'<section id="{kind}"><h2>{TITLES[kind]}: {len(matches):,}</h2>')
        for match in matches:
            if not numbers_say_all(match):
                out += _rule(match, kind)
        short = [match for match in matches if numbers_say_all(match)]
        for evidence, numbers in numbered(short):
            out.append(f"<p><small>{_text(evidence)}:</small> {_text(numbers)}</p>")
        out.append("</section>")
    return "\n".join([*out, "</body></html>", ""])


def _rule(match: Match, kind: str) -> Iterator[str]:
    more = also(match, kind)
    yield f"<div><h3>{_text(head(match))}{f' ({more})' * bool(more)}</h3>"
    if not numbers_say_all(match._replace(ambiguous=())):
        yield f"<p>{_words(worded(match))}</p>"
    yield f"<p><small>{_text(match.evidence)}</small></p>"
    if match.ambiguous:
        yield f"<p><b>{_text(doubt(match.ambiguous))}</b></p>"
    yield "</div>"


def _words(parts: Iterable[Run]) -> str:
    out = []
    for part in parts:
        element = ELEMENTS.get(part.sign)
        text = _text(part.text)
        out.append(f"<{element}>{text}</{element}>" if element else text)
    return " ".join(out)


def _text(said: str) -> str:
    return escape(printable(said, 100_000))
