"""The REST API for programs, under ``/api/v1``; ``openapi.json`` there documents it.

| address | what |
|---|---|
| ``POST /sanitize`` | one text, sanitized |
| ``POST /sanitize/file`` | one file (.docx, PDF …), sanitized |
| ``POST /assess`` | one text's entities with their risks, nothing edited |
| ``POST /evaluate`` | masks against gold annotations |
| ``POST /jobs`` … | many texts in the background, with progress |
| ``/projects`` … ``/documents`` … | what people review: read it, change it, fetch results and records |
| ``POST /projects/files`` | the same, of files |

Errors are ``{"error": sentence}`` and never hold what was sent.
"""

from __future__ import annotations

from . import assess, documents, evaluate, jobs, sanitize

__all__ = ["routers"]

routers = (sanitize.router, assess.router, evaluate.router, jobs.router, documents.router)
