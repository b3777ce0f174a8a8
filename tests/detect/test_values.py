"""Passages that are only a number, a constant or a unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.values import without_values
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.examples import for_each


def mention(text: str, string: str, source: MentionSource = MentionSource.NEURAL) -> Mention:
    """Return a mention of the first occurrence of ``string``."""
    start = text.index(string)
    return Mention(Span(start, start + len(string)), SemanticType.LOC, 0.9, 0.1, source)


@for_each(
    "value",
    ["12.5", "-3e5", "+0.25", ".5", "1,234.50", "1.234,5", "1,234,567", "7.0", "67.0", "-12.0", "1'000", "45%", "3.5 %", "42", "7", "−7.0", "1e-7",
     "NaN", "nan", "null", "NULL", "None", "true", "False", "N/A", "#N/A", "n/a", "inf", "-Infinity",
     "g/dL", "mmol/L", "mg/kg/d", "10*3/uL", "mm[Hg]", "mmHg", "/min", "kg/m2", "kg/m²", "%", "°C", "Cel",
     "mL/min/1.73 m2", "mEq/L", "[IU]/L", "beats/min", "kg.m/s2", "years"],
)  # fmt: skip
@for_each("around", ["{}", "Anna Berg\n{}\nLeeds", "Anna\t{}\tLeeds", "a | {} | b", " {} \n"])
def test_a_value_alone_says_nothing(value: str, around: str) -> None:
    """As a whole text, a line or a cell, whatever part of it the recognizer marks."""
    text = around.format(value)
    start = around.index("{")
    whole = Mention(
        Span(start, start + len(value)), SemanticType.LOC, 0.9, 0.1, MentionSource.NEURAL
    )
    first = Mention(Span(start, start + 1), SemanticType.LOC, 0.9, 0.1, MentionSource.NEURAL)
    assert list(without_values(text, [whole, first])) == []


@for_each(
    "text",
    ["48213", "2004", "93", "104", "52.52001", "Nan", "Null", "Mo", "Ng", "Ms", "Ma", "J", "Ed", "Cal", "Min",
     "48213.0", "2125551234.0", "93.0", "30.123.456", "1.020.345.678", "0176.123", "020.712.345.678", "12e4567",
     "MW", "MJ", "A.J", "J.C", "K.W.J", "12.5.2004", "12/05/2004", "tablets of Anna", "020 7946 0958", "12.5 Leeds", "Anna/Tom"],
)  # fmt: skip
def test_what_may_name_somebody_stays(text: str) -> None:
    """Codes, years, ages over 89, positions, initials, dates and names that are like a value, however they are written."""
    found = [mention(text, text)]
    assert list(without_values(text, found)) == found


@for_each("number", ["8", "812", "15320", "1695203.25"])
@for_each("key", ["latency_ms", "tokens", "promptTokens", "http.retries", "PAGES"])
def test_a_measurement_by_its_key_says_nothing(key: str, number: str) -> None:
    """Whatever its length, and however the key is written."""
    text = f'{{"name": "Anna", "{key}": {number}}}'
    assert list(without_values(text, [mention(text, number)])) == []


@for_each(
    "marked",
    ["sent status=[queued]", "{'level': '[warn]'}", "Colour: [Blue]", "a | Colour: [Blue] | b", "<type>[welcome]</type>", "<sex>[F]</sex>", "sex: [female]",
     "owner: anna\nretries: [3]\nport: 80", "GET /x?q=1&page=[2] [HTTP/1.1 200 5123]", "\"GET / HTTP/1.1\" [200] 5123", "git log --since=[2.weeks] -- x",
     "needs node <[21], [pnpm@8.6.12]", "in [Ward 7B] now", "now at [gate B]", "works at [the depot]", "left the [care home]",
     "a C in [Religious Studies]", "an A* in [Further Maths]", "grade 7 in [PE]", "B in [English Literature] for"],
)  # fmt: skip
def test_states_versions_parts_and_kinds_of_places_say_nothing(marked: str) -> None:
    """By their key, their form or their word, whichever of them the recognizer marks."""
    text = marked.replace("[", "").replace("]", "")
    found = []
    for position, part in enumerate(marked.split("[")[1:]):
        start = sum(map(len, marked.split("[")[: position + 1])) - position
        span = Span(start, start + part.index("]"))
        found.append(Mention(span, SemanticType.PERSON, 0.9, 0.1, MentionSource.NEURAL))
    assert list(without_values(text, found)) == []


@given(
    st.sampled_from(["status", "level", "type", "Colour", "theme", "event", "kind"]),
    st.sampled_from(["=", ": ", '": "']),
    st.sampled_from(
        "Okafor Kowalski Marisa Devika Tendai Hunter Grace Mark Jasmine Rose Ruby Faith".split()
    ),
    st.sampled_from(["{key}{sign}{name}", "a {key}{sign}{name}, b", '{{"{key}{sign}{name}"}}']),
)
def test_a_name_behind_a_key_of_states_stays(key: str, sign: str, name: str, around: str) -> None:
    """Also one that is a word, if it is a given name."""
    text = around.format(key=key, sign=sign, name=name)
    assert len(list(without_values(text, [mention(text, name)]))) == (name != "Hunter")


@for_each(
    "marked",
    ["marital status: [divorced]", "ssh [anna@10.3.1.7] -i key", "gender: [trans]", "--phone [07700900]", "at [the Willows]", "at [Riverside clinic]",
     "in [Flat 3]", "[Ward 7B, St Mary]", "state: [Georgia]", "<age>[90]</age>", "works in [Law]", "a C in [Religious Studies Dept]"],
)  # fmt: skip
def test_what_is_like_a_state_or_a_part_stays(marked: str) -> None:
    """What a person is like, machines that someone uses, places with a name."""
    text = marked.replace("[", "").replace("]", "")
    string = marked[marked.index("[") + 1 : marked.index("]")]
    assert len(list(without_values(text, [mention(text, string)]))) == 1


@for_each("key", ["account", "discount", "mrn", "weight", "items_of", "platform_id"])
def test_a_number_behind_any_other_key_stays(key: str) -> None:
    """The end of a key alone makes no measurement: ``account`` ends with *count*."""
    text = f'{{"{key}": 4821337}}'
    assert len(list(without_values(text, [mention(text, "4821337")]))) == 1


@for_each("edge", [";", "\t", "|", ",", " ; "])
@for_each("bits", range(8))
def test_usual_names_of_columns_say_nothing(edge: str, bits: int) -> None:
    """Alone or in a row, above as many values, if there are two and more; anything else there stays."""
    kept = [name for number, name in enumerate(("geb", "ORT", "Vname")) if bits >> number & 1]
    names = ["berg", *kept, "anna", *kept]
    head = edge.join(names)
    text = f"{head}\n{edge.join(['x'] * len(names))}\n"
    mentions = [mention(text, name) for name in names]
    if kept:
        mentions.append(mention(text, edge.join(kept)))
    strings = {item.span.of(text) for item in without_values(text, mentions)}
    assert strings == {"berg", "anna"}
    for other in (head, f"{head}\nx\n", f"x\n{text}"):
        assert len(list(without_values(other, [mention(other, name) for name in names]))) == len(names)  # fmt: skip


def test_the_scheme_before_a_token_is_a_label() -> None:
    """The token alone is a secret."""
    text = "Authorization: Bearer s3cr3tT0ken"
    assert list(without_values(text, [mention(text, "Bearer")])) == []


def test_a_small_number_in_a_row_may_be_an_age_or_a_code() -> None:
    """Where the recognizer takes it for a date, a quantity or a trait; of three digits, for a code. Alone it says nothing."""
    for number, kept in (("412", True), ("412.0", True), ("41", False), ("41.0", False)):
        room = f"Anna Berg\t{number}\tLeeds"
        found = [
            Mention(Span(10, 10 + len(number)), SemanticType.CODE, 0.9, 0.1, MentionSource.NEURAL)
        ]
        assert len(list(without_values(room, found))) == kept
    row = "Anna Berg\t67\tLeeds"
    for type in ("DATETIME", "DEM", "QUANTITY"):
        found = [Mention(Span(10, 12), SemanticType(type), 0.9, 0.1, MentionSource.NEURAL)]
        assert list(without_values(row, found)) == found
        alone = [Mention(Span(0, 2), SemanticType(type), 0.9, 0.1, MentionSource.NEURAL)]
        assert list(without_values("67", alone)) == []


@pytest.mark.parametrize(
    "source", [MentionSource.PATTERN, MentionSource.POLICY, MentionSource.PLUGIN]
)
def test_what_was_found_by_its_form_or_asked_for_stays(source: MentionSource) -> None:
    """A pattern, a term of the policy, a detector of the user's."""
    found = [mention("12.5", "12.5", source)]
    assert list(without_values("12.5", found)) == found


@pytest.mark.parametrize(
    "text", ["It was 12.5 km away.", "aged 42 and", "in g/dL, he said", "Nan: 12.5"]
)
def test_a_value_among_words_stays(text: str) -> None:
    """What stands around it says what it is."""
    found = [mention(text, text[7:9])]
    assert list(without_values(text, found)) == found


def test_a_wrapped_line_is_no_passage() -> None:
    """A sentence may leave its last number alone on a line."""
    line = "he went on to another town in which he had a large house of his own and lived\n"
    text = f"{3 * line}42\n"
    found = [mention(text, "42")]
    assert list(without_values(text, found)) == found


@given(text=st.text("0123456789.,%-eE/gLmnaN \n\t|"), data=st.data())
def test_any_text_can_be_looked_at(text: str, data: st.DataObject) -> None:
    """Nothing is made up: what comes out went in."""
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = [Mention(Span(start, end), SemanticType.LOC, 0.9, 0.1, MentionSource.NEURAL)]
    assert list(without_values(text, found)) in ([], found)
