"""Names in their own script within an English text."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ivan Petrov (Russian: Иван Петров; born 1950) was a sailor", "Иван Петров"),
        ("Maung Aye (Burmese: မောင်အေး) was a teacher in a village", "မောင်အေး"),
        ("the painter Li Hua (李华) lived in the north of the country", "李华"),
        ("Eleni Pappa (Greek: Ελένη Παππά) is a singer from the islands", "Ελένη Παππά"),
        ("Yael Mor (Hebrew: יעל מור) won a medal for her country", "יעל מור"),
    ],
)
def test_a_name_in_its_own_script_is_one_mention(find, text, name):
    """From its first letter to its last, with the spaces inside."""
    assert find(text, "foreign_script") == [("foreign_script", name)]


@pytest.mark.parametrize(
    "text", ["at an angle α of 30 degrees", "a lens of 5 μm", "naïve café, Łódź, Dvořák"]
)
def test_signs_and_latin_letters_are_no_names(find, text):
    """A single letter is a sign; letters with marks are Latin."""
    assert find(text, "foreign_script") == []


def test_a_text_in_another_script_is_left_to_the_recognizer(find):
    """Where most words are in that script, they are words."""
    assert find("Иван Петров жил в деревне and so on", "foreign_script") == []
