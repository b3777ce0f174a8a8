"""The page that documents the REST API, built from its OpenAPI description without loading anything."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from .base import page

router = APIRouter()


@router.get("/docs")
def show_api(request: Request) -> Response:
    """Show the operations of the API by topic."""
    schema = request.app.openapi()
    topics: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            topic = (operation.get("tags") or ["other"])[0]
            topics.setdefault(topic, []).append(_operation(schema, path, method, operation))
    return page(request, "api.html", topics=topics, version=schema["info"]["version"])


def _operation(
    schema: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> dict[str, Any]:
    fields = [
        (item["name"], item["in"], item.get("required", False), item.get("description", ""))
        for item in operation.get("parameters", ())
    ]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        reference = content["schema"].get("$ref", "").rpartition("/")[2]
        body = schema["components"]["schemas"].get(reference, content["schema"])
        required = body.get("required", ())
        fields += [
            (name, "body", name in required, item.get("description", ""))
            for name, item in body.get("properties", {}).items()
        ]
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "name": operation["summary"],
        "paragraphs": operation.get("description", "").replace("``", "").split("\n\n"),
        "fields": fields,
    }
