"""``seatlog show``: the rules, or one of them with its clauses and scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from ..book import Book, rule_order
from ..budget import Step
from ..cases import (
    DEFAULT,
    Scenario,
    about_sections,
    chapters,
    gaps_of,
    numbers,
)
from ..editions import editions, load_book, texts_of
from ..errors import (
    FAILED,
    NoRule,
    QuestionError,
    did_you_mean,
    many,
    printable,
    quoted,
)
from ..game import players
from ..model import Statement
from ..table import flag_example, flag_help, flag_keys
from ..views import (
    about_form,
    by_sort,
    forms,
    glossary_lines,
    glossary_words,
    section_lines,
    sort_lines,
    table_keys,
    verb_lines,
)
from .citing import NO_SCENARIOS, citing
from .sharing import common, completed, paint, watched
from .tables import BookCommand
from .talk import project_file, tell

SECONDS = 20.0
NO_TABLE = "note: no facts are in the script: --table FILE puts in those of a table"


@click.command(cls=BookCommand)
@click.argument("number", required=False, shell_complete=completed("rules"))
@click.option("--cites", is_flag=True, help="What rests on the rule, and what it rests on.")
@click.option("--gaps", is_flag=True, help="Sections without clauses or scenarios.")
@click.option("--paste", is_flag=True, help="A script for a plain pyDatalog session.")
@click.option(
    "--table",
    metavar="FILE",
    help="With --paste: the facts of a table.",
    shell_complete=completed("tables"),
)
@click.option("--keys", is_flag=True, help="The keys of tables that are flags of commands, too.")
@click.option("--vocabulary", is_flag=True, help="The keys of table files and what they may hold.")
@click.option(
    "--verbs", is_flag=True, help="What can be asked of whom in players' words; of a verb all."
)
@common
def command(
    number: str | None,
    cites: bool,
    gaps: bool,
    paste: bool,
    table: str | None,
    keys: bool,
    vocabulary: bool,
    verbs: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Show all rules, or those of a number or predicate: lines in the file, scenarios.

    Of a chapter, as of the whole book, one line each; of a predicate the clauses that define it.
    """
    chosen = {"cites": cites, "gaps": gaps, "paste": paste}
    chosen |= {"keys": keys, "vocabulary": vocabulary, "verbs": verbs}
    wished = [f"--{name}" for name, wanted in chosen.items() if wanted]
    if len(wished) > 1:
        raise click.UsageError(f"{' and '.join(wished)} are different things to show: keep one")
    if table is not None and not paste:
        raise click.UsageError("--table is for --paste: say both")
    if gaps and number:
        raise click.UsageError(f"--gaps is about the whole book: leave {printable(number)} out")

    def work(step: Step) -> int:
        step(f"while reading {edition or 'the rules'}")
        if table is not None:
            return _paste_table(number, table, edition, as_json, step)
        book = load_book(edition)
        if vocabulary or verbs or keys:
            return _words(book, number, wished[0], as_json)
        wanted = _wanted(book, number)
        if paste:
            return _paste(book, () if number is None else wanted, (), "", as_json)
        scenarios = citing(book, edition)
        if gaps:
            return _gaps(book, scenarios, as_json)
        found = about_sections(book, wanted, scenarios, linked=as_json or cites)
        if as_json:
            tell({"edition": book.name, "sections": found})
        elif cites:
            click.echo("\n\n".join(map(_cites, found)))
        elif number and number not in book.sections and _inside(found[0]["number"], number):
            click.echo("\n".join(map(_row, found)))
            click.echo(f"{many(len(found), 'section')}; `seatlog show NUMBER` shows what one says")
        elif number:
            texts = texts_of(edition)
            head = number if found[0]["number"] != number else ""
            click.echo("\n\n".join(_text(book, s, texts, head) for s in found))
        else:
            click.echo("\n".join(_row(s) for s in found))
            left = sum(bool(s["left_out"]) for s in found)
            click.echo(
                f"{many(len(found), 'section')}, {many(len(book.clauses), 'clause')} "
                f"({_elsewhere(book)} in the vocabulary), {left} left out"
            )
            if not DEFAULT.is_dir():
                click.echo(f"scenarios weren't looked at: {NO_SCENARIOS}", err=True)
        return 0

    return watched(work, budget, as_json, SECONDS)


