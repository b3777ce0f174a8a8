"""The queue of documents to analyze: fair to all owners, and no document is analyzed twice by several servers.

Owners take turns, and so do the projects of one owner, a few documents at a time: a job of 10,000
texts delays another person's letter only by the time a few texts take. A server claims documents
for a limited time and renews its claim while it works; a killed server's claims expire.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import accumulate

from .database import ProjectDatabase

LEASE = 15.0
"""Seconds for which a claim holds unless it is renewed."""
SLICE = 4
"""Documents that are taken at once."""
SLICE_BYTES = 100_000
"""Size that they may have together; a larger one is taken alone."""


class Queue:
    """The waiting documents, and the servers' claims on them.

    Args:
        database: the store's.
        clock: seconds since 1970, the same for all processes.
    """

    def __init__(self, database: ProjectDatabase, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def claim(self, claimant: str, limit: int = SLICE) -> list[int]:
        """Claim and return the next documents, all from one project."""
        now = self._clock()
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id FROM project WHERE id IN (SELECT DISTINCT project FROM document "
                "WHERE status = 'waiting' AND claimed < ?) ORDER BY (SELECT max(turn) FROM "
                "project AS other WHERE other.owner = project.owner), turn, id LIMIT 1",
                (now,),
            ).fetchone()
            if row is None:
                return []
            sizes = connection.execute(
                "SELECT id, length(text) FROM document WHERE project = ? AND status = 'waiting' "
                "AND claimed < ? ORDER BY id LIMIT ?",
                (*row, now, limit),
            ).fetchall()
            totals = accumulate(size for _, size in sizes)
            ids = [
                id
                for number, ((id, _), total) in enumerate(zip(sizes, totals, strict=True))
                if number == 0 or total <= SLICE_BYTES
            ]
            connection.executemany(
                "UPDATE document SET claimant = ?, claimed = ? WHERE id = ?",
                [(claimant, now + LEASE, id) for id in ids],
            )
            connection.execute(
                "UPDATE project SET turn = (SELECT max(turn) + 1 FROM project) WHERE id = ?", row
            )
        return ids

    def renew(self, claimant: str) -> None:
        """Renew the claims of a working server."""
        self._extend(claimant, self._clock() + LEASE)

    def release(self, claimant: str) -> None:
        """Release a server's unfinished claims."""
        self._extend(claimant, 0)

    def _extend(self, claimant: str, until: float) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE document SET claimed = ? WHERE claimant = ? AND status = 'waiting'",
                (until, claimant),
            )
