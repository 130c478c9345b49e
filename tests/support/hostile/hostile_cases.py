"""Hostile input by class: what a person might type, paste, download or be handed.

A *class* is a list of inputs that attack in one way: a name, what lays the input out and gives the
command line, and a pattern that the message must hold. All are wrong and have to be refused with
exit code 2, but for ``harmless``: what looks hostile and is answered.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from hostile_run import CANARY, SEATLOG, Case, Words
from seatlog.editions import fingerprint

TABLE = "four_in_a_ring"
RUN = f"__import__('os').system('touch {CANARY}')"
WRITE = f"open('{CANARY}', 'w').write('x')"
SEATS = "seats = [" + ", ".join(f'"P{n}"' for n in range(60)) + "]\n"
FEW = 'seats = ["Alex", "Rob"]\n'

Prepare = Callable[[Path], Words]


def book(text: str | bytes, *question: str, toml: str | bytes = 'title = "Hostile"\n') -> Prepare:
    """A book with one section; linted, or asked a question about a table of sixty."""
    return book_files({"hostile.dl": text}, *question, toml=toml)


def book_files(
    files: dict[str, str | bytes], *question: str, toml: str | bytes = 'title = "Hostile"\n'
) -> Prepare:
    """A book of several files."""

    def prepare(here: Path) -> Words:
        folder = here / "book"
        folder.mkdir()
        _write(folder / "edition.toml", toml)
        for name, text in files.items():
            _write(folder / name, text)
        _write(here / "sixty.toml", SEATS)
        command, *rest = question or ("lint",)
        return [command, "--edition", "book", *rest]

    return prepare


def clause(text: str, *question: str) -> Prepare:
    """A book with these lines under a section heading: the first one is line 2."""
    return book(f"## 1.1  Hostile\n{text}\n", *question)


def ask(question: str | bytes, table: str = TABLE) -> Prepare:
    """A question about a shipped table."""
    return lambda here: ["ask", table, question]


def check(text: str | bytes, *more: str) -> Prepare:
    """A table file to be checked."""
    return file("game.toml", text, "check", "game.toml", *more)


def scenarios(text: str | bytes) -> Prepare:
    """A scenario file to be run."""
    return file("cases.toml", text, "test", "cases.toml")


def file(name: str, text: str | bytes, *command: str) -> Prepare:
    """A command that reads one file."""

    def prepare(here: Path) -> Words:
        _write(here / name, text)
        return command

    return prepare


def words(*command: str | bytes) -> Prepare:
    """A command as it stands."""
    return lambda here: command


def _write(path: Path, text: str | bytes) -> None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def _large(path: Path, start: bytes = b"", block: bytes = b"x" * 1_000_000) -> None:
    """A hundred megabytes in one line."""
    with path.open("wb") as stream:
        stream.write(start)
        for _ in range(100):
            stream.write(block)


def code_in_clauses() -> Iterator[tuple[str, Prepare, str]]:
    at = r"book/hostile\.dl:2:\d+: "
    for payload, says in (
        (f"p(X) <= ({RUN})", at + "S03 this is not a literal"),
        (f"p(X) <= (seat(X, N) & {WRITE})", at + "S03 this is not a literal"),
        (f"p(X) <= (seat(X, N) & (X == {RUN}))", at + "S11 this can't stand as a term"),
        (f'p(X) <= (seat(X, N) & exec("{RUN}"))', at + "L01 no predicate is called exec"),
        (f'p(X) <= (seat(X, N) & (N == eval("{RUN}")))', at + "S11"),
        (f"p({RUN}) <= (seat(X, N))", at + "S11 this can't stand as a term"),
        (f'p(f"{{{WRITE}}}") <= (seat(X, N))', at + "S14 a word runs into this quote"),
        (f"import os; os.system('touch {CANARY}')", at + "S03 this is neither a clause"),
        (f"def p(X): {WRITE}", at + "S03 this is neither a clause"),
        (f"p((lambda: {WRITE})()) <= (seat(X, N))", at + "S11"),
        (f"p([{WRITE} for X in 'a']) <= (seat(X, N))", at + "S01 something is missing here"),
        (f"p(X) <= ((Y := {WRITE}))", at + "S03 this is not a literal"),
        (f"p(x={WRITE}) <= (seat(X, N))", at + "S11 a literal takes up to"),
        (f"p(*{WRITE}) <= (seat(X, N))", at + "S11"),
        ("p(X) <= (().__class__.__base__.__subclasses__()[104](X))", at + "S03"),
        (f"p(X) <= (seat(X, N)) if {RUN} else q(X)", at + "S01 something is missing here"),
    ):
        yield payload, clause(payload), says


def code_in_questions() -> Iterator[tuple[str, Prepare, str]]:
    at = r"question:1:\d+: "
    for payload, says in (
        (RUN, at + "S03 this is not a literal"),
        (f"seat(X, N) & {RUN}", at + "S03 this is not a literal"),
        (f"seat(X, N) & (N == {WRITE})", at + "S11 this can't stand as a term"),
        (f"seat({WRITE}, N)", at + "S11 this can't stand as a term"),
        (f'exec("{RUN}")', at + "L01 no predicate is called exec"),
        (f"print(X) & eval('{CANARY}')", at + "L01 no predicate is called print"),
        (f'seat(f"{{{RUN}}}", N)', at + "S14 a word runs into this quote"),
        (f"[seat(X, N) for X in {RUN}]", at + "S01 something is missing here"),
        (f"[X for X in {RUN}]", at + "S03"),
        (f"seat(X, N); {RUN}", at + "S03"),
        (f"seat(X, N)\nimport os\nos.system('touch {CANARY}')", at + "S03 a question is one line"),
        (f"lambda: {WRITE}", at + "S03"),
        ("load('+ seat(1)') & ask('seat(X)')", at + "L01 no predicate is called load"),
    ):
        yield payload, ask(payload), says


def code_in_tables() -> Iterator[tuple[str, Prepare, str]]:
    at = r"game\.toml:2:\d+: "
    for payload, says in (
        (f"+ seat({RUN}, 1)", at + "S11 this can't stand as a term"),
        (f"+ seat('Alex', {WRITE})", at + "S11 this can't stand as a term"),
        (f"{RUN}", at + "S10 a fact without its `\\+`"),
        (f"+ {RUN}", at + "S03 this is not a literal"),
        (f"seat(X, N) <= (seat(X, N) & {WRITE})", at + "S03 this is not a fact"),
        (f"+ exec('{CANARY}')", at + "no fact is called exec"),
        (f"+ seat(lambda: {WRITE}, 1)", at + "S11"),
        ("+ seat(X, 1)", at + "S08 X is not a constant"),
        ("+ ~seat('Alex', 1)", at + "S03 a fact can't be negated"),
        ("+ can_target('Alex', 'Rob')", at + "no fact is called can_target: a table states facts"),
        (f"import os\n{RUN}", at + "S03"),
    ):
        yield payload, check(f'facts = """\n{payload}\n"""\n'), says
    yield "a key", check(f'{FEW}"{RUN}" = 1\n'), r'game\.toml:2:\d+: no table key is called "__im'
    yield "a value", check(f'{FEW}variant = "{RUN}"\n'), r"game\.toml:2:\d+: Format can't be \"__"


def code_in_names() -> Iterator[tuple[str, Prepare, str]]:
    yield "who", words("can", TABLE, RUN, "target", "Rob"), 'nobody and nothing .* called "__imp'
    yield "verb", words("can", TABLE, "Alex", RUN, "Rob"), 'nobody can "__import__.*: no such verb'
    yield "what", words("can", TABLE, "Alex", "target", WRITE), 'nobody and nothing .* "open'
    yield "table", words("check", f"{RUN}.toml"), "__import__.*: this file can't be read"
    yield "edition", words("lint", RUN), "no edition is called .*__import__"
    yield "command", words(RUN), "no command is called .*__import__"
    yield "number flag", words("check", "--seats", "A,B", "--range", RUN), "is no number"
    yield "seat flag", words("can", "--seats", f"A,B,{RUN}", "X", "target", "B"), 'is called "X"'
    yield "budget", words("lint", "--budget", RUN), "is no budget"
    yield "scenario word", words("test", "-k", RUN), "No such file"
    yield "a hole", words("can", TABLE, "{0.__class__}", "target", "Rob"), r"called \"\{0\.__class"
    yield "a percent", words("can", TABLE, "%s%n%x", "target", "Rob"), 'called "%s%n%x"'


def too_large() -> Iterator[tuple[str, Prepare, str]]:
    def table_line(here: Path) -> Words:
        _large(here / "game.toml", b'seats = ["')
        return ["check", "game.toml"]

    def sparse(here: Path) -> Words:
        with (here / "game.toml").open("wb") as stream:
            stream.truncate(100_000_000)
        return ["check", "game.toml"]

    def book_line(here: Path) -> Words:
        command = clause("")(here)
        _large(here / "book" / "hostile.dl", b"p(X) <= (seat(X, N) & ")
        return command

    def edition_line(here: Path) -> Words:
        command = clause("")(here)
        _large(here / "book" / "edition.toml", b'title = "')
        return command

    def scenario_line(here: Path) -> Words:
        _large(here / "cases.toml", b'edition = "')
        return ["test", "cases.toml"]

    yield "a table of 100 MB in one line", table_line, r"game\.toml: S02 this file is larger"
    yield "a sparse table of 100 MB", sparse, r"game\.toml: S02 this file is larger"
    yield "a book of 100 MB in one line", book_line, r"book/hostile\.dl: S02 this file is larger"
    yield "an edition.toml of 100 MB", edition_line, r"edition\.toml: S02 this file is larger"
    yield "scenarios of 100 MB", scenario_line, r"cases\.toml: S02 this file is larger"
    long = "p(X) <= (" + " & ".join(["seat(X, N)"] * 300) + ")"
    yield "a long line", clause(long), r"hostile\.dl:2:2000: S02 this line has 3,9\d\d characters"
    lines = "p(X) <= (" + " &\n".join(["seat(X, N)"] * 900) + ")"
    yield "a long clause", clause(lines), r"hostile\.dl:\d+:1: S02 a clause of 11,\d\d\d char"
    yield (
        "many literals",
        clause(_body(65)),
        "S02 65 lit",
    )
    yield "many terms", clause("p(" + "X, " * 16 + "X) <= (seat(X, N))"), "S11 a literal takes up"
    yield (
        "many operators",
        clause(f"p(X) <= (seat(X, N) & (N == {'1+' * 450}1))"),
        "S02 455 operators",
    )
    yield "a question of 120 kB", ask("seat(" + "a " * 60_000 + ")"), r"question:1:2000: S02"
    yield "a name of 120 kB", words("can", TABLE, "a" * 120_000, "target", "Rob"), 'called "aaa'
    huge = FEW + "\n".join(f'k{n} = "v"' for n in range(60_000))
    yield "60,000 unknown keys", check(huge), r"game\.toml:2:1: no table key is called \"k0\""
    facts = 'facts = """\n' + "+ nothing('a')\n" * 60_000 + '"""\n'
    yield "60,000 wrong facts", check(facts), r"game\.toml:2:\d+: no fact is called nothing"
    wrong = "p(X) <= (\n\n" * 60_000
    yield "60,000 wrong clauses", clause(wrong), r"hostile\.dl:42:2: S02 brackets nested"
    spaces = ("## 1.1" + " " * 1_900 + "\n") * 400 + "p(X)"
    yield "headings of spaces", clause(spaces), r"hostile\.dl:\d+:1: S10 this says nothing"
    brackets = FEW + 'x = """\n' + ("[" + " " * 20_000 + "\n") * 40 + '"""\n'
    yield "brackets and spaces", check(brackets), r"game\.toml:2:1: no table key is called \"x\""


def _body(number: int) -> str:
    return "p(X) <= (" + " &\n ".join(f"seat(X, N{n})" for n in range(number)) + ")"


def deep_clauses() -> Iterator[tuple[str, Prepare, str]]:
    deep = "S02 brackets nested more than 20 deep"
    at = r"hostile\.dl:2:\d+: "
    yield "brackets", clause(f"p(X) <= {'(' * 900}seat(X, N){')' * 900}"), at + deep
    yield "lists", clause(f"p({'[' * 500}X{']' * 500}) <= (seat(X, N))"), at + deep
    yield "calls", clause(f"p({'f(' * 400}X{')' * 400}) <= (seat(X, N))"), at + deep
    yield "not", clause(f"p(X) <= (seat(X, N) & {'~' * 390}seat(X, N))"), at + "S03 a double neg"
    yield "nots", clause(f"p(X) <= ({'not ' * 490}seat(X, N))"), at + "S0[25]"
    yield "sums", clause(f"p(X) <= (seat(X, N) & (M == {'N+' * 398}1))"), at + "S02"
    yield "lambdas", clause(f"p({'lambda:' * 250}X) <= (seat(X, N))"), at + "S(02|11)"
    yield "choices", clause(f"p({'X if X else ' * 150}X) <= (seat(X, N))"), at + "S11"
    yield "subscripts", clause(f"p(X{'[0]' * 600}) <= (seat(X, N))"), at + "S(02|11)"
    yield "attributes", clause(f"p(X{'.a' * 390}) <= (seat(X, N))"), at + "S11"
    yield "commas", clause(f"p(X) <= ({'(seat(X, N),) , ' * 100}q(X))"), at + "S04 a comma"
    yield "powers", clause(f"p(X) <= (seat(X, N) & (N == {'9**' * 190}9))"), at + "S11"


def deep_questions() -> Iterator[tuple[str, Prepare, str]]:
    at = r"question:1:\d+: "
    yield "brackets", ask("(" * 900 + "seat(X, N)" + ")" * 900), at + "S02 brackets nested"
    yield "negations", ask("~" * 390 + "seat(X, N)"), at + "S03 a double negation"
    yield "not", ask("not " * 490 + "seat(X, N)"), at + "S0[25]"
    yield "sums", ask(f"seat(X, N) & (N == {'1+' * 350}1) & ({'1+' * 350}1 == N)"), at + "S02"
    yield "unclosed", ask("seat(" * 19), at + r"S01 this \( is never closed"
    yield "closed", ask("seat(X, N)" + ")" * 500), at + r"S01 this \) closes nothing"
    yield "sets", ask("seat(" + "{" * 300 + "X"), at + "S02 brackets nested"
    yield "awaits", ask("seat(" + "await " * 300 + "X, N)"), at + "S(02|11|01)"


def deep_toml() -> Iterator[tuple[str, Prepare, str]]:
    deep = "nested too deeply"
    yield "lists", check("seats = " + "[" * 100_000 + "]" * 100_000), rf"game\.toml: .*{deep}"
    yield "tables", check("seats = " + "{a = " * 20_000 + "1" + "}" * 20_000), rf"toml: .*{deep}"
    keys = "seats" + ".a" * 50_000 + " = 1"
    yield "keys", check(keys, "--budget", SOON), r"game\.toml"
    yield "headers", check("[" + "a." * 50_000 + "a]", "--budget", SOON), r"game\.toml"
    many = "".join(f"[{'a.' * n}a]\n" for n in range(0, 900, 9))
    yield "many headers", check(many), "no table key"
    yield "half open", check("seats = " + "[" * 50_000), r"game\.toml: .*nested too deeply"
    yield "scenarios", scenarios("scenario = " + "[" * 50_000 + "]" * 50_000), rf"cases.*{deep}"
    yield "edition", book("", toml="title = " + "[" * 50_000 + "]" * 50_000), f"edition.*{deep}"
    lists = "[objects.X]\ntypes = " + "[" * 90 + "]" * 90
    yield (
        "lists where a word stands",
        check(FEW + lists),
        r"game\.toml:3:\d+: types can't be a list",
    )


def unicode_everywhere() -> Iterator[tuple[str, Prepare, str]]:
    outside, unseen = "S09 .* outside quotes", r"S14 a character that can't be seen \(U\+"
    yield "full-width letters", ask("ｓｅａｔ(X, N)"), rf"question:1:1: {outside}"
    yield "full-width brackets", ask("seat（X, N）"), rf"question:1:5: {outside}"
    yield "a homoglyph", ask("sеat(X, N)"), rf"question:1:2: {outside}"
    yield "curly quotes", ask("seat(“Alex”, N)"), rf"question:1:6: {outside}"
    yield "a combining mark", ask("seat\u0301(X, N)"), rf"question:1:5: {outside}"
    yield "right to left", ask("seat(X, N) & \u202e)N ,X(taes"), rf"question:1:14: {unseen}202E"
    yield "a zero-width space", ask("seat(X,\u200bN)"), rf"question:1:8: {unseen}200B"
    yield "a no-break space", ask("seat(X,\u00a0N)"), rf"question:1:8: {unseen}00A0"
    yield "a lone surrogate", ask(b"seat('\xed\xa0\x80', N)"), rf"question:1:7: {unseen}DC"
    yield "bytes that aren't text", ask(b"\xff\xfe(X)"), rf"question:1:1: {unseen}DCFF"
    yield "an escape", ask("seat('\x1b[31mAlex', N)"), rf"question:1:7: {unseen}001B"
    yield "NUL in a book", clause("p(X) <= (seat(X\0, N))"), rf"hostile\.dl:2:16: {unseen}0000"
    yield "a lone CR", clause("p(X) <= (seat(X, N))\rimport os"), rf"dl:2:21: {unseen}000D"
    yield "a BOM inside", clause("\ufeffp(X) <= (seat(X, N))"), rf"hostile\.dl:2:1: {unseen}FEFF"
    yield "RTL in a note", clause("# yes: \u202ehi\np(X) <= (seat(X, N))"), rf"dl:2:8: {unseen}202E"
    yield "U+2028 in a book", clause("p(X) <= (seat(X, N)\u2028)"), rf"dl:2:20: {unseen}2028"
    yield (
        "a book in Latin-1",
        book("## 1.1  Caf\xe9\n".encode("latin-1")),
        r"dl:1: this file is not",
    )
    yield "a book in UTF-16", book("## 1.1  Hi\n".encode("utf-16")), r"dl:1: this file is not UTF-8"
    yield "a table in UTF-16", check(FEW.encode("utf-16")), r"game\.toml:1: this file is not UTF-8"
    yield "a table cut off", check(FEW.encode() + b'range = "\xe2\x82'), r"game\.toml:2: this file"
    yield "scenarios in Latin-1", scenarios(b"# \xe9"), r"cases\.toml:1: this file is not UTF-8"
    yield "NUL in a table", check('seats = ["A\0"]'), r"game\.toml:1:\d+: this is not TOML"
    yield "NUL escaped", check('seats = ["A\\u0000"]'), r"game\.toml:1:10: .*x00.* can't be a name"
    yield (
        "a mark in a name",
        check('seats = ["A\\u200f"]'),
        r"game\.toml:1:10: .*x200f.* can't be a name",
    )
    yield "an empty name", check('seats = ["A", " "]'), r"game\.toml:1:\d+: \" \" can't be a name"
    yield "a homoglyph name", words("can", TABLE, "Аlex", "target", "Rob"), 'mean "Alex"'
    yield (
        "another form",
        check('seats = ["Jose\u0301"]\nactive = ["Jos\u00e9"]'),
        'no Player called "José"',
    )
    yield "digits of others", check('[seats]\n"²" = "A"'), r"game\.toml:2:1: \"²\" is no number"
    yield (
        "a verb in bytes",
        words("can", TABLE, "Alex", b"\xff", "Rob"),
        "nobody can .*no such verb",
    )


def cycles() -> Iterator[tuple[str, Prepare, str]]:
    at = r"book/hostile\.dl:\d+:\d+: "
    seat = "seat(X, N)"
    yield "itself", clause(f"p(X) <= (p(X) & {seat})"), at + "L07 p calls itself: p -> p"
    yield "two", clause(f"p(X) <= ({seat} & q(X))\nq(X) <= (p(X))"), at + "L06 .*p -> q -> p"
    three = f"p(X) <= ({seat} & q(X))\nq(X) <= (r(X))\nr(X) <= (p(X))"
    yield "three", clause(three), at + "L06 .*p -> q -> r -> p"
    denied = f"p(X) <= ({seat} & ~q(X))\nq(X) <= ({seat} & ~p(X))"
    yield "through a negation", clause(denied), at + "L06 .*p -> q -> p"
    yield "denying itself", clause(f"p(X) <= ({seat} & ~p(X))"), at + "L07 p calls itself"
    counted = f"p(X) <= ({seat} & (N == count(Y, p(Y))))"
    yield "counting itself", clause(counted), at + "L07 p calls itself"
    start = "n(X, N) <= (seat(X, N))\n"
    walk = "# walk: on and on\n"
    yield "an endless walk", clause(f"{start}n(X, M) <= (n(X, N) & (M == N + 1))"), at + "L07"
    up = f"{walk}{start}n(X, M) <= (n(X, N) & (M == N + 1))"
    yield "a declared endless walk", clause(up), at + "L07 nothing stops the walk n: M grows"
    apart = f"{walk}{start}n(X, M) <= (n(X, N) & (M == N + 1) & (X < 9))"
    yield "a bound elsewhere", clause(apart), at + "L"
    bare = f"{walk}{start}n(X, M) <= (n() & seat(X, M))"
    other = "p(X) <= (seat(X, N))\np(X, N) <= (seat(X, N))"
    yield "one name of two lengths", clause(other), at + "L02 p takes 1 terms, not 2"
    yield "a walk without terms", clause(bare), at + "L07 the walk n must keep its first term"
    twice = f"{walk}{start}n(X, M) <= (n(X, N) & n(X, M))"
    yield "a walk of two", clause(twice), at + "L07 the walk n must call itself once"
    late = f"{walk}{start}n(X, M) <= (seat(X, M) & n(X, N))"
    yield "a walk called late", clause(late), at + "L07 the walk n must call itself once"
    other = f"{walk}n(X, Y) <= (next_to(X, Y))\nn(X, Z) <= (n(Y, Z) & next_to(X, Y))"
    yield "a walk that starts anew", clause(other), at + "L07 the walk n must keep its first term"
    long = "\n".join(f"p{n}(X) <= (p{n + 1}(X))" for n in range(800)) + "\np800(X) <= (p0(X))"
    yield "eight hundred", clause(long), at + "L06 these predicates rest on each other"


SOON = "0.3s"
"""As long as what never ends has to be worked on, where another case has the whole time."""
FIVE = " & ".join(f"seat(_P{n}, N{n})" for n in range(5))
DOWN = "# walk: down\nn(X, N) <= (seat(X, N))\nn(X, M) <= (n(X, N) & (M == N - 1) & (M < 99))"


def explosive_clauses() -> Iterator[tuple[str, Prepare, str]]:
    gave = r"gave up.* while asking: .*working out p\("
    at = r"book/hostile\.dl:2: this clause goes through about 780,000,000 combinations"
    five = f"p(N0) <= ({FIVE} & (N4 > 99))"
    sixty = ("ask", "--budget", SOON, "sixty.toml")
    yield "five open literals", clause(five, *sixty, "p(X)"), gave + f"(.|\n)*{at}"
    tree = clause(five, "ask", "--tree", *sixty[1:], "p(X)")
    yield "with a tree", tree, gave + f"(.|\n)*{at}"
    why = clause(five, "why", *sixty[1:], "p(X) & seat('P1', X)")
    yield "asked why", why, gave
    as_json = clause(five, "ask", "--json", *sixty[1:], "p(X)")
    yield "as JSON", as_json, ""
    verb = (
        f"# verb: Player pop\n# yes: {{Player}} pops\np(Player) <= (seat(Player, N0) & {FIVE[16:]}"
    )
    popped = clause(f"{verb} & (N1 + N2 + N3 + N4 > 999))", "can", *sixty[1:], "P1", "pop")
    yield "a verb", popped, r"gave up.* while asking: can P1 pop, working out"
    alarm = f"# alarm: too much\np(N0) <= ({FIVE} & (N4 > 99))"
    checked = clause(alarm, "check", "--budget", SOON, "sixty.toml")
    yield "an alarm", checked, r"gave up.* while reading sixty\.toml, working out p\((.|\n)*dl:3:"
    below = f"q(N0) <= ({FIVE} & (N4 > 99))\np(X) <= (seat(X, N) & ~q(N))"
    yield "below a negation", clause(below, *sixty, "p('P1')"), r"gave up(.|\n)*dl:2: this clause"
    count = f"q(N0, N1) <= ({FIVE})\np(M) <= (M == count(X, q(X, 1)))"
    yield "below a count", clause(count, *sixty, "p(M)"), r"gave up(.|\n)*dl:2: this clause goes"
    rows = f"p(_P0, N0, _P1, N1, _P2, N2, _P3, N3) <= ({FIVE})"
    yield "rows without end", clause(rows, *sixty, "p(A, B, C, D, E, F, G, H)"), "gave up"
    yield "a walk downwards", clause(DOWN, *sixty, "n(X, N)"), "gave up.* working out n|L07"


def explosive_questions() -> Iterator[tuple[str, Prepare, str]]:
    def sixty(*command: str) -> Prepare:
        return file("sixty.toml", SEATS, *command[:1], "--budget", SOON, "sixty.toml", *command[1:])

    what = r"gave up after [\d.]+ seconds? while asking: .*\n  the question goes through about \d"
    more = "gave up|more than 200,000 answers"
    four = " & ".join(f"seat(A{n}, N{n})" for n in range(4))
    yield "four open literals", sixty("ask", f"{four} & (N3 > 99)"), what
    default = file("sixty.toml", SEATS, "ask", "sixty.toml", f"{four} & (N3 > 99)")
    yield "under the default budget", default, what.replace(r"[\d.]+", "2", 1)
    yield "asked why", sixty("why", f"{four} & (N3 > 99)"), what
    sums = f"{four} & (N0 + N1 == N2 + N3 + 999)"
    yield "sums", sixty("ask", sums), what
    equal = f"{four} & (A0 != A1) & (A1 != A2) & (A2 != A3) & (N0 == 99)"
    yield "unequal ones", sixty("ask", equal), what
    denied = f"{four} & ~can_target(A0, A1) & (N2 > 99)"
    yield "negations", sixty("ask", denied), "gave up"
    yield "rows without end", sixty("ask", four), more
    yield (
        "derived pairs",
        sixty("ask", "in_range(A, B) & in_range(C, D) & in_range(E, F)"),
        more,
    )


def explosive_tables() -> Iterator[tuple[str, Prepare, str]]:
    seats = "seats = [" + ", ".join(f'"P{n}"' for n in range(4_000)) + "]\nrange = 3000\n"
    open_question = "in_range(A, B)"
    ring = file("ring.toml", seats, "ask", "--budget", "0.8s", "ring.toml", open_question)
    yield "four thousand seats", ring, r"gave up.* while asking: in_range\(A, B\), working out"
    can = file("ring.toml", seats, "can", "--budget", SOON, "ring.toml", "P1", "target", "P9")
    yield "a verb among them", can, "gave up.* while (reading|asking)"
    things = (
        FEW + "[objects]\n" + "".join(f'"T{n}" = {{ controller = "Rob" }}\n' for n in range(60_000))
    )
    yield "60,000 objects", check(things, "--budget", SOON), r"gave up.* while reading game\.toml"
    raw = 'facts = """\n' + "".join(f"+ seat('P{n}', {n + 1})\n" for n in range(90_000)) + '"""'
    yield "90,000 raw facts", check(raw, "--budget", SOON), r"gave up.* while reading game\.toml"
    gap = '[seats]\n"1" = "A"\n"2000000000" = "B"\n'
    yield "a gap of two milliards", check(gap), r"game\.toml:3:1: Seat 2 is missing"
    tables = "x = [" + "[]," * 2_500_000 + "]\n"
    yield (
        "two million lists",
        check(tables, "--budget", SOON),
        r"gave up.* while reading game\.toml",
    )
    lines = "\n" * 7_900_000 + "seats = 5"
    yield (
        "eight million lines",
        check(lines, "--budget", SOON),
        r"gave up.* while reading game\.toml|toml:",
    )
    unknown = FEW + "active = [" + ", ".join(f'"Q{n}"' for n in range(100_000)) + "]\n"
    yield "100,000 unknown names", check(unknown), r"game\.toml:2:\d+: the table has no Player"


def unreadable() -> Iterator[tuple[str, Prepare, str]]:
    def special(make: Callable[[Path], object], *command: str, name: str = "game.toml") -> Prepare:
        def prepare(here: Path) -> Words:
            make(here / name)
            return command

        return prepare

    def loop(path: Path) -> None:
        path.symlink_to(path)

    def locked(path: Path) -> None:
        path.write_text(FEW, encoding="utf-8")
        path.chmod(0)

    def in_book(make: Callable[[Path], object], name: str = "x.dl") -> Prepare:
        def prepare(here: Path) -> Words:
            command = clause("")(here)
            (here / "book" / name).unlink(missing_ok=True)
            make(here / "book" / name)
            return command

        return prepare

    def nonsense(path: Path) -> None:
        path.write_text("p(X", encoding="utf-8")

    cant, special_file = "this file can't be read", "this is not a regular file"
    yield "a missing table", words("check", "gone.toml"), rf"gone\.toml: {cant} \(No such file"
    yield (
        "a folder",
        special(Path.mkdir, "check", "game.toml"),
        rf"game\.toml: ({cant}|{special_file})",
    )
    yield "a FIFO", special(os.mkfifo, "check", "game.toml"), rf"game\.toml: {special_file}"
    yield "/dev/zero", words("check", "/dev/zero"), f"/dev/zero: {special_file}"
    yield "/dev/tty or so", words("check", "/dev/stdin"), f"/dev/stdin: ({special_file}|{cant})"
    yield "a link to itself", special(loop, "check", "game.toml"), rf"game\.toml: {cant} \(Too man"
    if os.geteuid():
        yield "a locked file", special(locked, "check", "game.toml"), rf"{cant} \(Permission"
    yield "a name too long", words("check", "a" * 5_000 + ".toml"), f"{cant} \\(File name too long"
    yield "no name", words("check", ""), 'no table is called ""'
    yield (
        "a path through a file",
        special(Path.touch, "check", "game.toml/x"),
        f"{cant} \\(Not a dir",
    )
    yield "missing scenarios", words("test", "gone"), f"gone: {cant}"
    yield "scenarios from a FIFO", special(os.mkfifo, "test", "game.toml"), special_file
    yield "scenarios in a loop", special(loop, "test", "game.toml"), "can't be|Too many levels"
    yield "scenarios too long", words("test", "a" * 5_000), "File name too long"
    yield "scenarios without end", words("test", "/dev/zero"), f"/dev/zero: {special_file}"
    yield "a missing book", words("lint", "gone"), "no edition is called 'gone'"
    no_text = b"\xff.dl".decode(errors="surrogateescape")
    yield "a name of bytes", in_book(nonsense, no_text), "S01"
    yield "a file as book", special(Path.touch, "lint", "game.toml"), "no edition is called"
    yield "a device as book", words("lint", "/dev/zero"), "no edition is called '/dev/zero'"
    yield "a FIFO in a book", in_book(os.mkfifo), rf"book/x\.dl: {special_file}"
    yield "a loop in a book", in_book(loop), rf"book/x\.dl: {cant}"
    fifo = special(os.mkfifo, "fmt", "x.dl", name="x.dl")
    yield "a FIFO to lay out", fifo, rf"x\.dl: {special_file}"
    yield "a FIFO as edition", in_book(os.mkfifo, "edition.toml"), "no edition is called 'book'"


def no_output() -> Iterator[Case]:
    group = "output that can't be written"
    full = r"the answer can't be written \(No space left on device\)"
    for command in (
        ("can", TABLE, "Alex", "target", "Rob"),
        ("ask", TABLE, "seat(X, N)"),
        ("why", "--json", TABLE, "Alex", "target", "Rob"),
        ("check", TABLE),
        ("lint",),
        ("show", "801.4"),
        ("--help",),
    ):
        yield Case(group, f"a full disk, {command[0]}", words(*command), full, out="/dev/full")
    gone = "no edition is called 'gone'"
    as_json = words("lint", "gone", "--json")
    yield Case(group, "a full disk, an error as JSON", as_json, gone, out="/dev/full")
    bad = words("lint", "--json", "--budget", "x")
    yield Case(group, "a full disk, a bad option as JSON", bad, "'x' is no budget", out="/dev/full")
    closed = "nowhere to write the answer"
    yield Case(group, "closed", words("can", TABLE, "Alex", "target", "Rob"), closed, out="closed")
    yield Case(group, "closed for help", words("--help"), closed, out="closed")


def interrupted() -> Iterator[Case]:
    group = "interrupted"
    four = " & ".join(f"seat(A{n}, N{n})" for n in range(4)) + " & (N3 > 99)"
    five = f"p(N0) <= ({FIVE} & (N4 > 99))"
    loud = f"# alarm: too much\n{five}"
    says = r"^\n?interrupted: nothing was changed\n$"
    long = ("--budget", "9s")
    for name, number in (("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM)):
        for verb in ("ask", "why"):
            prepare = file("sixty.toml", SEATS, verb, *long, "sixty.toml", four)
            yield Case(group, f"{name}, {verb}", prepare, says, sends=number)
        prepare = clause(five, "ask", *long, "sixty.toml", "p(X)")
        yield Case(group, f"{name} in the engine", prepare, says, sends=number)
        prepare = clause(loud, "check", *long, "sixty.toml")
        yield Case(group, f"{name}, check", prepare, says, sends=number)
    prepare = file("sixty.toml", SEATS, "ask", *long, "sixty.toml", four)
    yield Case(group, "a closed terminal", prepare, says, sends=signal.SIGHUP)


def malformed_toml() -> Iterator[tuple[str, Prepare, str]]:
    at, is_not = r"game\.toml:{}:\d+: ", "this is not TOML: "
    for name, text, line in (
        ("a comma forgotten", 'seats = ["Alex" "Rob"]', 1),
        ("a quote forgotten", 'seats = ["Alex, "Rob"]', 1),
        ("no quotes", "seats = [Alex, Rob]", 1),
        ("a round bracket", 'seats = ("Alex", "Rob")', 1),
        ("a bracket forgotten", 'seats = ["Alex", "Rob"\nrange = 1', 2),
        ("a header unclosed", FEW + "[objects\n", 2),
        ("a key twice", FEW + FEW, 2),
        ("a header twice", "[objects]\n[objects]\n", 2),
        ("a table over a list", FEW + "[seats]\n", 2),
        ("no value", FEW + "range =\n", 2),
        ("no key", FEW + "= 1\n", 2),
        ("a colon", FEW + "range: 1\n", 2),
        ("a wrong escape", 'seats = ["A\\x"]', 1),
        ("a text unclosed", FEW + 'facts = """\n+ seat(', 3),
        ("JSON", '{"seats": ["Alex", "Rob"]}', 1),
        ("a program", f"import os\n{RUN}", 1),
        ("binary", "seats = \x01\x02\x7f", 1),
    ):
        yield name, check(text), at.format(line) + is_not


