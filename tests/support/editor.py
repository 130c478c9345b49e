"""An editor that talks to ``seatlog serve``, started as a process of its own, over its streams."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.lsp.client import LanguageClient

from places import ROOT

T = TypeVar("T")
PATIENCE = 60.0


class Editor:
    """The texts that are open in it, and the diagnostics that it was sent for them."""

    def __init__(self, *encodings: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("editor", "1")
        self.told: dict[str, list[types.Diagnostic]] = {}
        self.versions: dict[Path, int] = {}

        def told(params: types.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = list(params.diagnostics)

        feature: Any = self.client.feature
        feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(told)
        general = types.GeneralClientCapabilities(position_encodings=list(encodings) or None)
        rename = types.RenameClientCapabilities(prepare_support=True)
        texts = types.TextDocumentClientCapabilities(rename=rename)
        able = types.ClientCapabilities(general=general, text_document=texts)
        asked = types.InitializeParams(able, os.getpid())
        words = (sys.executable, "-m", "seatlog", "serve", "--budget", "2s")
        self.run(self.client.start_io(*words, cwd=ROOT))
        self.can = self.run(self.client.initialize_async(asked)).capabilities
        self.client.initialized(types.InitializedParams())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of a request."""
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def close(self) -> int | None:
        """End the server as an editor does; its exit code."""
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        code = self.run(server.wait())
        stop: Any = self.client.stop
        self.run(stop())
        self.loop.close()
        return code

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, or a text that isn't there yet."""
        said = path.read_text(encoding="utf-8") if text is None else text
        self.versions[path] = 1
        item = types.TextDocumentItem(uri(path), "seatlog", 1, said)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, path: Path, text: str) -> None:
        """Make a text another one."""
        self.versions[path] += 1
        known = types.VersionedTextDocumentIdentifier(self.versions[path], uri(path))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        params = types.DidChangeTextDocumentParams(known, [whole])
        self.client.text_document_did_change(params)

    def save(self, path: Path) -> None:
        params = types.DidSaveTextDocumentParams(self.named(path))
        self.client.text_document_did_save(params)

    def shut(self, path: Path) -> None:
        params = types.DidCloseTextDocumentParams(self.named(path))
        self.client.text_document_did_close(params)

    def until(self, met: Callable[[], object], wanted: object) -> None:
        """Wait until something has been told."""

        async def wait() -> None:
            while not met():
                await asyncio.sleep(0.01)

        try:
            self.run(wait())
        except TimeoutError:
            raise AssertionError(f"never came: {wanted}") from None

    def codes(self, path: Path) -> list[str]:
        """The codes of the faults that are shown in a file."""
        return [str(fault.code) for fault in self.told.get(uri(path), ())]

    def expect(self, path: Path, *codes: str) -> list[types.Diagnostic]:
        """Wait until just these faults are shown in a file."""
        told, wanted = uri(path), list(codes)
        try:
            self.until(lambda: told in self.told and self.codes(path) == wanted, wanted)
        except AssertionError as error:
            raise AssertionError(f"{error}, but {self.told.get(told)}") from None
        return self.told[told]

    @contextlib.contextmanager
    def opened(self, path: Path, text: str | None = None) -> Iterator[None]:
        """A file that is open for a while."""
        self.open(path, text)
        try:
            yield
        finally:
            self.shut(path)

    @staticmethod
    def named(path: Path) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri(path))

    def hover(self, path: Path, at: types.Position) -> str:
        """What is said of what stands at a position."""
        params = types.HoverParams(self.named(path), at)
        found = self.run(self.client.text_document_hover_async(params))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.kind == types.MarkupKind.PlainText
        return found.contents.value

    def definitions(self, path: Path, at: types.Position) -> list[types.Location]:
        params = types.DefinitionParams(self.named(path), at)
        return _located(self.run(self.client.text_document_definition_async(params)))

    def references(self, path: Path, at: types.Position) -> list[types.Location]:
        context = types.ReferenceContext(True)
        params = types.ReferenceParams(context, self.named(path), at)
        return _located(self.run(self.client.text_document_references_async(params)))

    def rename(self, path: Path, at: types.Position, name: str) -> dict[Path, str]:
        """The files that a rename changes, as they stand afterwards."""
        params = types.RenameParams(self.named(path), at, name)
        found = self.run(self.client.text_document_rename_async(params))
        assert found is not None
        out = {}
        for each, edits in (found.changes or {}).items():
            file = Path(uris.to_fs_path(each) or "")
            out[file] = applied(file.read_text(encoding="utf-8"), edits)
        return out

    def layout(self, path: Path) -> list[types.TextEdit]:
        options = types.FormattingOptions(4, True)
        params = types.DocumentFormattingParams(self.named(path), options)
        found = self.run(self.client.text_document_formatting_async(params))
        return list(found or ())

    def symbols(self, path: Path) -> list[types.DocumentSymbol]:
        params = types.DocumentSymbolParams(self.named(path))
        found = self.run(self.client.text_document_document_symbol_async(params))
        return [each for each in found or () if isinstance(each, types.DocumentSymbol)]


def _located(found: Any) -> list[types.Location]:
    return [each for each in found or () if isinstance(each, types.Location)]


def uri(path: Path) -> str:
    return uris.from_fs_path(str(path)) or ""


def at(text: str, words: str, inside: int = 0) -> types.Position:
    """The position at which some words begin in a text, in UTF-16."""
    before = text[: text.index(words) + inside]
    line = before.rpartition("\n")[2]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def applied(text: str, edits: Any) -> str:
    """A text after edits that replace whole lines."""
    lines = text.splitlines(keepends=True)
    for edit in reversed(edits):
        assert edit.range.start.character == edit.range.end.character == 0
        lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
    return "".join(lines)


def cut(text: str, where: types.Range) -> str:
    """What stands in a range of one line, which is in UTF-16."""
    assert where.start.line == where.end.line
    line = text.split("\n")[where.start.line].encode("utf-16-le")
    return line[2 * where.start.character : 2 * where.end.character].decode("utf-16-le")
