"""Two people have two tags, and one person has one where the text says so: draws of a table.

| kind | says |
|---|---|
| couples | of *Tom and Ada Berg* he is Mr Berg, she Mrs Berg |
| generations | father and son of one name are two |
| ranks, relatives | who does something to somebody of the same surname, and who is somebody's husband, is another |
| initials, marks of a list | an initial is the person it fits; the mark of an item is nobody |
| possessives | are the name's, and their *s* is nothing |
"""

from __future__ import annotations

import os
import random
import re
from collections import defaultdict
from itertools import combinations

import pytest

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.link.linking import link

DRAWS = int(os.environ.get("TACENDA_DRAWS", "150"))
CULTURES = {
    "British": ("Colin Graham Trevor", "Hazel Gemma Fiona", "Whitlock Pringle Marsh"),
    "Irish": ("Declan Niall Fergus", "Aoife Sinead Niamh", "O'Dwyer Brennan Kavanagh"),
    "Dutch": ("Henk Joost Daan", "Marijke Femke Saskia", "Visser Hoekstra Mulder"),
    "Polish": ("Wojciech Tadeusz Marek", "Wioletta Jadwiga Sylwia", "Mazur Wrona Bielak"),
    "Turkish": ("Murat Emre Hakan", "Elif Hatice Zeynep", "Yalman Demir Aksoy"),
    "Pakistani": ("Imran Tariq Asif", "Saira Bushra Nasreen", "Malik Chaudhry Mirza"),
    "Indian": ("Rajesh Vikram Sanjay", "Priya Lakshmi Meera", "Kaur Sharma Iyer"),
    "Nigerian": ("Chidi Emeka Babajide", "Ngozi Adaeze Ifeoma", "Okafor Adeyemi Eze"),
    "Japanese": ("Kenji Hiroshi Takeshi", "Yukiko Keiko Tomoko", "Nakagawa Ono Mori"),
    "Spanish": ("Sergio Ramiro Pablo", "Carmen Camila Cristina", "Ortega Molina Prieto"),
    "nowhere": ("Zorbul Quibbet Brimlo", "Quennet Ollivar Drushka", "Tarnquist Wobbleton Hask"),
}
"""Men, women and surnames."""
COUPLES = """
<a>{m}</a> and <b>{f} {s}</b> live next door. <a>Mr {s}</a> is deaf; <b>Mrs {s}</b> drives.
<b>{f}</b> & <a>{m} {s}</a> came. <b>Mrs {s}</b> sat down, and later <a>Mr {s}</a> did.
A note for <a>Mr {s}</a>, by <b>{f}</b> and <a>{m} {s}</a>.
<a>{m} {s}</a> and his wife, <b>{f} {s}</b>, moved. <b>Mrs {s}</b> works; <a>Mr {s}</a> is ill.
<b>{f} {s}</b>'s husband <a>{m} {s}</a> wrote. <a>Mr {s}</a> wants a reply, <b>Ms {s}</b> does not.
<b>Dr {s}</b> and her husband, <a>Mr {s}</a>, moved.
<b>Mrs {s}</b> lives with her mother-in-law, <c>Mrs {s}</c>, and her husband, <a>{m} {s}</a>.
<a>{m} {s}</a> saw <b>{s}</b>, and <b>{s}</b> left.
<b>{f} {s}</b>, mother of <a>{m} {s}</a>, called. <b>Ms {s}</b> was upset.
<a>{m} {s}</a> and his brother <c>{n} {s}</c> own it; <b>{f}</b> is <a>{m}</a>'s aunt.
"""
GENERATIONS = """
<a>{m} {s}</a> sued his son, <b>{m} {s} Jr.</b>, over the farm. <b>{s} Jr.</b> lost.
<a>{m} {s} Sr.</a> sued his son, <b>{m} {s}</b>.
<a>{m} {s} II</a>, <b>{m} {s} III</b> and <c>{n} {s}</c> signed. <b>{m} {s} III</b> left.
<a>{m} {s} the Elder</a> taught <b>{m} {s} the Younger</b>, and <c>{n}</c> taught <b>{m} {s} the Younger</b>.
<a>{m} {s} sen.</a> and <b>{m} {s} jun.</b> own it. <b>{m} {s} jun.</b>'s shop is <a>{m} {s} sen.</a>'s.
<a>{m} {s}, Jr</a> and <c>{f}</c> met <b>{m} {s}, Sr</b>; <a>{s} junior</a> spoke.
"""
RANKS = """
<a>Sgt {s}</a> arrested <b>{m} {s}</b>. <a>Sgt {s}</a> apologised.
<b>{m} {s}</b> was questioned by <a>PC {s}</a>. <a>PC {s}</a> left.
<a>Insp. {s}</a> met <b>{f} {s}</b>; later <a>Inspector {s}</a> called.
<a>Captain {s}</a> then sued <b>{m} {s}</b>.
<a>Dr {s}</a> treated <b>{f} {s}</b> and <c>{n} {s}</c>.
"""
OTHERS = r"""
1. <a>{m} {s}</a>\n2. <b>{f} {t}</b>\n<a>{i}. {s}</a> and <b>{j}. {t}</b> left with <a>{m}</a>'s bag.
<x>R1</x>. <a>{m} {s}</a> drove.\n<y>R2</y>. <b>{f} {t}</b> ran.\nThe suspect <a>{s}</a> was seen.
<a>{m}</a> came, <b>{f}</b> didn't. Item <c>K.</c> is his, item <d>J.</d> hers.
<a>{m} {s}</a>'s car and <b>{f} {t}</b>'s; <a>{s}</a>'s was red, <b>{f}</b>'s blue.
<a>{s}, {m}</a>; <b>{t}, {f}</b>. <a>Mr {s}</a> and <b>Ms {t}</b>.
"""
KINDS = dict(zip(("couples", "generations", "ranks", "others"), (COUPLES, GENERATIONS, RANKS, OTHERS), strict=True))  # fmt: skip
MARK = re.compile(r"<(\w)>(.*?)</\1>", re.DOTALL)


