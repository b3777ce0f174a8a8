"""The card of a gazetteer: what is in it, from where, under which licence."""

from __future__ import annotations

from collections import Counter

from ...detect.gazetteer_terms import GROUPS
from .compile import Compiled
from .properties import PROPERTIES

_CARD = """# {name}

English terms that say something about a person: what they do, believe, suffer from, are related to, were
convicted of. {total:,} terms in {groups} groups; a group holds the values of some Wikidata properties of people
and has a semantic type, DEM (an attribute of a person) or MISC (something else that may help to identify one),
after "Neural text sanitization with explicit measures of privacy risk", section 3.1. `tacenda.detect.gazetteer`
reads it.

**From what it was made: {wikidata}.**

| source | terms first found there | licence |
|---|---|---|
| Wikidata: English labels and aliases | {from_wikidata:,} | CC0 |
| WordNet (Princeton): hyponyms of sorts of people, illnesses, crimes … | {from_wordnet:,} | WordNet licence, in `WORDNET-LICENCE` |
| word lists (dariusk/corpora; its nationalities are of gov.uk) and closed classes written for tacenda | {from_lists:,} | CC0; nationalities OGL 3.0 |

| group | type | terms | properties |
|---|---|---|---|
{rows}

**Format.** `terms.txt.gz`: groups, each a line `# group` and its terms, one a line, sorted, folded as
`tacenda.folding` does; an abbreviation is in capitals and counts only where a text has it so.

**Limits.** English. A term is not a decision: how often annotators masked what is found, by kind, is in
`tacenda/detect/gazetteer/priors.py`. Terms of the slice are the members of a class (an occupation), not the
values that people have; a build from a full dump has those.

**Licence.** The terms under the licences above; the selection Apache-2.0.

**Rebuild.** `tacenda ontology build gazetteer --help`. SHA-256 of each file: `digests.json`, compared whenever
the gazetteer is loaded.
"""


def card(name: str, compiled: Compiled, wikidata: str) -> str:
    """Return the card, as Markdown.

    Args:
        name: of the gazetteer.
        compiled: its terms.
        wikidata: what the Wikidata terms are from, in words.
    """
    sizes, sources = Counter(compiled.groups.values()), Counter(compiled.origins.values())
    labels = {
        group: ", ".join(f"{p.label} ({p.id})" for p in PROPERTIES if p.group == group)
        for group in GROUPS
    }
    rows = "\n".join(
        f"| {group} | {type} | {sizes[group]:,} | {labels[group]} |"
        for group, type in GROUPS.items()
    )
    return _CARD.format(
        name=name,
        total=len(compiled.groups),
        groups=sum(size > 0 for size in sizes.values()),
        wikidata=wikidata,
        from_wikidata=sources["wikidata"],
        from_wordnet=sources["wordnet"],
        from_lists=sources["lists"],
        rows=rows,
    )
