"""Faults in the formats that other tools read: SARIF 2.1.0 and workflow commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..errors import DONE, SeatlogError
from ..version import VERSION

FORMATS = ("text", "json", "sarif", "github")


def report(faults: Sequence[SeatlogError], form: str) -> str:
    """The faults in one of ``FORMATS``."""
    if form == "json":
        return json.dumps({"errors": [f.as_dict() for f in faults]})
    if form == "sarif":
        return json.dumps(_sarif(faults), indent=1)
    if form == "github":
        return "\n".join(_command(f) for f in faults)
    return "\n".join(str(f) for f in faults)


def _sarif(faults: Sequence[SeatlogError]) -> dict[str, Any]:
    codes = sorted({f.code for f in faults if f.code})
    driver = {"name": "seatlog", "version": VERSION, "rules": [{"id": c} for c in codes]}
    return {
        "version": "2.1.0",
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": [_result(f) for f in faults]}],
    }


def _result(fault: SeatlogError) -> dict[str, Any]:
    text = fault.what + (f"; {fault.hint}" if fault.hint else "")
    out: dict[str, Any] = {"level": _level(fault), "message": {"text": text}}
    if fault.code:
        out["ruleId"] = fault.code
    if fault.place:
        where: dict[str, Any] = {"artifactLocation": {"uri": fault.place.file}}
        if fault.place.line:
            where["region"] = {
                "startLine": fault.place.line,
                "startColumn": max(1, fault.place.column),
                "endColumn": max(1, fault.place.column) + fault.place.width,
            }
        out["locations"] = [{"physicalLocation": where}]
    return out


def _command(fault: SeatlogError) -> str:
    at = fault.place
    keys = f"file={_escaped(at.file, ',:')},line={at.line},col={at.column}," if at else ""
    text = _escaped(fault.what + (f" ({fault.hint})" if fault.hint else ""))
    return f"::{_level(fault)} {keys}title={fault.code or fault.kind}::{text}"


def _level(fault: SeatlogError) -> str:
    return "warning" if fault.code.startswith("W") or fault.status == DONE else "error"


def _escaped(text: str, more: str = "") -> str:
    for mark in "%\r\n" + more:
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text
