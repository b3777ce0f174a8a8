"""The REST API for programs, under ``/api/v1``. It is documented in ``openapi.json`` there, and for people at ``/docs``.

| address | what |
|---|---|
| ``POST /sanitize`` | one text, sanitized |
| ``POST /sanitize/file`` | one file (.docx, PDF …), sanitized |
| ``POST /assess`` | one text's entities with their risks, nothing edited |
| ``POST /evaluate`` | masks against gold annotations |
| ``POST /jobs`` … | many texts in the background, with progress |
| ``/projects`` … ``/documents`` … | reviews: read and change them, fetch results and records |
| ``POST /projects/files`` | the same, from files |
| ``PUT /projects/{id}/members`` | who may work on a project in addition to its owner |
| ``PUT /projects/{id}/webhook`` | address to notify when a project or job is done; also ``webhook`` of ``POST /jobs`` |
| ``GET /access-log`` | who read and changed what; for administrators |

Ids can't be guessed, and a key that may not see something gets "not found".

Errors are ``{"error": sentence}`` and never repeat what was sent.
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
