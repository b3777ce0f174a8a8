"""How much of the server one owner may have at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import InputError
from .database import Database


class OverQuota(InputError):
    """An owner has as much as is allowed.

    Attributes:
        wait: seconds after which it is worth trying again.
    """

    wait = 60


@dataclass(frozen=True, slots=True)
class Quota:
    """What an owner may have at once, in numbers; see ``tacenda serve``.

    Attributes:
        texts: documents that wait to be analysed.
        jobs: jobs that are kept, finished or not.
        bytes: of all texts and files that are kept.
    """

    texts: int = 20_000
    jobs: int = 100
    bytes: int = 2**30

    def check(self, database: Database, owner: str) -> None:
        """Check what an owner has, with what was just added, inside the transaction that added it.

        Raises:
            OverQuota: if it is too much; nothing is added then.
        """
        ((texts, jobs, size),) = database.rows(
            "SELECT (SELECT count(*) FROM document JOIN project ON project.id = project "
            "WHERE owner = ?1 AND status = 'waiting'), "
            "(SELECT count(*) FROM project WHERE owner = ?1 AND purpose = 'job'), "
            "(SELECT ifnull(sum(length(text)), 0) FROM document JOIN project "
            "ON project.id = project WHERE owner = ?1) + "
            "(SELECT ifnull(sum(length(content)), 0) FROM file JOIN project "
            "ON project.id = project WHERE owner = ?1)",
            owner,
        )
        for value, most, what in (
            (texts, self.texts, "texts that wait"),
            (jobs, self.jobs, "jobs"),
            (size, self.bytes, "bytes"),
        ):
            if value > most:
                raise OverQuota(
                    f"this would be {value} {what} of yours, {most} are allowed; fetch and delete "
                    "what is done, or try again later."
                )
