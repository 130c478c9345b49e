"""Two books held against each other: what their text has that differs, and what they decide.

Questions are asked of both over the same tables: of scenarios, of tables that are named, of games
that a search has found. What differs is said with both explanations, and written out as a table and
scenarios that run at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .annotated import Annotated as Annotated
    from .annotated import InOne as InOne
    from .annotated import Variants as Variants
    from .clauses import unmatched as unmatched
    from .clauses import variants as variants
    from .comparing import Comparing as Comparing
    from .comparing import Wanted as Wanted
    from .comparing import affected as affected
    from .comparing import resting as resting
    from .comparing import wanted as wanted
    from .coverage import Coverage as Coverage
    from .coverage import Share as Share
    from .coverage import Uncovered as Uncovered
    from .decide import Decider as Decider
    from .decide import Found as Found
    from .decide import Work as Work
    from .decide import asked_in as asked_in
    from .equivalent import Mark as Mark
    from .equivalent import marks_of as marks_of
    from .export import exported as exported
    from .export import free as free
    from .export import write as write
    from .glimpse import Glimpse as Glimpse
    from .glimpse import Universes as Universes
    from .glimpse import glimpsed as glimpsed
    from .kills import Court as Court
    from .kills import Judged as Judged
    from .kills import Matrix as Matrix
    from .kills import kill_matrix as kill_matrix
    from .markdown import as_markdown as as_markdown
    from .markdown import code as code
    from .markdown import folded as folded
    from .markdown import plain as plain
    from .mutants import KINDS as KINDS
    from .mutants import MORE as MORE
    from .mutants import Dropped as Dropped
    from .mutants import Fault as Fault
    from .mutants import Mutant as Mutant
    from .mutants import Mutants as Mutants
    from .proofs import unproved as unproved
    from .questions import Question as Question
    from .questions import of_words as of_words
    from .report import Difference as Difference
    from .report import Gathered as Gathered
    from .report import Labelled as Labelled
    from .report import Report as Report
    from .report import Searched as Searched
    from .report import made as made
    from .search import among as among
    from .search import within as within
    from .searched import apart as apart
    from .searched import difference_plan as difference_plan
    from .searched import drawn as drawn
    from .searched import drawn_from as drawn_from
    from .searched import tallied as tallied
    from .sections import Lineage as Lineage
    from .sections import differing as differing
    from .sections import same_facts as same_facts
    from .sittings import Side as Side
    from .source import Excerpts as Excerpts
    from .text import report_lines as report_lines
    from .trial import Trial as Trial
    from .trial import by_clause as by_clause
    from .trial import own_clauses as own_clauses
    from .trial import percent as percent
    from .trial import scenarios_of as scenarios_of
    from .trial import tried as tried
    from .witness import Witnesses as Witnesses
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        annotated="Annotated InOne Variants",
        clauses="unmatched variants",
        comparing="Comparing Wanted affected resting wanted",
        coverage="Coverage Share Uncovered",
        decide="Decider Found Work asked_in",
        equivalent="Mark marks_of",
        export="exported free write",
        glimpse="Glimpse Universes glimpsed",
        kills="Court Judged Matrix kill_matrix",
        markdown="as_markdown code folded plain",
        mutants="Dropped Fault KINDS MORE Mutant Mutants",
        proofs="unproved",
        questions="Question of_words",
        report="Difference Gathered Labelled Report Searched made",
        search="among within",
        searched="apart difference_plan drawn drawn_from tallied",
        sections="Lineage differing same_facts",
        sittings="Side",
        source="Excerpts",
        text="report_lines",
        trial="Trial by_clause own_clauses percent scenarios_of tried",
        witness="Witnesses",
    )
