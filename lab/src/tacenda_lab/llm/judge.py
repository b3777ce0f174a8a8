"""A language model as a judge of documents, and as an attacker that ranks people.

The attackers of a store choose as many candidates as fit in a prompt, by combining their ranks
(reciprocal rank fusion: Cormack, Clarke and Büttcher, 2009). The model sees the candidates in an
order that gives nothing away, so a model that always names the first one does no better than
chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacenda.background.people import People
from tacenda.background.profiles import linearize
from tacenda.document import Span
from tacenda.reidentify.anonymize.units import redact
from tacenda.reidentify.attackers.base import Attacker, Ranking, log_sum
from tacenda.reidentify.judge import (
    ATTRIBUTES,
    AttributeGuess,
    Cost,
    Identity,
    Inference,
    Judgment,
    Silence,
    locate,
)
from tacenda.reidentify.tokens import TokenizedDocument

from .endpoint import Endpoint, EndpointQuestion
from .questions import (
    AnswerChoice,
    TextGuess,
    identity_of,
    identity_question,
    inference_of,
    inference_question,
    reminded,
)

_FUSION: Final = 60
"""k of reciprocal rank fusion, as its authors chose it."""
_SECOND_TEMPERATURE: Final = 0.5
"""Temperature for a repeated question: at 0 it would get the same answer."""
_LONGEST_PROFILE: Final = 600
"""In characters."""
_Answer = TypeVar("_Answer", AnswerChoice, dict[str, TextGuess])


class JudgingModel:
    """A language model that identifies the subject of a document; see ``Judge`` and ``Attacker``.

    Answers are cached by text and candidates, so nothing is asked twice.

    Args:
        endpoint: of the model.
        people: the background knowledge.
        attackers: attackers that choose the candidates, at least one.
        n_candidates: number of candidates.
    """

    name = "llm"
    family = "llm"

    def __init__(
        self,
        endpoint: Endpoint,
        people: People,
        attackers: Sequence[Attacker],
        n_candidates: int = 20,
    ) -> None:
        self._endpoint = endpoint
        self._people = people
        self._attackers = tuple(attackers)
        self._n_candidates = min(n_candidates, len(people))
        self.n_people = len(people)
        self._identities: dict[tuple[str, tuple[int, ...]], Identity | Silence] = {}
        self._inferences: dict[str, Inference | Silence] = {}

    @property
    def cost(self) -> Cost:
        """Usage so far."""
        return self._endpoint.cost

    def judge(
        self, document: TokenizedDocument, mask: NDArray[np.bool_], person: int | None = None
    ) -> Judgment:
        """Return the model's judgment of a document with a mask, [words]; see ``Judge``."""
        release = _Release(document, mask)
        order = self._order(document, mask)
        return Judgment(self._identity(release, order, person), self._inference(release))

    def rank(self, document: TokenizedDocument) -> Ranking:
        """Return the people with their probabilities."""
        return Ranking(self.scores(document, document.unmasked()[None, :])[0])

    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant per variant, [variants, people], with one request per variant.

        Candidates are in the model's order. Everyone else, or everyone if the model is silent, is
        in the attackers' order, since silence doesn't mean "not found".
        """
        return np.array([self._scores(document, mask) for mask in masks])

    def _scores(self, document: TokenizedDocument, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        order = self._order(document, mask)
        scores = np.empty(self.n_people)
        scores[order] = -np.log(np.arange(1.0, self.n_people + 1))
        identity = self._identity(_Release(document, mask), order, None)
        if isinstance(identity, Silence):
            return scores
        # Each candidate named is half as likely as the one before. Candidates not named are equally
        # likely, and likelier than everyone else.
        scores -= log_sum(scores) + (len(identity.candidates) + 1) * np.log(2)
        scores[list(identity.candidates)] = -(len(identity.ranking) + 1) * np.log(2)
        for place, person in enumerate(identity.ranking):
            scores[person] = -place * np.log(2)
        return scores

    def _order(self, document: TokenizedDocument, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return everyone by the combined ranks of all attackers, the likeliest first, [people]."""
        fused = np.zeros(self.n_people)
        for attacker in self._attackers:
            order = np.argsort(-attacker.scores(document, mask[None, :])[0], kind="stable")
            fused[order] += 1 / (_FUSION + 1 + np.arange(self.n_people))
        return np.argsort(-fused, kind="stable")

    def _identity(
        self, release: _Release, order: NDArray[np.intp], person: int | None
    ) -> Identity | Silence:
        candidates = [int(n) for n in order[: self._n_candidates]]
        if person is not None and person not in candidates:
            candidates[-1] = person
        people = tuple(sorted(candidates, key=lambda n: _digest(release.text, str(n))))
        key = release.text, people
        if key not in self._identities:
            self._identities[key] = self._ask_identity(release, people)
        return self._identities[key]

    def _ask_identity(self, release: _Release, people: tuple[int, ...]) -> Identity | Silence:
        labels = {f"c{place}": person for place, person in enumerate(people, 1)}
        profiles = {
            label: linearize(self._people.person(person))[:_LONGEST_PROFILE]
            for label, person in labels.items()
        }
        question = identity_question(release.text, profiles)
        choice = self._answer(question, lambda text: identity_of(text, tuple(labels)))
        if isinstance(choice, Silence):
            self._endpoint.count(choice)
            return choice
        evidence, dropped = release.located(choice.quotes)
        self._endpoint.count(None, dropped)
        ranking = tuple(labels[label] for label in choice.labels)
        return Identity(people, ranking, choice.confidence, evidence)

    def _inference(self, release: _Release) -> Inference | Silence:
        if release.text not in self._inferences:
            self._inferences[release.text] = self._ask_inference(release)
        return self._inferences[release.text]

    def _ask_inference(self, release: _Release) -> Inference | Silence:
        guesses = self._answer(inference_question(release.text), inference_of)
        if isinstance(guesses, Silence):
            self._endpoint.count(guesses)
            return guesses
        evidence = {name: release.located(guess.quotes) for name, guess in guesses.items()}
        self._endpoint.count(None, sum(dropped for _, dropped in evidence.values()))
        attributes = tuple(
            AttributeGuess(name, guesses[name].value, guesses[name].confidence, evidence[name][0])
            for name in ATTRIBUTES
            if name in guesses
        )
        if "name" not in guesses:
            return Inference(attributes)
        return Inference(attributes, guesses["name"].value, evidence["name"][0])

    def _answer(
        self, question: EndpointQuestion, parse: Callable[[str], _Answer | Silence]
    ) -> _Answer | Silence:
        """Return an answer in its form. If it isn't in that form, ask once more."""
        text = self._endpoint.ask(question)
        if isinstance(text, Silence):
            return text
        answer = parse(text)
        if answer is not Silence.UNREADABLE:
            return answer
        text = self._endpoint.ask(reminded(question, text), _SECOND_TEMPERATURE)
        return Silence.UNREADABLE if isinstance(text, Silence) else parse(text)


class _Release:
    """A document as readers of the release see it, with a mapping back to its spans."""

    def __init__(self, document: TokenizedDocument, mask: NDArray[np.bool_]) -> None:
        self._document = document
        self._words = redact(document, mask)
        self._kept = np.flatnonzero(~mask)
        self.text = self._words.document.text

    def located(self, quotes: Iterable[str]) -> tuple[tuple[Span, ...], int]:
        """Return the spans of the quotes in the document, and the number of quotes that aren't in it."""
        places = [locate(quote, self._words) for quote in quotes]
        spans = {span for one in places for words in one for span in self._originals(words)}
        ordered = sorted(spans, key=lambda span: (span.start, span.end))
        return tuple(ordered), sum(not one for one in places)

    def _originals(self, words: range) -> Iterator[Span]:
        """Yield where words of the release are in the document, leaving out masked words between them."""
        numbers = self._kept[words.start : words.stop]
        for run in np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1):
            yield Span(self._document.spans[run[0]].start, self._document.spans[run[-1]].end)


def _digest(text: str, item: str) -> bytes:
    return sha256(f"{item}\n{text}".encode("utf-8", "surrogatepass")).digest()
