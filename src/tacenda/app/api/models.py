"""Validated request bodies."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...policy import Policy
from ...policy.rules import BuiltInOperator
from ...text.decoding import has_surrogate


class Request(BaseModel):
    """The base of all request bodies: an unknown field is an error and isn't ignored."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _is_unicode(cls, value: Any) -> Any:
        """Refuse unpaired surrogates anywhere: JSON can express them, but no text or answer can contain them."""
        if has_surrogate(value):
            raise ValueError("contains a lone surrogate; send valid Unicode")
        return value


class Wishes(Request):
    """Options that may differ from the server's policy."""

    threshold: float | None = Field(
        None, ge=0, le=1, description="Mask entities at or above this risk, regardless of type."
    )
    operator: BuiltInOperator | None = Field(None, description="Replacement text.")

    def policy(self, base: Policy) -> Policy:
        """Return the server's policy with these options.

        Raises:
            PolicyError: if the operator needs a key and the server's policy has none.
        """
        changes: dict[str, Any] = {}
        if self.threshold is not None:
            changes |= {"threshold": self.threshold, "thresholds": {}}
        if self.operator is not None:
            changes |= {"operator": self.operator, "operators": {}, "operators_for": ()}
        return base.with_changes(**changes) if changes else base


class Text(Request):
    """A document."""

    id: str = Field("text", min_length=1, max_length=500, description="Its name in the answer.")
    text: str = Field(description="The original.")
    target: list[str] = Field(default_factory=list, description="Names of the person to protect.")


class TextWithWishes(Text, Wishes):
    """A document, and options that may differ from the server's policy."""


class Job(Wishes):
    """Many documents to sanitize."""

    documents: list[Text] = Field(min_length=1, max_length=100_000)
    webhook: str = Field(
        "", max_length=2000, description="Address to notify when it is done; with TLS."
    )


class NewWebhook(Request):
    """A webhook to notify about a project's progress."""

    url: str = Field(min_length=1, max_length=2000, description="An address with TLS.")


class NewProject(Request):
    """Documents for people to review."""

    name: str = Field(min_length=1, max_length=200)
    documents: list[Text] = Field(min_length=1, max_length=100_000)
    same_tags: bool = Field(
        True, description="The same person has the same tag or made-up name in all documents."
    )


class Members(Request):
    """People who may work on a project in addition to its owner."""

    names: list[str] = Field(max_length=1000, description="Names of keys: of reviewers.")
    approvers: list[str] = Field(
        default_factory=list, max_length=1000, description="They approve and release too."
    )
    owners: list[str] = Field(
        default_factory=list, max_length=1000, description="They manage members and delete."
    )
    four_eyes: bool = Field(False, description="A second person approves each release.")


class Assignment(Request):
    """Documents and who should review them."""

    documents: list[str] = Field(max_length=100_000, description="Ids of documents.")
    assignee: str = Field("", max_length=100, description="Name of a key; empty for no one.")


class Approval(Request):
    """Approval or refusal of a document's release, for the revision that was read."""

    revision: int = Field(ge=0)
    approved: bool = True


class Evaluation(Request):
    """Gold annotations and what a system masked."""

    gold: list[dict[str, Any]] = Field(description="TAB standoff JSON.")
    masks: dict[str, list[list[int]]] = Field(description="{doc_id: [[start, end], …]}")
    split: str | None = Field(None, description="Count only the documents of this split.")
    bootstrap: int = Field(0, ge=0, le=10_000, description="Resamples for 95 % intervals.")


class SentChange(Request):
    """A change to a document, for the revision that was read."""

    revision: int = Field(ge=0)
    change: dict[str, Any] = Field(
        description='{"kind": …, "spans": [[start, end], …], "value": …, "option": …}'
    )
