"""``seatlog fmt``: lay clause files out so that they can be read."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from ..budget import Step
from ..editions import clause_files, editions, find, where
from ..errors import FAILED, BookError, Place, SeatlogError, TextError, many, printable, refuse
from ..language import MAX_TEXT, as_text, bounded, is_file, laid_out, read_bytes, replace
from .sharing import common, completed, watched
from .tables import OnceCommand
from .talk import tell

SECONDS = 10.0
WHAT = "[EDITION|FILES|-]..."
STDIN = "standard input"
ENDING = ".dl"


class Target(NamedTuple):
    """A file to lay out, as it is called in messages, and whether it may be written to."""

    path: str
    shown: str
    ours: bool = True


class Laid(NamedTuple):
    """A text before and after."""

    target: Target
    old: bytes
    new: str

    @property
    def both(self) -> tuple[bytes, bytes]:
        """What the file held, and what it is to hold."""
        return self.old, self.new.encode()

    @property
    def changed(self) -> bool:
        return len(set(self.both)) == 2

    @property
    def difference(self) -> str:
        """What changes, as a unified diff."""
        import difflib

        before = self.old.decode().splitlines(keepends=True)
        after = self.new.splitlines(keepends=True)
        name = printable(self.target.shown)
        found = difflib.unified_diff(before, after, name, name)
        whole = (x if x.endswith("\n") else f"{x}\n\\ No newline at end of file\n" for x in found)
        return "".join(whole)


@click.command(cls=OnceCommand)
@click.argument("what", nargs=-1, metavar=WHAT, shell_complete=completed("layouts"))
@click.option("--check", is_flag=True, help="Write nothing; list what would change (exit code 1).")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change (exit code 1).")
@common
def command(
    what: tuple[str, ...],
    check: bool,
    diff: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Lay out clause files: an edition's, those named, standard input (`-`), or all of a project.

    Without names: every edition under rules/ here and facts/vocabulary.dl. A file is written whole
    or not at all, and none is when there is a fault in one. Links aren't followed.
    """
    names = (*what, edition) if edition else what
    if "-" in names and len(names) > 1:
        raise click.UsageError("`-` is standard input and stands alone")
    typed = _standard_input() if "-" in names else None

    def work(step: Step) -> int:
        found = [Target("", STDIN)] if typed is not None else list(_targets(names))
        writes = not (check or diff) and typed is None
        if writes and not all(target.ours for target in found):
            raise BookError(
                "books that were installed stay as they are",
                hint="run this in a project, where rules/ holds editions, or name files; "
                "--check and --diff look at any book",
            )
        laid = list(_all_laid(found, typed, step))
        changed = [each for each in laid if each.changed]
        if writes:
            _write(changed, step)
        step.rest()
        if as_json:
            _say_as_json(laid, writes, diff, typed is not None)
        else:
            _say(laid, check, diff, typed is not None)
        return FAILED if changed and (check or diff) else 0

    return watched(work, budget, as_json, SECONDS)


def _standard_input() -> bytes:
    """What is typed or piped in, before any clock runs."""
    try:
        return bounded(sys.stdin.buffer.read(MAX_TEXT + 1), STDIN)
    except (OSError, ValueError, AttributeError):
        raise TextError("this can't be read", place=Place(STDIN)) from None


def _targets(names: Sequence[str]) -> Iterator[Target]:
    """The files that are meant, each once."""
    seen = set()
    for target in _named(names) if names else _everything():
        real = os.path.realpath(target.path)
        if real not in seen:
            seen.add(real)
            yield target


def _named(names: Sequence[str]) -> Iterator[Target]:
    for name in names:
        here = f"rules/{name}"
        if "/" not in name and is_file(f"{here}/edition.toml"):
            yield from _edition(here, here)
        elif is_file(f"{name}/edition.toml"):
            yield from _edition(name, name.rstrip("/"))
        elif name.endswith(ENDING):
            yield Target(name, name)
        elif is_file(name):
            raise TextError(
                "this is no clause file",
                place=Place(name),
                hint=f"the names of clause files end in {ENDING}",
            )
        elif name not in editions() and Path(name).is_dir():
            raise BookError(
                f"{printable(name)} is no edition: it has no edition.toml",
                hint=f"name an edition's folder, or files that end in {ENDING}",
            )
        else:
            yield from _edition(str(find(name)), here, name not in editions())


