"""The table of towns and universities: what is left out of it."""

from __future__ import annotations

from tacenda_lab.train.ontology.places import PlaceGazetteer
from tacenda_lab.train.ontology.registers import RegisterRow
from tacenda_lab.train.substitutes import town_rows, university_rows


def town(name: str, people: int, north: float = 60.0, country: str = "NO") -> dict[str, object]:
    """Return a row of GeoNames."""
    return {
        "name": name,
        "population": people,
        "latitude": north,
        "longitude": 10.0,
        "countrycode": country,
        "admin1code": "01",
    }


def gazetteer() -> PlaceGazetteer:
    """Return the names of two countries."""
    result = PlaceGazetteer()
    result.countries |= {"NO": "Norway", "SY": "Syria"}
    result.codes |= {"norway": "NO", "syria": "SY"}
    return result


def test_parts_small_places_and_odd_names_are_no_towns() -> None:
    """A borough of a large town, a village, a name with a number, a country's name."""
    rows = [
        town("Storby", 600_000),
        town("Bydel", 90_000, 60.02),
        town("Langtborte", 90_000, 62.0),
        town("Sone 12", 80_000, 64.0),
        town("Norway", 70_000, 66.0),
        town("Grend", 900, 68.0),
    ]
    names = [row[-1] for row in town_rows(gazetteer(), rows)]
    assert names == ["Storby", "Langtborte"]


def test_transcribed_names_have_plain_letters() -> None:
    """As an English text writes them."""
    (row,) = town_rows(gazetteer(), [town("Şalākhid", 20_000, 33.0, "SY")])
    assert row == ("town", "syria", "01", "43", "Salakhid")


def test_universities_have_names_of_common_form() -> None:
    """Of the register of universities alone, with a known country."""
    source = "Hipo universities (MIT)"
    rows = [
        RegisterRow("University of Storby", "university", "Norway", source),
        RegisterRow("Fachhochschule Storby", "university", "Norway", source),
        RegisterRow("Storby University", "university", "Atlantis", source),
        RegisterRow("Storby University", "education", "Norway", "ROR (CC0)"),
    ]
    assert [row[-1] for row in university_rows(gazetteer(), rows)] == ["University of Storby"]
