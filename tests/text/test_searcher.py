"""Forms wherever a reader may find them."""

from __future__ import annotations

import base64
import hashlib

from tacenda.text.matching import Searcher
from tacenda.text.surface_forms import Form, LetterCase
from tests.examples import for_each
from tests.growth import assert_linear


def found(
    text: str, *forms: str, case: LetterCase = LetterCase.ANY, inside: bool = True
) -> list[str]:
    """Return what is to be masked."""
    searcher = Searcher(Form(form, case, inside) for form in forms)
    return [occurrence.span.of(text) for occurrence in searcher.find(text)]


@for_each(
    ("form", "text", "masked"),
    [
        ("yalman", "theYalmanFile yalmans xyalmanx", ["theYalmanFile", "yalmans", "xyalmanx"]),
        ("galip yalman", "#FreeGalipYalman", ["FreeGalipYalman"]),
        ("galip yalman", "user_galip_yalman_id", ["galip_yalman"]),
        ("yalman", "mail yalman@metu.edu.tr, now", ["yalman@metu.edu.tr"]),
        ("yalman", "(https://x.org/yalman/cv?a=1).", ["https://x.org/yalman/cv?a=1"]),
        ("yalman", "我叫Yalman先生，在", ["Yalman"]),
        ("ann", "annual Hanna ann Ann ANN", ["ann", "Ann", "ANN"]),
        ("ann", "AnnCV cvAnn ann1 Anns anns HannAn", ["AnnCV", "cvAnn", "ann1", "Anns"]),
        ("forman", "a form-anew, roFOR-MANy, for-man, for man", ["for-man"]),
        ("ab12345", "xab12345 ab123456 AB12345.", ["xab12345", "AB12345"]),
        ("王伟", "国王伟大", ["王伟"]),
    ],
)
def test_inside_words(form: str, text: str, masked: list[str]) -> None:
    """Long forms are found in any word, short ones where it has a joint; the word is masked."""
    assert sorted(found(text, form), key=text.index) == masked


@for_each(
    ("text", "masked"),
    [
        ("by Yal\nman on", ["Yal\nman"]),
        ("by Mr Yal \r\n\r\n man, on", ["Yal \r\n\r\n man"]),
        ("by Yal\u2029man", ["Yal\u2029man"]),
        ("by Yal-\n\n– 12 –\n\nman", ["Yal-\n\n– 12 –\n\nman"]),
        ("by Yal-\n12\fman", ["Yal-\n12\fman"]),
        ("by Yal-\n\nman", ["Yal-\n\nman"]),
        ("YAL\fMAN", ["YAL\fMAN"]),
        ("Yal\n\nMan xYal\n\nman Yal\n\nmany", []),
    ],
)
def test_a_word_is_found_over_the_end_of_a_paragraph_or_page(text: str, masked: list[str]) -> None:
    """With a hyphen, also before the number of a page; without one before a small letter."""
    assert found(text, "yalman", inside=False) == masked


@for_each(
    "token",
    [
        "R2FsaXAgWWFsbWFu",
        "/people/R2FsaXAgWWFsbWFu/1",
        "YnkgR2FsaXAgWWFsbWFuLCBiZWZvcmU_Pz4-",
        "UjJGc2FYQWdXV0ZzYldGdQ==",
        "RABlAGEAcgAgAFkAYQBsAG0AYQBuAA==",
        "eyJzdWIiOiIxIiwibmFtZSI6IkdhbGlwIFlhbG1hbiJ9",
        "QSBub3RlIGZyb20gdGhlIGFyY2hpdmUgYWJvdXQgdGhlIGNhc2Ugb2YgTXIgWWFs\nbWFuLg==",
        "QSBub3RlIGZyb20gdGhlIGFyY2hpdmUgYWJvdXQgdGhlIGNhc2Ugb2YgTXIgWWFs\r\n> bWFuLg==",
        "47616c69702059616c6d616e",
        "59 61 6C 6D 61 6E",
        "0x59, 0x61, 0x6c, 0x6d, 0x61, 0x6e",
        "xn--ylman-xqa",
        "U+0059 U+0061 U+006C U+006D U+0061 U+006E",
        "\\59 alman",
        "\\59\nalman",
        "\\x{59}alman",
        "&#000000000089;alman",
        "%2525252525252559alman",
        "YÃ¡lman",
        "ʏᴀʟᴍᴀɴ",
        "⒴⒜⒧⒨⒜⒩",
        "".join(chr(0xE0000 + ord(letter)) for letter in "Yalman"),
        "Yal-\x0cman",
        "Yal-\rman",
    ],
)
def test_what_is_encoded_is_masked_with_its_token(token: str) -> None:
    """Base64, hexadecimal, punycode, escapes and what a wrong encoding made; nothing around it."""
    text = f"He said: {token} (a document, between words and attachments)."
    assert set(found(text, "galip yalman", "yalman")) == {token}


def test_words_and_pictures_say_nothing() -> None:
    """Words that happen to be base64, digests and bytes that are no text."""
    picture = base64.b64encode(bytes(range(256)) * 40).decode()
    text = f"yesterday documents 36244/06 {hashlib.sha256(b'a').hexdigest()} {picture} deadbeef"
    assert found(text, "galip yalman", "yalman") == []


@for_each(
    "piece", ["A", "xn--", "xn--aaa-a", "abcdefgh-", "61 ", "0x61,", "%25", "\\59 ", "U+", "Ã¼"]
)
def test_tokens_are_read_in_linear_time(piece: str) -> None:
    """However many there are."""
    assert_linear(lambda size: found(piece * (size // len(piece)), "yalman"), 25_000)


def test_what_is_no_name_is_found_as_words_only() -> None:
    """A form that is not looked for inside words is found in every reading all the same."""
    assert found("Ankaragücü, An\u00adkara, %41nkara", "ankara", inside=False) == [
        "An\u00adkara",
        "%41nkara",
    ]


def test_names_that_are_words_have_a_capital() -> None:
    """What was written with a capital is not found in small letters, whatever it is encoded as."""
    assert found("brown Brown %62rown %42rown", "brown", case=LetterCase.CAPITAL) == [
        "Brown",
        "%42rown",
    ]


def test_scripts_are_compared_by_their_looks() -> None:
    """A Cyrillic form is found with Latin letters in it, a Latin one with Cyrillic letters."""
    assert found("Шeвчeнкo и Yаlmаn", "шевченко", "yalman") == ["Шeвчeнкo", "Yаlmаn"]


def test_the_whole_of_a_double_name() -> None:
    """A form is masked whole though a part of it would be found alone."""
    assert found("1987Ben-Haimovitz", "ben haimovitz", "haimovitz") == [
        "1987Ben-Haimovitz",
        "Haimovitz",
    ]


@for_each(
    "piece",
    [
        "yalman",
        "yalman ",
        "yal-\n> man ",
        "y%61lman.",
        "x@y.z/yalman.",
        "a",
        "Ann",
        "yalmаn ",
        "Y A ",
    ],
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    """Text that is all names is searched as fast as any."""
    forms = ("yalman", "galip yalman", "ann", *("a" * n for n in range(2, 200)))
    searcher = Searcher(Form(form, LetterCase.ANY, inside=True) for form in forms)
    assert_linear(lambda size: searcher.find(piece * (size // len(piece))), 30_000)


def test_prose_without_names_takes_linear_time() -> None:
    """Ten megabytes take ten times as long as one."""
    line = "The well-known court held that 50% of the claims & costs were paid.\n"
    assert_linear(lambda size: found(line * size, "galip yalman", "yalman", "ann"), 1_000)
