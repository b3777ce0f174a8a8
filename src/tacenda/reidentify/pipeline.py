"""Attacks in the pipeline: the subjects of documents, an indicator of entities, and a check of results.

A subject is named in a field of the record, or in a table of documents and people. The table is CSV
with the columns ``document`` and ``person``. Documents are named as in messages and results
(``letters.jsonl:12``, a TAB ``doc_id``, the path of a text file), people by id or by a unique name.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..background.people import People
from ..document import Document, Entity, Evidence, Identification, IdentifierType
from ..documents.record import SourceDocument
from ..errors import InputError
from ..result import Result
from ..risk.indicators import Finding
from .anonymize.anonymize import (
    DEFAULT_K,
    check_k,
    goals_of,
    make_objective,
    margin_of,
    required_units,
)
from .anonymize.judged import words_gone_by
from .anonymize.linked_units import named_words
from .anonymize.objective import EnsembleObjective, MaskingObjective
from .anonymize.options import information_of_words
from .anonymize.search import greedy, show
from .anonymize.units import MaskUnit, entity_units, mask_of
from .attackers.base import Attacker
from .judge import Identity, Inference, Judge, is_name
from .panel import panel_of
from .report import telling_words
from .tokens import TokenizedDocument, read_words


@dataclass(frozen=True, slots=True)
class SubjectResolver:
    """Finds out who is the subject of a record.

    Attributes:
        field: the field that names the person, in JSON Lines.
        table: people by document id; takes precedence over the field.
        hint: another way to name the subject, for the message if neither does.
    """

    field: str
    table: Mapping[str, str]
    hint: str = ""

    def of(self, record: SourceDocument) -> str:
        """Return the id or name of the person a record is about.

        Raises:
            InputError: if nothing says so.
        """
        id = record.document.id
        if id in self.table:
            return self.table[id]
        if record.origin.format == "jsonl":
            value = json.loads(record.source).get(self.field)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return str(value)
        raise InputError(
            f"its person is unknown; add the field {self.field!r} to its line (or name another "
            f"with --person-field), or a row for {id!r} to the table of --people{self.hint}.",
            id,
        )


def person_index(people: People, document: Document) -> int:
    """Return the index of a document's subject.

    Raises:
        InputError: if the document has no subject, an unknown one, or an ambiguous name.
    """
    if not document.subject:
        raise InputError(
            "its person is unknown; set the document's `person` to an id of the store.",
            document.id,
        )
    try:
        return people.find(document.subject)
    except InputError as error:
        raise InputError(str(error), document.id) from None


def read_table(path: Path) -> dict[str, str]:
    """Return the person of each document in a CSV table.

    Raises:
        InputError: if the table can't be read, lacks a column or a cell, or lists a document twice.
    """
    subjects: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            if not {"document", "person"} <= set(rows.fieldnames or ()):
                raise InputError("needs the columns 'document' and 'person'.", str(path))
            for row in rows:
                document, person = row["document"], row["person"]
                place = f"{path}:{rows.line_num}"
                if not document or not person:
                    raise InputError("the row lacks a document or a person; fill it in.", place)
                if document in subjects:
                    raise InputError(f"document {document!r} occurs twice; keep one.", place)
                subjects[document] = person
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8; convert it.", str(path)) from None
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"can't be read: {reason}; check the path.", str(path)) from None
    return subjects


# Attackers as a risk indicator.


LEAST: Final = 0.01
"""An entity that makes no attacker surer by more, in nats, is not a finding where nothing helps."""


class AttackIndicator:
    """Indicator of the entities to mask against attackers; see ``risk.indicators.Indicator``.

    Masking one of two redundant entities changes little, so entities aren't judged one by one: the
    search of ``anonymize`` finds a small set to mask, until no attacker ranks the person among its
    first K. Each entity in the set has the value 1, since it violates the user's rule; the rest
    have no finding. If the person is found even without all of them, the set consists of all
    telling entities. It always includes entities with the person's name. One family of attackers is
    held out (``panel.panel_of``), and the others must give the person a rank far above K
    (``goals_of``). Entities that a judge relies on are also in the set, until it doesn't find the
    person, doesn't answer, or relies on no further entity.

    Args:
        people: the background knowledge.
        attackers: at least one, of those people.
        k: the person must not be among the first K.
        judge: asked besides; no one if None.

    Raises:
        InputError: if there are too few people to hide among.
    """

    def __init__(
        self,
        people: People,
        attackers: Sequence[Attacker],
        k: int = DEFAULT_K,
        judge: Judge | None = None,
    ) -> None:
        check_k(k, len(people))
        self._people = people
        self._attackers = tuple(attackers)
        self._k = k
        self._judge = judge

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity to mask.

        Raises:
            InputError: if the document's subject is unknown.
        """
        person = person_index(self._people, document)
        words = read_words(document)
        units = entity_units(words, entities)
        guides = panel_of(self._attackers, document).guides
        objectives = [make_objective(attacker, words, person, units) for attacker in guides]
        before = _ranks(objectives)
        name = named_words(words, self._people.person(person).name)
        margin = margin_of(self._k, len(self._people), words)
        required = required_units(units, name, (), margin)
        lost = [information_of_words(words, unit.words) for unit in units]
        indices = self._search(objectives, lost, required, margin)
        names = [attacker.name for attacker in guides]
        statement = _statement(names, before, _ranks(objectives), len(self._people), len(indices))
        evidence = Evidence(f"attack:{'+'.join(names)}", 1.0, statement)
        findings = {units[unit].entity: Finding(evidence, IdentifierType.QUASI) for unit in indices}
        if self._judge is not None:
            statement = f"{self._judge.name} uses it to identify the person."
            evidence = Evidence(f"attack:{self._judge.name}", 1.0, statement)
            for unit in self._quoted(self._judge, words, person, units, indices):
                findings[units[unit].entity] = Finding(evidence, IdentifierType.QUASI)
        return [findings.get(entity.id) for entity in entities]

    def _quoted(
        self,
        judge: Judge,
        words: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
        masked: Sequence[int],
    ) -> list[int]:
        """Return the units that a judge relies on besides the masked ones."""
        name = self._people.person(person).name
        quoted: list[int] = []
        while True:
            mask = mask_of(units, [*masked, *quoted], len(words))
            judgment = judge.judge(words, mask, person)
            further = words_gone_by(words, judgment, mask)
            new = [n for n, unit in enumerate(units) if further[list(unit.words)].any()]
            if not judgment.finds(person, name, self._k) or not new:
                return quoted
            quoted += new

    def _search(
        self,
        objectives: Sequence[MaskingObjective],
        lost: Sequence[float],
        required: Sequence[int],
        margin: int,
    ) -> list[int]:
        """Return the units to mask; the objectives then have them masked."""
        goals = goals_of(objectives, len(lost), self._k, margin)
        joint = EnsembleObjective(objectives, goals)
        for unit in required:
            joint.mask(unit)
        indices = greedy(joint, lost, self._k, masked=required)
        if joint.hides(self._k):
            return [*required, *show(joint, indices, self._k, lost).masked]
        telling = [unit for unit in indices if any(_is_telling(game, unit) for game in objectives)]
        return [*required, *telling]