def _elsewhere(book: Book) -> int:
    """How many clauses stand under no number: they say what contradicts itself in a table."""
    return sum(not c.rule[:1].isdigit() for c in book.clauses)


def _paste_table(
    number: str | None, file: str, edition: str | None, as_json: bool, step: Step
) -> int:
    """The script with a table's facts, of the book that is asked about that table."""
    from ..game import open_session
    from ..table import asked

    step(f"while reading {file}")
    game = open_session(file, edition, step.goal)
    wanted = () if number is None else _wanted(game.book, number)
    facts = asked(game.table, game.book.vocabulary)
    return _paste(game.book, wanted, facts, file, as_json)


def _paste(
    book: Book, sections: Sequence[str], facts: Sequence[Statement], table: str, as_json: bool
) -> int:
    """The script of some sections, or of the whole book."""
    from ..views import script, section_script

    if sections and not any(c.rule in sections for c in book.clauses):
        number, left_out = sections[0], book.sections[sections[0]].left_out
        hint = f"left out: {left_out}" if left_out else ""
        raise NoRule(f"{number} has no clauses, so there is nothing to paste", hint=hint)
    text = section_script(book, sections, facts, table) if sections else script(book, facts)
    if as_json:
        tell({"edition": book.name, "script": text})
        return 0
    click.echo(text, nl=False)
    if not table:
        click.echo(NO_TABLE, err=True)
    return 0


def _words(book: Book, word: str | None, which: str, as_json: bool) -> int:
    """What can be said or asked, all of it or what has to do with one word."""
    if which == "--verbs":
        return _verbs(book, word, as_json)
    if which == "--keys":
        return _flags(book, word, as_json)
    lines = glossary_lines(book, word)
    if not lines:
        raise QuestionError(_nothing(word), hint=_near(word, glossary_words(book.vocabulary)))
    if not as_json:
        click.echo("\n".join(lines))
        return 0
    found = table_keys(book.vocabulary, word)
    keys = [{"key": k.key, "about": k.about, "holds": k.sorts, "fact": k.literal} for k in found]
    spoken = {s for k in found for s in k.sorts}
    wanted = {
        n: s for n, s in book.vocabulary.sorts.items() if not word or n in spoken or n == word
    }
    sorts = {name: sort.holds() for name, sort in wanted.items()}
    tell({"edition": book.name, "keys": keys, "sorts": sorts})
    return 0


def _flags(book: Book, word: str | None, as_json: bool) -> int:
    """The keys that are flags, with what stands behind them; those of a step are marked."""
    vocabulary = book.vocabulary
    every = flag_keys(vocabulary)
    found = {k: s for k, s in every.items() if word in (None, k, f"--{k}")}
    if not found:
        raise QuestionError(f"no flag is called {quoted(word)}", hint=_near(word, every))
    rows = [
        {
            "flag": f"--{key}",
            "like": flag_example(shapes, vocabulary),
            "about": flag_help(shapes),
            "momentary": all(fact.momentary for fact, _ in shapes),
        }
        for key, shapes in found.items()
    ]
    if as_json:
        tell({"edition": book.name, "flags": rows})
        return 0
    typed = [f"{row['flag']} {row['like']}" for row in rows]
    wide = max(map(len, typed))
    for text, row in zip(typed, rows, strict=True):
        click.echo(f"{text:<{wide}}  {row['about']}")
    return 0


def _verbs(book: Book, word: str | None, as_json: bool) -> int:
    """What can be asked of each sort, or of one; all about a verb."""
    found = forms(book, word)
    if not found:
        known = {w for f in forms(book) for w in f.text.split()}
        hint = _near(word, players(book)) or _near(word, known)
        raise QuestionError(_nothing(word, "can be asked"), hint=hint)
    own = [f for f in found if word is not None and f.verb.word == word.casefold()]
    if as_json:
        asked = {sort: [f.text for f in fs] for sort, fs in by_sort(book, found).items()}
        data = {"edition": book.name, "verbs": {f.text: f.yes for f in found}, "asked_of": asked}
        tell({**data, "about": [about_form(book, f) for f in own]})
        return 0
    lines = [x for f in own for x in verb_lines(book, f)]
    click.echo("\n".join(lines or sort_lines(book, found)))
    return 0


def _nothing(word: str | None, about: str = "can be said") -> str:
    return f"nothing here {about if word is None else f'has to do with {quoted(word)}'}"


