"""Sources of the gazetteer: terms of Wikidata, WordNet and word lists."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.errors import InputError

from .lexicons import load_list, read_pertainyms, read_senses, read_synsets, words_of
from .wikidata import english_names, entities, item_of, property_table, read_rows, read_texts, snaks


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """A term as its source writes it, and the group it is offered for.

    Attributes:
        term: label, alias or word, in the case of the source.
        group: a key of `detect.gazetteer.groups.GROUPS`.
        source: where it is from; one of ``wikidata``, ``wordnet``, ``lists``.
        uses: how many people have it as a value; 1 where the source does not say.
    """

    term: str
    group: str
    source: str
    uses: int = 1


# Classes of the Wikidata slice, by property.
#
# The slice has labels, aliases, "instance of" (P31) and "subclass of" (P279), but no statements
# about people, so it can't say which occupations people have. The subclasses and instances of
# *occupation* stand for the values of the property *occupation*, and so on; properties of
# `properties.PROPERTIES` without a class here have no terms from the slice.


CLASSES: dict[str, tuple[str, ...]] = {
    "ethnic_group": ("Q41710", "Q2472587"),  # ethnic group, people
    "kinship": ("Q171318",),
    "military_rank": ("Q56019",),
    "religion": ("Q9174", "Q13414953", "Q2061186", "Q1826286"),  # … denomination, order, movement
    "ideology": ("Q12909644",),
    "health": ("Q12136", "Q169872", "Q193078"),  # disease, symptom, injury
    "sport_position": ("Q1781513",),
    "occupation": ("Q12737077", "Q28640"),  # occupation, profession
    "position": ("Q4164871", "Q294414"),  # position, public office
    "degree": ("Q189533", "Q217577"),  # academic degree, diploma
    "title": ("Q355567", "Q486983"),  # noble title, academic rank
    "language": ("Q1288568", "Q33742"),  # modern language, natural language
    "crime": ("Q83267",),
    "award": ("Q618779", "Q38033430", "Q131647"),  # award, class of award, medal
    "field": ("Q4671286",),  # academic major
    "instrument": ("Q34379",),
    "sport": ("Q31629", "Q2312410"),  # type of sport, sports discipline
    "event": ("Q198", "Q178561", "Q13406554"),  # war, battle, sports competition
    "movement": ("Q968159", "Q1387659"),  # art movement, school of thought
    "genre": ("Q188451", "Q223393"),  # music genre, literary genre
    "work": (
        "Q11424",
        "Q5398426",
        "Q506240",
        "Q24869",
    ),  # film, series, television and feature film
    "treatment": ("Q796194",),  # medical procedure
}

EXCLUDED = ("Q5", "Q15632617", "Q95074", "Q4167410", "Q4167836", "Q13406463", "Q3241045")
"""Human, fictional human or character, disambiguation, category, list, disease outbreak."""


# The kept Wikidata properties of people, with their groups of terms.
#
# ``explicit_risk_measures``, section 3.1, kept 44 properties as DEM and 196 as MISC and names two of
# each (occupation, political ideology; cause of death, convicted of). Its list is not published;
# this one was chosen anew by the same question: could a value of it help to identify somebody, and
# is it an attribute of the person (DEM) or something around them (MISC)? Properties whose values are
# persons, places, organisations, dates or numbers are left out: the recognizer and the patterns find
# those. The type of a group is in `detect.gazetteer.groups.GROUPS`; the group *treatment* has no
# property of people behind it, its terms are from the other sources. Some (P1039, P512, P812) mostly stand as
# qualifiers of another statement; both places are read.


@dataclass(frozen=True, slots=True)
class Property:
    """A Wikidata property of people.

    Attributes:
        id: its P number.
        label: its English label.
        group: the group of its values.
        demonym: the value is a place; its demonyms (P1549) are the terms, not its name.
    """

    id: str
    label: str
    group: str
    demonym: bool = False


PROPERTIES = (
    # DEM
    Property("P27", "country of citizenship", "nationality", demonym=True),
    Property("P1532", "country for sport", "nationality", demonym=True),
    Property("P172", "ethnic group", "ethnic_group"),
    Property("P1039", "kinship to subject", "kinship"),
    Property("P410", "military rank", "military_rank"),
    Property("P140", "religion", "religion"),
    Property("P8929", "religion or world view", "religion"),
    Property("P611", "religious order", "religion"),
    Property("P411", "canonization status", "religion"),
    Property("P1142", "political ideology", "ideology"),
    Property("P1387", "political alignment", "ideology"),
    Property("P91", "sexual orientation", "orientation"),
    Property("P21", "sex or gender", "orientation"),
    Property("P1050", "medical condition", "health"),
    Property("P413", "position played on team / speciality", "sport_position"),
    Property("P741", "playing hand", "sport_position"),
    Property("P106", "occupation", "occupation"),
    Property("P412", "voice type", "occupation"),
    Property("P1731", "Fach", "occupation"),
    Property("P39", "position held", "position"),
    Property("P803", "professorship", "position"),
    Property("P8413", "academic appointment", "position"),
    Property("P512", "academic degree", "degree"),
    Property("P97", "noble title", "title"),
    Property("P511", "honorific prefix", "title"),
    Property("P2962", "title of chess person", "title"),
    Property("P103", "native language", "language"),
    Property("P1412", "languages spoken, written or signed", "language"),
    Property("P6886", "writing language", "language"),
    Property("P3716", "social classification", "social_status"),
    Property("P1576", "lifestyle", "social_status"),
    Property("P1347", "military casualty classification", "social_status"),
    Property("P552", "handedness", "appearance"),
    Property("P1340", "eye color", "appearance"),
    Property("P1884", "hair color", "appearance"),
    Property("P8839", "hairstyle", "appearance"),
    Property("P8852", "facial hair", "appearance"),
    Property("P8006", "footedness", "appearance"),
    # MISC
    Property("P509", "cause of death", "cause_of_death"),
    Property("P1196", "manner of death", "cause_of_death"),
    Property("P1399", "convicted of", "crime"),
    Property("P1595", "charge", "crime"),
    Property("P7781", "exonerated of", "crime"),
    Property("P1596", "penalty", "penalty"),
    Property("P166", "award received", "award"),
    Property("P1411", "nominated for", "award"),
    Property("P101", "field of work", "field"),
    Property("P812", "academic major", "field"),
    Property("P811", "academic minor", "field"),
    Property("P8258", "field of training", "field"),
    Property("P2650", "interested in", "field"),
    Property("P1303", "instrument", "instrument"),
    Property("P641", "sport", "sport"),
    Property("P2416", "sports discipline competed in", "sport"),
    Property("P607", "conflict", "event"),
    Property("P1344", "participant in", "event"),
    Property("P793", "significant event", "event"),
    Property("P2522", "victory", "event"),
    Property("P3602", "candidacy in election", "event"),
    Property("P135", "movement", "movement"),
    Property("P136", "genre", "genre"),
    Property("P800", "notable work", "work"),
    Property("P3919", "contributed to creative work", "work"),
    Property("P520", "armament", "possession"),
    Property("P3438", "vehicle normally used", "possession"),
    Property("P3091", "mount", "possession"),
)


# Candidates from a full Wikidata JSON dump, read once, line by line.
#
# The dump is a JSON array with one entity a line. Of a person, the values of the kept properties are
# counted; of everything else, English label, aliases and demonyms go to a spool file, since the
# items that people refer to may stand before or after them. The spool is then read for the items
# that were counted. Memory holds one entity and the counts of distinct values (some hundred thousand);
# the spool needs a few gigabytes of disk.


_HUMAN = "Q5"
_BY_ID = {property.id: property for property in PROPERTIES}

Counts = Counter[tuple[str, Property]]


def read_dump(
    lines: Iterable[str], spool: Path, name: str, progress: Callable[[], None]
) -> Iterator[TermCandidate]:
    """Yield the terms of all values of people, each with the number of people.

    Args:
        lines: the lines of the dump.
        spool: a file to write; the caller removes it.
        name: name of the dump in errors.
        progress: called after each entity.

    Raises:
        InputError: if a line is not an entity; the message has its number.
    """
    counts: Counts = Counter()
    with gzip.open(spool, "wt", encoding="utf-8", compresslevel=1) as file:
        for entity in entities(lines, name):
            if any(id == "P31" and item_of(snak) == _HUMAN for id, snak in snaks(entity)):
                _count(entity, counts)
            elif (names := _names(entity)) is not None:
                file.write(json.dumps(names, ensure_ascii=False) + "\n")
            progress()
    yield from _terms(spool, counts)


def _count(person: dict[str, Any], counts: Counts) -> None:
    values = {
        (item, _BY_ID[id])
        for id, snak in snaks(person)
        if id in _BY_ID and (item := item_of(snak)) is not None
    }
    counts.update(values)


def _names(entity: dict[str, Any]) -> list[Any] | None:
    """Return id, label with aliases, and demonyms; None if it has no English name."""
    names = english_names(entity)
    if not names:
        return None
    demonyms = [
        snak["datavalue"]["value"]["text"]
        for id, snak in snaks(entity)
        if id == "P1549" and snak.get("datavalue", {}).get("value", {}).get("language") == "en"
    ]
    return [entity["id"], names, demonyms]


def _terms(spool: Path, counts: Counts) -> Iterator[TermCandidate]:
    uses: dict[str, list[tuple[Property, int]]] = {}
    for (item, property), n in counts.items():
        uses.setdefault(item, []).append((property, n))
    with gzip.open(spool, "rt", encoding="utf-8") as file:
        for line in file:
            id, names, demonyms = json.loads(line)
            for property, n in uses.get(id, ()):
                for term in demonyms if property.demonym else names:
                    yield TermCandidate(term, property.group, "wikidata", n)


# Candidates from a slice of Wikidata in KGTK's tables: labels, aliases, P31 and P279.


def read_slice(folder: Path) -> Iterator[TermCandidate]:
    """Yield the English labels and aliases of the members of `classes.CLASSES`.

    Args:
        folder: holds ``labels.en.tsv.gz``, ``aliases.en.tsv.gz``, ``derived.P31.tsv.gz`` and
            ``derived.P279.tsv.gz``, each with a header including ``node1`` and ``node2``.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    subclasses, instances = _edges(folder, "P279"), _edges(folder, "P31")
    excluded = set().union(*(instances.get(item, ()) for item in EXCLUDED))
    groups: dict[str, list[str]] = defaultdict(list)
    for group, roots in CLASSES.items():
        for item in _members(roots, subclasses, instances) - excluded - set(roots):
            groups[item].append(group)
    for table in ("labels", "aliases"):
        for item, name in read_texts(folder, table):
            for group in groups.get(item, ()):
                yield TermCandidate(name, group, "wikidata")


