"""The target's names, found in the text."""

from __future__ import annotations

import pytest

from tacenda.decide.naming import target_mentions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("saw Galip Yalman.", [("Galip Yalman", 1.0)]),
        ("saw galip yalman.", [("galip yalman", 1.0)]),
        ("saw GALİP YALMAN.", [("GALİP YALMAN", 1.0)]),
        ("YALMAN, Galip", [("YALMAN, Galip", 1.0)]),
        ("by Mr G. Yalman", [("G. Yalman", 1.0)]),
        ("by Mr Yalman's son", [("Yalman", 1.0)]),
        ("by A. Yalman", [("Yalman", 0.0)]),
        ("with Ayşe Yalman", [("Yalman", 0.0)]),
        ("with Mrs Yalman", [("Yalman", 0.0)]),
        ("then Galip said", [("Galip", 1.0)]),
        ("then Galip Demir said", []),
        ("a yalman tree", []),
        ("Yalmaner", []),
        ("Mr Jalman said", [("Jalman", 1.0)]),
        ("by Mr G. Ялман", [("G. Ялман", 1.0)]),
        ("ask @gyalman87", [("@gyalman87", 1.0)]),
        ("galip.yalman posted", [("galip.yalman", 1.0)]),
        ("user YalmanGalip", [("YalmanGalip", 1.0)]),
        ("yalman_61 wrote", [("yalman_61", 1.0)]),
        ("the galvanometer", []),
    ],
)
def test_names_are_found_with_what_belongs_to_them(
    text: str, found: list[tuple[str, float]]
) -> None:
    """Full name, surname, given name and initials; direct unless it names somebody else."""
    mentions = target_mentions(text, ("Mr Galip Yalman",))
    assert [(item.span.of(text), item.direct) for item in mentions] == found


def test_every_name_is_masked_whoever_it_is() -> None:
    """A namesake's surname tells the target's, so it is masked too."""
    (found,) = target_mentions("Ayşe Yalman", ("Galip Yalman",))
    assert (found.masking, found.source, found.kind) == (1.0, "policy", "target")


def test_a_particle_alone_is_no_name() -> None:
    """The "van" of a name is not searched for."""
    text = "a van for van Beethoven"
    found = list(target_mentions(text, ("Ludwig van Beethoven",)))
    assert [item.span.of(text) for item in found] == ["Beethoven"]


def test_a_target_that_is_no_name_is_found_whole() -> None:
    """What can't be taken apart is never dropped silently."""
    (found,) = target_mentions("He led Unit 731 there.", ("unit 731",))
    assert found.span.of("He led Unit 731 there.") == "Unit 731"
