"""What is written reads as English, with and without brackets."""

from __future__ import annotations

import pytest

from tacenda.document import (
    Decision,
    Document,
    IdentifierType,
    LanguagePart,
    Option,
    SemanticType,
    Span,
)
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Generalisation
from tacenda.rewrite.generalize.grammar import realise
from tacenda.rewrite.generalize.nouns import article, is_plural, plural
from tacenda.rewrite.rewrite import rewrite
from tests.building import entity, mention, reason
from tests.examples import for_each

from .offering import written


@for_each(
    ("text", "string", "type", "expected"),
    [
        ("He was born on 12 March 1994.", "12 March 1994", "DATETIME", "He was born on a [date in the 1990s]."),
        ("He was born in March 1994.", "March 1994", "DATETIME", "He was born in [the 1990s]."),
        ("Ada (born 22 March 1991)", "22 March 1991", "DATETIME", "Ada (born [in the 1990s])"),
        ("Ada (22 March 1991 to now)", "22 March 1991", "DATETIME", "Ada ([the 1990s] to now)"),
        ("the 1994 election", "1994", "DATETIME", "the [1990s] election"),
        # Not "before the 1990s", which would not be true.
        ("It was before 1994.", "1994", "DATETIME", "It was before a [date in the 1990s]."),
        ("It was before 1994.", "before 1994", "DATETIME", "It was before a [date in the 1990s]."),
        ("It was in early 1998.", "1998", "DATETIME", "It was in [the 1990s]."),
        ("At the end of 1998.", "1998", "DATETIME", "At the end of a [year in the 1990s]."),
        ("In an order of 3 May 1994.", "3 May 1994", "DATETIME", "In an order of a [date in the 1990s]."),
        ("interest from 3 May 1994", "3 May 1994", "DATETIME", "interest from a [date in the 1990s]"),
        ("facts prior to 1994", "1994", "DATETIME", "facts prior to a [date in the 1990s]"),
        ("Ada Sr. (15 May 1907 to now)", "15 May 1907", "DATETIME", "Ada Sr. ([the 1900s] to now)"),
        ("from 1927–28 to now", "from 1927–28", "DATETIME", "[from the 1920s] to now"),
        ("between 1988 and 1992", "1988 and 1992", "DATETIME", "between [the 1980s and the 1990s]"),
        ("It came on that day.", "that day", "DATETIME", "It came on a [date]."),
        ("It came in that season.", "that season", "DATETIME", "It came in a [certain period]."),
        ("It was wet. Last spring I fell.", "Last spring", "DATETIME", "It was wet. [At some time] I fell."),
        ("I rowed, and last spring I fell.", "last spring", "DATETIME", "I rowed, and [at some time] I fell."),
        ("He stopped his tablets last spring since", "last spring", "DATETIME", "He stopped his tablets [at some time] since"),
        ("It is so since last spring.", "last spring", "DATETIME", "It is so since a [date]."),
        ("We meet at Easter.", "Easter", "DATETIME", "We meet at [some point in time]."),
        ("which occurred some time ago", "some time ago", "DATETIME", "which occurred [at some time]"),
        ("at the age of just sweet", "age of just sweet", "DATETIME", "at the [age]"),
        ("between 1994 and now", "1994", "DATETIME", "between [the 1990s] and now"),
        ("It is so since 1994.", "since 1994", "DATETIME", "It is so [since the 1990s]."),
        ("Held from 3 to 5 May 1994.", "from 3 to 5 May 1994", "DATETIME", "Held [in the 1990s]."),
        ("12 March 1994 was hot.", "12 March 1994", "DATETIME", "[A date in the 1990s] was hot."),
        ("He left the following day.", "the following day", "DATETIME", "He left on a [later date]."),
        ("He left on the following day.", "following day", "DATETIME", "He left on the [later date]."),
        ("A man aged 42 left.", "aged 42", "DATETIME", "A man [in his forties] left."),
        ("after two years' work", "two years'", "DATETIME", "after [between 1 and 5 years'] work"),
        ("He paid 23 €.", "23 €", "QUANTITY", "He paid [between 10 and 50 €]."),
        ("most doubles (10) ever", "(10)", "QUANTITY", "most doubles ([X]) ever"),
        ("He studied at University of Oslo.", "University of Oslo", "ORG", "He studied at a [university]."),
        ("He studied at the University of Oslo.", "University of Oslo", "ORG", "He studied at the [university]."),
        ("University of Oslo won.", "University of Oslo", "ORG", "A [university] won."),
        ("University of Oslo's win.", "University of Oslo", "ORG", "A [university]'s win."),
        ("application (no. 4027/05)", "4027/05", "CODE", "application (no. [application number])"),
        ("Write to a@b.org now.", "a@b.org", "CODE", "Write to an [e-mail address] now."),
    ],
)  # fmt: skip
def test_an_option_fits_its_sentence(text: str, string: str, type: str, expected: str) -> None:
    """Articles, prepositions and capitals by the place, and the same without the brackets."""
    assert written(text, (string, type)) == expected
    plain = written(text, (string, type), brackets=False)
    assert plain == expected.replace("[", "").replace("]", "")


