"""What becomes of scenario outcomes: remembered for the next run, or a JUnit report."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..editions import folder, keep
from ..errors import printable
from .scenarios import Outcome

_FILE = "failed.json"


def failed_before() -> set[str]:
    """The marks of the scenarios that failed last time; empty when nobody knows."""
    where = folder()
    try:
        found = json.loads((where / _FILE).read_text(encoding="utf-8")) if where else []
        return {str(m) for m in found} if isinstance(found, list) else set()
    except (OSError, ValueError, RecursionError):
        return set()


def remember(outcomes: Iterable[Outcome]) -> None:
    """Keep which scenarios failed; silently nothing where that can't be done."""
    keep(_FILE, json.dumps(sorted(o.scenario.mark for o in outcomes if not o.passed)))


def junit(outcomes: Iterable[Outcome]) -> str:
    """The outcomes as a JUnit XML report."""
    from xml.sax.saxutils import escape, quoteattr

    every = list(outcomes)
    failed = sum(not o.passed for o in every)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuite name="seatlog" tests="{len(every)}" failures="{failed}">',
    ]
    for o in every:
        name, file = quoteattr(printable(o.scenario.name)), quoteattr(printable(o.scenario.file))
        if o.passed:
            lines.append(f"  <testcase classname={file} name={name}/>")
            continue
        first, _, _ = o.trouble.partition("\n")
        text = escape("\n".join(printable(x, 2_000) for x in o.trouble.split("\n")))
        lines.append(f"  <testcase classname={file} name={name}>")
        lines.append(f"    <failure message={quoteattr(printable(first))}>{text}</failure>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>", ""])