def _members(
    roots: tuple[str, ...], subclasses: Mapping[str, set[str]], instances: Mapping[str, set[str]]
) -> set[str]:
    """Return the subclasses of the roots, and the instances of all of those."""
    classes = set(roots)
    waiting = list(roots)
    while waiting:
        new = subclasses.get(waiting.pop(), set()) - classes
        classes |= new
        waiting.extend(new)
    return classes.union(*(instances.get(item, ()) for item in classes))


def _edges(folder: Path, property: str) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    for item, value in read_rows(property_table(folder, property)):
        edges[value].add(item)
    return edges


# Candidates from the word lists of the corpora project, and a few that no source has.


FILES: dict[str, str] = {
    "humans/occupations.json": "occupation",
    "humans/obsolete-occupations.json": "occupation",
    "geography/nationalities.json": "nationality",
    "religion/religions.json": "religion",
    "medicine/diseases.json": "health",
    "medicine/infectious_diseases.json": "health",
    "medicine/cancer.json": "health",
    "medicine/symptoms.json": "health",
    "medicine/drugs.json": "treatment",
}
"""Path below the folder of lists, and the group of its terms."""

# Closed classes whose members a reader would name, and that the sources have in part only.
WRITTEN = {
    "kinship": """wife husband spouse fiance fiancee partner mother father parent son daughter child brother
        sister sibling twin grandmother grandfather grandparent grandson granddaughter grandchild uncle aunt
        nephew niece cousin stepmother stepfather stepson stepdaughter half-brother half-sister widow widower
        orphan mother-in-law father-in-law brother-in-law sister-in-law son-in-law daughter-in-law
        foster_parent foster_child adopted_child godfather godmother common-law_wife common-law_husband
        single_mother single_father single_parent ex-wife ex-husband unmarried divorced married widowed""",
    "orientation": """homosexual heterosexual bisexual lesbian gay transgender transsexual asexual
        intersex transvestite non-binary""",
    "religion": """christian catholic roman_catholic protestant orthodox orthodox_christian muslim jew
        jewish sunni shia shiite alevi hindu sikh buddhist atheist agnostic lutheran calvinist methodist
        baptist anglican evangelical pentecostal adventist mormon jehovah's_witness quaker scientologist
        freemason bahai zoroastrian""",
    "ideology": """communist socialist liberal conservative nationalist anarchist marxist leninist
        marxist-leninist maoist fascist nazi neo-nazi separatist islamist social_democrat left-wing
        right-wing far-right far-left feminist pacifist""",
    "health": """disabled handicapped mentally_ill unfit_for_work unfit_to_work permanent_disability
        total_disability partial_disability wheelchair blind deaf mute paralysed paraplegic amputation
        pregnant pregnancy hiv-positive suicide_attempt post-traumatic_stress_disorder""",
    "social_status": """refugee asylum_seeker conscientious_objector stateless_person illegal_immigrant
        immigrant emigrant pensioner old-age_pensioner unemployed retired homeless student
        university_student schoolgirl schoolboy pupil conscript prisoner_of_war life_prisoner detainee
        remand_prisoner political_prisoner veteran war_veteran invalid landowner homeowner tenant minor
        squatter nomad traveller""",
    "ethnic_group": """roma gypsy kurd kurdish sami sinti basque catalan chechen ingush tatar kosovar
        circassian frisian breton corsican sorb aromanian pomak hutu tutsi igbo yoruba hausa tamil
        sinhalese pashtun hazara uzbek tajik turkmen uyghur berber tuareg inuit maori aboriginal
        afro-american african-american""",
    "occupation": """lorry_driver bus_driver train_driver tram_driver taxi_driver truck_driver crane_driver
        shop_assistant university_lecturer university_professor primary_school_teacher secondary_school_teacher
        medical_practitioner dental_surgeon chief_surgeon legal_adviser trainee_lawyer building_contractor
        building_inspector market_trader street_trader street_vendor construction_worker
        agricultural_worker factory_worker railway_worker social_worker care_worker prison_guard
        prison_officer customs_officer tax_inspector bank_clerk office_worker newspaper_editor
        radio_presenter trade_unionist trade_union_leader human_rights_defender human_rights_activist
        managing_director assistant_professor research_assistant notary_public muhtar village_guard
        hodja mufti self-employed_person""",
    "penalty": """life_imprisonment community_service suspended_sentence solitary_confinement
        conditional_discharge preventive_detention death_penalty death_sentence""",
}


