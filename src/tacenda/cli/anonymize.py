"""``tacenda anonymize``: mask a document until attackers lose the person."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from .people_documents import (
    Background,
    CameIn,
    Documents,
    Field,
    PersonField,
    Table,
    Which,
    documents_about,
)
from .progress import counting

if TYPE_CHECKING:
    from ..reidentify import Anonymized, People, WordedDocument

_FORMATS = ("text", "json")
_UNITS = ("words", "entities")


def anonymize(
    paths: Documents,
    background: Background,
    k: Annotated[
        int, typer.Option("--k", min=1, help="The person is not among the K most probable.")
    ] = 1,
    by: Annotated[str, typer.Option(help="What is masked together: words or entities.")] = "words",
    attacker: Which = "ensemble",
    width: Annotated[int, typer.Option("--beam", min=1, help="Beam width; 1 is greedy.")] = 1,
    table: Table = None,
    person_field: PersonField = "person",
    to: Annotated[str, typer.Option(help="text, or json: an object a line.")] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file; stdout if not given.")
    ] = None,
    came_in: CameIn = None,
    field: Field = "text",
) -> None:
    """Mask as few words as it takes to hide the person among others (k-anonymity).

    All occurrences of a word, or all mentions of an entity, are masked together; neighbouring masks
    are one. It is the background knowledge that decides: who knows more may find more. Exit code
    1 if someone is still found when everything that may be masked is.

    Example: tacenda anonymize letters.jsonl --background people.db --k 8 --to json -o out.jsonl
    """
    from ..reidentify import People, open_attackers, read_words
    from ..reidentify import anonymize as search
    from ..reidentify.anonymize import entity_units, word_units

    for value, known, hint in ((to, _FORMATS, "--to"), (by, _UNITS, "--by")):
        if value not in known:
            raise typer.BadParameter(f"{value!r} is none of {', '.join(known)}", param_hint=hint)
    people = People(background)
    attackers = open_attackers(attacker, people)
    sanitizer = None
    if by == "entities":
        from ..link import link
        from ..sanitizer import load

        sanitizer = load()
    faults = 0
    with _opened(output) as stream, counting("documents") as advance:
        for item in documents_about(paths, people, table, person_field, came_in, field):
            if item is None:
                faults += 1
                continue
            words = read_words(item.document)
            if sanitizer is None:
                units = word_units(words)
            else:
                mentions = sanitizer.analyse(item.document).mentions
                units = entity_units(words, link(item.document, mentions))
            result = search(words, item.person, attackers, k, units=units, width=width)
            faults += not result.reached
            written = _written(words, result, people, item.person, k, to)
            stream.write(written if written.endswith("\n") else written + "\n")
            _say(words, result, people)
            advance()
    if faults:
        raise typer.Exit(1)


@contextmanager
def _opened(output: Path | None) -> Iterator[IO[str]]:
    """Yield where results go; a file has its name when it is whole."""
    from ..errors import InputError

    if output is None or str(output) == "-":
        yield sys.stdout
        return
    part = output.with_name(f".{output.name}.part")
    try:
        with part.open("w", encoding="utf-8") as stream:
            yield stream
        part.replace(output)
    except OSError as error:
        raise InputError(
            f"can't be written: {error.strerror}; name another -o.", str(output)
        ) from None
    finally:
        part.unlink(missing_ok=True)


def _written(
    words: WordedDocument, result: Anonymized, people: People, person: int, k: int, to: str
) -> str:
    from ..evaluate.compression import redacted

    text = redacted(words.document.text, result.spans)
    if to == "text":
        return text
    # An object that ``tacenda attack`` reads again: it has a text and a person.
    item = {
        "id": words.document.id,
        "text": text,
        "person": people.names([person])[0][0],
        "k": k,
        "reached": result.reached,
        "masks": [[span.start, span.end] for span in result.spans],
        "words": len(words),
        "words_masked": result.words_masked,
        "beliefs": [
            {
                "attacker": belief.attacker,
                "rank": belief.rank,
                "probability": belief.probability,
                "looks_like": [
                    {"person": people.names([n])[0][0], "probability": p}
                    for n, p in belief.looks_like
                ],
            }
            for belief in result.beliefs
        ],
    }
    return json.dumps(item, ensure_ascii=False)


def _say(words: WordedDocument, result: Anonymized, people: People) -> None:
    """Print what became of a document, on stderr."""
    share = result.words_masked / max(len(words), 1)
    worst = min(result.beliefs, key=lambda belief: belief.rank)
    ((id, name),) = people.names([worst.looks_like[0][0]])
    outcome = "hidden" if result.reached else "STILL FOUND"
    typer.echo(
        f"{words.document.id}: {outcome}: {result.words_masked} of {len(words)} words masked "
        f"({share:.0%}), rank {worst.rank} ({worst.attacker}), looks like {name or id}",
        err=True,
    )
