"""Terms about people as a detector that a policy asks for."""

from __future__ import annotations

from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

TEXT = "He was a veterinary surgeon."


def test_terms_about_people_are_found_where_the_policy_asks() -> None:
    """Without a recognizer: an occupation is a mention if the gazetteer is on, else not."""
    plain = Policy(recognizer=False, threshold=0.1)
    assert Sanitizer(plain, None, 0.1).sanitize(TEXT).entities == ()
    asked = plain.with_changes(gazetteer=0.1)
    (found,) = Sanitizer(asked, None, 0.1).sanitize(TEXT).entities
    assert found.mentions[0].span.of(TEXT) == "veterinary surgeon"


def test_the_least_probability_is_that_of_the_policy() -> None:
    """A kind of term that is masked less often than asked for is left out."""
    sure = Policy(recognizer=False, threshold=0.1, gazetteer=0.99)
    assert Sanitizer(sure, None, 0.1).sanitize(TEXT).entities == ()
