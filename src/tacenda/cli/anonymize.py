"""``tacenda anonymize``: mask a document until attackers can't find the person."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from ..errors import InputError
from .attack import AttackedRelease, ReleaseOptions
from .network import LanguageModelOptions, print_cost
from .options import Paths, grouped, option
from .printing import print_note, progress_counter

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Assessment, Entity
    from ..pipeline import Sanitizer
    from ..reidentify.anonymize.anonymize import Anonymized
    from ..reidentify.anonymize.judged import JudgedMask
    from ..reidentify.anonymize.units import MaskUnit
    from ..reidentify.attackers.base import Attacker
    from ..reidentify.judge import Judge
    from ..reidentify.tokens import TokenizedDocument

_JSON: Final = (".json", ".jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnonymizeSettings:
    """Options of ``tacenda anonymize``."""

    k: int = option(10, "--k", min=1)
    method: str = option("search", choices=("search", "paper"))
    by: str = option("words", choices=("words", "entities"))
    operator: str | None = option(None, choices=("generalize", "suppress"))
    width: int = option(1, "--beam", min=1)
    to: str | None = option(None, choices=("text", "json"))
    output: str | None = option(None, "-o", "--output")
    adapt: Path | None = option(None, metavar="JSONL")
    margin: int = option(160, min=1)
    after: list[str] | None = option(None, "--after", metavar="RELEASE")

    @property
    def generalizes(self) -> bool:
        """Whether something less specific is written for entities."""
        default = "generalize" if self.by == "entities" else "suppress"
        return (self.operator or default) == "generalize"

    @property
    def uses_entities(self) -> bool:
        """Whether documents are searched for entities."""
        return self.by == "entities" or self.generalizes


@grouped
def anonymize(
    paths: Paths,
    *,
    release: ReleaseOptions,
    language_model: LanguageModelOptions,
    settings: AnonymizeSettings,
) -> None:
    """Mask as few words as k-anonymity requires.

    All occurrences of a word are masked together, or all mentions of an entity with --by entities.
    With --operator generalize, entities are replaced by something less specific as long as no one
    finds the person by it. Words that the register links are masked together (a city and its state,
    a year and its days). The name is always masked as sanitize --target finds it, with initials and short
    forms of given names (Liz of Elizabeth); so are all user names. Each document is judged by attackers that took
    no part in its search, and their rates are printed at the end. With --adapt, attackers that learned
    from anonymized texts of other people also guide and judge. With --llm, words that the
    language model relies on are masked until it fails. --method paper is for comparison only.
    With --after, words that join a document with those released before are masked instead.

    Exit code 1: a person is still found, the model gave no answer, or a document is still joined. The result depends on the
    background knowledge: who knows more may find more.

    Examples:
      tacenda anonymize letters.jsonl --background people.db --k 8 --to json -o out.jsonl
      tacenda anonymize letters.jsonl --background people.db --operator generalize
      tacenda anonymize letters/ --background people.db -o clean/
      tacenda anonymize letters.jsonl --background people.db --adapt others.jsonl
      tacenda anonymize letters.jsonl --background people.db --llm http://localhost:8000
      tacenda anonymize letters.jsonl --background people.db --attacker encoder --method paper
      tacenda anonymize clean.jsonl --after released/ -o next.jsonl
    """
    from ..pipeline import load
    from ..reidentify.attackers import adaptive_pair, open_attackers
    from ..reidentify.panel import RankTally
    from ..reidentify.tokens import read_words

    to = _output_format(paths, settings, has_judge=bool(language_model.llm))
    if settings.after:
        if language_model.llm:
            raise _other_search()
        _anonymize_after(release, paths, settings, settings.after, to)
        return
    people = release.store()
    attackers = open_attackers(release.attacker, people)
    if settings.adapt is not None:
        attackers += adaptive_pair(people, release.pairs(settings.adapt, people))
    judge = language_model.open(people, attackers)
    sanitizer = load() if settings.uses_entities else None
    anonymizer = _Anonymizer(settings, people, attackers, judge, sanitizer)
    documents = faults = 0
    tally = RankTally(settings.k)
    with _open_output(settings.output, to) as write, progress_counter("documents") as advance:
        for item in release.documents(paths, people, settings.output):
            if item is None:
                faults += 1
                continue
            words = read_words(item.document)
            result = anonymizer.anonymize(words, item.person)
            tally.add(result.solution.attack_results)
            faults += not result.reached
            text = result.solution.text
            if to == "json":
                text = _as_json(words, result, people, item.person, settings.k)
            write(text, item.file, people.person(item.person).name)
            documents += 1
            _say(words, result, people, settings.k)
            advance()
        if documents:
            for line in tally.lines():
                typer.echo(line, err=True)
        if judge is not None:
            print_cost(judge)
        if faults and not documents:
            raise typer.Exit(1)  # before the file gets its name: an empty one looks like a result
    if faults:
        raise typer.Exit(1)


def _output_format(paths: Sequence[str], settings: AnonymizeSettings, *, has_judge: bool) -> str:
    """Return the format of the results; usage errors are found before anything is read.

    Raises:
        typer.BadParameter: if options contradict each other.
    """
    from .places import check_places, format_for, is_folder

    output, to = settings.output, settings.to
    if to is None:
        to = "json" if Path(output or "").suffix.lower() in _JSON else "text"
    if settings.method == "paper" and (settings.uses_entities or has_judge):
        raise typer.BadParameter(
            "paper masks words only, without replacements or a language model",
            param_hint="--method",
        )
    if output is not None and output != "-":
        check_places(paths, output, ())
        if not is_folder(output):
            format_for(output, to, ())
    return to


_Write = Callable[[str, str, str], None]
"""Function that writes a text, with the name of its file and the name of its person."""


@contextmanager
def _open_output(output: str | None, to: str) -> Iterator[_Write]:
    """Open the writer of results (in a folder, one file per input); a file gets its name when it is complete."""
    from ..atomic import atomic_file
    from ..text.decoding import writable
    from .places import is_folder

    if output is None or output == "-":
        yield lambda text, _file, _person: print(text, end="" if text.endswith("\n") else "\n")
        return
    folder = Path(output) if is_folder(output) else None
    names: dict[str, str] = {}
    with ExitStack() as stack:
        stream = stack.enter_context(atomic_file(Path(output))).stream if folder is None else None

        def write(text: str, file: str, person: str) -> None:
            nonlocal stream
            if folder is not None and file not in names:
                stack.close()
                names[file] = _name_in_folder(file, person, to, names)
                folder.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context(atomic_file(folder / names[file])).stream
            if stream is not None:
                end = "" if text.endswith("\n") else "\n"
                stream.write(writable(text + end).encode("utf-8"))

        yield write


def _name_in_folder(file: str, person: str, to: str, taken: Mapping[str, str]) -> str:
    """Name of the result of a file: its own without its folders, unless it tells the person's name or another has it."""
    from ..document import Document
    from ..reidentify.anonymize.linked_units import named_words
    from ..reidentify.tokens import read_words

    stem, ending = Path(file).stem, ".jsonl" if to == "json" else ".txt"
    words = read_words(Document("name", stem.replace("_", " ")))
    is_told = bool(person) and bool(named_words(words, person))
    name = f"document-{len(taken) + 1}{ending}" if is_told else stem + ending
    return name if name not in taken.values() else f"{len(taken) + 1}-{name}"


