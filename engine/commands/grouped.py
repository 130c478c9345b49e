"""Groups of commands, each in a module of its own that is loaded when the command is used."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import click

from ..errors import closest


class Commands(click.Group):
    """Finds commands by name without importing the others; ``stem`` begins their modules' names."""

    def __init__(self, *args: Any, known: Sequence[str] = (), stem: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.known = tuple(known)
        self.stem = stem

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.known)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.known:
            return None
        module = importlib.import_module(f".{self.stem}{name}", __package__)
        command: click.Command = module.command
        command.help = command.help or about(module.__file__)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with the whole first sentence about it."""
        with formatter.section("Commands"):
            known = ((name, self.get_command(ctx, name)) for name in self.known)
            rows = [(name, each.get_short_help_str(200)) for name, each in known if each]
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.known and not args[0].startswith("-"):
            near = closest(args[0], self.known)
            hint = f"did you mean {near}?" if near else "commands: " + ", ".join(self.known)
            raise click.UsageError(f"no command is called {args[0]!r}. {hint}", ctx=ctx)
        return super().resolve_command(ctx, args)


def about(file: str | None) -> str:
    """What a module's command says of itself, which Python leaves out under ``-OO``."""
    import ast
    from pathlib import Path

    for node in ast.parse(Path(file or __file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name in ("command", "group"):
            return ast.get_docstring(node) or ""
    return ""
