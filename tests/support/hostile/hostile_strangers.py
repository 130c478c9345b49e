"""What strangers hand over, by class: steps, deals, editions, vocabularies, formats, completion."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hostile_cases import RUN, SEATS, SOON, Prepare, book, file, words
from hostile_run import Case, Words

TWO = 'seats = ["Alex", "Rob"]\nactive = ["Alex"]\nturn = 5\n'
LEAVES = ("--leaves", "Rob")
VOCABULARY = """# role: can_ is a verdict
# role: cannot_ is a prohibition
# sort: Player is a name
# sort: Seat is a number from 1 without gaps
# sort: Format is a file in variants
# sort: Word is one of a, b
# fact: format(Format)
# table: variant = Format
# key:

# fact: seat(Player, Seat)
# table: seats.Seat = Player
# key: Player
# key: Seat
# names: Player
"""
TARGETS = ("next.toml", "next", "x.dl", "/dev/full/x.toml")
"""What a refused command may try to write."""

CLAUSE = "## 1.1  Hostile\n# yes: {X}\np(X) <= (seat(X, N))\n"

Inputs = Iterator[tuple[str, Prepare, str]]


def turn(*command: str | bytes, text: str = TWO) -> Prepare:
    """A step from a table of two."""

    def prepare(here: Path) -> Words:
        (here / "game.toml").write_text(text, encoding="utf-8")
        return ["turn", "game.toml", *command]

    return prepare


def onto(make: Callable[[Path], object], *more: str) -> Prepare:
    """A step onto something that is there already."""

    def prepare(here: Path) -> Words:
        make(here / "next.toml")
        return turn(*LEAVES, "--to", "next.toml", *more)(here)

    return prepare


def steps() -> Inputs:
    no_name = "can't be the name of a file"
    named: tuple[tuple[str | bytes, str], ...] = (
        ("", no_name),
        (" ", no_name),
        ("..", no_name),
        ("/", no_name),
        ("x/", "x/ is a folder"),
        ("a\x1b.toml", no_name),
        ("a\n.toml", no_name),
        ("\u202e.toml", no_name),
        (b"\xff.toml", no_name),
    )
    for target, says in named:
        yield f"onto {target!r}", turn(*LEAVES, "--to", target), says
    yield "onto a folder", onto(Path.mkdir, "--over"), "it is a folder"
    yield "onto a FIFO", onto(os.mkfifo, "--over"), "it is no file"
    for name, make in (("a file", Path.touch), ("a FIFO", os.mkfifo), ("a folder", Path.mkdir)):
        yield f"onto {name} without --over", onto(make), "is there already(.|\n)*--over"
    yield "a turn too far", turn("--done", "Alex", text=TWO.replace("5", "2147483647")), "next stat"
    yield "by nobody", turn("--done", "Zoe"), 'no Player called "Zoe"'
    two = TWO.replace('active = ["Alex"]', 'active = ["Alex", "Rob"]')
    yield "two turns at once", turn("--done", "Alex", text=two), r"game\.toml:2:\d+: several turns"
    escape = 'edition = "a\\u001b"\n' + TWO
    yield "a table of no edition", turn(*LEAVES, text=escape), r"no edition is called 'a\\\\x1b'"


def step(note: str, body: str = "p(P) <= (seat(P, 5))", toml: str = 'title = "x"\n') -> Prepare:
    """A stranger's book that makes the next state, for a table of sixty."""
    text = f"## 1.1  Hostile\n{note}\n{body}\n"
    return book(text, "turn", "--budget", SOON, "sixty.toml", toml=toml)


