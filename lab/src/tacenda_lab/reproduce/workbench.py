"""The workbench of the experiments: released files, systems and their masks, each made once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tacenda.annotations.tab import load_documents
from tacenda.atomic import write_atomically
from tacenda.document import Document, Span
from tacenda.errors import InputError, MissingExtraError, ModelError
from tacenda.evaluate.evaluation import EvaluationSettings, Report, evaluate
from tacenda.evaluate.gold import GoldDocument, load_gold, parse_gold
from tacenda.models.checkpoint import PREFIX, cached_folder
from tacenda.risk.registry import kind_of

from ..indicators.language import Context
from ..train.corpus import standoff
from ..train.extra import training_extra
from .means import Means
from .tables import NotHere, fingerprint

if TYPE_CHECKING:
    from tacenda.evaluate.weights import InformationContent

SPAN: Final = "span"
"""Kind of the indicator that classifies spans."""
RELEASED: Final[Mapping[str, tuple[str, ...]]] = {
    "train": ("echr_train.json", "tab/train.json"),
    "dev": ("echr_dev.json", "tab/dev_real.json"),
    "test": ("echr_test.json",),
    "biographies": ("annotated_wikipedia.json", "wiki/biographies_train.json"),
    "replacements": ("wiki_replace.json", "wikireplace.json", "wiki/wikireplace_dev.json"),
    "silver": ("silver.json",),
    "pairs_train": ("pairs_train.jsonl", "pairs_train.csv", "train/train.box", "train.box"),
    "pairs_test": ("pairs_test.jsonl", "pairs_test.csv", "test/test.box", "test.box"),
}
"""Names of files in the data folder, as released or as kept here; the first that is there is taken."""

SPLITS: Final = ("train", "dev", "test")
FIGURES: Final[Mapping[str, str]] = {
    "R": "token_recall",
    "ER_di": "entity_recall_direct",
    "ER_qi": "entity_recall_quasi",
    "P": "token_precision",
    "WP": "weighted_token_precision",
}
"""Columns of the benchmark's tables of results, with the names of the metrics."""

T = TypeVar("T")
Masks = Mapping[str, Sequence[Span]]


