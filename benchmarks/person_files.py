"""Linkage of the documents of one person: released as they are, and sanitized by each policy.

    python -m benchmarks person_files [--people 100] [--seed 1] [--rare] [--after [--unnamed]]
    python -m benchmarks person_files --file examples/ward.jsonl --after

Made-up patients (names by Faker) with three notes each: an admission, a letter and a call, by templates of their own. A note draws some of what is true of
its patient (work, town, illness, family, pastime) and something of the day. Recall is the share of pairs of one patient that are
linked at the similarity at which at most a hundredth of all links is false; intervals are of pairs (Wilson), which aren't independent.
With --rare each patient's pastime is one of 780, in place of one of ten, and each note tells it.
With --file the notes of a file are taken instead, three of each person, the earliest first.
With --after each policy is also measured with the first notes of all patients released, and then the others by *anonymize* ``--after``:
with the patients' ids but for --unnamed, and the linkability test of WP216 (``attack --tests``) beside it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from faker import Faker

import tacenda
from benchmarks.tables import print_header
from tacenda.document import Document
from tacenda.reidentify.anonymize.earlier_release import anonymize_after, linkers_with_thresholds
from tacenda.reidentify.criteria import ReleaseCase, link_documents
from tacenda.reidentify.criteria.person_file import person_file_risk

FACTS = {
    "job": "bus driver|violin maker|baker|school nurse|roofer|translator|beekeeper|accountant|welder|florist|librarian|ferry pilot",
    "town": "Leeds|Salem|Eugene|Dundee|Galway|Dayton|Tulsa|Exeter|Fargo|Bangor|Boise|Derby",
    "illness": "asthma|gout|epilepsy|psoriasis|type 2 diabetes|migraine|celiac disease|arthritis|sarcoidosis|glaucoma",
    "drug": "metformin|allopurinol|lamotrigine|salbutamol|timolol|methotrexate|sumatriptan|prednisone|ramipril|sertraline",
    "family": "lives alone|has twins|cares for a blind father|is widowed|has five children|shares a flat with a brother|is newly married",
    "pastime": "sings in a choir|races pigeons|plays chess|restores clocks|fences|rows|keeps goats|dances tango|paints boats|runs marathons",
}
THINGS = (
    "stamps|kites|maps|clocks|shells|dolls|coins|spoons|bells|keys|masks|fossils|buttons|radios|lamps|posters|tins|"
    "bottles|thimbles|trains|medals|globes|flutes|knives|baskets|tiles|fans|pens|hats|comics|kettles|lenses|looms|"
    "minerals|moths|plates|puppets|saddles|sundials|whistles"
).split("|")
DAY = "a cough|a fall|chest pain|a rash|back pain|fever|a burnt hand|poor sleep|dizziness|a swollen knee"
COURSE = "The pulse was steady|Blood results are awaited|An x-ray showed nothing|Rest was advised|A cream was given|No change was made"
TEMPLATES = (
    ("Admitted with {day}. The patient, {name}, ", "{course}. Discharged on the same day."),
    (
        "Dear colleague, thank you for seeing {name} for {day}. My patient ",
        "{course}. With kind regards.",
    ),
    ("Call at noon about {day}: {name} ", "{course}. Will call again if needed."),
)
CLAUSES = {
    "job": "works as a {}",
    "town": "comes from {}",
    "illness": "has had {} for years",
    "drug": "takes {}",
    "family": "{}",
    "pastime": "{}",
}


def notes(people: int, seed: int, *, rare: bool) -> Iterator[ReleaseCase]:
    """Three notes of each person, each with four facts of six."""
    draw = random.Random(seed)
    faker = Faker("en_US")
    faker.seed_instance(seed)
    for number in range(people):
        facts = {key: draw.choice(values.split("|")) for key, values in FACTS.items()}
        name = faker.name()
        if rare:
            facts["pastime"] = "collects {} and {}".format(*draw.sample(THINGS, 2))
        for n, (head, tail) in enumerate(TEMPLATES):
            keys = draw.sample(list(CLAUSES), 4)
            if rare and "pastime" not in keys:
                keys[0] = "pastime"
            clauses = [CLAUSES[key].format(facts[key]) for key in keys]
            day, course = draw.choice(DAY.split("|")), draw.choice(COURSE.split("|"))
            middle = f"{', '.join(clauses[:-1])} and {clauses[-1]}. "
            text = head.format(day=day, name=name) + middle + tail.format(course=course)
            yield ReleaseCase(Document(f"{number}-{n}", text), str(number))


def read_notes(path: Path) -> Iterator[ReleaseCase]:
    """Notes of a file: ``id``, ``person``, ``text``."""
    for line in path.read_text("utf-8").splitlines():
        item = json.loads(line)
        yield ReleaseCase(Document(item["id"], item["text"]), item["person"])


def sanitized(cases: Sequence[ReleaseCase], policy: str) -> list[ReleaseCase]:
    sanitizer = tacenda.load(policy)
    return [
        ReleaseCase(
            Document(case.document.id, sanitizer.sanitize(case.document.text).text), case.person
        )
        for case in cases
    ]


def anonymized_after(
    cases: Sequence[ReleaseCase], *, unnamed: bool
) -> tuple[list[ReleaseCase], float]:
    """The first notes as they are and the others masked, and the share of their words that is."""
    earlier, later = (
        cases[:: len(TEMPLATES)],
        [case for n in range(1, len(TEMPLATES)) for case in cases[n :: len(TEMPLATES)]],
    )
    seen = [[replace(case, person="") if unnamed else case for case in c] for c in (earlier, later)]
    results = list(anonymize_after(*seen, linkers_with_thresholds([*seen[0], *seen[1]])))
    share = sum(each.n_masked for each in results) / sum(each.n_words for each in results)
    masked = [
        ReleaseCase(Document(case.document.id, each.text), case.person)
        for case, each in zip(later, results, strict=True)
    ]
    return [*earlier, *masked], share


def print_risk(name: str, release: Sequence[ReleaseCase]) -> str:
    """Print what each attacker joins; return the highest recall."""
    risk = person_file_risk(release, release[0].person)
    assert risk is not None
    for each in risk.links:
        print(f"| {name} | {each.attacker} | {each.recall} | {each.n_false} |", flush=True)
    return str(max(each.recall for each in risk.links))


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rare", action="store_true")
    parser.add_argument(
        "--file", type=Path, help="notes of other people, such as examples/ward.jsonl"
    )
    parser.add_argument("--after", action="store_true")
    parser.add_argument("--unnamed", action="store_true")
    parser.add_argument("--policies", nargs="+", default=["default", "clinical", "strict"])
    options = parser.parse_args()
    cases = list(
        read_notes(options.file)
        if options.file
        else notes(options.people, options.seed, rare=options.rare)
    )
    print_header("| release | attacker | recall | false links |")
    rows = []
    for policy in ("", *options.policies):
        release = sanitized(cases, policy) if policy else cases
        worst = print_risk(policy or "as it is", release)
        if not policy:
            rows.append(f"| as it is | {worst} | | | |")
        elif options.after:
            after, share = anonymized_after(release, unnamed=options.unnamed)
            worst_after = print_risk(f"{policy}, --after", after)
            tests = [link_documents(each) for each in (release, after)]
            first = " → ".join(str(test.attack["any"]) for test in tests if test is not None)
            name = f"{policy}, nobody's identity known (--unnamed)" if options.unnamed else policy
            rows.append(f"| {name} | {worst} | {worst_after} | {share:.1%} | {first} |")
    if options.after:
        print()
        print_header(
            "| policy | worst recall | with `--after` | words masked | second note first by similarity, before → after |"
        )
        print(*rows, sep="\n")
