"""Web search engines as back ends. They use the standard library only, and are off unless allowed.

engines     ``open_engine``: by name, keys from the environment, the switch to allow it
searxng, brave, google      one adapter each
cache       answers on disk, under hashed names
wording, paging, addresses  queries out, results in
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tacenda.atomic import write_atomically
from tacenda.background.documents import DocumentHit, Query, SearchBackend
from tacenda.errors import InputError, PolicyError, SearchError

from ..json_client import JsonClient, required_variable

# Addresses of pages, normalized so that the same page has the same address.


_TRACKING = ("utm_", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid")


def normalize_url(url: str) -> str:
    """Return ``url`` without scheme, ``www.``, fragment, tracking parameters and trailing slash.

    A URL that can't be parsed is returned unchanged.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url
    if not host:
        return url
    query = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not name.lower().startswith(_TRACKING)
    ]
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    return place + parts.path.rstrip("/") + (f"?{urlencode(query)}" if query else "")


# Combining pages of results into one list of hits, for all engines.


def ranked_hits(pages: Iterable[Sequence[str]], count: int) -> list[DocumentHit]:
    """Return up to ``count`` hits. A page is fetched only if the ones before had too few.

    Args:
        pages: the addresses on each page of results, in order; an empty page is the last.
        count: number of hits, at most.
    """
    ranking: dict[str, None] = {}
    for page in pages:
        before = len(ranking)
        ranking.update(dict.fromkeys(map(normalize_url, page)))
        # Some engines repeat their last page forever.
        if len(ranking) >= count or len(ranking) == before:
            break
    return [DocumentHit(address, 1 / rank) for rank, address in enumerate(list(ranking)[:count], 1)]


def addresses(results: Any, field: str, engine: str) -> list[str]:
    """Return ``field`` of each result.

    Raises:
        SearchError: if a result has no such string.
    """
    if not isinstance(results, list):
        raise SearchError(f"{engine}: the results are not a list; its format may have changed.")
    urls: list[str] = []
    for result in results:
        address = result.get(field) if isinstance(result, dict) else None
        if not isinstance(address, str):
            raise SearchError(f"{engine}: a result has no {field!r}; its format may have changed.")
        urls.append(address)
    return urls


# A query in the syntax of search engines: phrases in quotes, OR between the strings of a part.


def query_text(query: Query, most_words: int, most_characters: int) -> str:
    """Return the query within an engine's limits, with only one string per part if it is too long.

    Raises:
        SearchError: if it is still too long.
    """
    full = " ".join(_group(part) for part in query.parts)
    short = " ".join(_quoted(part[0]) for part in query.parts)
    for text in (full, short):
        if len(text.split()) <= most_words and len(text) <= most_characters:
            return text
    raise SearchError(
        f"the query has {len(short.split())} words and {len(short)} characters, more than the "
        f"{most_words} and {most_characters} that the engine takes."
    )


def _group(part: tuple[str, ...]) -> str:
    phrases = " OR ".join(map(_quoted, part))
    return f"({phrases})" if len(part) > 1 else phrases


def _quoted(string: str) -> str:
    return '"' + " ".join(string.replace('"', " ").split()) + '"'


# Google: the Custom Search JSON API, version 1; at most a hundred results per query.
#
# Google no longer accepts new customers for it, and has announced its end for January 2027.


GOOGLE_URL = "https://www.googleapis.com"
_GOOGLE_PAGE = 10
_MOST = 100


class Google:
    """Search with a programmable search engine of Google.

    Args:
        client: the HTTP client.
        key: the API key.
        engine: the engine's id (``cx``).
        base: address of the service.
    """

    name = "Google Custom Search"
    exhaustive = False

    def __init__(self, client: JsonClient, key: str, engine: str, base: str = GOOGLE_URL) -> None:
        self._client = client
        # Sent in a header, so that the key is in no log of URLs.
        self._headers = {"X-Goog-Api-Key": key}
        self._engine = engine
        self._url = base.rstrip("/") + "/customsearch/v1"

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return ranked_hits(self._pages(query_text(query, 32, 2_000), count), min(count, _MOST))

    def _pages(self, words: str, count: int) -> Iterator[list[str]]:
        for start in range(1, _MOST, _GOOGLE_PAGE):
            size = min(_GOOGLE_PAGE, max(1, count - start + 1))
            parameters = {"cx": self._engine, "q": words, "num": size, "start": start}
            answer = self._client.fetch(f"{self._url}?{urlencode(parameters)}", self._headers)
            queries = answer.get("queries")
            if answer.get("kind") != "customsearch#search" or not isinstance(queries, dict):
                raise SearchError(f"{self.name}: not a valid answer to a search.")
            # Without any result there are no `items`.
            yield addresses(answer.get("items", []), "link", self.name)
            if not queries.get("nextPage"):
                return


