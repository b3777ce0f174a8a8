"""Names side by side are one phrase, and what describes a noun stays a description."""

from __future__ import annotations

from tacenda.document import Document, SemanticType
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Generalisation
from tacenda.rewrite.generalize.options import propose_options
from tacenda.rewrite.rewrite import rewrite
from tests.building import entity, mention
from tests.examples import for_each

from .offering import decided, written

CLASSES = {
    "Turkish": ("inhabitant",),
    "French": ("inhabitant",),
    "Finnish": ("European",),
    "Wick": ("town",),
    "Caithness": ("region",),
    "ballet": ("dance",),
    "ballets": ("dance",),
    "drummer": ("musician",),
    "her drummer": ("musician",),
    "Wick,": ("town",),
    "RSA)": ("academy",),
    "'s": ("art",),
    "Ulm": ("city in Germany",),
    "Trier": ("city in Germany",),
    "Bonn": ("city in Germany",),
    "Bavaria": ("state",),
    "Unity Party": ("party",),
    "UP": ("organization",),
    "Unity Party (": ("party",),
    "Ulm University": ("university",),
    "Senator": ("politician",),
    "President": ("politician",),
    "Rangers": ("club",),
    "Lions": ("sports club",),
    "Dutch": ("nationality",),
    "singer": ("profession",),
    "dancer": ("profession",),
    "Turkey": ("country",),
    "Minister of Economics": ("politician",),
}