def step_books() -> Inputs:
    pairs = "p(P, N) <= (seat(P, _S) & seat(_Q, N))"
    triples = "p(P, Q, R) <= (seat(P, _S) & seat(Q, _N) & seat(R, _M))"
    state = r"book/hostile\.dl:3:1: the next state contradicts itself: "
    yield "everybody everywhere", step("# becomes: seat(P, N)", pairs), state + "P0 sits in seat 1"
    yield "3,600 departures", step("# becomes: left_in(P, N)", pairs), state + "P0 left the game"
    yield "a gap", step("# goes: P"), r"sixty\.toml:1:\d+: the next state .*Seat 5 is missing"
    yield "a name from nowhere", step("# becomes: active('Zoe')"), state + "the table has no Player"
    yield "a name for a number", step("# becomes: turn(P)"), state + '"P4" is no number'
    less = "p(M) <= (seat(_P, _S) & turn(N) & (M == N - 100))"
    yield "a turn below 1", step("# becomes: turn(M)", less), state + "Turn can't be -99"
    yield "a format", step("# becomes: format('../x')"), state + "Format can't be"
    for name, note in (("goes", "# goes: P"), ("becomes", "# becomes: active(P)")):
        yield f"216,000 answers, {name}", step(f"# yes: {{P}}\n{note}", triples), "gave up"
    five = " & ".join(f"seat(_A{n}, N{n})" for n in range(4))
    rows = f"p(P) <= (seat(P, N4) & {five} & (N0 + N1 == N2 + N3) & (N4 > 99))"
    yield "one that never settles", step("# becomes: active(P)", rows), "gave up"
    for note, says in (
        ("# becomes: leaves(P)", "L16 p says that leaves.P. becomes, which is over"),
        ("# ends: leaves(P)", "L16 p says that leaves.P. ends, which is over"),
        ("# becomes: p(P)", "L16 .* which no declared fact is"),
        ("# becomes: seat(P)", "L16 .* which no declared fact is"),
        ("# becomes: ~active(P)", "L16 .* which no declared fact is"),
        ("# becomes: active(Q)", "L16 p doesn't say what Q is"),
        ("# goes: 'Alex'", "L16 p doesn't say what 'Alex' is"),
        (f"# becomes: {RUN}", "S03 this is not a literal"),
        (f"# goes: {RUN}", "L16 p doesn't say what __import__"),
    ):
        yield note, step(note), r"book/hostile\.dl:2:\d+: " + says
    for said in ('["gone"]', '"gone"', '["seat"]', '["\\u001b"]', '[""]'):
        listed = f'title = "x"\nstanding = {said}\n'
        what = r"book/edition\.toml: standing speaks of .*, which is no predicate"
        yield f"standing = {said}", step("# becomes: active(P)", toml=listed), what


def deals() -> Inputs:
    def deal(players: str | bytes, *more: str, form: str = "melee") -> Prepare:
        return words("new", form, "--players", players, *more)

    name = "can't be a name"
    yield "twice", deal("A,A,B,C,D,E"), "A sits in seat"
    yield "an empty one", deal('A,"",B,C,D,E'), f'"" {name}'
    yield "a blank one", deal('A," ",B,C,D,E'), f'" " {name}'
    yield "two lines", deal("A\nB,C,D,E,F,G"), name
    yield "a tab", deal("A\tB,C,D,E,F,G"), name
    yield "a zero-width space", deal("A,A\u200b,B,C,D,E"), name
    yield "right to left", deal("A,\u202eB,C,D,E,F"), name
    yield "no text", deal(b"A,\xff,B,C,D,E"), name
    yield "too long", deal("A,B,C,D,E," + "F" * 100_000), name
    yield (
        "the same twice to look at",
        deal("A,B,C,D,\u00e9,e\u0301"),
        "two ways that look",
    )
    yield "10,000", deal(",".join(f"P{n}" for n in range(10_000))), "6 to 10 players"
    for form in ("emperor", "team"):
        many = deal(",".join(f"P{n}" for n in range(10_000)), "--budget", SOON, form=form)
        yield f"10,000, {form}", many, f"gave up after {SOON[:-1]} seconds"
    yield "a seed that is none", deal("A,B", "--seed", "nan"), "not a valid integer"
    yield "no groups", deal("A,B", "--teams", "0", form="team"), "0 groups can't be made"
    yield "a format elsewhere", deal("A,B", form="../tables/x"), "no format is called"
    yield "no format", deal("A,B", form=""), 'no format is called ""'
    six = "A,B,C,D,E,F"
    below = words("new", "melee", "/dev/full/x", "--players", six)
    yield "onto a device", below, "can't be written"
    yield "onto nothing", words("new", "melee", "", "--players", six), "can't be the name of a file"


