"""The card of ``risk-en``, and the table of what indicators are worth."""

from __future__ import annotations

from collections.abc import Sequence

from .fitting import Worth
from .recipe import Fitted

_CARD = """# risk-en

Two small things that risk indicators need, both of them read as numbers by name.

**`span.json`**: the span classifier, a logistic regression with {weights} weights on an entity's strings, the
words around its mentions, its place and the unigram information of its words (`risk/span/features.py`). Fitted
to the 174 training judgments of the Text Anonymization Benchmark (MIT), to the share of annotators that mask an
entity as the product finds it, and to the entities of 453 Wikipedia biographies (annotations of
bootstrapping-anonymization, text CC BY-SA). It looks at no output of the recognizer. Features that fewer than four documents
have, and words of names of persons, are left out.

**`combination.json`**: for each indicator the curve (isotonic) from its value to a probability, and for each set of
indicators the weights of *learned* (`risk/combine.py`). Fitted to {cases} entities of training judgments that the
recognizer which read them had not seen, nor the span classifier.

**Worth**, by cross-validation over documents:

{table}

**Limits.** English judgments and biographies. The recognizers that read unseen documents were fitted to fewer documents than
the shipped one and are worse than it, so that *learned* trusts the others a little too much.

**Licence.** Apache-2.0 for these weights; the data's licences are above.

**Rebuild.**

    tacenda train risk --data DATA --folds WORK --out FOLDER     # WORK: of tacenda train recognizer
"""


def table(worth: Sequence[Worth]) -> str:
    """Return the figures as a Markdown table."""
    rows = [
        f"| {row.name} | {row.log_loss:.3f} | {row.area:.3f} | {row.precision:.3f} |"
        for row in worth
    ]
    return "\n".join(
        ("| indicators | log loss | area | P of words at recall .95 |", "|---|---|---|---|", *rows)
    )


def card_of(fitted: Fitted) -> str:
    """Return the model card, as Markdown."""
    return _CARD.format(weights=len(fitted.span), cases=fitted.cases, table=table(fitted.worth))
