"""How true the first option of the ontology is, and how fast it is found.

300 well-known names are drawn with a fixed seed from the sources: towns and countries (GeoNames), universities,
parties, companies, newspapers (registers and lists), occupations (lists), nationalities (lists). The first option
is compared with what the source itself says of the name. `--read 50` prints that many, to be read by a person.

    python -m benchmarks ontology --registers entity_types.tsv.gz --lists lists [--read 50] [--every 5]

`--every N` looks up every Nth name of the whole ontology and counts options that are the name, contain it, or have a
capitalised word of it. The last figure is the processor time of options and rewriting of a text of 1,700 words that has 90 such
names.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tacenda.deciding import Analysis, complete
from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import contains, words
from tacenda.rewrite.ontology import KnowledgeBase, open_ontology
from tacenda.rewrite.ontology.store import TYPES
from tacenda_lab.train.ontology.places import ADJECTIVES, REGIONS, PlaceGazetteer, read_gazetteer
from tacenda_lab.train.ontology.registers import read_entity_types

SEED = 20_260
_CAPITALS = re.compile(r"\b[A-Z]\w{2,}")
_BEFORE = "In the spring of that year she wrote to somebody at "
_AFTER = " about it and got no answer.\n"
_IN = re.compile(r"(.+?) (?:in|of) (?:the )?([A-Z].*)")
_ENDINGS = {
    "university": r"universit(?:y|ies)|college|school|institution|academy|institute|polytechnic",
    "political party": r"party",
    "company": r"company|business|manufacturer|airline|bank|studio|store|chain|firm|retailer",
    "newspaper": r"newspaper|periodical|publication|magazine",
    "city": r"city|place|commune of France|comune of Italy|capital|municipality|town|settlement",
    "country": r"country|kingdom|nation|republic",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A name, its type, what its source says it is, and the places it may be said to be in."""

    name: str
    type: SemanticType
    kind: str
    inside: frozenset[str]


def main(parser: argparse.ArgumentParser) -> None:
    """Draw, compare and print."""
    parser.add_argument("--registers", type=Path, required=True)
    parser.add_argument("--lists", type=Path, required=True)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    started = time.perf_counter()
    knowledge = open_ontology()
    loaded = time.perf_counter() - started
    drawn = list(_draw(options.registers, options.lists, random.Random(options.seed)))
    false, missing, seconds = [], 0, []
    for number, each in enumerate(drawn):
        started = time.perf_counter()
        found = knowledge.lookup(each.name, each.type)
        seconds.append(time.perf_counter() - started)
        first = found[0].text if found else ""
        if number * options.read // len(drawn) > (number - 1) * options.read // len(drawn):
            print(f"{each.name} ({each.type}): {' > '.join(option.text for option in found[:4])}")
        if not first:
            missing += 1
        elif not _true(first, each):
            false.append((each.name, each.kind, first))
    offered = len(drawn) - missing
    print(
        f"{offered} of {len(drawn)} have an option; first option true: {1 - len(false) / offered:.1%}"
    )
    for row in false:
        print("  false:", *row, sep=" | ")
    print(
        f"load {loaded * 1000:.0f} ms, lookup mean {sum(seconds) / len(seconds) * 1000:.2f} ms, "
        f"slowest {max(seconds) * 1000:.1f} ms"
    )
    misspelt = [each.name[:3] + each.name[4:] for each in drawn if len(each.name) > 8]
    started = time.perf_counter()
    for name in misspelt:
        knowledge.lookup(name, SemanticType.ORG)
    print(f"misspelt: mean {(time.perf_counter() - started) / len(misspelt) * 1000:.2f} ms")

    _print_rewriting([each for each in drawn if each.type is not SemanticType.DEM])
    if options.every:
        _print_naming(knowledge, options.every)


def _print_rewriting(drawn: list[Drawn]) -> None:
    parts: list[str] = []
    mentions: list[Mention] = []
    length = 0
    for each in drawn[::2][:90]:
        start = length + len(_BEFORE)
        parts.append(f"{_BEFORE}{each.name}{_AFTER}")
        mentions.append(
            Mention(Span(start, start + len(each.name)), each.type, 1.0, 0.0, MentionSource.GOLD)
        )
        length += len(parts[-1])
    document = Document("names", "".join(parts))
    policy = Policy(operator="generalize", threshold=0.5, recognizer=False)
    seconds = []
    for _ in range(15):
        started = time.process_time()
        complete(Analysis(document, tuple(mentions)), policy, 0.5)
        seconds.append(time.process_time() - started)
    words = len(document.text.split())
    print(
        f"{words} words, {len(mentions)} names, processor time: first {seconds[0] * 1000:.0f} ms, "
        f"then median {sorted(seconds[1:])[7] * 1000:.0f} ms, least {min(seconds) * 1000:.0f} ms"
    )