def read_lists(folder: Path) -> Iterator[TermCandidate]:
    """Yield the terms of `FILES` and of `WRITTEN`.

    Raises:
        InputError: if a list is missing or is not JSON.
    """
    for name, group in FILES.items():
        for term in words_of(load_list(folder / name), headings=True):
            yield TermCandidate(term, group, "lists")
    for group, terms in WRITTEN.items():
        for term in terms.split():
            yield TermCandidate(term.replace("_", " "), group, "lists")


# Candidates from WordNet's database files (``data.noun`` and the like; wndb(5WN)).


# Lemma and sense number of the synsets whose hyponyms belong to a group.
ROOTS: dict[str, tuple[tuple[str, int], ...]] = {
    "nationality": (("inhabitant", 1),),
    "ethnic_group": (("ethnic_group", 1),),
    "kinship": (("relative", 1), ("spouse", 1), ("orphan", 1), ("widow", 1), ("divorcee", 1)),
    "military_rank": (("serviceman", 1), ("military_officer", 1)),
    "religion": (("religion", 2), ("religious_person", 1), ("clergyman", 1)),
    "orientation": (("homosexual", 1), ("bisexual", 1), ("transsexual", 1)),
    "ideology": (("political_orientation", 1), ("radical", 3)),
    "sport_position": (("athlete", 1),),
    "occupation": (
        ("worker", 1),
        ("professional", 1),
        ("skilled_worker", 1),
        ("creator", 2),
        ("entertainer", 1),
        ("expert", 1),
        ("scientist", 1),
        ("educator", 1),
        ("businessperson", 1),
        ("official", 1),
        ("communicator", 1),
        ("politician", 1),
        ("driver", 1),
    ),
    "health": (
        ("illness", 1),
        ("disease", 1),
        ("disorder", 1),
        ("injury", 1),
        ("mental_disorder", 1),
        ("disability", 1),
        ("sick_person", 1),
        ("handicapped_person", 1),
        ("symptom", 1),
    ),
    "degree": (("academic_degree", 1),),
    "title": (("aristocrat", 1),),
    "language": (("natural_language", 1),),
    "social_status": (("prisoner", 1), ("exile", 1), ("migrant", 1), ("unfortunate", 1)),
    "crime": (("crime", 1), ("criminal", 1), ("felony", 1)),
    "penalty": (("punishment", 1),),
    "cause_of_death": (("killing", 2), ("violent_death", 1)),
    "instrument": (("musical_instrument", 1),),
    "sport": (("sport", 1),),
    "award": (("award", 2),),
    "treatment": (("medical_care", 1), ("medicine", 2)),
    "field": (("discipline", 1),),
    "genre": (("music_genre", 1),),
    "possession": (("weapon", 1), ("vehicle", 1), ("livestock", 1)),
}