# Brave Search: its Web Search API, version 1.


BRAVE_URL = "https://api.search.brave.com"
_BRAVE_PAGE = 20
_MOST_PAGES = 10


class Brave:
    """Search with Brave Search.

    Args:
        client: the HTTP client.
        key: the subscription token.
        base: address of the service.
    """

    name = "Brave Search"
    exhaustive = False

    def __init__(self, client: JsonClient, key: str, base: str = BRAVE_URL) -> None:
        self._client = client
        self._headers = {"X-Subscription-Token": key}
        self._url = base.rstrip("/") + "/res/v1/web/search"

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return ranked_hits(self._pages(query_text(query, 50, 400), min(count, _BRAVE_PAGE)), count)

    def _pages(self, words: str, size: int) -> Iterator[list[str]]:
        for offset in range(_MOST_PAGES):
            parameters = {"q": words, "count": size, "offset": offset, "result_filter": "web"}
            answer = self._client.fetch(f"{self._url}?{urlencode(parameters)}", self._headers)
            web, query = answer.get("web"), answer.get("query")
            if answer.get("type") != "search" or not isinstance(web, dict | None):
                raise SearchError(f"{self.name}: not a valid answer to a search.")
            # Without any result there is no `web` at all.
            yield addresses(web.get("results"), "url", self.name) if web else []
            if not isinstance(query, dict) or query.get("more_results_available") is not True:
                return


# SearXNG, a search engine you can host yourself: its JSON format (Search API of its documentation).
#
# ``search.formats`` in its ``settings.yml`` must list ``json``; otherwise it answers with status
# 403.


class SearxNG:
    """Search with an instance of SearXNG.

    Args:
        client: the HTTP client.
        base: address of the instance.
    """

    name = "SearXNG"
    exhaustive = False

    def __init__(self, client: JsonClient, base: str) -> None:
        self._client = client
        self._url = base.rstrip("/") + "/search"

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return ranked_hits(self._pages(query_text(query, 100, 2_000)), count)

    def _pages(self, words: str) -> Iterator[list[str]]:
        for number in range(1, _MOST_PAGES + 1):
            # Sent by POST, so that the query is in no server's log of URLs.
            form = urlencode({"q": words, "format": "json", "pageno": number}).encode()
            answer = self._client.fetch(self._url, form=form)
            page = addresses(answer.get("results"), "url", self.name)
            silent = answer.get("unresponsive_engines") or ()
            if number == 1 and not page and silent:
                # No results, but no engine searched either, so this isn't an answer.
                raise SearchError(f"{self.name}: {len(silent)} of its engines did not respond.")
            yield page


# The engines by name, their keys in the environment, and the switch that allows them.
#
# | engine | environment |
# |---|---|
# | ``searxng`` | ``TACENDA_SEARXNG_URL``: address of the instance |
# | ``brave`` | ``TACENDA_BRAVE_KEY`` |
# | ``google`` | ``TACENDA_GOOGLE_KEY``, ``TACENDA_GOOGLE_ENGINE`` (the id, ``cx``) |


ENGINES = ("searxng", "brave", "google")
_SECONDS_BETWEEN_REQUESTS = 1.1


