"""Read ``vocabulary.dl``: what tables may say, and how.

Every fact predicate is declared once: the sorts of its arguments, its keys (saying it again with
the same key replaces), which argument introduces names, its sentences, its key in table files and
on the command line, its session command and how welcome it is as a counterfactual. The engine
knows facts from here only.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import BookError, Place, SeatlogError, TextError, did_you_mean, quoted
from ..language import Heading, Note, Reading, note_literal, read_clauses, read_file
from ..model import Clause, Const, Literal, Value, Var
from .declaration_faults import doubtful, misplaced
from .sorts import AnyOf, Files, Names, Numbers, Sort, Texts, Words
from .vocabulary import ROLES, Fact, Shape, Vocabulary

_SORT = re.compile(
    r"(?P<name>[A-Z]\w*) is (?:(?P<name_kind>a name)(?: or that of (?P<shared>.+))?"
    r"|(?P<number>a number)"
    r"(?: from (?P<low>-?\d+))?(?: to (?P<high>-?\d+))?(?P<dense> without gaps)?"
    r"|(?P<text>any text)|one of (?P<words>.+)|any of (?P<sorts>.+)"
    r"|a file in (?P<folder>[\w/]+)|like (?P<like>\w+))$"
)
_HINT = re.compile(r"(?P<place>\w+) (?P<words>[^:]+): (?P<said>.+)$")
_ROLE = re.compile(r"(?P<start>[a-z]\w*) is a (?P<role>\w+)$")
_SHAPE = re.compile(r"(?P<path>[\w.]+)\s*=\s*(?:\[(?P<many>\w+)\]|(?P<one>\w+))$")


def load_vocabulary(
    folder: Path, text: str | None = None
) -> tuple[Vocabulary, tuple[Clause, ...], Reading]:
    """The vocabulary of a facts folder, the clauses that stand in it, and the reading itself.

    ``text`` is taken for what its file holds, if there is one. Raises BookError or Faults when a
    declaration can't be understood.
    """
    path = folder / "vocabulary.dl"
    reading = read_clauses(read_file(path) if text is None else text, path.name)
    builder = _Builder(reading, folder)
    for entry in reading.entries:
        builder.take(entry)
    vocabulary = builder.finish()
    clauses = tuple(e for e in reading.entries if isinstance(e, Clause))
    return vocabulary, clauses, reading._replace(errors=(*reading.errors, *builder.errors))


class _Builder:
    """Collects declarations entry by entry."""

    def __init__(self, reading: Reading, folder: Path) -> None:
        self.src, self.folder = reading.source, folder
        self.sorts: dict[str, Sort] = {}
        self.facts: dict[str, Fact] = {}
        self.roles: dict[str, str] = {}
        self.who: tuple[str, ...] = ()
        self.hints: dict[str, dict[str, str]] = {}
        self.hinted: list[tuple[str, str, Place]] = []
        self.describing: dict[str, tuple[str, ...]] = {}
        self.open: str = ""
        self.errors: list[SeatlogError] = []
        self.places: dict[str, Place] = {}

    def take(self, entry: Note | Heading | Clause) -> None:
        if not isinstance(entry, Note):
            self.open = ""
            return
        try:
            if entry.key == "sort":
                self._sort(entry)
            elif entry.key == "role":
                self._role(entry)
            elif entry.key == "who":
                self._who(entry)
            elif entry.key == "hint":
                self._hint(entry)
            elif entry.key == "fact":
                self._fact(entry)
            elif entry.key == "describes":
                self._describes(entry)
            elif self.open:
                self._detail(entry, self.facts[self.open])
        except SeatlogError as error:
            self.errors.append(error)

    def finish(self) -> Vocabulary:
        vocabulary = Vocabulary(
            self.facts,
            self.sorts,
            str(self.folder),
            roles=self.roles,
            who=self.who,
            hints=self.hints,
            describing=self.describing,
        )
        self.errors += doubtful(vocabulary, self.places)
        self.errors += misplaced(vocabulary, self.hinted)
        return vocabulary

    def _sort(self, note: Note) -> None:
        match = _SORT.match(note.text)
        if not match:
            raise BookError(
                "this sort can't be read",
                place=note.place,
                hint="like: Player is a name · Label is a name or that of Thing · Seat is a number "
                "from 1 · Zone is one of a, b · Target is any of Player, Thing · Spell is like "
                "Thing · Format is a file in folder",
                code="V02",
            )
        name = match["name"]
        if name in self.sorts:
            raise BookError(
                f"sort {name} is declared twice", place=note.place, hint="keep one", code="V03"
            )
        self.places[name] = note.place
        self.sorts[name] = self._made(name, match)

    def _made(self, name: str, match: re.Match[str]) -> Sort:
        """The sort that a declaration makes."""
        if match["number"]:
            low, high = (int(n) if n else None for n in (match["low"], match["high"]))
            return Numbers(name, low, high, bool(match["dense"]))
        if match["text"]:
            return Texts(name)
        if match["words"]:
            return Words(name, (w.strip() for w in match["words"].split(",")))
        if match["sorts"]:
            return AnyOf(name, (w.strip() for w in match["sorts"].split(",")))
        if match["folder"]:
            files = (self.folder / match["folder"]).glob("*.toml")
            return Files(name, match["folder"], sorted(p.stem for p in files if _named(p)))
        if match["like"]:
            return AnyOf(name, (match["like"],))
        return Names(name, (w.strip() for w in (match["shared"] or "").split(",") if w.strip()))

    def _role(self, note: Note) -> None:
        match = _ROLE.match(note.text)
        if not match or match["role"] not in ROLES:
            raise BookError(
                "this role can't be read",
                place=note.place,
                hint=f"like: # role: may_ is a {' · '.join(ROLES)}",
                code="V02",
            )
        if any(match["start"].startswith(s) or s.startswith(match["start"]) for s in self.roles):
            raise BookError(
                f"names that start with {match['start']} have a role already",
                place=note.place,
                hint="keep one",
                code="V03",
            )
        self.roles[match["start"]] = match["role"]

    def _who(self, note: Note) -> None:
        """``# who: Sort, Sort``: what one asks for by "who"."""
        sorts = tuple(word.strip() for word in note.text.split(","))
        for sort in sorts:
            if sort not in self.sorts:
                raise BookError(
                    f"no sort is called {sort}",
                    place=note.place,
                    hint=did_you_mean(sort, self.sorts) or "declare it above: # sort: …",
                    code="V01",
                )
        self.who = (*self.who, *sorts)

    def _hint(self, note: Note) -> None:
        """``# hint: place word, word: sentence``: what helps on who says one word for another."""
        match = _HINT.match(note.text)
        words = [w.strip().casefold() for w in match["words"].split(",")] if match else []
        if not match or not all(words):
            raise BookError(
                "this hint can't be read",
                place=note.place,
                hint="like: # hint: Sort word, other word: what to say instead",
                code="V02",
            )
        own = self.hints.setdefault(match["place"], {})
        for word in words:
            if word in own:
                raise BookError(
                    f"{word} has a hint already", place=note.place, hint="keep one", code="V03"
                )
            own[word] = match["said"]
            self.hinted.append((match["place"], word, note.place))

    def _describes(self, note: Note) -> None:
        """What only describes: some words of a sort, a declared fact, or the words in its terms.

        ``# describes: Colour is mauve, teal`` stands below the sort; ``# describes:`` below a fact
        is the fact, ``# describes: Colour`` whatever word stands in its term.
        """
        if self.open:
            fact = self.facts[self.open]
            terms = [word.strip() for word in note.text.split(",") if word.strip()]
            self.describing[self.open] = tuple(
                fact.args[self._position(note, fact, word)] for word in terms
            )
            return
        name, _, words = note.text.partition(" is ")
        listed = tuple(w.strip() for w in words.split(",") if w.strip())
        sort = self.sorts.get(name)
        if not listed or not isinstance(sort, Words):
            raise BookError(
                "nobody can tell which words only describe",
                place=note.place,
                hint="below a sort of words, like: # describes: Colour is mauve, teal; "
                "or below a fact, alone or with some of its terms",
                code="V02",
            )
        for word in listed:
            if word not in sort.words:
                raise BookError(
                    f"{name} has no word {quoted(word)}",
                    place=note.place,
                    hint=did_you_mean(word, sort.words),
                    code="V02",
                )
        self.describing[name] = (*self.describing.get(name, ()), *listed)

    def _fact(self, note: Note) -> None:
        literal = note_literal(note, self.src)
        args: list[str] = []
        for term in literal.args:
            if not isinstance(term, Var):
                raise BookError("a declaration takes variables", place=note.place, code="V02")
            args.append(term.name)
        if literal.name in self.facts:
            raise BookError(
                f"{literal.name} is declared twice", place=note.place, hint="keep one", code="V03"
            )
        twice = next((a for a in args if args.count(a) > 1), "")
        if literal.negated or twice:
            raise BookError(
                f"{twice} stands twice in a declaration" if twice else "a declaration without ~",
                place=note.place,
                hint="tell two of one sort apart by a number: owes(Player, Player2)",
                code="V02",
            )
        sorts = tuple(self._sort_of(a) for a in args)
        self.facts[literal.name] = Fact(literal.name, tuple(args), sorts, place=note.place)
        self.open = literal.name

    def _sort_of(self, arg: str) -> str:
        return arg if arg in self.sorts else arg.rstrip("0123456789")

    def _detail(self, note: Note, fact: Fact) -> None:
        text = note.text
        if note.key == "key":
            words = [w.strip() for w in text.split(",") if w.strip()]
            group = tuple(self._position(note, fact, w) for w in words)
            fact = fact._replace(keys=(*fact.keys, group))
        elif note.key == "names":
            spots = tuple(self._position(note, fact, w.strip()) for w in text.split(","))
            fact = fact._replace(names=(*fact.names, *spots))
        elif note.key == "table":
            fact = fact._replace(shapes=(*fact.shapes, self._shape(note, fact)))
        elif note.key == "default":
            fact = fact._replace(default=self._default(note, fact))
        elif note.key == "prefer":
            if not text.isdecimal():
                raise BookError(
                    f"{text} is no number", place=note.place, hint="like: # prefer: 5", code="V02"
                )
            fact = fact._replace(prefer=int(text))
        elif note.key == "momentary":
            if text:
                raise BookError(
                    "nothing stands behind `# momentary:`",
                    place=note.place,
                    hint="a fact without this note lasts",
                    code="V02",
                )
            fact = fact._replace(momentary=True)
        elif note.key in ("about", "yes", "no", "tree no", "command"):
            fact = _described(fact, note.key, text)
        else:
            raise BookError(f"a declared fact has no {note.key}:", place=note.place, code="V02")
        self.facts[fact.name] = fact

    def _position(self, note: Note, fact: Fact, word: str) -> int:
        if word not in fact.args:
            raise BookError(
                f"{fact.name} has no argument {word}",
                place=note.place,
                hint=did_you_mean(word, fact.args),
                code="V02",
            )
        return fact.args.index(word)

    def _shape(self, note: Note, fact: Fact) -> Shape:
        match = _SHAPE.match(note.text)
        words = match["path"].split(".") if match else []
        value = (match["many"] or match["one"]) if match else ""
        spoken = [w for w in (*words, value) if w[:1].isupper()]
        if not match or sorted(spoken) != sorted(fact.args) or words[0][:1].isupper():
            raise BookError(
                "this table key can't be read",
                place=note.place,
                hint=f"like: key.{'.'.join(fact.args[:-1]) or 'word'} = {fact.args[-1]}, "
                "each argument once; `= [Name]` for a list, `= true` or `= false` for a switch",
                code="V02",
            )
        return Shape(tuple(words), value, bool(match["many"]))

    def _default(self, note: Note, fact: Fact) -> tuple[Value, ...]:
        try:
            literal = note_literal(note, self.src)
        except TextError as error:
            raise BookError(error.what, place=note.place, code="V02") from None
        if literal.name != fact.name or len(literal.args) != len(fact.args):
            raise BookError(
                f"this is no default of {fact.name}",
                place=note.place,
                hint=f"like: # default: {fact.name}({', '.join(fact.args)}) with constants",
                code="V02",
            )
        return _ground(literal, note)


def _named(path: Path) -> bool:
    return path.stem.isprintable()


def _described(fact: Fact, key: str, text: str) -> Fact:
    if key == "about":
        return fact._replace(about=text)
    if key == "command":
        return fact._replace(command=text)
    if key == "tree no":
        return fact._replace(tree_no=(*fact.tree_no, text))
    return fact._replace(yes=text) if key == "yes" else fact._replace(no=text)


def _ground(literal: Literal, note: Note) -> tuple[Value, ...]:
    values: list[Value] = []
    for term in literal.args:
        if not isinstance(term, Const):
            raise BookError("a default holds constants", place=note.place, code="V02")
        values.append(term.value)
    return tuple(values)