def wrong_types() -> Iterator[tuple[str, Prepare, str]]:
    for text, says in (
        ("seats = 5", r"1:1: seats can't be a number"),
        ("seats = [1, 2]", r"1:10: 1 is a number, and Player is a name"),
        ('seats = [["Alex"], "Rob"]', r"1:\d+: seats can't be a list"),
        ('seats = [{ name = "Alex" }]', r"1:\d+: seats can't be a group of keys"),
        (FEW + 'range = "far"', r"2:1: \"far\" is no number, but Reach has to be one"),
        (FEW + "range = 1.5", r"2:1: range can't be a fraction"),
        (FEW + "range = true", r"2:1: range can't be true or false"),
        (FEW + "range = [1]", r"2:1: range can't be a list"),
        (FEW + "range = nan", r"2:1: range can't be a fraction"),
        (FEW + "turn = 1979-05-27", r"2:1: turn can't be a date or time"),
        (FEW + "objects = []", r"2:1: objects can't be a list"),
        (FEW + "objects.X = 3", r"2:\d+: X can't be a number"),
        (FEW + "[objects.X]\ntypes = [3]", r"3:\d+: 3 is a number, and Type is a name"),
        (FEW + '[objects.X]\ntapped = "yes"', r"3:1: tapped can't be text"),
        (FEW + '[objects.X]\nzone = ["stack"]', r"3:1: zone can't be a list"),
        (FEW + 'teams = ["Red"]', r"2:1: teams can't be a list"),
        (FEW + "left = 5", r"2:1: left can't be a number"),
        (FEW + "facts = 5", r"2:1: facts is a text in clause syntax"),
        (FEW + "facts = ['+ turn(2)']", r"2:1: facts is a text in clause syntax"),
        (FEW + "variant = 3", r"2:1: 3 is a number, and Format is a name"),
        (FEW + "variant = ['emperor']", r"2:1: variant can't be a list"),
        (FEW + "variant = {}", r"2:1: variant can't be a group of keys"),
    ):
        yield text, check(text), r"game\.toml:" + says
    yield "edition = 5", check(FEW + "edition = 5"), "edition is a name"
    yield "edition = []", check(FEW + "edition = []"), "edition is a name"


