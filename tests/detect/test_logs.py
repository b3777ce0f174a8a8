"""Fields of logs: what is personal in one record is judged by all records of its template."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from datetime import datetime
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacenda
from tacenda.detect.logs import judge_log_fields
from tacenda.detect.merge import merge
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.examples import for_each
from tests.growth import assert_linear

DRAWS = int(os.environ.get("TACENDA_DRAWS", "30"))
NEURAL, PATTERN = MentionSource.NEURAL, MentionSource.PATTERN


def mention(
    text: str,
    string: str,
    p_mask: float = 0.9,
    type: SemanticType = SemanticType.PERSON,
    source: MentionSource = NEURAL,
    p_direct: float = 0.0,
    kind: str = "",
) -> Mention:
    """A mention at the first place of ``string``."""
    start = text.index(string)
    return Mention(Span(start, start + len(string)), type, p_mask, p_direct, source, kind)


def strings(text: str, mentions: Iterable[Mention]) -> set[str]:
    """The distinct strings of the mentions that are left, as merging trims them."""
    return {item.span.of(text) for item in merge(text, judge_log_fields(text, list(mentions)))}


def log(template: str, values: Iterable[str]) -> str:
    """A log with a record a value."""
    head = "2024-03-01 09:14:{:02} INFO [gate] "
    return "".join(
        head.format(second) + template.format(value) + "\n" for second, value in enumerate(values)
    )


def test_a_word_that_every_record_has_is_innocent() -> None:
    """A program's name, taken for a person in one record, is text of the template."""
    text = log("Tomcat answered {}", ("anna", "bela", "chidi"))
    assert strings(text, [mention(text, "Tomcat")]) == set()


def test_a_name_that_every_record_has_stays_where_it_is_sure() -> None:
    """The log of one user has the name in each record."""
    text = log("door opened for marisol, badge {}", ("red", "blue", "green"))
    starts = [place for place in range(len(text)) if text.startswith("marisol", place)]
    mentions = [
        Mention(Span(start, start + 7), SemanticType.PERSON, 0.9, 0.8, NEURAL) for start in starts
    ]
    assert [item.span.start for item in judge_log_fields(text, mentions)] == starts


def test_a_time_alone_in_its_line_is_the_value_of_a_field() -> None:
    """As a date in a table or in XML it is masked; before a message it is the time of a record."""
    policy = tacenda.Policy.model_validate({"recognizer": False, "threshold": 0.5})
    sanitizer = tacenda.load(policy)
    for text in ("Berg\n{}\n2016-10-08", "{}\n{}\n{}"):
        output = sanitizer.sanitize(text.replace("{}", "2016-10-08T20:49:00")).text
        assert "2016" not in output
    assert "2016-10-08T20:49:00" in sanitizer.sanitize("2016-10-08T20:49:00 INFO started").text


_MOMENTS = st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2040, 1, 1))
_ISO = (
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%d %H:%M:%S",
    "%Y%m%dT%H%M%SZ",
    "%Y%m%dT%H%M",
)


@given(
    _MOMENTS,
    st.sampled_from(_ISO),
    st.sampled_from(
        ["at ", "He came on ", "They met Rosa (since ", "It was ", "Born ", "* Geboren "]
    ),
    st.sampled_from(["", " he came.", ") and left [sic] with her.", ", as she said.", " [sic]"]),
    st.integers(1, 2),
)
def test_the_time_of_a_sentence_is_a_date(
    moment: datetime, form: str, before: str, after: str, count: int
) -> None:
    """In whatever format: only records of a program keep the times at which they were written."""
    date = moment.strftime(form)
    text = "\n".join([before + date + after] * count)
    assert moment.strftime("%Y") not in _without_recognizer().sanitize(text).text
    assert moment.strftime("%Y") not in _without_recognizer().sanitize(f"{date} he came.").text
    line = (
        f"{moment.isoformat()} gate opened\n{moment.isoformat()} lamp\n{moment.isoformat()} 3 in\n"
    )
    assert _without_recognizer().sanitize(line).text == line


@cache
def _without_recognizer() -> tacenda.Sanitizer:
    policy = tacenda.Policy.model_validate({"recognizer": False, "threshold": 0.5})
    return tacenda.load(policy)


def test_a_field_that_is_personal_on_average_is_so_in_every_record() -> None:
    """The recognizer misses one user of three."""
    text = log("door opened for {}", ("marisol", "oyelaran", "grit"))
    mentions = [mention(text, "marisol"), mention(text, "oyelaran")]
    assert strings(text, mentions) == {"marisol", "oyelaran", "grit"}


