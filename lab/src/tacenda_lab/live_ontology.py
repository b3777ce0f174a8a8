"""Wikidata itself, for names unknown to the shipped ontology; only on explicit request.

Olstad et al., section 3.2.1: if linking fails, Wikidata is queried directly. Here the user has to
request it, since it sends strings of the document to a server: nothing in tacenda constructs a
`LiveWikidata` but ``tacenda models lookup --allow-network``. Answers are cached on disk, so a
string is sent once.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tacenda.atomic import write_atomically
from tacenda.document import SemanticType
from tacenda.errors import InputError
from tacenda.rewrite.generalize.candidates import Generalisation
from tacenda.rewrite.ontology.store import names_it
from tacenda.text.normal_form import name_key

ENDPOINT = "https://www.wikidata.org/w/api.php"
_AGENT = "tacenda (https://pypi.org/project/tacenda/)"
_PROPERTIES = ("P31", "P279", "P8225", "P361")
_STEPS = 4
_THINGS = 1e4
"""How many things fit the first class: Wikidata's interface does not count them."""
_NOT_THINGS = frozenset(
    ("human", "given name", "male given name", "female given name", "family name")
)


class LiveWikidata:
    """Client of Wikidata's interface for the classes of a named thing.

    Args:
        cache: folder for the answers; created if missing.
        endpoint: address of the interface.
        timeout: seconds to wait for an answer.
    """

    def __init__(self, cache: Path, endpoint: str = ENDPOINT, timeout: float = 10.0) -> None:
        self._cache = cache
        self._endpoint = endpoint
        self._timeout = timeout

    def lookup(
        self, text: str, type: SemanticType, context: str = ""
    ) -> tuple[Generalisation, ...]:
        """Return the classes of the first thing of that name, climbed by its first property.

        Args:
            text: the string to send.
            type: not used: the interface does not know it.
            context: not sent.

        Raises:
            InputError: if the server can't be reached or has an unexpected answer; the message does
                not have the text.
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

    def describes(self, text: str) -> bool:
        """Return False: what Wikidata has is things, not words."""
        del text
        return False

    def _climb(self, id: str, text: str) -> tuple[Generalisation, ...]:
        result: list[Generalisation] = []
        ids = {id}
        for step in range(_STEPS):
            above = self._above(id)
            if above is None or above in ids:
                break
            ids.add(above)
            id = above
            label = self._entity(id).get("labels", {}).get("en", {}).get("value", "")
            if label in _NOT_THINGS:
                return ()
            if label and not names_it(label, [text]):
                result.append(Generalisation(label, f"ontology:{id}", _THINGS * 10**step))
        return tuple(result)

    def _above(self, id: str) -> str | None:
        claims = self._entity(id).get("claims") or {}
        for property in _PROPERTIES:
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
        if path.exists():
            cached: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cached
        request = Request(f"{self._endpoint}?{query}", headers={"User-Agent": _AGENT})
        try:
            with urlopen(request, timeout=self._timeout) as response:
                answer: dict[str, Any] = json.load(response)
        except (URLError, TimeoutError, ValueError) as error:
            raise InputError(
                "no answer from Wikidata; do without --allow-network.", self._endpoint
            ) from error
        write_atomically(path, json.dumps(answer).encode("utf-8"))
        return answer
