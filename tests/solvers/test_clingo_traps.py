"""Canaries: what clingo 5.8 does that the translation relies on, or works around.

Each test pins one behaviour as it is, wanted or not. A failure here after an upgrade means that
``engine/solvers/clingo.py`` has to be looked at.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import clingo
import pytest

from seatlog.model import MAX_INT


def atoms(text: str, said: list[str] | None = None) -> list[str]:
    """Every atom of a program once it is ground, in order; what clingo says goes to ``said``."""
    control = grounded(text, said)
    return sorted(str(atom.symbol) for atom in control.symbolic_atoms)


def grounded(text: str, said: list[str] | None = None) -> clingo.Control:
    heard: list[str] = [] if said is None else said
    control = clingo.Control(logger=lambda _code, message: heard.append(message))
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


def test_the_version_is_the_one_measured() -> None:
    assert clingo.__version__.startswith("5.8.")


# --- numbers ------------------------------------------------------------------------------------


def test_numbers_go_round_without_a_word() -> None:
    """So a rule beside each sum looks for those that get too far."""
    said: list[str] = []
    found = atoms("p(2147483647). q(X+1) :- p(X). r(X-1) :- q(X).", said)
    assert found == ["p(2147483647)", "q(-2147483648)", "r(2147483647)"]
    assert not said


def test_a_number_that_is_too_large_becomes_another() -> None:
    """So numbers are looked at before they are handed over."""
    assert atoms("p(99999999999).") == ["p(1215752191)"]
    with pytest.raises(OverflowError):
        clingo.Number(2**40)


def test_the_largest_number_is_the_one_of_our_language() -> None:
    """The rules that look for overflow stay within it themselves."""
    assert MAX_INT == 2**31 - 1
    found = atoms(
        f"p({MAX_INT};-{MAX_INT}). q(X,{MAX_INT}-X) :- p(X), X>0. q(X,-{MAX_INT}-X) :- p(X), X<0."
    )
    assert f"q({MAX_INT},0)" in found
    assert f"q(-{MAX_INT},0)" in found


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["n0", "m17", '"a"', '""', "f(1)"])
def test_every_name_is_above_every_number(name: str) -> None:
    """An order of names is silently true, and `> MAX_INT` is how we tell that one is no number."""
    said: list[str] = []
    assert atoms(f"p({name}). q(X) :- p(X), X>{MAX_INT}.", said)[-1] == f"q({name})"
    assert atoms(f"p({name}). q(X) :- p(X), 3<X.", said)[-1] == f"q({name})"
    assert atoms(f"p(-{MAX_INT};0;{MAX_INT}). q(X) :- p(X), X>{MAX_INT}.", said)[-1][0] == "p"
    assert not said


def test_what_cant_be_calculated_is_dropped_with_no_more_than_a_remark() -> None:
    """So whatever the logger hears once our own rules are quiet is a failure."""
    said: list[str] = []
    assert atoms("p(n1). p(2). q(X,Y) :- p(X), Y=X+1.", said) == ["p(2)", "p(n1)", "q(2,3)"]
    assert len(said) == 1
    assert "operation undefined" in said[0]


def test_a_number_and_the_name_that_looks_like_it_are_different() -> None:
    assert atoms('p(1). p("1"). q(X) :- p(X), X!=1.')[-1] == 'q("1")'


def test_a_nul_ends_a_string() -> None:
    """One reason why names go in under numbers of our own."""
    assert clingo.String("a\0b").string == "a"


def test_single_quotes_make_no_string() -> None:
    """Another: what looks like a string is a name with quotes in it."""
    assert atoms('p(\'x\'). p("x"). q(X) :- p(X), X!="x".')[-1] == "q('x')"


def test_a_name_beyond_ascii_ends_the_process() -> None:
    """Another: with a logger, as we need one, the whole process is gone."""
    code = (
        "import clingo\n"
        "control = clingo.Control(logger=lambda code, text: None)\n"
        "control.add('base', [], 'p(日).')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, timeout=60
    )
    assert done.returncode
    assert b"PANIC" in done.stderr
    assert b"Traceback" in done.stderr


def test_text_can_read_files(tmp_path: Path) -> None:
    """The last: a name that gets into the text as such could have any file read."""
    (tmp_path / "secret.lp").write_text("p(1).", encoding="utf-8")
    assert atoms(f'#include "{tmp_path / "secret.lp"}".') == ["p(1)"]


def test_scripts_in_text_are_refused_unless_switched_on() -> None:
    with pytest.raises(RuntimeError):
        grounded("#script (python)\nimport os\n#end.\np(@f()).")


def test_capitals_are_variables_and_small_letters_are_names() -> None:
    with pytest.raises(RuntimeError):
        grounded("p(V0).")
    assert atoms("p(m0).") == ["p(m0)"]


# --- rules --------------------------------------------------------------------------------------


def test_a_predicate_that_nothing_says_is_empty_and_remarked_on() -> None:
    """So that remark is switched off: a table needn't say anything."""
    said: list[str] = []
    assert atoms("p(1). q(X) :- p(X), not r(X).", said)[-1] == "q(1)"
    assert "does not occur in any rule head" in said[0]
    control = clingo.Control(["-Wno-atom-undefined"], logger=lambda _c, text: said.append(text))
    control.add("base", [], "p(1). q(X) :- p(X), not r(X).")
    control.ground([("base", [])])
    assert len(said) == 1


def test_a_count_of_nothing_is_0_and_each_value_counts_once() -> None:
    found = atoms("p(1;2). r(1,7,8). r(1,7,9). q(X,N) :- p(X), N=#count{Y:r(X,Y,_)}.")
    assert [a for a in found if a[0] == "q"] == ["q(1,1)", "q(2,0)"]


def test_stratified_programs_are_worked_out_while_they_are_ground() -> None:
    control = grounded(
        "p(1..9). r(X) :- p(X), X>4. q(X) :- p(X), not r(X). s(N) :- N=#count{X:q(X)}."
        "w(X,0) :- q(X). w(X,N+1) :- w(X,N), N<3."
    )
    assert all(atom.is_fact for atom in control.symbolic_atoms)
    assert clingo.Function("s", [clingo.Number(4)]) in control.symbolic_atoms


def test_what_rests_on_its_own_denial_is_no_fact_and_no_error() -> None:
    """So what isn't a fact is refused."""
    said: list[str] = []
    control = grounded("d(1). p(X) :- d(X), not q(X). q(X) :- d(X), not p(X).", said)
    assert {str(a.symbol): a.is_fact for a in control.symbolic_atoms}["p(1)"] is False
    assert not said


def test_an_unsafe_rule_is_an_error() -> None:
    with pytest.raises(RuntimeError):
        grounded("p(X,Y) :- q(X).")


def test_an_atom_is_shown_as_it_is_read_back() -> None:
    """Without blanks, negative numbers plainly."""
    assert atoms("p17(n3, -5 ,m0,2+3).") == ["p17(n3,-5,m0,5)"]
