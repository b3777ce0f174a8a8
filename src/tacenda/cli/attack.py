"""``tacenda attack``: what an adversary finds, and the options to name one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from .llm import LanguageModelOptions, print_cost
from .options import (
    ATTACK,
    INPUT,
    OUTPUT,
    AsJson,
    Attacker,
    Field,
    InputFormat,
    Paths,
    PersonField,
    SubjectTable,
    check_choice,
    grouped,
)
from .printing import print_json, print_tables

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Document
    from ..documents.record import Failure, SourceDocument
    from ..reidentify.attackers import AdaptiveAttacker
    from ..reidentify.attributes import AttributeGuard
    from ..reidentify.judge import Judge
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack, SubjectResolver
    from ..reidentify.population.pipeline import PopulationGuard
    from ..reidentify.tokens import TokenizedDocument
    from ..result import Result

# Subjects of documents and their adversary: ``attack``, ``anonymize``, ``sanitize --attack``.


_Background = Annotated[
    Path | None,
    typer.Option(
        metavar="STORE",
        help="What is known: made by tacenda index people. --tests does without.",
        rich_help_panel=ATTACK,
    ),
]


class SubjectDocument(NamedTuple):
    """A document and the number of the person it is about."""

    document: Document
    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """Options of the input of a release, and of its attackers."""

    input_format: InputFormat = None
    field: Field = "text"
    background: _Background = None
    attacker: Attacker = "ensemble"
    people: SubjectTable = None
    person_field: PersonField = "person"

    def store(self) -> People:
        """The background knowledge.

        Raises:
            typer.BadParameter: if none is named.
            InputError: if there is no store at its path.
        """
        if self.background is None:
            raise typer.BadParameter("is needed: name a STORE", param_hint="--background")
        from ..background.people import People

        return People(self.background)

    def subjects(self) -> SubjectResolver:
        """The resolver of whom documents are about.

        Raises:
            InputError: if the table can't be read.
        """
        from ..reidentify.pipeline import SubjectResolver, read_table

        return SubjectResolver(
            self.person_field, {} if self.people is None else read_table(self.people)
        )

    def read(self, paths: Sequence[str]) -> Iterator[SourceDocument | Failure]:
        """Documents of some files.

        Raises:
            typer.BadParameter: if the format is none.
        """
        from ..documents.reading import read
        from ..errors import InputError

        try:
            readers = [read(path, self.input_format, field=self.field) for path in paths]
        except InputError as error:
            raise typer.BadParameter(str(error)) from error
        return (item for reader in readers for item in reader)

    def documents(self, paths: Sequence[str], people: People) -> Iterator[SubjectDocument | None]:
        """Documents with their subjects; None, and a message, for each invalid one."""
        from ..documents.record import SourceDocument
        from ..errors import InputError

        subjects = self.subjects()
        for item in self.read(paths):
            try:
                if not isinstance(item, SourceDocument):
                    raise item.error
                yield SubjectDocument(item.document, people.find(subjects.of(item)))
            except InputError as error:
                place = f"{item.document.id}: " if isinstance(item, SourceDocument) else ""
                message = str(error).removeprefix(place)
                typer.echo(f"tacenda: {place}{message}", err=True)
                yield None


_Store = Annotated[
    Path | None,
    typer.Option(
        metavar="STORE",
        help="People that an adversary knows (tacenda index people): what leads them to the person "
        "is masked, and the result attacked; exit code 1 if the person is found.",
        rich_help_panel=ATTACK,
    ),
]
_Person = Annotated[
    str | None,
    typer.Option(help="Whom all documents are about, by id or name.", rich_help_panel=ATTACK),
]
_K = Annotated[
    int,
    typer.Option(
        "--k",
        min=1,
        help="The person must not be among the first K, nor of fewer than K who fit.",
        rich_help_panel=ATTACK,
    ),
]
_OnlyCheck = Annotated[
    bool,
    typer.Option(
        "--only-check", help="Mask nothing for it, say who is found.", rich_help_panel=ATTACK
    ),
]


_Population = Annotated[
    str | None,
    typer.Option(
        metavar="COUNTRY",
        help="How many people of a country fit what a text tells of its subject; tables ship for us. When sanitizing, "
        "what tells most is masked until K fit.",
        rich_help_panel=ATTACK,
    ),
]
_HiddenAttributes = Annotated[
    str | None,
    typer.Option(
        "--attributes",
        metavar="NAMES",
        help="Attributes that nothing may tell of anybody, such as 'occupation, health, age'; also: sex, birth, country, "
        "place, relationship, education.",
        rich_help_panel=ATTACK,
    ),
]
_Place = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="With --population: state or county where the people live, such as 'Lane County, Oregon'; by default "
        "what a text says, else the country.",
        rich_help_panel=ATTACK,
    ),
]


@dataclass(frozen=True, slots=True)
class AdversaryOptions:
    """Options of the attackers of a run, and of the subjects of its documents."""

    attack: _Store = None
    person: _Person = None
    people: SubjectTable = None
    person_field: PersonField = "person"
    attacker: Attacker = "ensemble"
    k: _K = 10
    only_check: _OnlyCheck = False
    population: _Population = None
    place: _Place = None
    attributes: _HiddenAttributes = None

    def refuse_all(self, fault: str) -> None:
        """Refuse the options that mask more than the policy does, where nothing would follow them.

        Raises:
            typer.BadParameter: if one is given.
        """
        for value, name in (
            (self.attack, "--attack"),
            (self.population, "--population"),
            (self.attributes, "--attributes"),
        ):
            if value is not None:
                raise typer.BadParameter(fault, param_hint=name)

    def attribute_guard(self) -> AttributeGuard | None:
        """The guard of ``--attributes``; None without it.

        Raises:
            typer.BadParameter: if an attribute is unknown.
        """
        if self.attributes is None:
            return None
        from ..errors import InputError
        from ..reidentify.attributes import AttributeGuard, parse_attributes

        try:
            return AttributeGuard(parse_attributes(self.attributes))
        except InputError as error:
            raise typer.BadParameter(str(error), param_hint="--attributes") from error

    def population_guard(self) -> PopulationGuard | None:
        """The guard of these options; None without ``--population``.

        Raises:
            typer.BadParameter: if the tables have no such country or place.
        """
        if self.population is None:
            if self.place is not None:
                raise typer.BadParameter("needs --population COUNTRY", param_hint="--place")
            return None
        from ..reidentify.population.pipeline import PopulationGuard
        from .attack_population import check_place

        check_place(self.population, self.place or "")
        return PopulationGuard(self.population, self.k, self.place or "")

    def open(self, language_model: LanguageModelOptions, *, polish: bool) -> Adversary | None:
        """Adversary of these options, with a language model where one is to be asked; None without ``--attack``.

        Args:
            language_model: of the judge.
            polish: whether the model is for something else, too.

        Raises:
            typer.BadParameter: if options contradict each other.
            InputError: if the store, the table or the attacker can't be used.
            MissingLabError, PolicyError, ServiceError: see ``LanguageModelOptions.open``.
        """
        if self.attack is None:
            for value, name in (
                (self.person, "--person"),
                (self.people, "--people"),
                (self.only_check, "--only-check"),
                (None if polish else language_model.llm, "--llm"),
            ):
                if value:
                    raise typer.BadParameter("needs --attack STORE", param_hint=name)
            language_model.check()
            return None
        if self.person is not None and self.people is not None:
            raise typer.BadParameter(
                "says it already; leave one out", param_hint="--people or --person"
            )
        from ..background.people import People
        from ..reidentify.attackers import open_attackers
        from ..reidentify.pipeline import (
            AttackIndicator,
            ResidualAttack,
            SubjectResolver,
            read_table,
        )

        people = People(self.attack)
        attackers = open_attackers(self.attacker, people)
        judge = language_model.open(people, attackers)
        subjects = None
        if self.person is None:
            hint = ", or name one person for all with --person"
            table = {} if self.people is None else read_table(self.people)
            subjects = SubjectResolver(self.person_field, table, hint)
        return Adversary(
            people=people,
            subjects=subjects,
            person=self.person or "",
            indicators=()
            if self.only_check
            else (AttackIndicator(people, attackers, self.k, judge),),
            check=ResidualAttack(people, attackers, self.k, judge=judge),
            judge=judge,
        )


@dataclass(frozen=True, slots=True)
class Adversary:
    """An adversary, and the subjects of documents.

    Attributes:
        people: the store.
        subjects: resolver of a document's subject; None where ``person`` holds for all.
        person: the subject of all documents; empty with ``subjects``.
        indicators: one, or none with ``--only-check``.
        check: of results.
        judge: the language model; None for none.
    """

    people: People
    subjects: SubjectResolver | None
    person: str
    indicators: tuple[AttackIndicator, ...]
    check: ResidualAttack
    judge: Judge | None

    def with_people(
        self, items: Iterable[SourceDocument | Failure]
    ) -> Iterator[SourceDocument | Failure]:
        """Documents with their subjects; a failure for each with an unknown subject."""
        from ..documents.record import Failure, SourceDocument
        from ..errors import InputError
        from ..reidentify.pipeline import person_index

        for item in items:
            if not isinstance(item, SourceDocument):
                yield item
                continue
            try:
                person = self.person if self.subjects is None else self.subjects.of(item)
                document = replace(item.document, subject=person)
                person_index(self.people, document)
            except InputError as error:
                yield Failure(error)
                continue
            yield replace(item, document=document)


def print_identifications(result: Result) -> int:
    """Print the attackers that find the person of a result, or don't answer, on stderr; return 1 for any, else 0."""
    from ..explain import identified

    identifications = [
        identification
        for identification in result.identifications
        if identification.found or identification.silence
    ]
    for identification in identifications:
        typer.echo(f"tacenda: {result.document.id}: {identified(identification)}", err=True)
    return int(bool(identifications))