def _print_naming(knowledge: KnowledgeBase, every: int) -> None:
    looked, named = 0, 0
    for number, (name, senses) in enumerate(knowledge.store.names()):
        if number % every:
            continue
        mask = knowledge.store.classes[senses[0].classes[0]].types
        type = next(SemanticType(type) for type, bit in TYPES.items() if bit & mask)
        form = words(name)
        looked += 1
        for option in knowledge.lookup(name, type):
            capitals = {word.casefold() for word in _CAPITALS.findall(option.text)}
            named += contains(words(option.text), form) or bool(capitals.intersection(form))
    print(f"{looked} names of the whole ontology: {named} options name what they stand for")


def _draw(registers: Path, lists: Path, chance: random.Random) -> Iterator[Drawn]:
    gazetteer, towns, countries = read_gazetteer()
    large = [row for row in towns if row["population"] >= 200_000]
    for row in chance.sample(large, 75):
        yield Drawn(row["name"], SemanticType.LOC, "city", _inside(gazetteer, row["countrycode"]))
    peopled = [code for code, row in countries.items() if row["population"] >= 1_000_000]
    for code in chance.sample(sorted(peopled), 25):
        name = gazetteer.countries[code]
        yield Drawn(name, SemanticType.LOC, "country", _inside(gazetteer, code))
    rows = list(read_entity_types(registers))
    for kind, source, number in (("university", "Hipo", 40), ("political party", "Party", 20)):
        known = [row for row in rows if row.kind == kind and row.source.startswith(source)]
        for entry in chance.sample(known, number):
            code = gazetteer.long_codes.get(entry.where, "")
            code = code or gazetteer.codes.get(entry.where.lower(), "")
            yield Drawn(entry.name, SemanticType.ORG, kind, _inside(gazetteer, code))
    for file, key, kind, number in (
        ("corporations/fortune500.json", "companies", "company", 20),
        ("corporations/newspapers.json", "newspapers", "newspaper", 20),
        ("humans/occupations.json", "occupations", "occupation", 50),
        ("geography/nationalities.json", "nationalities", "nationality", 50),
    ):
        names = json.loads((lists / file).read_text(encoding="utf-8"))[key]
        type = SemanticType.DEM if kind in ("occupation", "nationality") else SemanticType.ORG
        for name in chance.sample(names, number):
            yield Drawn(name, type, kind, frozenset())


def _inside(gazetteer: PlaceGazetteer, code: str) -> frozenset[str]:
    names = (gazetteer.countries.get(code, ""), *REGIONS.get(code, ()))
    return frozenset(name.removeprefix("the ") for name in names)


def _true(option: str, drawn: Drawn) -> bool:
    if drawn.kind == "nationality":
        return option in {
            *ADJECTIVES.values(),
            "nationality",
            "inhabitant",
            "person",
            "ethnic group",
        }
    if drawn.kind == "occupation":
        return _person_classes()(option)
    match = _IN.fullmatch(option)
    if match and match[2] not in drawn.inside and drawn.inside:
        return option.endswith(("of France", "of Italy")) and match[2] in drawn.inside
    kind = match[1] if match else option
    return kind == "organization" or bool(re.search(rf"(?:{_ENDINGS[drawn.kind]})\Z", kind))


@cache
def _person_classes() -> Callable[[str], bool]:
    from tacenda.models.tables import ontology_file
    from tacenda.rewrite.ontology.store import OntologyStore, ancestors

    store = OntologyStore(ontology_file())
    texts = {
        each.text
        for id, each in enumerate(store.classes)
        if "person" in {store.classes[other].text for other in ancestors(store, [id])}
    }
    return lambda option: (
        option in texts
        or any(
            "person" in {store.classes[i].text for i in ancestors(store, sense.classes)}
            for sense in store.find(option)
        )
    )
