"""The card of ``emulation-en``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figures import table
from .knowledge import Knows

if TYPE_CHECKING:
    from .recipe import Trained

_KNOWN = {
    Knows.WHOLE: "the judgments themselves, whole, and the first tenths of their public versions",
    Knows.OPENING: "the first tenths of the public versions of the judgments",
}
_CARD = """\
# {name}

Says, without any index, whether a search for an entity, or for some together, would bring up what is about the person
to protect: the emulation of a search (*Neural Text Sanitization with Explicit Measures of Privacy Risk*, section
3.2.2), as the indicator `search_emulated`. It is off unless a policy names it.

**What it is.** A small network ({weights} weights, numpy): of each entity, how rare its words are by unigrams, their
form, its type and place, and the vector of its fullest phrase by the profile encoder of `{encoder}`;
maximum and sum over the combination, with the vector of the person's names. `risk/search/emulated`. A curve (isotonic)
makes its confidence a probability.

**From what it was made.** The answers of Algorithm 1 (`risk/search`; risky where more than a twentieth of up to 50
results are about the person) about {entities} entities, as the product finds them, in {documents} training judgments of
the Text Anonymization Benchmark, whose applicant is named. The index, SQLite FTS5, has {indexed} documents: other
judgments of the European Court of Human Rights, {known}. No judgment of the development split is in it.

**How well it tells what the index says**, by cross-validation over documents: network, curve and threshold of a fold are
fitted to the others. Asked are combinations without a smaller risky one, as Algorithm 1 does. *types*: a regression on
the types of the entities; *information*: the unigram information of their phrases, summed; then a regression on both.

{table}

**Limits.** English court judgments; an adversary who has no more than the documents above. On the web everything is more frequent than in
{indexed} documents, so that it takes more for risky than a search engine would. It knows rarity and not facts:
that something rare is published nowhere, or something frequent is famous, it can't know. The unigram table was counted on judgments like those in the index. The recognizer had read the
judgments in its training, so that their entities are found better here than in new texts. What it calls risky is
what a search finds, which is not what annotators mask.

**Licence.** Apache-2.0 for these weights. They derive from judgments under MIT (Text Anonymization Benchmark;
BenetManzanaresSalor/TextRe-Identification) and Apache-2.0 (trusthlt/mining-legal-arguments); no text of them is in it.

**Rebuild.** `tacenda train emulation --data DATA --out FOLDER`: one core, about three minutes. SHA-256 of each file:
`digests.json`, compared whenever it is loaded.
"""


def card_of(trained: Trained, name: str, encoder: str) -> str:
    """Return the model card, as Markdown.

    Args:
        trained: what was learned.
        name: of the folder.
        encoder: name of the encoder of phrases.
    """
    return _CARD.format(
        name=name,
        weights=sum(each.size for each in trained.fitted.arrays.values()),
        encoder=encoder,
        entities=trained.entities,
        documents=trained.documents,
        indexed=trained.indexed,
        known=_KNOWN[trained.knows],
        table=table(trained.fitted.figures),
    )
