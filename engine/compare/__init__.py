"""Two books held against each other; mutants of a book, and what scenarios cover of it."""

from __future__ import annotations