def numbers() -> Iterator[tuple[str, Prepare, str]]:
    at = r"game\.toml:2:\d+: "
    large = "too large a number"
    yield "a range below 0", check(FEW + "range = -1"), at + "Reach can't be -1"
    yield "turn 0", check(FEW + "turn = 0"), at + "Turn can't be 0"
    yield "a large turn", check(FEW + "turn = 99999999999"), at + f"turn is {large}"
    yield "8 kB of digits", check(FEW + f"turn = {'9' * 8_000}"), r"game\.toml.*number too large"
    yield "8 kB in hex", check(FEW + f"turn = 0x{'f' * 8_000}"), at + f"turn is {large}"
    yield "1 MB in binary", check(FEW + f"turn = 0b{'1' * 1_000_000}"), at + f"turn is {large}"
    yield "a float without end", check(FEW + "range = 1e999"), at + "range can't be a fraction"
    yield "seat 0", check('[seats]\n"0" = "A"'), at + "Seat can't be 0"
    yield "seat -1", check('[seats]\n"-1" = "A"'), at + "Seat can't be -1"
    yield "a large seat", check('[seats]\n"99999999999" = "A"'), at + '"99999999999" is no number'
    yield "two signs", check('[seats]\n"--1" = "A"'), at + '"--1" is no number'
    yield "hex facts", check(f"facts = '''\n+ turn(0x{'f' * 1_800})'''"), at + "S11 this number is"
    yield "a fact below 1", check(f"facts = '''\n+ turn(-{2**31})'''"), at + "(S11|Turn can't be)"
    yield "a question", ask("turn(99999999999999999999)"), r"question:1:6: S11 this number is too"
    yield "a fraction", ask("turn(1.5)"), r"question:1:6: S11 this can't stand as a term"
    yield "an imaginary one", ask("turn(1j)"), r"question:1:6: S11 this can't stand as a term"
    yield "5000 digits", ask(f"turn({'9' * 1_900})"), r"question:1:6: S11 this number is too large"
    yield "a sum", ask("turn(N) & (M == N + 99999999999)"), r"question:1:\d+: S11 this number is"
    yield "a clause", clause("p(X) <= (seat(X, 0x7fffffffffff))"), r"dl:2:\d+: S11 this number"
    yield "a flag", words("check", "--seats", "A,B", "--range", "-5"), "Reach can't be -5"
    yield "a large flag", words("check", "--seats", "A,B", "--turn", "9" * 30), "is no number"
    yield "a flag with e", words("check", "--seats", "A,B", "--turn", "1e9"), "is no number"


