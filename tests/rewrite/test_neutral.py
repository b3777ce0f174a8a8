"""Running text without sex and relationship: grammatical, true, beside masks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacenda
from tacenda.document import Span
from tacenda.errors import PolicyError
from tacenda.explain import explain
from tacenda.policy import Policy
from tacenda.rewrite.neutral import RELATIONSHIP, SEX, neutral_edits, telling_words
from tests.cli.test_sanitize import tacenda as command
from tests.cli.test_sanitize import write
from tests.examples import for_each

BOTH = (SEX, RELATIONSHIP)


def neutral(text: str, *aspects: str, taken: tuple[Span, ...] = ()) -> str:
    """Return a text with its neutral edits."""
    parts, position = [], 0
    for span, written in neutral_edits(text, aspects or (SEX,), taken):
        parts += [text[position : span.start], written]
        position = span.end
    return "".join((*parts, text[position:]))


@for_each(
    ("text", "written"),
    [
        ("She was born here and works as a nurse.", "They were born here and work as a nurse."),
        ("He lived in Ulm and was a smith.", "They lived in Ulm and were a smith."),
        ("He often sings, reads and goes home.", "They often sing, read and go home."),
        ("She likes cats and dogs.", "They like cats and dogs."),
        ("She said the boss is kind and has money.", "They said the boss is kind and has money."),
        ("SHE HAS A COLD.", "THEY HAVE A COLD."),
        ("She, however, wasn’t there.", "They, however, weren’t there."),
        ("He watches, tries and misses.", "They watch, try and miss."),
        ("Is she well? Where does he live?", "Are they well? Where do they live?"),
        ("Not only was she late.", "Not only were they late."),
        ("It was he who left.", "It was they who left."),
        ("She's been there; he's tired.", "They've been there; they're tired."),
        ("She said he'd go, and he’ll stay.", "They said they'd go, and they’ll stay."),
        ("I told her that her dog bit him.", "I told them that their dog bit them."),
        ("We saw her on Monday. Call her.", "We saw them on Monday. Call them."),
        ("It helped her find a friend of hers.", "It helped them find a friend of theirs."),
        ("The book is his. His is red.", "The book is theirs. Theirs is red."),
        ("He himself knows.", "They themself know."),
        ("Mrs Berg met Mr. Lund.", "Mx Berg met Mx. Lund."),
        ("You will miss Miss Berg.", "You will miss Mx Berg."),
        ("An actress met a male engineer.", "An actor met an engineer."),
        ("A heroine, an aunt, a policeman.", "A hero, a relative, a police officer."),
        ("The 54-year-old male. Sex: Female", "The 54-year-old person. Sex: [sex]"),
        ("my brother-in-law and his daughters", "my sibling-in-law and their children"),
        (
            "The widow's sons met little girls.",
            "The widowed person's children met little children.",
        ),
        ("That man met my woman.", "That person met my partner."),
        ("née Berg, her maiden name", "born Berg, their birth name"),
        ("My wife and I; his ex-husband.", "My spouse and I; their ex-spouse."),
    ],
)
def test_text_without_sex(text: str, written: str) -> None:
    """Pronouns with their verbs, titles, nouns, adjectives; the article that the new word needs."""
    assert neutral(text) == written


@for_each(
    "text",
    [
        "He or she may bring his or her child.",
        "Each s/he has it; his/hers.",
        "Men and women, brothers and sisters, a boy or a girl.",
        "Dear Sir or Madam, no man is an island.",
        "The Isle of Man; mother tongue; the sister company; a man-made lake.",
        "They were here, and it has rained.",
        "Oh man, I was late. Thanks, man! Boy, was that fun.",
        "We miss you. This is a mister.",
    ],
)
def test_what_names_both_sexes_or_no_person_stays(text: str) -> None:
    """Pairs, names and phrases tell nobody's sex."""
    assert neutral(text) == text


@for_each(
    ("text", "written"),
    [
        ("My husband's car and my wife.", "My relative's car and my relative."),
        ("Her ex-husband called.", "Their former relative called."),
        ("I live with my girlfriend.", "I live with my companion."),
        ("My partner, not my business partner.", "My companion, not my business partner."),
        ("She is married to a smith.", "They are related to a smith."),
        ("She is divorced; I am single.", "They are [status]; I am [status]."),
        ("He married Anna.", "They were with Anna."),
        ("After the divorce the widow left.", "After the [event] the person left."),
        ("Every single day. A Bachelor of Arts.", "Every single day. A Bachelor of Arts."),
    ],
)
def test_text_without_relationship(text: str, written: str) -> None:
    """Spouses are relatives, states are tags; kin stays."""
    assert neutral(text, *BOTH) == written


def test_sex_stays_where_only_relationship_is_wanted() -> None:
    """Each aspect is its own."""
    assert neutral("She and her husband left.", RELATIONSHIP) == "She and her relative left."


