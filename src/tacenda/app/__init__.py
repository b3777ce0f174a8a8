"""The application: where people review and annotate, and the REST service for programs.

    files ─ projects ─▶ store (SQLite) ─ worker ─▶ analysis
    changes ─ event log ─ review, annotation: pure functions ─▶ documents ─ web, api, export

| folder or file | contents |
|---|---|
| ``store/`` | projects, documents and the event log, each on disk before it is confirmed |
| ``review/`` | events replayed to a state, the state to a sanitized document; no web, no store |
| ``annotation/`` | annotation mode: a kind of project, with its own events and pages |
| ``service.py`` | store, review and sanitizer together: the operations of pages and programs |
| ``terms.py`` | one decision on a name in all documents of a project |
| ``everywhere.py`` | the same person, place or thing in other documents |
| ``intake.py`` | files to documents of a project |
| ``export.py``, ``audit.py`` | results and records as files |
| ``worker.py`` | analyses waiting documents in the background; deletes expired jobs |
| ``server.py``, ``listening.py`` | the server, its address, and the browser opened at it |
| ``web/`` | the one application, pages for people, access control |
| ``api/`` | the REST API |

Everything is done by this process on this machine: no request ever leaves it.
"""
