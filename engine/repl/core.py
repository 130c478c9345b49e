"""The session: a line goes in, a reply comes out. Nothing here knows a terminal.

States are kept whole, so a change is a new state on a pile and taking it back is the one below.
Work that may not end goes through ``run``; a change is made only once its check came back.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import Place, QuestionError, SeatlogError, many, printable, printable_lines, quoted
from ..game import ALL, is_clause
from ..model import Row, Statement
from . import asking, looking, manual, rulings, saving, sections, verbs
from .asking import Asked, Data, Run
from .child import failed
from .journal import Journal, Unfinished
from .lines import REPLACE, RULE, command, is_fact, needed, unquoted, whole_name
from .options import WIDE, Said, looked_at, said
from .state import State, loaded, opened, ruled, stated

STEP = "turn"
NO, UNDO, REDO, LOAD, DROP = "no", "undo", "redo", "load", "drop"
CHANGING = (NO, UNDO, REDO, LOAD, RULE, REPLACE, DROP, STEP)
"""The commands that change something, as do all verbs: what is taken up has no others."""
MOST_SAID = 20
MOST_REFUSED = 20
"""So many texts that were refused are kept to be taken up again."""
Editor = Callable[[str], str]
"""Has a text changed by whoever sits at the terminal. Raises SeatlogError where it can't."""


class Reply(NamedTuple):
    """What is to be said. ``verdict`` is set when the first line is one; ``over`` ends it all."""

    text: str = ""
    notes: tuple[str, ...] = ()
    error: str = ""
    verdict: bool | None = None
    over: bool = False


class Past(NamedTuple):
    """A state that was left, and what was done to leave it."""

    state: State
    done: str


