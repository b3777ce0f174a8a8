"""Attackers, the people they choose from, and the documents they attack (Morris et al. 2022, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person, terms
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import Attacker
from tacenda.reidentify.attackers.lexical import Bm25, NaiveBayes
from tacenda.reidentify.tokens import TokenizedDocument, read_words

from ..train.extra import training_extra
from ..train.pairs import ProfiledText, read_pairs
from .redaction import (
    CLASSES,
    Mask,
    RedactionRow,
    all_ranks,
    parts_of_speech,
    row_of,
    word_classes,
)
from .tables import NotHere, fingerprint
from .workbench import Workbench

if TYPE_CHECKING:
    from ..train.recipes import AttackerRecipe

TRANSLATION: Final = "translation"
"""The attacker that learns from the training pairs, by name."""


_FEWEST_JUDGES: Final = 2
"""Attackers besides the guide; the guide is an encoder, or translation."""


@dataclass(frozen=True, slots=True)
class ArenaTarget:
    """An attacked document, the person it is about, and the class of each word."""

    document: TokenizedDocument
    person: Person
    number: int
    classes: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """The attackers and targets that all experiments share.

    Attributes:
        people: everyone in the files.
        attackers: the attackers, by unique name.
        guide: the attacker that guides the search.
        targets: the texts of the test pairs.
        files: the files of pairs.
    """

    people: People
    attackers: tuple[Attacker, ...]
    guide: Attacker
    targets: tuple[ArenaTarget, ...]
    files: tuple[Path, ...]

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of all attackers except the guide."""
        return tuple(each.name for each in self.attackers if each is not self.guide)

    def row(self, target: ArenaTarget, mask: Mask) -> RedactionRow:
        """Return what happens to a document under one mask."""
        return self.rows(target, [mask])[0]

    def rows(self, target: ArenaTarget, masks: Sequence[Mask]) -> list[RedactionRow]:
        """Return what happens to a document under each of several masks."""
        ranks = all_ranks(self.attackers, target.document, masks, target.number)
        return [
            row_of(target.document, mask, each, target.classes)
            for mask, each in zip(masks, ranks, strict=True)
        ]

    @property
    def classes(self) -> tuple[str, ...]:
        """Classes of words, by lists and spelling or by part of speech, most frequent first."""
        counts = Counter(name for target in self.targets for name in target.classes)
        return (
            CLASSES if counts.keys() <= set(CLASSES) else tuple(n for n, _ in counts.most_common())
        )


def open_arena(workbench: Workbench) -> Arena:
    """Open the attackers and people that all experiments share, once.

    Raises:
        NotHere: pairs are missing, or an encoder.
        InputError: the pairs or the names of the attackers can't be used.
    """
    return workbench.once("arena", _opened)


def _opened(workbench: Workbench) -> Arena:
    testing = workbench.path("pairs_test")
    means = workbench.means
    needs_learning = means.trains_attackers or not (means.pairs_test or means.attackers)
    has_learning = needs_learning or workbench.has("pairs_train")
    learning = (workbench.path("pairs_train"),) if has_learning else ()
    files = (*learning, testing)
    people = stored_people(workbench.work / f"people-{fingerprint(files, {})[:12]}.db", files)
    targets = open_targets(people, testing, means.documents, means.spacy_model)
    attackers = _attackers(workbench, people, learning)
    names = [each.name for each in attackers]
    if len(set(names)) < max(2, len(names)):
        raise InputError(
            f"{', '.join(names)}: one attacker guides the search and others judge it; name two or more, each once"
        )
    guide = means.guide or names[-1]
    if guide not in names:
        raise InputError(f"guide {guide!r} must be one of the attackers {', '.join(names)}")
    return Arena(people, attackers, attackers[names.index(guide)], targets, files)