def test_a_personal_word_in_small_letters_is_a_user_name() -> None:
    """Whatever the recognizer takes it for: places have a capital."""
    text = log("door opened for {}", ("bromley", "oyelaran", "Leeds"))
    words = ("bromley", "oyelaran", "Leeds")
    mentions = [mention(text, word, 0.9, SemanticType.LOC) for word in words]
    types = {
        item.span.of(text): item.type for item in merge(text, judge_log_fields(text, mentions))
    }
    person, place = SemanticType.PERSON, SemanticType.LOC
    assert types == {"bromley": person, "oyelaran": person, "Leeds": place}


def test_a_field_that_is_rarely_personal_keeps_sure_names_alone() -> None:
    """One word of ten is taken for a name."""
    values = ["cache", "index", "queue", "Rosa", "store", "pool", "disk", "lease", "shard", "lock"]
    text = log("checking {}", values)
    assert strings(text, [mention(text, "lease", 0.3)]) == set()
    assert strings(text, [mention(text, "Rosa", 0.9)]) == {"Rosa"}


def test_a_field_that_varies_in_digits_alone_does_not_vary() -> None:
    """Counters of connections look like user names."""
    text = log("closed by {}", ("conn31", "conn36", "conn52"))
    assert strings(text, [mention(text, "conn31", 0.7)]) == set()


@for_each(
    "pair",
    ['user={}', 'acct="{}"', '"userName": "{}"', "targetUserName={},", "user => '{}'", "author:{}"],
)  # fmt: skip
def test_a_value_behind_a_key_of_a_person_is_a_user_name(pair: str) -> None:
    """One record is enough, and accounts of the system are nobody."""
    text = log(f"login {pair} port 22", ("zgrit",))
    assert strings(text, ()) == {"zgrit"}
    assert strings(text.replace("zgrit", "root"), ()) == set()


def test_all_words_of_a_quoted_value_are_named_by_its_key() -> None:
    """A key has a first name and a surname."""
    text = log('customer="{}" total=3', ("Nguyen Minh",))
    assert strings(text, ()) == {"Nguyen", "Minh"}


@pytest.mark.parametrize("key", ["enduser=", "userAgent=", "users "])
def test_a_key_that_only_looks_like_one_of_a_person_names_nobody(key: str) -> None:
    """The key is a word of its own."""
    text = log(key + "{} port=22", ("zgrit",))
    assert strings(text, ()) == set()


def test_numbers_of_a_program_are_innocent() -> None:
    """Whatever the recognizer takes them for, and also where they vary."""
    text = log("sshd[2211]: 0x7f{} took 51 ms in org.acme.shop.Cart at 3f2a47c", ("a1", "b2", "c3"))
    words = ("2211", "0x7fa1", "0x7fb2", "0x7fc3", "51", "org.acme.shop.Cart", "3f2a47c")
    assert strings(text, [mention(text, word, 0.9) for word in words]) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Mar  1 09:14:02 web1 sshd[2211]: started",
        "2024-03-01T09:14:02.113Z INFO started",
        '{"msg": "started", "eventTime": "2024-03-01T09:14:02Z"}',
        "Date:   Fri Mar 1 09:14:02 2024 +0100",
    ],
)
def test_the_time_of_a_programs_record_is_innocent(text: str) -> None:
    """Also in a record without a second one like it."""
    dates = [item for item in ("Mar  1", "Fri Mar 1", "2024-03-01") if item in text]
    words = [dates[-1], "09:14:02"]
    mentions = [mention(text, word, 0.6, SemanticType.DATETIME) for word in words]
    assert strings(text, mentions) == set()


def test_a_number_that_begins_in_a_time_is_none() -> None:
    """Digits of a time with those behind it have the form of a telephone number."""
    text = log("took {}", ("6257 6257",))
    phone = mention(
        text, text[text.index("14:00") : text.index(" INFO")], 1.0, SemanticType.CODE, PATTERN, 1.0
    )
    assert strings(text, [phone]) == set()


def test_what_is_found_by_form_or_wanted_by_the_policy_stays() -> None:
    """The template says nothing against an address or a term of the deny list."""
    text = log("relay mail.acme.org got x@acme.org by Tomcat {}", ("a", "b", "c"))
    email = mention(text, "x@acme.org", 1.0, SemanticType.CODE, PATTERN, 1.0, "email")
    term = mention(text, "Tomcat", 1.0, source=MentionSource.POLICY)
    assert strings(text, [email, term]) == {"x@acme.org", "Tomcat"}