def _is_telling(game: MaskingObjective, unit: int) -> bool:
    """Return whether showing a masked unit would make the attacker surer; the objective isn't changed."""
    without = game.log_odds()
    game.unmask(unit)
    surer = game.log_odds() - without
    game.mask(unit)
    return surer > LEAST


def _ranks(objectives: Sequence[MaskingObjective]) -> list[int]:
    return [game.rank() for game in objectives]


def _statement(
    names: Sequence[str], before: Sequence[int], after: Sequence[int], people: int, count: int
) -> str:
    # Report the attacker that came closest.
    worst = min(range(len(names)), key=lambda place: before[place])
    rest = f" and {count - 1} other{'s'[: count > 2]}" if count > 1 else ""
    return (
        f"{names[worst]} has the person at rank {before[worst]:,} of {people:,}; without it"
        f"{rest} at rank {after[worst]:,}."
    )


# The residual attack: a check of results, whatever did the masking.


NAME: Final = "name"
"""Stands for an attacker where the person's name is left: whoever can read has the person first."""


class ResidualAttack:
    """Checks each result with attacks; see ``checks.Check``.

    Replacements are also read, except labels: a generalization is informative, and a surrogate
    should mislead.

    Args:
        people: the background knowledge.
        attackers: at least one, of those people.
        k: the person must not be among the first K.
        n_telling_words: maximum number of telling words for an attacker that finds the person.
        judge: a judge to ask in addition; None for no judge. If it doesn't answer, the person
            doesn't count as hidden.

    Raises:
        InputError: if there are too few people to hide among.
    """

    def __init__(
        self,
        people: People,
        attackers: Sequence[Attacker],
        k: int = DEFAULT_K,
        n_telling_words: int = 5,
        judge: Judge | None = None,
    ) -> None:
        check_k(k, len(people))
        self._people = people
        self._attackers = tuple(attackers)
        self._k = k
        self._n_telling_words = n_telling_words
        self._judge = judge

    def __call__(self, result: Result) -> Result:
        """Return the result with one identification per attacker, and one for the name if it is left.

        If the person's profile is empty, the result has a warning, since attackers then know only
        the name.

        Raises:
            InputError: if the document's subject is unknown.
        """
        person = person_index(self._people, result.document)
        judges = panel_of(self._attackers, result.document).judges
        words = read_words(Document(result.document.id, result.text))
        identifications = tuple(
            self._identification(words, person, attacker, held_out=attacker in judges)
            for attacker in self._attackers
        )
        if self._judge is not None:
            identifications += (self._judged(words, person, self._judge),)
        name = named_words(words, self._people.person(person).name)
        if name:
            spans = tuple(words.spans[place] for place in name)
            identifications += (
                Identification(NAME, 1, 1.0, len(self._people), self._k, telling_words=spans),
            )
        warnings = result.warnings
        if not self._people.person(person).profile:
            warnings += ("Only the person's name is known: the attack says little.",)
        return replace(result, identifications=identifications, warnings=warnings)

    def _identification(
        self, words: TokenizedDocument, person: int, attacker: Attacker, *, held_out: bool
    ) -> Identification:
        ranking = attacker.rank(words)
        rank = ranking.rank(person)
        evidence = (
            telling_words(attacker, words, person, self._n_telling_words) if rank <= self._k else ()
        )
        return Identification(
            attacker=attacker.name,
            rank=rank,
            probability=ranking.probability(person),
            people=len(self._people),
            k=self._k,
            held_out=held_out,
            telling_words=tuple(span for clue in evidence for span in clue.spans),
        )

    def _judged(self, words: TokenizedDocument, person: int, judge: Judge) -> Identification:
        judgment = judge.judge(words, words.unmasked(), person)
        name = self._people.person(person).name
        finds = judgment.finds(person, name, self._k)
        identity, inference = judgment.identity, judgment.inference
        # Only ranked candidates count.
        rank, probability = self._k + 1, 0.0
        if isinstance(identity, Identity) and person in identity.ranking:
            rank = identity.rank(person)
            probability = identity.confidence if rank == 1 else 0.0
        if isinstance(inference, Inference) and is_name(inference.name, name):
            rank = 1
        reasons = dict.fromkeys(map(str, judgment.silences))
        return Identification(
            attacker=judge.name,
            rank=rank,
            probability=probability,
            people=len(self._people),
            k=self._k,
            telling_words=judgment.evidence[: self._n_telling_words] if finds else (),
            silence=", ".join(reasons) if finds is None else "",
        )