@dataclass(frozen=True, slots=True)
class _Anonymizer:
    """Anonymizes documents one at a time.

    Attributes:
        settings: the command's settings.
        people: the people that a document may be about.
        attackers: the attackers that search for the person.
        judge: the language model; None for none.
        sanitizer: finds the entities; None if only words are masked.
    """

    settings: AnonymizeSettings
    people: People
    attackers: Sequence[Attacker]
    judge: Judge | None
    sanitizer: Sanitizer | None

    def anonymize(self, words: TokenizedDocument, person: int) -> _AnonymizedText:
        """Mask a document until neither the attackers nor the judge find the person."""
        from ..reidentify.anonymize.judged import hide_from_judge

        if self.settings.method == "paper":
            hide = partial(self._by_paper, words, person)
        else:
            hide = partial(self._search, words, person, *self._units(words, person))
        judged = None
        if self.judge is None:
            solution = hide(())
        else:
            name = self._name(person)
            judged = hide_from_judge(words, person, name, self.judge, self.settings.k, hide)
            solution = judged.solution
        return _AnonymizedText(solution, judged, self.settings.generalizes)

    def _units(
        self, words: TokenizedDocument, person: int
    ) -> tuple[Sequence[MaskUnit], Sequence[Assessment]]:
        """Return the units of masking, and the entities that may be replaced."""
        from ..link.linking import link
        from ..reidentify.anonymize.linked_units import linked_units
        from ..reidentify.anonymize.units import entity_units
        from ..risk.assess import assess

        document = words.document
        entities: Sequence[Entity] = ()
        assessments: Sequence[Assessment] = ()
        if self.sanitizer is not None:
            entities = link(document, self.sanitizer.analyze(document).mentions)
            if self.settings.generalizes:
                assessments = assess(document, entities, self.sanitizer.policy)
        if self.settings.by == "entities":
            return entity_units(words, entities), assessments
        return linked_units(words, person, self.people).units, assessments

    def _search(
        self,
        words: TokenizedDocument,
        person: int,
        units: Sequence[MaskUnit],
        assessments: Sequence[Assessment],
        quoted: Sequence[int],
    ) -> Anonymized:
        from ..reidentify.anonymize.anonymize import anonymize

        return anonymize(
            words,
            person,
            self.attackers,
            self.settings.k,
            people=self.people,
            units=units,
            quoted=quoted,
            assessments=assessments,
            margin=self.settings.margin,
            width=self.settings.width,
        )

    def _by_paper(
        self, words: TokenizedDocument, person: int, _quoted: Sequence[int]
    ) -> Anonymized:
        from ..reidentify.anonymize.algorithm_1 import anonymize_by_algorithm_1

        k, width = self.settings.k, self.settings.width
        name = self._name(person)
        return anonymize_by_algorithm_1(words, person, self.attackers, k, name=name, width=width)

    def _name(self, person: int) -> str:
        ((_, name),) = self.people.names([person])
        return name