# ``tacenda attack``: do attackers with background knowledge find the people of a release?


_FORMATS: Final = ("table", "json", "html")

_RankOption = Annotated[
    int,
    typer.Option(
        "--k", min=1, help="Of the second rate: among the first K.", rich_help_panel=ATTACK
    ),
]
_Original = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH",
        help="The documents before masking, in the same order.",
        rich_help_panel=INPUT,
    ),
]
_MaxRate = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Exit with 1 if more than this share is found at rank 1; with --tests, if a risk is higher.",
        rich_help_panel=ATTACK,
    ),
]
_Tests = Annotated[
    bool,
    typer.Option(
        "--tests",
        help="Instead: singling out, linkability and inference of attributes, the three tests of WP216.",
        rich_help_panel=ATTACK,
    ),
]
_InferAttributes = Annotated[
    bool,
    typer.Option(
        "--attributes",
        help="Instead: which attributes of each person can no longer be inferred; needs --original.",
        rich_help_panel=ATTACK,
    ),
]
_Adapt = Annotated[
    Path | None,
    typer.Option(
        metavar="JSONL",
        help="Sanitized texts of other people, each with its person: the attacker adaptive learns from them.",
        rich_help_panel=ATTACK,
    ),
]
_To = Annotated[str, typer.Option(help="table, json or html.", rich_help_panel=OUTPUT)]
_Clues = Annotated[
    int, typer.Option(min=0, help="Telling words a document, at most.", rich_help_panel=OUTPUT)
]
_Reveal = Annotated[
    bool,
    typer.Option(
        "--reveal",
        help="JSON: add the telling words; HTML: and the texts. For review.",
        rich_help_panel=OUTPUT,
    ),
]