class Workbench:
    """The files in a data folder, and the systems that mask them.

    Args:
        data: folder with the released files.
        work: folder for trained models, which later runs reuse.
        means: the user's models and settings.
    """

    def __init__(self, data: Path, work: Path, means: Means | None = None) -> None:
        self.data, self.work, self.means = data, work, means or Means()
        self._gold: dict[str, tuple[GoldDocument, ...]] = {}
        self._masks: dict[tuple[str, str], Masks] = {}
        self._made: dict[str, Any] = {}

    def path(self, name: str) -> Path:
        """Return the file with a name from ``RELEASED``.

        Raises:
            NotHere: the folder has no such file.
        """
        if name in self.means.named:
            return self.means.named[name]
        for candidate in RELEASED[name]:
            if (self.data / candidate).is_file():
                return self.data / candidate
        raise NotHere(f"{' or '.join(RELEASED[name])} is not in {self.data}")

    def fingerprint(self) -> str:
        """Return a digest of the options and of the files' names, sizes and times."""
        names = [self.data / name for names in RELEASED.values() for name in names]
        names += self.means.named.values()
        # A model that was trained again in the same folder is a different one.
        means = self.means
        trained = (*means.attackers, *means.indicators)
        models = [name.partition(":")[2] for name in trained]
        models += [*means.text_encoders, *means.profile_encoders]
        models += filter(
            None, (means.ontology, means.encoder, means.language_model, means.lm, means.zero_shot)
        )
        names += [path for model in models for path in _files(model)]
        names += [means.index] if means.index else []
        return fingerprint([path for path in names if path.is_file()], asdict(self.means))

    def once(self, name: str, make: Callable[[Workbench], T]) -> T:
        """Return the result of ``make``, computed once for each name."""
        if name not in self._made:
            self._made[name] = make(self)
        made: T = self._made[name]
        return made

    def gold(self, split: str) -> tuple[GoldDocument, ...]:
        """Return a split of the benchmark, or ``biographies``.

        Raises:
            NotHere: the folder doesn't have it.
            InputError: the file is malformed.
        """
        if split not in self._gold:
            path = self.path(split)
            self._gold[split] = _biographies(path) if split == "biographies" else load_gold(path)
        return self._gold[split]

    def splits(self) -> tuple[str, ...]:
        """Return the splits in the folder.

        Raises:
            NotHere: none is.
        """
        found = tuple(split for split in SPLITS if self.has(split))
        if not found:
            self.path("train")
        return found

    def has(self, name: str) -> bool:
        """Tell whether the folder has the file with this name in ``RELEASED``."""
        try:
            self.path(name)
        except NotHere:
            return False
        return True

    def judged(self) -> tuple[str, ...]:
        """Return the judged splits that systems are measured on.

        Raises:
            NotHere: neither is there.
        """
        found = tuple(split for split in SPLITS[1:] if self.has(split))
        if not found:
            self.path("test")
        return found

    def masks(self, system: str, split: str) -> Masks:
        """Return a system's masks for each document, computed once.

        Args:
            system: the name of a baseline, ``tacenda`` for the shipped default policy, or the
                folder of a trained recognizer.
            split: the split to mask.

        Raises:
            NotHere: a baseline's model is missing.
        """
        if (system, split) not in self._masks:
            documents = [Document(each.id, each.text) for each in self.gold(split)]
            self._masks[system, split] = dict(self._ask(system, documents))
        return self._masks[system, split]

    def _ask(
        self, system: str, documents: Sequence[Document]
    ) -> Iterator[tuple[str, Sequence[Span]]]:
        from tacenda.pipeline import load
        from tacenda.policy import Policy

        from ..baselines import BASELINES, create

        if system in BASELINES:
            model = self.means.spacy_model
            if "model" in BASELINES[system].options and model is None:
                raise NotHere("--spacy-model names the spaCy pipeline of this baseline")
            baseline = create(system, **({"model": model} if model else {}))
            for document in documents:
                yield document.id, baseline.mask(document)
            return
        if system == "tacenda":
            policy = Policy.load("default").with_changes(operator="suppress")
        else:  # the recognizer alone
            policy = Policy(operator="suppress", model=system, patterns=False, propagate=False)
        sanitizer = load(policy)
        for document, result in zip(
            documents, sanitizer.pipe([d.text for d in documents]), strict=True
        ):
            yield document.id, [each.original for each in result.replacements]

    def documents(self, split: str) -> list[Document]:
        """Return a split's documents, each with the person to protect if the file names one."""
        people: dict[str, tuple[str, ...]] = {}
        if split in SPLITS:
            for each in load_documents(self.path(split)):
                meta: Any = each.properties.get("meta") or {}
                if applicant := meta.get("applicant"):
                    people[each.id] = (applicant, f"{applicant.split()[-1]} v.")
        return [
            Document(each.id, each.text, target=people.get(each.id, ()))
            for each in self.gold(split)
        ]

    def indicator(self, kind: str) -> str:
        """Return an indicator's name for a policy: the user's own, one fitted with the user's models, or the shipped one.

        Raises:
            NotHere: there is no split to fit the indicator to.
            MissingExtraError: a package that fitting needs is not installed.
        """
        for name in self.means.indicators:
            if kind_of(name) == kind:
                return name
        if kind == SPAN and self.means.encoder:
            return f"{SPAN}:{self.once('span classifier', fitted_span)}"
        is_of_language = kind.startswith("language") or kind == "perturbation"
        if not (self.means.lm or self.means.reading is Context.ENTIRE) or not is_of_language:
            return kind
        return f"{kind}:{self.once('language risk', fitted_language_risk)}"

    @cached_property
    def weights(self) -> InformationContent | None:
        """The benchmark's information content, or None without its language model."""
        from tacenda.evaluate.weights import weighting

        name = self.means.language_model
        return weighting(f"bert:{name}") if name else None

    def report(self, masks: Masks, split: str, errors: int = 0) -> Report:
        """Return the figures of some masks on a split."""
        return evaluate(
            self.gold(split), dict(masks), EvaluationSettings(weights=self.weights, errors=errors)
        )

    def scores(self, masks: Masks, split: str) -> tuple[float | None, ...]:
        """Return the ``FIGURES`` on a split; WP is None without its language model."""
        found = self.report(masks, split).scores
        return tuple(found.get(metric) for metric in FIGURES.values())

    def notes(self) -> tuple[str, ...]:
        """Return notes for readers of these figures."""
        wp = "WP: --language-model names the benchmark's bert-base-uncased."
        return (*([wp] if self.weights is None else []), *self.about_splits())

    def about_splits(self) -> tuple[str, ...]:
        """Return notes on how the splits differ from the released ones."""
        if self.has("dev") and self.path("dev").name != RELEASED["dev"][0]:
            return ("dev: the 21 of its 127 judgments that have a real annotator.",)
        return ()