def _everything() -> Iterator[Target]:
    """All of the project that is worked in; where there is none, of what was installed."""
    own = _own()
    for folder in own:
        yield from _edition(folder, folder)
    if not own:
        for name, path in editions().items():
            yield from _edition(str(path), f"rules/{name}", False)
    vocabulary = "facts/vocabulary.dl"
    if not own:
        yield Target(f"{where('facts')}/vocabulary.dl", vocabulary, False)
    elif is_file(vocabulary):
        yield Target(vocabulary, vocabulary)


def _own() -> list[str]:
    """The editions of the project that is worked in. Raises BookError where they can't be read."""
    try:
        with os.scandir("rules") as entries:
            found = sorted(f"rules/{entry.name}" for entry in entries)
        return [folder for folder in found if _has_settings(folder)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise BookError(
            f"rules/ can't be read ({error.strerror})",
            hint="check the permissions, or name editions or files",
        ) from None


def _has_settings(folder: str) -> bool:
    """Whether there is an edition in a folder. Raises OSError where nobody can say."""
    try:
        return stat.S_ISREG(os.stat(f"{folder}/edition.toml").st_mode)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return False


def _edition(folder: str, shown: str, ours: bool = True) -> Iterator[Target]:
    for path, inner in clause_files(folder):
        yield Target(path, f"{shown}/{inner}", ours)


def _all_laid(found: Sequence[Target], typed: bytes | None, step: Step) -> Iterator[Laid]:
    """All files laid out. Raises what is wrong with any of them."""
    errors: list[SeatlogError] = []
    laid = []
    for target in found:
        step(f"while laying out {target.shown}")
        try:
            old = read_bytes(target.path, target.shown, MAX_TEXT) if typed is None else typed
            laid.append(Laid(target, old, laid_out(as_text(old, target.shown), target.shown)))
        except SeatlogError as error:
            errors += getattr(error, "errors", (error,))
    refuse(errors)
    yield from laid


def _write(changed: Sequence[Laid], step: Step) -> None:
    """Write what has changed, all of it or nothing."""
    for each in changed:
        if Path(each.target.path).is_symlink():
            raise TextError(
                "this is a link, and is left as it is",
                place=Place(each.target.shown),
                hint=f"name the file it leads to: {os.path.realpath(each.target.path)}",
            )
        if read_bytes(each.target.path, each.target.shown, MAX_TEXT) not in each.both:
            raise TextError(
                "this file has changed meanwhile, so none was written",
                place=Place(each.target.shown),
                hint="lay it out again",
            )
    shown = {os.fspath(Path(x.target.path)): x.target.shown for x in changed}
    step.rest()
    try:
        replace({Path(each.target.path): each.new for each in changed}, step.rest)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        file = str(getattr(error, "filename", ""))
        raise TextError(
            f"this file can't be written ({why}), so none was",
            place=Place(shown.get(file, file)),
            hint="check the permissions, and the room on the disk",
        ) from None


def _say(laid: Sequence[Laid], check: bool, diff: bool, typed: bool) -> None:
    changed = [each for each in laid if each.changed]
    rest = len(laid) - len(changed)
    if typed and not (check or diff):
        click.echo(laid[0].new, nl=False)
        return
    if diff:
        click.echo("".join(each.difference for each in changed), nl=False)
    if check:
        click.echo("".join(f"{printable(each.target.shown)}\n" for each in changed), nl=False)
    if check or not diff:
        would, stay = ("would be ", "already") if check else ("", "left alone")
        click.echo(f"{many(len(changed), 'file')} {would}laid out, {rest} {stay}")


def _say_as_json(laid: Sequence[Laid], written: bool, diff: bool, typed: bool) -> None:
    files: list[dict[str, object]] = []
    for each in laid:
        about: dict[str, object] = {"file": each.target.shown, "changed": each.changed}
        if diff:
            about["diff"] = each.difference
        if typed:
            about["text"] = each.new
        files.append(about)
    tell({"files": files, "written": written})
