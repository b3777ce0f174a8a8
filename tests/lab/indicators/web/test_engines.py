"""The adapters, against answers of the form that the real services give."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda.background.documents import Query
from tacenda.errors import PolicyError, SearchError
from tacenda_lab.indicators.web_search import Brave, Google, SearxNG, normalize_url, open_engine
from tests.lab.indicators.web.conftest import Waits
from tests.lab.indicators.web.server import Asked, Engine

QUERY = Query.of(("Galip Yalman",), ("PKK", "Workers' Party"))
WORDED = '"Galip Yalman" ("PKK" OR "Workers\' Party")'


def searxng(asked: Asked) -> Any:
    """Return a page of ten results; none after the second."""
    page = int(asked.parameters["pageno"])
    results = [
        {
            "url": f"https://example.org/{page}/{number}",
            "title": "A page",
            "content": "…",
            "engine": "duckduckgo",
            "parsed_url": ["https", "example.org", f"/{page}/{number}", "", "", ""],
            "template": "default.html",
            "engines": ["duckduckgo"],
            "positions": [number],
            "score": 1.0 / number,
            "category": "general",
        }
        for number in range(1, 11)
    ]
    return {
        "query": asked.parameters["q"],
        "number_of_results": 0,
        "results": results if page < 3 else [],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [["google", "CAPTCHA"]],
    }


def brave(asked: Asked) -> Any:
    """Return 20 results, then 5."""
    offset, count = int(asked.parameters["offset"]), int(asked.parameters["count"])
    found = range(min(count, 25 - 20 * offset))
    results = [
        {
            "title": "A page",
            "url": f"https://www.example.org/{offset}/{number}?utm_source=x",
            "is_source_local": False,
            "description": "…",
            "family_friendly": True,
            "type": "search_result",
            "meta_url": {"scheme": "https", "netloc": "example.org"},
        }
        for number in found
    ]
    return {
        "query": {
            "original": asked.parameters["q"],
            "is_navigational": False,
            "more_results_available": offset == 0,
        },
        "mixed": {"type": "mixed", "main": [], "top": [], "side": []},
        "type": "search",
        "web": {"type": "search", "results": results, "family_friendly": True},
    }


def google(asked: Asked) -> Any:
    """Return pages of ten up to result 23."""
    start, size = int(asked.parameters["start"]), int(asked.parameters["num"])
    items = [
        {
            "kind": "customsearch#result",
            "title": "A page",
            "link": f"http://example.org/{number}/#top",
            "displayLink": "example.org",
            "snippet": "…",
        }
        for number in range(start, min(start + size, 24))
    ]
    queries: dict[str, Any] = {"request": [{"startIndex": start, "count": len(items)}]}
    if start + size < 24:
        queries["nextPage"] = [{"startIndex": start + size}]
    return {
        "kind": "customsearch#search",
        "url": {"type": "application/json", "template": "https://…"},
        "queries": queries,
        "context": {"title": "everything"},
        "searchInformation": {"searchTime": 0.2, "totalResults": "23"},
        "items": items,
    }


def test_searxng_is_asked_by_form_page_by_page(engine: Engine, waits: Waits) -> None:
    """The query is in no address; pages end where one is empty."""
    engine.answer = searxng
    hits = SearxNG(waits.client(), engine.base + "/").search(QUERY, 50)
    assert [hit.address for hit in hits[:2]] == ["example.org/1/1", "example.org/1/2"]
    assert len(hits) == 20
    assert [asked.parameters["pageno"] for asked in engine.asked] == ["1", "2", "3"]
    first = engine.asked[0]
    assert (first.method, first.path) == ("POST", "/search")
    assert first.parameters["q"] == WORDED
    assert first.parameters["format"] == "json"


def test_searxng_that_asked_nobody_gave_no_answer(engine: Engine, waits: Waits) -> None:
    """No result while engines were unresponsive is not the same as nothing found."""
    engine.answer = lambda _: {"results": [], "unresponsive_engines": [["google", "timeout"]]}
    with pytest.raises(SearchError, match="1 of its engines did not respond"):
        SearxNG(waits.client(), engine.base).search(QUERY, 50)
    engine.answer = lambda _: {"results": [], "unresponsive_engines": []}
    assert SearxNG(waits.client(), engine.base).search(QUERY, 50) == []


def test_brave_gets_its_key_in_a_header(engine: Engine, waits: Waits) -> None:
    """Two pages of at most twenty, as it says that there are more."""
    engine.answer = brave
    hits = Brave(waits.client(), "geheim", engine.base).search(QUERY, 50)
    assert len(hits) == 25
    assert hits[0].address == "example.org/0/0"
    assert [asked.parameters["offset"] for asked in engine.asked] == ["0", "1"]
    assert engine.asked[0].path == "/res/v1/web/search"
    assert engine.asked[0].headers["x-subscription-token"] == "geheim"
    assert "geheim" not in engine.asked[0].parameters.values()


def test_brave_without_results_has_no_web(engine: Engine, waits: Waits) -> None:
    """Its answer then lacks the whole section."""
    engine.answer = lambda _: {
        "type": "search",
        "query": {"original": "x", "more_results_available": False},
    }
    assert Brave(waits.client(), "geheim", engine.base).search(QUERY, 50) == []


def test_brave_refuses_in_its_own_way(engine: Engine, waits: Waits) -> None:
    """Its rate limit is a 429 with an ErrorResponse."""
    error = {
        "type": "ErrorResponse",
        "error": {"id": "1", "status": 429, "detail": "…", "code": "RATE_LIMITED"},
    }
    engine.answer = lambda _: (429, error, {})
    with pytest.raises(SearchError, match="status 429"):
        Brave(waits.client(), "geheim", engine.base).search(QUERY, 50)


def test_google_is_asked_ten_at_a_time(engine: Engine, waits: Waits) -> None:
    """Its pages begin at 1, 11, 21; key in a header, engine in the address."""
    engine.answer = google
    hits = Google(waits.client(), "geheim", "engine-1", engine.base).search(QUERY, 50)
    assert len(hits) == 23
    assert hits[-1].address == "example.org/23"
    assert [asked.parameters["start"] for asked in engine.asked] == ["1", "11", "21"]
    first = engine.asked[0]
    assert first.path == "/customsearch/v1"
    assert first.parameters["cx"] == "engine-1"
    assert first.headers["x-goog-api-key"] == "geheim"


def test_google_asks_for_no_more_than_is_wanted(engine: Engine, waits: Waits) -> None:
    """Fifteen results are a page of ten and one of five."""
    engine.answer = google
    assert len(Google(waits.client(), "k", "e", engine.base).search(QUERY, 15)) == 15
    assert [asked.parameters["num"] for asked in engine.asked] == ["10", "5"]


def test_google_without_results_has_no_items(engine: Engine, waits: Waits) -> None:
    """Its answer then lacks the list."""
    engine.answer = lambda _: {
        "kind": "customsearch#search",
        "queries": {"request": [{}]},
        "searchInformation": {"totalResults": "0"},
    }
    assert Google(waits.client(), "k", "e", engine.base).search(QUERY, 50) == []


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"results": None, "type": "search", "web": [], "kind": "customsearch#search"},
        {"results": [{"title": "no address"}], "type": "search", "web": {"results": [1]}},
        {
            "results": [{"url": 3}],
            "type": "search",
            "query": {},
            "web": {"results": [{"url": None}]},
            "kind": "customsearch#search",
            "queries": {},
            "items": [{"link": 1}],
        },
    ],
)
def test_an_answer_of_another_form_is_no_answer(
    engine: Engine, waits: Waits, answer: dict[str, Any]
) -> None:
    """Nothing found must not be concluded from what was not understood."""
    engine.answer = lambda _: answer
    client = waits.client()
    for backend in (
        SearxNG(client, engine.base),
        Brave(client, "k", engine.base),
        Google(client, "k", "e", engine.base),
    ):
        with pytest.raises(SearchError):
            backend.search(QUERY, 50)


def test_a_query_too_long_for_the_engine_is_cut_to_one_string_each(
    engine: Engine, waits: Waits
) -> None:
    """Google takes 32 words: alternatives go first, then there is no answer."""
    engine.answer = google
    backend = Google(waits.client(), "k", "e", engine.base)
    backend.search(Query.of(("a b c " * 8, "d " * 20)), 10)
    assert engine.asked[0].parameters["q"].count('"') == 2
    with pytest.raises(SearchError, match="33 words"):
        backend.search(Query.of(("word " * 33,)), 10)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://www.Example.org/a/", "example.org/a"),
        ("http://example.org:80/a#b", "example.org/a"),
        ("https://example.org/a?utm_medium=x&id=3&gclid=4", "example.org/a?id=3"),
        ("https://example.org:8443/", "example.org:8443"),
        ("not an address", "not an address"),
        ("http://[broken", "http://[broken"),
    ],
)
def test_addresses_of_one_page_are_equal(url: str, address: str) -> None:
    """Scheme, www, fragment, tracking and the last slash don't count."""
    assert normalize_url(url) == address