def contradictions() -> Iterator[tuple[str, Prepare, str]]:
    thing = "[objects.X]\n"
    for name, text, says in (
        ("a player twice", 'seats = ["A", "B", "A"]', r"1:\d+: A sits in seat 1 and A sits in"),
        ("a seat twice", "facts = '''\n+ seat('A', 1)\n+ seat('B', 1)'''", "3:1: A sits .*both"),
        ("a seat left out", '[seats]\n"1" = "A"\n"3" = "B"', "3:1: Seat 2 is missing"),
        ("leaving later", FEW + "left = { Rob = 5 }\nturn = 2", "Rob would leave in turn 5"),
        ("an unknown leaver", FEW + "left = { Bob = 1 }", '2:.*no Player called "Bob"'),
        ("nobody's", FEW + thing + 'types = ["creature"]', "nobody controls or owns X"),
        ("an unknown owner", FEW + thing + 'owner = "Bob"', '3:.*no Player called "Bob"'),
        (
            "controlled in a library",
            FEW + thing + 'controller = "Rob"\nzone = "library"',
            "say who",
        ),
        ("two controllers", FEW + thing + 'controller="Rob"\n[controls]\nAlex=["X"]', "both can't"),
        ("two things at once", FEW + '[objects.Rob]\nowner = "Alex"', "2:.*would be two things"),
        ("no battle", FEW + thing + 'owner="Rob"\nprotector = "Alex"', "protects X, which isn't a"),
        ("not on the stack", FEW + thing + 'owner="Rob"\ntargets=["Alex"]', "isn't on the stack"),
        ("two ranges", FEW + "range = { Rob = 1 }\nranges = { Rob = 2 }", "both can't be"),
        ("two turns", FEW + "turn = 1\nfacts = '+ turn(2)'", "both can't be"),
        ("an unknown zone", FEW + thing + 'owner="Rob"\nzone = "stakc"', "Zone can't be"),
        ("an unknown type", FEW + thing + 'owner="Rob"\ntypes = ["beast"]', "Type can't be"),
        ("an unknown format", FEW + 'variant = "chess"', '2:1: Format can\'t be "chess"'),
    ):
        yield name, check(text), rf"game\.toml:?.*{says}"
    flags = words("check", "--seats", "A,B", "--active", "C")
    yield "a flag against another", flags, 'no Player called "C"'
    yield "a flag against a file", words("check", TABLE, "--seats", "Alex,Rob"), "no Player called"


