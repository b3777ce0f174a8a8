"""Terms of any length are searched for in one pass."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from tacenda.text.term_automaton import TermAutomaton


@given(
    st.lists(st.text("ab ", min_size=1, max_size=4)),
    st.text("ab ", max_size=40),
    st.integers(1, 400),
)
def test_what_is_found_is_what_find_finds(terms: list[str], text: str, factor: int) -> None:
    """Each occurrence of each term, be it longer than the automaton is deep or not."""
    values = {term * factor: number for number, term in enumerate(terms)}
    haystack = text * factor
    expected = {
        (start, start + len(term), value)
        for term, value in values.items()
        for start in range(len(haystack))
        if haystack.startswith(term, start)
    }
    found = list(TermAutomaton(values).iter(haystack))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_a_term_of_a_million_characters_is_only_a_term() -> None:
    """It takes no time to search for, and freeing it does not end the process."""
    script = (
        "from tacenda.text.term_automaton import TermAutomaton\n"
        "text = 'Anna Berg\\n' * 100_000\n"
        "terms = TermAutomaton({text: 1})\n"
        "print(len(list(terms.iter(text))))\n"
        "del terms\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"1\n")