def stored_people(path: Path, files: Sequence[Path]) -> People:
    """Return everyone in the files, reusing an earlier run's index with the encoders' vectors."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with PeopleBuilder(path) as builder:
            for file in files:
                for pair in read_pairs(file):
                    builder.add(pair.person)
    return People(path)


def words_of(pair: ProfiledText) -> TokenizedDocument:
    """Return a pair's text as words, or an empty document if it has none."""
    return read_words(Document(pair.person.id, pair.text or ""))


def open_targets(
    people: People, pairs: Path, most: int, spacy_model: str | None = None
) -> tuple[ArenaTarget, ...]:
    """Return the first documents in a file of pairs.

    Args:
        people: everyone.
        pairs: the file.
        most: the largest number of documents.
        spacy_model: pipeline that tags parts of speech; by default, lists and spelling determine
            each word's class.

    Raises:
        InputError: the file has no documents.
    """
    chosen = list(islice((pair for pair in read_pairs(pairs) if pair.text), most))
    if not chosen:
        raise InputError("has no pair with a text", str(pairs))
    documents = [words_of(pair) for pair in chosen]
    classes = parts_of_speech(documents, spacy_model) if spacy_model else None
    return tuple(
        ArenaTarget(document, pair.person, people.find(pair.person.id), each)
        for document, pair, each in zip(
            documents, chosen, classes or map(word_classes, documents), strict=True
        )
    )


def _attackers(
    workbench: Workbench, people: People, learning: Sequence[Path]
) -> tuple[Attacker, ...]:
    """Return the attackers named by the user and one for each pair of encoders; with BM25 these are the paper's ensemble."""
    means = workbench.means
    names = means.attackers
    if not names:
        names = (Bm25.name,)
        pairs = len(means.text_encoders) * len(means.profile_encoders)
        if pairs < _FEWEST_JUDGES:
            names += (NaiveBayes.name,)
        if not pairs and learning:
            names += (TRANSLATION,)
    found = [
        attacker
        for name in names
        for attacker in (
            [_translation(people, learning)]
            if name == TRANSLATION
            else open_attackers(name, people)
        )
    ]
    for text in means.text_encoders:
        for profile in means.profile_encoders:
            recipe = attacker_recipe(workbench, text, profile)
            found.append(train_attacker(workbench, recipe, learning[0], people))
    return tuple(found)


def attacker_recipe(workbench: Workbench, text: str, profile: str) -> AttackerRecipe:
    """Return the paper's settings for two encoders.

    Raises:
        MissingExtraError: torch is not installed.
    """
    with training_extra():
        from ..train.recipes import AttackerRecipe
    means = workbench.means
    return AttackerRecipe(text, profile, epochs=means.epochs, device=means.device)


def train_attacker(
    workbench: Workbench, recipe: AttackerRecipe, pairs: Path, people: People
) -> Attacker:
    """Train an attacker with two encoders, once.

    Args:
        workbench: keeps the attacker in its folder.
        recipe: the attacker's settings.
        pairs: the pairs to learn from.
        people: the people it chooses from.

    Raises:
        InputError: there are too few pairs.
        ModelError: an encoder can't be used.
    """
    from tacenda.models.encoder_pair import EncoderPair
    from tacenda.reidentify.attackers.encoder import TransformerAttacker

    from ..train.attacker_encoders import train_pair

    name = " + ".join(
        Path(source.removeprefix("hf:")).name for source in (recipe.text, recipe.profile)
    )
    digest = fingerprint([pairs], asdict(recipe))[:12]
    folder = train_pair(recipe, pairs, None, workbench.work / f"attacker-{digest}")
    return TransformerAttacker(people, EncoderPair(folder), name)


def _translation(people: People, learning: Sequence[Path]) -> Attacker:
    from ..attackers import TranslatingBayes, learn

    examples = [
        (words_of(pair).keys, terms(pair.person))
        for file in learning
        for pair in read_pairs(file)
        if pair.text
    ]
    try:
        translations = learn(examples)
    except ValueError as error:
        raise NotHere(f"the training pairs are too few to learn from: {error}") from error
    return TranslatingBayes(people, translations)