_PLACES = (("country", 2), ("continent", 1))


def read_wordnet(folder: Path) -> Iterator[TermCandidate]:
    """Yield the lemmas below `ROOTS`, and the adjectives pertaining to countries.

    Args:
        folder: WordNet's ``dict``: ``index.noun``, ``data.noun``, ``data.adj``.

    Raises:
        InputError: if a file is missing or a root is not in it.
    """
    nouns = read_synsets(folder / "data.noun", "n")
    senses = read_senses(folder / "index.noun")
    kinds: dict[str, list[str]] = defaultdict(list)
    instances: dict[str, list[str]] = defaultdict(list)
    for key, synset in nouns.items():
        for symbol, target in synset.pointers:
            if symbol == "@":
                kinds[target].append(key)
            elif symbol == "@i":  # a person, not a sort of person, or a certain country
                instances[target].append(key)
    for group, roots in ROOTS.items():
        for root in roots:
            for key in sorted(_descendants(_find(senses, root, folder), kinds)):
                for lemma in nouns[key].lemmas:
                    # "back" is a player too, but rarely: a word counts in its first sense only.
                    if " " in lemma or senses[lemma.lower()][0] == key:
                        yield TermCandidate(lemma, group, "wordnet")
    places = {
        place
        for root in _PLACES
        for kind in _descendants(_find(senses, root, folder), kinds)
        for place in instances[kind]
    }
    yield from _demonyms(folder, places)


def _demonyms(folder: Path, places: set[str]) -> Iterator[TermCandidate]:
    for lemmas, nouns in read_pertainyms(folder / "data.adj"):
        if not places.isdisjoint(nouns):
            for lemma in lemmas:
                yield TermCandidate(lemma.partition("(")[0], "nationality", "wordnet")


def _descendants(root: str, below: dict[str, list[str]]) -> set[str]:
    descendants = {root}
    waiting = [root]
    while waiting:
        for key in below[waiting.pop()]:
            if key not in descendants:
                descendants.add(key)
                waiting.append(key)
    return descendants


def _find(senses: dict[str, list[str]], root: tuple[str, int], folder: Path) -> str:
    lemma, number = root
    offsets = senses.get(lemma, [])
    if number > len(offsets):
        raise InputError(
            f"{lemma!r} has {len(offsets)} noun senses, sense {number} is needed; use WordNet 3.",
            str(folder / "index.noun"),
        )
    return offsets[number - 1]
