"""What a rule book is: sections, predicates, the vocabulary of tables, sorts, sentences, digests.

A book is read by ``editions``; here stand its parts, how they are collected from the entries of
clause files, and what can be said of them without asking anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .book import Bearing as Bearing
    from .book import Book as Book
    from .book import Clauses as Clauses
    from .book import Outcome as Outcome
    from .book import PerBook as PerBook
    from .book import Predicate as Predicate
    from .book import Rests as Rests
    from .book import Section as Section
    from .book import Verb as Verb
    from .book import rule_order as rule_order
    from .collecting import Collected as Collected
    from .declarations import load_vocabulary as load_vocabulary
    from .digests import digest as digest
    from .digests import folded as folded
    from .digests import plain as plain
    from .inference import infer as infer
    from .inference import numeric as numeric
    from .relevance import Relevance as Relevance
    from .relevance import questions as questions
    from .relevance import unread as unread
    from .sentences import NOTHING as NOTHING
    from .sentences import SILENT as SILENT
    from .sentences import Sentence as Sentence
    from .sentences import denial as denial
    from .sentences import fill as fill
    from .sentences import holes as holes
    from .sentences import in_braces as in_braces
    from .sentences import sentence as sentence
    from .sentences import without_holes as without_holes
    from .sorts import MAX_NAME as MAX_NAME
    from .sorts import AnyOf as AnyOf
    from .sorts import Files as Files
    from .sorts import Names as Names
    from .sorts import Numbers as Numbers
    from .sorts import Sort as Sort
    from .sorts import Texts as Texts
    from .sorts import Words as Words
    from .sorts import borrowed as borrowed
    from .sorts import made as made
    from .sorts import roots as roots
    from .sorts import under as under
    from .vocabulary import COMMAND as COMMAND
    from .vocabulary import DUTY as DUTY
    from .vocabulary import FACT as FACT
    from .vocabulary import PROHIBITION as PROHIBITION
    from .vocabulary import TABLE as TABLE
    from .vocabulary import VERB as VERB
    from .vocabulary import VERDICT as VERDICT
    from .vocabulary import Fact as Fact
    from .vocabulary import Shape as Shape
    from .vocabulary import Vocabulary as Vocabulary
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        book="Bearing Book Clauses Outcome PerBook Predicate Rests Section Verb rule_order",
        declarations="load_vocabulary",
        digests="digest folded plain",
        collecting="Collected",
        inference="infer numeric",
        relevance="Relevance questions unread",
        sentences="NOTHING SILENT Sentence denial fill holes in_braces sentence without_holes",
        sorts="AnyOf Files MAX_NAME Names Numbers Sort Texts Words borrowed made roots under",
        vocabulary="COMMAND DUTY FACT Fact PROHIBITION Shape TABLE VERB VERDICT Vocabulary",
    )