def scenario_files() -> Iterator[tuple[str, Prepare, str]]:
    head = '[[scenario]]\nname = "x"\n'
    good = 'can = ["Alex", "target", "Rob"]\nanswer = "yes"\ncites = []\n'
    for name, text, says in (
        ("nothing", "", r"there is no \[\[scenario\]\] here"),
        ("a number", "scenario = 5", r"there is no \[\[scenario\]\] here"),
        ("a list of numbers", "scenario = [1, 2]", "a scenario without a name"),
        ("no name", '[[scenario]]\nask = "x"', "a scenario without a name"),
        ("a name of numbers", "[[scenario]]\nname = 5", "a scenario without a name"),
        ("no question", head + 'answer = "yes"\ncites = []', "x: one question, please"),
        ("two questions", head + good + 'ask = "seat(X, N)"', "x: one question, please"),
        ("one word", head + good.replace('"Alex", "target", ', ""), "x: one question, please"),
        ("edition = 5", "edition = 5\n" + head + good, "x: edition is a name"),
        ("edition = []", "edition = []\n" + head + good, "x: edition is a name"),
        (
            "a vast answer",
            head + good.replace('"yes"', f"[0x{'f' * 9_000}]"),
            "x: answer is missing",
        ),
        ("words of numbers", head + good.replace('"Rob"', "5"), "x: one question, please"),
        ("no answer", head + 'ask = "seat(X, N)"\ncites = []', "x: answer is missing"),
        ("another answer", head + good.replace('"yes"', '"maybe"'), "x: answer is missing"),
        ("cites of numbers", head + good.replace("[]\n", "[5]\n"), "x: cites is a list of texts"),
        ("an unknown key", head + good + "cite = []", 'called .cite.(.|\n)*did you mean "cites"'),
        ("a table of numbers", head + good + "table = 5", "x: table is a group of keys"),
        ("tables of numbers", "table = 5\n" + head + good, "x: table is a group of keys"),
        ("not TOML", "[[scenario]", "this is not TOML"),
        ("a program", RUN, "this is not TOML"),
    ):
        yield name, scenarios(text), rf"cases\.toml: .*{says}"


