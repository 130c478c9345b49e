"""How a room hands on its names: the module behind a name is loaded when it is first wanted.

Each room's ``__init__`` says twice what it hands on: as imports that only type checkers read, and
as a table for ``door``; a test compares the two.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def door(room: str, **modules: str) -> Callable[[str], object]:
    """The ``__getattr__`` of a package (PEP 562): module names with what they hand on.

    A name that nobody hands on raises AttributeError.
    """
    behind = {name: module for module, names in modules.items() for name in names.split()}

    def handed(name: str) -> object:
        module = behind.get(name)
        if module is None:
            what = f"module {room!r} hands on no {name!r}"
            raise AttributeError(what, name=name, obj=sys.modules[room])
        from importlib import import_module

        found = getattr(import_module(f"{room}.{module}"), name)
        setattr(sys.modules[room], name, found)
        return found

    return handed
