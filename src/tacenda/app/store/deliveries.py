"""Notifications of a project to another program, and their deliveries.

A delivery is written in the same transaction as the event it announces, so none is lost. A server
claims a delivery for an attempt, so several servers don't send it twice.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .database import ProjectDatabase, now

PAUSES = (10.0, 60.0, 300.0, 1800.0, 7200.0, 21_600.0, 43_200.0)
"""Seconds after each attempt that failed; after the one behind the last it is given up."""
LEASE = 120.0
"""Seconds after which the attempt of a server that was killed is repeated; longer than any takes."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """The address to notify about a project; the address and the secret may both be credentials."""

    url: str = field(repr=False)
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notification on its way to an address.

    Attributes:
        id: its number.
        handle: its id for the receiver, the same for all attempts.
        webhook: the webhook it goes to.
        body: the JSON body.
        attempts: number of attempts, including the current one.
    """

    id: int
    handle: str
    webhook: Webhook
    body: str
    attempts: int


@dataclass(frozen=True, slots=True)
class DeliveryState:
    """The state of a delivery, for the project's owner.

    Attributes:
        id: its id for the receiver.
        event: what happened.
        at: time (ISO 8601, UTC).
        state: waiting, delivered or failed.
        attempts: number of attempts.
        outcome: outcome of the last attempt, in words.
    """

    id: str
    event: str
    at: str
    state: str
    attempts: int
    outcome: str


def announce(connection: sqlite3.Connection, project: int, event: str) -> None:
    """Write the delivery of an event inside its transaction, if the project has a webhook.

    It contains only numbers and the project's id.
    """
    ((handle, purpose, url, secret),) = connection.execute(
        "SELECT handle, purpose, webhook, secret FROM project WHERE id = ?", (project,)
    )
    if not url:
        return
    counts = connection.execute(
        "SELECT count(*), ifnull(sum(status = 'ready'), 0), ifnull(sum(status = 'failed'), 0), "
        "ifnull(sum(done), 0) FROM document WHERE project = ?",
        (project,),
    ).fetchone()
    moment, id = now(), secrets.token_hex(16)
    name = "job.finished" if purpose == "job" else f"project.{event}"
    numbers = dict(zip(("documents", "ready", "failed", "reviewed"), counts, strict=True))
    body = json.dumps({"id": id, "event": name, "project": handle, "at": moment} | numbers)
    connection.execute(
        "INSERT INTO delivery (project, handle, url, secret, event, body, at, due) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (project, id, url, secret, name, body, moment, time.time()),
    )


class Deliveries:
    """The table of deliveries, and the webhooks of projects.

    Args:
        database: the store's database.
        clock: seconds since 1970, the same for all processes.
    """

    def __init__(self, database: ProjectDatabase, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def webhook(self, project: int) -> Webhook:
        """Return the address to notify about a project, or an empty string if there is none."""
        ((url, secret),) = self._database.rows(
            "SELECT webhook, secret FROM project WHERE id = ?", project
        )
        return Webhook(url, secret)

    def set_webhook(self, project: int, url: str) -> Webhook:
        """Set the address to notify about a project, or remove it if it is empty.

        It gets a new secret. Pending deliveries to an earlier address are dropped. If the project
        is already analyzed, a notification is sent at once.
        """
        secret = secrets.token_urlsafe(32) if url else ""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE project SET webhook = ?, secret = ? WHERE id = ?", (url, secret, project)
            )
            connection.execute(
                "UPDATE delivery SET state = 'failed', outcome = 'the address was changed' "
                "WHERE project = ? AND state = 'waiting'",
                (project,),
            )
            cursor = connection.execute(
                "SELECT finished FROM project WHERE id = ?", (project,)
            ).fetchone()[0]
            if url and cursor is not None:
                announce(connection, project, "analysed")
        return Webhook(url, secret)

    def announce(self, project: int, event: str) -> None:
        """Write the delivery of an event; see the function ``announce``."""
        with self._database.transaction() as connection:
            announce(connection, project, event)

    def claim(self, limit: int) -> list[Delivery]:
        """Claim deliveries that are due, starting with those with the fewest attempts."""
        moment = self._clock()
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT id, handle, url, secret, body, attempts + 1 FROM delivery "
                "WHERE state = 'waiting' AND due <= ? ORDER BY attempts, due LIMIT ?",
                (moment, limit),
            ).fetchall()
            connection.executemany(
                "UPDATE delivery SET due = ?, attempts = attempts + 1 WHERE id = ?",
                [(moment + LEASE, row[0]) for row in rows],
            )
        return [
            Delivery(id, handle, Webhook(url, secret), body, attempts)
            for id, handle, url, secret, body, attempts in rows
        ]

    def is_due(self) -> bool:
        """Return whether any delivery is due."""
        return bool(
            self._database.rows(
                "SELECT 1 FROM delivery WHERE state = 'waiting' AND due <= ? LIMIT 1", self._clock()
            )
        )

    def settle(self, delivery: Delivery, outcome: str, *, delivered: bool, again: bool) -> None:
        """Record the outcome of an attempt.

        Args:
            delivery: the delivery as claimed.
            outcome: the outcome in words, without the address.
            delivered: whether it arrived.
            again: whether another attempt might help.
        """
        is_last = not again or delivery.attempts > len(PAUSES)
        state = "delivered" if delivered else "failed" if is_last else "waiting"
        pause = 0.0 if state != "waiting" else PAUSES[delivery.attempts - 1]
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE delivery SET state = ?, outcome = ?, due = ? "
                "WHERE id = ? AND state = 'waiting'",
                (state, outcome, self._clock() + pause, delivery.id),
            )

    def of(self, project: int, limit: int = 20) -> list[DeliveryState]:
        """Return the latest deliveries of a project, the newest first."""
        rows = self._database.rows(
            "SELECT handle, event, at, state, attempts, outcome FROM delivery WHERE project = ? "
            "ORDER BY id DESC LIMIT ?",
            project,
            limit,
        )
        return [DeliveryState(*row) for row in rows]
