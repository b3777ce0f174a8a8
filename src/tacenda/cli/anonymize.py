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
    from ..document import Assessment, Entity
    from ..pipeline import Sanitizer
    from ..reidentify.anonymize.anonymize import Anonymized
    from ..reidentify.anonymize.judged import JudgedMask
    from ..reidentify.anonymize.units import MaskUnit
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.tokens import TokenizedDocument

_FORMATS: Final = ("text", "json")
_JSON: Final = (".json", ".jsonl")
_UNITS: Final = ("words", "entities")
_OPERATORS: Final = ("generalize", "suppress")
_METHODS: Final = ("search", "paper")

_K = Annotated[
    int,
    typer.Option(
        "--k",
        min=1,
        help="The person is not among the K most probable.",
        rich_help_panel=ATTACK,
    ),
]
_Method = Annotated[
    str,
    typer.Option(
        help="search, or paper: Algorithm 1 of Morris et al. (2022), word by word, guided by the encoder or the only "
        "attacker and judged by the others.",
        rich_help_panel=DECISIONS,
    ),
]
_By = Annotated[
    str,
    typer.Option(help="What is masked together: words or entities.", rich_help_panel=DECISIONS),
]
_Operator = Annotated[
    str | None,
    typer.Option(
        help="generalize (something true and less specific for entities, *** if need be) or suppress. Default: "
        "generalize by entities, suppress by words.",
        rich_help_panel=DECISIONS,
    ),
]
_Beam = Annotated[
    int,
    typer.Option(
        "--beam", min=1, help="Beam width of masks; 1 is greedy.", rich_help_panel=DECISIONS
    ),
]
_To = Annotated[
    str | None,
    typer.Option(
        help="text, or json: an object a line. Default: by the extension of -o, else text.",
        rich_help_panel=OUTPUT,
    ),
]
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
    method: _Method = "search",
    by: _By = "words",
    operator: _Operator = None,
    width: _Beam = 1,
    language_model: LanguageModelOptions,
    to: _To = None,
    output: _Output = None,
) -> None:
    """Mask as few words as k-anonymity requires.

    All occurrences of a word are masked together; by entities, all mentions of one. With --operator generalize
    something true and less specific is written where an entity is masked, as far as nobody finds the person by it.
    Neighbouring masks are one.
    What the register links is masked together (a city and its state, a year and its days), the name always.
    Each document is judged by a family of attackers that had no part in its search; their rates
    are printed at the end. What a
    language model goes by is masked too, if one is asked, until it doesn't find the person. --method paper is for
    comparison: it masks no name but by its probability, and holds nobody out in turn. Exit code 1
    if anyone is still found by any of them, or the model gives no answer. It is the background
    knowledge that decides: who knows more may find more.

    Examples:
      tacenda anonymize letters.jsonl --background people.db --k 8 --to json -o out.jsonl

      tacenda anonymize letters.jsonl --background people.db --operator generalize

      tacenda anonymize letters.jsonl --background people.db --llm http://localhost:8000

      tacenda anonymize letters.jsonl --background people.db --attacker encoder --method paper
    """
    from ..reidentify.anonymize.judged import hide_from_judge
    from ..reidentify.attackers import open_attackers
    from ..reidentify.panel import Tally
    from ..reidentify.tokens import read_words
    from .places import check_places, format_for
    from .progress import progress_counter

    if to is None:
        to = "json" if output is not None and output.suffix.lower() in _JSON else "text"
    check_choice(to, _FORMATS, "--to")
    check_choice(method, _METHODS, "--method")
    check_choice(by, _UNITS, "--by")
    if operator is not None:
        check_choice(operator, _OPERATORS, "--operator")
    if method == "paper" and (by == "entities" or operator == "generalize" or language_model.llm):
        raise typer.BadParameter(
            "paper masks words, writes nothing instead and asks no language model",
            param_hint="--method",
        )
    if output is not None and str(output) != "-":
        check_places(paths, str(output), ())
        format_for(str(output), to, ())
    people = release.store()
    attackers = open_attackers(release.attacker, people)
    judge = language_model.open(people, attackers)
    if operator is None:
        operator = "generalize" if by == "entities" else "suppress"
    generalize = operator == "generalize"
    sanitizer = None
    if by == "entities" or generalize:
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
            judged = None
            if method == "paper":
                hide = partial(_by_paper, words, item.person, people, attackers, k, width)
            else:
                units, assessments = _units(words, item.person, people, by, sanitizer)
                options = assessments if generalize else ()
                hide = partial(
                    _search, words, item.person, people, attackers, k, width, units, options
                )
            if judge is None:
                solution = hide(())
            else:
                ((_, name),) = people.names([item.person])
                judged = hide_from_judge(words, item.person, name, judge, k, hide)
                solution = judged.solution
            result = _AnonymizedText(solution, judged, generalize)
            tally.add(solution.attack_results)
            faults += not result.reached
            text = solution.text
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