def edition(setting: str, *command: str, base: str = "") -> Prepare:
    """An edition over a stranger's base of three sections."""

    def prepare(here: Path) -> Words:
        for name in ("one", "two"):
            (here / name).mkdir()
        text = f'title = "x"\n{base}'
        (here / "one" / "edition.toml").write_text(text, encoding="utf-8")
        book = f"{CLAUSE}## 1.2  More\n# yes: {{X}}\nq(X) <= (p(X))\n## 1.3  None\n# left out: x\n"
        (here / "one" / "x.dl").write_text(book, encoding="utf-8")
        whole = f'title = "x"\nbase = "one"\n{setting}\n'
        (here / "two" / "edition.toml").write_text(whole, encoding="utf-8")
        return [*(command or ("lint",)), "--edition", "two"]

    return prepare


def editions() -> Inputs:
    circle = edition("", "show", "--gaps", base='base = "two"\n')
    yield "each other's base", circle, "editions that are each other's base"
    numbers = "numbers is a group of texts"
    for setting, says in (
        ('numbers = { "1.1" = "1.3" }', "renumbers a section as 1.3, which its base has already"),
        ('numbers = { "1.1" = "4.1", "1.2" = "4.1" }', "and another section as well"),
        ('numbers = { "1.1" = "x" }', "which is no number"),
        ('numbers = { "1.1" = "" }', "which is no number"),
        ('numbers = { "1.1" = "²" }', "which is no number"),
        ('numbers = { "1.1" = "1\\n2" }', "which is no number"),
        ('numbers = { "1.1" = "\\u001b[31m" }', "which is no number"),
        (f'numbers = {{ "1.1" = "{"9" * 5_000}" }}', "which is no number"),
        ('numbers = { "9.9" = "1.4" }', "but its base doesn't have it"),
        ('numbers = ["1.1"]', numbers),
        ('numbers = "1.1"', numbers),
        ('numbers = { "1.1" = true }', numbers),
        ('numbers = { "1.1" = { a = "b" } }', numbers),
        ("drop = true", "drop is a text or a list"),
        ('drop = { a = "b" }', "drop is a text or a list"),
        ('drop = ["\\u001b"]', r"drops \\x1b, which its base"),
        ('drop = ["1.1"]', "L01 no predicate is called p"),
        ("covers = true", "covers is a text or a list"),
        ("covers = [1.1]", "covers is a text or a list"),
        ('covers = [""]', "covers is numbers"),
        ('covers = ["1.1 \\u001b"]', "covers is numbers"),
        (f'covers = ["1.1 {"a" * 90_000}"]', "covers is numbers"),
        ('gone = ["p"]', "gone is a text"),
        ('gone = "nothing"', r"two/edition\.toml: gone speaks of .nothing., which is no predicate"),
        ('draw = ["p"]', "draw is a text"),
        ('default = "yes"', "default is true or false"),
        ("examples = 5", "examples is a text or a list"),
    ):
        yield setting[:60], edition(setting), says
    yield "nothing to ask", edition("", "show", "--verbs"), "nothing here can be asked"
    slow = CLAUSE + "".join(f"p{n}(X) <= (seat(X, {n}))\n" for n in range(20_000))
    read = book(slow, "can", "--budget", SOON, "--by", "P2", "sixty.toml", "P0", "pop", "P1")
    yield "a book too large for a flag", read, f"gave up after {SOON[:-1]} seconds"


