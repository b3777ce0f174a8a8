"""Fitting of the emulated search of ``indicators/encoded_search.py`` to a user's own answers of a search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tacenda.errors import InputError
from tacenda.models.checkpoint import PREFIX, cached_folder

from ..indicators.emulated_search import Size
from ..indicators.encoded_search import EncodedSearch, PretrainedEncoder, SearchHead
from .emulation import EMULATION, MethodFigures, figures_of, fit_size, folds, table
from .packages import check_place, write_description

_EPOCHS = 40
_BATCH = 64
_STEPS = 8
"""Minimum number of steps of an epoch."""
_RATE = 3e-3
_SEED = 20


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """Whether a search for some entities finds the person."""

    entities: tuple[str, ...] = field(repr=False)
    person: str = field(repr=False)
    is_found: bool


def read_answers(path: Path) -> list[PersonAnswer]:
    """Return the answers of a JSONL file: ``entities`` (one string or more), ``person``, ``found`` (true or false).

    Raises:
        InputError: if a line has other content, or the answers can't be learned from: all are alike, are about one
            person, or a number of entities below the largest is missing.
    """
    answers = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("can't be read as UTF-8 text", str(path)) from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            answer = _parse(line)
            if answer is None:
                raise InputError(
                    'needs an object such as {"entities": ["nurse", "Oslo"], "person": "Anna Berg", "found": true}',
                    f"{path}:{number}",
                )
            answers.append(answer)
    if len({answer.is_found for answer in answers}) < 2:
        raise InputError("needs answers that found the person and others that did not", str(path))
    if len({answer.person for answer in answers}) < 2:
        raise InputError(
            "needs answers about two people or more, as some are held out in turn", str(path)
        )
    sizes = {len(answer.entities) for answer in answers}
    missing = set(range(1, max(sizes))) - sizes
    if missing:
        raise InputError(
            f"has answers for {max(sizes)} entities together, but none for {min(missing)}",
            str(path),
        )
    return answers


def _parse(line: str) -> PersonAnswer | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict):
        return None
    entities, person, is_found = (record.get(name) for name in ("entities", "person", "found"))
    if (
        not isinstance(entities, list)
        or not isinstance(person, str)
        or not isinstance(is_found, bool)
    ):
        return None
    strings = [string for string in entities if isinstance(string, str) and string.strip()]
    if not strings or len(strings) < len(entities) or not person.strip():
        return None
    return PersonAnswer(tuple(strings), person, is_found)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerTensors:
    """The k answers as tensors; see ``SearchHead``.

    Attributes:
        subwords: of all phrases, [n, longest, width].
        lengths: of all phrases, [n].
        groups: phrases of each answer, filled up with its first one, [k, most].
        counts: number of entities, [k].
        people: phrase of the person's name, [k].
        is_found: 0 or 1, [k].
    """

    subwords: Tensor
    lengths: Tensor
    groups: Tensor
    counts: Tensor
    people: Tensor
    is_found: Tensor

    @classmethod
    def of(cls, answers: Sequence[PersonAnswer], encoder: PretrainedEncoder) -> AnswerTensors:
        """Return the answers, each phrase read once."""
        numbers: dict[str, int] = {}
        for answer in answers:
            for phrase in (*answer.entities, answer.person):
                numbers.setdefault(phrase, len(numbers))
        most = max(len(answer.entities) for answer in answers)
        filled = [
            (*answer.entities, *[answer.entities[0]] * (most - len(answer.entities)))
            for answer in answers
        ]
        return cls(
            *encoder.read(list(numbers)),
            torch.tensor([[numbers[phrase] for phrase in phrases] for phrases in filled]),
            torch.tensor([len(answer.entities) for answer in answers]),
            torch.tensor([numbers[answer.person] for answer in answers]),
            torch.tensor([float(answer.is_found) for answer in answers]),
        )

    def odds(self, head: SearchHead, rows: Tensor) -> Tensor:
        """Return the log odds of some answers."""
        used = torch.cat([self.groups[rows], self.people[rows, None]], 1)
        phrases, places = used.unique(return_inverse=True)
        vectors = head.entities(self.subwords[phrases], self.lengths[phrases])
        odds: Tensor = head(vectors, vectors[places[:, -1]], places[:, :-1], self.counts[rows])
        return odds


def fit_head(packed: AnswerTensors, rows: Tensor, lstm: bool) -> SearchHead:
    """Return a head fitted to some of the answers; deterministic on one thread."""
    torch.manual_seed(_SEED)
    head = SearchHead(packed.subwords.shape[2], lstm)
    head.train()
    optimizer = torch.optim.AdamW(head.parameters(), _RATE, weight_decay=0.01)
    batch = min(_BATCH, max(1, len(rows) // _STEPS))
    for _ in range(_EPOCHS):
        for part in rows[torch.randperm(len(rows))].split(batch):
            odds = packed.odds(head, part)
            loss = functional.binary_cross_entropy_with_logits(odds, packed.is_found[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    head.eval()
    return head


def _fit_size(chances: NDArray[np.float64], is_found: NDArray[np.bool_]) -> Size:
    """Return curve and threshold, halfway to the next answer below: few answers leave a wide gap."""
    size = fit_size(chances, is_found)
    values = np.interp(chances, size.curve.x, size.curve.y)
    below = values[values < size.threshold]
    return Size((size.threshold + below.max()) / 2, size.curve) if len(below) else size


def train_encoded_emulation(
    path: Path, encoder: str, folder: Path, *, lstm: bool
) -> list[MethodFigures]:
    """Fit a head to the answers, write the indicator, and return its figures by cross-validation over people.

    Args:
        path: JSONL with the answers.
        encoder: folder of a checkpoint, or ``hf:`` and a folder or a name in the local cache.
        folder: to write.
        lstm: whether an LSTM reads the subwords of an entity, as in the paper, rather than their mean.

    Raises:
        InputError: if the answers can't be learned from, or the folder has other files.
        ModelError: if there is no such encoder.
    """
    check_place(folder)
    answers = read_answers(path)
    subwords = PretrainedEncoder(cached_folder(encoder.removeprefix(PREFIX)))
    packed = AnswerTensors.of(answers, subwords)
    names = list(dict.fromkeys(answer.person for answer in answers))
    people = np.array([names.index(answer.person) for answer in answers])
    chances, fold = np.zeros(len(answers)), np.zeros(len(names), dtype=int)
    for number, (used, out) in enumerate(folds(names)):
        head = fit_head(packed, torch.from_numpy(np.flatnonzero(np.isin(people, used))), lstm)
        rows = np.flatnonzero(np.isin(people, out))
        with torch.inference_mode():
            chances[rows] = torch.sigmoid(packed.odds(head, torch.from_numpy(rows)).double())
        fold[out] = number
    sizes, figures = [], []
    is_found: NDArray[np.bool_] = packed.is_found.numpy() > 0
    for count in range(1, packed.groups.shape[1] + 1):
        rows = packed.counts.numpy() == count
        sizes.append(_fit_size(chances[rows], is_found[rows]))
        parts = [rows & (people == person) for person in range(len(names))]
        values, truth = ([array[part] for part in parts] for array in (chances, is_found))
        figures.append(figures_of(EMULATION, count, values, truth, fold))
    head = fit_head(packed, torch.arange(len(answers)), lstm)
    EncodedSearch(subwords, head, sizes).save(folder)
    pooling = "an LSTM" if lstm else "the mean"
    card = (
        f"An emulated search: {encoder} and {pooling} over its subwords, fitted to {len(answers)} answers about {len(names)} "
        "people by `tacenda lab train emulation --answers`. Figures by cross-validation over people:"
    )
    write_description(folder, f"{card}\n\n{table(figures)}")
    return figures
