"""What leaves the application: documents and projects as files, and the records of what was decided."""

from __future__ import annotations

from itertools import groupby

from ..documents.names import name_tells
from ..result import Result
from .export.audit import AUDIT_FORMATS, Audited, audit
from .export.formats import SAME
from .export.results import Download, of_document, of_files, of_project
from .service import Opened, Service
from .store.documents import Status, StoredDocument


def document_file(service: Service, id: int, format: str, *, allow_leaks: bool = False) -> Download:
    """Return a document as it stands; see ``export.of_document``.

    Raises:
        LeakError: if masked strings are left in it, unless leaks are allowed; so it is where a
            reviewer keeps one of several mentions.
    """
    opened = service.open(id)
    wanted = format == SAME and opened.row.file is not None
    file = service.store.files.get(opened.row.file or 0) if wanted else None
    return of_document(opened.row, opened.reviewed.sanitized, format, file, allow_leaks=allow_leaks)


def project_file(service: Service, id: int, format: str, *, allow_leaks: bool = False) -> Download:
    """Return all documents of a project that are analysed, as they stand.

    In the format that came in only whole files: one of which a document is not analysed is left
    out.
    """
    rows = service.store.documents.of(service.project(id).id)
    if format != SAME:
        return of_project(
            [_result(service, row) for row in rows if _ready(row)], format, allow_leaks=allow_leaks
        )
    files = []
    for number, group in groupby(rows, key=lambda row: row.file):
        members = list(group)
        if number is None:
            members = [row for row in members if _ready(row)]
        if members and all(map(_ready, members)):
            file = None if number is None else service.store.files.get(number)
            files.append((file, [_result(service, row) for row in members]))
    return of_files(files, allow_leaks=allow_leaks)


def document_audit(service: Service, id: int, format: str) -> Download:
    """Return the record of a document; see ``export.audit``."""
    opened = service.open(id)
    return _recorded(service, [opened], f"document-{opened.row.place}-audit", format)


def project_audit(service: Service, id: int, format: str) -> Download:
    """Return the record of all documents of a project that are analysed."""
    rows = service.store.documents.of(service.project(id).id)
    found = [service.open(row.id) for row in rows if _ready(row)]
    return _recorded(service, found, "project-audit", format, project=id)


def _recorded(
    service: Service, documents: list[Opened], name: str, format: str, project: int | None = None
) -> Download:
    found = documents[0].project if project is None else service.project(project)
    content = audit(
        [
            Audited(
                _name(each), each.reviewed, each.entries, service.store.documents.model(each.row.id)
            )
            for each in documents
        ],
        found,
        service.background_of(found),
        format,
    )
    return Download(f"{name}.{format}", AUDIT_FORMATS[format], content)


def _name(opened: Opened) -> str:
    tells = name_tells(opened.row.name, (opened.reviewed.sanitized,))
    return f"document-{opened.row.place}" if tells else opened.row.name


def _result(service: Service, row: StoredDocument) -> tuple[StoredDocument, Result]:
    return row, service.open(row.id).reviewed.sanitized


def _ready(row: StoredDocument) -> bool:
    return row.status is Status.READY
