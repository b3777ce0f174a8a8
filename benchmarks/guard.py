"""Guard of language models: what reaches the model, and what comes back, over made-up conversations.

    python -m benchmarks guard                       # 500 conversations, to report
    python -m benchmarks guard --development         # other templates, names and seed, to make rules by

A conversation has some turns of one user, calls of tools with arguments in JSON, their results, and answers of a made-up model that
quotes its prompt and changes placeholders as models do: case, blanks, brackets, mark-up, inflection, lines, translation. Half of the answers are
streams, cut at random. Planted names, contacts, numbers, addresses and dates are searched for in all that is sent: as they are, and by each
word of a name. Of the placeholders in an answer each must come back as what was written where the model quotes it.

An identifier counts as sent if it is there in any form the user wrote, whether or not the recognizer ever saw it. A word of a name that
the template says too ("More", "Long") counts if it is there more often than the template says it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from faker import Faker

import tacenda
from benchmarks.tables import print_header
from tacenda import GuardSession

# Names and addresses of each half are of countries that the other hasn't.
DEVELOPMENT = ("en_US", "en_GB", "de_DE", "es_ES", "it_IT")
REPORTED = ("en_CA", "en_AU", "en_IE", "fr_FR", "nl_NL", "pt_BR", "pl_PL", "en_IN")

DEVELOPMENT_OPENINGS = (
    "Hi, I'm {name}. Please write a letter to {other} about the appointment on {date}.",
    "My landlord {other} won't return the deposit for {address}. I'm {name}, you can reach me at {email}.",
    "Summarise this note: {name}, born {birth}, MRN {record}, was seen by Dr {other_last}. Phone {phone}.",
    "Draft an e-mail from {name} <{email}> to {other} asking to move our call to {phone}.",
)
DEVELOPMENT_TURNS = (
    "Make it shorter, and sign as {first}.",
    "{other_first} rang again. What should I say?",
    "Add my number, {phone}, and the address {address}.",
    "Does {other_last} need to know about {birth}?",
)
OPENINGS = (
    "Can you help me with a complaint? I am {name} and I live at {address}. The agent who called me was {other}.",
    "Here is what I have so far:\n\nDear {other},\n\nI refer to my application of {date} (reference {record}). You can call me on {phone} or write to {email}.\n\nRegards,\n{name}",
    "I need a reference for my colleague {other}, who worked with me from {date}. Use my details: {name}, {email}, {phone}.",
    "Translate into plain English: the patient {name} (date of birth {birth}, hospital number {record}) was referred by Dr {other_last}.",
    "user: {name}\nmail: {email}\nphone: {phone}\naddress: {address}\n\nTurn this into one friendly sentence.",
    "My sister {other} and I, {name}, want to book a table. Text her on {phone}, please.",
    "Which of these two should get the job?\n- {name}, {email}\n- {other}, {other_email}",
)
TURNS = (
    "Thanks. Mention that {other_first} promised it on {date}.",
    "Please use {first} instead of the full name at the end.",
    "What would {other_last} answer to that?",
    "Actually it is {name}, not {other}; and the number is {phone}.",
    "One more thing: send a copy to {other_email}.",
    "Is {birth} the right way to write my birthday?",
    "{FIRST} {LAST} IS HOW IT STANDS ON MY CARD.",
    "ok and {first_small} said the ref is {record}?",
    "Would it help to say that I have lived at {address} for long?",
)
TOOLS = ("find_contact", "send_message", "create_event", "update_record")
PHRASES = (
    "Of course. Here is a draft:",
    "I have noted the following:",
    "Let me check that for you.",
    "Happy to help!",
    "To summarise what you told me:",
)


@dataclass(slots=True)
class Person:
    """Somebody made up, by kinds of identifiers."""

    values: dict[str, str]

    @classmethod
    def drawn(cls, fakers: list[Faker], draw: random.Random) -> Person:
        """Return somebody, with somebody else."""
        values: dict[str, str] = {}
        for prefix in ("", "other_"):
            faker = draw.choice(fakers)
            first, last = faker.first_name(), faker.last_name()
            values |= {
                f"{prefix}first": first,
                f"{prefix}last": last,
                f"{prefix}name" if not prefix else "other": f"{first} {last}",
                f"{prefix}email": faker.ascii_email(),
            }
        birth = faker.date_of_birth(minimum_age=18, maximum_age=90)
        date = faker.date_between("-3y", "+1y")
        values |= {
            "phone": faker.phone_number(),
            "address": " ".join(faker.address().split()),
            "birth": birth.strftime(draw.choice(("%d/%m/%Y", "%d %B %Y", "%B %d, %Y", "%Y-%m-%d"))),
            "date": date.strftime(draw.choice(("%d %B %Y", "%B %d", "%d.%m.%Y"))),
            "record": draw.choice(("{:08d}", "AB-{:06d}", "{:07d}-X")).format(
                draw.randrange(10**6, 10**7)
            ),
        }
        values |= {
            "FIRST": values["first"].upper(),
            "LAST": values["last"].upper(),
            "first_small": values["first"].lower(),
        }
        return cls(values)


KINDS = {
    "first": "given name",
    "last": "surname",
    "name": "full name",
    "other": "full name",
    "other_first": "given name",
    "other_last": "surname",
    "FIRST": "given name",
    "LAST": "surname",
    "first_small": "given name",
    "email": "e-mail",
    "other_email": "e-mail",
    "phone": "telephone",
    "address": "address",
    "birth": "date of birth",
    "date": "date",
    "record": "record number",
}


@dataclass(slots=True)
class Tally:
    """Counts over conversations."""

    planted: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    conversations: int = 0
    with_sent: int = 0
    placeholders: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    bad_json: int = 0
    changed: int = 0


def altered(placeholder: str, how: str) -> str:
    """Return a placeholder as a model may write it."""
    inner = placeholder[1:-1]
    word, _, number = inner.partition("_")
    return {
        "as it is": placeholder,
        "small letters": placeholder.lower(),
        "blank": f"[{word} {number}]",
        "title": f"[{word.title()} {number}]",
        "hyphen": f"[{word}-{number}]",
        "no joint": f"[{word}{number}]",
        "bold": f"**{placeholder}**",
        "bold inside": f"[**{inner}**]",
        "escaped": f"[{word}\\_{number}]",
        "escaped brackets": f"\\[{word}\\_{number}\\]",
        "entities": f"&#91;{inner}&#93;",
        "no brackets": inner,
        "angles": f"<{inner}>",
        "curly": f"{{{inner}}}",
        "possessive": f"{placeholder}'s",
        "possessive inside": f"[{inner}'s]",
        "plural": f"[{word}{'ES' if word.endswith('S') else 'S'}_{number}]",
        "line": f"[{word}_\n{number}]",
        "hyphenated": f"[{word[:2]}-\n{word[2:]}_{number}]",
        "translated": f"[{TRANSLATED.get(word, word)}_{number}]",
        "abbreviated": f"[{ABBREVIATED.get(word, word)}_{number}]",
    }[how]


TRANSLATED = {
    "PERSON": "PERSONNE",
    "PLACE": "LUGAR",
    "DATE": "FECHA",
    "ADDRESS": "ADRESSE",
    "PHONE": "TELEFON",
    "EMAIL": "CORREO",
    "CODE": "CÓDIGO",
    "ORGANISATION": "ORGANISATIE",
}
ABBREVIATED = {"PERSON": "PERS", "ORGANISATION": "ORG", "ADDRESS": "ADDR", "PHONE": "PH"}
HOWS = (
    "small letters;blank;title;hyphen;no joint;bold;bold inside;escaped;escaped brackets;entities;no brackets;angles;"
    "curly;possessive;possessive inside;plural;line;hyphenated;translated;abbreviated"
).split(";")
SUFFIX = {"possessive": "'s", "possessive inside": "'s"}
AROUND = {"bold": "**{}**"}
_PLACEHOLDER = re.compile(r"\[[A-Z]+_[0-9]+[A-Z]*\]")


def answered(sent: list[str], session: GuardSession, draw: random.Random, tally: Tally) -> str:
    """Return an answer of the model, after counting what is revealed of it."""
    places = [p for text in sent for p in _PLACEHOLDER.findall(text)]
    parts, expected = [draw.choice(PHRASES)], []
    expected.append(parts[0])
    for place in draw.sample(places, min(len(places), 6)):
        how = "as it is" if draw.random() < 0.6 else draw.choice(HOWS)
        parts.append(altered(place, how))
        # What the placeholder stands for is asked in its plain form, which hiding wrote.
        original = session.reveal(place)
        wanted = AROUND.get(how, "{}").format(original) + SUFFIX.get(how, "")
        tally.placeholders[how] += 1
        expected.append((how, wanted))
    joints = [draw.choice((" and ", ", ", " ", "\n- ", " (see also) ", ". ")) for _ in parts[1:]]
    text = parts[0] + "".join(joint + part for joint, part in zip(joints, parts[1:], strict=True))
    if draw.random() < 0.5:
        revealed = "".join(session.reveal_stream(cut(text, draw)))
    else:
        revealed = session.reveal(text)
    position = len(expected[0])
    for joint, (how, wanted) in zip(joints, expected[1:], strict=True):
        if revealed.startswith(joint + wanted, position):
            tally.right[how] += 1
            position += len(joint + wanted)
        else:
            following = revealed.find(joint, position + 1)
            position = len(revealed) if following < 0 else following
            tally.examples.setdefault(f"revealed: {how}", []).append(
                f"{wanted!r} {revealed[-80:]!r}"
            )
    return revealed


def cut(text: str, draw: random.Random) -> list[str]:
    """Return a text in pieces of a random length."""
    pieces = []
    while text:
        size = draw.choice((1, 2, 3, 5, 8))
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def called(session: GuardSession, hidden: list[Any], draw: random.Random, tally: Tally) -> Any:
    """Return a message with a call of a tool, whose arguments come as a stream of JSON."""
    places = _PLACEHOLDER.findall(json.dumps(hidden))
    arguments = {
        "to": draw.choice(places or ["nobody"]),
        "items": [{"note": f"for {draw.choice(places or ['nobody'])}"}],
        "urgent": draw.random() < 0.5,
    }
    wanted = session.reveal(json.loads(json.dumps(arguments)))
    source = json.dumps(arguments)
    chunks = [
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]},
                }
            ]
        }
        for piece in cut(source, draw)
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    revealed = "".join(
        call["function"]["arguments"]
        for chunk in session.reveal_stream(chunks)
        for call in chunk["choices"][0]["delta"].get("tool_calls") or ()
    )
    tally.placeholders["in a tool's arguments"] += 2
    try:
        tally.right["in a tool's arguments"] += 2 * (json.loads(revealed) == wanted)
    except ValueError:
        tally.bad_json += 1
    function = {"name": draw.choice(TOOLS), "arguments": revealed}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }


def result_of(person: Person, draw: random.Random) -> tuple[Any, list[str]]:
    """Return the result of a tool, and the kinds of identifiers in it."""
    kinds = draw.sample(
        ["name", "email", "phone", "address", "record", "birth", "other", "other_email"], 3
    )
    names = {
        "birth": "date_of_birth",
        "record": "reference",
        "other": "assigned_to",
        "other_email": "cc",
    }
    content = {names.get(kind, kind): person.values[kind] for kind in kinds} | {
        "status": "ok",
        "count": draw.randrange(9),
    }
    return {
        "role": "tool",
        "tool_call_id": "call_1",
        "content": json.dumps(content, ensure_ascii=draw.random() < 0.5),
    }, kinds


def conversation(
    session: GuardSession, fakers: list[Faker], draw: random.Random, tally: Tally, development: bool
) -> None:
    """Have one conversation."""
    person = Person.drawn(fakers, draw)
    openings, turns = (
        (DEVELOPMENT_OPENINGS, DEVELOPMENT_TURNS) if development else (OPENINGS, TURNS)
    )
    messages: list[Any] = []
    kinds: list[str] = []
    said: set[str] = set()
    frame: Counter[str] = Counter()
    for number in range(draw.randint(2, 6)):
        template = draw.choice(turns if number else openings)
        used = re.findall(r"\{(\w+)\}", template)
        kinds += used
        frame.update(words(re.sub(r"\{\w+\}", "", template)))
        messages.append({"role": "user", "content": template.format(**person.values)})
        if draw.random() < 0.4:
            hidden = session.hide(messages)
            searched(hidden, person, kinds, frame, tally, said)
            messages.append(called(session, hidden, draw, tally))
            result, used = result_of(person, draw)
            kinds += used
            messages.append(result)
        hidden = session.hide(messages)
        searched(hidden, person, kinds, frame, tally, said)
        tally.changed += plain(session.reveal(hidden)) != plain(messages)
        texts = [m["content"] for m in hidden if m["content"]]
        answer = answered(texts, session, draw, tally)
        frame.update(words(next(phrase for phrase in PHRASES if answer.startswith(phrase))))
        messages.append({"role": "assistant", "content": answer})
    tally.conversations += 1
    for kind in set(kinds):
        tally.planted[KINDS[kind]] += 1
    tally.with_sent += bool(said)
    for kind in said:
        tally.sent[KINDS[kind]] += 1


def words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return re.findall(r"\w+", text.casefold())


def searched(
    hidden: Any,
    person: Person,
    kinds: list[str],
    frame: Counter[str],
    tally: Tally,
    said: set[str],
) -> None:
    """Note which identifiers are in what is sent; ``frame`` counts the words of the templates."""
    text = unescaped(json.dumps(hidden, ensure_ascii=False))
    folded = " ".join(text.split()).casefold()
    digits = re.sub(r"\D", "", text)
    for kind in set(kinds) - said:
        value = person.values[kind].casefold()
        is_sent = value in folded
        if KINDS[kind] in ("given name", "surname", "full name"):
            is_sent = any(
                len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", folded)) > frame[word]
                for word in value.split()
                if len(word) > 2
            )
        elif kind == "phone":
            number = re.sub(r"\D", "", value)
            is_sent = is_sent or number[-8:] in digits
        elif kind == "address":
            # The street with its number says where somebody lives.
            is_sent = is_sent or street(value) in folded
        if is_sent:
            said.add(kind)
            tally.examples.setdefault(KINDS[kind], []).append(value)


def unescaped(text: str) -> str:
    """Return the source of JSON without its escapes, however deep."""
    text = text.replace("\\\\", "\\").replace("\\n", " ").replace('\\"', '"')
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)


def plain(messages: Any) -> Any:
    """Return messages with what is JSON in their strings as values."""
    if isinstance(messages, dict):
        return {key: plain(value) for key, value in messages.items()}
    if isinstance(messages, list):
        return [plain(item) for item in messages]
    try:
        return json.loads(messages)
    except (ValueError, TypeError):
        return messages


def street(address: str) -> str:
    """Return the first three words of an address."""
    return " ".join(address.split()[:3])


def main(parser: argparse.ArgumentParser) -> None:
    """Measure, and print the table."""
    parser.add_argument("--conversations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--policy", default="prompts")
    parser.add_argument("--development", action="store_true")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else (7 if options.development else 190)
    draw = random.Random(seed)
    fakers = [Faker(locale) for locale in (DEVELOPMENT if options.development else REPORTED)]
    for number, faker in enumerate(fakers):
        faker.seed_instance(seed + number)
    tally = Tally()
    for number in range(options.conversations):
        with tacenda.guard(options.policy, conversation=str(number)) as session:
            conversation(session, fakers, draw, tally, options.development)
    total, right = sum(tally.placeholders.values()), sum(tally.right.values())
    kinds = dict.fromkeys(KINDS.values())
    cells = {
        "conversations": f"{tally.with_sent} of {tally.conversations}",
        **{kind: f"{tally.sent[kind]} of {tally.planted[kind]}" for kind in kinds},
        "placeholders revealed right": f"{right} of {total}",
        "messages that come back otherwise": str(tally.changed),
        "arguments that are no JSON": str(tally.bad_json),
    }
    print_header(f"| sent | {' | '.join(cells)} |")
    print(
        f"| seed {seed}{', development' if options.development else ''} | {' | '.join(cells.values())} |"
    )
    print()
    for how, count in tally.placeholders.most_common():
        print(f"{how}: {tally.right[how]} of {count}")
    if options.development:
        for kind, examples in tally.examples.items():
            print(kind, examples[:12])