def edition_files() -> Iterator[tuple[str, Prepare, str]]:
    for name, toml, says in (
        ("its own base", 'base = "book"', "editions that are each other's base"),
        ("a base far away", 'base = "../../../../../etc"', "no edition is called '../../"),
        ("a base that isn't there", 'base = "gone"', "no edition is called 'gone'"),
        ("a base of numbers", "base = 5", "base is a text"),
        ("an empty base", 'base = ""', "no edition is called ''"),
        ("an unknown key", 'bass = "cr"', 'knows no key .bass.(.|\n)*did you mean "base"'),
        ("dropping what isn't there", "drop = ['9.9']", "book drops 9.9, which its base doesn't"),
        ("dropping a number", "drop = 801.4", "drop is a text"),
        ("dropping tables", "drop = [{ a = 1 }]", "drop is a text"),
        ("not TOML", "title = ", "edition.toml is not TOML"),
        ("a vast title", f"title = 0x{'f' * 9_000}", "title is a text"),
        ("a number too long", f"title = {'9' * 5_000}", "edition.toml is not TOML"),
        ("a program for TOML", RUN, "edition.toml is not TOML"),
        ("binary", b"\x00\x01\xff", "this file is not UTF-8 text|is not TOML"),
    ):
        yield name, book("", toml=toml), says
    many: dict[str, str | bytes] = {f"x{n}.dl": "" for n in range(502)}
    yield "502 files", book_files(many), "more than 500 clause files"
    yield "a binary file", book(b"\x89PNG\r\n\x1a\n\x00\x00"), r"book/hostile\.dl:1: .*not UTF-8"
    yield "a program", book("#!/bin/sh\nrm -rf /\n"), r"book/hostile\.dl:2:\d+: S01"
    yield (
        "a clause above all",
        book("p(X) <= (seat(X, N))\n"),
        r"dl:1:1: S13 a clause that stands un",
    )
    yield (
        "another's section",
        book_files({"801.4_x.dl": "## 900.1  X\n"}),
        "section 900.1 stands in",
    )
    yield "a fact", clause("+ seat('Eve', 1)"), r"hostile\.dl:2:1: L11 seat is a declared fact"
    yield "a denied fact", clause("+ ~p('Eve')"), r"hostile\.dl:2:3: S03 a fact can't be negated"
    named = clause("# yes: {Who} is\n+ p('Eve')")
    yield "a fact without names", named, r"hostile\.dl:2:8: L10 (.|\n)*say it without holes"
    yield "a declared head", clause("seat(X, 1) <= (seat(X, N))"), r"dl:2:1: L11 seat is a declared"


