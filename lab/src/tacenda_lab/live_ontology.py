"""Live queries to Wikidata, for names that the shipped ontology doesn't know; only on explicit request.

As in Olstad et al., section 3.2.1, Wikidata is queried directly if linking fails. Here the user has
to request it, since it sends strings of the document to a server: only ``tacenda models lookup
--allow-network``, and ``sanitize`` and ``review`` with ``--ask-wikidata --allow-network``, construct a
`LiveWikidata`. A string is sent alone, without its sentence. Answers are cached on disk, so each string
is sent only once, and requests are spaced.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from tacenda.atomic import write_atomically
from tacenda.document import SemanticType
from tacenda.errors import ServiceError
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Generalisation, contains, words
from tacenda.rewrite.ontology import KnowledgeBase, open_ontology
from tacenda.rewrite.ontology.store import names_it
from tacenda.text.normal_form import name_key

from .json_client import JsonClient

ENDPOINT = "https://www.wikidata.org/w/api.php"
_AGENT = "tacenda (https://pypi.org/project/tacenda/)"
PROPERTIES = ("P31", "P279", "P8225", "P361")
"""Instance of, subclass of, is metaclass for, part of; the first that an item has leads to its class."""
_SECONDS = 0.5
_RETRY_SECONDS = 60.0
"""How long nothing is asked after a request without an answer."""
_LONGEST = 80
_UNSENT = re.compile(r"\d\W?\d|@|://|\n")
"""Numbers and addresses, which may identify by themselves."""
_THINGS = 1e4
"""How many things fit the first class: Wikidata's interface does not count them."""
_NOT_THINGS = frozenset(
    ("human", "given name", "male given name", "female given name", "family name")
)


class LiveWikidata:
    """Client that asks Wikidata for the classes of a named thing.

    Called with a policy and names to protect, it returns the policy's ontology, extended by
    Wikidata for names that it doesn't know.

    Args:
        cache: folder for the answers; created if missing.
        endpoint: address of the interface.
        timeout: seconds to wait for an answer.
        seconds: least time between the starts of two requests.
        withheld: names of people to protect in every document.

    Attributes:
        asked: number of strings that its ontologies asked about, including cached answers.
        unanswered: number of strings without an answer because Wikidata couldn't be reached.
    """

    def __init__(
        self,
        cache: Path,
        endpoint: str = ENDPOINT,
        timeout: float = 10.0,
        seconds: float = _SECONDS,
        withheld: Sequence[str] = (),
    ) -> None:
        self._cache = cache
        self._endpoint = endpoint
        self._client = JsonClient(
            "Wikidata",
            "do without --ask-wikidata or --allow-network",
            seconds,
            attempts=1,
            timeout=timeout,
        )
        self._lock = Lock()
        self._withheld = tuple(withheld)
        self._silent_until = 0.0
        self.asked = self.unanswered = 0

    def __call__(self, policy: Policy, names: Sequence[str]) -> LiveOntology:
        """Return the ontology of a policy, which asks Wikidata about names that it doesn't know."""
        withheld = (*self._withheld, *policy.target, *names)
        return LiveOntology(open_ontology(policy.ontology), self, withheld)

    def lookup(
        self, text: str, type: SemanticType, context: str = ""
    ) -> tuple[Generalisation, ...]:
        """Return the classes of the first thing with that name, following the first property at each step.

        Args:
            text: the string to send.
            type: not used, since Wikidata has no such types.
            context: not sent.

        Raises:
            ServiceError: if the server can't be reached or gives an unexpected answer; the message
                doesn't contain the text.
        """
        del type, context
        reply = self._ask(action="wbsearchentities", search=text, language="en", limit="3")
        for hit in reply.get("search", ()):
            if name_key(hit.get("label", "")) != name_key(text) and "aliases" not in hit:
                continue
            classes = self._climb(hit["id"], text)
            if classes:
                return classes
        return ()

    def classes(self, text: str, type: SemanticType) -> tuple[Generalisation, ...]:
        """Return the classes of ``lookup``, or none if there is no answer; then nothing is asked for a while."""
        if time.monotonic() >= self._silent_until:
            try:
                found = self.lookup(text, type)
            except ServiceError:
                self._silent_until = time.monotonic() + _RETRY_SECONDS
            else:
                self.asked += 1
                return found
        self.unanswered += 1
        return ()

    def _climb(self, id: str, text: str) -> tuple[Generalisation, ...]:
        result: list[Generalisation] = []
        ids = {id}
        while (above := self._above(id)) is not None and above not in ids:
            ids.add(above)
            id = above
            label = self._entity(id).get("labels", {}).get("en", {}).get("value", "")
            if label in _NOT_THINGS:
                return ()
            if label and not names_it(label, [text]):
                result.append(Generalisation(label, f"ontology:{id}", _THINGS * 10 ** len(result)))
        return tuple(result)

    def _above(self, id: str) -> str | None:
        claims = self._entity(id).get("claims") or {}
        for property in PROPERTIES:
            for statement in claims.get(property, ()):
                value = statement.get("mainsnak", {}).get("datavalue", {}).get("value", {})
                if "id" in value:
                    return str(value["id"])
        return None

    def _entity(self, id: str) -> dict[str, Any]:
        answer = self._ask(action="wbgetentities", ids=id, props="claims|labels", languages="en")
        entity: dict[str, Any] = answer.get("entities", {}).get(id, {})
        return entity

    def _ask(self, **parameters: str) -> dict[str, Any]:
        query = urlencode({**parameters, "format": "json"})
        path = self._cache / f"{sha256(query.encode()).hexdigest()}.json"
        # One request at a time, to spare the public server and never send a string twice.
        with self._lock:
            return self._answer(path, query)

    def _answer(self, path: Path, query: str) -> dict[str, Any]:
        if path.exists():
            cached: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cached
        answer = self._client.fetch(f"{self._endpoint}?{query}", {"User-Agent": _AGENT})
        write_atomically(path, json.dumps(answer).encode("utf-8"))
        return answer


class LiveOntology:
    """Ontology that asks Wikidata about names that another ontology doesn't know.

    It never sends a string with a number, an address or a name of a person to protect, nor a long
    string.

    Args:
        knowledge: the other ontology.
        live: the client.
        withheld: names of the people to protect.
    """

    def __init__(
        self, knowledge: KnowledgeBase, live: LiveWikidata, withheld: Sequence[str] = ()
    ) -> None:
        self._knowledge = knowledge
        self._live = live
        self._withheld = {(word,) for name in withheld for word in words(name)}
        self.describes = knowledge.describes
        self.above = knowledge.above
        self.nouns = knowledge.nouns

    def lookup(
        self, text: str, type: SemanticType, context: str = ""
    ) -> tuple[Generalisation, ...]:
        """Return the classes of the other ontology, or Wikidata's if it only has those of the semantic type."""
        known = self._knowledge.lookup(text, type, context)
        if not self._may_send(text) or (known and self._is_linked(text, type, context)):
            return known
        return self._live.classes(text, type) or known

    def _is_linked(self, text: str, type: SemanticType, context: str) -> bool:
        link = self._knowledge.link(text, type, context)
        return link is not None and link.step != "type"

    def _may_send(self, text: str) -> bool:
        form = words(text)
        return (
            0 < len(text) <= _LONGEST
            and _UNSENT.search(text) is None
            and not any(contains(form, name) for name in self._withheld)
        )
