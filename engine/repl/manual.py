"""What can be typed: the session's own commands, and the help that lists them and all verbs."""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple

from ..book import COMMAND
from ..errors import QuestionError, a, quoted
from ..game import near_miss, players
from ..views import forms, sort_lines, verb_lines, words_by_sort
from .state import State
from .verbs import usage, verbs

LEFT, WIDTH = 31, 100


class Entry(NamedTuple):
    """A command: its name, what comes behind it, what it does, and what else there is to say."""

    name: str
    args: str
    about: str
    more: str = ""


COMMANDS = (
    Entry(
        "why",
        "[QUESTION]",
        "the last answer's reason step by step, or that of a question",
        "Without a question the last one is asked again, so that it is about the table as it is.",
    ),
    Entry("tree", "[QUESTION]", "the same with every step there is"),
    Entry("show", "NUMBER", "a rule of the book, with the session's changes in it"),
    Entry("facts", "[WORD]", "all facts, or those that speak of a word"),
    Entry("names", "", "who and what is at the table"),
    Entry("draw", "[VERB]", "who sits where, and who reaches whom"),
    Entry(
        "no",
        "VERB …",
        "take the fact of a verb away",
        "So many of its arguments as tell it apart are enough.",
    ),
    Entry("undo", "", "take the last change back"),
    Entry("redo", "", "make the change again that was taken back"),
    Entry(
        "save",
        "FILE",
        "write the facts as a table file; `:save!` over an old one",
        "The file is read back to the same facts. The session's rules are for `:save-rules`.",
    ),
    Entry("load", "FILE", "another table: a file, or a shipped one by its name"),
    Entry(
        "rule",
        "[NUMBER] CLAUSE",
        "add a clause for this session; alone: what was changed",
        "Notes like `# no: …` go on lines of their own above it. A line goes on while a bracket\n"
        "is open or an operator ends it; an empty line ends it anyhow. Without a number the\n"
        "clause is cited as `session`. Behind a number alone several clauses go on the next\n"
        "lines, until an empty one.",
    ),
    Entry(
        "replace",
        "NUMBER",
        "another text for a section, on the next lines until an empty one",
        "Everything under the number gives way: clauses, sentences, doubts, verbs, digests, and\n"
        "what the session added or took out there. What was lost is said.",
    ),
    Entry(
        "edit",
        "NUMBER",
        "the same in your editor, which has the section's text",
        "The editor is that of $VISUAL or $EDITOR. A text that was refused is opened again.",
    ),
    Entry(
        "drop",
        "HEAD/n | NUMBER",
        "take the clauses of a head or of a section out",
        "A predicate without clauses is still known; it just never holds.",
    ),
    Entry(
        "diff",
        "[PATH] [--bound B] [--games N]",
        "what the changed rules change: what was asked, scenarios, any game",
        "Every question asked so far is asked twice about the table as it is: by the book, and\n"
        "by the rules of this session. Then come the sections that differ, all verdicts at this\n"
        "table, the scenarios of a file or folder (tests/scenarios where that is there), and all\n"
        "small games: one in which a verdict differs, or the proof that there is none. How small\n"
        "is `--bound players=4,things=2`, and `--bound none` leaves them out; `--games 200` shows\n"
        "a small game for each kind of difference in so many that are drawn (`--seed 2`: others).\n"
        "`--verb VERB` looks at its questions alone. Ctrl-C ends it.",
    ),
    Entry(
        "test",
        "[PATH]",
        "run scenarios under the rules of this session",
        "Those of a file or a folder; of tests/scenarios where none is named.",
    ),
    Entry(
        "save-rules",
        "FOLDER",
        "write the changed rules as an edition; `:save-rules!` over an old one",
        "It has only the sections that differ. Clauses of `:rule NUMBER` go into their sections,\n"
        "and what was dropped is left out; a clause that stands in no section can't be saved.",
    ),
    Entry(
        "change",
        "[QUESTION]",
        "the smallest change of the table that would turn the answer",
    ),
    Entry(
        "turn",
        "",
        "on to the next state; verbs that say what happens go there by themselves",
        "What happens at one moment is said by verbs like `:leave` (several with commas between),\n"
        "or as `+ fact(…)` before it.",
    ),
    Entry("help", "[COMMAND]", "this; `?` does the same"),
    Entry(
        "resume",
        "",
        "take up the changes of a session that ended without `:quit`",
        "What changes something is kept as it is typed, in the folder of prepared books\n"
        "($SEATLOG_CACHE/sessions), until the session is left. Whatever can't be done is said.",
    ),
    Entry("forget", "", "drop those changes for good"),
    Entry("quit", "", "leave; so does Ctrl-D"),
)
BY_NAME = {entry.name: entry for entry in COMMANDS} | {
    "save!": Entry("save!", "FILE", "write the facts over an old table file"),
    "save-rules!": Entry("save-rules!", "FOLDER", "write the changed rules over an old edition"),
}


