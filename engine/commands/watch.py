"""``seatlog watch``: what each save of a rule book changes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..budget import Budget, Step
from ..budget import budget as read_budget
from ..cases import DEFAULT
from ..editions import find
from ..errors import FAILED, ScenarioError, SeatlogError, printable
from ..language import beneath, is_file
from .sharing import answering, completed, paint
from .tables import OnceCommand
from .talk import tell

if TYPE_CHECKING:
    from ..authoring import News, Round

SETTINGS = "edition.toml"
_READ = (".dl", ".toml")
_QUIET, _LATEST, _WAIT = 100, 1_600, 1_000
"""Milliseconds without a save that end a row of them, and how long a row and a wait may last."""
_MOST_FILES = 5_000
SAME = "saved: no fault, scenario or verdict is another one than before"
_COLOURS = {"fault": "red", "fails": "red", "mended": "green", "passes again": "green"}


@click.command(cls=OnceCommand)
@click.argument("folder", shell_complete=completed("books"))
@click.option(
    "--scenarios", "path", metavar="PATH", help=f"Scenarios to run; {DEFAULT} where it is there."
)
@click.option("--once", is_flag=True, help="One look; exit code 1 for faults or failing scenarios.")
@answering
def command(folder: str, path: str | None, once: bool, as_json: bool, budget: str | None) -> int:
    """Look at an edition's folder after each save, and tell what that changed, until Ctrl-C.

    Its faults, its scenarios, and the verdicts that differ from its base's.
    """
    allowed = read_budget(budget)
    edition = folder if is_file(f"{folder}/{SETTINGS}") else str(find(folder))
    place = _place(path)
    if not once:
        _library()
    try:
        return _watch(edition, place, allowed, once, as_json)
    except KeyboardInterrupt:
        return 0


def _place(path: str | None) -> Path:
    """Where scenarios lie. Raises ScenarioError."""
    if path == "":
        raise click.UsageError("--scenarios names nothing")
    place = Path(path) if path else DEFAULT
    if path and not place.exists():
        raise ScenarioError(f"there is nothing at {printable(path)}", hint="name a file or folder")
    return place


def _library() -> None:
    """Raise SeatlogError where the library that waits for saves isn't there."""
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        raise SeatlogError(
            "watching a folder needs the library watchfiles, which isn't installed",
            hint="pip install 'seatlog[watch]', or look once with --once",
        ) from None


def _watch(edition: str, place: Path, allowed: Budget, once: bool, as_json: bool) -> int:
    """Look once, or again after each save; returns the exit code of one look."""
    from ..authoring import news

    now: Round | None = None
    own = [edition, str(place)]
    if not (once or as_json):
        click.echo(
            f"watching {printable(edition)} and {printable(own[1])}: Ctrl-C ends it", err=True
        )
        if not place.exists():
            what = f"note: there is no {printable(own[1])} yet, so no verdict is looked at"
            click.echo(f"{what}: --scenarios names others", err=True)
    folders = list(own)
    for _ in _saves(folders, once):
        found = news(now, _looked(edition, place, allowed))
        _say(found, as_json, now is None)
        now = found.now
        folders[:] = [*own, *now.folders]
    return FAILED if now and not now.good else 0


def _looked(edition: str, place: Path, allowed: Budget) -> Round:
    """A look by a process of its own, which is ended when its budget runs out."""
    import pickle

    from ..authoring import failed, look
    from ..budget import apart

    there = place if place.exists() else None

    def work(step: Step) -> bytes:
        try:
            found = look(edition, there, step)
        except OSError as error:
            what = f"{printable(str(error.filename))}: this can't be used ({error.strerror})"
            found = failed(edition, SeatlogError(what))
        except RecursionError:
            what = "this is nested too deeply to be worked off"
            found = failed(edition, SeatlogError(what))
        return pickle.dumps(found)

    try:
        data = apart(work, allowed)
    except SeatlogError as error:
        return failed(edition, error)
    if not data:
        return failed(edition, SeatlogError("the look itself failed", hint="please report this"))
    found: Round = pickle.loads(data)  # noqa: S301 (from a process of our own)
    return found


def _saves(places: Sequence[str], once: bool) -> Iterator[None]:
    """At once, and then after each row of saves in some folders and files, which may change.

    The system tells what is saved in folders; a file, which many editors replace, is looked at.
    """
    seen = _stamps(places)
    yield
    while not once:
        there = _folders(places)
        files = [place for place in places if place not in there]
        settled = False
        for saved in _told(there):
            moved = _folders(places) != there
            known = {path: seen[path] for path in files if path in seen}
            if saved or moved or not settled or _stamps(files) != known:
                stamps = _stamps(places)
                if stamps != seen:
                    seen = stamps
                    yield
            settled = True  # what was saved before the system watched is seen by now
            if moved:
                break


def _told(folders: Sequence[str]) -> Iterator[bool]:
    """Whether the system tells of a save in some folders: after each, and now and then."""
    from watchfiles import watch

    try:
        for saved in watch(
            *folders,
            watch_filter=lambda _change, path: path.endswith(_READ),
            debounce=_LATEST,
            step=_QUIET,
            rust_timeout=_WAIT,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield bool(saved)
    except FileNotFoundError:  # a folder went that was there a moment ago
        time.sleep(_WAIT / 1_000)
    except OSError as error:
        raise SeatlogError(
            f"the system can't watch these folders ({error.strerror or printable(str(error))})",
            hint="look with --once",
        ) from None


def _folders(places: Iterable[str]) -> list[str]:
    """The folders that are there, each once."""
    return sorted({place for place in places if Path(place).is_dir()})


def _stamps(places: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """By what some files, and those in some folders, are known again until somebody saves them."""
    found = {}
    for place in places:
        with contextlib.suppress(OSError):
            beside = Path(place).is_file()
            every = [place] if beside else (path for path, _ in beneath(place, _READ))
            for path in islice(every, _MOST_FILES):
                about = Path(path).stat()
                found[path] = about.st_mtime_ns, about.st_size, about.st_ino
    return found


def _say(found: News, as_json: bool, first: bool) -> None:
    """What has changed, and how it stands."""
    if as_json:
        tell(found.as_dict())
        return
    for line in found.lines():
        word, colon, rest = line.partition(":")
        colour = _COLOURS.get(word)
        click.echo(f"{paint(word + colon, colour)}{rest}" if colour else line)
    click.echo(found.summary if found or first else SAME)
