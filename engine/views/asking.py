"""What can be asked in players' words: the verbs of a book, by who is asked, and each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..book import Book, Names, Verb, rule_order
from ..errors import a
from ..game import WHAT, WHO, asked_of, asks_for
from ..model import literals


class Form(NamedTuple):
    """A verb as it is asked: its terms in their order, and the sentences of a yes and a no."""

    verb: Verb
    text: str
    yes: str
    no: str


def forms(book: Book, word: str | None = None) -> list[Form]:
    """The verbs of a book with their terms, in the order of the words; or those with a word.

    A word is a verb, a preposition, a term, or the sort of who is asked.
    """
    out = {}
    for verb in book.verbs:
        predicate = book.predicates[verb.predicate]
        words = [predicate.params[verb.who], verb.word]
        words += [predicate.params[verb.what]] if verb.what is not None else []
        for preposition, spot in verb.others:
            words += [preposition, predicate.params[spot]]
        known = {w.casefold() for w in (*words, *(asked_of(verb, book) or ()))}
        if word is None or word.casefold() in known:
            out[" ".join(words)] = Form(verb, " ".join(words), predicate.yes, predicate.no)
    return sorted(out.values(), key=lambda form: (form.verb.word, form.text))


def by_sort(book: Book, found: list[Form]) -> dict[str, list[Form]]:
    """Forms by the sort of who is asked, in the order of the vocabulary."""
    out: dict[str, list[Form]] = {}
    for sort in book.vocabulary.sorts:
        own = [f for f in found if sort in (asked_of(f.verb, book) or ())]
        if own:
            out[sort] = own
    anybody = [f for f in found if asked_of(f.verb, book) is None]
    return {**out, **({"": anybody} if anybody else {})}


def sort_lines(book: Book, found: list[Form]) -> list[str]:
    """What each sort can be asked, a line a verb."""
    lines = []
    for sort, own in by_sort(book, found).items():
        lines += [f"of {a(sort.lower()) if sort else 'anything'}:"]
        lines += [f"  {f.text}  ({f.yes})" if f.yes else f"  {f.text}" for f in own]
    return lines


def words_by_sort(book: Book) -> dict[str, list[str]]:
    """The verbs that each sort can be asked, in words."""
    every = by_sort(book, forms(book))
    return {sort: list(dict.fromkeys(f.verb.word for f in own)) for sort, own in every.items()}


def about_form(book: Book, form: Form) -> dict[str, Any]:
    """All about a verb, as plain data: its terms and what they may hold, and its rules."""
    verb = form.verb
    own = book.clauses_of(verb.predicate)
    beneath = {x.name for c in own for x in literals(c.body)}
    rules = {c.rule for name in (verb.predicate, *beneath) for c in book.clauses_of(name)}
    named = [n for n in rules if n[:1].isdigit() and not book.sections[n].stands_for]
    return {
        "form": form.text,
        "verb": verb.word,
        "who": _holds(book, verb.predicate, verb.who),
        "what": None if verb.what is None else _holds(book, verb.predicate, verb.what),
        "behind": {p: _holds(book, verb.predicate, i) for p, i in verb.others},
        "yes": form.yes,
        "no": form.no,
        "reversed": _reversed(book, form),
        "predicate": f"{verb.predicate}({', '.join(book.predicates[verb.predicate].params)})",
        "rules": sorted(named, key=rule_order),
    }


def _holds(book: Book, predicate: str, spot: int) -> str:
    """What a term of a predicate is called, and what it may hold."""
    param = book.predicates[predicate].params[spot]
    sorts = book.vocabulary.sorts
    sort = sorts.get(param) or sorts.get(param.rstrip("0123456789"))
    if sort is not None and not isinstance(sort, Names):
        held = sort.holds()
        return f"{param}: {held.lower() if sort.named else held}"
    inferred = book.arg_sorts[predicate][spot]
    names = [sort.name] if sort else sorted(inferred or ())
    return f"{param}: {' or '.join(a(n.lower()) for n in names) or 'anything'}"


def _reversed(book: Book, form: Form) -> str:
    """The same asked of all: who, or what, in the place of the first term."""
    asked = WHO if asks_for(WHO, form.verb, book) else WHAT
    return f"{asked} {form.text.partition(' ')[2]}"


def verb_lines(book: Book, form: Form) -> Iterator[str]:
    """All about a verb, for people."""
    found = about_form(book, form)
    yield found["form"]
    rows = [("yes", found["yes"]), ("no", found["no"]), ("who", found["who"])]
    rows += [("what", found["what"])] if found["what"] else []
    rows += list(found["behind"].items())
    rows += [("of all", found["reversed"]), ("clause", found["predicate"])]
    rows += [("rules", ", ".join(found["rules"]))]
    for name, text in rows:
        if text:
            yield f"  {name + ':':<8} {text}"
