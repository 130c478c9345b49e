"""SQL out of a book's clauses, over tables that hold many games at once: a column says which.

One table a predicate, made in the order in which they rest on each other: a positive literal is a
join, a negation NOT EXISTS, a count a correlated one, a walk a recursive query. Names are numbers
of their own. What rests on no fact of a game has no column for the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from seatlog.book import Book, numeric
from seatlog.model import Comparison, Const, Count, Item, Literal, Row, Term, Value, Var, literals
from seatlog.solvers import Reduced

Facts = Mapping[tuple[str, Row], int]
"""The facts that games state, each with the games that do: bit ``k`` is game ``k``."""


class Query(NamedTuple):
    """A SELECT in the making: where it reads from, on what conditions, what variables are."""

    sources: list[str]
    conditions: list[str]
    values: dict[str, str]


class Schema:
    """The tables of one book for games that state some facts and no others."""

    def __init__(
        self, book: Book, stated: Iterable[str], codes: dict[Value, int], mark: str = "p"
    ) -> None:
        self.codes, self.facts = codes, book.vocabulary.facts
        self.numbers = numeric(book.clauses, book.vocabulary)
        reduced = Reduced(book, set(stated))
        self.arity = reduced.arity
        self._bodies = {name: list(reduced.clauses(name)) for name in book.by_head}
        self._tables = {name: f"{mark}{i}" for i, name in enumerate(sorted(self._bodies))}
        self._tables.update((name, f"f{i}") for i, name in enumerate(sorted(self.facts)))
        self._fixed: dict[str, bool] = {}

    def table(self, name: str) -> str:
        """The table of a predicate; those of facts are shared by all books."""
        return self._tables[name]

    def code(self, value: Value) -> int:
        """A value as it stands in the tables."""
        return value if isinstance(value, int) else self.codes.setdefault(value, len(self.codes))

    def fixed(self, name: str) -> bool:
        """Whether a predicate holds of the same rows in all games."""
        if name not in self._fixed:
            self._fixed[name] = True
            below = {x.name for _, body in self._bodies.get(name, ()) for x in literals(body)}
            self._fixed[name] = name not in self.facts and all(map(self.fixed, below))
        return self._fixed[name]

    def order(self, wanted: Iterable[str]) -> list[str]:
        """Predicates and all they rest on, those first; no facts."""
        out: dict[str, None] = {}

        def visit(name: str, above: tuple[str, ...] = ()) -> None:
            if name in out or name in above or name in self.facts:
                return
            for _, body in self._bodies[name]:
                for literal in literals(body):
                    visit(literal.name, (*above, name))
            out[name] = None

        for name in wanted:
            visit(name)
        return list(out)

    def statements(self, wanted: Iterable[str]) -> Iterator[str]:
        """What makes the tables of some predicates and of all they rest on."""
        for name in self.order(wanted):
            base: list[str] = []
            steps: list[str] = []
            for head, body in self._bodies[name]:
                walks = any(x.name == name for x in literals(body))
                (steps if walks else base).append(self._select(head, body))
            columns = [f"a{i}" for i in range(self.arity[name])]
            if not self.fixed(name):
                columns.insert(0, "game")
            if not base:
                nothing = ", ".join(f"0::INTEGER AS {column}" for column in columns)
                base = [f"SELECT {nothing} WHERE false"]
            made = " UNION ".join(base) if len(base) > 1 else _distinct(base[0])
            if steps:
                made = (
                    f"WITH RECURSIVE walk({', '.join(columns)}) AS (({made}) UNION "
                    f"({' UNION ALL '.join(steps)})) SELECT * FROM walk"
                )
            yield f"CREATE TEMP TABLE {self.table(name)} AS {made}"

    def _select(self, head: Literal, body: list[Item]) -> str:
        query = Query([], [], {})
        for number, item in enumerate(body):
            self._add(query, item, number, head.name)
        wanted = [f"{self._term(t, query)} AS a{i}" for i, t in enumerate(head.args)]
        if not self.fixed(head.name):
            wanted.insert(0, f"{self._game(query)} AS game")
        text = f"SELECT {', '.join(wanted)}"
        if query.sources:
            text += f" FROM {', '.join(query.sources)}"
        return text + (f" WHERE {' AND '.join(query.conditions)}" if query.conditions else "")

    def _add(self, query: Query, item: Item, number: int, own: str) -> None:
        """One item of a body."""
        if isinstance(item, Comparison):
            self._compare(query, item)
        elif isinstance(item, Count):
            inner = self._matching(query, item.literal, f"c{number}")
            self._bind(query, item.result.name, f"(SELECT count(*)::INTEGER FROM {inner})")
        elif item.negated:
            query.conditions.append(
                f"NOT EXISTS (SELECT 1 FROM {self._matching(query, item, f'n{number}')})"
            )
        else:
            name, alias = item.name, f"t{number}"
            query.sources.append(f"{'walk' if name == own else self.table(name)} AS {alias}")
            if not self.fixed(name):
                self._bind(query, "", f"{alias}.game")
            for spot, term in enumerate(item.args):
                if isinstance(term, Var):
                    self._bind(query, term.name, f"{alias}.a{spot}")
                else:
                    query.conditions.append(f"{alias}.a{spot} = {self._term(term, query)}")

    def _compare(self, query: Query, item: Comparison) -> None:
        for one, other in ((item.left, item.right), (item.right, item.left)):
            if item.op == "==" and isinstance(one, Var) and one.name not in query.values:
                query.values[one.name] = self._term(other, query)
                return
        op = {"==": "=", "!=": "<>"}.get(item.op, item.op)
        left, right = self._term(item.left, query), self._term(item.right, query)
        query.conditions.append(f"{left} {op} {right}")

    def _matching(self, query: Query, literal: Literal, alias: str) -> str:
        """A table and on what conditions its rows are a literal's, for a subquery."""
        found: list[str] = []
        own: dict[str, str] = {}
        if not self.fixed(literal.name):
            found.append(f"{alias}.game = {self._game(query)}")
        for spot, term in enumerate(literal.args):
            column = f"{alias}.a{spot}"
            if isinstance(term, Var) and term.name not in query.values:
                if term.name in own:
                    found.append(f"{column} = {own[term.name]}")
                own[term.name] = column
            else:
                found.append(f"{column} = {self._term(term, query)}")
        conditions = f" WHERE {' AND '.join(found)}" if found else ""
        return f"{self.table(literal.name)} AS {alias}{conditions}"

    def _bind(self, query: Query, variable: str, value: str) -> None:
        if variable in query.values:
            query.conditions.append(f"{query.values[variable]} = {value}")
        else:
            query.values[variable] = value

    def _game(self, query: Query) -> str:
        """The game that a query is about; of all games where it reads of none."""
        if "" not in query.values:
            query.sources.append("games AS g")
            query.values[""] = "g.game"
        return query.values[""]

    def _term(self, term: Term, query: Query) -> str:
        if isinstance(term, Const):
            return str(self.code(term.value))
        if isinstance(term, Var):
            return query.values[term.name]
        return f"({self._term(term.left, query)} {term.op} {self._term(term.right, query)})"


