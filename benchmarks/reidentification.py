"""Who is still found, and at what price: Table 2, Figures 2 and 4 of Morris et al. (2022) on members of Congress.

    python -m benchmarks reidentification DATA [--sample N] [--pictures FOLDER]
    python -m benchmarks reidentification --million          # a store of a million made-up people

Candidates are all 12,976 members, 999 of whom have no text. Documents are biographies (which don't name their
person) of people from whom nothing was learned. A document counts as re-identified if any attacker of the
ensemble ranks its person first; the attacker that guided a search is not in the ensemble that judges it.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import tacenda
from benchmarks.reidentification_data import Members, read_members, store_people
from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person, terms
from tacenda.reidentify.anonymize.anonymize import anonymize, make_objective
from tacenda.reidentify.anonymize.objective import BlackBoxObjective
from tacenda.reidentify.anonymize.search import greedy
from tacenda.reidentify.anonymize.units import word_units
from tacenda.reidentify.attackers.base import Attacker
from tacenda.reidentify.attackers.lexical import Bm25, NaiveBayes
from tacenda.reidentify.rates import rates
from tacenda_lab.attackers import TranslatingBayes, learn
from tacenda_lab.evaluation.plots import save
from tacenda_lab.reproduce.redaction import (
    CLASSES,
    RedactionRow,
    all_ranks,
    baselines,
    by_class,
    by_level,
    classes_figure,
    curves_figure,
    pareto,
    row_of,
)
from tacenda_lab.train.frequencies import Frequencies

SEARCHES = {"bm25": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024), "translation": (1, 4, 8, 16, 64)}
"""Values of K, by the attacker that guides the search."""
Found = dict[tuple[str, float], list[RedactionRow]]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, nargs="?", help="folder of reid/")
    parser.add_argument("--sample", type=int, default=100, help="documents to attack")
    parser.add_argument("--pictures", type=Path, help="folder for the SVG")
    parser.add_argument("--million", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "people.db"
        if arguments.million:
            million(store)
            return
        members = read_members(arguments.data / "reid/congress_people.jsonl.gz", arguments.sample)
        people = store_people(store, members.people)
        begun = time.perf_counter()
        translations = learn([(words.keys, terms(person)) for person, words in members.learning])
        print(
            f"learned from {len(members.learning):,} pairs in {time.perf_counter() - begun:.0f} s"
        )
        attackers = (Bm25(people), NaiveBayes(people), TranslatingBayes(people, translations))
        speed(members, attackers)
        found = measure(members, attackers)
    report(found, arguments.pictures)


def measure(members: Members, attackers: tuple[Attacker, ...]) -> Found:
    """Return what became of each document, by method and setting."""
    texts = [words.keys for _, words in members.learning]
    texts += [words.keys for _, words in members.testing]
    frequencies = Frequencies(texts, members.people)
    sanitizer = tacenda.load(threads=1)
    found: Found = defaultdict(list)
    for number, document in members.testing:
        mentions = sanitizer.analyze(document.document).mentions
        masks = baselines(document, members.people[number], frequencies, mentions)
        for attacker in attackers:
            for k in SEARCHES.get(attacker.name, ()):
                result = anonymize(document, number, [attacker], k)
                masks[f"search, {attacker.name}", k] = result.mask
        ranks = all_ranks(attackers, document, list(masks.values()), number)
        for place, (method, mask) in enumerate(masks.items()):
            found[method].append(row_of(document, mask, ranks[place]))
    return found


def report(found: Found, pictures: Path | None) -> None:
    methods = ("no redaction", "lexical", "named entities")
    titles = [f"{method}: {place}" for method in methods for place in ("rank 1", "first 10")]
    rows = []
    for name in ("bm25", "bayes", "translation"):
        cells = []
        for method in methods:
            own = rates([row.ranks[name] for row in found[method, 0.0]], 10)
            cells += [str(own.first), f"{own.among_k.value:.3f}"]
        rows.append((name, *cells))
    print()
    print_table([("attacker", *titles), *rows])
    for guide in SEARCHES:
        curves = pareto(found, guide)
        print(f"\njudged by all but {guide}")
        print_table(by_level(curves))
        print()
        shares = [
            (name, *(f"{x:.0f}" for x in row))
            for name, row in by_class(curves, found, f"search, {guide}")
        ]
        print_table([("% of words masked", *CLASSES), *shares])
        print(f"\nall settings, judged by all but {guide}")
        for name, points in curves.items():
            for point in points:
                print(f"  {name:22} {point.setting:6g} masked {point.masked:.3f} ", end="")
                print(f"re-identified {point.found:.3f} loss {point.loss:.3f}")
        if pictures is not None:
            save(curves_figure(curves), pictures / f"reidentification-{guide}.svg")
            classes = classes_figure(dict(by_class(curves, found, f"search, {guide}")))
            save(classes, pictures / f"reidentification-{guide}-classes.svg")


def speed(members: Members, attackers: tuple[Attacker, ...]) -> None:
    """Print how long a mask takes, incrementally and one candidate at a time from scratch."""
    length = [abs(len(words) - 100) for _, words in members.testing]
    near = [members.testing[place] for place in np.argsort(length)[:3]]
    print("\nseconds a document of about 100 words, K = 8; the same masks both ways")
    for attacker in attackers:
        fast = slow = 0.0
        for number, document in near:
            attacker.rank(document)  # both ways find the words' people in memory
            units = word_units(document)
            begun = time.perf_counter()
            chosen = greedy(
                make_objective(attacker, document, number, units), [1.0] * len(units), 8
            )
            middle = time.perf_counter()
            naive = BlackBoxObjective(attacker, document, number, units, batch=1)
            same = greedy(naive, [1.0] * len(units), 8, lazy=False)
            slow += time.perf_counter() - middle
            fast += middle - begun
            if chosen != same:
                raise SystemExit(f"{document.document.id}: the two searches differ")
        n = len(near)
        print(f"  {attacker.name:12} {fast / n:.4f} and {slow / n:.3f}: {slow / fast:.0f} times")


def million(store: Path) -> None:
    """Print what a store of a million made-up people costs, and an attack on it."""
    random = np.random.default_rng(0)
    names = np.array([f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in _ENDS])
    begun = time.perf_counter()
    with PeopleBuilder(store) as builder:
        for start in range(0, 1_000_000, 10_000):
            draws = random.zipf(1.3, (10_000, 12)) % len(names)
            years = random.integers(1900, 2005, 10_000)
            for place, (row, year) in enumerate(zip(names[draws], years, strict=True)):
                born = f"{year}-{1 + place % 12:02}-{1 + place % 28:02}"
                fields = (("born", born), ("about", " ".join(row[2:])))
                builder.add(Person(f"p{start + place}", f"{row[0]} {row[1]}", fields))
    built = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    size = store.stat().st_size / 1e6
    print(f"built in {built:.0f} s, {memory:.2f} GB of memory at most, {size:.0f} MB")
    begun = time.perf_counter()
    people = People(store)
    print(f"opened in {time.perf_counter() - begun:.2f} s")
    person = people.person(123_456)
    text = "They say that " + " ".join(value for _, value in person.profile) + " and much else."
    document = tacenda.reidentify.read_words(tacenda.document.Document("text", text))
    for attacker in (Bm25(people), NaiveBayes(people)):
        begun = time.perf_counter()
        rank = attacker.rank(document).rank(123_456)
        ranked = time.perf_counter() - begun
        begun = time.perf_counter()
        result = anonymize(document, 123_456, [attacker], 8)
        took = time.perf_counter() - begun
        print(f"{attacker.name}: rank {rank} in {ranked:.2f} s; ", end="")
        print(f"{result.words_masked} of {len(document)} words masked in {took:.2f} s")


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows as Markdown; the first has the headings."""
    head, *rest = rows
    for row in (head, ["---"] * len(head), *rest):
        print(f"| {' | '.join(row)} |")


_ENDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("n", "r", "s", "l", "")]