def stranger(
    *command: str, more: str = "", variants: dict[str, str | Callable[[Path], object]] | None = None
) -> Prepare:
    """Somebody else's vocabulary, formats and rules in place of the shipped ones."""

    def prepare(here: Path) -> Words:
        formats, rules = here / "facts" / "variants", here / "rules" / "own"
        for folder in (formats, here / "facts" / "tables", rules):
            folder.mkdir(parents=True)
        (here / "facts" / "vocabulary.dl").write_text(VOCABULARY + more, encoding="utf-8")
        for name, content in (variants or {}).items():
            if isinstance(content, str):
                (formats / name).write_text(content, encoding="utf-8")
            else:
                content(formats / name)
        (rules / "edition.toml").write_text('title = "x"\ndefault = true\n', encoding="utf-8")
        (rules / "x.dl").write_text(CLAUSE, encoding="utf-8")
        (here / "sixty.toml").write_text(SEATS, encoding="utf-8")
        return command or ("show", "--vocabulary")

    return prepare


def vocabularies() -> Inputs:
    ten_thousand = ", ".join(f"w{n}" for n in range(10_000))
    chain = "".join(f"# sort: S{n}x is like S{n + 1}x\n" for n in range(3_000))
    for name, more, says in (
        ("10,000 words", f"# sort: W is one of {ten_thousand}\n", "S02 this line has"),
        ("no words", "# sort: W is one of ,,,\n", "V02 W is one of words, and one is missing"),
        (
            "a circle",
            "# sort: B is like D\n# sort: D is like B\n# fact: f(B)\n",
            "V02 B is only",
        ),
        ("a chain", chain + "# sort: S3000x is a name\n", "V02 S0x is any of more than 100 sorts"),
        ("a folder elsewhere", "# sort: F is a file in ../../etc\n", "V02 this sort can't be read"),
        ("a default of no sort", "# fact: f(Player)\n# default: f(5)\n", "V02 5 can't be assumed"),
        ("a default too large", "# fact: f(Seat)\n# default: f(0)\n", "V02 0 can't be assumed"),
        ("a default unknown", "# fact: f(Word)\n# default: f('c')\n", "V02 c can't be assumed"),
        ("not momentary", "# fact: f(Player)\n# momentary: no\n", "V02 nothing stands behind"),
        (
            "an escape",
            "# fact: f(Player)\n# about: \x1b[31m\n",
            "S14 a character that",
        ),
        ("a vast preference", "# fact: f(Seat)\n# prefer: " + "9" * 5_000, "S02 this line has"),
        ("no digit", "# fact: f(Seat)\n# prefer: ²\n", "V02 ² is no number"),
    ):
        yield name, stranger(more=more), r"vocabulary\.dl:\d+:\d+: " + says


def formats() -> Inputs:
    deal = ("new", "fm", "--players", "A,B,C")
    unknown = r"fm\.toml: nobody knows how to deal seats"
    for recipe, says in (
        ('seats = "nobody knows"', unknown),
        ("seats = 5", unknown),
        ("seats = true", unknown),
        ('seats = ["shuffled"]', unknown),
        ("seats = 2020-01-01", unknown),
        ('seats = { each = "x" }', unknown),
        ('seats = "\\u001b[31m"', unknown),
        (f'seats = "{RUN}"', unknown),
        ('"\\u001b" = "shuffled"', r'no table key is called "\\x1b"'),
        ('edition = "anybody"', r"fm\.toml: a format's file can't say edition"),
        ('variant = "anybody"', r"fm\.toml: a format's file can't say variant"),
        ('facts = "anybody"', "S03 this is not a fact"),
        ("seats = { each = 99999999999 }", "too large a number"),
        (f"seats = {'9' * 5_000}", r"fm\.toml: this file can't be read"),
    ):
        yield recipe[:60], stranger(*deal, variants={"fm.toml": f"[own.deal]\n{recipe}\n"}), says
    for name, text, says in (
        ("a text for a group", 'own = "x"\n', "are groups of keys"),
        ("a number for recipes", "own.deal = 5\n", "are groups of keys"),
        ("no TOML", "seats = ", r"fm\.toml:1:\d+: this is not TOML"),
        ("deep", "a = " + "[" * 50_000, r"fm\.toml: .*nested too deeply"),
        ("an edition", 'edition = "gone"\n', r"fm\.toml:1:1: a format's file can't say edition"),
        ("itself", 'variant = "fm"\n', r"fm\.toml:1:1: a format's file can't say variant"),
    ):
        checked = ("check", "sixty.toml", "--variant", "fm")
        yield name, stranger(*checked, variants={"fm.toml": text}), says
    for name, make in (
        ("a FIFO", os.mkfifo),
        ("a folder", Path.mkdir),
        ("a link to /dev/zero", lambda path: path.symlink_to("/dev/zero")),
        ("a link to itself", lambda path: path.symlink_to(path)),
    ):
        says = r"^error: fm\.toml: this (is not a regular file|file can't be read)"
        yield name, stranger(*deal, variants={"fm.toml": make}), says


