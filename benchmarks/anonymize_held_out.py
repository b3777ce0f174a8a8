"""Anonymized biographies of people nobody learned from, against every attacker, asked or not.

    python -m benchmarks anonymize_held_out DATA [--people N] [--learning M] [--k 10] [--operator generalize]
        [--judged-by FAMILY] [--tuning] [-o TEXTS]

The register is indexed as its file has it. Each document is guided by all families of the ensemble but one, which judges
it; ``--judged-by`` takes the documents of one such family only. All attackers read the text that is released. *independent* is ``independent_attacker.py``, which learned from original texts of M other people; *independent,
adaptive* the same from their anonymized texts. ``--tuning`` takes people of the learning part on whom
settings are chosen. Rates have 95 % intervals by Wilson; seconds are of one processor core and by the clock, with what
finds the entities. Utility is that of ``tacenda evaluate masks --utility``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.independent_attacker import IndependentAttacker
from benchmarks.reidentification_data import store_register
from tacenda.background.people import People
from tacenda.document import Assessment, Document
from tacenda.evaluate import releases as pairs
from tacenda.evaluate.utility import PARTS, UTILITY, measure_utility
from tacenda.link.linking import link
from tacenda.pipeline import Sanitizer, load
from tacenda.reidentify import Attacker, anonymize, open_attackers, read_words
from tacenda.reidentify.anonymize.anonymize import (
    MARGIN,
    Anonymized,
    goals_of,
    margin_of,
    only_judges_learned,
    required_units,
)
from tacenda.reidentify.anonymize.linked_units import linked_units, named_words
from tacenda.reidentify.anonymize.objective import BlackBoxObjective, EnsembleObjective
from tacenda.reidentify.anonymize.options import information_of_words
from tacenda.reidentify.anonymize.search import greedy
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.panel import RankTally, family_of, panel_of
from tacenda.reidentify.rates import rates
from tacenda.risk.assess import assess
from tacenda_lab.train.attacker_data import FILE, Member, read_members
from tacenda_lab.train.corpus import records


class AnonymizedDocument(NamedTuple):
    """A person's document, anonymized."""

    number: int
    member: Member
    result: Anonymized


def attacked_and_others(
    path: Path, *, tuning: bool
) -> tuple[list[tuple[int, Member]], list[tuple[int, Member]]]:
    """Return the members with a text to attack, and those to learn from, each with its number, in order of digest."""
    everybody = sorted(enumerate(read_members(path)), key=lambda item: item[1].digest)
    written = [(number, member) for number, member in everybody if member.text is not None]
    attacked = [item for item in written if (item[1].chosen_on if tuning else item[1].held_out)]
    return attacked, [item for item in written if not item[1].held_out and not item[1].chosen_on]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--people", type=int, default=1191, help="documents to attack, at most")
    parser.add_argument("--learning", type=int, default=600, help="of others, to learn from, or 0")
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--operator", choices=("generalize", "suppress"), default="suppress")
    parser.add_argument("--judged-by", help="family: its documents only")
    parser.add_argument("--tuning", action="store_true", help="people that settings are chosen on")
    parser.add_argument("--naive", type=int, default=2, help="documents for the naive search")
    parser.add_argument("-o", "--output", type=Path, help="texts, as JSON Lines")
    arguments = parser.parse_args()
    path = arguments.data / FILE
    attacked, others = attacked_and_others(path, tuning=arguments.tuning)
    others = others[: arguments.learning]
    with tempfile.TemporaryDirectory() as folder:
        people = store_register(Path(folder) / "people.db", path)
        attackers = open_attackers("ensemble", people)
        if arguments.judged_by:
            attacked = [
                one for one in attacked if judge_of(one[1], attackers) == arguments.judged_by
            ]
        attacked = attacked[: arguments.people]
        sanitizer = load(threads=1) if arguments.operator == "generalize" else None
        releases = anonymize_all(attacked, people, attackers, arguments.k, sanitizer, "attacked")
        report(releases, arguments.k)
        if arguments.output is not None:
            write(releases, arguments.output)
        if arguments.naive:
            naive(attacked[: arguments.naive], people, attackers, arguments.k)
        learning = anonymize_all(others, people, attackers, arguments.k, sanitizer, "learned from")
    if learning:
        judge(path, releases, learning, arguments.k)


def judge_of(member: Member, attackers: Sequence[Attacker]) -> str:
    """Return the family that judges a member's document."""
    assert member.text is not None
    return family_of(panel_of(attackers, member.text.document).judges[0])


