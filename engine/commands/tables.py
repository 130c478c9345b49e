"""The class of commands that take a table: a file, a shipped name, or quick flags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .sharing import TREES, Asked

if TYPE_CHECKING:
    from ..book import Book, Verb, Vocabulary

_KEY, _BEHIND = "key_", "behind_"
_TREE = "--tree"
_WORD = re.compile(r"--[a-z]+(?:=|$)")


class Flags(NamedTuple):
    """The flags that the book gave a command: table keys, and names behind prepositions."""

    texts: Mapping[str, tuple[str, ...]] = {}
    behind: Mapping[str, str] = {}

    def keys(self, vocabulary: Vocabulary | None = None) -> dict[str, Any]:
        """The table keys as a table file's data. Raises TableError."""
        from ..editions import load_book
        from ..table import parse_flag

        out: dict[str, Any] = {}
        for key, texts in self.texts.items():
            vocabulary = vocabulary or load_book().vocabulary
            out[key] = parse_flag(key, texts, vocabulary)
        return out

    def without(self, key: str) -> Flags:
        """The flags less one of the table's keys."""
        return self._replace(texts={k: v for k, v in self.texts.items() if k != key})


class OnceCommand(click.Command):
    """A command that takes each option once, as a file takes each key once."""

    def make_parser(self, ctx: click.Context) -> Any:
        """The parser, which refuses an option that is said twice."""
        parser: Any = super().make_parser(ctx)
        read = parser.parse_args

        def once(args: list[str]) -> Any:
            opts, rest, order = read(args=args)
            seen = set()
            for param in order:
                alone = isinstance(param, click.Option) and not param.multiple
                if param in seen and alone and not ctx.resilient_parsing:
                    raise click.UsageError(f"{param.opts[0]} is said twice: keep one", ctx=ctx)
                seen.add(param)
            return opts, rest, order

        parser.parse_args = once
        return parser


class BookCommand(OnceCommand):
    """A command whose help ends with the default book's own examples for it."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The book's examples, as they stand in its ``edition.toml``."""
        from ..editions import examples

        found = [e for e in examples() if e.split()[:1] == [ctx.info_name]]
        if found:
            with formatter.section("Examples"):
                for each in found:
                    formatter.write(f"  seatlog {each}\n")