def test_nothing_is_sent_unless_allowed() -> None:
    """The message says what would be sent and how to allow it."""
    with pytest.raises(PolicyError, match=r"strings of the document.*--allow-network"):
        open_engine("brave", environment={"TACENDA_BRAVE_KEY": "k"})


@pytest.mark.parametrize(
    ("name", "environment", "message"),
    [
        ("bing", {}, "choose one of searxng, brave, google"),
        ("brave", {}, "TACENDA_BRAVE_KEY is empty"),
        ("google", {"TACENDA_GOOGLE_KEY": "k"}, "TACENDA_GOOGLE_ENGINE is empty"),
        ("searxng", {"TACENDA_SEARXNG_URL": "file:///etc"}, "must begin with http"),
        ("brave", {"TACENDA_BRAVE_KEY": "k\nX: y"}, "contains characters not allowed in a header"),
    ],
)
def test_what_is_missing_is_named(name: str, environment: dict[str, str], message: str) -> None:
    """An engine without its keys is an error that names the variable, never its value."""
    with pytest.raises(PolicyError, match=message) as raised:
        open_engine(name, allow_network=True, environment=environment)
    assert "X: y" not in str(raised.value)


def test_allowed_engines_open() -> None:
    """With keys and permission there is a back end of that name."""
    environment = {
        "TACENDA_SEARXNG_URL": "http://localhost:8080",
        "TACENDA_BRAVE_KEY": "k",
        "TACENDA_GOOGLE_KEY": "k",
        "TACENDA_GOOGLE_ENGINE": "e",
    }
    names = [
        open_engine(name, allow_network=True, environment=environment).name
        for name in ("searxng", "brave", "google")
    ]
    assert names == ["SearXNG", "Brave Search", "Google Custom Search"]
