"""Candidates from the word lists of the corpora project, and a few that no source has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import InputError
from .candidate import Candidate

FILES: dict[str, str] = {
    "humans/occupations.json": "occupation",
    "humans/obsolete-occupations.json": "occupation",
    "geography/nationalities.json": "nationality",
    "religion/religions.json": "religion",
    "medicine/diseases.json": "health",
    "medicine/infectious_diseases.json": "health",
    "medicine/cancer.json": "health",
    "medicine/symptoms.json": "health",
    "medicine/drugs.json": "treatment",
}
"""Path below the folder of lists, and the group of its terms."""

_NOTES = frozenset({"description", "source", "license"})

# Closed classes whose members a reader would name, and that the sources have in part only.
WRITTEN = {
    "kinship": """wife husband spouse fiance fiancee partner mother father parent son daughter child brother
        sister sibling twin grandmother grandfather grandparent grandson granddaughter grandchild uncle aunt
        nephew niece cousin stepmother stepfather stepson stepdaughter half-brother half-sister widow widower
        orphan mother-in-law father-in-law brother-in-law sister-in-law son-in-law daughter-in-law
        foster_parent foster_child adopted_child godfather godmother common-law_wife common-law_husband
        single_mother single_father single_parent ex-wife ex-husband unmarried divorced married widowed""",
    "orientation": """homosexual heterosexual bisexual lesbian gay transgender transsexual asexual
        intersex transvestite non-binary""",
    "religion": """christian catholic roman_catholic protestant orthodox orthodox_christian muslim jew
        jewish sunni shia shiite alevi hindu sikh buddhist atheist agnostic lutheran calvinist methodist
        baptist anglican evangelical pentecostal adventist mormon jehovah's_witness quaker scientologist
        freemason bahai zoroastrian""",
    "ideology": """communist socialist liberal conservative nationalist anarchist marxist leninist
        marxist-leninist maoist fascist nazi neo-nazi separatist islamist social_democrat left-wing
        right-wing far-right far-left feminist pacifist""",
    "health": """disabled handicapped mentally_ill unfit_for_work unfit_to_work permanent_disability
        total_disability partial_disability wheelchair blind deaf mute paralysed paraplegic amputation
        pregnant pregnancy hiv-positive suicide_attempt post-traumatic_stress_disorder""",
    "social_status": """refugee asylum_seeker conscientious_objector stateless_person illegal_immigrant
        immigrant emigrant pensioner old-age_pensioner unemployed retired homeless student
        university_student schoolgirl schoolboy pupil conscript prisoner_of_war life_prisoner detainee
        remand_prisoner political_prisoner veteran war_veteran invalid landowner homeowner tenant minor
        squatter nomad traveller""",
    "ethnic_group": """roma gypsy kurd kurdish sami sinti basque catalan chechen ingush tatar kosovar
        circassian frisian breton corsican sorb aromanian pomak hutu tutsi igbo yoruba hausa tamil
        sinhalese pashtun hazara uzbek tajik turkmen uyghur berber tuareg inuit maori aboriginal
        afro-american african-american""",
    "occupation": """lorry_driver bus_driver train_driver tram_driver taxi_driver truck_driver crane_driver
        shop_assistant university_lecturer university_professor primary_school_teacher secondary_school_teacher
        medical_practitioner dental_surgeon chief_surgeon legal_adviser trainee_lawyer building_contractor
        building_inspector market_trader street_trader street_vendor construction_worker
        agricultural_worker factory_worker railway_worker social_worker care_worker prison_guard
        prison_officer customs_officer tax_inspector bank_clerk office_worker newspaper_editor
        radio_presenter trade_unionist trade_union_leader human_rights_defender human_rights_activist
        managing_director assistant_professor research_assistant notary_public muhtar village_guard
        hodja mufti self-employed_person""",
    "penalty": """life_imprisonment community_service suspended_sentence solitary_confinement
        conditional_discharge preventive_detention death_penalty death_sentence""",
}


def read_lists(folder: Path) -> Iterator[Candidate]:
    """Yield the terms of `FILES` and of `WRITTEN`.

    Raises:
        InputError: if a list is missing or is not JSON.
    """
    for name, group in FILES.items():
        path = folder / name
        try:
            loaded = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"can't be read as a JSON list of words ({error}).", name) from error
        for term in _strings(loaded):
            yield Candidate(term, group, "lists")
    for group, terms in WRITTEN.items():
        for term in terms.split():
            yield Candidate(term.replace("_", " "), group, "lists")


def _strings(value: Any) -> Iterator[str]:
    """Yield every string, and every key that has further strings below it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _NOTES:
                yield key
                yield from _strings(item)