def _near(word: str | None, known: Iterable[str]) -> str:
    return did_you_mean(word or "", known)


def _wanted(book: Book, number: str | None) -> list[str]:
    if number is None:
        return numbers(book)
    found = [n for n in book.sections if n == number or _inside(n, number)]
    found = found or list(dict.fromkeys(c.rule for c in book.clauses_of(number)))
    if not found and number in book.vocabulary.facts:
        hint = f"seatlog show --vocabulary {number}"
        raise NoRule(f"{number} is what tables say, and stands under no rule", hint=hint)
    if not found:
        known = numbers(book)
        others = [name for name in editions() if name != book.name and _has(name, number)]
        hint = f"{many(len(known), 'section')}, from {known[0]} to {known[-1]}" if known else ""
        hint = did_you_mean(number, [*book.predicates, *book.vocabulary.facts]) or hint
        raise NoRule(
            f"{book.title} as of {book.date}: no rule {printable(number)} here",
            hint=f"--edition {others[0]} has it" if others else hint,
        )
    return sorted(found, key=rule_order)


def _has(edition: str, number: str) -> bool:
    return any(n == number or _inside(n, number) for n in load_book(edition).sections)


def _inside(number: str, wanted: str) -> bool:
    """Whether a section is one of a rule's letters, or of a chapter's rules."""
    rest = number[len(wanted) :]
    return bool(wanted) and number.startswith(wanted) and (rest.isalpha() or rest[:1] == ".")


def _gaps(book: Book, scenarios: Sequence[Scenario], as_json: bool) -> int:
    there = DEFAULT.is_dir()
    wanted = book.settings.get("covers", ())
    found = gaps_of(book, scenarios if there else None)
    if not there:
        click.echo(f"note: scenarios weren't looked at: {NO_SCENARIOS}", err=True)
    chaptered = chapters(book, scenarios)
    if as_json:
        rows = [c._asdict() for c in chaptered]
        data = {"edition": book.name, "gaps": found, "covers": wanted, "chapters": rows}
        tell(data)
        return FAILED if found else 0
    for c in chaptered:
        parts = [many(c.numbers, "number")]
        parts += [f"{c.ruled} with clauses"] * bool(c.ruled)
        parts += [f"{c.left_out} left out"] * bool(c.left_out)
        parts += [f"{c.background} background"] * bool(c.background)
        cited = f"; {many(c.scenarios, 'scenario')}" * there
        click.echo(f"{paint(f'{c.chapter:<5}', 'cyan')} {', '.join(parts)}{cited}")
    have = sum(number in book.sections for number in wanted)
    covered = f"{have} of {len(wanted)} numbers that the book sets out to answer; " * bool(wanted)
    click.echo("\n".join(found) or f"{covered}{len(numbers(book))} sections, no gaps")
    return FAILED if found else 0


def _row(section: dict[str, Any]) -> str:
    number = paint(f"{section['number']:<8}", "cyan")
    if section["left_out"]:
        return f"{number} {section['title']} (left out: {section['left_out']})"
    counts = many(len(section["clauses"]), "clause")
    if DEFAULT.is_dir():
        counts += f", {many(len(section['scenarios']), 'scenario')}"
    return f"{number} {section['title']} ({counts})"


def _cites(section: dict[str, Any]) -> str:
    lines = [f"{paint(section['number'], 'cyan')}  {section['title']}"]
    lines.append("  rests on: " + (", ".join(section["rests_on"]) or "facts alone"))
    lines.append("  carries: " + (", ".join(section["carries"]) or "nothing but questions"))
    if DEFAULT.is_dir():
        lines.append(f"  cited by {many(len(section['scenarios']), 'scenario')}")
    else:
        lines.append(f"  scenarios: {NO_SCENARIOS}")
    lines += [f"    {s}" for s in section["scenarios"]]
    return "\n".join(lines)


def _text(book: Book, section: dict[str, Any], texts: Mapping[str, str], head: str) -> str:
    """A section, or what it says of one predicate."""
    number = section["number"]
    lines = section_lines(book, number, texts, {}, project_file, head)
    lines[0] = paint(number, "cyan") + lines[0].removeprefix(number)
    if section["scenarios"] and not head:
        lines.append("  scenarios:")
        lines += [f"    {s}" for s in section["scenarios"]]
    return "\n".join(lines)
