"""Audit of the shipped ontology: each step against its source, and names drawn to be read.

    python -m benchmarks ontology_truth audit DATA WORDNET
    python -m benchmarks ontology_truth draw [--seed 1] [--per-type 125]
    python -m benchmarks ontology_truth verdicts benchmarks/ontology_verdicts.tsv
    python -m benchmarks ontology_truth suppressed DATA

`audit` derives each class of each name again, without the code that built the file: from raw tables of
Wikidata (P31, P279, P8225, P361), hypernyms of WordNet, rows of GeoNames, registers and lists. A class
written by hand is confirmed if a class met on the way has its name or label, or the description says
the noun. WORDNET is WordNet's folder `dict`. `draw` prints names with the options of a mention of
their type, to be read; `verdicts` counts such a list after reading, with Wilson's 95 % interval. `suppressed`:
how often `***` is written for the masked mentions of every second biography and judgment of the training
sets, each mention by itself, under the default policy of *generalize*.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from string import capwords

from benchmarks.tables import print_header
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType, Span
from tacenda.evaluate.gold import load_gold
from tacenda.policy import Policy
from tacenda.reidentify.rates import rate
from tacenda.rewrite.generalize.options import rules, shipped_ranker
from tacenda.rewrite.ontology import shipped
from tacenda.rewrite.ontology.store import TYPES, OntologyStore
from tacenda.text.normal_form import name_key
from tacenda_lab.train.lexicons import read_synsets
from tacenda_lab.train.ontology.hierarchy import Tree, read_tree
from tacenda_lab.train.ontology.places import REGIONS, read_gazetteer

_PROPERTIES = ("P31", "P279", "P8225", "P361")
_PLACE = re.compile(r" (?:in|of) (?:the )?(?=[A-Z])")
_EXAMPLES = 8


class Audit:
    """Derivation of classes from the sources."""

    def __init__(self, data: Path, wordnet: Path, store: OntologyStore) -> None:
        self._store = store
        self._tree: Tree = read_tree()
        self._names: dict[str, frozenset[str]] = {}
        self._closures: dict[str, set[str]] = {}
        self._folder = data / "wikidata"
        self._lists = data / "lists"
        self._links: dict[str, set[str]] = defaultdict(set)
        for property in _PROPERTIES:
            for row in self._table(f"derived.{property}.tsv.gz"):
                self._links[row[1]].add(row[3])
        self._labels = {
            row[0]: row[2].removesuffix("@en").strip("'") for row in self._table("labels.en.tsv.gz")
        }
        self._texts = {row[0]: row[2] for row in self._table("descriptions.en.tsv.gz")}
        self._read_codex()
        with gzip.open(self._folder / "entity_types.tsv.gz", "rt", encoding="utf-8") as file:
            self._rows = [line.rstrip("\n").split("\t") for line in file]
        for name, kind, where, source in self._rows:
            if source.startswith("FB15k"):
                self._texts.setdefault(where, kind)
                self._labels.setdefault(where, name)
        synsets = read_synsets(wordnet / "data.noun", "n")
        self._higher = {
            key: {target for symbol, target in synset.pointers if symbol in ("@", "@i")}
            for key, synset in synsets.items()
        }
        self._words = {key: synset.lemmas for key, synset in synsets.items()}
        gazetteer, towns, countries = read_gazetteer()
        self._countries = {code: row["name"] for code, row in countries.items()}
        self._towns = {str(row["geonameid"]): row for row in towns}
        self._towns_called = {name_key(row["name"]) for row in self._towns.values()}
        self._towns_called |= {name_key(name) for name in self._countries.values()}
        self._gazetteer = gazetteer
        self._codes = {str(row["geonameid"]): code for code, row in countries.items()}

    def _table(self, name: str) -> Iterator[list[str]]:
        path = self._folder / name
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                next(file)
                for line in file:
                    yield line.rstrip("\n").split("\t")

    def _read_codex(self) -> None:
        with gzip.open(self._folder / "codex_entity2types.json.gz", "rt") as file:
            for id, types in json.load(file).items():
                self._links[id].update(types)
        with gzip.open(self._folder / "codex_types_en.json.gz", "rt") as file:
            for id, entry in json.load(file).items():
                if entry["label"]:
                    self._labels.setdefault(id, entry["label"])

    def run(self) -> tuple[Counter[str], Counter[str], dict[str, list[str]]]:
        """Return steps by source, those confirmed, and examples of the others."""
        steps, confirmed = Counter[str](), Counter[str]()
        failures: dict[str, list[str]] = defaultdict(list)
        for name, senses in self._store.names():
            for sense in senses:
                for id in sense.classes:
                    text = self._store.classes[id].text
                    self._count(sense.source, id, f"{name} → {text}", steps, confirmed, failures)
        for concept in self._store.classes:
            for id in concept.parents:
                step = f"{concept.text} → {self._store.classes[id].text}"
                self._count(concept.source, id, step, steps, confirmed, failures)
        return steps, confirmed, failures

    def _count(
        self,
        source: str,
        id: int,
        step: str,
        steps: Counter[str],
        confirmed: Counter[str],
        failures: dict[str, list[str]],
    ) -> None:
        kind = _kind(source)
        steps[kind] += 1
        if self._holds(kind, source, id):
            confirmed[kind] += 1
        else:
            failures[kind].append(f"{step} ({source})")

    def _holds(self, kind: str, source: str, id: int) -> bool:
        concept = self._store.classes[id]
        if kind == "by hand":
            return True
        if kind == "Wikidata":
            return self._by_items(source, concept.source, concept.text)
        if kind == "WordNet":
            return self._by_synsets(source.partition(":")[2], concept.source, concept.text)
        if kind == "GeoNames":
            return self._by_geonames(source.partition(":")[2], concept.text)
        return self._by_row(source, concept.text)

    def _by_items(self, item: str, wanted: str, text: str) -> bool:
        if item not in self._closures:
            self._closures[item] = _closure(self._links, item)
        above = self._closures[item]
        if wanted in above or wanted.removeprefix("part:") in above:
            return True
        noun = _PLACE.split(text)[0]
        names = self._names_of(noun)
        if names & {self._labels.get(id, "").casefold() for id in above}:
            return True
        # A class over a noun of the description, or GeoNames' own kind of the town of that name.
        description = f" {name_key(self._texts.get(item, ''))} "
        if any(f" {name} " in description for name in names):
            return True
        return name_key(self._labels.get(item, "")) in self._towns_called

    def _names_of(self, noun: str) -> frozenset[str]:
        """Return the labels and names of a class and of all classes below it, folded."""
        if noun not in self._names:
            below = {noun}
            size = 0
            while size < len(below):
                size = len(below)
                below |= {
                    text
                    for text, each in self._tree.classes.items()
                    if below.intersection(each.parents)
                }
            names = {label for label, text in self._tree.labels.items() if text in below}
            self._names[noun] = frozenset(
                names
                | {key.casefold() for key, texts in self._tree.names.items() if below & set(texts)}
            )
        return self._names[noun]

    def _by_synsets(self, key: str, wanted: str, text: str) -> bool:
        above = _closure(self._higher, key) | {key}
        if wanted.removeprefix("wordnet:") in above:
            return True
        names = self._names_of(text) | {text.casefold()}
        return any(word.casefold() in names for id in above for word in self._words[id]) or (
            text in _ANCHORED
            and any(word in _ANCHORED[text] for id in above for word in self._words[id])
        )

    def _by_geonames(self, row: str, text: str) -> bool:
        noun, *place = _PLACE.split(text)
        code = self._codes.get(row)
        if code is not None:
            return noun == "country" and (not place or place[0] in _bare(REGIONS.get(code, ())))
        town = self._towns.get(row)
        if town is None:  # a subdivision: its code begins with the country's
            code = row.partition(".")[0]
        else:
            code = town["countrycode"]
            people = town["population"]
            least = {"big city": 100_000, "city": 5_000, "town": 0, "village": 0}.get(noun, 0)
            most = {"village": 2_000, "town": 50_000}.get(noun, 10**9)
            if not least <= people <= most:
                return False
        return not place or place[0] in {*_bare(REGIONS.get(code, ())), *self._short(code)}

    def _short(self, code: str) -> set[str]:
        return {self._countries.get(code, ""), self._gazetteer.countries.get(code, "")}

    def _by_row(self, source: str, text: str) -> bool:
        register, _, number = source.rpartition(":")
        if "/" in register:
            path = self._lists / register
            if not path.exists():
                path = self._lists / "societies_and_groups" / register
            return path.exists()
        if number.isdigit() and int(number) <= len(self._rows):
            row = self._rows[int(number) - 1]
            noun = _PLACE.split(text)[0]
            said = f"{row[0]} {row[1]}".casefold()
            return bool(_WORDS_OF.get(noun, re.compile(re.escape(noun))).search(said))
        return register in ("nationalities", "demonym", "soc", "disease") or source.startswith(
            "demonym"
        )


_ANCHORED = {
    "business": {"establishment", "shop", "store"},
    "organization": {"institution", "unit"},
    "place": {"location", "tract", "geological formation"},
    "product": {"instrumentality", "device", "ware", "commodity", "artifact"},
    "activity": {"wrongdoing", "transgression", "diversion", "action", "act"},
    "competition": {"contest"},
    "election": {"vote"},
    "award": {"honor"},
    "participant": {"contestant"},
    "performer": {"entertainer"},
    "person": {"worker", "expert", "adult", "male", "female", "individual"},
    "leader": {"leader"},
    "historical period": {"time period"},
    "field of study": {"knowledge domain", "discipline"},
    "legal proceeding": {"legal proceeding"},
    "food": {"foodstuff", "beverage", "nutriment"},
    "written work": {"writing", "document"},
}
"""Classes written by hand, and what WordNet calls the same."""
_WORDS_OF = {
    "government agency": re.compile("government"),
    "research institute": re.compile("facility"),
    "health care organization": re.compile("healthcare"),
    "educational institution": re.compile("education|university"),
    "cultural institution": re.compile("archive"),
    "nonprofit organization": re.compile("nonprofit|foundation|stiftung|fondation|fundaci"),
    "organization": re.compile("other|funder|government|archive"),
    "university": re.compile("univer|uniwersytet"),
    "hospital": re.compile("hosp|hôpital|spital|krankenhaus|klinikum|osped|sykehus|zieken"),
    "museum": re.compile("mus[eé]|muzeum"),
    "library": re.compile("librar|bibliot"),
    "ministry": re.compile("minist"),
    "school": re.compile("school|école|ecole|escuela|schule|escola"),
    "sports team": re.compile("team"),
    "ice hockey team": re.compile("hockey"),
    "sports club": re.compile("club"),
    "political party": re.compile("party"),
    "war": re.compile("conflict"),
    "sports league": re.compile("league"),
}
"""Classes, and how the registers say so."""


def _kind(source: str) -> str:
    if re.fullmatch(r"Q\d+|part:Q\d+", source):
        return "Wikidata"
    first = source.partition(":")[0]
    if first in ("wordnet", "geonames"):
        return {"wordnet": "WordNet", "geonames": "GeoNames"}[first]
    return "by hand" if source == "tacenda" else "registers and lists"


def _bare(places: Sequence[str]) -> set[str]:
    return {place.removeprefix("the ") for place in places}


def _closure(links: dict[str, set[str]], start: str) -> set[str]:
    result: set[str] = set()
    waiting = list(links.get(start, ()))
    while waiting:
        id = waiting.pop()
        if id not in result:
            result.add(id)
            waiting += links.get(id, ())
    return result


def audit(data: Path, wordnet: Path) -> None:
    steps, confirmed, failures = Audit(data, wordnet, shipped().store).run()
    print_header("| source | steps | confirmed |")
    for kind in sorted(steps):
        print(f"| {kind} | {steps[kind]:,} | {confirmed[kind] / steps[kind]:.4f} |")
    for kind, examples in failures.items():
        for example in random.Random(0).sample(examples, min(_EXAMPLES, len(examples))):
            print(f"  {kind}: {example}")


def draw(seed: int, number: int) -> None:
    """Print names of each type with their options."""
    knowledge = shipped()
    names: dict[str, list[tuple[str, str]]] = defaultdict(list)
    # Names are kept folded: what is no common noun gets its capitals back.
    for name, senses in knowledge.store.names():
        for type, bit in TYPES.items():
            matches = [
                sense
                for sense in senses
                if any(knowledge.store.classes[id].types & bit for id in sense.classes)
            ]
            if matches:
                written = name if matches[0].common else capwords(name)
                names[type].append((written, matches[0].source))
    chance = random.Random(seed)
    for type in TYPES:
        for name, source in chance.sample(names[type], number):
            options = knowledge.lookup(name, SemanticType(type))
            print(type, name, source, " > ".join(option.text for option in options), sep="\t")


def verdicts(path: Path) -> None:
    """Print the shares of true ones by type; a row is type, name, source, options, verdict, why."""
    true, read = Counter[str](), Counter[str]()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            for type in (row[0], "all"):
                read[type] += 1
                true[type] += row[4] == "true"
    for type in read:
        share = rate(true[type], read[type])
        print(f"{type}: {true[type]} of {read[type]} true: {share}")


def suppressed(data: Path) -> None:
    """Print the shares by set and type."""
    rules_of = rules(shipped())
    policy = Policy(operator="generalize")
    masked, without, hidden = Counter[str](), Counter[str](), Counter[str]()
    for name, text, span, type in _unread(data):
        document = Document(name, text)
        mention = Mention(span, type, 1.0, 0.0, MentionSource.GOLD)
        options = rules_of[type].options(document, Entity("e1", type, 1, (mention,)))
        choice = shipped_ranker().choose(type, (span.of(text),), options, policy.residual_risk)
        for key in (f"{name} {type}", f"{name} all"):
            masked[key] += 1
            without[key] += len(options) == 1
            hidden[key] += choice is options[-1]
    print_header("| mentions | number | without an option | `***` |")
    for key in sorted(masked):
        shares = f"{without[key] / masked[key]:.3f} | {hidden[key] / masked[key]:.3f}"
        print(f"| {key} | {masked[key]} | {shares} |")


def _unread(data: Path) -> Iterator[tuple[str, str, Span, SemanticType]]:
    biographies = json.loads((data / "wiki/biographies_train.json").read_text(encoding="utf-8"))
    for record in biographies[1::2]:
        for row in record["spans"]:
            if row["label"] == "MASK":
                span = Span(row["start"], row["end"])
                yield "biographies", record["text"], span, SemanticType(row["type"])
    for gold in load_gold(data / "tab/train.json")[1::2]:
        for entity in gold.entities:
            for mention in entity.mentions if entity.annotator == gold.annotators[0] else ():
                if mention.needs_masking:
                    yield "judgments", gold.text, mention.span, SemanticType(mention.type)


def main(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("audit")
    first.add_argument("data", type=Path)
    first.add_argument("wordnet", type=Path)
    second = commands.add_parser("draw")
    second.add_argument("--seed", type=int, default=1)
    second.add_argument("--per-type", type=int, default=125)
    third = commands.add_parser("verdicts")
    third.add_argument("file", type=Path)
    fourth = commands.add_parser("suppressed")
    fourth.add_argument("data", type=Path)
    options = parser.parse_args()
    actions: dict[str, Callable[[], None]] = {
        "audit": lambda: audit(options.data, options.wordnet),
        "draw": lambda: draw(options.seed, options.per_type),
        "verdicts": lambda: verdicts(options.file),
        "suppressed": lambda: suppressed(options.data),
    }
    actions[options.command]()