class _AnonymizedText(NamedTuple):
    """An anonymized document, what a judge says if one was asked, and whether options could be written."""

    solution: Anonymized
    judged: JudgedMask | None
    generalized: bool

    @property
    def reached(self) -> bool:
        """Whether neither an attacker nor the judge finds the person."""
        return self.solution.reached and (self.judged is None or self.judged.found is False)


def _as_json(
    words: TokenizedDocument, result: _AnonymizedText, people: People, person: int, k: int
) -> str:
    # An object that ``tacenda attack`` can read: it has a text and a person.
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


# ``--after``: mask what joins documents with those released before.


def _other_search() -> typer.BadParameter:
    return typer.BadParameter(
        "masks words by its own search, without --background, --adapt, --llm, --by, --operator or --method; "
        "run it on the result of another anonymize",
        param_hint="--after",
    )


def _anonymize_after(
    release: ReleaseOptions,
    paths: Sequence[str],
    settings: AnonymizeSettings,
    earlier_paths: Sequence[str],
    to: str,
) -> None:
    """Mask documents until they aren't joined with an earlier release, and write them.

    Raises:
        typer.BadParameter: if options of another search are given.
        typer.Exit: with 1, if a document is still joined or can't be read.
        InputError: if a document of the earlier release can't be read, or there are none.
    """
    from ..reidentify.anonymize.earlier_release import anonymize_after, linkers_with_thresholds
    from .attack_kinds import read_cases

    is_other = settings.uses_entities or settings.method != "search" or settings.adapt is not None
    if release.background or is_other:
        raise _other_search()
    earlier, n_unread = read_cases(AttackedRelease(release, earlier_paths))
    if n_unread or not earlier:
        raise InputError(
            f"{n_unread} of {n_unread + len(earlier)} documents of the earlier release can't be read; "
            "it needs at least one, and all of them readable."
        )
    cases, n_faults = read_cases(AttackedRelease(release, paths, output=settings.output))
    linkers = linkers_with_thresholds([*earlier, *cases])
    if skipped := [linker.name for linker, threshold in linkers if threshold == inf]:
        print_note(
            f"--after: attackers without a threshold were skipped ({', '.join(skipped)}): in a release this "
            "small, no similarity separates one person's documents from those of others"
        )
    with _open_output(settings.output, to) as write, progress_counter("documents") as advance:
        for case, result in zip(cases, anonymize_after(earlier, cases, linkers), strict=True):
            n_faults += not result.reached
            text = result.text
            if to == "json":
                item = {"id": case.document.id, "text": text, "reached": result.reached}
                if case.person:
                    item[release.person_field] = case.person
                item |= {"words": result.n_words, "words_masked": result.n_masked}
                text = json.dumps(item, ensure_ascii=False)
            write(text, case.document.id, case.person)
            outcome = "not joined" if result.reached else "STILL JOINED"
            print_note(
                f"{case.document.id}: {outcome}: {result.n_masked} of {result.n_words} words masked"
            )
            advance()
        if n_faults and not cases:
            raise typer.Exit(1)  # before the file gets its name: an empty one looks like a result
    if n_faults:
        raise typer.Exit(1)
