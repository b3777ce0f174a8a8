"""``tacenda attack``: what an adversary finds, and the options that define the adversary."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .network import LanguageModelOptions, print_cost
from .options import (
    AsJson,
    Attacker,
    Field,
    InputFormat,
    Paths,
    PersonField,
    SubjectTable,
    check_choice,
    cli_option,
    faults_of_options,
    grouped,
    option,
    refuse,
)
from .printing import print_json, print_note, print_tables, progress_counter

if TYPE_CHECKING:
    from ..background.people import People
    from ..document import Document
    from ..documents.record import Failure, SourceDocument
    from ..reidentify.attackers.adaptive import Pairs
    from ..reidentify.attributes import AttributeGuard
    from ..reidentify.judge import Judge, JudgeReport
    from ..reidentify.pipeline import AttackIndicator, ResidualAttack, SubjectResolver
    from ..reidentify.population.pipeline import PopulationGuard
    from ..reidentify.report import AttackCase, AttackReport, Rows
    from ..result import Result

# The subjects of documents and their adversary: ``attack``, ``anonymize``, ``sanitize --attack``.


class SubjectDocument(NamedTuple):
    """A document, the index of the person it is about, and the name of its file."""

    document: Document
    person: int
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """Options for a release's input and its attackers."""

    input_format: InputFormat = None
    field: Field = "text"
    background: Path | None = option(None, metavar="STORE")
    attacker: Attacker = "ensemble"
    people: SubjectTable = None
    person_field: PersonField = "person"

    def store(self) -> People:
        """The background knowledge.

        Raises:
            typer.BadParameter: if none is given.
            InputError: if there is no store at its path.
        """
        if self.background is None:
            raise typer.BadParameter("is required", param_hint="--background")
        from ..background.people import People

        return People(self.background)

    def subjects(self) -> SubjectResolver:
        """Return the resolver of documents' subjects.

        Raises:
            InputError: if the table can't be read.
        """
        return _resolver(self.person_field, self.people)

    def read(
        self, paths: Sequence[str], output: str | None = None
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents in files, except those in an output folder.

        Raises:
            typer.BadParameter: if the format is unknown.
        """
        from ..documents.reading import check_input, read_file
        from ..documents.record import Skipped
        from .places import listing

        with faults_of_options():
            encoding = check_input(self.input_format, "utf-8")
        place = Path(output) if output else None
        for file in listing(paths, self.input_format, encoding, place):
            if not isinstance(file.entry, Skipped):
                yield from read_file(file.entry, field=self.field)

    def documents(
        self, paths: Sequence[str], people: People, output: str | None = None
    ) -> Iterator[SubjectDocument | None]:
        """Yield documents with their subjects; for each invalid one, print a message and yield None."""
        from ..documents.record import SourceDocument
        from ..errors import InputError

        subjects = self.subjects()
        for item in self.read(paths, output):
            try:
                if not isinstance(item, SourceDocument):
                    raise item.error
                person = people.find(subjects.of(item))
                yield SubjectDocument(item.document, person, item.origin.name)
            except InputError as error:
                place = f"{item.document.id}: " if isinstance(item, SourceDocument) else ""
                message = str(error).removeprefix(place)
                print_note(f"{place}{message}")
                yield None

    def pairs(self, path: Path, people: People) -> Pairs:
        """Sanitized texts to learn from, each with its person; a message for each invalid one."""
        from ..reidentify.tokens import read_words

        texts = filter(None, self.documents([str(path)], people))
        return [(read_words(item.document), item.person) for item in texts]


def _resolver(field: str, table: Path | None, hint: str = "") -> SubjectResolver:
    from ..reidentify.pipeline import SubjectResolver, read_table

    return SubjectResolver(field, {} if table is None else read_table(table), hint)


_Population = Annotated[str | None, cli_option("attack.population", metavar="COUNTRY")]
_Place = Annotated[str | None, cli_option("attack.place", metavar="NAME")]


@dataclass(frozen=True, slots=True)
class AdversaryOptions:
    """Options for a run's attackers, and for the subjects of its documents."""

    attack: Path | None = option(None, metavar="STORE")
    person: str | None = option(None)
    people: SubjectTable = None
    person_field: PersonField = "person"
    attacker: Attacker = "ensemble"
    k: int = option(10, "--k", min=1)
    only_check: bool = option(False, "--only-check")
    population: _Population = None
    place: _Place = None
    attributes: str | None = option(None, "--attributes", metavar="NAMES")

    @property
    def masking(self) -> dict[str, object]:
        """Options that mask more than the policy does, by name."""
        return {
            "--attack": self.attack,
            "--population": self.population,
            "--attributes": self.attributes,
        }

    def attribute_guard(self) -> AttributeGuard | None:
        """Return the guard for ``--attributes``; None without it.

        Raises:
            typer.BadParameter: if an attribute is unknown.
        """
        if self.attributes is None:
            return None
        from ..reidentify.attributes import AttributeGuard, parse_attributes

        with faults_of_options("--attributes"):
            return AttributeGuard(parse_attributes(self.attributes))

    def population_guard(self) -> PopulationGuard | None:
        """Return the guard for these options; None without ``--population``.

        Raises:
            typer.BadParameter: if the tables have no such country or place.
        """
        if self.population is None:
            if self.place is not None:
                raise typer.BadParameter("needs --population COUNTRY", param_hint="--place")
            return None
        from ..reidentify.population.pipeline import PopulationGuard
        from .attack_kinds import check_place

        check_place(self.population, self.place or "")
        return PopulationGuard(self.population, self.k, self.place or "")

    def open(self, language_model: LanguageModelOptions, *, polish: bool) -> Adversary | None:
        """Return the adversary that these options define, with a language model if one is to be asked; None without ``--attack``.

        Args:
            language_model: the judge's language model.
            polish: whether the model is also used for something else.

        Raises:
            typer.BadParameter: if options contradict each other.
            InputError: if the store, the table or the attacker can't be used.
            MissingLabError, PolicyError, ServiceError: see ``LanguageModelOptions.open``.
        """
        if self.attack is None:
            llm = None if polish else language_model.llm
            about = {"--person": self.person, "--people": self.people}
            refuse("needs --attack STORE", {**about, "--only-check": self.only_check, "--llm": llm})
            language_model.check()
            return None
        if self.person is not None and self.people is not None:
            raise typer.BadParameter("can't be used together", param_hint="--people or --person")
        from ..background.people import People
        from ..reidentify.attackers import open_attackers
        from ..reidentify.pipeline import AttackIndicator, ResidualAttack

        people = People(self.attack)
        attackers = open_attackers(self.attacker, people)
        judge = language_model.open(people, attackers)
        hint = ", or name one person for all with --person"
        is_one = self.person is not None
        return Adversary(
            people=people,
            subjects=None if is_one else _resolver(self.person_field, self.people, hint),
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
        people: the store of people.
        subjects: resolver of a document's subject; None if ``person`` applies to all.
        person: the subject of all documents; empty with ``subjects``.
        indicators: one indicator, or none with ``--only-check``.
        check: the check of results.
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
        """Yield documents with their subjects; a failure for each with an unknown subject."""
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
    """Print the attackers that find a result's person, or don't answer, on stderr; return 1 if there are any, otherwise 0."""
    from ..explain import identified

    identifications = [
        identification
        for identification in result.identifications
        if identification.found or identification.silence
    ]
    for identification in identifications:
        print_note(f"{result.document.id}: {identified(identification)}")
    return int(bool(identifications))


# ``tacenda attack``: do attackers with background knowledge find the people of a release?


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSettings:
    """Options of ``tacenda attack``."""

    original: list[str] | None = option(None, metavar="PATH")
    k: int = option(10, "--k", min=1)
    adapt: Path | None = option(None, metavar="JSONL")
    max_rate: float | None = option(None, min=0, max=1)
    tests: bool = option(False, "--tests")
    attributes: bool = option(False, "--attributes")
    population: _Population = None
    place: _Place = None
    file_of: str | None = option(None, "--file-of", metavar="ID")
    to: str = option("table", choices=("table", "json", "html"))
    clues: int = option(5, min=0)
    reveal: bool = option(False, "--reveal")

    def check_rate(self, rate: float, statement: str) -> None:
        """Compare a rate with ``--max-rate``.

        Raises:
            typer.Exit: with 1, if it is higher; the statement is then printed.
        """
        if self.max_rate is not None and rate > self.max_rate:
            print_note(f"{statement}, more than --max-rate {self.max_rate:g}.")
            raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class AttackedRelease:
    """A release to attack.

    Attributes:
        options: the input options.
        paths: paths of the documents.
        settings: settings of the attack.
        to: format of the report.
        output: folder of results, which aren't read; or None.
    """

    options: ReleaseOptions
    paths: Sequence[str]
    settings: AttackSettings = field(default_factory=AttackSettings)
    to: str = "table"
    output: str | None = None

    def originals(self, n: int) -> Sequence[SourceDocument | None]:
        """Return the ``n`` documents before masking; None for each if no originals are given.

        Raises:
            InputError: if one can't be read, or their number differs.
        """
        from ..documents.record import SourceDocument
        from ..errors import InputError

        if not self.settings.original:
            return [None] * n
        documents: list[SourceDocument] = []
        for item in self.options.read(self.settings.original):
            if not isinstance(item, SourceDocument):
                raise item.error
            documents.append(item)
        if len(documents) != n:
            raise InputError(
                f"--original has {len(documents)} documents, the release has {n}; give the same ones in "
                "the same order."
            )
        return documents

    def pairs(self) -> tuple[list[tuple[SourceDocument, SourceDocument | None]], int]:
        """Return the documents with their originals, and how many can't be read, with a message for each.

        Raises:
            InputError: as for ``originals``.
        """
        from ..documents.record import SourceDocument

        items = list(self.options.read(self.paths, self.output))
        pairs = []
        for item, original in zip(items, self.originals(len(items)), strict=True):
            if isinstance(item, SourceDocument):
                pairs.append((item, original))
            else:
                print_note(item.error)
        return pairs, len(items) - len(pairs)

    def show(self, item: object, *tables: Rows) -> None:
        """Print a report as JSON or as tables."""
        if self.to == "json":
            print_json(item)
        else:
            print_tables(*tables)


@grouped
def attack(
    paths: Paths,
    *,
    release: ReleaseOptions,
    language_model: LanguageModelOptions,
    as_json: AsJson = False,
    settings: AttackSettings,
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
      tacenda attack clean.jsonl --file-of 4711
    """
    without_page = {
        "--json": as_json,
        "--attributes": settings.attributes and not settings.tests,
        "--population": settings.population is not None and not settings.tests,
        "--file-of": settings.file_of is not None,
    }
    if option_name := next((name for name, is_given in without_page.items() if is_given), None):
        check_choice(settings.to, ("table", "json"), f"{option_name} and --to")
    attacked = AttackedRelease(release, paths, settings, "json" if as_json else settings.to)
    from . import attack_kinds

    if settings.file_of is not None:
        n_faults = attack_kinds.join_documents(attacked, settings.file_of)
    elif settings.tests:
        n_faults = attack_kinds.run_tests(attacked)
    elif settings.attributes:
        n_faults = attack_kinds.infer_attributes(attacked)
    elif settings.population is not None:
        n_faults = attack_kinds.count_population(attacked, settings.population)
    elif settings.place is not None:
        raise typer.BadParameter("needs --population COUNTRY", param_hint="--place")
    else:
        n_faults = _reidentify(attacked, language_model)
    if n_faults:
        raise typer.Exit(1)


def _reidentify(attacked: AttackedRelease, language_model: LanguageModelOptions) -> int:
    """Attack a release with background knowledge and print the report; return the number of unreadable documents.

    Raises:
        typer.Exit: with 1, if too many people are found, or there are no documents.
        InputError: if the store, an attacker or the originals can't be used.
    """
    from ..reidentify.attackers import AdaptiveAttacker, RecordLinkage, open_attackers
    from ..reidentify.judge import judge_release
    from ..reidentify.report import attack as measure

    settings, release = attacked.settings, attacked.options
    people = release.store()
    attackers = open_attackers(release.attacker, people)
    if settings.adapt is not None:
        attackers = (*attackers, AdaptiveAttacker(people, release.pairs(settings.adapt, people)))
    judge = language_model.open(people, attackers)
    cases, n_faults = _cases(attacked, people)
    for attacker in attackers:
        if isinstance(attacker, RecordLinkage):
            attacker.estimate([case.document for case in cases])
    report = measure(cases, attackers, settings.k, settings.clues)
    judged = None
    if judge is not None:
        with progress_counter("documents judged") as advance:
            judged = judge_release(cases, judge, people, settings.k, advance)
        print_cost(judge)
    _print_report(report, judged, people, attacked)
    worst = max(report.rate.value, judged.worst if judged else 0.0)
    settings.check_rate(worst, f"{worst:.3f} of the documents are re-identified")
    if settings.max_rate is not None and judged is not None and judged.unanswered:
        print_note(
            f"the language model gave no answer about {judged.unanswered} documents, so --max-rate "
            "can't be checked for them"
        )
        raise typer.Exit(1)
    return n_faults


def _cases(attacked: AttackedRelease, people: People) -> tuple[list[AttackCase], int]:
    """Return the documents to attack, each with its original if any, and how many can't be read.

    Raises:
        typer.Exit: with 1, if there are none.
    """
    from ..reidentify.report import AttackCase
    from ..reidentify.tokens import read_words

    items = list(attacked.options.documents(attacked.paths, people))
    cases = [
        AttackCase(
            read_words(item.document),
            item.person,
            None if before is None else read_words(before.document),
        )
        for item, before in zip(items, attacked.originals(len(items)), strict=True)
        if item is not None
    ]
    if not cases:
        print_note("no documents to attack")
        raise typer.Exit(1)
    return cases, len(items) - len(cases)


def _print_report(
    report: AttackReport, judged: JudgeReport | None, people: People, attacked: AttackedRelease
) -> None:
    from ..reidentify.judge import judge_object, judge_rows, judgment_rows
    from ..reidentify.report import as_object, outcome_rows, people_shown, rate_rows

    reveal = attacked.settings.reveal
    rates = rate_rows(report) + ([] if judged is None else judge_rows(judged))
    if attacked.to == "json":
        item = as_object(report, people, reveal=reveal)
        print_json(item if judged is None else item | {"llm": judge_object(judged, reveal=reveal)})
    elif attacked.to == "html":
        from ..pages.attack import page

        sys.stdout.write(page(report, rates, people_shown(report, people), reveal=reveal))
    else:
        tables = [rates, outcome_rows(report, people, reveal=True)]
        print_tables(*tables, *([] if judged is None else [judgment_rows(judged, people)]))
