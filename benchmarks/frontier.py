"""What is left of texts, and who is still found in them: every policy, operator and search in one picture.

    python -m benchmarks frontier DATA [--members 60] [--k 2,10,64] [--model FOLDER] [--out docs/frontier.svg]

Documents are 50 Wikipedia biographies (their people are known by the rest of the article) and a sample of the
biographies of members of Congress whom nothing was learned from (known by the register as its file has it).
FOLDER is a spaCy model for Presidio, which is left out without it. Across: ``tacenda evaluate masks --utility``. Up: the
share of people whom attackers put first that no system was guided by, the same for all systems: one family of the
product's, by the digest of the document (*anonymize* is guided by the others), and one that is no part of the
product (``independent_attacker.Cosines``: TF-IDF of words and of character 3- to 5-grams). In the table also
whom any of them finds, those that guided *anonymize* included.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from zlib import crc32

import tacenda
from benchmarks.independent_attacker import Cosines
from benchmarks.reidentification_biographies import BODIES, DEV, biographies, known, stored
from benchmarks.reidentification_data import store_register
from benchmarks.sets import boxed
from benchmarks.tables import print_header
from tacenda.background.people import People
from tacenda.document import Document, Span
from tacenda.evaluate.releases import Release, Rewriting
from tacenda.evaluate.utility import UTILITY, Utility, measure_utility
from tacenda.policy import Policy
from tacenda.reidentify.anonymize.anonymize import anonymize
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import Attacker, rank_of
from tacenda.reidentify.rates import Rate, rate
from tacenda.reidentify.tokens import read_words
from tacenda_lab.baselines import create
from tacenda_lab.evaluation.plots import FONT_SIZE, INK, QUIET, blank, save
from tacenda_lab.train.attacker_data import FILE, read_members

POLICIES = "default strict lenient court clinical chat logs".split()
OPERATORS = "tag generalize surrogate".split()
COLOURS = {
    "original": INK,
    "policy": "#2f6f8f",
    "operator": "#6b8f3c",
    "search": "#b4552d",
    "other": "#d9a441",
}
_KEY = "8c0d7a5b9e3f41262f8b1c6d0e9a7435"


@dataclass(frozen=True, slots=True)
class System:
    """A system: its name, its group in the picture, and what it releases of a document."""

    name: str
    group: str
    release: Callable[[Document], Release]


@dataclass(frozen=True, slots=True)
class Point:
    """What a system leaves of the texts, and who is found in them."""

    system: System
    masked: float
    utility: Utility
    held_out: Rate
    anybody: Rate


def main(parser: argparse.ArgumentParser) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    parser.add_argument("data", type=Path)
    parser.add_argument("--members", type=int, default=60, help="members of Congress; 0 for none")
    parser.add_argument("--biographies", type=int, default=50)
    parser.add_argument("--k", default="2,10,64", help="of anonymize, with commas between")
    parser.add_argument("--attacker", default="ensemble", help="by which anonymize is guided")
    parser.add_argument("--model", help="folder of a spaCy model, for Presidio")
    parser.add_argument("--out", type=Path, help="picture")
    arguments = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (people, documents) in corpora(arguments, Path(folder)):
            attackers = open_attackers(arguments.attacker, people)
            systems = systems_of(people, attackers, arguments, Path(folder))
            found[name] = measure(name, people, documents, attackers, systems)
    if arguments.out:
        draw(found, arguments.out)


def corpora(
    arguments: argparse.Namespace, folder: Path
) -> Iterator[tuple[str, tuple[People, list[Document]]]]:
    """Yield each corpus by its name: the people who are known, and the documents."""
    if arguments.biographies:
        people = stored(arguments.data / BODIES, folder / "bodies.db")
        read = (one.document for one in biographies(arguments.data / DEV))
        documents = [document for document in read if known(people, document)]
        yield "Wikipedia biographies", (people, documents[: arguments.biographies])
    if arguments.members:
        path = arguments.data / FILE
        register = store_register(folder / "members.db", path)
        members = [one for one in read_members(path) if one.held_out and one.text is not None]
        members.sort(key=lambda one: f"{one.digest:064x}")
        sample = [
            Document(one.person.id, one.text.document.text, subject=one.person.id)
            for one in members[: arguments.members]
            if one.text is not None
        ]
        yield "members of Congress", (register, sample)


# What is measured.


def profiles_of(people: People) -> list[str]:
    """Return what is known of everybody as texts."""
    everybody = (people.person(number) for number in range(len(people)))
    return [
        " ; ".join([person.name, *(value for _, value in person.profile)]) for person in everybody
    ]


def measure(
    name: str,
    people: People,
    documents: Sequence[Document],
    attackers: Sequence[Attacker],
    systems: Sequence[System],
) -> list[Point]:
    """Return the point of each system, and print the table."""
    independent = Cosines(profiles_of(people))
    print(f"\n{name}: {len(documents)} documents, {len(people)} people\n")
    heads = ["system", "words changed %", "utility", "facts", "topics", "classification"]
    heads += ["held-out attackers find", "any attacker finds"]
    print_header(f"| {' | '.join(heads)} |")
    points = []
    for system in systems:
        releases = [system.release(document) for document in documents]
        ranks = []
        changed = total = 0
        for document, release in zip(documents, releases, strict=True):
            person = people.find(document.subject)
            text = written(release)
            read = read_words(Document(document.id, text))
            own = {each: each.rank(read).rank(person) for each in attackers}
            outsider = rank_of(independent(text.replace("***", " ; ")).sum(axis=0), person)
            judges = held_out(document, attackers)
            ranks.append(
                (min(outsider, *map(own.__getitem__, judges)), min(outsider, *own.values()))
            )
            words = read_words(document)
            spans = [Span(e.start, e.end) for e in release.rewritings if e.start < e.end]
            changed += int(words.masked(spans).sum())
            total += len(words)
        hits = [sum(rank[n] == 1 for rank in ranks) for n in (0, 1)]
        rates = [rate(n, len(ranks)) for n in hits]
        points.append(Point(system, changed / total, measure_utility(releases), *rates))
        print(row(points[-1]), flush=True)
    return points


def held_out(document: Document, attackers: Sequence[Attacker]) -> list[Attacker]:
    """Return the attackers of the family that only judges a document."""
    families = sorted({family(attacker) for attacker in attackers})
    chosen = families[crc32(document.id.encode()) % len(families)]
    return [attacker for attacker in attackers if family(attacker) == chosen]


def family(attacker: Attacker) -> str:
    return str(getattr(attacker, "family", attacker.name))


def written(release: Release) -> str:
    """Return the text of a release."""
    parts, position = [], 0
    for each in release.rewritings:
        parts += [release.original[position : each.start], each.text]
        position = each.end
    return "".join([*parts, release.original[position:]])


def row(point: Point) -> str:
    """Return a line of the table."""
    figures = point.utility.figures
    estimate = figures[UTILITY]
    low, high = estimate.interval or (0.0, 0.0)
    cells = [point.system.name, f"{100 * point.masked:.1f}"]
    cells.append(f"{estimate.value:.2f} [{low:.2f}, {high:.2f}]")
    cells += [
        "–" if (value := figures[part].value) is None else f"{value:.2f}"
        for part in ("facts", "topics", "classification")
    ]
    for each in (point.held_out, point.anybody):
        cells.append(f"{each.value:.2f} [{each.low:.2f}, {each.high:.2f}]")
    return f"| {' | '.join(cells)} |"


# Systems.


def systems_of(
    people: People, attackers: Sequence[Attacker], arguments: argparse.Namespace, folder: Path
) -> list[System]:
    """Return all systems, the originals first."""
    key = folder / "key"
    key.write_text(_KEY + "\n")
    key.chmod(0o600)
    default = tacenda.load(threads=1)
    systems = [System("original", "original", lambda one: Release(one.id, one.text, ()))]
    systems += [System(name, "policy", sanitized(default, policy_of(name))) for name in POLICIES]
    for operator in OPERATORS:
        changes = {"operator": operator, "key_file": str(key)}
        policy = default.policy.with_changes(**changes)
        systems.append(System(f"default, {operator}", "operator", sanitized(default, policy)))
    systems += [
        System(f"anonymize K = {k}", "search", searched(people, attackers, k))
        for k in map(int, arguments.k.split(","))
    ]
    if arguments.model:
        systems += [
            System(name, "other", masked(create(name, model=arguments.model).mask))
            for name in ("presidio", "presidio+org")
        ]
    return systems


def policy_of(name: str) -> Policy:
    """Return a shipped policy, with black boxes where it names no operator."""
    policy = Policy.load(name)
    return policy if "operator" in policy.model_fields_set else boxed(name)


def sanitized(base: tacenda.Sanitizer, policy: Policy) -> Callable[[Document], Release]:
    sanitizer = base.with_policy(policy)

    def release(document: Document) -> Release:
        (result,) = sanitizer.pipe([Document(document.id, document.text)])
        edits = sorted(result.replacements, key=lambda edit: edit.original)
        rewritings = (Rewriting(e.original.start, e.original.end, e.text) for e in edits)
        return Release(document.id, document.text, tuple(rewritings))

    return release


def searched(
    people: People, attackers: Sequence[Attacker], k: int
) -> Callable[[Document], Release]:
    options = {"people": people, "hold_out": False}
    more = {name: options[name] for name in options if name in signature(anonymize).parameters}

    def release(document: Document) -> Release:
        person = people.find(document.subject)
        judges = held_out(document, attackers)
        guides = [attacker for attacker in attackers if attacker not in judges]
        solution = anonymize(read_words(document), person, guides, k, **more)
        return Release.masked(document.id, document.text, solution.spans)

    return release


def masked(mask: Callable[[Document], Sequence[Span]]) -> Callable[[Document], Release]:
    return lambda one: Release.masked(one.id, one.text, list(mask(one)))


# The picture.


def draw(found: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw people found by the independent attacker against utility, a panel a corpus."""
    figure, axes = blank(3.6 * len(found), 3.6, columns=len(found))
    for axis, (name, points) in zip(axes, found.items(), strict=True):
        places = [(point.utility.value or 0.0, 100 * point.held_out.value) for point in points]
        best = frontier(places)
        axis.plot(*zip(*best, strict=True), color=QUIET, linewidth=0.8, zorder=1)
        for point, place in zip(points, places, strict=True):
            colour = COLOURS[point.system.group]
            axis.plot(*place, "o", color=colour, markersize=4, zorder=2)
        for point, place, offset in labels(points, places):
            axis.annotate(
                point.system.name, place, offset, textcoords="offset points", fontsize=5.5,
                color=COLOURS[point.system.group],
                arrowprops={"arrowstyle": "-", "color": "#c5cbd0", "linewidth": 0.4},
            )  # fmt: skip
        axis.set_title(name, fontsize=FONT_SIZE, color=INK)
        axis.set_xlabel("utility", fontsize=FONT_SIZE, color=INK)
        axis.set_xlim(min(x for x, _ in places) - 0.04, 1.06)
        axis.set_ylim(-4, 100)
        axis.grid(color="#e4e7ea", linewidth=0.6)
        axis.set_axisbelow(True)
    axes[0].set_ylabel("% found by an attacker nobody asked", fontsize=FONT_SIZE, color=INK)
    save(figure, path)


def frontier(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the places that no other beats in both: more utility, fewer people found."""
    return sorted(
        (x, y)
        for x, y in set(places)
        if not any((a >= x and b < y) or (a > x and b <= y) for a, b in places)
    )


def labels(
    points: Sequence[Point], places: Sequence[tuple[float, float]]
) -> Iterator[tuple[Point, tuple[float, float], tuple[float, float]]]:
    """Yield points with the offsets of their labels in points of print: left of them, none over another."""
    occupied: list[tuple[float, float, float]] = []
    for n in sorted(range(len(places)), key=lambda n: (places[n][1], -places[n][0])):
        x, y = 420 * places[n][0], 1.95 * places[n][1]
        width = 3.0 * len(points[n].system.name) + 3
        height = y + 4
        while any(abs(height - h) < 6.5 and x - width < r and x > le for le, r, h in occupied):
            height += 1
        occupied.append((x - width, x, height))
        yield points[n], places[n], (-width, height - y)