def anonymize_all(
    members: Sequence[tuple[int, Member]],
    people: People,
    attackers: Sequence[Attacker],
    k: int,
    sanitizer: Sanitizer | None,
    title: str,
    margin: int = MARGIN,
) -> list[AnonymizedDocument]:
    """Return the documents anonymized; prints the time of one."""
    clock, core = time.perf_counter(), time.process_time()
    releases = []
    for done, (number, member) in enumerate(members, 1):
        assert member.text is not None
        assessments: Sequence[Assessment] = ()
        if sanitizer is not None:
            document = member.text.document
            entities = link(document, sanitizer.analyze(document).mentions)
            assessments = assess(document, entities, sanitizer.policy)
        result = anonymize(
            member.text,
            number,
            attackers,
            k,
            people=people,
            assessments=assessments,
            margin=margin,
        )
        releases.append(AnonymizedDocument(number, member, result))
        if not done % 20:
            print(f"{title}: {done} of {len(members)}", file=sys.stderr, flush=True)
    n = max(len(members), 1)
    print(
        f"{len(members)} documents {title}: {(time.process_time() - core) / n:.2f} s of a core each, "
        f"{(time.perf_counter() - clock) / n:.2f} s by the clock",
        flush=True,
    )
    return releases


def report(releases: Sequence[AnonymizedDocument], k: int) -> None:
    """Print words masked, names left, and rates by guides and judges."""
    shares = [one.result.words_masked / len(one.member.text or ()) for one in releases]
    half = 1.96 * float(np.std(shares)) / len(shares) ** 0.5
    left = sum(
        bool(named_words(read_words(Document("", one.result.text)), one.member.person.name))
        for one in releases
    )
    print(f"words replaced {np.mean(shares):.3f} ± {half:.3f}; names left in {left} documents")
    figures = measure_utility([_rewritten(one) for one in releases]).figures
    for name in (UTILITY, *PARTS):
        low, high = figures[name].interval or (0, 0)
        print(f"{name} {figures[name].value:.3f} [{low:.3f}, {high:.3f}]")
    tally = RankTally(k)
    for one in releases:
        tally.add(one.result.attack_results)
    print("\n".join(tally.lines()), flush=True)


def naive(
    members: Sequence[tuple[int, Member]],
    people: People,
    attackers: Sequence[Attacker],
    k: int,
) -> None:
    """Print the time of the search with one candidate a call, every candidate each time."""
    times: dict[str, list[float]] = defaultdict(list)
    for number, member in members:
        document = member.text
        assert document is not None
        begun = time.process_time()
        anonymize(document, number, attackers, k, people=people)
        times["search"].append(time.process_time() - begun)
        begun = time.process_time()
        linked = linked_units(document, number, people)
        margin = margin_of(k, len(people), document)
        name = named_words(document, people.person(number).name)
        crowds = linked.crowds_of(linked.units)
        panel = panel_of(attackers, document.document)
        dated = linked.dated if only_judges_learned(panel) else ()
        required = required_units(linked.units, name, crowds, margin, dated)
        objectives = [
            BlackBoxObjective(attacker, document, number, linked.units, batch=1)
            for attacker in panel.guides
        ]
        goals = goals_of(objectives, len(linked.units), k, margin)
        objective = EnsembleObjective(objectives, goals)
        for unit in required:
            objective.mask(unit)
        lost = [information_of_words(document, unit.words) for unit in linked.units]
        greedy(objective, lost, k, lazy=False, masked=required)
        times["naive greedy"].append(time.process_time() - begun)
    for name_, seconds in times.items():
        print(f"{name_}: {np.mean(seconds):.2f} s of a core a document", flush=True)


def judge(
    path: Path,
    releases: Sequence[AnonymizedDocument],
    learning: Sequence[AnonymizedDocument],
    k: int,
) -> None:
    """Print the rates of the independent attacker, on originals and releases, and adaptive."""
    attacker = IndependentAttacker(list(records(path)))
    attacker.learn([(_original(one), one.number) for one in learning])
    _rates(attacker, "independent, originals", [(_original(o), o.number) for o in releases], k)
    released = [(one.result.text, one.number) for one in releases]
    _rates(attacker, "independent", released, k)
    attacker.learn([(one.result.text, one.number) for one in learning])
    _rates(attacker, f"independent, adaptive from {len(learning)} texts", released, k)


def _original(release: AnonymizedDocument) -> str:
    return release.member.text.document.text if release.member.text is not None else ""


def _rewritten(release: AnonymizedDocument) -> pairs.Release:
    edits = (
        pairs.Rewriting(edit.original.start, edit.original.end, edit.text)
        for edit in release.result.replacements
    )
    return pairs.Release(release.member.person.id, _original(release), tuple(edits))


def _rates(
    attacker: IndependentAttacker, name: str, pairs: Sequence[tuple[str, int]], k: int
) -> None:
    ranks = [rank_of(attacker.scores(text), number) for text, number in pairs]
    both = rates(ranks, k)
    cells = (str(each) for each in (both.first, both.among_k))
    print(
        f"{name}: rank 1 {next(cells)}, first {k} {next(cells)}, {len(ranks)} documents", flush=True
    )


def write(releases: Sequence[AnonymizedDocument], path: Path) -> None:
    """Write originals and texts."""
    with path.open("w", encoding="utf-8") as stream:
        for one in releases:
            text = one.result.text
            item = {"id": one.member.person.id, "original": _original(one), "sanitized": text}
            stream.write(json.dumps(item, ensure_ascii=False) + "\n")
