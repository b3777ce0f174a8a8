"""How many missed mentions propagation restores, and what linking and verification cost.

    python -m benchmarks propagation DATA

Of the first annotator's mentions in `DATA/tab/train.json` half are removed (seeded). A removed
DIRECT or QUASI mention counts as restored if new mentions cover every letter and digit of it
after its title;
a new mention counts as right if it overlaps a DIRECT or QUASI mention of any annotator. Only
mentions that need masking are followed, as the gold standard says it. "Possible" are removed
mentions with an equal string among those kept.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.tables import print_header
from tacenda.document import (
    Decision,
    Document,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from tacenda.link.linking import link, propagate
from tacenda.text.normal_form import mention_key
from tacenda.verify import find_leaks

TITLES = ("Mr. ", "Mr ", "Mrs. ", "Mrs ", "Ms. ", "Ms ", "Dr ")


def gold(annotation: dict[str, Any]) -> list[Mention]:
    mentions = []
    for entry in sorted(annotation["entity_mentions"], key=lambda entry: entry["start_offset"]):
        span = Span(entry["start_offset"], entry["end_offset"])
        if mentions and mentions[-1].span.overlaps(span):
            continue
        identifier = entry["identifier_type"]
        masking, direct = float(identifier != "NO_MASK"), float(identifier == "DIRECT")
        kind = SemanticType(entry["entity_type"])
        mentions.append(Mention(span, kind, masking, direct, MentionSource.NEURAL))
    return mentions


def restored(text: str, mention: Mention, new: list[Mention]) -> bool:
    covered = {place for other in new for place in range(other.span.start, other.span.end)}
    places = range(mention.span.start, mention.span.end)
    bare = text[mention.span.start : mention.span.end]
    skip = next((len(t) for t in TITLES if bare.startswith(t)), 0)
    return all(place in covered or not text[place].isalnum() for place in places[skip:])


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--wrong", action="store_true", help="print the commonest wrong mentions")
    arguments = parser.parse_args()
    documents = json.loads((arguments.data / "tab/train.json").read_text("utf-8"))
    shuffle = random.Random(20220)
    counts: dict[str, Counter[str]] = {}
    wrong: Counter[tuple[str, str]] = Counter()
    seconds = Counter[str]()
    total = 0
    for entry in documents:
        document = Document(entry["doc_id"], entry["text"])
        annotations = [gold(annotation) for annotation in entry["annotations"].values()]
        kept, removed = [], []
        for mention in annotations[0]:
            (kept if shuffle.random() < 0.5 else removed).append(mention)
        new = list(propagate(document, kept))
        strings = {mention_key(mention.span.of(document.text)) for mention in kept}
        for mention in removed:
            if mention.p_mask:
                row = counts.setdefault(mention.type, Counter())
                row["removed"] += 1
                row["possible"] += mention_key(mention.span.of(document.text)) in strings
                near = [other for other in new if other.span.overlaps(mention.span)]
                row["restored"] += restored(document.text, mention, near)
        for mention in new:
            row = counts.setdefault(mention.type, Counter())
            row["new"] += 1
            right = any(
                other.p_mask and other.span.overlaps(mention.span)
                for annotation in annotations
                for other in annotation
            )
            row["right"] += right
            if not right:
                wrong[mention.type, mention.span.of(document.text)] += 1
        total += len(annotations[0])
        cost(document, annotations[0], seconds)
    rows = [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]
    print_header("| type | removed | possible | restored | new | precision |")
    for kind, row in rows:
        precision = f"{row['right'] / row['new']:.3f}" if row["new"] else "-"
        share = row["restored"] / max(1, row["removed"])
        print(
            f"| {kind} | {row['removed']} | {row['possible']} | {row['restored']} ({share:.0%}) "
            f"| {row['new']} | {precision} |"
        )
    print(f"\n{len(documents)} documents, {total} mentions, seconds: ", end="")
    print(", ".join(f"{name} {value:.3f}" for name, value in seconds.items()))
    if arguments.wrong:
        print(wrong.most_common(60))


def cost(document: Document, mentions: list[Mention], seconds: Counter[str]) -> None:
    start = time.perf_counter()
    propagate(document, mentions)
    seconds["propagate"] += time.perf_counter() - start
    start = time.perf_counter()
    entities = link(document, mentions)
    seconds["link"] += time.perf_counter() - start
    decisions = [
        Decision(entity, True, "tag", IdentifierType.QUASI, 1.0, ())
        for entity in entities
        if any(mention.p_mask for mention in entity.mentions)
    ]
    start = time.perf_counter()
    # The unchanged text is the worst case: every form is still there.
    find_leaks(document, decisions, document.text, ())
    seconds["verify"] += time.perf_counter() - start