def _units(
    words: TokenizedDocument, person: int, people: People, by: str, sanitizer: Sanitizer | None
) -> tuple[Sequence[MaskUnit], Sequence[Assessment]]:
    """Return what is masked together, and the entities that may be written otherwise."""
    from ..link.linking import link
    from ..reidentify.anonymize.linked_units import linked_units
    from ..reidentify.anonymize.units import entity_units
    from ..risk.assess import assess

    document = words.document
    entities: Sequence[Entity] = ()
    assessments: Sequence[Assessment] = ()
    if sanitizer is not None:
        entities = link(document, sanitizer.analyze(document).mentions)
        assessments = assess(document, entities, sanitizer.policy)
    if by == "entities":
        return entity_units(words, entities), assessments
    return linked_units(words, person, people).units, assessments


def _search(
    words: TokenizedDocument,
    person: int,
    people: People,
    attackers: Sequence[Attacker],
    k: int,
    width: int,
    units: Sequence[MaskUnit],
    assessments: Sequence[Assessment],
    quoted: Sequence[int],
) -> Anonymized:
    from ..reidentify.anonymize.anonymize import anonymize

    return anonymize(
        words,
        person,
        attackers,
        k,
        people=people,
        units=units,
        quoted=quoted,
        assessments=assessments,
        width=width,
    )


def _by_paper(
    words: TokenizedDocument,
    person: int,
    people: People,
    attackers: Sequence[Attacker],
    k: int,
    width: int,
    _quoted: Sequence[int],
) -> Anonymized:
    from ..reidentify.anonymize.algorithm_1 import anonymize_by_algorithm_1

    ((_, name),) = people.names([person])
    return anonymize_by_algorithm_1(words, person, attackers, k, name=name, width=width)


class _AnonymizedText(NamedTuple):
    """An anonymized document; what a judge says if one was asked; whether options could be written."""

    solution: Anonymized
    judged: JudgedMask | None
    generalized: bool

    @property
    def reached(self) -> bool:
        """Whether nobody finds the person, the judge included."""
        return self.solution.reached and (self.judged is None or self.judged.found is False)


def _as_json(
    words: TokenizedDocument, result: _AnonymizedText, people: People, person: int, k: int
) -> str:
    # An object that ``tacenda attack`` reads again: it has a text and a person.
    solution = result.solution
    item = {
        "id": words.document.id,
        "text": solution.text,
        "person": people.names([person])[0][0],
        "k": k,
        "reached": result.reached,
        "masks": [[span.start, span.end] for span in solution.spans],
        "written": [edit.text for edit in solution.replacements],
        "words": len(words),
        "words_masked": solution.words_masked,
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
            for belief in solution.attack_results
        ],
    }
    if result.generalized:
        item["information_kept"] = solution.kept
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
    solution = result.solution
    share = solution.words_masked / max(len(words), 1)
    worst = min(solution.attack_results, key=lambda belief: belief.rank)
    ((id, name),) = people.names([worst.looks_like[0][0]])
    outcome = "hidden" if result.reached else "STILL FOUND"
    if (judged := result.judged) is not None and worst.rank > k:
        judgments = {True: "STILL FOUND by llm", None: "NOT JUDGED by llm", False: outcome}
        outcome = judgments[judged.found]
    information = f", {solution.kept:.0%} of the information kept" if result.generalized else ""
    typer.echo(
        f"{words.document.id}: {outcome}: {solution.words_masked} of {len(words)} words "
        f"{'replaced' if result.generalized else 'masked'} ({share:.0%}){information}, rank {worst.rank} "
        f"({worst.attacker}), looks like {name or id}",
        err=True,
    )
