"""``tacenda evaluate-replacements``: is what people chose among the options we offer?"""

from __future__ import annotations

import json

from .options import AsJson, Gold


def evaluate_replacements(gold: Gold, as_json: AsJson = False) -> None:
    """Measure the options for what is written instead, on gold in the format of WikiReplace."""
    from ..document import Document, Entity, Option
    from ..evaluate.replacements import load_replacements, measure_coverage
    from ..rewrite.generalize import rules

    of_type = rules()

    def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
        return of_type[entity.type].options(document, entity)

    found = measure_coverage(load_replacements(gold), offer)
    if as_json:
        print(json.dumps(found.as_json(), indent=1))
        return
    from rich.console import Console

    from ..evaluate.replacements.coverage import NOT_OFFERED, SUPPRESSED
    from ..evaluate.tables import count_table, share

    parts = [*found.by_type.items(), ("all", found.total)]
    console = Console()
    header = ["type", "spans", "with an option", "chosen is offered"]
    rows = [
        (
            type,
            part.spans,
            share(part.with_option, part.spans),
            f"{share(part.chosen_offered, part.decided)} of {part.decided:,}",
        )
        for type, part in parts
    ]
    console.print(count_table("Spans", header, rows))
    numbers = {level for level in found.total.levels if level.isdigit()}
    levels = [*sorted(numbers, key=int), NOT_OFFERED, SUPPRESSED]
    header = ["type", *(f"level {level}" if level.isdigit() else level for level in levels)]
    counts: list[list[str | int]] = [
        [type, *(part.levels.get(level, 0) for level in levels)] for type, part in parts
    ]
    console.print(count_table("Choices by level of ours", header, counts))
