"""``POST /sanitize``, ``/assess`` and ``/evaluate``: one text, one file, or masks against gold."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import Response

from ...annotations.tab import parse_masks
from ...document import Document
from ...documents.writing import refuse_leaks
from ...errors import InputError
from ...evaluate.evaluation import EvaluationSettings
from ...evaluate.evaluation import evaluate as measure
from ...evaluate.gold import parse_gold
from ...policy.rules import BuiltInOperator
from ...result import assessment_object
from ..export import Download, as_it_came, extension, media_type
from ..web.base import TheService, attachment, uploaded
from .models import Evaluation, TextWithWishes, Wishes

router = APIRouter(tags=["texts"])
measuring = APIRouter(tags=["measuring"])


@router.post("/sanitize")
def sanitize(service: TheService, body: TextWithWishes) -> dict[str, Any]:
    """Sanitize a text; the answer follows result.schema.json and contains no original text.

    Answers 422 if masked strings would be left in it.
    """
    sanitizer = service.sanitizer.with_policy(body.policy(service.sanitizer.policy))
    result = sanitizer.sanitize(body.text, target=tuple(body.target), id=body.id)
    refuse_leaks(result)
    return result.to_dict()


@router.post("/sanitize/file", response_class=Response)
def sanitize_file(
    service: TheService,
    file: UploadFile,
    target: Annotated[list[str] | None, Form()] = None,
    threshold: Annotated[float | None, Form(ge=0, le=1)] = None,
    operator: Annotated[BuiltInOperator | None, Form()] = None,
) -> Response:
    """Sanitize a file (.docx, PDF, HTML, text, CSV and others); the answer is the sanitized file.

    Answers 422 if masked strings would be left in it; ``X-Tacenda-Leaks`` counts them, otherwise it
    is 0.
    """
    wishes = Wishes(threshold=threshold, operator=operator)
    sanitizer = service.sanitizer.with_policy(wishes.policy(service.sanitizer.policy))
    documents = uploaded([file], target or ())
    results = list(sanitizer.pipe(new.document for new in documents))
    origin = documents[0].file if documents else None
    if origin is None:
        raise InputError("the file contains no document; send another one.")
    name = f"document{extension('same', origin.name)}"
    content = as_it_came(origin, results)
    response = attachment(Download(name, media_type(documents[0].format), content))
    response.headers["X-Tacenda-Leaks"] = str(sum(result.risk.leaks for result in results))
    return response


@router.post("/assess")
def assess(service: TheService, body: TextWithWishes) -> dict[str, Any]:
    """Return the entities of a text with their risks, evidence and alternatives.

    The answer follows assessment.schema.json and contains no original text.
    """
    sanitizer = service.sanitizer.with_policy(body.policy(service.sanitizer.policy))
    analysis = sanitizer.analyze(Document(body.id, body.text, tuple(body.target)))
    result = sanitizer.complete(analysis)
    return assessment_object(result.sanitized, result.assessments)


@measuring.post("/evaluate")
def evaluate(body: Evaluation) -> dict[str, Any]:
    """Return the output of ``tacenda evaluate masks --json``, without texts."""
    gold, masks = parse_gold(body.gold), parse_masks(body.masks)
    report = measure(gold, masks, EvaluationSettings(split=body.split, bootstrap=body.bootstrap))
    return report.without_errors().as_json()
