"""How the command line speaks: colour, errors in words or JSON, and no traceback ever."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from ..errors import BAD, Place, SeatlogError, printable

NOTHING = ": nothing was changed"
_LONG = re.compile(r"([^\s']{60})[^\s']+")


def paint(text: str, colour: str, err: bool = False) -> str:
    """The text in a colour when a terminal is there to show it and ``NO_COLOR`` is not set."""
    stream = sys.stderr if err else sys.stdout
    if os.environ.get("NO_COLOR") or not stream or not stream.isatty():
        return text
    return click.style(text, fg=colour, bold=True)


def remark(*notes: str) -> None:
    """Say on standard error what isn't part of the answer."""
    for note in notes:
        click.echo(f"note: {printable(note, 1_000)}", err=True)


def project_file(file: str) -> str:
    """The name of a book's file as it is found in a project."""
    from ..editions import editions

    return "rules/" * (file.partition("/")[0] in editions()) + file


def placed(place: Place | None, names: Sequence[str]) -> Place | None:
    """A place whose file is named as other programs find it: from where the command runs.

    ``names`` are the editions that were named; those that are folders are found there.
    """
    from pathlib import Path

    from ..language import is_file

    if place is None:
        return None
    book, _, inner = place.file.partition("/")
    if not inner:
        return place._replace(file=f"facts/{book}")
    folders = [name.rstrip("/") for name in names if is_file(f"{name}/edition.toml")]
    folder = next((f for f in folders if Path(f).name == book), f"rules/{book}")
    return place._replace(file=f"{folder}/{inner}")


def guarded(work: Callable[[], object], as_json: bool) -> int:
    """The exit code of some work. Whatever stops it is said in words; MemoryError is raised."""
    try:
        result = work()
        if sys.stdout:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except SeatlogError as error:
        return complain(error, as_json)
    except click.ClickException as error:
        if type(error).__name__ != "NoArgsIsHelpError":
            return complain(_usage(error), as_json)
        with contextlib.suppress(OSError):
            error.show()
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        with contextlib.suppress(OSError):
            said = error.args or getattr(error.__cause__, "args", ())
            click.echo(f"interrupted{f' {said[0]}' if said else NOTHING}", err=True)
    except BrokenPipeError:
        _mute()
    except OSError as error:
        _mute()
        what = "the answer can't be written"
        if error.filename:
            what = f"{printable(os.fsdecode(error.filename))}: this can't be used"
        complain(SeatlogError(f"{what} ({error.strerror})"), False)
    except RecursionError:
        complain(SeatlogError("this input is nested too deeply to be worked off"), as_json)
    except MemoryError:
        raise
    except Exception as error:
        what = f"Seatlog itself failed ({type(error).__name__}: {printable(str(error))})"
        complain(SeatlogError(what, hint="please report what was typed"), as_json)
        if sys.flags.dev_mode:
            sys.excepthook(*sys.exc_info())
    return BAD


def _usage(error: click.ClickException) -> SeatlogError:
    """What click refuses, said as every other error is."""
    what, _, usage = error.format_message().replace("\n\t", " ").partition("\nUsage: ")
    ctx = getattr(error, "ctx", None)
    if not usage and ctx:
        usage = " ".join(ctx.get_usage().split()).removeprefix("Usage: ")
    what = " ".join(what.split())
    what = _LONG.sub(r"\1…", what[:1].lower() + what[1:].rstrip("."))
    found = SeatlogError(what, hint=f"usage: {usage}" if usage else "")
    found.kind = "usage"
    return found


def _mute() -> None:
    """What is left in the buffer of a broken output must not be tried again at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(data: Mapping[str, Any]) -> None:
    """Print data as JSON, with the version of its shape."""
    click.echo(as_json_text(data))


def as_json_text(data: Mapping[str, Any]) -> str:
    """Data as JSON, with the version of its shape: the same bytes in every encoding."""
    import json

    from ..game import JSON_VERSION

    return json.dumps({"version": JSON_VERSION, **data})


def complain(error: SeatlogError, wants_json: bool) -> int:
    """Say an error, as JSON or (also where that can't be written) in words; returns its code."""
    if wants_json:
        try:
            tell({"errors": [e.as_dict() for e in error.errors]})
            return error.status
        except OSError:
            _mute()
    with contextlib.suppress(OSError):
        click.echo(f"{paint('error:', 'red', err=True)} {error}", err=True)
    return error.status
