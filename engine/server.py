"""What an editor asks and is told of clause files, in the language server protocol.

The only module that imports pygls and its types. It carries texts to ``editing`` and answers back:
requests are answered by one thread, whole editions are checked by another, in a process of its own
that is ended when its budget runs out, so that no text keeps an editor waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from .budget import Budget, within
from .editing import (
    VOCABULARY,
    Desk,
    Edition,
    Fault,
    Positions,
    Refused,
    Span,
    Symbol,
    beside,
    changed,
    checked,
    definitions,
    edition_of,
    heading,
    hover,
    listed,
    misread,
    number_at,
    prepare,
    references,
    renamed,
    shown,
    sound,
    symbols,
    titled,
    word_at,
)
from .errors import BudgetError, SeatlogError, TextError, printable
from .language import PREDICATE, Word, laid_out
from .version import VERSION

PAUSE = 0.2
"""So many seconds without a change are waited for before a whole edition is checked."""
MOST_PLACES = 1_000
"""So many places are told at most."""
SOURCE = "seatlog"
T = TypeVar("T")
Faults = Mapping[Path, list[Fault]]


class Asked(Protocol):
    """What a request is about: a file, and a position in it."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Server(LanguageServer):
    """A language server for clause files."""

    def __init__(self, allowed: Budget) -> None:
        self.allowed = allowed
        """What checking an edition may take."""
        full = types.TextDocumentSyncKind.Full
        super().__init__(SOURCE, VERSION, text_document_sync_kind=full)
        self.desk = Desk()
        self.asked = ThreadPoolExecutor(1, "asked")
        self.checking = ThreadPoolExecutor(1, "checking")
        self.turns: dict[Path, int] = {}
        """How often each edition has changed, so that what comes too late isn't told."""
        self.told: dict[Path, set[Path]] = {}
        """The files of each edition in which faults are shown."""
        self.last: dict[Path, list[Fault]] = {}
        """What was told last of each file."""
        self.uris: dict[Path, str] = {}
        """What the editor calls the files that it has had open."""
        self.later: set[asyncio.Task[None]] = set()

    def positions(self, text: str) -> Positions:
        """The positions of a text as the editor counts them."""
        return Positions(text, str(self.workspace.position_encoding or "utf-16"))

    def uri(self, path: Path) -> str:
        """A file as the editor calls it."""
        return self.uris.get(path) or uris.from_fs_path(str(path)) or ""

    async def aside(self, work: Callable[[], T]) -> T:
        """What some work for a request comes to."""
        return await asyncio.get_running_loop().run_in_executor(self.asked, work)

    # What is open

    def opened(self, uri: str, text: str) -> None:
        """A text is open, or is another one now."""
        path = path_of(uri)
        if path not in self.desk.texts:
            self.last.pop(path, None)
        self.uris[path] = uri
        self.desk.put(path, text)
        self._soon(self._misread(path, text))
        self.changed(path)

    def closed(self, uri: str) -> None:
        """A text isn't open any more: what counts is on disc again."""
        path = path_of(uri)
        unsaved = self.desk.unsaved(path)
        self.desk.take(path)
        folder = edition_of(path)
        if folder in self.desk.open_folders():
            if unsaved:
                self.changed(path)
            return
        for other in self.told.pop(folder, ()) if folder else ():
            self._tell(other, ())
        self._tell(path, ())

    def changed(self, path: Path) -> None:
        """Something has changed in a file: the editions that have to do with it are checked."""
        if path.name == VOCABULARY or edition_of(path):
            for folder in self.desk.open_folders():
                self.turns[folder] = self.turns.get(folder, 0) + 1
                self._soon(self._check(folder, self.turns[folder]))

    def _soon(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self.later.add(task)
        task.add_done_callback(self.later.discard)

    async def _misread(self, path: Path, text: str) -> None:
        """Tell at once what can't be read; what else is known stays until all was checked."""
        with self._failing(path):
            errors = await self.aside(lambda: misread(self.desk, path))
            folder = edition_of(path)
            alone = path.name == VOCABULARY or folder is None
            if self.desk.texts.get(path) == text.replace("\r\n", "\n") and (errors or alone):
                self._tell(path, listed(errors), text)
                if folder:
                    self.told.setdefault(folder, set()).add(path)

    async def _check(self, folder: Path, turn: int) -> None:
        """Tell all faults of an edition, unless something has changed meanwhile."""
        await asyncio.sleep(PAUSE)
        if self.turns.get(folder) != turn:
            return
        with self._failing(folder / "edition.toml"):
            loop = asyncio.get_running_loop()
            found, texts = await loop.run_in_executor(self.checking, lambda: self._faults(folder))
            if self.turns.get(folder) != turn or folder not in self.desk.open_folders():
                return
            for path in self.told.get(folder, set()) - set(found):
                self._tell(path, ())
            self.told[folder] = set(found)
            opened = [path for path in self.desk.texts if self.desk.folders[path] == folder]
            for path in {*found, *opened}:
                self._tell(path, found.get(path, ()), texts.get(path, ""))

    def _faults(self, folder: Path) -> tuple[Faults, Mapping[Path, str]]:
        """The faults of an edition by files, and what its files hold."""
        settings = folder / "edition.toml"
        try:
            edition = self.desk.edition(folder)
        except SeatlogError as error:
            return {settings: listed(error.errors)}, {}
        texts = {path: edition.texts[name] for name, path in edition.paths.items()}
        prepare(self.desk, edition)
        try:
            errors = within(self.allowed, checked, self.desk, edition)
        except BudgetError as error:
            what = f"this edition isn't checked: {error.what}"
            return {settings: [Fault(what, None)]}, texts
        return shown(errors, edition), texts

    def _tell(self, path: Path, faults: Iterable[Fault], text: str = "") -> None:
        """Show the faults of a file, and no others; nothing is said twice in a row."""
        those = list(faults)
        if self.last.get(path) == those:
            return
        self.last[path] = those
        positions = self.positions(text)
        found = [diagnostic(positions, each) for each in those]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(self.uri(path), found)
        )

    @contextlib.contextmanager
    def _failing(self, path: Path) -> Any:
        """What goes wrong in here is told as a fault of a file."""
        try:
            yield
        except Exception as error:
            said = f"Seatlog itself failed ({type(error).__name__}: {printable(str(error))})"
            self._tell(path, [Fault(said, None)])

    # What is asked

    def text(self, uri: str) -> str:
        """The text of a file that is open; nothing of another."""
        return self.desk.texts.get(path_of(uri), "")

    def edition(self, uri: str) -> tuple[Edition, str] | None:
        """The edition that a file belongs to, and the file's name in it, if that can be read."""
        path = path_of(uri)
        folder = edition_of(path)
        if folder is None and path.name == VOCABULARY:
            near = (f for f in self.desk.open_folders() if beside(f) == path.parent)
            folder = next(near, None)
        if folder is None:
            return None
        try:
            edition = self.desk.edition(folder)
        except SeatlogError:
            return None
        file = next((name for name, each in edition.paths.items() if each == path), "")
        return (edition, file) if file else None

    def word(self, params: Asked) -> Word | None:
        """The name at a position."""
        text, line, column = self._at(params)
        file = path_of(params.text_document.uri).name
        known = self.edition(params.text_document.uri)
        return word_at(self.desk, text, known[1] if known else file, line, column)

    def _at(self, params: Asked) -> tuple[str, int, int]:
        text = self.text(params.text_document.uri)
        at = params.position
        return text, *self.positions(text).spot((at.line, at.character))

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """What there is to say of what stands at a position."""
        found = self.edition(params.text_document.uri)
        if found is None:
            return None
        edition, _ = found
        word = self.word(params)
        if word is None:
            said = titled(self.desk, edition, number_at(*self._at(params)))
            where = None
        else:
            said = hover(self.desk, edition, word) if word.kind == PREDICATE else ""
            where = span(self.positions(self.text(params.text_document.uri)).span(word.place))
        plain = types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(plain, said), where) if said else None

    def places(self, params: Asked, every: bool) -> list[types.Location]:
        """Where that is defined which stands at a position, or where it is named."""
        found = self.edition(params.text_document.uri)
        if found is None:
            return []
        edition, _ = found
        word = self.word(params)
        if word is None:
            number = number_at(*self._at(params))
            spots = heading(self.desk, edition, number)
        elif word.kind != PREDICATE:
            return []
        elif every:
            spots = references(self.desk, edition, word.text)
        else:
            spots = definitions(self.desk, edition, word.text)
        texts = {path: edition.texts[name] for name, path in edition.paths.items()}
        there: dict[Path, Positions] = {}
        told = []
        for path, place in spots[:MOST_PLACES]:
            if path not in there:
                there[path] = self.positions(texts[path])
            told.append(types.Location(self.uri(path), span(there[path].span(place))))
        return told

    def can_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        """The name at a position that can be another one."""
        word = self.word(params)
        text = self.text(params.text_document.uri)
        return span(self.positions(text).span(word.place)) if word else None

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """The changes by which what stands at a position is called otherwise."""
        found, word = self.edition(params.text_document.uri), self.word(params)
        if found is None or word is None:
            raise Refused("only names in an edition's clauses can be others")
        edition, file = found
        texts = renamed(self.desk, edition, file, word, params.new_name)
        within(self.allowed, sound, self.desk, edition, texts)
        changes = {}
        for path, text in texts.items():
            edit = self._edit(path, self.desk.text(path), text)
            changes[self.uri(path)] = [edit] if edit else []
        return types.WorkspaceEdit(changes)

    def format(self, uri: str) -> list[types.TextEdit]:
        """What lays a text out; nothing for one that has faults."""
        text, path = self.text(uri), path_of(uri)
        try:
            edit = self._edit(path, text, laid_out(text, path.name))
        except SeatlogError:
            return []
        return [edit] if edit else []

    def _edit(self, path: Path, old: str, new: str) -> types.TextEdit | None:
        """What makes a file's text another one, with the line ends that the file has."""
        put = changed(old, new)
        if put is None:
            return None
        where = types.Range(types.Position(put.first, 0), types.Position(put.last, 0))
        return types.TextEdit(where, put.text.replace("\n", self.desk.line_end(path)))

    def symbols(self, uri: str) -> list[types.DocumentSymbol]:
        """The sections of a file."""
        text = self.text(uri)
        positions = self.positions(text)

        def told(symbol: Symbol, kind: types.SymbolKind) -> types.DocumentSymbol:
            inner = [told(each, types.SymbolKind.Function) for each in symbol.inner]
            whole = span(positions.lines(symbol.place.line, symbol.last))
            name = span(positions.span(symbol.place))
            return types.DocumentSymbol(symbol.name, kind, whole, name, children=inner)

        found = symbols(self.desk, text, path_of(uri).name)
        return [told(each, types.SymbolKind.Namespace) for each in found]


