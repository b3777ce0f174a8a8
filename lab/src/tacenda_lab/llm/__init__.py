"""A language model as attacker, judge and editor: any endpoint that speaks OpenAI's chat completions.

endpoint    the client: where text may go, formats of answers, budget, cost
questions   what is asked, and answers checked
judge       documents to judgments, and the model as an attacker
editor      sanitized sentences to sentences that read better
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tacenda.background.people import People
from tacenda.reidentify.attackers.base import Attacker

from .editor import LanguageModelEditor
from .endpoint import Budget, Endpoint
from .judge import JudgingModel

__all__ = ["Budget", "JudgingModel", "LanguageModelEditor"]


def open_model(
    url: str,
    people: People,
    attackers: Sequence[Attacker],
    *,
    model: str = "",
    allow_network: bool = False,
    requests: int | None = None,
    tokens: int | None = None,
    timeout: float = 120.0,
    candidates: int = 20,
    environment: Mapping[str, str] | None = None,
) -> JudgingModel:
    """Return a language model as a judge, and an attacker.

    It is sent the documents and the profiles of the candidates. The user has to allow that unless
    the endpoint is on this machine.

    Args:
        url: address of the endpoint, such as ``http://localhost:8000/v1``.
        people: the background knowledge.
        attackers: attackers that choose the candidates.
        model: name of the model; may be empty if the endpoint has only one.
        allow_network: whether the user allows an endpoint that isn't on this machine.
        requests: most requests to send, or None for no limit.
        tokens: most tokens to read and write together, or None for no limit.
        timeout: seconds to wait for an answer.
        candidates: number of people to choose among.
        environment: variables with the key (``TACENDA_LLM_KEY``); by default the process's
            environment.

    Raises:
        PolicyError: if the endpoint is not allowed, is not an address, or the key can't be sent.
        ServiceError: if the model has to be named, or the endpoint doesn't answer.
    """
    endpoint = Endpoint.open(
        url, model, allow_network, Budget(requests, tokens), timeout, environment
    )
    return JudgingModel(endpoint, people, attackers, candidates)


def open_editor(
    url: str,
    *,
    model: str = "",
    allow_network: bool = False,
    requests: int | None = None,
    tokens: int | None = None,
    timeout: float = 120.0,
    environment: Mapping[str, str] | None = None,
) -> LanguageModelEditor:
    """Return a language model as an editor of sanitized sentences.

    It is sent sanitized sentences one by one, and never an original. Arguments and errors are those
    of ``open_model``.
    """
    endpoint = Endpoint.open(
        url, model, allow_network, Budget(requests, tokens), timeout, environment
    )
    return LanguageModelEditor(endpoint)