def test_part_of_a_mention_is_innocent() -> None:
    """A mention over a user and the program's next word keeps the user."""
    text = log("{} Logout done", ("marisol", "oyelaran", "grit"))
    mentions = [mention(text, f"{name} Logout", 0.4) for name in ("marisol", "oyelaran", "grit")]
    assert strings(text, mentions) == {"marisol", "oyelaran", "grit"}


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ms Okafor, we met on 3 May 2019 at 10:15:00 in Leeds.\nuser=anna\n",
        "[10:15:02] <marta> Rosa is 34 and lives at 12 Elm Road\n[10:15:09] <ivo> ok\n",
        "12/03/2024, 10:15 - Marta: Rosa is 34\n12/03/2024, 10:16 - Ivo: ask Rosa in Leeds\n",
        '{"name": "Rosa", "age": 34, "born": "1990-02-11", "city": "Leeds"}\n' * 4,
        "",
    ],
    ids=["letter", "chat", "messages", "rows of JSON", "nothing"],
)
def test_other_texts_keep_every_mention(text: str) -> None:
    """What people write has times, too."""
    words = ("Rosa", "34", "Leeds", "12 Elm Road", "1990-02-11", "10:15:02", "10:15:00")
    mentions = [mention(text, word, 0.2) for word in words if word in text]
    assert judge_log_fields(text, mentions) == mentions


@for_each(
    ("line", "piece"),
    [
        ("", "<"), ("", "a="), ("", "["), ("10:00:00 ", 'user="'), ("10:00:00 ", "a."),
        ("10:00:00 ", "a "), ("", "10:00:00\n"), ("", "10:00:00 "),
        ("", "".join(f"10:00:00 {n % 7}x {chr(97 + n % 26)} {chr(97 + n % 23)}y\n" for n in range(500))),
    ],
)  # fmt: skip
def test_the_time_is_linear(line: str, piece: str) -> None:
    """Whatever is repeated in a log."""
    assert_linear(lambda size: judge_log_fields(line + piece * (size // len(piece)), ()), 30_000)


# With the recognizer: what is right in each record on its own is right in none of many, if the field isn't judged.

_GIVEN = (
    "anna maria tunde priya kwame lars bjorn sofia igor mei yusuf aroha siobhan dmitri chen".split()
)
_SURNAMES = (
    "halvorsen kaur okafor lindqvist petrov nakamura schmidt dubois rossi silva nowak".split()
)
_LINES = (
    "Jun {day} 04:{minute:02}:{second:02} web1 sshd[{id}]: Accepted password for {user} from 10.0.{minute}.{second} port 5{id} ssh2",
    "2024-06-{day}T04:{minute:02}:{second:02}Z INFO auth login ok user={user} session={id}",
    "[2024-06-{day} 04:{minute:02}:{second:02}] WARN  billing: invoice {id} approved by {user}",
    '{{"ts":"2024-06-{day}T04:{minute:02}:{second:02}Z","level":"info","actor":"{user}","action":"delete","id":{id}}}',
    "2024-06-{day} 04:{minute:02}:{second:02},123 DEBUG [worker-{second}] Sending mail to {user}",
)


def _user_name(rng: random.Random) -> str:
    given, surname = rng.choice(_GIVEN), rng.choice(_SURNAMES)
    forms = (
        given[0] + surname,
        f"{given}.{surname}",
        surname + given[0],
        given,
        f"{given}_{surname}",
    )
    return rng.choice(forms)


@pytest.mark.parametrize("policy", ["logs", "default", "prompts"])
def test_no_user_name_is_left_in_drawn_logs(policy: str) -> None:
    """Eight records of a template: no user name stays, and the program's words do."""
    sanitizer = tacenda.load(policy)
    rng = random.Random(7)
    for _ in range(DRAWS):
        template = rng.choice(_LINES)
        users = [_user_name(rng) for _ in range(8)]
        text = "\n".join(
            template.format(
                day=rng.randrange(10, 28),
                minute=rng.randrange(60),
                second=rng.randrange(60),
                id=rng.randrange(1000, 9999),
                user=user,
            )
            for user in users
        )
        written = sanitizer.sanitize(text).text
        assert not [user for user in users if user in written]
        words = ("sshd", "password", "INFO", "login", "approved", "action", "DEBUG", "Sending")
        assert all(word in written for word in words if word in template)
