"""What Presidio's own tests of its REST interface ask of a server, in requests of our own.

    python -m benchmarks presidio_api                       # tacenda serve presidio
    python -m benchmarks presidio_api --address URL         # a running server, such as Presidio's own

Presidio 2.2.366 tests its services end to end: analysis, writing and decryption, and one after the other. The checks here ask the same
of other texts: statuses, words of errors, fields, entities and places. Exact scores and names of recognizers are Presidio's own, and are
not compared. Presidio divides its interface between two servers; ``--address`` takes one in front of both.
"""

from __future__ import annotations

import argparse
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.presidio_service import started

TEXT = "Maria Hopkins travels with passport number 483920174"
NAME, NUMBER = (0, 13), (43, 52)
ZIP_TEXT = f"{TEXT}. Zip code: 97205"
KEY = "3t6w9z$C&F)J@NcR"
NO_RECOGNIZER = "No matching recognizers were found to serve the request."
ZIP = {
    "name": "Zip codes",
    "supported_language": "en",
    "patterns": [{"name": "five digits", "regex": r"\b\d{5}\b", "score": 0.05}],
    "supported_entity": "ZIP",
}
FIELDS = {"entity_type", "start", "end", "score", "analysis_explanation"}
STARS = {"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True}
REPLACED = {"type": "replace", "new_value": "GONE"}

Answer = tuple[int, Any]
Ask = Callable[[str, Any], Answer]


@dataclass(frozen=True)
class Check:
    """A request and what its answer must be.

    Attributes:
        name: what is asked for.
        path: of the server.
        body: of a POST, as JSON or as it is; None for a GET.
        status: of the answer.
        error: words of the error; empty where none is expected.
        holds: whether an answer is right.
    """

    name: str
    path: str
    body: Any = None
    status: int = 200
    error: str = ""
    holds: Callable[[Any], bool] = field(default=lambda _: True)

    def passes(self, ask: Ask) -> bool:
        """Tell whether a server passes."""
        status, answer = ask(self.path, self.body)
        if status != self.status:
            return False
        return self.error in answer["error"] if self.error else self.holds(answer)


def found(answer: list[dict[str, Any]], *names: str) -> list[tuple[int, int]]:
    """Return the places of results of these entities, or of all."""
    return [
        (item["start"], item["end"]) for item in answer if not names or item["entity_type"] in names
    ]


def analysis(**wishes: Any) -> dict[str, Any]:
    """Return a request to analyze the text."""
    return {"text": TEXT, "language": "en", **wishes}


def writing(text: str, results: list[dict[str, Any]], **operators: Any) -> dict[str, Any]:
    """Return a request to write a text by operators for entities."""
    return {"text": text, "analyzer_results": results, "anonymizers": operators}


def result(start: int, end: int, name: str, score: float = 0.8) -> dict[str, Any]:
    """Return what an analyzer says of a place."""
    return {"start": start, "end": end, "entity_type": name, "score": score}


def both(answer: Any) -> bool:
    """Tell whether name and number were found."""
    return NAME in found(answer, "PERSON") and NUMBER in found(answer)


def deny(name: str, *words: str) -> dict[str, Any]:
    """Return a recognizer of words that comes with a request."""
    return {
        "name": name,
        "supported_language": "en",
        "deny_list": list(words),
        "supported_entity": name,
    }


def score_of_zip(answer: list[dict[str, Any]]) -> float:
    """Return the largest score of a zip code."""
    return max((item["score"] for item in answer if item["entity_type"] == "ZIP"), default=0.0)


_WRITTEN = "Call Otto Brandt on 0455 120 833"
_CALLED, _PHONE = result(5, 16, "PERSON"), result(20, 32, "PHONE_NUMBER", 0.95)
_SEALED = result(0, 11, "PERSON")
_CONTEXT = {**ZIP, "context": ["zip"]}
_BROKEN = {**ZIP, "patterns": [{"label": "five digits", "expression": r"\d{5}", "certainty": 1}]}

ANALYZER = (
    Check("finds a name and a number", "/analyze", analysis(), holds=both),
    Check("gives the fields", "/analyze", analysis(), holds=lambda a: set(a[0]) >= FIELDS),
    Check(
        "gives a text to each list",
        "/analyze",
        analysis(text=[TEXT, TEXT]),
        holds=lambda a: both(a[1]),
    ),
    Check(
        "gives nothing below a threshold",
        "/analyze",
        analysis(score_threshold=0.7),
        holds=lambda a: all(item["score"] >= 0.7 for item in a) and NAME in found(a),
    ),
    Check("needs a text", "/analyze", {}, 500, "No text provided"),
    Check(
        "needs a text beside a language", "/analyze", {"language": "en"}, 500, "No text provided"
    ),
    Check("needs a language", "/analyze", {"text": TEXT}, 500, "No language provided"),
    Check("refuses another language", "/analyze", analysis(language="zz"), 500, NO_RECOGNIZER),
    Check("takes a correlation id", "/analyze", analysis(correlation_id="17"), holds=both),
    Check("takes a trace", "/analyze", analysis(trace="1"), holds=both),
    Check("takes any trace", "/analyze", analysis(trace="yes please"), holds=both),
    Check(
        "explains nothing with 0",
        "/analyze",
        analysis(return_decision_process=0),
        holds=lambda a: all(item["analysis_explanation"] is None for item in a),
    ),
    Check(
        "explains with true",
        "/analyze",
        analysis(return_decision_process=True),
        holds=lambda a: all("score" in item["analysis_explanation"] for item in a),
    ),
    Check(
        "takes context",
        "/analyze",
        analysis(return_decision_process=True, context=["passport"]),
        holds=both,
    ),
    Check(
        "finds only what is asked for",
        "/analyze",
        analysis(entities=["PERSON"]),
        holds=lambda a: found(a) == [NAME],
    ),
    Check(
        "lists entities of a language",
        "/supportedentities?language=en",
        holds=lambda a: {"PERSON", "LOCATION", "EMAIL_ADDRESS", "US_SSN", "IBAN_CODE"} <= set(a),
    ),
    Check(
        "lists no entities of an unknown language",
        "/supportedentities?language=he",
        status=500,
        error=NO_RECOGNIZER,
    ),
    Check(
        "ignores unknown parameters", "/supportedentities?colour=red", holds=lambda a: "PERSON" in a
    ),
    Check("lists recognizers", "/recognizers?language=en", holds=lambda a: len(a) > 5),
    Check(
        "takes patterns of a request",
        "/analyze",
        analysis(text=ZIP_TEXT, ad_hoc_recognizers=[ZIP]),
        holds=lambda a: (64, 69) in found(a, "ZIP"),
    ),
    Check(
        "refuses patterns that are none",
        "/analyze",
        analysis(ad_hoc_recognizers=[_BROKEN]),
        400,
        "Failed to parse /analyze request",
    ),
    Check(
        "raises the score of a pattern by its context",
        "/analyze",
        analysis(text=ZIP_TEXT, ad_hoc_recognizers=[_CONTEXT]),
        holds=lambda a: score_of_zip(a) > 0.3,
    ),
    Check(
        "takes words of a request",
        "/analyze",
        analysis(text=f"Fr. {TEXT}", ad_hoc_recognizers=[deny("TITLE", "Fr.", "Br.")]),
        holds=lambda a: (0, 3) in found(a, "TITLE"),
    ),
    Check(
        "takes several recognizers of a request",
        "/analyze",
        analysis(text=ZIP_TEXT, ad_hoc_recognizers=[ZIP, deny("VERB", "travels")]),
        holds=lambda a: found(a, "VERB") == [(14, 21)] and (64, 69) in found(a, "ZIP"),
    ),
    Check(
        "keeps words of the allow list",
        "/analyze",
        analysis(allow_list=["Maria Hopkins"]),
        holds=lambda a: NAME not in found(a),
    ),
    Check(
        "keeps what an expression of the allow list matches",
        "/analyze",
        analysis(allow_list=["Hop[a-z]+"], allow_list_match="regex"),
        holds=lambda a: NAME not in found(a),
    ),
    Check(
        "reads lines apart",
        "/analyze",
        analysis(text="Maria Hopkins\nLeeds"),
        holds=lambda a: all(end <= 13 or start >= 14 for start, end in found(a)),
    ),
    Check(
        "answers an empty list to an innocent text",
        "/analyze",
        analysis(text="It rains."),
        holds=lambda a: a == [],
    ),
    Check("is up", "/health", holds=lambda a: "up" in str(a)),
)

ANONYMIZER = (
    Check(
        "writes by operators",
        "/anonymize",
        writing(_WRITTEN, [_CALLED, _PHONE], DEFAULT=REPLACED, PHONE_NUMBER=STARS),
        holds=lambda a: a["text"] == "Call GONE on 0455 120****",
    ),
    Check(
        "takes the longer of results in one place",
        "/anonymize",
        writing(
            _WRITTEN,
            [_CALLED, result(5, 9, "FIRST"), result(10, 16, "LAST", 0.6)],
            DEFAULT=REPLACED,
        ),
        holds=lambda a: a["text"] == "Call GONE on 0455 120 833",
    ),
    Check(
        "says what it wrote, from the end",
        "/anonymize",
        writing(_WRITTEN, [_CALLED, _PHONE], DEFAULT=REPLACED),
        holds=lambda a: (
            [item["start"] for item in a["items"]] == [13, 5]
            and {item["operator"] for item in a["items"]} == {"replace"}
        ),
    ),
    Check(
        "writes labels by default",
        "/anonymize",
        {"text": _WRITTEN, "analyzer_results": [_CALLED]},
        holds=lambda a: a["text"].startswith("Call <PERSON> on"),
    ),
    Check(
        "redacts",
        "/anonymize",
        writing(_WRITTEN, [_CALLED], PERSON={"type": "redact"}),
        holds=lambda a: a["text"].startswith("Call  on"),
    ),
    Check(
        "keeps",
        "/anonymize",
        writing(_WRITTEN, [_CALLED], PERSON={"type": "keep"}),
        holds=lambda a: a["text"] == _WRITTEN,
    ),
    Check(
        "hashes",
        "/anonymize",
        writing(_WRITTEN, [_CALLED], PERSON={"type": "hash", "hash_type": "sha256"}),
        holds=lambda a: len(a["text"]) > 64 and "Otto" not in a["text"],
    ),
    Check(
        "refuses places outside of the text",
        "/anonymize",
        writing("", [_CALLED], DEFAULT=REPLACED),
        422,
        "text length is only 0",
    ),
    Check(
        "leaves a text without results",
        "/anonymize",
        writing(_WRITTEN, [], DEFAULT=REPLACED),
        holds=lambda a: a["text"] == _WRITTEN,
    ),
    Check("refuses half a JSON", "/anonymize", b'{"text": "a",', 400),
    Check(
        "refuses an operator that isn't there",
        "/anonymize",
        writing(_WRITTEN, [_CALLED], DEFAULT={"type": "paint"}),
        422,
    ),
    Check(
        "lists operators",
        "/anonymizers",
        holds=lambda a: {"hash", "mask", "redact", "replace", "encrypt"} <= set(a),
    ),
    Check("lists operators back", "/deanonymizers", holds=lambda a: "decrypt" in a),
    Check(
        "refuses a key of another length",
        "/anonymize",
        writing(_WRITTEN, [_CALLED], DEFAULT={"type": "encrypt", "key": "short"}),
        422,
        "key must be of length 128, 192 or 256 bits",
    ),
    Check(
        "opens nothing without results",
        "/deanonymize",
        {"text": "abc", "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": KEY}}},
        422,
    ),
    Check("opens nothing of an empty request", "/deanonymize", {}, 400, "Invalid request json"),
)