BARE = {entry.name for entry in COMMANDS if not entry.args}
"""The commands that take nothing behind them."""


def known(state: State) -> list[str]:
    """Every command and every verb; a command goes before a verb of the same name."""
    return [*BY_NAME, *(v for v in verbs(state) if v not in BY_NAME)]


def meant(state: State, typed: str) -> str:
    """The command a person means, whatever its case. Raises QuestionError with a near one."""
    word = typed.removeprefix(":").casefold()
    if word in known(state):
        return word
    near = near_miss(word, known(state))
    near = f"did you mean `:{near}`?" if near else "`:help` lists them"
    hint = state.vocabulary.hint(COMMAND, word) or near
    raise QuestionError(f"no command is called {quoted(typed)}", hint=hint)


def page(state: State, word: str) -> str:
    """The help for one command or verb, or the list of everything."""
    if word:
        return _about(state, word)
    lines = ["A question in players' words or in clause syntax:"]
    lines.append(_row("WHO VERB [WHAT]", "`:help VERB` says what a verb asks"))
    for sort, own in words_by_sort(state.book).items():
        lines.append(_row(f"  {a(sort.lower()) if sort else 'anything'}", ", ".join(own)))
    lines.append(
        _row("who VERB [WHAT]", "all who can; `what` asks for things, or `which` and what")
    )
    lines.append(
        _row("predicate(Name, X) & …", "capitalised words are variables, unless they are names")
    )
    lines.append("Commands:")
    lines += [_row(f":{e.name} {e.args}", e.about) for e in COMMANDS]
    lines.append("What a table can be told (what is said again with the same key is replaced):")
    for verb, facts in verbs(state).items():
        for fact in facts:
            lines.append(_row(usage(state, verb, [fact]), fact.about))
    lines.append(_row("+ fact('A', 1)   - fact('A', 1)", "any fact, in clause syntax"))
    return "\n".join(lines)


def _about(state: State, word: str) -> str:
    """What there is to say of a word: as a command, as a verb of a question, or as a sort."""
    asked = [f for f in forms(state.book, word) if f.verb.word == word.casefold()]
    pages = ["\n".join(verb_lines(state.book, form)) for form in asked]
    own = forms(state.book, word)
    if word.casefold() in known(state) and not (pages and word.startswith(":")):
        pages.insert(0, _entry(state, word.casefold()))
    if not pages and own:
        pages = ["\n".join(sort_lines(state.book, own))]
    if not pages:
        near = near_miss(word.removeprefix(":"), [*known(state), *players(state.book)])
        if near and near not in known(state):
            raise QuestionError(
                f"no command or verb is called {quoted(word)}", hint=f"did you mean {quoted(near)}?"
            )
        pages = [_entry(state, meant(state, word))]
    return "\n".join(pages)


def _row(left: str, right: str) -> str:
    start = f"  {left.strip():{LEFT}}  "
    indent = " " * (LEFT + 4)
    return fill(right, WIDTH, initial_indent=start, subsequent_indent=indent) if right else start


def _entry(state: State, name: str) -> str:
    entry = BY_NAME.get(name)
    if entry:
        lines = [f":{entry.name} {entry.args}".strip(), f"  {entry.about}"]
        return "\n".join([*lines, *(f"  {line}" for line in entry.more.split("\n") if line)])
    lines = []
    for fact in verbs(state)[name]:
        lines += [usage(state, name, [fact]), f"  {fact.about}".rstrip()]
        for key in fact.keys:
            each = " and ".join(fact.args[i] for i in key)
            lines.append(f"  one at most{' for each ' + each if each else ''}")
        lines.append(f"  :no {name} … takes it away; + {fact.name}({', '.join(fact.args)})")
    return "\n".join(lines)