def options() -> Iterator[tuple[str, Prepare, str]]:
    for given in (
        "0",
        "-1s",
        "nans",
        "infs",
        "1ms",
        "",
        ",",
        "5",
        "1e9s",
        "0.5MB",
        "0s",
        "none,1s",
    ):
        yield f"--budget {given!r}", words("lint", "--budget", given), "is no budget"
    yield "no table", words("can"), "which table(.|\n)*usage: seatlog can"
    yield (
        "no verb",
        words("can", TABLE, "Alex"),
        "which table|a verb is missing|who does what(.|\n)*usage: seatlog can",
    )
    yield "no question", words("ask", TABLE), "one question(.|\n)*usage: seatlog ask"
    yield "two questions", words("ask", TABLE, "seat(X, N)", "turn(X)"), "one question, in quotes"
    yield "an unknown option", words("check", "--seets", "A"), "(?i)no such option.*--seats"
    yield "an option without value", words("check", "--seats"), "requires an argument"
    yield "no colon", words("check", "--seats", "A", "--controls", "A"), "a colon is missing"
    yield "an empty edition", words("lint", "--edition", ""), "no edition is called|clauses"
    yield "no number", words("show", "--edition"), "requires an argument"
    yield "an unknown command", words("chekc"), "no command is called 'chekc'. did you mean check"
    yield "quotes", words("check", "--seats", '"' * 9_999), "can't be a name|no Player|which table"
    things = FEW + "[objects]\n" + "".join(f'"T{n}" = {{ owner = "Rob" }}\n' for n in range(5_000))
    little = file("game.toml", things, "check", "--budget", "1MB", "game.toml")
    yield "little memory", little, "more than 1 MB would be needed"


def sentences() -> Iterator[tuple[str, Prepare, str]]:
    below = "\np(Player) <= (seat(Player, N))"
    for note, says in (
        ("# yes: {0.__class__}", "L10 a brace without its partner"),
        ("# no: {Player!r}", "L10 a brace without its partner"),
        ("# yes: {Player:>999999999}", "L10 a brace without its partner"),
        ("# no: {Player.__class__.__mro__}", "L10 a brace without its partner"),
        ("# no: {", "L10 a brace without its partner"),
        ("# yes: }{", "L10 a brace without its partner"),
        ("# yes: {}", "L10 the sentence speaks of {}"),
        ("# yes: {Nobody}", "L10 the sentence speaks of {Nobody}"),
        ("# no: {__import__}", "L10 the sentence speaks of {__import__}"),
        (f"# no: {{{RUN}}}", "L10 a brace without its partner"),
        ("# yes: \x1b]0;owned\x07", "S14 a character that can't be seen"),
        ("# verb: Player %s", "S12 a verb joins the terms"),
        (f"# verb: {RUN}", "S12 a verb joins the terms"),
        (f"# tells: {RUN}", "S03 this is not a literal"),
        ("# tells: seat({Player}, N)", "S11 this can't stand as a term"),
        ("# eval: 1", "S12 no note is called 'eval'"),
        ("# sort: Eve is a name", "S12 .*belongs to the vocabulary"),
    ):
        yield note, clause(note + below), r"book/hostile\.dl:\d+:\d+: " + says
    yield "a note alone", clause("# yes: {Player}"), "S12 `# yes:` with no clause below it"


def beginners() -> Iterator[tuple[str, Prepare, str]]:
    at = r"question:1:\d+: "
    yield (
        "no quotes in a book",
        clause("p(X) <= (seat(alex, X))"),
        "S08 alex is neither .*\n.*\n.*\n.*'alex'",
    )
    yield "quotes forgotten", ask("seat(zoe, N)"), at + "S08 zoe is neither a variable nor a quoted"
    yield "a bracket forgotten", ask("seat(X, N"), at + r"S01 this \( is never closed"
    yield "a square bracket", ask("seat[X, N]"), at + "S03 this is not a literal"
    yield "and", ask("seat(X, N) and turn(N)"), at + "S05 `and` doesn't join"
    yield "not", ask("not seat('Alex', 1)"), at + "S05 `not` doesn't negate"
    yield "a comma between", ask("seat(X, N), turn(N)"), at + "S04 a comma between literals"
    yield "one equals sign", ask("seat(X, N) & (N = 1)"), at + "S01 a single `="
    yield "a comma forgotten", ask("seat(X N)"), at + "S01 something is missing here"
    yield "no brackets", ask("seat(X, N) & N > 1"), at + "S06|S03"
    yield "a predicate misspelt", ask("can_traget(Alex, X)"), 'did you mean "can_target"'
    yield "terms forgotten", ask("seat(Alex)"), at + "L02 seat takes 2 terms, not 1"
    yield "a question mark", ask("seat(Alex, N)?"), at + "S01 this can't be read"
    yield "a full stop", ask("seat(Alex, N)."), at + "S01 this can't be read"
    yield "nothing in brackets", ask("seat(X, N) & ()"), at + "S03 this is not a literal"
    yield "a clause", ask("p(X) <= (seat(X, N))"), at + "S03 this is a clause, not a question"
    yield "a name misspelt", words("can", TABLE, "Alec", "target", "Rob"), 'did you mean "Alex"'
    yield "a verb misspelt", words("can", TABLE, "Alex", "taget", "Rob"), 'did you mean "target"'
    yield "words swapped", words("can", TABLE, "target", "Alex", "Rob"), "nobody and nothing"
    yield "the table forgotten", words("can", "Alex", "target", "Rob"), 'no table is called "Alex"'
    misspelt = words("can", "four_in_a_rign", "Alex", "target", "Rob")
    yield "a table misspelt", misspelt, 'did you mean "four_in_a_ring"'
    yield "a key misspelt", check('seat = ["Alex", "Rob"]'), r"1:1: .*(.|\n)*did you mean \"seats\""


def other_commands() -> Iterator[tuple[str, Prepare, str]]:
    silent = clause("p(X) <= (seat(X, N))", "draw", "sixty.toml")
    yield "nobody to draw", words("draw", "--range", "1"), "nobody sits at this table"
    yield "a verb to draw", words("draw", TABLE, "--verb", RUN), 'nobody can "__import__.*no such'
    yield "no verb to draw", silent, "no such verb"
    crowd = file("game.toml", 'seats = ["A", "A"]', "draw", "game.toml")
    yield "a wrong table to draw", crowd, r"game\.toml:1:\d+: A sits"
    yield "a new table of nothing", words("new"), "by at least one of --"
    yield "a new wrong table", words("new", "--seats", "A,A"), "A sits in seat 1 and A sits in"
    yield "a new table for no book", words("new", "--seats", "A", "--edition", RUN), "no edition"
    yield "a deal of no format", words("new", RUN, "--players", "A"), "no format is called"
    deal = ("new", "team", "--players")
    yield "a deal for nobody", words(*deal, ","), "who plays"
    yield "a deal for somebody unseen", words(*deal, "A\x1b,B"), "can't be a name"
    yield "a deal of no teams", words(*deal, "A", "--teams", "-1"), "-1 groups can't be made"
    yield "a deal of endless teams", words(*deal, "A", "--teams", "9" * 5000), "a colon is missing"
    yield "a deal by no number", words(*deal, "A", "--seed", "9" * 5000), "valid integer"
    yield "a wording without end", words("text", "check", "/dev/zero"), "not a regular file"
    yield "a wording that is gone", words("text", "check", "gone"), "gone: this file can't be read"
    yield "an unknown format", words("lint", "--format", RUN), "is not one of"
    yield "code to lay out", clause(f"p(X) <= ({RUN})", "fmt"), r"book/hostile\.dl:2:\d+: S03"
    note = "# yes: on\n" + f"#     {'and on ' * 100}\n" * 900
    yield "a note without end", clause(note, "fmt"), r"hostile\.dl:2:1: S02 a note of more than 8,0"
    yield "a device to lay out", words("fmt", "/dev/zero"), "no edition is called '/dev/zero'"
    yield "what was installed", words("fmt"), "books that were installed stay as they are"
    yield "an unknown shell", words("completion", RUN), "is not one of"


