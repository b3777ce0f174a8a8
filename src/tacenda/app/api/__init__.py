"""The REST API for programs, under ``/api/v1``; ``openapi.json`` there documents it, and ``/docs`` for people.

| address | what |
|---|---|
| ``POST /sanitize`` | one text, sanitized |
| ``POST /sanitize/file`` | one file (.docx, PDF …), sanitized |
| ``POST /assess`` | one text's entities with their risks, nothing edited |
| ``POST /evaluate`` | masks against gold annotations |
| ``POST /jobs`` … | many texts in the background, with progress |
| ``/projects`` … ``/documents`` … | what people review: read it, change it, fetch results and records |
| ``POST /projects/files`` | the same, of files |
| ``PUT /projects/{id}/members`` | who may work with a project besides its owner |
| ``PUT /projects/{id}/webhook`` | address to notify when a project or job is done; also ``webhook`` of ``POST /jobs`` |
| ``GET /access-log`` | who read and changed what; for administrators |

Ids can't be guessed, and what is not the key's is not found.

Errors are ``{"error": sentence}`` and never hold what was sent.
"""

from __future__ import annotations

from . import jobs, projects, texts

routers = (
    texts.router,
    texts.measuring,
    jobs.router,
    projects.router,
    projects.downloads,
    projects.administration,
)
