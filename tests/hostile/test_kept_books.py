"""The cache of prepared books: whose entry it is, how large it grows, what a full disk leaves."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import processes
import seatlog
from seatlog.editions import cache, folder, load_book

SETTINGS = 'title = "House"\ndate = "2026-09-01"\nbase = "cr"\n'
WORDS = ("can", "four_in_a_ring", "Alex", "reach", "Rob")
ASK = (sys.executable, "-m", "seatlog", *WORDS)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and nothing loaded."""
    from seatlog.editions import shelf

    where = tmp_path / "kept"
    monkeypatch.setenv("SEATLOG_CACHE", str(where))
    monkeypatch.setattr(shelf, "_loaded", {})
    yield where


def edition(where: Path) -> Path:
    where.mkdir(parents=True)
    (where / "edition.toml").write_text(SETTINGS, encoding="utf-8")
    return where


def entries(kept: Path) -> list[Path]:
    return sorted(kept.glob("*.json"))


@functools.cache
def _book() -> dict[str, bytes]:
    """What is kept of the default book."""
    load_book()
    found = entries(Path(os.environ["SEATLOG_CACHE"]))
    assert [path.stat().st_mode & 0o777 for path in found] == [0o600]
    return {path.name: path.read_bytes() for path in found}


def prepared(kept: Path) -> list[Path]:
    """The cache with the default book in it."""
    for name, data in _book().items():
        kept.mkdir(mode=0o700, exist_ok=True)
        (kept / name).write_bytes(data)
        (kept / name).chmod(0o600)
    return entries(kept)


def fresh(where: Path) -> str:
    """The name under which a new process knows an edition."""
    code = f"from seatlog.editions import load_book; print(load_book({str(where)!r}).name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return done.stdout.strip()


def test_editions_that_say_the_same_keep_their_names(tmp_path: Path, kept: Path) -> None:
    """Equal settings and no clauses of their own: each answers under its own name, warm or cold."""
    folders = [edition(tmp_path / name) for name in ("one", "two", "deep/three")]
    names = ["one", "two", "three"]
    assert [load_book(str(f)).name for f in folders] == names
    assert [load_book(str(f)).name for f in folders] == names
    assert [fresh(f) for f in folders] == names
    assert [load_book(f"{f}/").name for f in folders] == names
    answers = [seatlog.open("four_in_a_ring", str(f)).can("Alex", "reach", "Rob") for f in folders]
    assert [a.as_dict()["edition"] for a in answers] == names
    assert len(entries(kept)) == 3


def filled(kept: Path, number: int, size: int, age: float = 0) -> list[Path]:
    kept.mkdir(exist_ok=True)
    out = []
    for n in range(number):
        path = kept / f"{n:064x}.json"
        path.write_bytes(b"x" * size)
        os.utime(path, (time.time() - age - n,) * 2)
        out.append(path)
    return out


def test_the_cache_stays_small(tmp_path: Path, kept: Path) -> None:
    """So many entries, so many bytes, so old: the oldest go, and nothing but entries."""
    book = load_book()
    old = filled(kept, 300, 10)
    (kept / "history").write_text("mine", encoding="utf-8")
    (kept / ("a" * 64 + ".json.1.tmp")).write_text("torn", encoding="utf-8")
    os.utime(kept / ("a" * 64 + ".json.1.tmp"), (0, 0))
    cache.save("f" * 64, book)
    assert len(entries(kept)) == 64
    assert [p.exists() for p in (old[0], old[-1])] == [True, False]
    assert not list(kept.glob("*.tmp"))
    assert (kept / "history").read_text(encoding="utf-8") == "mine"
    filled(kept, 60, 1_900_000)
    cache.save("e" * 64, book)
    assert sum(p.stat().st_size for p in entries(kept)) < 34_000_000
    assert cache.load("e" * 64)
    aged = filled(kept, 5, 10, age=61 * 24 * 3_600)
    cache.save("d" * 64, book)
    assert not [p for p in aged if p.exists()]


def test_what_is_used_stays_young(kept: Path) -> None:
    (entry,) = prepared(kept)
    os.utime(entry, (time.time() - 50 * 24 * 3_600,) * 2)
    assert cache.load(entry.stem)
    assert time.time() - entry.stat().st_mtime < 3_600


def test_many_may_tidy_up_at_once(tmp_path: Path, kept: Path) -> None:
    """Who reads an entry that somebody else takes away at this moment makes it again."""
    folders = [edition(tmp_path / f"e{n}") for n in range(3)]
    filled(kept, 300, 1_000)

    def ask(where: Path) -> subprocess.CompletedProcess[bytes]:
        command = [*ASK, "--edition", str(where)]
        return subprocess.run(command, capture_output=True, check=False)

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(ask, folders * 2))
    assert {(d.returncode, d.stdout[:4], d.stderr) for d in found} == {(0, b"yes\n", b"")}
    assert len(entries(kept)) <= 64 + 4


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell and its limits")
def test_a_full_disk_leaves_nothing_behind(kept: Path) -> None:
    command = ["/bin/sh", "-c", 'ulimit -f 16; exec "$0" "$@"', *ASK]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not list(kept.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners")
@pytest.mark.parametrize("how", ["link", "for all", "for a group", "fifo"])
def test_only_what_the_user_alone_could_write_is_believed(
    how: str, tmp_path: Path, kept: Path
) -> None:
    (entry,) = prepared(kept)
    assert cache.load(entry.stem)
    if how == "link":
        entry.rename(tmp_path / "theirs")
        entry.symlink_to(tmp_path / "theirs")
    elif how == "fifo":
        entry.unlink()
        os.mkfifo(entry)
    else:
        entry.chmod(0o606 if how == "for all" else 0o660)
    assert cache.load(entry.stem) is None
    done = processes.run(*WORDS)
    assert (done.returncode, done.stdout[:4]) == (0, "yes\n")
    assert cache.load(entry.stem)
    assert entry.is_file() and not entry.is_symlink()


def test_an_entry_under_the_name_of_another_is_not_believed(tmp_path: Path, kept: Path) -> None:
    """Each is whole, and says another book."""
    (one,) = prepared(kept)
    cache.keep("0" * 64, "another text")
    other = one.with_name("0" * 64 + ".json")
    assert cache.kept(other.stem) == "another text"
    other.write_bytes(one.read_bytes())
    assert cache.load(one.stem)
    assert cache.load(other.stem) is None
    assert cache.kept(other.stem) is None


@pytest.mark.skipif(sys.platform == "win32", reason="other variables")
def test_folders_that_are_no_whole_paths_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SEATLOG_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for said in ("", "here", "./here", "../here"):
        monkeypatch.setenv("XDG_CACHE_HOME", said)
        assert folder() == tmp_path / "home" / ".cache" / "seatlog"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder() == tmp_path / "xdg" / "seatlog"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", "here")
    assert folder() is None
    assert processes.run(*WORDS).returncode == 0
    assert not list(tmp_path.iterdir())
