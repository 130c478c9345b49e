"""From a folder of clause files to a checked book, and the cache that keeps it.

An edition lies under ``rules/`` or anywhere; it may rest on another one. Nothing is half loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .assembling import Layer as Layer
    from .assembling import Read as Read
    from .assembling import assemble as assemble
    from .cache import fingerprint as fingerprint
    from .cache import folder as folder
    from .cache import keep as keep
    from .cache import kept as kept
    from .cache import layout as layout
    from .cache import pour as pour
    from .cache import private as private
    from .cache import private_new as private_new
    from .packed import Unread as Unread
    from .packed import pack as pack
    from .packed import unpack as unpack
    from .shelf import clause_files as clause_files
    from .shelf import editions as editions
    from .shelf import examples as examples
    from .shelf import find as find
    from .shelf import home as home
    from .shelf import layers_of as layers_of
    from .shelf import lineage as lineage
    from .shelf import load_book as load_book
    from .shelf import names as names
    from .shelf import renumbered as renumbered
    from .shelf import texts_of as texts_of
    from .shelf import where as where
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        assembling="Layer Read assemble",
        cache="fingerprint folder keep kept layout pour private private_new",
        packed="Unread pack unpack",
        shelf=(
            "clause_files editions examples find home layers_of lineage load_book names "
            "renumbered texts_of where"
        ),
    )