class Known:
    """Knows the classes of a few strings."""

    def describes(self, text: str) -> bool:
        return False

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return classes that a million things are of."""
        return tuple(Generalisation(each, "ontology:Q1", 1e6) for each in CLASSES.get(text, ()))


@for_each(
    ("text", "marks", "expected"),
    [
        ("He is in the Ems Prison now.", [("Ems", "LOC"), ("Prison", "ORG")], "He is in the *** now."),
        ("He is in the Ems Park Prison now.", [("Ems", "LOC"), ("Park Prison", "ORG")], "He is in the [prison] now."),
        ("She is an Ems drummer.", [("Ems", "LOC"), ("drummer", "DEM")], "She is a [musician]."),
        ("Born in Wick Caithness.", [("Wick", "LOC"), ("Caithness", "LOC")], "Born in a [town]."),
        ("A drummer, Ems.", [("drummer", "DEM"), ("Ems", "LOC")], "A [musician], ***."),
        ("He ran the Ulm Run.", [("Ulm", "LOC"), ("Run", "MISC")], "He ran the ***."),
        ("He is a Finnish drummer.", [("Finnish", "DEM"), ("drummer", "DEM")], "He is a [European musician]."),
        ("Senator Ada Wick left.", [("Senator", "DEM"), ("Ada Wick", "PERSON")], "[Politician PERSON 1] left."),
        ("Singer Ada Wick left.", [("Singer", "DEM"), ("Ada Wick", "PERSON")], "[PERSON 1] left."),
        ("In the Unity Party (UP) now.", [("Unity Party", "ORG"), ("UP", "ORG")], "In the [political party] now."),
        ("Born in Ulm, Bavaria.", [("Ulm", "LOC"), ("Bavaria", "LOC")], "Born in a [city in Germany]."),
        ("At Ulm University, Bavaria.", [("Ulm University", "ORG"), ("Bavaria", "LOC")], "At a [university in a state]."),
        ("In Ulm, Trier and Bonn.", [("Ulm", "LOC"), ("Trier", "LOC"), ("Bonn", "LOC")], "In [three cities in Germany]."),
        ("In Ulm, Bavaria and Bonn.", [("Ulm", "LOC"), ("Bavaria", "LOC"), ("Bonn", "LOC")], "In a [city in Germany], a [state] and a [city in Germany]."),
        ("A writer, singer and dancer.", [("singer", "DEM"), ("dancer", "DEM")], "A writer and [professional]."),
        ("For Lions and Rangers.", [("Lions", "ORG"), ("Rangers", "ORG")], "For [two clubs]."),
        ("A Dutch drummer.", [("Dutch", "DEM"), ("drummer", "DEM")], "A [musician]."),
        ("The Lions (LIO) won.", [("Lions", "ORG"), ("LIO", "ORG")], "The [sports club] won."),
        ("He won two Ulm now.", [("two", "QUANTITY"), ("Ulm", "LOC")], "He won [X cities in Germany] now."),
        ("Born in Ulm, Ems.", [("Ulm", "LOC"), ("Ems", "LOC")], "Born in a [city in Germany]."),
        ("Born in Ems, Bavaria.", [("Ems", "LOC"), ("Bavaria", "LOC")], "Born in a [state]."),
        ("It is Rangers drummer.", [("Rangers ", "ORG"), ("drummer", "DEM")], "It is a [musician]."),
        ("In the Unity Party (UP) now.", [("Unity Party (", "ORG")], "In the [party] (UP) now."),
        ("Born in Ulm, Bavaria, in 1924.", [("Ulm", "LOC"), ("Bavaria", "LOC"), ("in 1924", "DATETIME")], "Born in a [city in Germany], [in the 1920s]."),
        ("The third drummer.", [("third", "QUANTITY"), ("drummer", "DEM")], "The [Xth musician]."),
        ("In Ada Wick's Ulm now.", [("Ada Wick", "PERSON"), ("'s Ulm", "MISC")], "In *** now."),
        ("In Ada Ulm now.", [("Ada", "PERSON"), ("Ulm", "MISC")], "In a [city in Germany] now."),
        ("Senator drummer.", [("Senator", "DEM"), ("drummer", "DEM")], "[Musician]."),
        ("Took Ems 75 now.", [("Ems", "MISC"), ("75", "QUANTITY")], "Took *** now."),
        ("A singer and dancer.", [("singer", "DEM"), ("dancer", "DEM")], "A [professional]."),
        ("Ulm 2012 was hot.", [("Ulm", "LOC"), ("2012", "DATETIME")], "A [city in Germany in the 2010s] was hot."),
        ("In 1924 Caithness won.", [("1924", "DATETIME"), ("Caithness", "LOC")], "In [the 1920s] a [region] won."),
    ],
)  # fmt: skip
def test_names_side_by_side(text: str, marks: list[tuple[str, str]], expected: str) -> None:
    """A black box goes into its neighbour, and only the first of two has an article."""
    assert written(text, *marks, ontology=Known()) == expected


@for_each(
    ("text", "string", "type", "expected"),
    [
        ("A man of Turkish descent.", "Turkish", "DEM", "A man of [nationality] descent."),
        ("A Turkish national.", "Turkish", "DEM", "A [nationality] national."),
        ("An act of French nationality.", "French", "DEM", "An act of [some] nationality."),
        ("A Finnish national.", "Finnish", "DEM", "A [European] national."),
        ("Then the French said no.", "French", "DEM", "Then the [inhabitant] said no."),
        ("He is a Finnish drummer.", "drummer", "DEM", "He is a Finnish [musician]."),
        ("He studied ballet there.", "ballet", "MISC", "He studied [dance] there."),
        ("She danced in new ballets.", "ballets", "MISC", "She danced in new [dances]."),
        ("Born in Wick, Scotland.", "Wick,", "LOC", "Born in a [town], Scotland."),
        ("Studied (at the RSA).", "RSA)", "ORG", "Studied (at the [academy])."),
        ("He left Ann's house.", "'s", "MISC", "He left Ann*** house."),
        ("Born in Old Wick today.", "Wick", "LOC", "Born in Old [town] today."),
        ("In Wick today.", "Wick", "LOC", "In a [town] today."),
        ("Songs such as “Ulm” and", "Ulm", "LOC", "Songs such as “[city in Germany]” and"),
        ("Songs such as “Ulm”.", "Ulm”", "LOC", "Songs such as “***”."),
        ("He saw her drummer go.", "her drummer", "DEM", "He saw her [musician] go."),
        ("He won the Ems Medal.", "Ems", "PERSON", "He won the [medal]."),
        ("He won Ems Medals.", "Ems", "PERSON", "He won [medals]."),
        ("He knew Ems well.", "Ems", "PERSON", "He knew [PERSON 1] well."),
        ("In the city of Ulm now.", "Ulm", "LOC", "In the [city in Germany] now."),
        ("In the Republic of Turkey.", "Turkey", "LOC", "In the [country]."),
        ("The Rangers' coach.", "Rangers", "ORG", "The [club]'s coach."),
        ("A dancer with club Rangers now.", "Rangers", "ORG", "A dancer with club [club] now."),
        ("An Ulm suburb.", "Ulm", "LOC", "A [city] suburb."),
        ("In southern Turkey.", "Turkey", "LOC", "In southern [country]."),
        ("He was elected President.", "President", "DEM", "He was elected a [politician]."),
        ("President of Ems and", "President", "DEM", "A [politician] of Ems and"),
        (
            "The Minister of Economics left.",
            "Minister of Economics",
            "DEM",
            "The [politician] left.",
        ),
        ("French and Finnish art.", "French", "DEM", "[Nationality] and Finnish art."),
        ("A book in French.", "French", "DEM", "A book in a [language]."),
        ("Nos. 7/12 and", "7/12", "CODE", "Nos. [numbers] and"),
        ("In Ann's 1924 show.", "1924", "DATETIME", "In Ann's [1920s] show."),
    ],
)
def test_what_is_written_fits(text: str, string: str, type: str, expected: str) -> None:
    """By the kind of word that is replaced, not by the word."""
    assert written(text, (string, type), ontology=Known()) == expected


def test_a_joined_edit_is_recorded_with_both_entities() -> None:
    """It covers both strings, and its offsets are those of the output."""
    document = Document("d", "She is an Ulm drummer.")
    items = [
        decided(entity("e1", mention(document, "Ulm", "LOC"))),
        decided(entity("e2", mention(document, "drummer", "DEM"))),
    ]
    policy = Policy(operator="generalize", prefer="detail")
    text, (edit,) = rewrite(document, propose_options(document, items, policy, Known()), policy)
    assert edit.entity_ids == ("e1", "e2")
    assert edit.original.of(document.text) == "an Ulm drummer"
    assert text[edit.output_start : edit.output_end] == "a [musician]"