def drawn(line: str, random: random.Random) -> tuple[str, dict[str, list[Span]]]:
    """Return a text with names of a culture, and the places of each person."""
    names = [part.split() for part in CULTURES[random.choice(list(CULTURES))]]
    (m, n), f, (s, t) = (
        random.sample(names[0], 2),
        random.choice(names[1]),
        random.sample(names[2], 2),
    )
    line = line.format(m=m, n=n, f=f, s=s, t=t, i=m[0], j=f[0]).replace("\\n", "\n")
    people: dict[str, list[Span]] = defaultdict(list)
    text, position = "", 0
    for match in MARK.finditer(line):
        text += line[position : match.start()]
        people[match[1]].append(Span(len(text), len(text) + len(match[2])))
        text, position = text + match[2], match.end()
    return text + line[position:], people


@pytest.mark.parametrize("kind", KINDS)
def test_two_people_have_two_tags_and_one_has_one(kind: str) -> None:
    """Whatever the names: nobody has another's tag, and whom the text names as one has one tag."""
    draw = random.Random(kind)
    lines = KINDS[kind].strip().splitlines()
    for number in range(DRAWS):
        line = lines[number % len(lines)]
        text, people = drawn(line, draw)
        spans = sorted(span for places in people.values() for span in places)
        mentions = [
            Mention(span, SemanticType.PERSON, 0.9, 0.5, MentionSource.NEURAL) for span in spans
        ]
        tags = {
            mention.span: entity.number
            for entity in link(Document("d", text), mentions)
            for mention in entity.mentions
        }
        by_person = {who: {tags[span] for span in places} for who, places in people.items()}
        for one, other in combinations(by_person.values(), 2):
            assert one.isdisjoint(other), text
        if not re.search("Tarnquist|Wobbleton|Hask", text):
            assert all(len(numbers) == 1 for numbers in by_person.values()), text


@pytest.mark.parametrize(
    "name", ["Ms. Will Grace", "Mrs Robin Hale", "Mr Joy Okafor", "Miss Max Adair"]
)
def test_a_title_outweighs_the_usual_sex_of_the_same_given_name(name: str) -> None:
    """Whoever is Ms Will Grace is Will, too."""
    given_name = name.split()[1]
    text = f"Dear {name}, we wrote. {given_name}, please call."
    spans = [
        Span(5, 5 + len(name)),
        Span(text.rindex(given_name), text.rindex(given_name) + len(given_name)),
    ]
    mentions = [
        Mention(span, SemanticType.PERSON, 0.9, 0.5, MentionSource.NEURAL) for span in spans
    ]
    assert len(link(Document("d", text), mentions)) == 1