def _by_game(schema: Schema, name: str) -> str:
    """The rows of a predicate with the game, whether it has a column for that or not."""
    if schema.fixed(name):
        return f"SELECT g.game, t.* FROM games AS g, {schema.table(name)} AS t"
    return f"SELECT * FROM {schema.table(name)}"


def _distinct(select: str) -> str:
    return select.replace("SELECT", "SELECT DISTINCT", 1)


class Games:
    """A database in memory with the facts of games, each table sorted by game."""

    def __init__(self, schema: Schema, facts: Facts, games: int, threads: int = 1) -> None:
        duckdb, numpy = import_module("duckdb"), import_module("numpy")
        self.connection: Any = duckdb.connect(config={"threads": threads})
        every = {"game": numpy.arange(games, dtype=numpy.int32)}
        self.connection.register("every", every)
        self.connection.execute("CREATE TABLE games AS SELECT * FROM every")
        rows: dict[str, list[tuple[Row, int]]] = {name: [] for name in schema.facts}
        for (name, row), held in facts.items():
            rows[name].append((row, held))
        for name, said in rows.items():
            columns = ["game", *(f"a{i}" for i in range(len(schema.facts[name].args)))]
            at = [_where(held, games) for _, held in said]
            made = {"game": numpy.concatenate([numpy.empty(0, numpy.int32), *at])}
            for spot, column in enumerate(columns[1:]):
                codes = [
                    numpy.full(len(held), schema.code(row[spot]))
                    for (row, _), held in zip(said, at, strict=True)
                ]
                made[column] = numpy.concatenate([numpy.empty(0), *codes]).astype(numpy.int32)
            self.connection.register("said", made)
            self.connection.execute(
                f"CREATE TABLE {schema.table(name)} AS SELECT * FROM said ORDER BY game"
            )
            self.connection.unregister("said")

    def solve(self, schema: Schema, wanted: Iterable[str]) -> None:
        """Make the tables of some predicates and of all they rest on, anew."""
        for statement in schema.statements(wanted):
            name = statement.split()[3]
            self.connection.execute(f"DROP TABLE IF EXISTS {name}")
            self.connection.execute(statement)

    def rows(self, schema: Schema, name: str, below: int) -> set[tuple[int, Row]]:
        """The rows of a predicate in the games below one, each with its game."""
        names = {code: value for value, code in schema.codes.items()}
        numbers = schema.numbers.get(name, frozenset())
        where = "" if schema.fixed(name) else f" WHERE game < {below}"
        found = self.connection.execute(f"SELECT * FROM {schema.table(name)}{where}").fetchall()
        out: set[tuple[int, Row]] = set()
        for row in found:
            values = row if schema.fixed(name) else row[1:]
            said = tuple(v if i in numbers else names[v] for i, v in enumerate(values))
            games = range(below) if schema.fixed(name) else range(row[0], row[0] + 1)
            out.update((game, said) for game in games)
        return out

    def memory(self) -> int:
        """The bytes that the database takes, by its own account."""
        found = self.connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")
        return int(found.fetchone()[0])

    def differing(self, one: Schema, other: Schema, names: Iterable[str]) -> int:
        """In how many games two books part on some predicates."""
        parts = []
        for name in names:
            sides = [_by_game(schema, name) for schema in (one, other)]
            for first, second in (sides, sides[::-1]):
                parts.append(f"SELECT game FROM ({first} EXCEPT {second})")
        count = self.connection.execute(
            f"SELECT count(DISTINCT game) FROM ({' UNION ALL '.join(parts)})"
        ).fetchone()
        return int(count[0])


def _where(held: int, games: int) -> Any:
    """The games whose bit is set."""
    numpy: Any = import_module("numpy")
    data = held.to_bytes((games + 7) // 8, "little")
    return numpy.flatnonzero(
        numpy.unpackbits(numpy.frombuffer(data, numpy.uint8), bitorder="little")
    ).astype(numpy.int32)
