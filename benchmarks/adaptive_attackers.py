"""Attackers that know the method: they learned from texts that it anonymized, of other people.

    python -m benchmarks adaptive_attackers DATA [--people 300] [--panel 400] [--learning 300] [--margins 160,60]
        [--judges independent,encoder,adaptive] [--tuning]

Each panel anonymizes the same documents, K = 10: *as shipped* without adapted attackers, and for each margin with one as
``tacenda anonymize --adapt`` has it, which learned from ``--panel`` texts, anonymized as shipped. No judge guided
anything. Each learns from ``--learning`` texts of people whom neither the panel nor the documents know, anonymized by
the very panel it attacks:

    independent      ``independent_attacker.py``: words, characters, fields, and a regression to what profiles say
    encoder          ridge regression from the shipped encoder's vector of a text and from its words to profile vectors
    adaptive         the product's own kind

Rates have 95 % intervals by Wilson. ``--tuning`` takes people of the learning part on whom settings are chosen.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from benchmarks.anonymize_held_out import AnonymizedDocument, anonymize_all, attacked_and_others
from benchmarks.independent_attacker import IndependentAttacker
from benchmarks.reidentification_data import store_register
from benchmarks.tables import print_header
from tacenda.background.people import People
from tacenda.document import Document
from tacenda.reidentify import Attacker, TokenizedDocument, open_attackers, read_words
from tacenda.reidentify.anonymize.anonymize import MARGIN
from tacenda.reidentify.attackers import AdaptiveAttacker
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.attackers.encoder import BiEncoder
from tacenda.reidentify.rates import rates
from tacenda_lab.train.attacker_data import FILE, Member
from tacenda_lab.train.corpus import records

K = 10
_PENALTY = 1.0

Pairs = Sequence[tuple[str, int]]
"""Texts, each with the number of the person it is about."""
Members = Sequence[tuple[int, Member]]


class Judge(Protocol):
    """An attacker that learns from pairs and gives everybody a score."""

    def learn(self, pairs: Pairs) -> None: ...
    def scores(self, text: str) -> NDArray[np.float64]: ...


class AdaptedEncoder:
    """Ranks people by the vector that a regression expects of the profile behind a text.

    Args:
        people: the background knowledge.
    """

    def __init__(self, people: People) -> None:
        self._encoder = BiEncoder(people)
        vectors = np.asarray(self._encoder.opened(_words("")).vectors, dtype=np.float64)
        self._profiles = normalize(vectors - vectors.mean(axis=0))
        self._of_text = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)

    def learn(self, pairs: Pairs) -> None:
        """Learn the regression."""
        texts = [text for text, _ in pairs]
        self._of_text.fit(map(_unmasked, texts))
        rows = self._features(texts)
        targets = self._profiles[[number for _, number in pairs]]
        products = (rows @ rows.T).toarray() + _PENALTY * np.eye(len(texts))
        self._effects = rows.T @ np.linalg.solve(products, targets)

    def scores(self, text: str) -> NDArray[np.float64]:
        """Return the product of everybody's vector with the one expected, [people]."""
        return np.asarray(self._profiles @ (self._features([text]) @ self._effects)[0])

    def _features(self, texts: Sequence[str]) -> csr_matrix:
        documents = [_words(text) for text in texts]
        vectors = [self._encoder.opened(one).encode([one.unmasked()])[0] for one in documents]
        words = self._of_text.transform(map(_unmasked, texts))
        return hstack([csr_matrix(normalize(np.array(vectors))), words]).tocsr()


class Adaptive:
    """The product's adaptive attacker.

    Args:
        people: the background knowledge.
    """

    def __init__(self, people: People) -> None:
        self._people = people

    def learn(self, pairs: Pairs) -> None:
        """Learn, with other draws than the attacker that guides."""
        texts = [(_words(text), number) for text, number in pairs]
        self._attacker = AdaptiveAttacker(self._people, texts, seed=1)

    def scores(self, text: str) -> NDArray[np.float64]:
        """Return the score of everybody, [people]."""
        return self._attacker.rank(_words(text)).scores


def _words(text: str) -> TokenizedDocument:
    return read_words(Document("", text))


def _unmasked(text: str) -> str:
    return text.replace("***", " ; ")


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--people", type=int, default=300, help="documents to attack, at most")
    parser.add_argument("--panel", type=int, default=400, help="texts that the guide learns from")
    parser.add_argument("--learning", type=int, default=300, help="texts that judges learn from")
    parser.add_argument("--margins", default=str(MARGIN), help="with commas between")
    parser.add_argument("--judges", default="independent,encoder,adaptive")
    parser.add_argument("--tuning", action="store_true", help="people that settings are chosen on")
    arguments = parser.parse_args()
    path = arguments.data / FILE
    attacked, others = attacked_and_others(path, tuning=arguments.tuning)
    attacked = attacked[: arguments.people]
    panel, learning = others[: arguments.panel], others[arguments.panel :][: arguments.learning]
    with tempfile.TemporaryDirectory() as folder:
        people = store_register(Path(folder) / "people.db", path)
        kinds: dict[str, Callable[[], Judge]] = {
            "independent": lambda: IndependentAttacker(list(records(path))),
            "encoder": lambda: AdaptedEncoder(people),
            "adaptive": lambda: Adaptive(people),
        }
        judges: dict[str, Judge] = {name: kinds[name]() for name in arguments.judges.split(",")}
        attackers = open_attackers("ensemble", people)
        print_header("| panel | words masked | judge | rank 1 | first ten |")
        compare("as shipped", people, attackers, MARGIN, attacked, learning, judges)
        pairs = [
            (_words(one.result.text), one.number)
            for one in anonymize_all(panel, people, attackers, K, None, "of the panel")
        ]
        guides = (*attackers, AdaptiveAttacker(people, pairs))
        for margin in map(int, arguments.margins.split(",")):
            title = f"adapted, margin {margin}"
            compare(title, people, guides, margin, attacked, learning, judges)


def compare(
    title: str,
    people: People,
    attackers: Sequence[Attacker],
    margin: int,
    attacked: Members,
    learning: Members,
    judges: dict[str, Judge],
) -> None:
    """Print how many people each judge finds in what a panel anonymized."""
    releases, learned = (
        anonymize_all(members, people, attackers, K, None, what, margin)
        for members, what in ((attacked, "attacked"), (learning, "of the judges"))
    )
    shares = [one.result.words_masked / len(_original(one)) for one in releases]
    half = 1.96 * float(np.std(shares)) / len(shares) ** 0.5
    words = f"{np.mean(shares):.3f} ± {half:.3f}"
    for name, judge in judges.items():
        judge.learn([(one.result.text, one.number) for one in learned])
        ranks = [rank_of(judge.scores(one.result.text), one.number) for one in releases]
        both = rates(ranks, K)
        print(f"| {title} | {words} | {name} | {both.first} | {both.among_k} |", flush=True)


def _original(release: AnonymizedDocument) -> TokenizedDocument:
    assert release.member.text is not None
    return release.member.text
