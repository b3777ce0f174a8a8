"""Values, drugs and shorthand of clinical notes, and people beside them."""

from __future__ import annotations

import os
from random import Random

from tacenda.detect.clinical import ClinicalNotes
from tacenda.document import Mention, MentionSource, SemanticType, Span

_NAMES = "Okafor Kowalski Haddad Nguyen Iqbal Lindqvist Yamamoto Ortega Patel Adeyemi".split()
_NO_NAMES = (
    "[BP 138/82] today|[SpO2 96] on air|[K+ 6.1] this morning|[FEV1] down|[MRSA neg]|[Propranolol] 10 mg nightly|[Trimbow] 2 puffs bd|[Sinemet] 25/100 tds"
    "|[Babinski] negative|[Foley] in situ|seen by [ENT]|[PERLA], soft abdomen|born at [38+4]|[Barlow] and Ortolani negative|hx of [Crohn]'s, stable|[Waterlow 14]|[Plt 230, Na 138]|allergic to [Septrin]|on [Omeprazole, Naproxen]|[UL5] restored|lower left [6] tender|[Murphy]'s sign|f/u [PCP 2/52]|[pT2N1M0], margins clear|[ypTisN0Mx]|[T4bN2aM1]|known [Bell's palsy]|known [Bell]'s palsy|[R Colles' fracture] 2018|hx [NSTEMI] 2019|[40 pack years]|40 pack [years]|seen in [ED] at 10|brought to [ED] by son|[ED] consultant|[GCS 15/15]"
).split("|")
_PEOPLE = (
    "give [{name}] 10 mg|told [{name}] 2 tablets bd|{name} and [{name}] 5 mg od|[{name}] 10 mg morphine given|[{name}] negative|[{name}] positive|line for [{name}]"
    "|[{name}] weighs 82 kg|started on warfarin by [{name}]|stopped Eliquis, [{name}] aware|Mrs [Eliquis] takes 5 mg|dose held, [Anna Celexa] rang|[{name}] 14, ward 6|seen by [{name}] at 10|Nurse [{name}] 10 mg|[{name}] 25/100|[{name}]'s palsy|told by [ED] at 10|[ED] Morris rang|[Bell] rang|[{name}], 71"
).split("|")
DRAWS = int(os.environ.get("TACENDA_DRAWS", "200"))


def _is_value(marked: str, p_mask: float) -> bool:
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    mention = Mention(Span(start, end), SemanticType.PERSON, p_mask, 0.0, MentionSource.NEURAL)
    return ClinicalNotes(text).has_value(mention)


def test_values_drugs_and_shorthand_are_no_names() -> None:
    """Whatever the recognizer takes them for, a drug if it is in doubt."""
    assert [marked for marked in _NO_NAMES if not _is_value(f"Seen again. {marked}", 0.4)] == []
    assert not _is_value("[Trimbow] 2 puffs bd", 0.5)
    assert _is_value("Started on [Eliquis]", 0.9)


def test_people_beside_doses_and_findings_stay_names() -> None:
    """Those to whom a dose is given, or of whom a result is said."""
    random = Random(32)
    for _ in range(DRAWS):
        marked = random.choice(_PEOPLE).format(name=random.choice(_NAMES))
        assert not _is_value(f"{random.choice(['Seen. ', '', 'Bed 4: '])}{marked}", 0.4), marked


def test_height_and_weight_tell_something_about_somebody() -> None:
    """They are left to the recognizer."""
    assert not _is_value("[Weight 82] kg", 0.4)