def test_masks_are_left_to_others() -> None:
    """A title before a mask goes, the mask is no word, and *her* before it is *their*."""
    text = "Mrs Berg saw her Volvo. She was in Ulm."
    taken = (Span(4, 8), Span(17, 22), Span(24, 27))
    assert neutral(text, taken=taken) == "Mx Berg saw their Volvo. She was in Ulm."


def test_no_edit_reaches_over_a_line() -> None:
    """An article and its noun on two lines are two edits."""
    text = "an\nactress, a\naunt; a male\nnurse, a\tfemale\tengineer"
    for span, _ in neutral_edits(text, BOTH):
        assert not set(span.of(text)) & set("\n\t")
    assert neutral("a\nmother and a\nwoman; an\nactress") == "a\nparent and a\nperson; an\nactor"
    assert neutral("It was a\nuncle.") == "It was a\nrelative."
    assert neutral("It was an\nuncle.") == "It was a\nrelative."


def test_words_without_a_neutral_form_are_found() -> None:
    """They are told by their places."""
    text = "She was pregnant; the nun was kind."
    assert [span.of(text) for span in telling_words(text)] == ["pregnant", "nun"]


@given(st.text("aehirs 'HS.,\n*-m", max_size=60))
def test_edits_are_in_order_apart_and_never_empty(text: str) -> None:
    """Whatever the text; and its white space stays."""
    end = 0
    for span, written in neutral_edits(text, BOTH):
        assert span.start >= end
        assert written.strip()
        end = span.end
    assert neutral(text, *BOTH).count("\n") == text.count("\n")


def test_long_runs_take_no_time() -> None:
    """Linear in the text."""
    for unit in (
        "she ",
        "her ",
        "he is and ",
        "she really ",
        "ex-wife ",
        "male ",
        "brother and ",
    ):
        assert neutral_edits(unit * 20_000, BOTH)


def sanitizer(**fields: object) -> tacenda.Sanitizer:
    """Return a sanitizer that masks what a rule says, and makes the rest neutral."""
    policy = Policy(
        recognizer=False, threshold=0.5, deny=[{"exact": "Berg", "type": "PERSON"}], **fields
    )
    return tacenda.load(policy)


TEXT = "Mrs Berg was late. She was pregnant, and her wife has a spouse."


def test_neutral_wording_stands_beside_masks() -> None:
    """Replacements give the original back; entities, risk and masks are those of the policy alone."""
    result = sanitizer(neutral=["sex"]).sanitize(TEXT)
    assert result.text == (
        "Mx [PERSON 1] was late. They were pregnant, and their spouse has a spouse."
    )
    plain = sanitizer().sanitize(TEXT)
    assert result.decisions == plain.decisions
    assert result.risk == plain.risk
    text = result.text
    for edit in reversed(result.replacements):
        assert text[edit.output_start : edit.output_end] == edit.text
        text = text[: edit.output_start] + edit.original.of(TEXT) + text[edit.output_end :]
    assert text == TEXT
    assert "5 passages of running text were made neutral" in explain(result)
    (warning,) = result.warnings
    assert "1 words tell a sex" in warning
    assert "pregnant" not in warning
    assert result.text[34:].startswith("pregnant")
    assert "at offsets 34 of" in warning


def test_a_masked_word_never_comes_back_as_a_neutral_one() -> None:
    """*Spouse* is masked in the text, so it isn't written for *wife* either."""
    policy = Policy(
        recognizer=False, threshold=0.5, neutral="sex", deny=[{"exact": "spouse", "type": "DEM"}]
    )
    result = tacenda.load(policy).sanitize(TEXT)
    assert "spouse" not in result.text
    assert not result.leaks
    assert result.text.count("[DETAIL ") == 2


def test_a_policy_wants_known_aspects() -> None:
    """One is a list of one; another word is a fault."""
    assert Policy(neutral="sex").neutral == ("sex",)
    with pytest.raises(PolicyError, match="neutral"):
        Policy(neutral=["age"])


def test_neutral_on_the_command_line(tmp_path: Path) -> None:
    """An option beside the operator; a mapping gives the original back."""
    path = write(tmp_path / "a.txt", "Anna Berg said her husband was late.\n")
    mapping = tmp_path / "mapping.jsonl"
    arguments = ("--operator", "tag", "--neutral", "sex", "--neutral", "relationship")
    run = command("sanitize", path, *arguments, "--mapping", str(mapping))
    assert run.returncode == 0, run.stderr
    assert run.stdout == b"[PERSON 1] said their relative was late.\n"
    masked = write(tmp_path / "b.txt", run.stdout.decode())
    back = command("restore", masked, "--mapping", str(mapping))
    assert back.stdout == b"Anna Berg said her husband was late.\n", back.stderr