class Repl:
    """One interactive session. ``execute`` never raises but for KeyboardInterrupt."""

    def __init__(
        self, state: State, run: Run = asking.inside, editor: Editor | None = None
    ) -> None:
        self.state, self.run, self.editor = state, run, editor
        self.past: list[Past] = []
        self.future: list[Past] = []
        self.journal: Journal | None = None
        self.asked: dict[str, Asked] = {}
        self.last: Asked | None = None
        self._refused: dict[str, str] = {}
        self._noted: set[str] = set()
        self._own: dict[str, Callable[[str], Reply]] = {
            "why": self._why,
            "tree": lambda rest: self._why(rest, ALL),
            "show": lambda rest: Reply(looking.section(self.state, needed(rest, "which rule"))),
            "facts": lambda rest: Reply(looking.facts(self.state, rest)),
            "names": lambda _rest: Reply(looking.names(self.state)),
            "draw": lambda rest: Reply(
                self.run(asking.draw(self.state, rest), self.state, "")["text"]
            ),
            NO: self._no,
            UNDO: lambda _rest: self._back(self.past, self.future, "taken back", UNDO),
            REDO: lambda _rest: self._back(self.future, self.past, "made again", REDO),
            "save": lambda rest: self._save(rest, False),
            "save!": lambda rest: self._save(rest, True),
            LOAD: self._load,
            RULE: self._rule,
            DROP: self._drop,
            REPLACE: self._replace,
            "edit": self._edit,
            "diff": self._diff,
            "test": self._test,
            "save-rules": lambda rest: self._save_rules(rest, False),
            "save-rules!": lambda rest: self._save_rules(rest, True),
            "change": self._change,
            "help": lambda rest: Reply(manual.page(self.state, rest)),
            STEP: self._step,
            "resume": lambda _rest: self._resume(),
            "forget": lambda _rest: self._forget(),
            "quit": lambda _rest: Reply(over=True),
        }

    @property
    def prompt(self) -> str:
        """The table's name and its number of facts."""
        number = len(self.state.table.facts)
        return f"{printable(self.state.table.title)}, {many(number, 'fact')}> "

    def open(self) -> None:
        """Check the table that the session starts with. Raises SeatlogError when it is refused."""
        self.run(asking.check(self.state), self.state, "")

    def execute(self, line: str) -> Reply:
        """Do what a line says. Whatever goes wrong is in the reply, and the state as it was."""
        try:
            return self._execute(line.strip())
        except SeatlogError as error:
            return Reply(error=str(error))
        except RecursionError:
            return Reply(error="this is nested too deeply to be worked off")
        except Exception as error:
            return Reply(error=failed(error))

    def _execute(self, line: str) -> Reply:
        said = command(line)
        if said:
            name = manual.meant(self.state, said.name or "help")
            if name in self._own and not (name in manual.BARE and said.rest):
                return self._own[name](said.rest)
            if name not in verbs.verbs(self.state):
                raise QuestionError(f"`:{name}` takes nothing behind it")
            return self._made(verbs.state_fact(self.state, name, said.rest), line)
        if is_fact(line):
            return self._made(verbs.by_clause(self.state, line), line)
        if not line or line.startswith("#"):
            return Reply()
        return self._ask(line)

    def _ask(self, text: str, tree: bool | str = False) -> Reply:
        self._look_for_colon(text)
        data = self.run(asking.ask(self.state, text, tree), self.state, text)
        rows = tuple(tuple(row) for row in data["rows"])
        self.last = Asked(text, data["question"], data["verdict"], rows)
        self.asked.setdefault(self.last.question, self.last)
        notes = tuple(n for n in data["notes"] if n not in self._noted)
        self._noted.update(notes)
        return Reply(data["text"], notes, verdict=None if data["open"] else data["verdict"])

    def _look_for_colon(self, text: str) -> None:
        """Raise QuestionError for a command that lacks its colon."""
        first = text.split(None, 1)[0].casefold()
        starts = {name.split(None, 1)[0].casefold() for name in self.state.table.names}
        if not is_clause(text) and first in manual.known(self.state) and first not in starts:
            raise QuestionError(
                f"nobody and nothing is called {quoted(text.split(None, 1)[0])}",
                hint=f"did you mean `:{text}`?",
            )

    def _asked_or_last(self, text: str) -> str:
        if text or self.last:
            return text or (self.last.text if self.last else "")
        raise QuestionError("nothing was asked yet", hint="ask something, or give a question")

    def _why(self, text: str, tree: bool | str = True) -> Reply:
        before, text = self.last, self._asked_or_last(text)
        reply = self._ask(text, tree)
        now = self.last
        if before and now and before.text == text and before[2:] != now[2:]:
            return reply._replace(notes=(*reply.notes, "the answer has changed since it was given"))
        return reply

    def _change(self, text: str) -> Reply:
        text = self._asked_or_last(text)
        data = self.run(asking.change(self.state, text), self.state, text)
        if not data["asks"]:
            raise QuestionError(
                "a change is looked for one literal without variables",
                hint="ask something that is answered by yes or no",
            )
        if "text" not in data:
            return Reply(
                f"no change was found that would turn this {'yes' if data['verdict'] else 'no'}"
            )
        return Reply("\n  ".join([data["text"], *self._lines_for(data)]))

    def _lines_for(self, data: Data) -> Iterator[str]:
        """What to type to make a change; what is said takes the place of what has its key."""
        facts = self.state.vocabulary.facts
        said: set[tuple[str, int, Row]] = set()
        for name, row in data["adds"]:
            said.update((name, *mark) for mark in facts[name].marks(tuple(row)))
            yield verbs.typed(Statement(name, tuple(row)), self.state)
        for name, row in data["drops"]:
            if said.isdisjoint((name, *mark) for mark in facts[name].marks(tuple(row))):
                line = verbs.typed(Statement(name, tuple(row)), self.state)
                yield f":no {line[1:]}" if line.startswith(":") else f"-{line[1:]}"

    def _step(self, line: str, state: State | None = None) -> Reply:
        """Go on to the next state of the table, with what was said to happen."""
        before = state or self.state
        data = self.run(asking.step(before), before, "")
        old = {(f.name, f.row): f for f in before.said}
        marks = [(name, tuple(row)) for name, row in data["said"]]
        said = [old.get(mark) or Statement(*mark, Place(line or f":{STEP}")) for mark in marks]
        if set(marks) != {(f.name, f.row) for f in self.state.said}:
            self._become(stated(self.state, said), line or f":{STEP}")
        return Reply("\n".join(data["text"]))

    def _made(self, made: verbs.Made, line: str) -> Reply:
        if made.momentary:
            return self._step(line, stated(self.state, made.said))
        if made.said != self.state.said:
            self._become(stated(self.state, made.said), line)
        return Reply("\n".join(made.text))

    def _no(self, rest: str) -> Reply:
        verb, _, args = needed(rest, "which verb").partition(" ")
        name = manual.meant(self.state, verb)
        if name not in verbs.verbs(self.state):
            raise QuestionError(f"`:{name}` states no fact", hint="`:help` lists what does")
        return self._made(verbs.take_away(self.state, name, args), f":no {rest}")

    def _become(self, state: State, done: str, typed: str = "") -> None:
        """Go on to a state; ``typed`` is the line that does it anywhere, if that is another one."""
        self.run(asking.check(state), state, "")
        self.past.append(Past(self.state, done))
        self.future.clear()
        self.state = state
        self._keep(typed or done)

    def _keep(self, line: str) -> None:
        if self.journal is not None:
            self.journal(line)

    def _back(self, source: list[Past], target: list[Past], how: str, name: str) -> Reply:
        if not source:
            raise QuestionError(f"nothing is there to be {how}")
        state, done = source.pop()
        target.append(Past(self.state, done))
        self.state = state
        self._keep(f":{name}")
        if done.startswith(f":{REPLACE} "):
            done = done.partition("\n")[0]
        return Reply(f"{how}: {printable_lines(done)}")

    def _save(self, rest: str, over: bool) -> Reply:
        path = saving.save(self.state, unquoted(needed(rest, "which file")), over)
        number = len(self.state.table.facts)
        other = "the rules of this session aren't in it: `:save-rules` keeps them"
        note = (other,) if self.state.ruled else ()
        return Reply(f"{path}: {many(number, 'fact')}", note)

    def _load(self, rest: str) -> Reply:
        file = unquoted(needed(rest, "which file"))
        state, kept = loaded(self.state, file)
        self._become(state, f":{LOAD} {rest}", f":{LOAD} {whole_name(file)}")
        note = () if kept else ("this table has other rules: those of the session are gone",)
        return Reply(f"{state.table.title}: {many(len(state.table.facts), 'fact')}", note)

    def _rule(self, text: str) -> Reply:
        if not text:
            return Reply(looking.rules(self.state))
        added = rulings.read(text)
        before = self.state.rules
        state = ruled(self.state, before._replace(added=(*before.added, *added)))
        clauses = [each.clause for each in added]
        again = sections.standing(self.state, clauses)
        self._become(state, f":{RULE} {text}")
        return Reply("\n".join(rulings.signed("+", clauses)), tuple(again))

    def _replace(self, rest: str) -> Reply:
        number, *text = needed(rest, "which section").split(None, 1)
        if not text:
            raise QuestionError(
                f"another text for {number} is missing",
                hint="it goes on the next lines, until an empty one",
            )
        return self._edited(number, text[0])

    def _edit(self, rest: str) -> Reply:
        number = needed(rest, "which section")
        if self.editor is None:
            raise QuestionError(
                "there is no terminal to edit at",
                hint=f"`:{REPLACE} {number}` takes the text on the next lines",
            )
        before = sections.text_of(self.state, number)
        text = self.editor(self._refused.get(number, before)).strip()
        if not text:
            raise QuestionError(
                f"nothing is left of {number}", hint=f"`:drop {number}` takes it out"
            )
        if text == before.strip():
            self._refused.pop(number, None)
            return Reply(f"{number}: unchanged")
        return self._edited(number, text)

    def _edited(self, number: str, text: str) -> Reply:
        """Give a section another text; one that is refused can be taken up again."""
        try:
            state, edit = sections.replaced(self.state, number, text)
            self._become(state, f":{REPLACE} {number}\n{text}")
        except (SeatlogError, KeyboardInterrupt) as error:
            self._refused.pop(number, None)
            self._refused[number] = text
            while len(self._refused) > MOST_REFUSED:
                del self._refused[next(iter(self._refused))]
            known = number in self.state.book.sections and self.editor is not None
            if not known or isinstance(error, KeyboardInterrupt):
                raise
            return Reply(error=f"{error}\n  `:edit {number}` opens this text again")
        self._refused.pop(number, None)
        return Reply(str(edit))

    def _drop(self, rest: str) -> Reply:
        target = needed(rest, "which clauses")
        rules, gone = rulings.without(self.state.base, self.state.rules, target)
        self._become(ruled(self.state, rules), f":drop {rest}")
        return Reply("\n".join(rulings.signed("-", gone)))

    def _diff(self, rest: str) -> Reply:
        if not self.state.ruled:
            return Reply(looking.rules(self.state))
        options = said(rest, (), WIDE)
        looked_at(options)
        if len(options.words) > 1:
            raise QuestionError(
                "scenarios of one file or folder at a time",
                hint="a path with spaces goes in quotes",
            )
        paths = [saving.path_in(word) for word in options.words]
        data = self.run(asking.differences(self.state, list(self.asked)), self.state, "")
        lines, number = [], 0
        for asked, (before, now) in zip(self.asked.values(), data["answers"], strict=True):
            found = asking.difference(before, now)
            if found:
                number += 1
                lines += [asked.text, *(f"  {line}" for line in found)]
        total = len(self.asked)
        lines.append(f"{number} of {many(total, 'question')} answered otherwise")
        wider = self._changes(paths, options)
        return wider._replace(text="\n".join([*lines, *([wider.text] if wider.text else [])]))

    def _changes(self, paths: Sequence[Path], options: Said) -> Reply:
        """What the rules change in text, scenarios, at the table and in games that have none.

        Where all games can't be looked at it is said why, and the rest is looked at without them.
        """
        draft = sections.draft_of(self.state)
        notes: list[str] = []
        try:
            tables = [tomllib.loads(saving.as_text(self.state))]
        except SeatlogError as error:
            tables = []
            notes.append(f"the table is left out: {error.what}")
        wide = looked_at(options)
        bare = {**wide, "bound": None, "games": 0}
        for games in (wide, bare):
            work = asking.changes(self.state, draft, next(iter(paths), None), tables, games)
            try:
                found = self.run(work, self.state, "")
                return Reply("\n".join(["", *map(printable, found["lines"])]), tuple(notes))
            except SeatlogError as error:
                if games == bare:
                    return Reply(notes=tuple(notes), error=str(error))
                why = f"{error.what} ({error.hint})" if error.hint else error.what
                notes.append(f"not all games were looked at: {why}")
        raise AssertionError("the last one looks at no games")

    def _resume(self) -> Reply:
        """Do again what was done in a session that was ended from outside: all of it or nothing.

        Lines that change nothing by themselves aren't done, whoever wrote them down.
        """
        found = self._unfinished()
        assert self.journal is not None
        if self.past or self.future:
            raise QuestionError(
                "something was changed already", hint="start a new session, and `:resume` there"
            )
        before, began = self.state, (self.journal.began, self.journal.title)
        failing: list[str] = []
        try:
            if found.began != self.journal.began:
                state = opened(*found.began, self.state.solver)
                self.run(asking.check(state), state, "")
                self.journal.begin(found.began, found.title)
                self.state = state
            for line in found.lines:
                error = self.execute(line).error if self._changes_by(line) else "this is no change"
                if error:
                    failing += [line, *(f"  {part}" for part in error.split("\n"))]
        except BaseException:
            self.state, self.past, self.future = before, [], []
            self.journal.begin(*began)
            raise
        return self._resumed(found, failing)

    def _resumed(self, found: Unfinished, failing: list[str]) -> Reply:
        """What came of it; the file stays where a line of it couldn't be done."""
        assert self.journal is not None
        number = many(len(found.lines), "line")
        if not failing:
            if not self.journal.trouble:
                self.journal.forget(found)
            return Reply(f"{number} taken up")
        shown = [printable_lines(line) for line in failing[:MOST_SAID]]
        shown += [f"and {len(failing) - MOST_SAID:,} lines more"] * (len(failing) > MOST_SAID)
        again = "what could be done is; `:forget` drops the rest for good"
        return Reply(f"{number} taken up but for these", error="\n".join([again, *shown]))

    def _changes_by(self, line: str) -> bool:
        said = command(line.strip())
        if said is None:
            return is_fact(line)
        try:
            name = manual.meant(self.state, said.name)
        except QuestionError:
            return False
        return name in CHANGING or name not in self._own

    def _forget(self) -> Reply:
        found = self._unfinished()
        assert self.journal is not None
        self.journal.forget(found)
        dropped = f"{many(len(found.lines), 'line')} of {printable(found.title, 100)}"
        return Reply(f"dropped: {dropped}", self.offer().notes)

    def _unfinished(self) -> Unfinished:
        if self.journal is None or not self.journal.unfinished:
            raise QuestionError("no session is there that ended without `:quit`")
        return self.journal.unfinished[0]

    def offer(self) -> Reply:
        """What there is to be taken up, if there is something."""
        if self.journal is None or not self.journal.unfinished:
            return Reply()
        found = self.journal.unfinished[0]
        lines = many(len(found.lines), "line")
        return Reply(
            notes=(
                f"{lines} of a session on {printable(found.title, 100)} that ended without :quit: "
                "`:resume` takes them up, `:forget` drops them",
            )
        )

    def _save_rules(self, rest: str, over: bool) -> Reply:
        folder = saving.path_in(needed(rest, "which folder"))
        files, notes = sections.save(self.state, folder, over)
        clauses = len(files) - 1
        said = f"{printable(str(folder))}: an edition on top of {self.state.read.name}"
        return Reply(f"{said}, {many(clauses, 'clause file')}", tuple(notes))

    def _test(self, rest: str) -> Reply:
        paths = [saving.path_in(rest)] if rest else []
        work = asking.test(self.state, sections.draft_of(self.state), paths)
        return Reply(self.run(work, self.state, "")["text"])
