"""The application: where people review and annotate, and the REST service for programs.

    files ─ projects ─▶ store (SQLite) ─ worker ─▶ analysis
    what people do ─ event log ─ review, annotation: pure functions ─▶ documents ─ web, api, export

| folder or file | what it does |
|---|---|
| ``store/`` | projects, documents and the event log, each on disk before anybody is told so |
| ``review/`` | events replayed to a state, the state to a sanitized document; no web, no store |
| ``annotation/`` | annotation mode: a kind of project, with its own events and pages |
| ``service.py`` | store, review and sanitizer together: what pages and programs ask for |
| ``everywhere.py`` | one decision in all documents of a project |
| ``intake.py`` | files to documents of a project |
| ``export.py``, ``audit.py`` | results and records as files |
| ``worker.py`` | analyses the documents that wait, in the background; deletes what has expired |
| ``server.py``, ``listening.py`` | the server, its address, and the browser opened at it |
| ``web/`` | the one application, pages for people, and what keeps strangers out |
| ``api/`` | the REST API |
| ``memory.py`` | a cache for all threads |

Everything is by this process on this machine: no request ever leaves it.
"""
