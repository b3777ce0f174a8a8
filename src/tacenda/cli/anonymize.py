"""``tacenda anonymize``: mask a document until attackers lose the person."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from .attack import ReleaseOptions
from .llm import LanguageModelOptions, print_cost
from .options import ATTACK, DECISIONS, OUTPUT, Paths, check_choice, grouped

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Span
    from ..pipeline import Sanitizer
    from ..reidentify.anonymize.anonymize import Anonymized, AttackResult
    from ..reidentify.anonymize.judged import JudgedMask
    from ..reidentify.anonymize.units import MaskUnit
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.tokens import TokenizedDocument

_FORMATS: Final = ("text", "json")
_UNITS: Final = ("words", "entities")
_OPERATORS: Final = ("generalize", "suppress")

_K = Annotated[
    int,
    typer.Option(
        "--k",
        min=1,
        help="The person is not among the K most probable.",
        rich_help_panel=ATTACK,
    ),
]
_By = Annotated[
    str,
    typer.Option(help="What is masked together: words or entities.", rich_help_panel=DECISIONS),
]
_Operator = Annotated[
    str,
    typer.Option(
        help="Entities: generalize (something true and less specific, *** if need be) or suppress.",
        rich_help_panel=DECISIONS,
    ),
]
_Beam = Annotated[
    int,
    typer.Option(
        "--beam", min=1, help="Beam width of masks; 1 is greedy.", rich_help_panel=DECISIONS
    ),
]
_To = Annotated[str, typer.Option(help="text, or json: an object a line.", rich_help_panel=OUTPUT)]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="A file; stdout if not given.", rich_help_panel=OUTPUT),
]


@grouped
def anonymize(
    paths: Paths,
    *,
    release: ReleaseOptions,
    k: _K = 10,
    by: _By = "words",
    operator: _Operator = "generalize",
    width: _Beam = 1,
    language_model: LanguageModelOptions,
    to: _To = "text",
    output: _Output = None,
) -> None:
    """Mask as few words as it takes to hide the person among others (k-anonymity).

    All occurrences of a word are masked together. By entities, all mentions of one are written as
    something true and less specific, or masked, such that least is lost. Neighbouring masks are one.
    What the register links is masked together (a city and its state, a year and its days), the name always.
    Each document is judged by a family of attackers that had no part in its search; their rates
    are printed at the end. What a
    language model goes by is masked too, if one is asked, until it doesn't find the person. Exit code 1
    if anyone is still found by any of them, or the model gives no answer. It is the background
    knowledge that decides: who knows more may find more.

    Examples:
      tacenda anonymize letters.jsonl --background people.db --k 8 --to json -o out.jsonl

      tacenda anonymize letters.jsonl --background people.db --by entities

      tacenda anonymize letters.jsonl --background people.db --llm http://localhost:8000
    """
    from ..reidentify.anonymize.judged import hide_from_judge
    from ..reidentify.anonymize.linked_units import linked_units
    from ..reidentify.anonymize.units import entity_units
    from ..reidentify.attackers import open_attackers
    from ..reidentify.panel import Tally
    from ..reidentify.tokens import read_words
    from .places import check_places, format_for
    from .progress import progress_counter

    check_choice(to, _FORMATS, "--to")
    check_choice(by, _UNITS, "--by")
    check_choice(operator, _OPERATORS, "--operator")
    if width > 1 and by == "entities" and operator == "generalize":
        raise typer.BadParameter(
            "is for masks; leave it out, or take --operator suppress", param_hint="--beam"
        )
    if language_model.llm is not None and by == "entities" and operator == "generalize":
        raise typer.BadParameter(
            "is for masks; leave it out, or take --operator suppress", param_hint="--llm"
        )
    if output is not None and str(output) != "-":
        check_places(paths, str(output), ())
        format_for(str(output), to, ())
    people = release.store()
    attackers = open_attackers(release.attacker, people)
    judge = language_model.open(people, attackers)
    sanitizer = None
    if by == "entities":
        from ..link.linking import link
        from ..pipeline import load

        sanitizer = load()
    documents = faults = 0
    tally = Tally(k)
    with _open_output(output) as write, progress_counter("documents") as advance:
        for item in release.documents(paths, people):
            if item is None:
                faults += 1
                continue
            words = read_words(item.document)
            if sanitizer is not None and operator == "generalize":
                result = _edit_document(words, item.person, people, attackers, k, sanitizer)
            else:
                units = linked_units(words, item.person, people).units
                if sanitizer is not None:
                    mentions = sanitizer.analyze(item.document).mentions
                    units = entity_units(words, link(item.document, mentions))
                judged = None
                hide = partial(_search, item.person, people, attackers, k, width)
                if judge is None:
                    solution = hide(words, units)
                else:
                    ((_, name),) = people.names([item.person])
                    judged = hide_from_judge(words, item.person, name, judge, k, units, hide)
                    solution = judged.solution
                result = _mask_document(words, solution, judged)
            tally.add(result.attack_results)
            faults += not result.reached
            text = result.text
            if to == "json":
                text = _as_json(words, result, people, item.person, k)
            write(text if text.endswith("\n") else text + "\n")
            documents += 1
            _say(words, result, people, k)
            advance()
        if documents:
            for line in tally.lines():
                typer.echo(line, err=True)
        if judge is not None:
            print_cost(judge)
        if faults and not documents:
            raise typer.Exit(1)  # Before the file has its name: an empty one looks like a result.
    if faults:
        raise typer.Exit(1)


@contextmanager
def _open_output(output: Path | None) -> Iterator[Callable[[str], int]]:
    """Writer of results; a file has its name when it is whole."""
    from ..atomic import atomic_file
    from ..text.decoding import writable

    if output is None or str(output) == "-":
        yield sys.stdout.write
        return
    with atomic_file(output) as file:
        yield lambda text: file.stream.write(writable(text).encode("utf-8"))


def _search(
    person: int,
    people: People,
    attackers: Sequence[Attacker],
    k: int,
    width: int,
    words: TokenizedDocument,
    units: Sequence[MaskUnit],
) -> Anonymized:
    from ..reidentify.anonymize.anonymize import anonymize

    return anonymize(words, person, attackers, k, people=people, units=units, width=width)


class _AnonymizedText(NamedTuple):
    """A masked or edited document, with the figures to print; what a judge says if one was asked."""

    reached: bool
    text: str
    edits: list[tuple[Span, str]]
    words_changed: int
    kept: float | None
    attack_results: Sequence[AttackResult]
    judged: JudgedMask | None = None


def _mask_document(
    words: TokenizedDocument, result: Anonymized, judged: JudgedMask | None
) -> _AnonymizedText:
    from ..evaluate.metrics import MASK, redacted

    text = redacted(words.document.text, result.spans)
    edits = [(span, MASK) for span in result.spans]
    reached = result.reached and (judged is None or judged.found is False)
    return _AnonymizedText(
        reached, text, edits, result.words_masked, None, result.attack_results, judged
    )


def _edit_document(
    words: TokenizedDocument,
    person: int,
    people: People,
    attackers: Sequence[Attacker],
    k: int,
    sanitizer: Sanitizer,
) -> _AnonymizedText:
    from ..link.linking import link
    from ..reidentify.anonymize.edits import edit
    from ..risk.assess import assess

    document = words.document
    entities = link(document, sanitizer.analyze(document).mentions)
    assessments = assess(document, entities, sanitizer.policy)
    result = edit(words, person, attackers, k, assessments, sanitizer.policy, people=people)
    return _AnonymizedText(
        result.reached,
        result.text,
        [(replacement.original, replacement.text) for replacement in result.replacements],
        result.words_changed,
        result.kept,
        result.attack_results,
    )


def _as_json(
    words: TokenizedDocument, result: _AnonymizedText, people: People, person: int, k: int
) -> str:
    # An object that ``tacenda attack`` reads again: it has a text and a person.
    item = {
        "id": words.document.id,
        "text": result.text,
        "person": people.names([person])[0][0],
        "k": k,
        "reached": result.reached,
        "masks": [[span.start, span.end] for span, _ in result.edits],
        "written": [text for _, text in result.edits],
        "words": len(words),
        "words_masked": result.words_changed,
        "beliefs": [
            {
                "attacker": belief.attacker,
                "held_out": belief.held_out,
                "rank": belief.rank,
                "probability": belief.probability,
                "looks_like": [
                    {"person": people.names([n])[0][0], "probability": p}
                    for n, p in belief.looks_like
                ],
            }
            for belief in result.attack_results
        ],
    }
    if result.kept is not None:
        item["information_kept"] = result.kept
    if (judged := result.judged) is not None:
        item["llm"] = {
            "found": judged.found,
            "rounds": judged.rounds,
            "words_quoted": int(judged.quoted.sum()),
            "silences": [str(reason) for reason in judged.judgment.silences],
        }
    return json.dumps(item, ensure_ascii=False)


def _say(words: TokenizedDocument, result: _AnonymizedText, people: People, k: int) -> None:
    """Print the outcome of a document, on stderr."""
    share = result.words_changed / max(len(words), 1)
    worst = min(result.attack_results, key=lambda belief: belief.rank)
    ((id, name),) = people.names([worst.looks_like[0][0]])
    outcome = "hidden" if result.reached else "STILL FOUND"
    if (judged := result.judged) is not None and worst.rank > k:
        judgments = {True: "STILL FOUND by llm", None: "NOT JUDGED by llm", False: outcome}
        outcome = judgments[judged.found]
    information = (
        "" if result.kept is None else f", {result.kept:.0%} of the entities' information kept"
    )
    typer.echo(
        f"{words.document.id}: {outcome}: {result.words_changed} of {len(words)} words "
        f"{'masked' if result.kept is None else 'replaced'} ({share:.0%}){information}, rank {worst.rank} "
        f"({worst.attacker}), looks like {name or id}",
        err=True,
    )
