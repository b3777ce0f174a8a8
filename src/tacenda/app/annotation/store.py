"""Annotation projects in a store: their documents and annotators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ...errors import InputError
from ...policy import Policy
from ..store import Store
from ..store.database import NotFound, from_column, to_column
from ..store.documents import Status
from ..store.projects import Project
from .annotation import UNMARKED, SpanMarks, marks_as_object, marks_of


class Flow(StrEnum):
    """The annotators' task in a project."""

    TAB = "tab"
    REPLACEMENT = "replacement"


@dataclass(frozen=True, slots=True)
class AnnotationSource:
    """A document to annotate.

    Attributes:
        name: ``doc_id``.
        text: the original.
        split: TAB's ``dataset_type``.
        target: names of the person to protect.
        marks: the initial marks.
        id: its number in the store; 0 before it is stored.
        number: its number in the project, from 1; 0 before it is stored.
    """

    name: str
    text: str = field(repr=False)
    split: str = ""
    target: tuple[str, ...] = field(default=(), repr=False)
    marks: SpanMarks = UNMARKED
    id: int = 0
    number: int = 0


def begin(
    store: Store,
    name: str,
    flow: Flow | None,
    annotators: Sequence[str],
    owner: str,
    review: int | None = None,
) -> Project:
    """Return a new or continued annotation project; new annotators join it.

    Args:
        store: the project's store.
        name: the name of a new project.
        flow: None to keep the project's flow, or for *tab* in a new one.
        annotators: their names.
        owner: name of the key that owns a new project.
        review: number of the review project to annotate; None for a project of its own.

    Raises:
        InputError: if it has another flow.
    """
    with store.database.transaction():
        project = find(store, review)
        if project is None:
            project = store.projects.add(
                name,
                Policy(),
                0.0,
                b"",
                "annotation",
                owner=owner,
                flow=str(flow or Flow.TAB),
                review=review,
            )
        elif flow not in (None, project.flow):
            raise InputError(
                f"the project's flow is {project.flow!r}, not {str(flow)!r}; choose another "
                "file with --project."
            )
        store.projects.join(project.id, annotators)
    return project


def find(store: Store, review: int | None = None) -> Project | None:
    """Return a review's annotation project, or the first one without a review, or None."""
    projects = [item for item in store.projects.all("annotation") if item.review == review]
    return projects[-1] if projects else None


class AnnotationSources:
    """The documents of an annotation project, which never change.

    Args:
        store: the store they are in.
        project: number of the project.
    """

    def __init__(self, store: Store, project: int) -> None:
        self._database = store.database
        self._project = project

    def add(self, sources: Sequence[AnnotationSource]) -> int:
        """Add the missing documents and return their number; on an error, add none.

        Raises:
            InputError: if a name is already used for a different text.
        """
        count = 0
        with self._database.transaction() as connection:
            for source in sources:
                name, text = to_column(source.name), source.text.encode("utf-8", "surrogatepass")
                row = connection.execute(
                    "SELECT text FROM document WHERE project = ? AND name = ?",
                    (self._project, name),
                ).fetchone()
                if row is None:
                    count += 1
                    target, marks = source.target, marks_as_object(source.marks)
                    connection.execute(
                        "INSERT INTO document (project, name, format, declared, target, text, "
                        "status, split, marks, handle) "
                        "VALUES (?, ?, 'text', 1, ?, ?, ?, ?, ?, new_handle())",
                        (
                            self._project,
                            name,
                            json.dumps(target),
                            text,
                            str(Status.READY),
                            source.split,
                            json.dumps(marks),
                        ),
                    )
                elif row[0] != text:
                    raise InputError(
                        "the project already has a different text of that name; rename it, or choose another "
                        "file with --project.",
                        source.name,
                    )
        return count

    def __len__(self) -> int:
        """Number of documents."""
        ((count,),) = self._database.rows(
            "SELECT count(*) FROM document WHERE project = ?", self._project
        )
        return int(count)

    def get(self, number: int) -> AnnotationSource:
        """A document.

        Raises:
            NotFound: if the number is unknown.
        """
        rows = self._database.rows(
            "SELECT id, name, text, split, target, marks FROM document WHERE project = ? "
            "ORDER BY id LIMIT 1 OFFSET ?",
            self._project,
            number - 1,
        )
        if not rows or number < 1:
            raise NotFound(f"document {number!r} does not exist; see the list of documents.")
        id, name, text, split, target, marks = rows[0]
        return AnnotationSource(
            from_column(name),
            text.decode("utf-8", "surrogatepass"),
            split,
            tuple(json.loads(target)),
            marks_of(json.loads(marks)),
            id,
            number,
        )
