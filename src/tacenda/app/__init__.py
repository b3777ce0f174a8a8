"""The review application: where a person decides, and the REST service for programs.

    files ─ projects ─▶ store (SQLite) ─ worker ─▶ analysis
    a person's changes ─ store: an append-only log ─ review: pure functions ─▶ Result ─ web, api, export

| folder or file | what it does |
|---|---|
| ``store/`` | projects, documents and the log of changes, each on disk before anybody is told so |
| ``review/`` | the log folded to a state, the state to a sanitized document and its views; no web, no store |
| ``service.py`` | store, review and sanitizer together: what pages and programs ask for |
| ``background.py`` | an index of what an adversary could know, by which a project is decided |
| ``intake.py`` | files to documents of a project |
| ``release.py``, ``export/`` | results and records as files |
| ``worker.py`` | analyses the documents that wait, in the background; deletes what has expired |
| ``launching.py`` | opens the browser without a secret on the command line |
| ``web/`` | pages for people, and what keeps strangers out |
| ``api/`` | the REST API |
| ``annotate/`` | annotation mode, alone or beside a review |

Everything is by this process on this machine: no request ever leaves it.
"""
