"""What a shell is offered: tables, names, verbs, prepositions, editions, rule numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import BashComplete, ShellComplete

from seatlog.cli import group


def offered(words: list[str], typed: str = "") -> list[str]:
    shell = ShellComplete(group, {}, "seatlog", "_SEATLOG_COMPLETE")
    return [item.value for item in shell.get_completions(words, typed)]


RING = ["can", "four_in_a_ring"]
QUICK = ["can", "--seats", "Ann,Bo", "--controls", "Bo: Old Wall"]


@pytest.mark.parametrize(
    ("words", "typed", "wanted"),
    [
        (["can"], "four", "four_in_a_ring"),
        (["check"], "", "four_in_a_ring"),
        (RING, "", "Alex"),
        (RING, "run", "Runeclaw Bear"),
        ([*RING, "Alex"], "ta", "target"),
        ([*RING, "Runeclaw", "Bear"], "", "attack"),
        ([*RING, "Alex", "target"], "r", "Rob"),
        ([*RING, "Alex", "choose", "Rob"], "f", "for"),
        (QUICK, "", "Old Wall"),
        ([*QUICK, "Bo"], "re", "reach"),
        (["why", "four_in_a_ring", "Alex"], "", "target"),
        (["can", "--edition"], "", "cr"),
        (["lint"], "dr", "draft2004"),
        (["can", "--variant"], "free", "free_for_all"),
        (["can"], "--se", "--seats"),
        (["can"], "--fo", "--for"),
        (["draw", "--verb"], "rea", "reach"),
        (["show"], "801.", "801.4"),
        (["show"], "can_ta", "can_target"),
        ([*RING, "can"], "al", "Alex"),
        ([*RING, "Can", "Alex"], "tar", "target"),
        ([], "c", "can"),
    ],
)
def test_the_next_word_is_offered(words: list[str], typed: str, wanted: str) -> None:
    found = offered(words, typed)
    assert wanted in found
    assert all(v.casefold().startswith(typed.casefold()) for v in found)


def test_verbs_are_those_of_who() -> None:
    assert "enchant" not in offered([*RING, "Alex"]) and "target" not in offered([*RING, "Rune"])


@pytest.mark.parametrize("words", [["can", "nowhere.toml"], ["can", "x", "y"], ["show", "1", "2"]])
def test_nothing_is_offered_where_nothing_is_known(words: list[str]) -> None:
    assert set(offered(words, "zz")) <= {"zz"}


def test_a_table_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text('seats = ["Ann", "Zed O\'Neil"]\n', encoding="utf-8")
    assert offered(["can", str(file)], "zed") == ["Zed O'Neil"]
    file.write_text("seats = [", encoding="utf-8")
    assert offered(["can", str(file)], "zed") == []


def test_bash_gets_names_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SEATLOG_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "seatlog can four_in_a_ring Run")
    monkeypatch.setenv("COMP_CWORD", "3")
    shell = BashComplete(group, {}, "seatlog", "_SEATLOG_COMPLETE")
    assert shell.complete() == "plain,Runeclaw\\ Bear"