class Occupations:
    """An ontology of one occupation."""

    def describes(self, text: str) -> bool:
        return False

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return that everybody is an artist."""
        return (Generalisation("artist", "ontology:Q483501", 1e6),)


def test_the_article_before_an_option_agrees_with_it() -> None:
    """``a drummer`` becomes ``an artist``, and the edit covers the article."""
    ontology = Occupations()
    assert (
        written("He is a drummer.", ("drummer", "DEM"), ontology=ontology) == "He is an [artist]."
    )
    assert written("A drummer left.", ("drummer", "DEM"), ontology=ontology) == "An [artist] left."
    assert (
        written("They are drummers.", ("drummers", "DEM"), ontology=ontology)
        == "They are [artists]."
    )
    assert (
        written("He is the drummer.", ("drummer", "DEM"), ontology=ontology)
        == "He is the [artist]."
    )


@for_each(
    ("phrase", "expected"),
    [
        ("university", "a"), ("artist", "an"), ("hour", "an"), ("European city", "a"), ("18-to-29-year-old", "an"),
        ("MP", "an"), ("umbrella", "an"), ("one-act play", "a"), ("uninhabited island", "an"), ("hotel", "a"),
    ],
)  # fmt: skip
def test_articles_go_by_sound(phrase: str, expected: str) -> None:
    """It is the sound of the first word that counts."""
    assert article(phrase) == expected


def test_plurals_are_of_the_head() -> None:
    """What comes after a preposition stays."""
    assert plural("city in Norway") == "cities in Norway"
    assert plural("town or village in Norway") == "towns or villages in Norway"
    assert plural("church") == "churches"
    assert plural("first-degree relative") == "first-degree relatives"
    assert plural("salesman") == "salesmen"
    assert plural("person") == "people"


@for_each(
    ("phrase", "expected"),
    [
        ("fossils", True), ("tennis", False), ("bus", False), ("classes", True), ("class", False), ("series", False),
        ("Minister of Arts", False), ("Ministers of Art", True), ("salesmen", True), ("physics", False), ("", False),
    ],
)  # fmt: skip
def test_plurals_are_told_by_the_head(phrase: str, expected: bool) -> None:
    """By its ending, without words that only look like one."""
    assert is_plural(phrase) == expected


class Offices:
    """An ontology that knows mayors."""

    def describes(self, text: str) -> bool:
        """Return whether it is their office."""
        return text.lower() in {"mayor", "prime minister"}

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return that they are politicians."""
        return (Generalisation("politician", "ontology:Q82955", 1e6),)


