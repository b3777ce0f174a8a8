"""The target's names, found in the text."""

from __future__ import annotations

import string

from hypothesis import assume, given
from hypothesis import strategies as st

from tacenda.detect.merge import merge
from tacenda.detect.target_mentions import target_mentions
from tacenda.document import Mention
from tacenda.shipped import shipped_words
from tacenda.text.place_codes import places_of
from tacenda.text.word_lists import NEVER, is_ordinary, word_list_of
from tests.examples import for_each


def mentions_of(text: str, *target: str) -> tuple[Mention, ...]:
    """Return the mentions of a target, those that overlap as one."""
    return merge(text, target_mentions(text, target))


@for_each(
    ("text", "found"),
    [
        ("saw Galip Yalman.", [("Galip Yalman", 1.0)]),
        ("saw galip yalman.", [("galip yalman", 1.0)]),
        ("saw GALİP YALMAN.", [("GALİP YALMAN", 1.0)]),
        ("YALMAN, Galip", [("YALMAN, Galip", 1.0)]),
        ("by Mr G. Yalman", [("G. Yalman", 1.0)]),
        ("by Mr Yalman's son", [("Yalman", 1.0)]),
        ("by A. Yalman", [("Yalman", 0.0)]),
        ("with Ayşe Yalman", [("Yalman", 0.0)]),
        ("with Mrs Yalman", [("Yalman", 0.0)]),
        ("then Galip said", [("Galip", 1.0)]),
        ("then Galip Demir said", []),
        ("a yalman tree", [("yalman", 1.0)]),
        ("the Yalmans' house", [("Yalmans", 1.0)]),
        ("#FreeGalipYalman now", [("FreeGalipYalman", 1.0)]),
        ("user_galip_yalman_id", [("galip_yalman", 1.0)]),
        ("see x.org://u/galip-yalman, there", [("x.org://u/galip-yalman", 1.0)]),
        ("by Yal-\n> man", [("Yal-", 1.0), ("man", 1.0)]),
        ("by %59alm%61n.", [("%59alm%61n", 1.0)]),
        ("by Y A L M A N.", [("Y A L M A N", 1.0)]),
        ("by G.Y. and G. Y.", [("G.Y.", 1.0), ("G. Y.", 1.0)]),
        ("U.G.Y. in GY-7, GY7; 20 GY or GY;DR", []),
        ("Best, GY", [("GY", 1.0)]),
        ("GY's wife (GY), GY/mk, GY.", [("GY", 1.0)] * 4),
        ("gy, Gy, AGY, GYM", []),
        ("Galip Yalman (GY). GY left", [("Galip Yalman", 1.0), ("GY", 1.0), ("GY", 1.0)]),
        ("by Yalman, G.", [("Yalman, G.", 1.0)]),
        ("Mr Jalman said", [("Jalman", 1.0)]),
        ("by Mr G. Ялман", [("G. Ялман", 1.0)]),
        ("ask @gyalman87", [("@gyalman87", 1.0)]),
        ("galip.yalman posted", [("galip.yalman", 1.0)]),
        ("user YalmanGalip", [("YalmanGalip", 1.0)]),
        ("yalman_61 wrote", [("yalman_61", 1.0)]),
        ("the galvanometer", []),
    ],
)
def test_names_are_found_with_what_belongs_to_them(
    text: str, found: list[tuple[str, float]]
) -> None:
    """Full name, surname, given name and initials; direct unless it names somebody else."""
    mentions = mentions_of(text, "Mr Galip Yalman")
    assert [(item.span.of(text), item.p_direct) for item in mentions] == found


_WORDS = sorted(
    word
    for word in {
        *NEVER,
        *word_list_of("usual_abbreviations"),
        *shipped_words("ordinary_words"),
        *(code for state in places_of("US").values() for code in state.codes),
    }
    if 2 <= len(word) <= 4 and word.isascii() and word.isalpha()
)


@given(st.sampled_from(_WORDS), st.sampled_from(("{}", "The {} said", "by {}, ({}) and {}'s")))
def test_initials_that_are_a_word_or_an_abbreviation_need_full_stops(
    word: str, sentence: str
) -> None:
    """``IT`` is no Ian Thomson, and ``AND`` is no Anna Nora Dahl, unless the text defines it; ``I.T.`` is."""
    letters = word.upper()
    target = " ".join(f"{letter}xobrin" for letter in letters)
    assert mentions_of(sentence.replace("{}", letters), target) == ()
    dotted = "by " + "".join(f"{letter}." for letter in letters)
    assert [item.span.of(dotted) for item in mentions_of(dotted, target)] == [dotted[3:]]


@given(st.text(string.ascii_uppercase, min_size=2, max_size=3))
def test_other_initials_are_found_in_capitals(letters: str) -> None:
    """Two or three letters that mean nothing else are the target's."""
    assume(letters.lower() not in _WORDS and not is_ordinary(letters.lower()))
    assume(not any(letters.lower() in places_of(country) for country in ("US", "CA", "AU")))
    target = " ".join(f"{letter}xobrin" for letter in letters)
    text = f"Yours, {letters}"
    assert [item.span.of(text) for item in mentions_of(text, target)] == [letters]


def test_every_name_is_masked_whoever_it_is() -> None:
    """A namesake's surname tells the target's, so it is masked too."""
    (found,) = mentions_of("Ayşe Yalman", "Galip Yalman")
    assert (found.p_mask, found.source, found.kind) == (1.0, "policy", "target")


def test_a_particle_alone_is_no_name() -> None:
    """The "van" of a name is not searched for."""
    text = "a van for van Beethoven"
    found = mentions_of(text, "Ludwig van Beethoven")
    assert [item.span.of(text) for item in found] == ["Beethoven"]


def test_a_target_that_is_no_name_is_found_whole() -> None:
    """What can't be taken apart is never dropped silently."""
    (found,) = mentions_of("He led Unit 731 there.", "unit 731")
    assert found.span.of("He led Unit 731 there.") == "Unit 731"


@for_each(
    ("target", "text", "found"),
    [
        ("Rose Yalman", "a rose for Rose, in rosewood", ["Rose"]),
        (
            "Ann Lee",
            "Annual fees: ann | Ann | anneal, AnnLeeCV, annlee87",
            ["Ann", "AnnLeeCV", "annlee87"],
        ),
        ("Ann Lee", "the Lees, lees, Ann87, the ANNS", ["Lees", "Ann87", "ANNS"]),
        ("Wei O", "O Wei | Mr O | Wei O. An O was here", ["O Wei", "O", "Wei O"]),
        ("Ljubica Ó", "Ljubica Ós and Ljubica Orr", ["Ljubica Ós"]),
        ("Li Wu", "by liwu, not liwux", ["liwu"]),
        ("王伟", "国王说王先生和伟 王来了", ["王先生", "伟 王"]),
        ("王 伟", "王伟来了", ["王伟"]),
        ("김민준", "김 씨와 민준이", ["김 씨", "민준"]),
        ("Jürgen Müller", "Mr Mueller | MULLER", ["Mueller", "MULLER"]),
        ("Mary Smith-Quigley", "Quigley", ["Quigley"]),
        ("Тарас Шевченко", "Шeвчeнкo", ["Шeвчeнкo"]),
    ],
)
def test_a_name_that_is_short_or_a_word_needs_more(
    target: str, text: str, found: list[str]
) -> None:
    """Short names are found by capitals, digits and neighbours, words with a capital only."""
    assert [item.span.of(text) for item in mentions_of(text, target)] == found
