"""The first page: trying a text, previewing files, and creating a project from them."""

from __future__ import annotations

import hashlib
import re
from threading import Lock
from typing import Annotated, TypeVar

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import JSONResponse, Response
from pydantic import Field, TypeAdapter, ValidationError

from ...document import Document
from ...documents.registry import SHIPPED
from ...errors import InputError, TacendaError
from ...memory import LruCache
from ...models.text_language import NAMES, main_language
from ...wording import counted
from ..intake import TABLES, from_upload, preview, title_of
from ..page_messages import page_message
from ..profiles import kind_of, policy_of
from ..store.documents import NewDocument
from ..store.projects import OverQuota
from .base import TheService
from .permission import TheIdentity, begin_project
from .trial import LONGEST, attempt
from .views import bound_at

router = APIRouter()
_KEPT = 256


class BegunProjects:
    """Addresses of the last created projects, by person and form, so that a double click creates only one."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.places: LruCache[tuple[str, str], str] = LruCache(_KEPT)


_Profile = Annotated[str, Form(max_length=40)]
_Position = Annotated[int | None, Form(ge=0, le=100)]
_Names = Annotated[str, Form(max_length=5000)]
_BETWEEN_NAMES = re.compile(r"[,;\n]")
_OfEachFile = Annotated[str, Form(max_length=100_000)]
_COLUMNS = TypeAdapter(list[list[str]])
_LANGUAGE = f"^({'|'.join(NAMES)})?$"
_LANGUAGES = TypeAdapter(list[Annotated[str, Field(pattern=_LANGUAGE)]])
_T = TypeVar("_T")


@router.post("/try")
def attempt_text(
    service: TheService,
    text: Annotated[str, Form()],
    profile: _Profile = "",
    style: _Profile = "",
    position: _Position = None,
    target: _Names = "",
) -> Response:
    """Return the result of a text, computed at once; the text is neither stored nor logged."""
    bound = None if position is None else bound_at(position)
    try:
        policy = policy_of(
            service.sanitizer.policy, service.store.path.parent, profile, style, bound
        )
        sanitizer = service.sanitizer.with_policy(policy)
        return JSONResponse(attempt(sanitizer, text, names_in(target)))
    except TacendaError as error:
        return JSONResponse({"error": page_message(error)}, 422)


def names_in(text: str) -> list[str]:
    """Return the names in a field: one per line, or separated by commas."""
    return [name.strip() for name in _BETWEEN_NAMES.split(text) if name.strip()]


@router.post("/preview")
def look(file: UploadFile) -> Response:
    """Show the preview of a file, or the reason it is rejected; the file isn't stored."""
    try:
        result = preview(file.filename or "", file.file.read())
    except TacendaError as error:
        return JSONResponse({"name": file.filename, "fault": page_message(error)})
    return JSONResponse(
        {
            "name": result.name,
            "kind": _kind(result.format, result.documents, result.pages),
            "digest": result.digest,
            "fault": result.fault,
            "columns": result.columns,
            "suggested": result.suggested,
            "rows": result.rows,
            "text": result.text if len(result.text) <= LONGEST else "",
            "profile": kind_of(result.sample),
            "language": main_language(result.sample),
        }
    )


def _kind(format: str, documents: int, pages: int) -> str:
    """Return the format and size of a file in words."""
    label = SHIPPED[format].label if format in SHIPPED else format
    if pages:
        return f"{label}, {counted(pages, 'page')}"
    if format in TABLES:
        return f"{label}, {counted(documents, 'row')}"
    return f"{label}, {counted(documents, 'document')}" if documents > 1 else label


@router.post("/projects")
def begin(
    request: Request,
    service: TheService,
    identity: TheIdentity,
    name: Annotated[str, Form(max_length=200)] = "",
    files: list[UploadFile] | None = None,
    columns: _OfEachFile = "",
    kept: _OfEachFile = "",
    languages: _OfEachFile = "",
    text: Annotated[str, Form()] = "",
    language: Annotated[str, Form(pattern=_LANGUAGE)] = "",
    target: _Names = "",
    profile: _Profile = "",
    style: _Profile = "",
    position: _Position = None,
    same_tags: Annotated[bool, Form()] = True,
    once: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Create a project from files and a pasted text, and go to its page.

    ``columns`` is JSON with each file's text columns (none for the usual one), and ``kept`` with
    its other columns to keep. ``languages`` is JSON with each file's language code (empty to guess
    it), like ``language`` for the text. ``once`` identifies a form, so that sending it twice
    creates one project.
    """
    begun: BegunProjects = request.app.state.begun
    with begun.lock:
        place = begun.places.get((identity.name, once)) if once else None
        if place is None:
            try:
                names = names_in(target)
                documents = []
                if text.strip():
                    pasted = Document("pasted text", text, tuple(names), language=language)
                    documents.append(NewDocument(pasted))
                documents += _documents(files or [], columns, kept, languages, names)
                bound = None if position is None else bound_at(position)
                own, folder = service.sanitizer.policy, service.store.path.parent
                policy = policy_of(own, folder, profile, style, bound)
                title = name.strip() or title_of(documents)
                project = begin_project(request, title, documents, policy, linked=same_tags)
            except OverQuota as error:
                wait = {"Retry-After": str(error.wait)}
                return Response(page_message(error), 429, wait, "text/plain")
            except TacendaError as error:
                return Response(page_message(error), 422, media_type="text/plain")
            place = f"/projects/{project.handle}"
            if once:
                begun.places.put((identity.name, once), place)
    return Response(status_code=204, headers={"HX-Redirect": place})


def _documents(
    files: list[UploadFile], columns: str, kept: str, languages: str, names: list[str]
) -> list[NewDocument]:
    """Return the documents in a form's files.

    Raises:
        InputError: if a file can't be read or occurs twice, or the columns or languages are invalid.
    """
    chosen = _of_each(_COLUMNS, columns, "columns", files, [])
    staying = _of_each(_COLUMNS, kept, "columns", files, [])
    stated = _of_each(_LANGUAGES, languages, "languages", files, "")
    documents: list[NewDocument] = []
    first: dict[bytes, str] = {}
    for index, file in enumerate(files):
        content, title = file.file.read(), file.filename or ""
        digest = hashlib.sha256(content).digest()
        if digest in first:
            raise InputError(f"is the same file as {first[digest]!r}; send it once.", title)
        first[digest] = title
        of_file = chosen[index], staying[index], stated[index]
        documents += from_upload(title, content, names, *of_file)
    return documents


def _of_each(
    adapter: TypeAdapter[list[_T]], text: str, name: str, files: list[UploadFile], usual: _T
) -> list[_T]:
    """Return what a form says about each file, in JSON, or the default for all if it says nothing.

    Raises:
        InputError: if it isn't a list with a valid item for each file.
    """
    try:
        items = adapter.validate_json(text or "[]") or [usual] * len(files)
    except ValidationError:
        kind = "lists of names" if name == "columns" else "ISO 639-1 codes"
        raise InputError(f"{name} must be a list of {kind}.") from None
    if len(items) != len(files):
        given, sent = counted(len(items), "file"), counted(len(files), "file")
        raise InputError(f"{name} are given for {given}, but the form has {sent}.")
    return items