CLASSES: dict[str, Callable[[], Iterator[tuple[str, Prepare, str]]]] = {
    "code in clauses": code_in_clauses,
    "code in questions": code_in_questions,
    "code in tables": code_in_tables,
    "code in names": code_in_names,
    "too large": too_large,
    "deep clauses": deep_clauses,
    "deep questions": deep_questions,
    "deep TOML": deep_toml,
    "Unicode": unicode_everywhere,
    "cycles": cycles,
    "explosive clauses": explosive_clauses,
    "explosive questions": explosive_questions,
    "explosive tables": explosive_tables,
    "missing or unreadable": unreadable,
    "malformed TOML": malformed_toml,
    "wrong types": wrong_types,
    "numbers": numbers,
    "contradictions": contradictions,
    "scenario files": scenario_files,
    "editions": edition_files,
    "options": options,
    "sentences": sentences,
    "beginners' slips": beginners,
    "other commands": other_commands,
}


def cases() -> list[Case]:
    """Every input that has to be refused."""
    listed = [
        Case(group, name, prepare, says)
        for group, make in CLASSES.items()
        for name, prepare, says in make()
    ]
    return [*listed, *no_output(), *interrupted()]


def cold(chosen: Sequence[Case]) -> list[Case]:
    """The same, but for the first one of each group Python is started."""
    first = {case.group: str(case) for case in reversed(chosen)}
    return [case._replace(cold=first[case.group] == str(case)) for case in chosen]


SOLVING = ("ask", "can", "check", "turn", "why")


def by_compiled(chosen: Iterable[Case]) -> list[Case]:
    """The same inputs, answered by compiled clauses."""

    def asking(case: Case) -> Callable[[Path], Words]:
        def prepare(here: Path) -> Words:
            said = case.prepare(here)
            return [*said, *(("--solver", "compiled") if said[:1] and said[0] in SOLVING else ())]

        return prepare

    return [
        case._replace(
            group="compiled clauses", name=f"{case.group}, {case.name}", prepare=asking(case)
        )
        for case in chosen
    ]


def compiled() -> list[Case]:
    """What goes through very many combinations, answered by compiled clauses.

    Those only ask whether there is a row where no more is wanted of it, so some end at once.
    """
    ended = {"five open literals", "with a tree", "asked why", "as JSON", "an alarm"}
    ended |= {"below a negation", "below a count"}
    longer = "under the default budget"
    return by_compiled(
        case
        for case in cases()
        if (case.group == "explosive questions" and case.name != longer)
        or (case.group == "explosive clauses" and case.name not in ended)
    )


def harmless() -> list[Case]:
    """What looks hostile and is answered all the same: caches of all sorts, and code as a name."""
    kept_books = "hostile cache"
    made: dict[str, tuple[Callable[[Path], object], str]] = {
        "a file": (lambda here: (here / "kept").write_text("x"), "kept"),
        "below a file": (lambda here: (here / "kept").write_text("x"), "kept/deeper"),
        "a device": (lambda here: None, "/dev/full"),
        "a loop": (lambda here: (here / "kept").symlink_to(here / "kept"), "kept"),
        "nowhere": (lambda here: None, "a" * 4_000),
        "read only": (lambda here: (here / "kept").mkdir(mode=0o500), "kept"),
        "none": (lambda here: None, ""),
    }
    out = [
        Case(kept_books, name, _asking(make), "^yes\n", 0, {"SEATLOG_CACHE": where})
        for name, (make, where) in made.items()
    ]
    kept: dict[str, Callable[[Path], object]] = {
        "empty": lambda file: file.write_bytes(b""),
        "cut off": lambda file: file.write_bytes(file.read_bytes()[:-5_000]),
        "one letter changed": lambda file: file.write_bytes(
            file.read_bytes().replace(b"Alex", b"Olex").replace(b"801.2", b"801.9")
        ),
        "binary": lambda file: file.write_bytes(bytes(range(256)) * 400),
        "a list": lambda file: _sign(file, []),
        "a number": lambda file: _sign(file, 5),
        "an empty book": lambda file: _sign(file, {"about": 5}),
        "another book": lambda file: _sign(file, {"about": [1, 2, 3], "clauses": [5]}),
        "nested": lambda file: _sign(file, "[" * 90_000, quoted=False),
        "full of lists": lambda file: _sign(file, "[" + "[]," * 2_000_000 + "[]]", quoted=False),
        "anybody's": lambda file: file.chmod(0o666),
        "under a link": _linked,
        "a FIFO": _instead(os.mkfifo),
        "a folder": _instead(Path.mkdir),
        "a link": _instead(lambda file: file.symlink_to("/dev/zero")),
    }
    out += [
        Case(kept_books, name, _asking(_spoilt(spoil)), "^yes\n", 0, {"SEATLOG_CACHE": "kept"})
        for name, spoil in kept.items()
    ]
    surroundings = {
        "completion": {"_SEATLOG_COMPLETE": "anything"},
        "a relative cache": {"XDG_CACHE_HOME": "kept"},
        "a locale of nothing": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    }
    asked = ("can", TABLE, "Alex", "target", "Rob")
    out += [
        Case("surroundings", name, words(*asked), "^yes\n", 0, env)
        for name, env in surroundings.items()
    ]
    names = f'seats = ["{RUN}", "{{0.__class__}}", "%s"]\n'
    code = file("game.toml", names, "can", "game.toml", RUN, "target", "{0.__class__}")
    return [*out, Case("code as a name", "seats", code, r"^yes\n.*__import__.*\{0\.__class", 0)]


def _asking(make: Callable[[Path], object]) -> Prepare:
    def prepare(here: Path) -> Words:
        make(here)
        return ["can", TABLE, "Alex", "target", "Rob"]

    return prepare


def _spoilt(spoil: Callable[[Path], object]) -> Callable[[Path], object]:
    """Fill a cache with the prepared book, then spoil it."""

    def make(here: Path) -> None:
        kept = here / "kept"
        kept.mkdir(mode=0o700)
        for name, prepared in _prepared().items():
            (kept / name).write_bytes(prepared)
            (kept / name).chmod(0o600)
            spoil(kept / name)

    return make


@cache
def _prepared() -> dict[str, bytes]:
    """What the cache holds once the book has been asked."""
    with tempfile.TemporaryDirectory() as kept:
        command = [*SEATLOG, "check", TABLE]
        environment = {**os.environ, "SEATLOG_CACHE": kept}
        subprocess.run(command, env=environment, check=True, capture_output=True)
        found = {path.name: path.read_bytes() for path in Path(kept).glob("*.json")}
    assert found
    return found


def _instead(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        path.unlink()
        make(path)

    return spoil


def _linked(path: Path) -> None:
    """The entry itself, kept elsewhere."""
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def _sign(file: Path, data: object, quoted: bool = True) -> None:
    """Write data with the checksum that a prepared book would have there."""
    text = json.dumps(data) if quoted else str(data)
    file.write_text(f"{fingerprint(text.encode(), file.stem)}\n{text}")