def _adapted(release: ReleaseOptions, path: Path, people: People) -> AdaptiveAttacker:
    """The attacker that learned from sanitized texts of other people.

    Raises:
        InputError: if there are too few.
    """
    from ..reidentify.attackers import AdaptiveAttacker
    from ..reidentify.tokens import read_words

    pairs = [
        (read_words(item.document), item.person)
        for item in release.documents([str(path)], people)
        if item is not None
    ]
    return AdaptiveAttacker(people, pairs)


@grouped
def attack(
    paths: Paths,
    original: _Original = None,
    *,
    release: ReleaseOptions,
    k: _RankOption = 10,
    adapt: _Adapt = None,
    max_rate: _MaxRate = None,
    language_model: LanguageModelOptions,
    tests: _Tests = False,
    attributes: _InferAttributes = False,
    population: _Population = None,
    place: _Place = None,
    to: _To = "table",
    as_json: AsJson = False,
    clues: _Clues = 5,
    reveal: _Reveal = False,
) -> None:
    """Try to re-identify the people of a release.

    The report says how many people are found, by which attacker and by which words. The subject of
    each document comes from a field of its line (JSONL) or from a table of documents and people;
    it is an id or an unambiguous name. A language model chooses among the candidates of the other
    attackers and reports what else the text reveals.

    Examples:
      tacenda index people register.csv -o people.db

      tacenda attack release.jsonl --background people.db --max-rate 0.01

      tacenda attack clean/ --background people.db --people who.csv --to html > attack.html

      tacenda attack release.jsonl --background people.db --adapt others.jsonl

      tacenda attack release.jsonl --background people.db --llm http://localhost:8000/v1

      tacenda attack clean.jsonl --original raw.jsonl --tests --max-rate 0.1

      tacenda attack clean/ --population us --place Oregon --k 20

      tacenda attack clean.jsonl --original raw.jsonl --attributes
    """
    from ..reidentify.attackers import RecordLinkage, open_attackers
    from ..reidentify.judge import judge_object, judge_release, judge_rows, judgment_rows
    from ..reidentify.report import AttackCase, as_object, outcome_rows, people_shown, rate_rows
    from ..reidentify.report import attack as measure
    from ..reidentify.tokens import read_words
    from .progress import progress_counter

    check_choice(to, _FORMATS, "--to")
    if as_json:
        check_choice(to, ("table", "json"), "--json and --to")
        to = "json"
    if tests:
        from .attack_tests import run_tests

        run_tests(release, paths, original or [], max_rate, to, reveal=reveal)
        return
    if attributes:
        from .attack_attributes import run_attributes

        check_choice(to, ("table", "json"), "--attributes and --to")
        run_attributes(release, paths, original or [], to, reveal=reveal)
        return
    if population is not None:
        from .attack_population import run_population

        check_choice(to, ("table", "json"), "--population and --to")
        run_population(
            release, paths, original or [], population, place or "", k, to, reveal=reveal
        )
        return
    if place is not None:
        raise typer.BadParameter("needs --population COUNTRY", param_hint="--place")
    people = release.store()
    attackers = open_attackers(release.attacker, people)
    if adapt is not None:
        attackers = (*attackers, _adapted(release, adapt, people))
    judge = language_model.open(people, attackers)
    items = list(release.documents(paths, people))
    before: Sequence[TokenizedDocument | None] = [None] * len(items)
    if original:
        before = [
            read_words(item.document) for item in read_originals(release, original, len(items))
        ]
    cases = [
        AttackCase(read_words(item.document), item.person, unmasked)
        for item, unmasked in zip(items, before, strict=True)
        if item is not None
    ]
    if not cases:
        typer.echo("tacenda: there is no document to attack.", err=True)
        raise typer.Exit(1)
    for attacker in attackers:
        if isinstance(attacker, RecordLinkage):
            attacker.estimate([case.document for case in cases])
    report = measure(cases, attackers, k, clues)
    rates, judged = rate_rows(report), None
    if judge is not None:
        with progress_counter("documents judged") as advance:
            judged = judge_release(cases, judge, people, k, advance)
        rates += judge_rows(judged)
        print_cost(judge)
    if to == "json":
        item = as_object(report, people, reveal=reveal)
        if judged is not None:
            item["llm"] = judge_object(judged, reveal=reveal)
        print_json(item)
    elif to == "html":
        from ..pages.attack import page

        sys.stdout.write(page(report, rates, people_shown(report, people), reveal=reveal))
    else:
        print_tables(rates, outcome_rows(report, people, reveal=True))
        if judged is not None:
            print_tables(judgment_rows(judged, people))
    worst = max(report.rate.value, judged.worst if judged else 0.0)
    if max_rate is not None and worst > max_rate:
        typer.echo(
            f"tacenda: {worst:.3f} of the documents are re-identified, more than "
            f"--max-rate {max_rate:g}.",
            err=True,
        )
        raise typer.Exit(1)
    if judged is not None and judged.unanswered and max_rate is not None:
        typer.echo(
            f"tacenda: of {judged.unanswered} documents the language model did not say whom they are "
            "about: --max-rate can't be told for them.",
            err=True,
        )
        raise typer.Exit(1)
    if len(cases) < len(items):
        raise typer.Exit(1)


def read_pairs(
    release: ReleaseOptions, paths: Sequence[str], original: Sequence[str]
) -> list[tuple[SourceDocument | Failure, SourceDocument | None]]:
    """Return the documents of a release, each with its original; None for each where none are named.

    Raises:
        InputError: as of ``read_originals``.
    """
    items = list(release.read(paths))
    before = read_originals(release, original, len(items)) if original else [None] * len(items)
    return list(zip(items, before, strict=True))


def read_originals(release: ReleaseOptions, paths: Sequence[str], n: int) -> list[SourceDocument]:
    """Return the ``n`` originals of a release; a fault in one, or another number of them, ends the run.

    Raises:
        InputError: for such a fault.
    """
    from ..documents.record import SourceDocument
    from ..errors import InputError

    documents: list[SourceDocument] = []
    for item in release.read(paths):
        if not isinstance(item, SourceDocument):
            raise item.error
        documents.append(item)
    if len(documents) != n:
        raise InputError(
            f"--original has {len(documents)} documents, the release has {n}; give the same ones in "
            "the same order."
        )
    return documents
