"""Are encrypted documents restored exactly? Random texts of all of Unicode, any spans masked.

python -m benchmarks round_trip [DOCUMENTS]
"""

from __future__ import annotations

import argparse
import os
import random
import time

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from tacenda.policy import Policy
from tacenda.rewrite.rewrite import rewrite
from tacenda.sealing import open_text

VARIABLE = "TACENDA_ROUND_TRIP_KEY"
TYPES = list(SemanticType)


def text(source: random.Random) -> str:
    """Return up to 400 code points: of all planes, of the first 256, or what tokens are made of."""
    signs = source.choice(
        (range(0x110000), range(0x3000), range(256), list(map(ord, "[]PERSON e1.A7=")))
    )
    return "".join(chr(source.choice(signs)) for _ in range(source.randrange(1, 400)))


def decisions(source: random.Random, length: int) -> list[Decision]:
    """Return up to 12 entities of up to 3 mentions, which may overlap."""
    found = []
    for number in range(source.randrange(13)):
        type = source.choice(TYPES)
        starts = sorted(source.randrange(length) for _ in range(source.randrange(1, 4)))
        mentions = tuple(
            Mention(
                Span(s, min(length, s + source.randrange(1, 40))),
                type,
                0.9,
                0.0,
                MentionSource.NEURAL,
            )
            for s in starts
        )
        entity = Entity(f"e{number}", type, number + 1, mentions)
        found.append(Decision(entity, True, "encrypt", IdentifierType.QUASI, 0.9, ()))
    return found


def main(parser: argparse.ArgumentParser) -> None:
    """Count the documents that come back exactly."""
    parser.add_argument("documents", type=int, nargs="?", default=10_000)
    documents = parser.parse_args().documents
    key = os.environ[VARIABLE] = "0f1c7d2be86a4953b7e05a9c43d18f62"
    policy = Policy(operator="encrypt", key_env=VARIABLE)
    source = random.Random(6)
    exact = tokens = 0
    begin = time.perf_counter()
    for number in range(documents):
        document = Document(f"d{number}", text(source))
        sealed, replacements = rewrite(document, decisions(source, len(document.text)), policy)
        exact += open_text(sealed, key.encode()).text == document.text
        tokens += len(replacements)
    seconds = time.perf_counter() - begin
    print(f"{exact} of {documents} documents exact, {tokens} tokens, {seconds:.1f} s")
