"""The language of each part of a text, and what is masked in parts of other languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.errors import InputError
from tacenda.models.text_language import NAMES, foreign_parts
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tests.examples import for_each

ENGLISH = "She said that the meeting had been moved to the other building because of the noise."
BY_LANGUAGE = {
    "es": "La paciente refiere que desde hace tres días tiene mucho dolor en la pierna y no puede dormir.",
    "de": "Der Zeuge gab an, dass er das Fahrzeug zuletzt am Abend vor der Wohnung gesehen hatte.",
    "fr": "Je vous écris parce que je n'ai toujours pas reçu la réponse que vous aviez promise hier.",
    "pl": "Proszę o przesłanie dokumentów, które zostały wymienione w poprzednim liście do urzędu.",
    "tr": "Dün akşam toplantıya geç kaldığım için özür dilerim, yarın sabah tekrar görüşelim mi.",
    "zh": "把洋葱切成小块,锅里放油,小火慢慢炒到变软,然后加入盐和一点糖,再煮十分钟就可以了。",
    "ru": "Вчера вечером мы долго говорили о том, что было бы лучше переехать в другой город.",
    "uk": "Вчора ввечері ми довго говорили про те, що було б краще переїхати до іншого міста.",
    "el": "Χθες το βράδυ μιλήσαμε πολύ για το αν θα ήταν καλύτερο να φύγουμε από την πόλη.",
    "ar": "تحدثنا أمس طويلا عن أنه من الأفضل أن ننتقل إلى مدينة أخرى قبل نهاية هذا العام.",
    "ja": "玉ねぎを小さく切って、油をひいた鍋で柔らかくなるまで弱火でゆっくり炒めます。",
    "ko": "양파를 작게 썰어서 기름을 두른 냄비에 넣고 약한 불에서 천천히 볶아 주세요.",
}


@pytest.fixture(scope="module")
def patterns_only() -> Sanitizer:
    """A sanitizer without the recognizer."""
    return load(Policy(recognizer=False, threshold=0.2))


@for_each("code", BY_LANGUAGE)
def test_a_paragraph_in_another_language_is_told(code: str) -> None:
    """A paragraph between English ones has its language, and no character of the English ones."""
    text = f"{ENGLISH}\n\n{BY_LANGUAGE[code]}\n\n{ENGLISH}"
    (part,) = foreign_parts(text)
    assert (part.language, part.span.of(text)) == (code, BY_LANGUAGE[code])


@for_each(
    "text",
    [
        ENGLISH,
        "",
        "Ivan Petrov (Russian: Иван Петров) lives in the town with his two brothers.",
        "| José García | 12.03.1994 | Sevilla |\n| Jürgen Groß | 04.11.1987 | Köln |",
        "Maria da Silva, João dos Santos, Pedro de Oliveira, Ana das Neves, Rui da Costa",
        "fungiform papillae circumvallate papillae foliate papillae filiform papillae",
        "Metoprolol 25 mg po bid, lisinopril 10 mg po daily, atorvastatin 40 mg po qhs",
        "hola",
    ],
)
def test_names_terms_and_short_strings_have_no_language(text: str) -> None:
    """What is no running text of another language counts as English."""
    assert foreign_parts(text) == ()


@for_each("code", BY_LANGUAGE)
def test_a_language_that_is_read_is_not_foreign(code: str) -> None:
    """To a recognizer of another language English is foreign, and what has no language is not."""
    names = "| José García | 12.03.1994 | Sevilla |\n| Jürgen Groß | 04.11.1987 | Köln |"
    text = f"{names}\n\n{BY_LANGUAGE[code]}\n\n{ENGLISH}\n\n{ENGLISH}"
    (part,) = foreign_parts(text, frozenset({code}))
    assert part.language == "en"
    assert part.span.of(text).endswith(ENGLISH)
    assert foreign_parts(text, frozenset({code, "en"})) == ()


@for_each("code", BY_LANGUAGE)
def test_what_a_user_says_takes_the_place_of_the_guess(code: str) -> None:
    """In the parts that were taken for the language of the text; others keep theirs."""
    stated = "is" if code != "is" else "de"
    text = f"{BY_LANGUAGE[code]}\n\n{BY_LANGUAGE[code]}\n\n{ENGLISH}"
    (part,) = foreign_parts(text, frozenset({code, "en"}), stated)
    assert part.language == stated
    assert not part.span.of(text).endswith(ENGLISH)
    assert foreign_parts(text, frozenset({stated, "en"}), stated) == ()
    assert foreign_parts(text, stated=code) == foreign_parts(text)


def test_short_lines_of_one_language_are_read_together() -> None:
    """Lines too short to have a language have one in a row."""
    text = "Hola, ¿cómo estás?\nmuy bien, gracias\n¿y tu madre?\nya está en casa con nosotros\n"
    assert [part.language for part in foreign_parts(text)] == ["es"]


@given(
    st.lists(st.sampled_from([*BY_LANGUAGE.values(), ENGLISH, "\n", "\n\n", "the ", "Ж", "漢字"]))
)
def test_parts_are_in_order_within_the_text(strings: list[str]) -> None:
    """Parts never overlap and lie in the text."""
    text = "".join(strings)
    parts = foreign_parts(text)
    ends = [0, *(part.span.end for part in parts)]
    assert all(part.span.start >= end for part, end in zip(parts, ends, strict=False))
    assert ends[-1] <= len(text)


def test_a_text_in_another_script_stays_and_is_reported(patterns_only: Sanitizer) -> None:
    """A Russian paragraph in an English text isn't taken for a name, and the warning has its share."""
    text = f"{ENGLISH} {ENGLISH}\n\n{BY_LANGUAGE['ru']}"
    result = patterns_only.sanitize(text)
    assert result.text == text
    assert result.warnings[0].startswith("32 % of the text is in Russian: ")
    assert list(result.warnings) == result.to_dict()["warnings"]