@for_each(
    ("text", "string", "expected"),
    [
        ("He met the Mayor here.", "Mayor", "He met the [politician] here."),
        ("He met the mayor here.", "mayor", "He met the [politician] here."),
        ("He met Mayor Wick here.", "Mayor", "He met [politician] Wick here."),
        ("He met Prime Minister there.", "Prime Minister", "He met [politician] there."),
        ("He met Mayor there.", "Mayor", "He met [PERSON 1] there."),
        ("He met the Wick there.", "Wick", "He met the [PERSON 1] there."),
    ],
)
def test_a_person_without_a_name_is_what_the_words_say(
    text: str, string: str, expected: str
) -> None:
    """A title is generalised as a title; a lone word with a capital may be a surname."""
    assert written(text, (string, "PERSON"), ontology=Offices()) == expected


class Clergy:
    """An ontology of one word for many."""

    def describes(self, text: str) -> bool:
        """Return False."""
        return False

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return that everybody is of the clergy."""
        return (Generalisation("clergy", "ontology:tacenda", 1e6),)


def test_somebody_is_one_of_many() -> None:
    """A pastor is a cleric, and no clergy."""
    expected = "He was a [cleric], and they were [clerics]."
    text = "He was a pastor, and they were ministers."
    assert written(text, ("pastor", "DEM"), ("ministers", "DEM"), ontology=Clergy()) == expected


def test_a_plural_is_not_written_as_itself() -> None:
    """Its singular is no option, since the plural of it would stand there."""
    assert written("He saw clergies.", ("clergies", "DEM"), ontology=Clergy()) == "He saw ***."


@for_each("subject", ["I am", "I'm", "she’s", "he was", "she is"])
@for_each("rest", [".", " and tired."])
def test_what_somebody_is_by_an_adjective_gets_an_article(subject: str, rest: str) -> None:
    """Its class is a noun; before another noun it is an adjective, too, and stays without."""
    option = Option("person", 0, "rule:class", 0.5, 0.0)
    span = Span(len(subject) + 1, len(subject) + 9)

    def output(after: str) -> str:
        return realise(f"{subject} diabetic{after}", span, SemanticType.DEM, option)

    assert output(rest) == "a [person]"
    assert output(" people") == "[person]"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("he has been here since ", "[some time at night]"),
        ("it hurts from ", "[some time at night]"),
        ("he called ", "[at night]"),
    ],
)
def test_the_night_is_written_as_other_parts_of_the_day(before: str, expected: str) -> None:
    """Since night is no English."""
    option = Option("night", 0, "rule:part", 0.5, 0.0)
    span = Span(len(before), len(before) + 4)
    assert realise(f"{before}2 am.", span, SemanticType.DATETIME, option) == expected


@pytest.mark.parametrize(
    ("text", "string", "type", "source", "phrase", "expected"),
    [
        ("Er kam aus Kassel nach", "Kassel", "LOC", "rule:class", "city", "Er kam aus [PLACE 1] nach"),
        ("vivió en Murcia hasta", "Murcia", "LOC", "rule:class", "city", "vivió en [PLACE 1] hasta"),
        ("wurde am 31.03.2020 entlassen", "31.03.2020", "DATETIME", "rule:decade", "the 2020s", "wurde am [DATE 1] entlassen"),
        ("betalade 85 000 kronor för", "85 000 kronor", "QUANTITY", "rule:range", "between 1 and 5 kronor", "betalade [QUANTITY 1] för"),
    ],
)  # fmt: skip
def test_in_another_language_the_tag_stands_for_an_english_phrase(
    text: str, string: str, type: str, source: str, phrase: str, expected: str
) -> None:
    """Neither an English article nor an English class; *** stays, and so does English elsewhere."""
    document = Document("d", text)
    item = entity("e1", mention(document, string, type))

    def output(option: Option, parts: tuple[LanguagePart, ...]) -> str:
        decision = Decision(
            item, True, "generalize", IdentifierType.QUASI, 0.9, (reason(),), (option,), option
        )
        return rewrite(document, [decision], Policy(operator="generalize"), parts)[0]

    option = Option(phrase, 0, source, 0.5, 0.0)
    foreign = (LanguagePart(Span(0, len(text)), "de"),)
    assert output(option, foreign) == expected
    assert output(option, ()) != expected
    assert "***" in output(Option("***", 0, "suppress", 0.0, 0.0), foreign)
