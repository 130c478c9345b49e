"""Collect sections, clauses, predicates and verbs from the entries of clause files."""

from __future__ import annotations

import re

from ..errors import BookError, Place, SeatlogError
from ..language import NOTES, Entry, Heading, Note, Source, note_literal
from ..model import Clause, Literal, Var, item_variables
from .book import Outcome, Predicate, Section, Verb
from .sentences import HOLE, holes, in_braces
from .vocabulary import PROHIBITION, Vocabulary

_TERM = re.compile(r"[A-Z]\w*")
_NAMING = ("yes", "no", "tree yes", "tree no", "terms")
"""The notes that settle by which names a predicate's terms are spoken of."""
_VERB = re.compile(r"([A-Z]\w*) ([a-z][a-z-]*)(?: ([A-Z]\w*))?((?: [a-z]+ [A-Z]\w*)*)$")


class Collected:
    """Sections, clauses and predicates while they are being collected."""

    def __init__(self, errors: list[SeatlogError], vocabulary: Vocabulary) -> None:
        self.errors, self.vocabulary = errors, vocabulary
        self.sections: dict[str, Section] = {}
        self.clauses: list[Clause] = []
        self.predicates: dict[str, Predicate] = {}
        self.verbs: list[Verb] = []
        self.places: dict[str, Place] = {}
        self._spoken: dict[tuple[str, str], str] = {}

    def take(self, src: Source, entries: list[Entry]) -> None:
        pending: list[Note] = []
        section: Section | None = None
        for entry in entries:
            if isinstance(entry, Heading):
                section = self.sections.get(entry.number)
                if section is None:
                    section = Section(entry.number, entry.title, entry.place)
                    self.sections[entry.number] = section
                section.title = section.title or entry.title
            elif isinstance(entry, Clause):
                self._clause(entry, pending, src)
                pending = []
            elif NOTES[entry.key] == "section" and section is not None:
                self._section_note(entry, section)
            elif NOTES[entry.key] == "clause":
                pending.append(entry)
            else:
                self.errors.append(
                    BookError(
                        f"`# {entry.key}:` belongs to the vocabulary", place=entry.place, code="S12"
                    )
                )
        for note in pending:
            self.errors.append(
                BookError(f"`# {note.key}:` with no clause below it", place=note.place, code="S12")
            )

    def _section_note(self, note: Note, section: Section) -> None:
        if note.key == "left out":
            section.left_out = note.text
        elif note.key == "stands for":
            section.stands_for = True
        elif note.key == "joins":
            section.joins = True
        else:
            match = re.match(r"sha256:([0-9a-f]{16})\s+(.+)$", note.text)
            if match:
                section.digests[match[2]] = match[1]
            else:
                self.errors.append(
                    BookError(
                        "a digest looks like: # text: sha256:0123456789abcdef  edition date",
                        place=note.place,
                        code="S12",
                    )
                )

    def _clause(self, clause: Clause, notes: list[Note], src: Source) -> None:
        head = clause.head
        params = self._params(head, notes)
        predicate = self.predicates.get(head.name)
        first = predicate is None
        if predicate is None:
            predicate = self.predicates[head.name] = Predicate(
                head.name, params, self.vocabulary.role(head.name)
            )
        spoken = predicate.speaks or predicate.tree_yes or predicate.tree_no
        if not spoken and any(
            n.key in ("yes", "no", "tree yes", "tree no", "terms") for n in notes
        ):
            predicate.params = params
        for note in notes:
            try:
                clause = self._clause_note(note, clause, predicate, params, src, first)
            except SeatlogError as error:
                self.errors.append(error)
        mark = (clause.rule, head.name)
        said = [n.text for n in notes if n.key in ("yes", "alarm")]
        if said:
            self._spoken[mark] = said[-1]
        elif mark in self._spoken and not clause.yes:
            names = {v for i in (head, *clause.body) for v in item_variables(i)}
            if set(holes(self._spoken[mark])) <= names:
                clause = clause._replace(yes=self._spoken[mark])
        self.clauses.append(clause)

    def _params(self, head: Literal, notes: list[Note]) -> tuple[str, ...]:
        """The names of a head's terms: its variables, or what ``# terms:`` says of a plain fact."""
        own = tuple(t.name if isinstance(t, Var) else f"_{i}" for i, t in enumerate(head.args))
        said = next((n for n in notes if n.key == "terms"), None)
        if said is None:
            return own
        names = tuple(word.strip() for word in said.text.split(","))
        fits = len(names) == len(own) == len(set(names)) and all(map(_TERM.fullmatch, names))
        if fits and not any(isinstance(t, Var) for t in head.args):
            return names
        self.errors.append(
            BookError(
                f"these are no names for the terms of {head}",
                place=said.place,
                hint="above a plain fact, one for each of its terms: # terms: Word, Type",
                code="S12",
            )
        )
        return own

    def _clause_note(
        self,
        note: Note,
        clause: Clause,
        predicate: Predicate,
        params: tuple[str, ...],
        src: Source,
        first: bool,
    ) -> Clause:
        text = note.text
        self.places.setdefault(text, note.at(src))
        for hole in HOLE.finditer(text):
            self.places.setdefault(
                in_braces(text, hole[1]), note.at(src, hole.start(), len(hole[0]))
            )
        if note.key == "yes":
            general = first and set(holes(text)) <= set(params)
            if general:
                predicate.yes = text
            if not general or predicate.role == PROHIBITION:
                return clause._replace(yes=text)
        elif note.key == "no":
            if first or predicate.role != PROHIBITION:
                predicate.no = text
            if predicate.role == PROHIBITION:
                return clause._replace(no=text)
        elif note.key == "but":
            return clause._replace(but=text)
        elif note.key == "tree yes":
            predicate.tree_yes = text
        elif note.key == "tree no":
            predicate.tree_no = (*predicate.tree_no, text)
        elif note.key == "bookkeeping":
            predicate.bookkeeping = True
        elif note.key == "alarm":
            predicate.alarm = text
            return clause._replace(yes=text)
        elif note.key == "walk":
            predicate.walk = True
        elif note.key == "tells":
            predicate.tells = (*predicate.tells, self._told(note, src))
            if clause.rule not in predicate.telling:
                predicate.telling = (*predicate.telling, clause.rule)
        elif note.key == "tells none":
            predicate.tells_none = (*predicate.tells_none, self._told(note, src))
        elif note.key in ("becomes", "ends"):
            outcome = Outcome(note.key, self._told(note, src))
            predicate.outcomes = (*predicate.outcomes, outcome)
        elif note.key == "goes":
            gone = Outcome("goes", Literal("", (Var(text),)))
            predicate.outcomes = (*predicate.outcomes, gone)
        elif note.key == "doubt":
            predicate.doubts = (*predicate.doubts, self._told(note, src))
        elif note.key != "terms":
            self.verbs.append(self._verb(note, clause, params))
        return clause

    def _told(self, note: Note, src: Source) -> Literal:
        literal = note_literal(note, src)
        self.places.setdefault(str(literal), self.places[note.text])
        return literal

    def _verb(self, note: Note, clause: Clause, params: tuple[str, ...]) -> Verb:
        match = _VERB.match(note.text)
        who, word, what, rest = match.groups() if match else ("", "", None, "")
        pairs = rest.split()
        others = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        spoken = [w for w in (who, what, *(name for _, name in others)) if w]
        if not match or sorted(spoken) != sorted(params):
            raise BookError(
                "a verb joins the terms of the head",
                place=note.place,
                hint=f"like: # verb: {' verb '.join(params[:2])}",
                code="S12",
            )
        return Verb(
            word,
            params.index(who),
            params.index(what) if what else None,
            clause.head.name,
            tuple((preposition, params.index(name)) for preposition, name in others),
        )