def _flow(ask: Ask, operators: dict[str, Any], **wishes: Any) -> str:
    """Analyze the text, write what was found, and return it."""
    results = ask("/analyze", analysis(**wishes))[1]
    return str(ask("/anonymize", writing(TEXT, results, **operators))[1]["text"])


def opens_again(ask: Ask) -> bool:
    """What was encrypted comes back with the key."""
    sealing = {"DEFAULT": {"type": "encrypt", "key": KEY}}
    sealed = ask("/anonymize", writing("Otto Brandt", [_SEALED], **sealing))[1]
    opening = {"DEFAULT": {"type": "decrypt", "key": KEY}}
    wanted = {"text": sealed["text"], "anonymizer_results": sealed["items"]}
    opened = ask("/deanonymize", {**wanted, "deanonymizers": opening})[1]
    return "Otto" not in sealed["text"] and opened["text"] == "Otto Brandt"


FLOWS: dict[str, Callable[[Ask], bool]] = {
    "encrypts and opens": opens_again,
    "analyzes and writes": lambda ask: "Hopkins" not in _flow(ask, {"DEFAULT": REPLACED}),
    "analyzes and writes by entity": lambda ask: _flow(ask, {"PERSON": REPLACED}).startswith(
        "GONE travels"
    ),
    "writes what is above a threshold alone": lambda ask: (
        "GONE" in _flow(ask, {"PERSON": REPLACED}, score_threshold=0.7)
    ),
    "writes labels for entities without an operator": lambda ask: _flow(
        ask, {"COLOUR": REPLACED}
    ).startswith("<PERSON>"),
    "analyzes all entities that it lists": lambda ask: _flow(
        ask, {"DEFAULT": REPLACED}, entities=ask("/supportedentities?language=en", None)[1]
    ).startswith("GONE"),
}