def unseen() -> Inputs:
    """Names of what nobody sees, and what can't be seen in everything that has a name."""
    tails = {"Hangul": "\u3164", "Braille": "\u2800", "a selector": "\ufe0f", "a joiner": "\u034f"}
    for name, tail in tails.items():
        for whole in (tail, f"Alex{tail}"):
            says = rf"U\+{ord(tail):04X}"
            yield f"{name}, {len(whole)}", turn(text=TWO.replace("Rob", whole)), says
    seen = "a name begins and ends with something that can be seen"
    yield "a space behind", turn(text=TWO.replace("Rob", "Alex ")), seen
    yield "a space before", turn(text=TWO.replace("Rob", " Rob")), seen
    alike = turn(text=TWO.replace("Rob", "Old  Tom").replace('"Alex",', '"Alex", "Old Tom",'))
    yield "two spaces inside", alike, "two ways that look the same"
    odd = "a\x1b[31m\x9b\u202eb"
    shown = r"a\\x1b\[31m\\x9b\\x202eb"
    wrong = "## 1.1  X\n# yes: {X}\np(X) <= (seet(X, N))\n"

    def folder(here: Path) -> None:
        (here / odd).mkdir()
        (here / odd / "edition.toml").write_text(f'title = "x"\nbase = "{RUN[:9]}"\n', "utf-8")

    def book_of(here: Path) -> None:
        (here / odd).mkdir()
        (here / odd / "edition.toml").write_text('title = "x"\n', encoding="utf-8")
        (here / odd / f"{odd}.dl").write_text(wrong, encoding="utf-8")

    def made(make: Callable[[Path], object], *command: str) -> Prepare:
        def prepare(here: Path) -> Words:
            make(here)
            return command

        return prepare

    yield "an edition's folder", made(folder, "lint", odd), "no edition is called"
    for form in ("text", "github", "json", "sarif"):
        said = r"x1b\[31m|u001b\[31m"
        yield f"a clause file, {form}", made(book_of, "lint", "--format", form, odd), said
    yield "a table", words("check", f"{odd}.toml"), shown
    yield "scenarios", words("test", f"{odd}.toml"), shown
    yield "as JSON", words("check", "--json", f"{odd}.toml"), r"u001b\[31m.u009b.u202eb"
    session = words("repl", "--json")
    yield "a session as JSON", session, "a session is lines of text"


