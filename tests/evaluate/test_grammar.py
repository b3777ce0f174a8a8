"""Grammar errors at what is written: each rule with a sentence that breaks it and one that doesn't."""

from __future__ import annotations

import re

from tacenda.document import Span
from tacenda_lab.evaluation.grammar import grammar_errors
from tests.examples import for_each


def kinds(marked: str, original: str = "X") -> list[str]:
    """Return the kinds of errors of a text, with what was written between « and »."""
    text, written = "", []
    for part in re.split("(«[^»]*»)", marked):
        start = len(text)
        text += part.strip("«»")
        if part.startswith("«"):
            written.append((Span(start, len(text)), original))
    return sorted({error.kind for error in grammar_errors(text, written)})


@for_each(
    ("kind", "wrong", "right"),
    [
        ("article", "She met an «[teacher]» there.", "She met an «[artist]» there."),
        ("article", "He lives in «[city in Norway]».", "He lives in a «[city in Norway]»."),
        ("determiner", "He saw his «a [relative]».", "He saw his «[relative]»."),
        ("preposition", "Born in «[in the 1990s]».", "Born «[in the 1990s]»."),
        ("range", "From «[the 1990s]» to «[the 1990s]».", "From «[the 1990s]» to «[the 2000s]»."),
        ("range", "It ran between «[the 1990s]».", "It ran between «[the 1990s]» and May."),
        ("number", "They have two «[town]».", "They have two «[towns]»."),
        ("number", "He is another «[artists]».", "He is another «[artist]»."),
        ("number", "Here the «[artists]» was heard.", "Here the «[artists]» were heard."),
        ("capital", "He has left. «[a relative]» came.", "He has left. «[A relative]» came."),
        ("brackets", "They have («[X])» of it.", "They have («[X]») of it."),
        ("touching", "So «[PERSON 1]» «[PERSON 2]» said.", "So «[PERSON 1]», «[PERSON 2]» said."),
        ("touching", "So «***» «[dog]» said.", "So «[PERSON 1]» «[in the 1990s]» said."),
        ("doubled", "The court «[court]» said.", "The «[court]» said."),
    ],
)
def test_each_rule_is_broken_by_one_of_two(kind: str, wrong: str, right: str) -> None:
    """Only the wrong sentence has an error, and of the kind named."""
    original = "X)" if kind == "brackets" and ")»" in right else "X"
    assert kinds(wrong, original) == [kind]
    assert kinds(right, original) == []


def test_what_stood_there_before_is_not_blamed() -> None:
    """An error without a written word is the author's."""
    assert kinds("a apple in in a a «[town]» of the the North") == []


def test_a_noun_before_another_needs_no_plural() -> None:
    """Two town councils are several, and a lawyer of the 1990s is one."""
    assert kinds("two «[town]» councils met in «[the 1990s]».") == []