def open_engine(
    name: str, *, allow_network: bool = False, environment: Mapping[str, str] | None = None
) -> SearchBackend:
    """Return a search engine as a back end.

    A search sends strings of the document and the name of the person to protect to a third party,
    so the user has to allow it explicitly.

    Args:
        name: one of ``ENGINES``.
        allow_network: whether the user allows it.
        environment: variables with the keys; by default the process's environment.

    Raises:
        PolicyError: if it isn't allowed, isn't known, or has no key.
    """
    if name not in ENGINES:
        raise PolicyError(f"unknown search engine {name!r}; choose one of {', '.join(ENGINES)}.")
    if not allow_network:
        raise PolicyError(
            f"search engine {name!r} would be sent strings of the document and the names of the "
            "person to protect; allow it with --allow-network (allow_network=True), or search an "
            "index of your own with --background."
        )
    values = os.environ if environment is None else environment
    if name == "searxng":
        base = required_variable(values, "TACENDA_SEARXNG_URL", "the address of an instance")
        if urlsplit(base).scheme not in ("http", "https"):
            raise PolicyError("TACENDA_SEARXNG_URL must begin with http:// or https://.")
        remedy = "look at TACENDA_SEARXNG_URL, and list json in search.formats of its settings.yml"
        return SearxNG(
            JsonClient(SearxNG.name, remedy, _SECONDS_BETWEEN_REQUESTS, SearchError), base
        )
    if name == "brave":
        key = required_variable(values, "TACENDA_BRAVE_KEY", "a subscription token")
        remedy = "look at TACENDA_BRAVE_KEY and its quota"
        return Brave(JsonClient(Brave.name, remedy, _SECONDS_BETWEEN_REQUESTS, SearchError), key)
    key = required_variable(values, "TACENDA_GOOGLE_KEY", "an API key")
    engine = required_variable(
        values, "TACENDA_GOOGLE_ENGINE", "the id of a programmable search engine (cx)"
    )
    remedy = "look at TACENDA_GOOGLE_KEY, TACENDA_GOOGLE_ENGINE and their quota"
    return Google(
        JsonClient(Google.name, remedy, _SECONDS_BETWEEN_REQUESTS, SearchError), key, engine
    )


# Answers of a back end on disk, so that each query is paid for only once.
#
# A file is named by a keyed hash (HMAC-SHA256) of its query; the key lies beside it. It holds
# addresses and scores, but nothing of the query. Only the user can enter the folder (0700).


_DAY = 86_400.0


class CachedBackend:
    """A back end with a cache of answers in a folder.

    Args:
        backend: source of new answers.
        folder: created if missing.
        days: how long an answer is valid.
        clock: seconds since 1970.

    Raises:
        InputError: if the folder can't be used, or is open to other users.
    """

    def __init__(
        self,
        backend: SearchBackend,
        folder: str | Path,
        days: float = 30.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = backend.name
        self.exhaustive = backend.exhaustive
        self._backend = backend
        self._folder = Path(folder)
        self._seconds = days * _DAY
        self._clock = clock
        self._key = _key_of(self._folder)

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return the cached answer, or ask the back end; see ``SearchBackend``."""
        file = self._folder / f"{self._name(query, count)}.json"
        hits = self._read(file)
        if hits is None:
            hits = self._backend.search(query, count)
            self._write(file, hits)
        return hits

    def _name(self, query: Query, count: int) -> str:
        question = json.dumps([self.name, count, query.parts]).encode()
        return hmac.new(self._key, question, "sha256").hexdigest()

    def _read(self, file: Path) -> list[DocumentHit] | None:
        try:
            content = json.loads(file.read_bytes())
            if self._clock() - float(content["asked"]) > self._seconds:
                return None
            return [DocumentHit(str(address), float(score)) for address, score in content["hits"]]
        except (OSError, ValueError, KeyError, TypeError):
            # If it is missing, or cut off by a crash, ask again.
            return None

    def _write(self, file: Path, hits: list[DocumentHit]) -> None:
        content = {"asked": self._clock(), "hits": [[hit.address, hit.score] for hit in hits]}
        try:
            _write_private(file, json.dumps(content).encode())
        except OSError as error:
            raise _unusable(self._folder, error) from None


def _key_of(folder: Path) -> bytes:
    file = folder / "key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            raise InputError("others can enter the cache; run chmod 700 on it.", str(folder))
        if not file.exists():
            _write_private(file, secrets.token_bytes(32))
        return file.read_bytes()
    except OSError as error:
        raise _unusable(folder, error) from None


def _write_private(file: Path, content: bytes) -> None:
    write_atomically(file, content, private=True)


def _unusable(folder: Path, error: OSError) -> InputError:
    reason = error.strerror or type(error).__name__
    return InputError(f"can't be used as a cache: {reason}; choose another folder.", str(folder))


def open_backend(name: str, allow_network: bool, cache: Path | None) -> SearchBackend:
    """Return a search engine, with its answers cached on disk if a folder is given."""
    engine = open_engine(name, allow_network=allow_network)
    return engine if cache is None else CachedBackend(engine, cache.expanduser())