def places() -> Inputs:
    """What lies at a path already, and is no file to be written over."""
    for name in ("/dev/null", "/dev/full", "/dev/fd/1"):

        def leads(here: Path, name: str = name) -> Words:
            (here / "next").symlink_to(name)
            return turn(*LEAVES, "--to", "next", "--over")(here)

        yield f"a link to {name}", leads, r"next can't be written \(it is no file"

    def pipe(here: Path) -> Words:
        os.mkfifo(here / "next")
        return turn(*LEAVES, "--to", "next", "--over")(here)

    yield "a FIFO without an ending", pipe, r"next can't be written \(it is no file"

    def linked(*command: str) -> Prepare:
        def prepare(here: Path) -> Words:
            (here / "next.toml").write_text(TWO, encoding="utf-8")
            os.link(here / "next.toml", here / "other.toml")
            return turn(*command)(here)

        return prepare

    over = linked(*LEAVES, "--to", "next.toml", "--over")
    yield "a file of two names", over, "another name as well, a hard link"

    def laid(here: Path) -> Words:
        (here / "x.dl").write_text("## 1.1  X\np(X) <= (seat(X, N)&turn(N))\n", encoding="utf-8")
        os.link(here / "x.dl", here / "y.dl")
        return ["fmt", "x.dl"]

    yield "a clause file of two names", laid, "another name as well, a hard link"

    def looped(here: Path) -> Words:
        (here / "rules").symlink_to("rules")
        return ["fmt", "--check"]

    yield "rules that can't be read", looped, "rules/ can't be read"


CLASSES: dict[str, Callable[[], Inputs]] = {
    "steps": steps,
    "unseen": unseen,
    "places": places,
    "books of steps": step_books,
    "deals": deals,
    "settings of editions": editions,
    "vocabularies": vocabularies,
    "formats": formats,
}


def refused() -> list[Case]:
    """Every input that has to be refused."""
    out = [Case(g, *each, writes=TARGETS) for g, make in CLASSES.items() for each in make()]
    crowd = ", ".join(f'"P{n}"' for n in range(150))
    gone = ", ".join(f'"P{n}"' for n in range(149))
    text = f'seats = [{crowd}]\nactive = ["P0"]\nturn = 5\ndone = ["P0"]\nleaves = [{gone}]\n'
    says = r"^\n?interrupted: nothing was changed\n$"
    for name, number in (("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM)):
        over = turn("--to", "game.toml", "--over", "--budget", "19s", text=text)
        out.append(Case("interrupted", f"{name}, turn --over", over, says, sends=number))
    return out


def answered() -> list[Case]:
    """What only looks hostile: odd names of files and players, other locales, completion."""
    out = []
    for target in ("nul\\con.toml", "C:\\x.toml", "...toml", "x.txt", "日本.toml"):
        prepare = turn(*LEAVES, "--to", target)
        out.append(Case("steps", f"onto {target}", prepare, "written", 0, writes=(target,)))
    names = 'seats = ["A\\"B", "C\\\\D", "# x", "\'\'\'", "]"]\nactive = ["\'\'\'"]\nturn = 1\n'
    out.append(Case("steps", "odd names", turn("--done", "'''", text=names), r'\["\]"\]', 0))
    latin = {"PYTHONIOENCODING": "latin-1"}
    other = turn("--done", "B", text='seats = ["B", "日"]\nactive = ["B"]\n')
    out.append(Case("steps", "no Unicode to write", other, r"\\u65e5 takes", 0, latin))
    for title, text, says in (
        ("a table that is none", "seats = ", "^$"),
        ("names for a shell", 'seats = ["$(touch canary)", "`x`"]', r"\\\$\\\(touch\\ canary\\\)"),
    ):
        out.append(Case("completion", title, completing(text), says, 0, _typed("can game.toml ")))
    odd = stranger(variants={"x\x1by.toml": "", "plain.toml": ""})
    out.append(Case("formats", "a name with an escape", odd, "in variants: plain\n", 0))
    return out


def completing(text: str) -> Prepare:
    """A table beside which a shell completes."""
    return lambda here: file("game.toml", text)(here)


def _typed(line: str) -> dict[str, str]:
    """What a shell says of the line to be completed."""
    count = len(f"seatlog {line}x".split()) - 1
    return {
        "_SEATLOG_COMPLETE": "bash_complete",
        "COMP_WORDS": f"seatlog {line}",
        "COMP_CWORD": str(count),
    }


__all__: Sequence[str] = ["answered", "refused"]