def path_of(uri: str) -> Path:
    """The file that a text is, or a name under which no file lies."""
    return Path(uris.to_fs_path(uri) or uri)


def span(found: Span) -> types.Range:
    """A span in the protocol's terms."""
    return types.Range(types.Position(*found.start), types.Position(*found.end))


def diagnostic(positions: Positions, fault: Fault) -> types.Diagnostic:
    """A fault in the protocol's terms."""
    severity = types.DiagnosticSeverity.Warning if fault.care else types.DiagnosticSeverity.Error
    where = span(positions.span(fault.place))
    return types.Diagnostic(where, fault.text, severity, fault.code or None, source=SOURCE)


def serve(allowed: Budget) -> int:
    """Answer an editor over standard input and output until it goes; returns the exit code.

    An edition is checked within what is allowed.
    """
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise TextError("an editor talks to this over standard input and output, which are closed")
    logging.disable(logging.CRITICAL)
    out = os.fdopen(os.dup(sys.__stdout__.fileno()), "wb")
    with contextlib.redirect_stdout(sys.stderr), out:
        made(allowed).start_io(cast("BinaryIO", sys.__stdin__.buffer), out)
    return 0


def made(allowed: Budget) -> Server:
    """A server with all that it answers."""
    server = Server(allowed)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri, params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def typed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.opened(uri, server.workspace.get_text_document(uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.changed(path_of(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await server.aside(lambda: server.hover(params))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        return await server.aside(lambda: server.places(params, False))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        return await server.aside(lambda: server.places(params, True))

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def can_rename(params: types.PrepareRenameParams) -> types.Range | None:
        return await server.aside(lambda: server.can_rename(params))

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return await server.aside(lambda: server.rename(params))
        except SeatlogError as error:
            failed = types.LSPErrorCodes.RequestFailed
            raise JsonRpcException(error.said(False), code=failed) from None

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def layout(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return await server.aside(lambda: server.format(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return await server.aside(lambda: server.symbols(params.text_document.uri))

    return server