def fitted_language_risk(workbench: Workbench) -> Path:
    """Fit the indicators that ask the user's language model to the training split, once, and return their folder.

    With the entire context they are also fitted to the biographies, if there are any, as in the
    paper.

    Raises:
        NotHere: there is no training split.
        MissingExtraError: what fitting needs is not installed.
        ModelError: there is no such language model.
    """
    with training_extra():
        from ..train.language_risk import train_language_risk
    from ..indicators import open_language_model

    context = workbench.means.reading
    gold = [workbench.path("train")]
    if context is Context.ENTIRE and workbench.has("biographies"):
        gold.append(workbench.path("biographies"))
    source = language_model(workbench.means.lm)
    mark = fingerprint([*gold, *_files(source)], {"lm": source, "context": context})[:12]
    folder = workbench.work / f"language-risk-{mark}"
    if not (folder / "digests.json").exists():
        if len(gold) > 1:
            gold[1] = workbench.work / f"biographies-{mark}.json"
            records = _standoff_records(workbench.path("biographies"))
            write_atomically(gold[1], json.dumps(records).encode())
        train_language_risk(gold, open_language_model(source), folder, source, context=context)
    return folder


def language_model(name: str | None) -> str:
    """Return a language model's address: a folder's full path, ``hf:`` and a name, or an empty string for the shipped one."""
    if not name or name.startswith(PREFIX):
        return name or ""
    return str(Path(name).resolve()) if Path(name).is_dir() else PREFIX + name


def fitted_span(workbench: Workbench) -> Path:
    """Fit the user's encoder to the entities of the training split, once, and return its folder.

    Raises:
        NotHere: there is no training split.
        MissingExtraError: what fitting needs is not installed.
        ModelError: there is no such encoder.
    """
    with training_extra():
        from ..train.encoded_span import train_encoded_span
        from ..train.recipes import SpanSchedule

    def fit(train: Path, encoder: str, folder: Path) -> None:
        train_encoded_span(train, encoder, folder, SpanSchedule(device=workbench.means.device))

    return fitted(workbench, "span", "train", fit)


def fitted(
    workbench: Workbench,
    name: str,
    split: str,
    fit: Callable[[Path, str, Path], None],
    start: str | None = None,
) -> Path:
    """Fit the user's encoder to a split and return its folder; a different encoder with the same name is fitted again.

    Args:
        workbench: its means name the encoder.
        name: what is fitted; part of the folder's name.
        split: the split to fit the encoder to.
        fit: fits the encoder, given the split, the encoder and the folder.
        start: a model fitted earlier, to start from instead of the encoder.

    Raises:
        NotHere: there is no such split.
    """
    data, encoder = workbench.path(split), start or workbench.means.encoder or ""
    mark = fingerprint([data, *_files(encoder)], {"encoder": encoder})[:12]
    folder = workbench.work / f"{name}-{mark}"
    if not (folder / "digests.json").exists():
        fit(data, encoder, folder)
    return folder


def _files(model: str) -> list[Path]:
    """Return the files of a model in a folder or in the cache; none for other names."""
    try:
        folder = cached_folder(model.removeprefix(PREFIX)) if model else Path()
    except (ModelError, MissingExtraError):
        return []
    return [path for path in folder.iterdir() if path.is_file()] if model else []


def _biographies(path: Path) -> tuple[GoldDocument, ...]:
    return parse_gold(_standoff_records(path), str(path))


def _standoff_records(path: Path) -> Any:
    """Return annotated biographies in TAB's format, read from the file or built from spans with MASK and NO_MASK."""
    try:
        records = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"is not JSON: {error}", str(path)) from error
    if records and "spans" in records[0]:
        return [_standoff(record) for record in records]
    return records


def _standoff(record: Mapping[str, Any]) -> dict[str, Any]:
    mentions = (
        (
            span["start"],
            span["end"],
            span["type"],
            "QUASI" if span["label"] == "MASK" else "NO_MASK",
            f"{span['type']} {span['text']}",
        )
        for span in record["spans"]
    )
    split = record.get("split", "train")
    return standoff(record["doc_id"], record["text"], "annotator1", mentions, split)