def test_a_name_in_another_script_within_english_is_masked(patterns_only: Sanitizer) -> None:
    """One name is no language."""
    result = patterns_only.sanitize(f"{ENGLISH} His name is Иван Петров.")
    assert "Иван" not in result.text
    assert not result.warnings


@pytest.mark.parametrize("handling", ["warn", "patterns"])
def test_contacts_in_another_language_are_masked(handling: str) -> None:
    """Patterns read every language, whatever the policy says of languages."""
    policy = Policy.build(recognizer=False, threshold=0.2, languages=handling)
    text = f"{BY_LANGUAGE['es']} Escríbame a lucia.perez@example.org, por favor."
    result = load(policy).sanitize(text)
    assert "lucia" not in result.text
    assert "Spanish" in result.warnings[0]


def test_a_refused_language_is_an_error_without_the_text() -> None:
    """`refuse` names the document, the language and its share, and no word of the text."""
    sanitizer = load(Policy.build(recognizer=False, threshold=0.2, languages="refuse"))
    with pytest.raises(
        InputError, match=r"^letter: 100 % of the text is in German, which"
    ) as error:
        sanitizer.sanitize(BY_LANGUAGE["de"], id="letter")
    assert "Zeuge" not in str(error.value)
    assert sanitizer.sanitize(ENGLISH).text == ENGLISH


class _EveryWord:
    """A recognizer that takes each word for a trait of somebody, whatever its first letter."""

    languages = frozenset({"en"})

    def detect(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return a mention a word."""
        return [
            [
                Mention(
                    Span(*word.span()),
                    SemanticType.DEM,
                    0.9,
                    0.0,
                    MentionSource.NEURAL,
                    "every_word",
                )
                for word in re.finditer(r"\w+", document.text)
            ]
            for document in documents
        ]


@given(st.sampled_from(sorted(BY_LANGUAGE)))
def test_all_that_the_recognizer_finds_in_another_language_is_masked(code: str) -> None:
    """By `warn` what it finds there counts as elsewhere, by `patterns` nothing of it; both warn."""
    text = f"{ENGLISH}\n\n{BY_LANGUAGE[code]}"
    policy = Policy(operator="suppress", threshold=0.2)
    warned = Sanitizer(policy, _EveryWord(), 0.2).sanitize(text)
    assert not any(map(str.isalpha, warned.text))
    patterns = policy.with_changes(languages="patterns")
    spared = Sanitizer(patterns, _EveryWord(), 0.2).sanitize(text)
    assert spared.text.endswith(BY_LANGUAGE[code])
    assert "meeting" not in spared.text
    assert f"is in {NAMES[code]}: " in warned.warnings[0]
    assert f"is in {NAMES[code]}: " in spared.warnings[0]


def test_the_shipped_recognizer_masks_names_in_another_language() -> None:
    """By default what it finds there is masked, by `patterns` it isn't."""
    text = (
        "Pacient uvádí, že má již tři dny silné bolesti v noze a nemůže v noci spát. "
        "Doprovází ho bratr Karel Novák z Brna."
    )
    sanitizer = load(threads=1)
    assert "Novák" not in sanitizer.sanitize(text).text
    patterns = sanitizer.with_policy(Policy(languages="patterns"))
    assert "Novák" in patterns.sanitize(text).text


def test_a_short_heading_is_in_the_language_of_its_text() -> None:
    """By itself it has too few words to tell."""
    body = "\n\nvielen Dank für das Gespräch am Dienstag; wie vereinbart schreibe ich Ihnen, worum es geht, und was wir wissen."
    heading = "Mieterverein Ulm, z. Hd. der Leiterin, Ulm, den 3. Mai 2021, zu den Akten"
    assert foreign_parts(heading) == ()
    (part,) = foreign_parts(heading + body)
    assert part.span.start == 0
    assert part.language == "de"