def checks() -> dict[str, Callable[[Ask], bool]]:
    """Return all checks by name."""
    return {check.name: check.passes for check in (*ANALYZER, *ANONYMIZER)} | FLOWS


def failures(address: str) -> list[str]:
    """Return the names of the checks that a server fails."""

    def ask(path: str, body: Any) -> Answer:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{address}{path}", data, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, _read(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, _read(error.read())

    return [name for name, passes in checks().items() if not _passes(passes, ask)]


def _passes(passes: Callable[[Ask], bool], ask: Ask) -> bool:
    try:
        return passes(ask)
    except (KeyError, TypeError, IndexError, AttributeError):
        return False  # An answer of another form.


def _read(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode(errors="replace")


@contextmanager
def ours() -> Iterator[str]:
    """The address of ``tacenda serve presidio``."""
    with started([sys.executable, "-m", "tacenda", "serve", "presidio", "--port", "0"]) as place:
        yield f"http://{place}"


def main(parser: argparse.ArgumentParser) -> None:
    """Print what fails, and how many pass."""
    parser.add_argument("--address", help="of a running server")
    arguments = parser.parse_args()
    if arguments.address:
        failed = failures(arguments.address.rstrip("/"))
    else:
        with ours() as address:
            failed = failures(address)
    for name in failed:
        print(f"fails: {name}")
    print(f"{len(checks()) - len(failed)} of {len(checks())} pass")
