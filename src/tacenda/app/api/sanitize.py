"""``POST /sanitize``: one text, or one file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import Response

from ...documents.writing import refuse_leaks
from ...errors import InputError
from ...policy.rules import OperatorName
from ..export.formats import extension, media_type
from ..export.original import as_it_came
from ..intake import from_upload
from ..web.pages.context import TheService
from .models import TextWithWishes, Wishes

router = APIRouter(tags=["texts"])


@router.post("/sanitize")
def sanitize(service: TheService, body: TextWithWishes) -> dict[str, Any]:
    """Sanitize a text; the answer follows result.schema.json and holds no original.

    422 where masked strings would be left in it.
    """
    sanitizer = service.sanitizer.under(body.policy(service.sanitizer.policy))
    result = sanitizer.sanitize(body.text, target=tuple(body.target), id=body.id)
    refuse_leaks(result)
    return result.to_dict()


@router.post("/sanitize/file", response_class=Response)
def sanitize_file(
    service: TheService,
    file: UploadFile,
    target: Annotated[list[str] | None, Form()] = None,
    threshold: Annotated[float | None, Form(ge=0, le=1)] = None,
    operator: Annotated[OperatorName | None, Form()] = None,
) -> Response:
    """Sanitize a file (.docx, PDF, HTML, text, CSV and others); the answer is the file, sanitized.

    422 where masked strings would be left in it; ``X-Tacenda-Leaks`` counts them, and is 0.
    """
    wishes = Wishes(threshold=threshold, operator=operator)
    sanitizer = service.sanitizer.under(wishes.policy(service.sanitizer.policy))
    documents = from_upload(file.filename or "", file.file.read(), target or ())
    results = list(sanitizer.pipe(new.document for new in documents))
    origin = documents[0].file if documents else None
    if origin is None:
        raise InputError("the file holds no document; send another one.")
    ending = extension("same", origin.name)
    return Response(
        as_it_came(origin, results),
        media_type=media_type(documents[0].format),
        headers={
            "Content-Disposition": f'attachment; filename="document{ending}"',
            "X-Tacenda-Leaks": str(sum(result.risk.leaks for result in results)),
        },
    )