class TableCommand(BookCommand):
    """A command with one flag for each top-level key of table files.

    The flags are made only when something on the command line looks like one.
    """

    flagged = True
    edition: str | None = None
    typed: Sequence[str] = ()
    _book: Book | None = None

    @property
    def shipped(self) -> bool:
        """Whether the book that is asked for is one of Seatlog's own."""
        from ..editions import editions

        return self.edition is None or self.edition in editions()

    @property
    def book(self) -> Book:
        """The book that is asked for, or the default one where that is a stranger's.

        A stranger's book is read only by the work that is watched.
        """
        if self._book is None:
            from ..editions import load_book

            self._book = load_book(self.edition if self.shipped else None)
        return self._book

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with the keys' flags only where they are needed."""
        at = args.index("--edition") + 1 if "--edition" in args[:-1] else 0
        joined = (arg.partition("=")[2] for arg in args if arg.startswith("--edition="))
        self.edition = args[at] if at else next(joined, None)
        self.typed = [a.partition("=")[0][2:] for a in args if _WORD.match(a)]
        self._book = None
        self.flagged = ctx.resilient_parsing or any(a.startswith("--") for a in args)
        try:
            rest = super().parse_args(ctx, _with_trees(args))
        except click.NoSuchOption as error:
            raise self._unknown(error) from None
        own = {p.name for p in self.params}
        given = {n: v for n, v in ctx.params.items() if n not in own}
        ctx.params = {n: v for n, v in ctx.params.items() if n in own}
        ctx.params["flags"] = Flags(_marked(_KEY, given), _marked(_BEHIND, given))
        return rest

    def _unknown(self, error: click.NoSuchOption) -> click.UsageError:
        """An option that isn't there, with what the book says of the word."""
        from ..book import TABLE

        hint = self.book.vocabulary.hint(TABLE, error.option_name.lstrip("-").replace("-", "_"))
        if not hint:
            return error
        return click.UsageError(f"no such option {error.option_name}: {hint}", ctx=error.ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then by their names alone those that the book gives."""
        self.flagged = False
        super().format_options(ctx, formatter)
        own = {o for p in self.params for o in p.opts}
        for title, names, more in self.groups():
            known = [f"--{name}" for name in names if f"--{name}" not in own]
            if known:
                with formatter.section(f"{title} ({more})"):
                    formatter.write_text(", ".join(known))

    def groups(self) -> list[tuple[str, list[str], str]]:
        """The flags of the book by what they are: a title, the names, and where there is more."""
        from ..table import flag_keys

        every = flag_keys(self.book.vocabulary).items()
        now = [key for key, shapes in every if all(f.momentary for f, _ in shapes)]
        lasting = [key for key, _ in every if key not in now]
        more = "`seatlog show --keys` says more"
        return [("What a table says", lasting, more), ("What happens", now, more)]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters and the flags."""
        if not self.flagged:
            return super().get_params(ctx)
        own = super().get_params(ctx)
        taken = {o for p in own for o in p.opts}
        return [*own, *(o for o in self.book_flags() if not taken & set(o.opts))]

    def book_flags(self) -> list[click.Parameter]:
        """The flags that the book gives the command."""
        from ..table import flag_example, flag_files, flag_help, flag_keys

        vocabulary = self.book.vocabulary
        aside = "Ask as if these keys weren't said, and say so with each answer."
        options: list[click.Parameter] = [
            click.Option(["--aside", f"{_KEY}aside"], multiple=True, metavar="KEY,…", help=aside)
        ]
        for key, shapes in flag_keys(vocabulary).items():
            options.append(
                click.Option(
                    [f"--{key}", f"{_KEY}{key}"],
                    multiple=True,
                    metavar=flag_example(shapes, vocabulary),
                    help=flag_help(shapes),
                    shell_complete=_one_of(flag_files(shapes, vocabulary)),
                )
            )
        return options


def _with_trees(args: Sequence[str]) -> list[str]:
    """The arguments with each ``--tree`` joined to how much is wanted: in brief if nothing is."""
    out: list[str] = []
    for arg in args:
        if out and out[-1] == _TREE and arg in TREES:
            out[-1] = f"{_TREE}={arg}"
        else:
            out[-1:] = [_brief(each) for each in out[-1:]]
            out.append(arg)
    return [*out[:-1], *map(_brief, out[-1:])]


def _brief(arg: str) -> str:
    return f"{_TREE}={TREES[0]}" if arg == _TREE else arg


def _marked(start: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given by flags of one kind, less the marks of their names."""
    return {n.removeprefix(start): v for n, v in given.items() if n.startswith(start) and v}


def _one_of(known: list[str]) -> Any:
    """A completion from fixed words."""
    return lambda _ctx, _param, typed: [word for word in known if word.startswith(typed)]


class AskingCommand(TableCommand):
    """A command that asks in players' words: each preposition of a verb is a flag as well.

    Until a stranger's book is read any word may be one.
    """

    def book_flags(self) -> list[click.Parameter]:
        """The keys, then the prepositions that aren't keys."""
        from ..game import prepositions

        verbs = self.book.verbs
        words = prepositions(verbs) if self.shipped else self.typed
        keys = super().book_flags()
        known = {o for key in keys for o in key.opts}
        return [
            *keys,
            *(
                click.Option(
                    [f"--{word}", f"{_BEHIND}{word}"],
                    metavar="NAME",
                    help="Behind the verb: " + ", ".join(_with(verbs, word)),
                )
                for word in dict.fromkeys(words)
                if f"--{word}" not in known
            ),
        ]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, and the verbs of whom they can be asked."""
        from ..errors import a
        from ..views import words_by_sort

        super().format_options(ctx, formatter)
        rows = [
            (a(sort.lower()) if sort else "anything", ", ".join(words))
            for sort, words in words_by_sort(self.book).items()
        ]
        if rows:
            with formatter.section("Verbs (`seatlog show --verbs VERB` says more of one)"):
                formatter.write_dl(rows)

    def groups(self) -> list[tuple[str, list[str], str]]:
        """The keys, and the prepositions."""
        from ..game import prepositions

        more = "`seatlog show --verbs` says of what"
        return [*super().groups(), ("Behind a verb", prepositions(self.book.verbs), more)]


def _with(verbs: Sequence[Verb], preposition: str) -> list[str]:
    """The verbs that take a preposition."""
    return sorted({v.word for v in verbs if preposition in dict(v.others)})


def is_table(word: str) -> bool:
    """Whether a word on the command line names a table: a file, or a shipped table."""
    if word.endswith(".toml") or "/" in word:
        return True
    from ..editions import where
    from ..language import is_file

    return is_file(word) or is_file(f"{where('facts')}/tables/{word}.toml")


def split_table(words: tuple[str, ...], flags: Flags, usage: str, most: int) -> Asked:
    """The table among the words, the quick flags, and the other words. Raises click.UsageError."""
    keys = flags.keys()
    if words and is_table(words[0]) and (len(words) > 1 or not keys):
        return Asked(words[0], keys, words[1:])
    if keys:
        return Asked(None, keys, words)
    if len(words) >= most + 1:
        return Asked(words[0], keys, words[1:])
    raise click.UsageError(
        f"which table? Give a file, a shipped table's name, or quick flags.\nUsage: {usage}"
    )


def only_table(table: str | None, flags: Flags) -> Asked:
    """A table alone. Raises click.UsageError where nothing says one."""
    keys = flags.keys()
    if table is None and not keys:
        raise click.UsageError("which table? Give a file, a shipped table's name, or flags.")
    return Asked(table, keys)
